//! Menus: a seat chooses among the actions of a phase until it is done.

use super::agenda;
use super::context::{
    AfterHook, Cx, HookCall, MAX_WORK, OptionInputs, StepResult, Stop, Verdict, run_hook,
    run_last_hook,
};
use super::cost::{self, Payer};
use super::counter;
use super::event::{self, Event, announce, fire};
use super::log::LogEvent;
use super::question::{self, AnswerForm, Prompt, Question, QuestionId, QuestionOption};
use super::render::catalogue::closed;
use super::state::{Entity, Frame, FrameKind, UsedAction};
use super::{combo, moves, query};
use crate::content::events::on;
use crate::content::{
    ActionDef, EntryId, HookId, PhaseId, PieceId, Scope, SeatId, SeatSet, SeenBy, ZoneId,
};
use crate::number::cast;
use crate::value::Value;

/// A menu closes after this many actions, in case it never ends.
const MAX_ACTIONS: u16 = 250;

/// Asks for an option of a menu and pushes the chosen action onto the agenda.
pub fn step(cx: &mut Cx, phase: PhaseId, seats: SeatSet, taken: u16) -> StepResult {
    if seats.is_empty() || taken >= action_limit(cx, phase)? {
        cx.state.agenda.pop();
        return Ok(());
    }
    if cx.evaluation_only && cx.next_answer == cx.answers.len() {
        return Err(Stop::Suspend);
    }
    let mut options = Vec::new();
    let mut asked = SeatSet::EMPTY;
    let several_seats = seats.len() > 1;
    let can_close = several_seats || !cx.content().phases[phase.ix()].must;
    for seat in cx
        .state
        .seats_from(cx.state.active)
        .filter(|seat| seats.contains(*seat))
    {
        let first = options.len();
        add_seat_options(cx, phase, seat, &mut options)?;
        let open = |option: &QuestionOption| option.closed.is_none();
        if options[first..].iter().any(open) {
            asked.insert(seat);
            if can_close {
                // It comes last, after the other options of its seat.
                options.push(QuestionOption::done(seat));
            }
        } else if several_seats {
            // A seat without an open option is not asked; an action of another seat may open one.
            options.truncate(first);
        }
    }
    if asked.is_empty() {
        cx.state.agenda.pop();
        return Ok(());
    }
    // The option that closes the menu comes last, after the other options of its seat.
    options.sort_by_key(|option| {
        (
            option.seat,
            matches!(option.value, Value::Text(_)) && option.action.is_none(),
        )
    });
    show_costs(cx, &mut options)?;
    let question = Question {
        id: QuestionId::Menu(phase),
        seats: asked,
        sealed: false,
        prompt: Prompt::Menu(phase),
        form: AnswerForm::One,
        options,
        is_skipped: false,
    };
    let (answer, question) = question::ask_with_question(cx, question)?;
    answered(cx, &question, answer.seat, answer.first_pick())
}

/// Computes what options cost now, if a player sees them.
fn show_costs(cx: &mut Cx, options: &mut [QuestionOption]) -> StepResult {
    let content = cx.content().clone();
    let shown = |option: &&mut QuestionOption| {
        let action = option
            .action
            .and_then(|entry| content.entry(entry).action.as_deref());
        action.is_some_and(|action| cost::may_vary(&action.cost))
    };
    let mut computed = options.iter_mut().filter(shown).peekable();
    if computed.peek().is_none() || !question::begin_labels(cx) {
        return Ok(());
    }
    for option in computed {
        let (Some(entry), Some(seat)) = (option.action, option.seat) else {
            continue;
        };
        let payer = Payer {
            seat,
            entry,
            piece: option.by,
            argument: action_value(cx, option),
        };
        if let Some(action) = &content.entry(entry).action {
            option.cost = Some(cost::text_for(cx, &payer, &action.cost)?.into());
        }
    }
    question::end_labels(cx, Value::Unit);
    Ok(())
}

/// The value that the scripts of an action see: the item of its option, or that of the phase.
fn action_value(cx: &Cx, option: &QuestionOption) -> Value {
    if option.value != Value::Unit {
        return option.value.clone();
    }
    let frame = cx.state.agenda.last();
    frame.map_or(Value::Unit, |frame| frame.argument.clone())
}

/// Resumes with the answer to a menu.
pub fn answered(cx: &mut Cx, question: &Question, seat: SeatId, picked: i64) -> StepResult {
    let QuestionId::Menu(phase) = question.id else {
        return Ok(());
    };
    let picked = cast::<_, usize>(picked);
    take_option(cx, phase, seat, &question.options[picked])
}

