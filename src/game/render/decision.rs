//! Decisions as front ends, tests and journals see them: texts for people and stable keys.

use serde::Serialize;

use super::{catalogue, names};
use crate::content::{Content, EntryId, PieceId, PlaceId, SeatId, Value};
use crate::game::ask::{Answer, AnswerForm, Picks, Prompt, Question, QuestionId, QuestionOption};
use crate::game::cx::Core;
use crate::game::state::Entity;
use crate::game::val::Val;
use crate::game::{cost, fault};
use crate::number::cast;

/// An option of a decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DecisionOption {
    /// Does not depend on texts, so that journals survive a new wording.
    pub key: String,
    /// The line of the menu.
    pub label: String,
    /// The rules text of the card, place or action.
    pub detail: String,
    /// Why it cannot be chosen now.
    pub closed: Option<String>,
    /// The number of equal pieces it stands for.
    pub count: usize,
    /// The seat it is for, if several seats may answer.
    pub seat: Option<SeatId>,
    /// The heading it stands under; may be empty.
    pub group: String,
    /// For options that share a line: the text they have in common, and the rest of this one.
    pub row: Option<(String, String)>,
}

/// A decision that a player has to make.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Decision {
    /// `pack:kind/entry/hook/number`.
    pub id: String,
    /// Who may answer; the first answer counts.
    pub seats: Vec<SeatId>,
    /// Whether the answer stays hidden until all seats have answered.
    pub sealed: bool,
    /// The question.
    pub prompt: String,
    /// `one`, `some`, `order`, `amount` or `split`.
    pub form: &'static str,
    /// The minimum and maximum, of options to choose or of the amount.
    pub range: (i64, i64),
    /// Closed options included.
    pub options: Vec<DecisionOption>,
    /// The keys that Enter chooses.
    pub default: Option<Vec<String>>,
}

/// The id of a question, as journals write it.
#[must_use]
pub fn id(core: &Core, ask: &Question) -> String {
    match ask.id {
        QuestionId::Hook(hook, number) => format!("{}/{number}", core.content().hook_name(hook)),
        QuestionId::Menu(phase) => {
            format!(
                "{}/menu",
                core.content()
                    .entry(core.content().phases[phase.ix()].entry)
                    .name
            )
        }
        QuestionId::Engine => match ask.prompt {
            Prompt::Pay => "pay".to_owned(),
            Prompt::Lose => "lose".to_owned(),
            _ => "ask".to_owned(),
        },
    }
}

/// Renders a question for people and programs.
#[must_use]
pub fn render(core: &Core, ask: &Question) -> Decision {
    let (form, range) = match ask.form {
        AnswerForm::One => ("one", (1, 1)),
        AnswerForm::Some { min, max } => ("some", (min.into(), max.into())),
        AnswerForm::Order => ("order", (len(ask), len(ask))),
        AnswerForm::Amount { min, max } => ("amount", (min, max)),
        AnswerForm::Split { total } => ("split", (total, total)),
    };
    let keys = keys(core, ask);
    let options = ask
        .options
        .iter()
        .zip(keys)
        .map(|(option, key)| DecisionOption {
            key,
            label: label(core, ask, option),
            detail: detail(core, ask.seat(), option),
            closed: option.closed.as_deref().map(str::to_owned),
            count: option.count(),
            seat: option.seat.filter(|_| ask.seats.len() > 1),
            group: in_menu(core, option, "group")
                .or_else(|| own_text(option, "group"))
                .unwrap_or_default(),
            row: in_menu(core, option, "row").zip(in_menu(core, option, "cell")),
        });
    let options: Vec<DecisionOption> = options.collect();
    Decision {
        id: id(core, ask),
        seats: ask.seats.iter().collect(),
        sealed: ask.sealed,
        prompt: prompt(core, ask),
        form,
        range,
        default: default_answer(core, ask, &options),
        options,
    }
}

/// A field of an action, with its placeholders filled for this line of the menu.
fn in_menu(core: &Core, option: &QuestionOption, field: &str) -> Option<String> {
    let entry = option.action?;
    let template = core.content().entry(entry).text(field)?;
    let seat = option.seat.unwrap_or(SeatId(0));
    Some(fill_line(
        core,
        entry,
        option,
        (seat, core.state.at[seat.ix()]),
        template,
    ))
}

