//! Plays the game of a case: opens the packs, sets up the game, makes the moves.

use std::rc::Rc;

use super::case::{Case, ForcedResult, Located, PlayerList};
use super::compare::{last_lines, option_keys};
use super::failures::{CaseFailures, message};
use super::setup;
use crate::agents::RandomPlayer;
use crate::content::Content;
use crate::diagnostic::{Files, Span, render_short, suggestion, unknown_name};
use crate::game::render::log_line;
use crate::game::{Game, Journal, Rules, Setup, Status, describe, lookup, names};
use crate::library::{LintLevel, OpenedGame, PackLibrary, Reuse, SetupScript};
use crate::pack::{GameChoice, body};

/// A message about an unknown option lists this many others.
const MAX_LISTED: usize = 8;
/// The maximum number of decisions in a game that `then = "random"` plays to its end.
const MAX_DECISIONS: usize = 20_000;
/// The number of opened games to cache: the cases of a file mostly play the same few.
const MAX_OPEN: usize = 8;

/// Opened games, cached for later cases that play the same game.
pub(crate) type OpenedGames = Vec<(GameChoice, OpenedGame)>;

/// A case that is ready to be played, any number of times.
pub(crate) struct PreparedCase {
    rules: Rc<Rules>,
    /// The same rules with every script run by Rhai.
    #[cfg(feature = "reference")]
    interpreted: Rc<Rules>,
    setup: Setup,
    /// The pack of the case.
    pack: u16,
}

impl PreparedCase {
    /// The content of the game.
    pub fn content(&self) -> &Content {
        &self.rules.content
    }

    /// The pack of the case and the number of seats.
    pub fn pack_and_seats(&self) -> (u16, u8) {
        let seats = u8::try_from(self.setup.names.len()).unwrap_or(u8::MAX);
        (self.pack, seats)
    }
}

/// The game of a case after its moves.
pub(crate) struct PlayedCase {
    pub game: Game,
    /// The pack of the case, which decides what its names mean.
    pub pack: u16,
    /// The reason why the last move was refused, if it was.
    pub refused: Option<String>,
    /// The number of log lines that the expectations skip.
    pub after: usize,
}

impl PreparedCase {
    /// Opens the packs of a case and checks its setup. Problems become failures.
    pub fn prepare(
        library: &PackLibrary,
        pack: &str,
        case: &Case,
        cache: &mut OpenedGames,
        failures: &mut CaseFailures,
    ) -> Option<PreparedCase> {
        let choice = choice(library, pack, case)
            .map_err(|why| failures.at(case.name.at, why))
            .ok()?;
        let opened = opened(library, choice, cache, case, failures)?;
        let names = players(opened, case);
        let seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
        let content = &opened.rules.content;
        let before = failures.list.len();
        let number = content.packs.iter().position(|own| own.id == pack);
        let number = number.and_then(|ix| u16::try_from(ix).ok()).unwrap_or(0);
        let case_setup = setup::qualified(content, number, &case.setup);
        setup::unknown(content, seats, &case_setup)
            .into_iter()
            .for_each(|(at, why)| failures.at(at, why));
        let mut forced = |list| {
            let forced = setup::forced(content, number, list);
            forced.map_err(|(at, why)| failures.at(at, why)).ok()
        };
        let in_setup = forced(&case.setup.chance).unwrap_or_default();
        let forced_after_setup = forced(&case.chance);
        let roles = case
            .roles
            .iter()
            .map(|role| Some(content.qualified_entry(number, role)).filter(|role| !role.is_empty()))
            .collect();
        let setup = Setup {
            names,
            roles,
            seed: case.seed,
            forced: in_setup,
            forced_after_setup,
            initial: setup::initial(&case_setup),
            campaign: None,
            journal: true,
            log: true,
            without_labels: false,
            records_options: true,
        };
        check_table(opened, case, &setup, failures);
        if let Some(after) = case
            .expect
            .after
            .as_ref()
            .filter(|after| after.value > case.moves.len())
        {
            failures.at(
                after.at,
                format!(
                    "`after` is {}, but the case has {} moves",
                    after.value,
                    case.moves.len()
                ),
            );
        }
        if failures.list.len() > before {
            return None;
        }
        let has_script = !case.setup.before.is_empty() || !case.setup.run.is_empty();
        let with_script = if has_script {
            Some(with_setup(library, opened, number, case, failures)?)
        } else {
            None
        };
        let opened = with_script.as_ref().unwrap_or(opened);
        Some(PreparedCase {
            rules: opened.rules.clone(),
            #[cfg(feature = "reference")]
            interpreted: opened.interpreted(),
            setup,
            pack: number,
        })
    }

