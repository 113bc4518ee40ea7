//! Hooks that read fields their event does not have, or that never run.

use kaer::content::events;

use super::book::Book;
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;
use super::script::View;

pub const KINDS: &[Kind] = &[
    Kind {
        name: "misspelt field of an event",
        text: "`event.amuont`",
        make: misspelt,
    },
    Kind {
        name: "field of another event",
        text: "`event.place` in a hook of `after_draw`",
        make: other,
    },
    Kind {
        name: "hook that never runs",
        text: "`on.turn_start` on a clause, a route, a table",
        make: never_run,
    },
];

fn misspelt(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        view.before(ix) == "." && ix > 1 && view.word(ix - 2) == "event" && view.word(ix + 1) != "("
    })?;
    book.misspell(view.script.file, view.at(ix), rng)
}

/// The fields that the event of a hook provides; `None` for scripts that are not hooks, or events
/// with undeclared fields.
fn provided(book: &Book, view: &View) -> Option<Vec<String>> {
    let field = &book.fields[view.script.field?];
    let hook = ["on", "offer", "answer"]
        .iter()
        .any(|table| field.is_below(table));
    let name = field.name().strip_prefix("self_").unwrap_or(field.name());
    let mut natives = events::on::EVENTS.iter().chain(events::ask::QUERIES);
    let native = natives.find(|native| native.name == name && hook);
    if let Some(native) = native {
        return Some(native.provides.split(' ').map(str::to_owned).collect());
    }
    let own = book
        .entries
        .iter()
        .position(|entry| entry.kind == "event" && entry.id == name && hook)?;
    let rows = book
        .fields
        .iter()
        .filter(|field| field.entry == own && field.path[0] == "provides");
    Some(
        rows.filter_map(|field| {
            book.inside(field)
                .map(|at| book.text(field.file)[at].to_owned())
        })
        .collect(),
    )
}

fn other(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        let read = view.before(ix) == "." && ix > 1 && view.word(ix - 2) == "event";
        read && provided(book, view)
            .is_some_and(|names| names.iter().any(|name| name == view.word(ix)))
    })?;
    let mut names = vec![
        "seat", "source", "piece", "place", "counter", "phase", "winner", "target", "card",
        "player",
    ];
    let provided = provided(book, &view)?;
    names.retain(|name| !provided.iter().any(|own| own == name));
    let new = rng.word(&names);
    Some(Mutation::one(book, view.script.file, view.at(ix), new))
}

fn never_run(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let without_hooks = [
        "clause", "route", "school", "die", "table", "zone", "counter", "chain", "event", "query",
        "panel",
    ];
    let entries = book
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| without_hooks.contains(&entry.kind.as_str()));
    let (ix, entry) = rng.pick(entries.collect())?;
    let id = book.field(ix, &["id"])?;
    let at = book.whole(id)?.end;
    let hook = rng.word(&[
        "on.turn_start = 'event.seat.gold += 1;'\n",
        "on.after_travel = 'event.seat.draw(1);'\n",
        "answer.train_cost = 'add(-1);'\n",
        "on.round_start = 'refill_pool();'\n",
    ]);
    let mutation = Mutation::one(book, entry.file, at..at, hook);
    Some(
        mutation
            .also(book, entry.file, entry.at.start)
            .also(book, entry.file, id.key.start),
    )
}