fn action_limit(cx: &mut Cx, phase: PhaseId) -> StepResult<u16> {
    let Some(limit) = cx.content().phases[phase.ix()].limit else {
        return Ok(MAX_ACTIONS);
    };
    let seat = cx.actor.unwrap_or(SeatId(0));
    let limit = counter::bound(cx, Entity::Seat(seat), limit)?;
    Ok(u16::try_from(limit.max(0))
        .unwrap_or(MAX_ACTIONS)
        .min(MAX_ACTIONS))
}

fn take_option(cx: &mut Cx, phase: PhaseId, seat: SeatId, option: &QuestionOption) -> StepResult {
    let Some(Frame {
        kind: FrameKind::Window { seats, taken, .. },
        ..
    }) = cx.state.agenda.last_mut()
    else {
        return Ok(());
    };
    let Some(entry) = option.action else {
        if let Value::Entity(Entity::Piece(piece)) = option.value {
            *taken += 1;
            cx.actor = Some(seat);
            return play_combo_card(cx, phase, seat, piece);
        }
        seats.remove(seat);
        if seats.is_empty() {
            cx.state.agenda.pop();
        }
        cx.actor = Some(seat);
        return announce(cx, on::MENU_LEFT, |event| {
            (event.seat, event.phase) = (Some(seat), Some(phase));
        });
    };
    *taken += 1;
    let argument = action_value(cx, option);
    let act = Frame {
        kind: FrameKind::Action { phase, entry },
        seat,
        piece: option.by,
        argument,
    };
    cx.state.agenda.push(act);
    cx.actor = Some(seat);
    if cx.has_listeners(on::BEFORE_ACTION) {
        let mut event = Event::new(on::BEFORE_ACTION);
        (event.seat, event.entry, event.piece) = (Some(seat), Some(entry), option.by);
        if let Some(reason) = fire(cx, event)?.denied {
            // Frames queued by the `before_` hooks are dropped together with the action.
            cx.queue.clear();
            cx.state.agenda.pop();
            cx.log.push(
                LogEvent::Denied { reason },
                super::log::Cause::default(),
                &[],
            );
        }
    }
    Ok(())
}

/// Performs an action: pays its cost, then runs its script.
pub fn carry_out(cx: &mut Cx, entry: EntryId, frame: &Frame) -> StepResult {
    let rules = cx.rules.clone();
    let content = &rules.content;
    let Some(action) = content.entry(entry).action.as_deref() else {
        return Ok(());
    };
    let payer = Payer {
        seat: frame.seat,
        entry,
        piece: frame.piece,
        argument: frame.argument.clone(),
    };
    let cause = super::log::Cause {
        entry: Some(entry),
        hook: action.run,
        piece: frame.piece,
    };
    let event = LogEvent::Acted {
        seat: frame.seat,
        entry,
        piece: frame.piece,
        argument: frame.argument.clone(),
    };
    cx.log.push(event, cause, &[]);
    if !cost::pay(cx, &payer, &action.cost)? {
        let reason = "the price could not be paid".into();
        cx.log.push(LogEvent::Denied { reason }, cause, &[]);
        return Ok(());
    }
    record_use(cx, action, entry, frame.piece, frame.seat);
    if cx.has_listeners(on::AFTER_ACTION) {
        cx.state.agenda.push(Frame {
            kind: FrameKind::ActionDone { entry },
            ..frame.clone()
        });
    }
    if let Some(hook) = action.run {
        let call = action_call(hook, entry, frame.piece, frame.seat, frame.argument.clone());
        run_last_hook(cx, call, AfterHook::StepEnds)?;
    }
    Ok(())
}

/// Announces an action after everything it started is over.
pub fn announce_action(cx: &mut Cx, entry: EntryId, frame: &Frame) -> StepResult {
    announce(cx, on::AFTER_ACTION, |event| {
        (event.seat, event.entry, event.piece) = (Some(frame.seat), Some(entry), frame.piece);
    })
}

fn record_use(
    cx: &mut Cx,
    action: &ActionDef,
    entry: EntryId,
    piece: Option<PieceId>,
    seat: SeatId,
) {
    let place = action.once_place.then(|| cx.state.at[seat.ix()]).flatten();
    for &scope in &action.once {
        cx.state.used.push(UsedAction {
            entry,
            piece,
            seat,
            place,
            scope,
            fault: false,
        });
    }
}

fn action_call(
    hook: HookId,
    entry: EntryId,
    it: Option<PieceId>,
    seat: SeatId,
    argument: Value,
) -> HookCall {
    HookCall {
        hook,
        entry,
        it,
        owner: Some(seat),
        actor: Some(seat),
        argument,
        effect: None,
        question_count: 0,
        run: 0,
    }
}