    /// Plays the case with every script run by Rhai. It must end in the same state.
    #[cfg(feature = "reference")]
    fn compare_with_rhai(&self, case: &Case, hash: &str, failures: &mut CaseFailures) {
        let mut ignored = CaseFailures::new(failures.files);
        match self.moves(case, &self.interpreted, None, &mut ignored) {
            Some(again) if again.game.state().hash() == *hash => {}
            Some(again) => {
                let fault = again.game.faults().first();
                let fault = fault
                    .map(|fault| format!(": {}", describe(again.game.context(), fault)))
                    .unwrap_or_default();
                failures.push(format!(
                    "a second run, with every script run by Rhai, ended in a different state{fault}"
                ));
            }
            None => {
                let why = ignored.texts().join("; ");
                failures.push(format!(
                    "a second run, with every script run by Rhai, stopped early: {why}"
                ));
            }
        }
    }

    /// Plays the case, then again from its journal. Both must end in the same state.
    pub fn play(&self, case: &Case, failures: &mut CaseFailures) -> Option<PlayedCase> {
        let played = self.moves(case, &self.rules, None, failures)?;
        let hash = played.game.state().hash();
        #[cfg(feature = "reference")]
        self.compare_with_rhai(case, &hash, failures);
        let journal = Journal {
            lines: played.game.journal().to_vec(),
            ..Journal::default()
        };
        let read = Journal::parse(&journal.text()).map(|journal| journal.lines);
        match read.map(|lines| Game::replay(self.rules.clone(), &self.setup, &lines)) {
            Ok(Ok(again)) if again.state().hash() == hash => {}
            Ok(Ok(_)) => failures.push("the replay of its journal ended in a different state"),
            Ok(Err(unfit)) => failures.push(format!(
                "the replay of its journal failed at answer {}: {}",
                unfit.1 + 1,
                unfit.2
            )),
            Err(why) => failures.push(format!("its journal cannot be parsed: {why}")),
        }
        Some(played)
    }

    /// Plays the case once.
    pub fn once(&self, case: &Case, failures: &mut CaseFailures) -> Option<PlayedCase> {
        self.moves(case, &self.rules, None, failures)
    }

    /// Plays the case once, up to the first fault that it does not expect, and for at most this
    /// many steps.
    pub fn once_within(
        &self,
        case: &Case,
        max_steps: u64,
        failures: &mut CaseFailures,
    ) -> Option<PlayedCase> {
        self.moves(case, &self.rules, Some(max_steps), failures)
    }

