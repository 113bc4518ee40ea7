//! Decisions as front ends, tests and journals see them: texts for people and stable keys.

use serde::Serialize;

use super::{catalogue, names};
use crate::content::{Content, EntryDef, EntryId, PieceId, PlaceId, SeatId};
use crate::game::context::StepContext;
use crate::game::question::{
    Answer, AnswerForm, Picks, Prompt, Question, QuestionId, QuestionOption,
};
use crate::game::state::Entity;
use crate::game::{cost, fault};
use crate::number::cast;
use crate::value::Value;

/// An option of a decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DecisionOption {
    /// Identifies the option independently of its texts, so that journals survive changes of
    /// wording.
    pub key: String,
    /// The text in the menu.
    pub label: String,
    /// The rules text of the card, place or action.
    pub detail: String,
    /// Why it cannot be chosen now.
    pub closed: Option<String>,
    /// The number of equal pieces it represents.
    pub count: usize,
    /// The seat it is for, if several seats may answer.
    pub seat: Option<SeatId>,
    /// The heading above it; may be empty.
    pub group: String,
    /// For options that share a line: the text they have in common, and the rest of this option's
    /// label.
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
    /// The minimum and maximum number of options to choose, or of the amount.
    pub range: (i64, i64),
    /// All options, including closed ones.
    pub options: Vec<DecisionOption>,
    /// The keys that Enter chooses.
    pub default: Option<Vec<String>>,
}

/// The id of a question, as journals write it.
#[must_use]
pub fn id(context: &StepContext, question: &Question) -> String {
    match question.id {
        QuestionId::Hook(hook, number) => format!("{}/{number}", context.content().hook_name(hook)),
        QuestionId::Menu(phase) => {
            format!(
                "{}/menu",
                context
                    .content()
                    .entry(context.content().phases[phase.ix()].entry)
                    .name
            )
        }
        QuestionId::Engine => match question.prompt {
            Prompt::Pay => "pay".to_owned(),
            Prompt::Lose => "lose".to_owned(),
            _ => "ask".to_owned(),
        },
    }
}

/// Renders a question for people and programs.
#[must_use]
pub fn render(context: &StepContext, question: &Question) -> Decision {
    let (form, range) = match question.form {
        AnswerForm::One => ("one", (1, 1)),
        AnswerForm::Some { min, max } => ("some", (min.into(), max.into())),
        AnswerForm::Order => ("order", (len(question), len(question))),
        AnswerForm::Amount { min, max } => ("amount", (min, max)),
        AnswerForm::Split { total } => ("split", (total, total)),
    };
    let keys = keys(context, question);
    let options = question
        .options
        .iter()
        .zip(keys)
        .map(|(option, key)| DecisionOption {
            key,
            label: label(context, question, option),
            detail: detail(context, question.seat(), option),
            closed: option.closed.as_deref().map(str::to_owned),
            count: option.count(),
            seat: option.seat.filter(|_| question.seats.len() > 1),
            group: in_menu(context, option, "group")
                .or_else(|| own_text(option, "group"))
                .unwrap_or_default(),
            row: in_menu(context, option, "row").zip(in_menu(context, option, "cell")),
        });
    let options: Vec<DecisionOption> = options.collect();
    Decision {
        id: id(context, question),
        seats: question.seats.iter().collect(),
        sealed: question.sealed,
        prompt: prompt(context, question),
        form,
        range,
        default: default_answer(context, question, &options),
        options,
    }
}

/// A field of an action, with its placeholders filled for this option.
fn in_menu(context: &StepContext, option: &QuestionOption, field: &str) -> Option<String> {
    let entry = option.action?;
    let template = context.content().entry(entry).text(field)?;
    let seat = option.seat.unwrap_or(SeatId(0));
    Some(fill_option(
        context,
        entry,
        option,
        (seat, context.state.at[seat.ix()]),
        template,
    ))
}

/// A text that a script set in the option's map.
fn own_text(option: &QuestionOption, name: &str) -> Option<String> {
    option
        .value
        .get(name)
        .and_then(Value::text)
        .map(str::to_owned)
}