/// Adds the menu options of a seat, including closed ones.
fn add_seat_options(
    cx: &mut Cx,
    phase: PhaseId,
    seat: SeatId,
    options: &mut Vec<QuestionOption>,
) -> StepResult {
    let rules = cx.rules.clone();
    let content = &rules.content;
    cx.actor = Some(seat);
    let def = &content.phases[phase.ix()];
    if let Some((from, _)) = def.combo {
        combo_options(cx, from, seat, options)?;
    }
    if def.actions.is_empty() {
        return Ok(());
    }
    let pieces = event::pieces_with_actions(cx, seat);
    for &entry in &def.actions {
        let def = content.entry(entry);
        let Some(action) = def.action.as_deref() else {
            continue;
        };
        if content.kinds[def.kind.ix()].is_piece {
            for &piece in &pieces {
                if cx.entry_of(piece) == entry && shows_action(cx, action, Some(piece)) {
                    entry_options(cx, action, entry, Some(piece), seat, options)?;
                }
            }
        } else if def.place.is_none() || cx.state.at[seat.ix()] == def.place {
            entry_options(cx, action, entry, None, seat, options)?;
        }
    }
    Ok(())
}

/// Whether a piece shows the face that has the action.
fn shows_action(cx: &Cx, action: &ActionDef, piece: Option<PieceId>) -> bool {
    let shown = piece.map(|piece| cx.state.pieces[piece.ix()].face);
    action.face.is_none() || action.face == shown
}

/// Adds an option for each card that may be played next; equal cards share one.
fn combo_options(
    cx: &mut Cx,
    from: ZoneId,
    seat: SeatId,
    options: &mut Vec<QuestionOption>,
) -> StepResult {
    let Some(at) = cx.state.zones.at(cx.content(), Entity::Seat(seat), from) else {
        return Ok(());
    };
    let cards = cx.state.zones.pieces(at).iter();
    let cards: combo::SomePieces = cards.map(|piece| PieceId(*piece)).collect();
    let playable = combo::next(cx, cards)?;
    options.reserve(playable.len() + 1);
    question::add_piece_options(cx, seat, &playable, Some(seat), options);
    Ok(())
}

/// Plays a card of a combo.
fn play_combo_card(cx: &mut Cx, phase: PhaseId, seat: SeatId, piece: PieceId) -> StepResult {
    let Some((_, to)) = cx.content().phases[phase.ix()].combo else {
        return Ok(());
    };
    let Some(at) = cx.state.zones.at(cx.content(), Entity::Seat(seat), to) else {
        return Ok(());
    };
    if moves::move_piece(cx, piece, at, moves::InsertAt::Bottom)? {
        combo::add(cx, piece)?;
    }
    Ok(())
}

fn entry_options(
    cx: &mut Cx,
    action: &ActionDef,
    entry: EntryId,
    piece: Option<PieceId>,
    seat: SeatId,
    options: &mut Vec<QuestionOption>,
) -> StepResult {
    let phase_value = cx
        .state
        .agenda
        .last()
        .map_or(Value::Unit, |frame| frame.argument.clone());
    let mut checks = OptionChecks::default();
    if hides_all(cx, action, entry, piece, seat, &mut checks)? {
        return Ok(());
    }
    let items = match action.each {
        None => vec![Value::Unit],
        Some(hook) => match run_hook(cx, action_call(hook, entry, piece, seat, Value::Unit))? {
            Value::List(list) | Value::Rows(list) => list.into_items(),
            Value::Unit => Vec::new(),
            item => vec![item],
        },
    };
    let first = options.len();
    for value in items {
        if let Value::Entity(Entity::Piece(other)) = value
            && let Some(option) = options[first..]
                .iter_mut()
                .find(|option| covers(cx, option, seat, other))
        {
            option.more.push(other);
            continue;
        }
        let argument = if value == Value::Unit {
            &phase_value
        } else {
            &value
        }
        .clone();
        let payer = Payer {
            seat,
            entry,
            piece,
            argument,
        };
        let closed = match evaluate_option(cx, action, &payer, &mut checks)? {
            Verdict::Hidden => continue,
            Verdict::Closed(reason) => Some(reason),
            Verdict::Open => None,
        };
        options.push(QuestionOption {
            action: Some(entry),
            by: piece,
            closed,
            seat: Some(seat),
            ..QuestionOption::new(value)
        });
    }
    Ok(())
}