    fn moves(
        &self,
        case: &Case,
        rules: &Rc<Rules>,
        max_steps: Option<u64>,
        failures: &mut CaseFailures,
    ) -> Option<PlayedCase> {
        let mut game = Game::new(rules.clone(), self.setup.clone())
            .map_err(|why| failures.at(case.name.at, why))
            .ok()?;
        if let Some(max_steps) = max_steps {
            game.limit_steps(max_steps);
        }
        game.run();
        let stops_at_fault = max_steps.is_some() && case.expect.faults.is_empty();
        let mut after = 0;
        let mut refused = None;
        let last = case.moves.len().checked_sub(1);
        let counts_from = case.expect.after.as_deref().copied();
        for (ix, line) in case.moves.iter().enumerate() {
            if counts_from == Some(ix) {
                after = game.context().log.lines.len();
            }
            if stops_at_fault && !game.faults().is_empty() {
                break;
            }
            if let Err(why) = answer(&mut game, self.pack, line) {
                if Some(ix) != last || case.expect.refused.is_none() {
                    let (number, line_text) = (ix + 1, &line.value);
                    failures.at(
                        line.at,
                        format!("move {number} (`{line_text}`) is not possible: {why}"),
                    );
                    describe_position(case, &game, failures);
                    return None;
                }
                refused = Some(why);
            }
        }
        if counts_from == Some(case.moves.len()) {
            after = game.context().log.lines.len();
        }
        match case.then.as_ref().map(|who| (who.at, who.as_str())) {
            _ if refused.is_some() => {}
            _ if stops_at_fault && !game.faults().is_empty() => {}
            Some((at, "random")) => {
                if let Err(why) = play_out(&mut game, case.seed) {
                    failures.at(at, why);
                    describe_position(case, &game, failures);
                    return None;
                }
            }
            Some((at, other)) => {
                failures.at(at, format!("`then` is `{other}`, expected `random`"));
                return None;
            }
            None => {}
        }
        if game.lacks_initial_state() && game.faults().is_empty() {
            let never = "the case's own setup never happened: the setup of the mode still waits for \
                         an answer; give it in `moves`";
            failures.at(case.name.at, never);
            describe_position(case, &game, failures);
            return None;
        }
        Some(PlayedCase {
            game,
            pack: self.pack,
            refused,
            after,
        })
    }
}

/// The mode, expansions and options of a case.
pub(crate) fn choice(library: &PackLibrary, pack: &str, case: &Case) -> Result<GameChoice, String> {
    let own = |mode: &str| format!("{pack}:{mode}");
    let modes = library.modes();
    let mode = match case.mode.as_deref() {
        Some(mode) if modes.iter().any(|line| line.name == own(mode)) => own(mode),
        Some(mode) => mode.clone(),
        None => {
            let first = modes
                .into_iter()
                .find(|line| line.name.starts_with(&own("")));
            let none = || format!("{pack} has no mode of its own: add `mode` to the case");
            first.map(|line| line.name).ok_or_else(none)?
        }
    };
    let mut with: Vec<String> = case.with.iter().map(|pack| pack.value.clone()).collect();
    if !mode.starts_with(&own("")) && !with.iter().any(|other| other == pack) {
        with.push(pack.to_owned());
    }
    Ok(GameChoice {
        mode,
        with,
        options: case
            .options
            .iter()
            .map(|option| option.value.clone())
            .collect(),
    })
}

/// Opens a choice, or takes it from the cache.
fn opened<'o>(
    library: &PackLibrary,
    choice: GameChoice,
    cache: &'o mut OpenedGames,
    case: &Case,
    failures: &mut CaseFailures,
) -> Option<&'o OpenedGame> {
    if let Some(at) = cache.iter().position(|(other, _)| *other == choice) {
        return Some(&cache[at].1);
    }
    let (opened, report) = library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names);
    let usable = opened.is_some() && report.has_no_errors();
    for fault in report.iter().filter(|_| !usable) {
        if fault.label.span.file != Files::outside().file {
            failures.push(render_short(&library.set.files, fault));
            continue;
        }
        let mut named = case.mode.iter().chain(&case.with).chain(&case.options);
        let is_quoted = |part: &str| fault.message.contains(&format!("`{part}`"));
        let named = named.find(|word| word.value.split('=').any(is_quoted));
        failures.at(named.map_or(case.name.at, |word| word.at), message(fault));
    }
    let opened = opened.filter(|_| usable)?;
    if cache.len() >= MAX_OPEN {
        cache.remove(0);
    }
    cache.push((choice, opened));
    cache.last().map(|(_, opened)| opened)
}