/// A text that a script gave in the map of an option.
fn own_text(option: &QuestionOption, name: &str) -> Option<String> {
    option.val.get(name).and_then(Val::text).map(str::to_owned)
}

/// What Enter chooses: the option that the pack marks as default, else the one that ends the menu, the only open one, the
/// present order, or nothing if nothing has to be chosen.
fn default_answer(core: &Core, ask: &Question, options: &[DecisionOption]) -> Option<Vec<String>> {
    if ask.seats.len() > 1 {
        return None;
    }
    let named = |ix: &usize| {
        let entry = ask.options[*ix]
            .action
            .map(|entry| core.content().entry(entry));
        entry.and_then(|entry| entry.field("default")) == Some(&Value::Bool(true))
            || ask.options[*ix].val.get("default") == Some(&Val::Bool(true))
    };
    let done = |ix: &usize| ask.options[*ix].action.is_none() && options[*ix].key == "done";
    let key = |ix: usize| vec![options[ix].key.clone()];
    match ask.form {
        AnswerForm::One => {
            let menu = matches!(ask.prompt, Prompt::Menu(_));
            let mut open = ask.open();
            let only = ask.open().next().filter(|_| open.nth(1).is_none());
            ask.open()
                .find(named)
                .or_else(|| ask.open().find(done).filter(|_| menu))
                .or(only)
                .map(key)
        }
        AnswerForm::Some { min: 0, .. } => Some(Vec::new()),
        AnswerForm::Order => Some(options.iter().map(|option| option.key.clone()).collect()),
        _ => None,
    }
}

/// The rules that apply to a question: those that the entries behind it and behind its options name in `rules`.
#[must_use]
pub fn rules(core: &Core, ask: &Question) -> Vec<EntryId> {
    let content = core.content();
    let asking = match ask.id {
        QuestionId::Hook(hook, _) => Some(content.hooks[hook.ix()].entry),
        QuestionId::Menu(phase) => Some(content.phases[phase.ix()].entry),
        QuestionId::Engine => None,
    };
    let offered = ask.options.iter().filter_map(|option| option.action);
    // If those name none, look at the phases and actions around them.
    let around = core
        .state
        .agenda
        .iter()
        .rev()
        .filter_map(|frame| fault::frame_entry(core, frame));
    let mut found = Vec::new();
    for entry in asking.into_iter().chain(offered) {
        collect_rules(content, entry, &mut found);
    }
    if found.is_empty() {
        around
            .take(3)
            .for_each(|entry| collect_rules(content, entry, &mut found));
    }
    found
}

fn collect_rules(content: &Content, entry: EntryId, found: &mut Vec<EntryId>) {
    for rule in content
        .entry(entry)
        .field("rules")
        .map(Value::list)
        .unwrap_or_default()
    {
        if let Value::Entry(rule) = rule
            && !found.contains(rule)
        {
            found.push(*rule);
        }
    }
}

fn len(ask: &Question) -> i64 {
    cast::<_, i64>(ask.options.len())
}

fn prompt(core: &Core, ask: &Question) -> String {
    match &ask.prompt {
        Prompt::Text(text) => text.to_string(),
        Prompt::Pay => catalogue::prompt::PAY.to_owned(),
        Prompt::Lose => catalogue::prompt::LOSE.to_owned(),
        Prompt::May(_) => catalogue::prompt::OFFER.to_owned(),
        Prompt::Menu(phase) => {
            let entry = core.content().phases[phase.ix()].entry;
            core.content()
                .render(entry, "prompt")
                .unwrap_or_else(|| core.content().entry(entry).title.to_string())
        }
    }
}

/// The keys of all options; equal ones are numbered from the second on: `jab`, `jab#2`.
#[must_use]
pub fn keys(core: &Core, ask: &Question) -> Vec<String> {
    let several_zones = several_zones(core, ask);
    let mut keys: Vec<String> = Vec::with_capacity(ask.options.len());
    for option in &ask.options {
        let chooser = option.seat.unwrap_or_else(|| ask.seat());
        let plain = key(core, chooser, option, several_zones);
        let twin = |(ix, other): (usize, &String)| {
            let bare = other.split('#').next() == Some(&plain);
            (bare && ask.options[ix].seat == option.seat).then_some(())
        };
        let twins = keys.iter().enumerate().filter_map(twin).count();
        keys.push(if twins == 0 {
            plain
        } else {
            format!("{plain}#{}", twins + 1)
        });
    }
    keys
}

