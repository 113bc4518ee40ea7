//! `card`: the text of a card or a place.

use crate::cli::screen::{self, Tone};
use crate::content::{Content, EntryDef};
use crate::diagnostic::nearest;
use crate::game::Game;
use crate::value::{Text, Value};

/// Longer fields and texts are left out.
const MAX_LENGTH: usize = 60;

/// Shows the entries with this name, or else those whose titles begin with it.
pub fn show(game: &Game, typed: &str) {
    let content = game.content();
    if typed.is_empty() {
        return screen::print("Type `card` and a name, or the beginning of a name.");
    }
    let wanted = typed.to_lowercase();
    let printed = || {
        content
            .entries
            .iter()
            .filter(|entry| is_printed(content, entry))
    };
    let exact = |entry: &&std::sync::Arc<EntryDef>| {
        entry.title.to_lowercase() == wanted || *entry.id == *wanted
    };
    let mut found: Vec<&EntryDef> = printed().filter(exact).map(|entry| &**entry).collect();
    if found.is_empty() {
        let fits = |entry: &&std::sync::Arc<EntryDef>| {
            let title = entry.title.to_lowercase();
            title.starts_with(&wanted) || title.split(' ').any(|part| part.starts_with(&wanted))
        };
        found = printed().filter(fits).map(|entry| &**entry).collect();
    }
    match found.len() {
        0 => {
            let near = nearest(typed, printed().map(|entry| &*entry.title));
            let hint = near
                .map(|near| format!(" Did you mean {near}?"))
                .unwrap_or_default();
            screen::print_wrapped(
                &format!("No card or place is called `{typed}`.{hint}"),
                Tone::Warning,
            );
        }
        1..=4 => found.into_iter().for_each(|entry| face(content, entry)),
        _ => {
            let titles: Vec<&str> = found.iter().map(|entry| &*entry.title).collect();
            screen::print_wrapped(
                &format!("`{typed}` could be {}.", titles.join(", ")),
                Tone::Plain,
            );
        }
    }
}

/// Whether an entry is a piece or a place, rather than part of the rules.
fn is_printed(content: &Content, entry: &EntryDef) -> bool {
    entry.place.is_some() || content.kinds[entry.kind.ix()].is_piece
}

/// Whether a text is a sentence rather than a value.
fn is_sentence(text: &str) -> bool {
    text.contains(' ') && text.ends_with(['.', '!', '?', '”', '…'])
}

fn face(content: &Content, entry: &EntryDef) {
    let kind = &content.kinds[entry.kind.ix()];
    screen::print_wrapped(&format!("{} ({})", entry.title, kind.title), Tone::Heading);
    // Common fields are shown elsewhere, or mean nothing to players.
    let is_own = |name: &str| {
        crate::pack::common().iter().all(|field| field.name != name) && name != "order"
    };
    let own = || entry.fields.iter().filter(|(name, _)| is_own(name));
    // A number inside a text is shown there.
    let face_fields = entry.faces.iter().flat_map(|face| &face.fields);
    let texts: Vec<&str> = (entry.fields.iter().chain(face_fields))
        .filter_map(|(_, value)| value.text())
        .collect();
    let is_inserted = |name: &str| {
        let inserted = format!("{{{name}}}");
        texts.iter().any(|text| text.contains(&inserted))
    };
    let plain = |(name, value): &(Text, Value)| match value {
        Value::Int(0) => None,
        Value::Text(text) if text.is_empty() || is_sentence(text) => None,
        Value::Int(_) | Value::Text(_) | Value::Entry(_) => {
            let shown = content.display(value);
            // A value that begins with the name of its field needs no label.
            let names_itself = shown.to_lowercase().starts_with(&**name);
            Some(if names_itself {
                shown
            } else {
                format!("{name} {shown}")
            })
        }
        Value::Bool(true) => Some(name.to_string()),
        _ => None,
    };
    let facts: Vec<String> = own()
        .filter(|(name, _)| !is_inserted(name))
        .filter_map(plain)
        .filter(|fact| fact.len() < MAX_LENGTH)
        .collect();
    if !facts.is_empty() {
        screen::print_indented("  ", Tone::Plain, &facts.join(", "), Tone::Quiet);
    }
    if let Some(text) = entry.text("text") {
        let text = content.render_text(text, &|name| entry.field(name));
        screen::print_indented("  ", Tone::Plain, &text, Tone::Plain);
    }
    // The action offered at a place, unless its label depends on the player.
    let label = entry
        .text("label")
        .filter(|label| entry.place.is_some() && !label.contains("{each"));
    if let Some(label) = label {
        let text = content.render_text(label, &|name| entry.field(name));
        screen::print_indented("  ", Tone::Plain, &text, Tone::Plain);
    }
    for (_, value) in own() {
        // Longer texts are stories, which would be spoiled.
        if let Some(text) = value
            .text()
            .filter(|text| is_sentence(text) && text.len() < MAX_LENGTH)
        {
            let text = content.render_text(text, &|name| entry.field(name));
            screen::print_indented("  ", Tone::Plain, &text, Tone::Quiet);
        }
    }
    for face in &entry.faces {
        let said = |name: &str| {
            face.fields
                .iter()
                .find(|(own, _)| &**own == name)
                .and_then(|(_, value)| value.text())
        };
        let title = said("title").unwrap_or(&face.name);
        let field = |name: &str| {
            face.fields
                .iter()
                .find(|(own, _)| &**own == name)
                .map(|(_, value)| value)
        };
        let text = said("text").map(|text| {
            content.render_text(text, &|name| field(name).or_else(|| entry.field(name)))
        });
        screen::print_indented(
            &format!("  {title}: "),
            Tone::Quiet,
            &text.unwrap_or_default(),
            Tone::Plain,
        );
    }
}