fn players(opened: &OpenedGame, case: &Case) -> Vec<String> {
    let least = opened
        .rules
        .content
        .mode
        .as_ref()
        .map_or(1, |mode| mode.seats_min);
    let count = match case.players.as_deref() {
        Some(PlayerList::Names(names)) => return names.clone(),
        Some(PlayerList::Count(count)) => *count,
        None => least,
    };
    (1..=count).map(|n| format!("P{n}")).collect()
}

/// Checks the number of players and their roles.
fn check_table(opened: &OpenedGame, case: &Case, setup: &Setup, failures: &mut CaseFailures) {
    let content = &opened.rules.content;
    let Some(mode) = &content.mode else { return };
    let (title, seats) = (&content.entry(mode.entry).title, setup.names.len());
    let (least, most) = (usize::from(mode.seats_min), usize::from(mode.seats_max));
    if let Some(players) = case
        .players
        .as_ref()
        .filter(|_| seats < least || seats > most)
    {
        let wanted = match (least, most) {
            (1, 1) => "one player".to_owned(),
            _ if least == most => format!("{least} players"),
            _ => format!("{least} to {most} players"),
        };
        failures.at(players.at, format!("{title} is for {wanted}, not {seats}"));
    } else if let Some(role) = case.roles.first().filter(|_| mode.roles.is_none()) {
        failures.at(role.at, format!("{title} has no roles: remove `roles`"));
    } else if let Some(role) = case.roles.get(seats) {
        failures.at(
            role.at,
            format!("there are {} roles for {seats} players", case.roles.len()),
        );
    } else if let (Err(why), Some(role)) = (setup.roles(content), case.roles.first()) {
        failures.at(role.at, why);
    }
}

/// Compiles the scripts of a case's setup.
fn with_setup(
    library: &PackLibrary,
    opened: &OpenedGame,
    pack: u16,
    case: &Case,
    failures: &mut CaseFailures,
) -> Option<OpenedGame> {
    let (before, after) = (
        setup::joined(&case.setup.before),
        setup::joined(&case.setup.run),
    );
    let script = |text, parts| SetupScript {
        text,
        at: exact(failures.files, text, parts),
    };
    let (first, last) = (
        before
            .as_deref()
            .map(|text| script(text, &case.setup.before)),
        after.as_deref().map(|text| script(text, &case.setup.run)),
    );
    let (opened, report) = library.with_setup_scripts(opened, first, last, pack);
    if report.has_no_errors() {
        return Some(opened);
    }
    let mut located = true;
    for fault in &report {
        let own =
            failures.files.name(fault.label.span.file) == failures.files.name(case.name.at.file);
        located &= own;
        let at = if own {
            fault.label.span
        } else {
            case.setup.at().unwrap_or(case.name.at)
        };
        failures.at(at, format!("setup: {}", message(fault)));
    }
    for text in before.iter().chain(&after).filter(|_| !located) {
        failures.push(format!("the script of the setup:\n{text}"));
    }
    None
}

/// The source location of a script, if its file contains it verbatim: only then can a fault be
/// located.
fn exact(files: &Files, text: &str, parts: &[Located<String>]) -> Option<Span> {
    let [only] = parts else { return None };
    body(files, only.at).filter(|at| files.slice(*at).trim_end() == text.trim_end())
}