/// What Enter chooses: the option that the pack marks as default, or else the one that ends the
/// menu, the only open one, the current order, or nothing if nothing has to be chosen.
fn default_answer(
    context: &StepContext,
    question: &Question,
    options: &[DecisionOption],
) -> Option<Vec<String>> {
    if question.seats.len() > 1 {
        return None;
    }
    let named = |ix: &usize| {
        let entry = question.options[*ix]
            .action
            .map(|entry| context.content().entry(entry));
        entry.and_then(|entry| entry.field("default")) == Some(&Value::Bool(true))
            || question.options[*ix].value.get("default") == Some(&Value::Bool(true))
    };
    let done = |ix: &usize| question.options[*ix].action.is_none() && options[*ix].key == "done";
    let key = |ix: usize| vec![options[ix].key.clone()];
    match question.form {
        AnswerForm::One => {
            let menu = matches!(question.prompt, Prompt::Menu(_));
            let mut open = question.open();
            let only = question.open().next().filter(|_| open.nth(1).is_none());
            question
                .open()
                .find(named)
                .or_else(|| question.open().find(done).filter(|_| menu))
                .or(only)
                .map(key)
        }
        AnswerForm::Some { min: 0, .. } => Some(Vec::new()),
        AnswerForm::Order => Some(options.iter().map(|option| option.key.clone()).collect()),
        _ => None,
    }
}