/// Whether the `can` of an action hides all of its options, so that the list of `each` is not needed.
/// A `can` that does not read `each` runs only once.
fn hides_all(
    cx: &mut Cx,
    action: &ActionDef,
    entry: EntryId,
    piece: Option<PieceId>,
    seat: SeatId,
    checks: &mut OptionChecks,
) -> StepResult<bool> {
    let (Some(can), Some(_)) = (action.can, action.each) else {
        return Ok(false);
    };
    let reads = cx.rules.runner.option_inputs(&[can], &Value::Unit);
    if reads.is_none_or(|inputs| !inputs.is_empty()) {
        return Ok(false);
    }
    let payer = Payer {
        seat,
        entry,
        piece,
        argument: Value::Unit,
    };
    checks.usage = CheckResult::new(usage_refusal(cx, action, &payer)?);
    if let CheckResult::Closed(_) = checks.usage {
        return Ok(false);
    }
    let verdict = run_can(cx, can, &payer)?;
    let hidden = verdict == Verdict::Hidden;
    checks.can = Some(verdict);
    Ok(hidden)
}

/// Whether an option already covers another piece, because the seat cannot tell the two apart.
fn covers(cx: &Cx, option: &QuestionOption, seat: SeatId, other: PieceId) -> bool {
    match option.value {
        Value::Entity(Entity::Piece(piece)) => {
            is_private(cx, piece) && question::are_equal(cx, seat, piece, other)
        }
        _ => false,
    }
}

/// Whether a piece is in a zone that only its owner sees. In a public zone the position may matter,
/// so equal pieces get separate options.
fn is_private(cx: &Cx, piece: PieceId) -> bool {
    let def = cx
        .state
        .zones
        .def(cx.content(), cx.state.zones.zone_of(piece));
    def.is_some_and(|(_, zone)| cx.content().zones[zone.ix()].seen_by == SeenBy::Owner)
}

/// Checks shared by all options of an action, filled in lazily.
#[derive(Default)]
struct OptionChecks {
    /// Why the action is closed because it was used.
    usage: CheckResult,
    /// The verdict of `can`, if it does not depend on the option.
    can: Option<Verdict>,
    /// Why the rules close it.
    rules: CheckResult,
    /// The verdicts on the options so far.
    verdicts: Vec<CachedVerdict>,
}

/// A verdict that options with the same inputs share, because nothing changes while a menu is
/// built.
struct CachedVerdict {
    inputs: OptionInputs,
    verdict: Verdict,
    /// The work and the hook runs it took. They are charged again when the verdict is reused, so
    /// the cache does not affect the work limit.
    work: u64,
    runs: u32,
}

/// The result of a check that all options of an action share.
#[derive(Default)]
enum CheckResult {
    #[default]
    NotRun,
    Open,
    /// Closed, with the reason.
    Closed(Box<str>),
}

impl CheckResult {
    fn new(reason: Option<Box<str>>) -> CheckResult {
        reason.map_or(CheckResult::Open, CheckResult::Closed)
    }
}

/// Evaluates whether an option is shown, and why it is closed.
fn evaluate_option(
    cx: &mut Cx,
    action: &ActionDef,
    payer: &Payer,
    checks: &mut OptionChecks,
) -> StepResult<Verdict> {
    if let CheckResult::NotRun = checks.usage {
        checks.usage = CheckResult::new(usage_refusal(cx, action, payer)?);
    }
    if let CheckResult::Closed(reason) = &checks.usage {
        return Ok(Verdict::Closed(reason.clone()));
    }
    let inputs = cx
        .rules
        .runner
        .option_inputs(&action.option_hooks, &payer.argument)
        .filter(|_| cx.skips.is_empty());
    if let Some(inputs) = &inputs {
        let same = |cached: &&CachedVerdict| are_same(&cached.inputs, inputs);
        if let Some(cached) = checks.verdicts.iter().find(same)
            && cx.work + cached.work <= MAX_WORK
        {
            cx.work += cached.work;
            cx.runs += cached.runs;
            return Ok(cached.verdict.clone());
        }
    }
    let (work, runs) = (cx.work, cx.runs);
    let verdict = run_checks(cx, action, payer, checks)?;
    if let Some(inputs) = inputs {
        checks.verdicts.push(CachedVerdict {
            inputs,
            verdict: verdict.clone(),
            work: cx.work - work,
            runs: cx.runs - runs,
        });
    }
    Ok(verdict)
}

/// Whether inputs are the same. Equal texts, lists and maps at different addresses do not count.
fn are_same(left: &[Value], right: &[Value]) -> bool {
    let mut pairs = left.iter().zip(right);
    left.len() == right.len() && pairs.all(|(left, right)| left.identity() == right.identity())
}