fn several_zones(core: &Core, ask: &Question) -> bool {
    let zone = |option: &QuestionOption| match option.val {
        Val::Entity(Entity::Piece(piece)) => {
            let at = core.state.zones.zone_of(piece);
            Some(
                core.state
                    .zones
                    .def(core.content(), at)
                    .map(|(_, zone)| zone),
            )
        }
        _ => None,
    };
    let mut zones = ask
        .options
        .iter()
        .filter(|option| option.action.is_none())
        .filter_map(zone);
    let first = zones.next();
    zones.any(|zone| Some(zone) != first)
}

fn key(core: &Core, chooser: SeatId, option: &QuestionOption, several_zones: bool) -> String {
    if let Some(entry) = option.action {
        let action = &core.content().entry(entry).id;
        return match &option.val {
            Val::Unit => action.to_string(),
            val => format!("{action}:{}", names::val_key(core, chooser, val)),
        };
    }
    let plain = names::val_key(core, chooser, &option.val);
    match option.val {
        Val::Entity(Entity::Piece(piece)) if several_zones => {
            let zone = names::val_key(core, chooser, &Val::Zone(core.state.zones.zone_of(piece).0));
            format!("{zone}:{plain}")
        }
        _ => plain,
    }
}

fn label(core: &Core, ask: &Question, option: &QuestionOption) -> String {
    if let Some(entry) = option.action {
        return action_label(core, entry, option);
    }
    if let (Prompt::Menu(phase), Val::Text(word)) = (&ask.prompt, &option.val)
        && &**word == "done"
    {
        let entry = core.content().phases[phase.ix()].entry;
        return core
            .content()
            .render(entry, "done")
            .unwrap_or_else(|| catalogue::label::DONE.to_owned());
    }
    if let Some(label) = &option.label {
        return label.to_string();
    }
    match option.val {
        Val::Entity(Entity::Piece(piece)) => seen_title(core, ask.seat(), piece),
        _ => names::val(core, &option.val),
    }
}

/// A piece's title if the seat knows it, else its kind and position.
#[must_use]
pub fn seen_title(core: &Core, seat: SeatId, piece: PieceId) -> String {
    if core.state.pieces[piece.ix()].known.contains(seat) {
        return names::piece(core, piece);
    }
    let position = core.state.zones.position(piece) + 1;
    catalogue::name::face_down(&names::kind_of(core, piece), position)
}

fn action_label(core: &Core, entry: EntryId, option: &QuestionOption) -> String {
    let seat = option.seat.unwrap_or(SeatId(0));
    label_at(core, entry, option, (seat, core.state.at[seat.ix()]))
}

/// The label of an action for a seat at a place.
pub(super) fn label_at(
    core: &Core,
    entry: EntryId,
    option: &QuestionOption,
    by: (SeatId, Option<PlaceId>),
) -> String {
    let def = core.content().entry(entry);
    let template = def.text("label").unwrap_or(&def.title);
    let text = fill_line(core, entry, option, by, template);
    let each = each_title(core, option);
    if each.is_empty() || template.contains("{each") {
        text
    } else {
        catalogue::label::action_with(&text, &each)
    }
}

fn each_title(core: &Core, option: &QuestionOption) -> String {
    match option.val {
        Val::Entity(Entity::Piece(piece)) => {
            seen_title(core, option.seat.unwrap_or(SeatId(0)), piece)
        }
        _ => names::val(core, &option.val),
    }
}

/// Fills a template of an action for one of its lines.
pub(super) fn fill_line(
    core: &Core,
    entry: EntryId,
    option: &QuestionOption,
    (seat, at): (SeatId, Option<PlaceId>),
    template: &str,
) -> String {
    let def = core.content().entry(entry);
    Content::fill(template, &|name| match name {
        "each" => Some(each_title(core, option)),
        "actor" | "owner" => Some(names::seat(core, seat)),
        "place" => at.map(|place| names::entity(core, Entity::Place(place))),
        "cost" => def
            .action
            .as_ref()
            .map(|action| cost::text(core.content(), &action.cost)),
        name if name.starts_with("each.") => match &option.val {
            Val::Map(_) => option
                .val
                .get(&name[5..])
                .map(|value| names::val(core, value)),
            _ => None,
        },
        name => core.content().placeholder(name, &|field| {
            option
                .by
                .and_then(|piece| names::piece_field(core, piece, field))
                .or_else(|| def.field(field))
        }),
    })
}