/// The rules that apply to a question: those named in the `rules` fields of the entries behind the
/// question and its options.
#[must_use]
pub fn rules(context: &StepContext, question: &Question) -> Vec<EntryId> {
    let content = context.content();
    let asking = match question.id {
        QuestionId::Hook(hook, _) => Some(content.hooks[hook.ix()].entry),
        QuestionId::Menu(phase) => Some(content.phases[phase.ix()].entry),
        QuestionId::Engine => None,
    };
    let offered = question.options.iter().filter_map(|option| option.action);
    // If those entries name no rules, look at the phases and actions around them.
    let frames = context
        .state
        .agenda
        .iter()
        .rev()
        .filter_map(|frame| fault::frame_entry(context, frame));
    let mut found = Vec::new();
    for entry in asking.into_iter().chain(offered) {
        collect_rules(content, entry, &mut found);
    }
    if found.is_empty() {
        frames
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

fn len(question: &Question) -> i64 {
    cast::<_, i64>(question.options.len())
}

fn prompt(context: &StepContext, question: &Question) -> String {
    match &question.prompt {
        Prompt::Text(text) => text.to_string(),
        Prompt::Pay => catalogue::prompt::PAY.to_owned(),
        Prompt::Lose => catalogue::prompt::LOSE.to_owned(),
        Prompt::May(_) => catalogue::prompt::OFFER.to_owned(),
        Prompt::Menu(phase) => {
            let def = context
                .content()
                .entry(context.content().phases[phase.ix()].entry);
            match def.text("prompt") {
                Some(text) => menu_prompt(context, def, question.seat(), text),
                None => def.title.to_string(),
            }
        }
    }
}

/// The prompt of a menu, with the seat that decides as `{actor}`.
fn menu_prompt(context: &StepContext, def: &EntryDef, seat: SeatId, text: &str) -> String {
    let place = context.state.at[seat.ix()];
    let value = |name: &str| match name {
        "actor" | "owner" => Some(Value::Entity(Entity::Seat(seat))),
        "place" => place.map(|place| Value::Entity(Entity::Place(place))),
        _ => None,
    };
    Content::fill(text, &|name| {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        match value(first) {
            Some(value) => names::value_at(context, &value, rest),
            None => context
                .content()
                .placeholder(name, &|field| def.field(field)),
        }
    })
}

/// The keys of all options. Equal keys are numbered from the second on: `jab`, `jab#2`.
#[must_use]
pub fn keys(context: &StepContext, question: &Question) -> Vec<String> {
    let several_zones = several_zones(context, question);
    let mut keys: Vec<String> = Vec::with_capacity(question.options.len());
    for option in &question.options {
        let chooser = option.seat.unwrap_or_else(|| question.seat());
        let plain = key(context, chooser, option, several_zones);
        let twin = |(ix, other): (usize, &String)| {
            let bare = other.split('#').next() == Some(&plain);
            (bare && question.options[ix].seat == option.seat).then_some(())
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

fn several_zones(context: &StepContext, question: &Question) -> bool {
    let zone = |option: &QuestionOption| match option.value {
        Value::Entity(Entity::Piece(piece)) => {
            let at = context.state.zones.zone_of(piece);
            Some(
                context
                    .state
                    .zones
                    .def(context.content(), at)
                    .map(|(_, zone)| zone),
            )
        }
        _ => None,
    };
    let mut zones = question
        .options
        .iter()
        .filter(|option| option.action.is_none())
        .filter_map(zone);
    let first = zones.next();
    zones.any(|zone| Some(zone) != first)
}

fn key(
    context: &StepContext,
    chooser: SeatId,
    option: &QuestionOption,
    several_zones: bool,
) -> String {
    if let Some(entry) = option.action {
        let action = &context.content().entry(entry).id;
        return match &option.value {
            Value::Unit => action.to_string(),
            value => format!("{action}:{}", names::value_key(context, chooser, value)),
        };
    }
    let plain = names::value_key(context, chooser, &option.value);
    match option.value {
        Value::Entity(Entity::Piece(piece)) if several_zones => {
            let zone = names::value_key(
                context,
                chooser,
                &Value::Zone(context.state.zones.zone_of(piece)),
            );
            format!("{zone}:{plain}")
        }
        _ => plain,
    }
}

fn label(context: &StepContext, question: &Question, option: &QuestionOption) -> String {
    if let Some(entry) = option.action {
        return action_label(context, entry, option);
    }
    if let (Prompt::Menu(phase), Value::Text(word)) = (&question.prompt, &option.value)
        && &**word == "done"
    {
        let entry = context.content().phases[phase.ix()].entry;
        return context
            .content()
            .render(entry, "done")
            .unwrap_or_else(|| catalogue::label::DONE.to_owned());
    }
    if let Some(label) = &option.label {
        return label.to_string();
    }
    match option.value {
        Value::Entity(Entity::Piece(piece)) => seen_title(context, question.seat(), piece),
        _ => names::value(context, &option.value),
    }
}

/// A piece's title if the seat knows it, else its kind and position.
#[must_use]
pub fn seen_title(context: &StepContext, seat: SeatId, piece: PieceId) -> String {
    if context.state.pieces[piece.ix()].known.contains(seat) {
        return names::piece(context, piece);
    }
    let position = context.state.zones.position(piece) + 1;
    catalogue::name::face_down(&names::kind_of(context, piece), position)
}

fn action_label(context: &StepContext, entry: EntryId, option: &QuestionOption) -> String {
    let seat = option.seat.unwrap_or(SeatId(0));
    label_at(context, entry, option, (seat, context.state.at[seat.ix()]))
}

/// The label of an action for a seat at a place.
pub(super) fn label_at(
    context: &StepContext,
    entry: EntryId,
    option: &QuestionOption,
    by: (SeatId, Option<PlaceId>),
) -> String {
    let def = context.content().entry(entry);
    let template = def.text("label").unwrap_or(&def.title);
    let text = fill_option(context, entry, option, by, template);
    let argument = each_title(context, option);
    if argument.is_empty() || template.contains("{each") {
        text
    } else {
        catalogue::label::action_with(&text, &argument)
    }
}

fn each_title(context: &StepContext, option: &QuestionOption) -> String {
    match option.value {
        Value::Entity(Entity::Piece(piece)) => {
            seen_title(context, option.seat.unwrap_or(SeatId(0)), piece)
        }
        _ => names::value(context, &option.value),
    }
}

/// Fills a template of an action for one of its options.
pub(super) fn fill_option(
    context: &StepContext,
    entry: EntryId,
    option: &QuestionOption,
    (seat, at): (SeatId, Option<PlaceId>),
    template: &str,
) -> String {
    let def = context.content().entry(entry);
    Content::fill(template, &|name| match name {
        "each" => Some(each_title(context, option)),
        "actor" | "owner" => Some(names::seat(context, seat)),
        "place" => at.map(|place| names::entity(context, Entity::Place(place))),
        "cost" => cost_text(context, entry, option.cost.as_deref()),
        name if name.starts_with("each.") => names::value_at(context, &option.value, &name[5..]),
        name if name.starts_with("actor.") || name.starts_with("owner.") => {
            names::value_at(context, &Value::Entity(Entity::Seat(seat)), &name[6..])
        }
        name if name.starts_with("place.") => {
            let place = Value::Entity(Entity::Place(at?));
            names::value_at(context, &place, &name[6..])
        }
        name => context.content().placeholder(name, &|field| {
            option
                .by
                .and_then(|piece| names::piece_field(context, piece, field))
                .or_else(|| def.field(field))
        }),
    })
}

fn detail(context: &StepContext, seat: SeatId, option: &QuestionOption) -> String {
    let entry = match (&option.value, option.action) {
        (Value::Entity(Entity::Piece(piece)), _)
            if context.state.pieces[piece.ix()].known.contains(seat) =>
        {
            return text_of(context, *piece);
        }
        (Value::Entry(entry), _) => *entry,
        // Use the text of the face that shows, not of the entry.
        (_, Some(entry)) => match option.by {
            Some(by) => return text_at_cost(context, by, option.cost.as_deref()),
            None => {
                let text = context.content().entry(entry).text("text").unwrap_or("");
                return fill_option(context, entry, option, (seat, None), text);
            }
        },
        (Value::Entity(Entity::Place(place)), _) => context.content().map.places[place.ix()].entry,
        _ => return String::new(),
    };
    context.content().render(entry, "text").unwrap_or_default()
}

/// A piece's rules text, with its placeholders filled.
#[must_use]
pub fn text_of(context: &StepContext, piece: PieceId) -> String {
    text_at_cost(context, piece, None)
}

/// A piece's rules text, with what it costs now.
fn text_at_cost(context: &StepContext, piece: PieceId, cost: Option<&str>) -> String {
    match names::piece_field(context, piece, "text") {
        Some(Value::Text(text)) => filled_at_cost(context, piece, text, cost),
        _ => String::new(),
    }
}

/// Fills the placeholders of a text with the fields of a piece.
#[must_use]
pub fn filled(context: &StepContext, piece: PieceId, text: &str) -> String {
    filled_at_cost(context, piece, text, None)
}

/// The cost of an entry: as it is now, if that is known, or as its entry says.
fn cost_text(context: &StepContext, entry: EntryId, now: Option<&str>) -> Option<String> {
    let action = context.content().entry(entry).action.as_ref();
    let written = || action.map(|action| cost::text(context.content(), entry, &action.cost));
    now.map(str::to_owned).or_else(written)
}

fn filled_at_cost(context: &StepContext, piece: PieceId, text: &str, cost: Option<&str>) -> String {
    let look = |name: &str| match name {
        "cost" => cost_text(context, context.entry_of(piece), cost),
        name => context
            .content()
            .placeholder(name, &|field| names::piece_field(context, piece, field)),
    };
    Content::fill(text, &look)
}

/// The keys of an answer, as journals write them.
#[must_use]
pub fn answer_keys(context: &StepContext, question: &Question, answer: &Answer) -> Vec<String> {
    let picks = answer.picks.list();
    match question.form {
        AnswerForm::Amount { .. } | AnswerForm::Split { .. } => {
            picks.iter().map(i64::to_string).collect()
        }
        _ => {
            let keys = keys(context, question);
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

/// The option of a seat with a key. The key may name the pack of the option, as in `storms:sail`;
/// otherwise the option of `pack` comes first.
fn option_with_key(
    context: &StepContext,
    question: &Question,
    keys: &[String],
    (pack, seat): (Option<u16>, SeatId),
    key: &str,
) -> Option<usize> {
    let is_offered = |ix: &usize| question.options[*ix].seat.is_none_or(|owner| owner == seat);
    let of_pack = |pack: u16, key: &str| {
        let has_key = |ix: &usize| keys[*ix].split('#').next() == Some(key);
        let is_own = |ix: &usize| pack_of(context, &question.options[*ix]) == Some(pack);
        (0..keys.len()).find(|ix| is_offered(ix) && has_key(ix) && is_own(ix))
    };
    let is_shared = || {
        let is_twin = |other: &&String| other.split_once('#').is_some_and(|(bare, _)| bare == key);
        keys.iter().any(|other| is_twin(&other))
    };
    let exact = || (0..keys.len()).find(|ix| keys[*ix] == *key && is_offered(ix));
    let qualified = || {
        let (entity, key) = key.split_once(':')?;
        let packs = &context.content().packs;
        let number = packs.iter().position(|pack| pack.id == entity)?;
        of_pack(u16::try_from(number).ok()?, key)
    };
    let own = pack.filter(|_| is_shared());
    own.and_then(|pack| of_pack(pack, key))
        .or_else(exact)
        .or_else(qualified)
}

/// The pack that defines the action or the item of an option.
fn pack_of(context: &StepContext, option: &QuestionOption) -> Option<u16> {
    let entry = option.action.or(match option.value {
        Value::Entry(entry) => Some(entry),
        Value::Entity(Entity::Piece(piece)) => Some(context.entry_of(piece)),
        Value::Entity(Entity::Place(place)) => Some(context.content().map.places[place.ix()].entry),
        _ => None,
    })?;
    Some(context.content().entry(entry).pack)
}

/// Turns keys, resolved in a pack, into an answer.
///
/// # Errors
/// Returns which key is unknown, or why the answer is invalid.
pub fn parse(
    context: &StepContext,
    question: &Question,
    pack: Option<u16>,
    seat: SeatId,
    given: &[String],
) -> Result<Answer, String> {
    if !question.asks(seat) {
        return Err(catalogue::answer::not_asked(&names::seat(context, seat)));
    }
    let number = |key: &String| {
        key.parse::<i64>()
            .map_err(|_| catalogue::answer::not_a_number(key))
    };
    let picks: Vec<i64> = match question.form {
        AnswerForm::Amount { .. } | AnswerForm::Split { .. } => {
            given.iter().map(number).collect::<Result<_, _>>()?
        }
        _ => {
            let keys = keys(context, question);
            let find = |key: &String| {
                let found = option_with_key(context, question, &keys, (pack, seat), key);
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
    question.check_answer(&answer)?;
    Ok(answer)
}

fn unknown_key(key: &str, keys: &[String]) -> String {
    let similar = crate::diagnostic::nearest(key, keys.iter().map(String::as_str));
    catalogue::answer::unknown_key(key, similar, keys)
}