/// Makes a move of a case.
fn answer(game: &mut Game, pack: u16, line: &str) -> Result<Status, String> {
    let question = game.pending().ok_or("no question is pending")?;
    let (seat, keys) = match line.split_once('>') {
        Some((seat, keys)) => {
            let seat = lookup::seat(game.state().seats, seat.trim())?;
            let seat = seat.ok_or("expected the number of a seat before `>`, as in `2> done`")?;
            (seat, keys)
        }
        None => (question.seat(), line),
    };
    let keys: Vec<String> = keys.split_whitespace().map(str::to_owned).collect();
    game.answer_keys_of(Some(pack), seat, &keys).map_err(|why| {
        let Some(decision) = game
            .decision()
            .filter(|decision| matches!(decision.form, "one" | "some" | "order"))
        else {
            return why;
        };
        // The open options are listed below.
        let own = decision
            .options
            .iter()
            .filter(|option| option.seat.is_none_or(|of| of == seat));
        let own: Vec<&str> = own.map(|option| option.key.as_str()).collect();
        match keys
            .iter()
            .find(|key| !own.contains(&key.as_str()))
            .filter(|_| decision.seats.contains(&seat))
        {
            Some(key) => {
                let with_item = own.iter().find(|own| {
                    own.strip_prefix(key.as_str())
                        .is_some_and(|rest| rest.starts_with(':'))
                });
                let near = match with_item {
                    Some(own) => format!("; did you mean `{own}`?"),
                    None => suggestion(key, own.iter().copied()),
                };
                let near = if near.is_empty() {
                    let open: Vec<&str> = own.iter().copied().take(MAX_LISTED).collect();
                    format!("; open options: {}", open.join(", "))
                } else {
                    near
                };
                format!("{}{near}", unknown_name("option", key))
            }
            None => why,
        }
    })
}

/// Adds the pending question, its options, the forced random results and the end of the log to the
/// failures of a case.
pub(super) fn describe_position(case: &Case, game: &Game, failures: &mut CaseFailures) {
    let mut text = String::new();
    if let Some(decision) = game.decision() {
        let who: Vec<String> = decision
            .seats
            .iter()
            .map(|seat| names::seat(game.context(), *seat))
            .collect();
        text += &format!(
            "question for {}: {} ({})",
            who.join(", "),
            decision.prompt,
            decision.id
        );
        for (word, open) in [("open", true), ("closed", false)] {
            let keys = option_keys(Some(&decision), open);
            if !keys.is_empty() {
                text += &format!("\n  {word}: {}", keys.join(", "));
            }
        }
    } else {
        text += "no question is pending";
    }
    for fault in game.faults() {
        // An earlier fault may be the reason.
        text += &format!(
            "\na script failed earlier: {}",
            describe(game.context(), fault)
        );
    }
    for (ix, result) in case.setup.chance.iter().chain(&case.chance).enumerate() {
        let result = match &result.value {
            ForcedResult::Number(number) => number.to_string(),
            ForcedResult::Text(text) => text.clone(),
        };
        let used = forced_use(case, game, ix);
        text += &format!("\nchance: `{result}` {used}");
    }
    failures.push(text);
    failures.push(format!(
        "log:\n{}",
        last_lines(&log_line::verbose_log(game.context()))
    ));
}

/// How a forced random result of a case was used.
fn forced_use(case: &Case, game: &Game, ix: usize) -> String {
    let in_setup = case.setup.chance.len();
    let uses = game.forced_uses();
    let set_up = uses.iter().filter(|used| used.in_setup);
    let later = uses.iter().filter(|used| !used.in_setup);
    // Until the setup is over, no use is marked.
    let over = game.is_set_up();
    let used = match ix.checked_sub(in_setup) {
        None if over => set_up.clone().nth(ix),
        None => later.clone().nth(ix),
        Some(ix) if over => later.clone().nth(ix),
        Some(_) => None,
    };
    let Some(used) = used else {
        return "was not used".to_owned();
    };
    let script = used.hook.map_or(String::new(), |hook| {
        format!(", by {}", game.content().hook_name(hook))
    });
    format!("was used for `{}`{script}", used.stream)
}

/// Plays to the end with random answers.
fn play_out(game: &mut Game, seed: u64) -> Result<(), String> {
    use crate::game::Agent as _;
    let mut agent = RandomPlayer::new(seed);
    for _ in 0..MAX_DECISIONS {
        let Some(question) = game.pending() else {
            return Ok(());
        };
        let answer = agent.decide(game.context(), question);
        game.answer(answer)?;
    }
    Err(format!(
        "the game did not end within {MAX_DECISIONS} decisions"
    ))
}