fn run_checks(
    cx: &mut Cx,
    action: &ActionDef,
    payer: &Payer,
    checks: &mut OptionChecks,
) -> StepResult<Verdict> {
    let Payer {
        seat, entry, piece, ..
    } = *payer;
    if let Some(hook) = action.can {
        let verdict = match &checks.can {
            Some(verdict) => verdict.clone(),
            None => run_can(cx, hook, payer)?,
        };
        if verdict != Verdict::Open {
            return Ok(verdict);
        }
    }
    if let CheckResult::NotRun = checks.rules {
        checks.rules = CheckResult::new(query::may_act(cx, seat, entry, piece)?);
    }
    if let CheckResult::Closed(reason) = &checks.rules {
        return Ok(Verdict::Closed(reason.clone()));
    }
    if action.cost.is_empty() {
        return Ok(Verdict::Open);
    }
    let reason = cost::unpayable_reason(cx, payer, &action.cost)?;
    Ok(reason.map_or(Verdict::Open, Verdict::Closed))
}

fn run_can(cx: &mut Cx, hook: HookId, payer: &Payer) -> StepResult<Verdict> {
    cx.verdict = Verdict::Open;
    let call = action_call(
        hook,
        payer.entry,
        payer.piece,
        payer.seat,
        payer.argument.clone(),
    );
    let result = run_hook(cx, call)?;
    Ok(match std::mem::take(&mut cx.verdict) {
        Verdict::Open if result == Value::Bool(false) => Verdict::Closed(closed::NOT_NOW.into()),
        verdict => verdict,
    })
}

fn usage_refusal(cx: &mut Cx, action: &ActionDef, payer: &Payer) -> StepResult<Option<Box<str>>> {
    let Payer {
        seat, entry, piece, ..
    } = *payer;
    if cx.state.used.is_empty() {
        return Ok(None);
    }
    let max_uses = match action.limit {
        Some(limit) => counter::bound(cx, Entity::Seat(seat), limit)?,
        None => 1,
    };
    let place = action.once_place.then(|| cx.state.at[seat.ix()]).flatten();
    let same = |used: &&UsedAction| used.entry == entry && used.piece == piece && used.seat == seat;
    let uses = || cx.state.used.iter().filter(same);
    if uses().any(|used| used.fault) {
        return Ok(Some(closed::SCRIPT_FAILED_THIS_TURN.into()));
    }
    for &scope in &action.once {
        let times = uses()
            .filter(|used| used.scope == scope && used.place == place)
            .count();
        if cast::<_, i64>(times) >= max_uses {
            return Ok(Some(closed::used_up(max_uses, scope).into()));
        }
    }
    Ok(None)
}

/// Whether an optional hook of a piece may be offered, according to the `can`, `once` and `cost` of
/// its entry.
pub fn is_open(
    cx: &mut Cx,
    entry: EntryId,
    piece: Option<PieceId>,
    seat: SeatId,
) -> StepResult<bool> {
    let rules = cx.rules.clone();
    let content = &rules.content;
    match content.entry(entry).action.as_deref() {
        Some(action) if shows_action(cx, action, piece) => {
            let payer = Payer {
                seat,
                entry,
                piece,
                argument: Value::Unit,
            };
            let verdict = evaluate_option(cx, action, &payer, &mut OptionChecks::default())?;
            Ok(verdict == Verdict::Open)
        }
        _ => Ok(true),
    }
}

/// Pays for an optional hook, records its use, and returns whether it was paid.
pub fn pay_for(
    cx: &mut Cx,
    entry: EntryId,
    piece: Option<PieceId>,
    seat: SeatId,
) -> StepResult<bool> {
    let rules = cx.rules.clone();
    let content = &rules.content;
    let action = content.entry(entry).action.as_deref();
    let Some(action) = action.filter(|action| shows_action(cx, action, piece)) else {
        return Ok(true);
    };
    let payer = Payer {
        seat,
        entry,
        piece,
        argument: Value::Unit,
    };
    let paid = cost::pay(cx, &payer, &action.cost)?;
    if paid {
        record_use(cx, action, entry, piece, seat);
    }
    Ok(paid)
}

/// Closes an action for this turn because its script failed.
pub fn close_action(cx: &mut Cx, entry: EntryId, piece: Option<PieceId>, seat: SeatId) {
    cx.state.used.push(UsedAction {
        entry,
        piece,
        seat,
        place: None,
        scope: Scope::Turn,
        fault: true,
    });
    agenda::end_frames_where(cx, |run| matches!(run, FrameKind::Action { .. }));
}