fn detail(core: &Core, seat: SeatId, option: &QuestionOption) -> String {
    let entry = match (&option.val, option.action) {
        (Val::Entity(Entity::Piece(piece)), _)
            if core.state.pieces[piece.ix()].known.contains(seat) =>
        {
            return text_of(core, *piece);
        }
        (Val::Entry(entry), _) => *entry,
        // The text of the face that shows, not of the entry.
        (_, Some(_)) if option.by.is_some() => {
            return option.by.map(|by| text_of(core, by)).unwrap_or_default();
        }
        (_, Some(entry)) => entry,
        (Val::Entity(Entity::Place(place)), _) => core.content().map.places[place.ix()].entry,
        _ => return String::new(),
    };
    core.content().render(entry, "text").unwrap_or_default()
}

/// A piece's rules text, with its placeholders filled.
#[must_use]
pub fn text_of(core: &Core, piece: PieceId) -> String {
    match names::piece_field(core, piece, "text") {
        Some(Value::Text(text)) => filled(core, piece, text),
        _ => String::new(),
    }
}

/// Fills the placeholders of a text with the fields of a piece.
#[must_use]
pub fn filled(core: &Core, piece: PieceId, text: &str) -> String {
    let action = core.content().entry(core.entry_of(piece)).action.as_deref();
    let look = |name: &str| match name {
        "cost" => action.map(|action| cost::text(core.content(), &action.cost)),
        name => core
            .content()
            .placeholder(name, &|field| names::piece_field(core, piece, field)),
    };
    Content::fill(text, &look)
}

/// The keys of an answer, as journals write them.
#[must_use]
pub fn answer_keys(core: &Core, ask: &Question, answer: &Answer) -> Vec<String> {
    let picks = answer.picks.list();
    match ask.form {
        AnswerForm::Amount { .. } | AnswerForm::Split { .. } => {
            picks.iter().map(i64::to_string).collect()
        }
        _ => {
            let keys = keys(core, ask);
            let key = |pick: &i64| {
                usize::try_from(*pick)
                    .ok()
                    .and_then(|ix| keys.get(ix))
                    .cloned()
            };
            picks.iter().filter_map(key).collect()
        }
    }
}

/// Turns keys into an answer.
///
/// # Errors
/// Says which key is unknown, or why the answer is invalid.
pub fn parse(
    core: &Core,
    ask: &Question,
    seat: SeatId,
    given: &[String],
) -> Result<Answer, String> {
    if !ask.asks(seat) {
        return Err(catalogue::answer::not_asked(&names::seat(core, seat)));
    }
    let number = |key: &String| {
        key.parse::<i64>()
            .map_err(|_| catalogue::answer::not_a_number(key))
    };
    let picks: Vec<i64> = match ask.form {
        AnswerForm::Amount { .. } | AnswerForm::Split { .. } => {
            given.iter().map(number).collect::<Result<_, _>>()?
        }
        _ => {
            let keys = keys(core, ask);
            let find = |key: &String| {
                let mine = |ix: &usize| {
                    keys[*ix] == *key && ask.options[*ix].seat.is_none_or(|owner| owner == seat)
                };
                let found = (0..keys.len()).find(mine);
                found
                    .and_then(|ix| i64::try_from(ix).ok())
                    .ok_or_else(|| unknown_key(key, &keys))
            };
            given.iter().map(find).collect::<Result<_, _>>()?
        }
    };
    let answer = Answer::new(
        seat,
        if let [one] = picks[..] {
            Picks::One(one)
        } else {
            Picks::Many(picks)
        },
    );
    ask.check_answer(&answer)?;
    Ok(answer)
}

fn unknown_key(key: &str, keys: &[String]) -> String {
    let similar = crate::diagnostic::nearest(key, keys.iter().map(String::as_str));
    catalogue::answer::unknown_key(key, similar, keys)
}
