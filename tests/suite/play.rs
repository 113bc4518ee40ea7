//! Invariants of every game, whatever its pack: plays random games and checks each decision.
//!
//! By default, each mode plays a few short games; the ignored trials play many games to their ends.
//! `INSTA_UPDATE=always` updates the hashes in `tests/golden.txt`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use kaer::agents::RandomPlayer;
use kaer::content::{EntryId, PieceId, SeatId, SeenBy};
use kaer::game::journal::JournalLine;
use kaer::game::render::log_line;
use kaer::game::{
    Agent, Answer, Entity, Game, History, Journal, Question, Rules, Setup, State, Status,
    StepContext,
};
use kaer::game::{decision, names};
use kaer::library::{LintLevel, PackLibrary, Reuse};
use kaer::pack::{GameChoice, PackSource};
use kaer::simulation::check_invariants;
use kaer::value::Value;
use libtest_mimic::Trial;

use crate::support::{replace, trial, trials, updating};

/// Hashes of final states; only changes to rules or packs may change them.
const GOLDEN: &str = "tests/golden.txt";

/// A game to play: a mode, optionally with an expansion, and a number of seats.
#[derive(Clone)]
struct Table {
    name: String,
    rules: Rc<Rules>,
    seats: u8,
}

/// The modes to play: packs, mode, and whether random games of it end.
const MODES: &[(&str, &str, bool)] = &[
    ("content/old-world", "old-world:hunt", false),
    ("content/old-world", "old-world:solo", false),
    ("tests/packs/errands", "errands:errands", true),
    ("tests/packs/parley", "parley:court", true),
    ("tests/packs/parley", "parley:camp", true),
    ("tests/packs/pack-hunt", "pack-hunt:hunt", true),
    ("tests/packs/pack-hunt", "pack-hunt:stalk", true),
    ("tests/packs/duel", "duel:duel", true),
    ("tests/packs/duel", "duel:beast", true),
    (
        "tests/packs/duel,tests/packs/harsher-duel",
        "duel:duel+harsher-duel",
        true,
    ),
    (
        "tests/packs/duel,tests/packs/harsher-duel",
        "duel:beast+harsher-duel",
        true,
    ),
    (
        "tests/packs/mechanics/adventure",
        "adventure:adventure",
        true,
    ),
    ("tests/packs/mechanics/campaign", "campaign:campaign", true),
    ("tests/packs/mechanics/hearsay", "hearsay:walk", false),
    ("tests/packs/mechanics/winters", "winters:ford", true),
    ("tests/packs/mechanics/combos", "combos:practice", true),
    ("tests/packs/mechanics/growth", "growth:yard", true),
    ("tests/packs/mechanics/isles", "isles:isles", true),
    ("tests/packs/mechanics/magic", "magic:magic", true),
    ("tests/packs/mechanics/trail", "trail:trail", true),
    ("tests/packs/mechanics/quests", "quests:valley", false),
    ("tests/packs/mechanics/travel", "travel:road", false),
    ("tests/packs/mechanics/modes", "modes:standard", false),
];

/// How many games to play for each number of seats, and the maximum decisions per game.
#[derive(Clone, Copy)]
struct Amount {
    games: u64,
    decisions: usize,
}

const FEW: Amount = Amount {
    games: 2,
    decisions: 60,
};
const MANY: Amount = Amount {
    games: 20,
    decisions: 10_000,
};

/// A trial for each mode, and an ignored one that plays many games.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![
        a_mode_opened_after_another_plays_as_if_opened_alone,
        golden_games_match_their_hashes,
        older_journals_lack_questions_with_one_open_option,
    ];
    for (packs, mode, ends) in MODES {
        let name = mode.replace([':', '+'], "_");
        trials.push(trial(module_path!(), &name, || {
            check_games(packs, mode, *ends, FEW);
        }));
        let many = || check_games(packs, mode, *ends, MANY);
        trials.push(trial(module_path!(), &format!("many_{name}"), many).with_ignored_flag(true));
    }
    trials
}

fn a_mode_opened_after_another_plays_as_if_opened_alone() {
    let (packs, first, second) = ("content/old-world", "old-world:hunt", "old-world:solo");
    let library = PackLibrary::load(vec![PackSource::folder(packs)]);
    let choice = |mode: &str| GameChoice {
        mode: mode.to_owned(),
        ..GameChoice::default()
    };
    let (opened, _) = library.open_reusing(&choice(first), None, Reuse::Nothing, LintLevel::All);
    let (reopened, _) = library.open_reusing(
        &choice(second),
        None,
        Reuse::other_choice(opened.as_ref()),
        LintLevel::All,
    );
    let alone = &tables(packs, second)[0];
    let after_first = Table {
        rules: reopened.unwrap().rules,
        ..alone.clone()
    };
    let answers = |table: &Table| play_randomly(table, 3, 200).0.journal().to_vec();
    assert_eq!(answers(alone), answers(&after_first));
}

fn golden_games_match_their_hashes() {
    let recorded = fs::read_to_string(GOLDEN).unwrap();
    let mut now = String::new();
    for line in recorded.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [packs, mode, seats, seed, ..] if !line.starts_with('#') => {
                let table = tables(packs, mode)
                    .into_iter()
                    .find(|table| table.seats.to_string() == seats)
                    .unwrap();
                let (game, decisions) = play_randomly(&table, seed.parse().unwrap(), usize::MAX);
                let hash = game.state().hash();
                let _ = writeln!(now, "{packs} {mode} {seats} {seed} {decisions} {hash}");
            }
            _ => now.extend([line, "\n"]),
        }
    }
    if updating() {
        replace(Path::new(GOLDEN), &now);
    } else {
        assert_eq!(
            recorded, now,
            "games end differently than before; if that is intended, run this with INSTA_UPDATE=always"
        );
    }
}

/// Plays and checks random games of a mode with every number of seats.
fn check_games(packs: &str, mode: &str, ends: bool, amount: Amount) {
    for table in tables(packs, mode) {
        for seed in 1..=amount.games {
            let limit = if ends {
                amount.decisions
            } else {
                amount.decisions.min(150)
            };
            let at = format!("{}, {} seats, seed {seed}", table.name, table.seats);
            let (game, decisions) = play_randomly(&table, seed, limit);
            assert!(
                !ends || decisions == limit || game.state().outcome.is_some(),
                "{at}: the game does not end"
            );
            same_with_agent_inline(&table, seed, decisions, &game, &at);
            walk(&table, seed, decisions, amount, &at);
        }
    }
}

/// The tables of a mode: one for each number of seats.
fn tables(packs: &str, mode: &str) -> Vec<Table> {
    let library = PackLibrary::load(packs.split(',').map(PackSource::folder).collect());
    let (name, with) = mode
        .split_once('+')
        .map_or((mode, None), |(name, with)| (name, Some(with.to_owned())));
    let choice = GameChoice {
        mode: name.to_owned(),
        with: with.into_iter().collect(),
        options: Vec::new(),
    };
    let (rules, report) = library.open(&choice, None);
    assert!(
        library.report.has_no_errors() && report.has_no_errors(),
        "{mode} has errors: run `kaer check {packs}`"
    );
    let rules = rules.unwrap();
    let seats = rules
        .content
        .mode
        .as_ref()
        .map(|mode| mode.seats_min..=mode.seats_max)
        .unwrap();
    seats
        .map(|seats| Table {
            name: mode.to_owned(),
            rules: rules.clone(),
            seats,
        })
        .collect()
}

fn setup(table: &Table, seed: u64, log: bool) -> Setup {
    let names = (1..=table.seats).map(|seat| format!("P{seat}")).collect();
    Setup {
        names,
        seed,
        journal: true,
        log,
        ..Setup::default()
    }
}

fn start_game(table: &Table, seed: u64, log: bool) -> Game {
    let mut game = Game::new(table.rules.clone(), setup(table, seed, log)).unwrap();
    game.run();
    game
}

/// Plays a random game, to its end or for at most `limit` decisions.
fn play_randomly(table: &Table, seed: u64, limit: usize) -> (Game, usize) {
    let mut game = start_game(table, seed, false);
    let mut agent = RandomPlayer::new(seed);
    let mut decisions = 0;
    while let Some(ask) = game.pending().filter(|_| decisions < limit) {
        let answer = agent.decide(game.context(), ask);
        game.answer(answer).unwrap();
        decisions += 1;
    }
    (game, decisions)
}

/// A game with a seated agent must go like one whose answers come from outside.
fn same_with_agent_inline(table: &Table, seed: u64, decisions: usize, other: &Game, at: &str) {
    if other.state().outcome.is_none() {
        return;
    }
    let mut game = Game::new(table.rules.clone(), setup(table, seed, false)).unwrap();
    game.seat_agent(Some(Box::new(RandomPlayer::new(seed))));
    assert_eq!(
        game.run(),
        Status::Over,
        "{at}: with a seated agent the game does not end"
    );
    assert_eq!(
        game.journal(),
        other.journal(),
        "{at}: with a seated agent the journal differs"
    );
    assert_eq!(
        game.journal().len(),
        decisions,
        "{at}: the journal has the wrong number of answers"
    );
    assert_eq!(
        game.state().hash(),
        other.state().hash(),
        "{at}: with a seated agent the final state differs"
    );
}

/// Plays a game again and checks it at the first ten decisions and then at every fifth.
fn walk(table: &Table, seed: u64, decisions: usize, amount: Amount, at: &str) {
    let mut game = start_game(table, seed, true);
    let mut agent = RandomPlayer::new(seed);
    let mut next_replay = 0;
    for number in 0..decisions {
        let at = format!("{at}, decision {number}");
        let answer = agent.decide(game.context(), game.pending().unwrap());
        let is_checked = number < 10 || number % 5 == 0;
        let copy = is_checked.then(|| game.clone());
        if is_checked {
            check_decision(&game, &answer, &at);
        }
        game.answer(answer.clone()).unwrap();
        if let Some(mut copy) = copy {
            copy.answer(answer.clone()).unwrap();
            assert!(
                copy.state() == game.state(),
                "{at}: a clone gives a different state"
            );
        }
        // A replay costs as much as the game so far, so do it less and less often.
        if number == next_replay {
            next_replay += 1 + next_replay / 2;
            check_replay(table, seed, &game, &answer, &at);
            check_determinized(&game, seed, number, amount, &at);
        }
    }
    let faults: Vec<String> = game
        .faults()
        .iter()
        .map(|fault| kaer::game::describe(game.context(), fault))
        .collect();
    assert!(faults.is_empty(), "{at}: scripts failed: {faults:?}");
}

/// The cheap checks, for each decision.
fn check_decision(game: &Game, answer: &Answer, at: &str) {
    for state in [game.state(), game.step_start_state()] {
        let mut read = State::from_bytes(&state.bytes()).unwrap();
        // Indistinguishable groups of shuffled piles are derived from the answers, not serialized.
        read.indistinguishable_groups
            .clone_from(&state.indistinguishable_groups);
        assert!(read == *state, "{at}: serialization changes the state");
    }
    if let Err(reason) = check_invariants(game) {
        panic!("{at}: {reason}");
    }
    let ask = game.pending().unwrap();
    check_keys(game.context(), ask, answer, at);
    (0..game.state().seats)
        .map(SeatId)
        .for_each(|seat| check_no_leaks(game, seat, at));
    check_log(game, at);
}

/// Keys are unique among the options of a seat, and they parse back to the picked options.
fn check_keys(context: &StepContext, ask: &Question, answer: &Answer, at: &str) {
    let keys = decision::keys(context, ask);
    for (ix, key) in keys.iter().enumerate() {
        let duplicate = (0..ix)
            .any(|other| keys[other] == *key && ask.options[other].seat == ask.options[ix].seat);
        assert!(
            !duplicate && !key.contains(char::is_whitespace),
            "{at}: the key `{key}` is invalid among {keys:?}"
        );
    }
    let typed = decision::answer_keys(context, ask, answer);
    let parsed = decision::parse(context, ask, None, answer.seat, &typed)
        .map(|parsed| parsed.picks.list().to_vec());
    assert_eq!(
        parsed.as_deref(),
        Ok(answer.picks.list()),
        "{at}: {typed:?} parses as a different answer"
    );
}

fn knows(game: &Game, seat: SeatId, piece: PieceId) -> bool {
    game.state().pieces[piece.ix()].known.contains(seat)
}

/// Neither a seat's view nor its options name a piece that only others know.
fn check_no_leaks(game: &Game, seat: SeatId, at: &str) {
    let (context, content) = (game.context(), game.content());
    let view = serde_json::to_string(&game.view(seat)).unwrap();
    let pieces = (0..game.state().pieces.len()).map(PieceId::at);
    let (known, unknown): (Vec<PieceId>, Vec<PieceId>) =
        pieces.partition(|piece| knows(game, seat, *piece));
    let known: BTreeSet<EntryId> = known
        .into_iter()
        .map(|piece| context.entry_of(piece))
        .collect();
    let private = unknown
        .into_iter()
        .filter(|piece| is_private(game, *piece))
        .map(|piece| context.entry_of(piece));
    for entry in private
        .filter(|entry| !known.contains(entry))
        .collect::<BTreeSet<EntryId>>()
    {
        let id = format!("\"id\":\"{}\"", content.entry(entry).id);
        assert!(
            !view.contains(&id),
            "{at}: seat {} sees {id} in {view}",
            seat.0 + 1
        );
    }
    let asked = game.pending().filter(|ask| ask.seats.contains(seat));
    let lines = asked
        .map(|ask| ask.options.iter().zip(decision::keys(context, ask)))
        .into_iter()
        .flatten();
    for (option, key) in lines.filter(|(option, _)| option.seat.is_none_or(|owner| owner == seat)) {
        if let Value::Entity(Entity::Piece(piece)) = option.value {
            assert!(
                knows(game, seat, piece) || key.contains('@'),
                "{at}: `{key}` names a face-down piece"
            );
        }
    }
}

/// Whether a piece is in a zone that only its owner, or nobody, can see.
fn is_private(game: &Game, piece: PieceId) -> bool {
    let def = game
        .state()
        .zones
        .def(game.content(), game.state().zones.zone_of(piece));
    def.is_some_and(|(_, zone)| game.content().zones[zone.ix()].seen_by != SeenBy::All)
}

/// A replay answers a question with a single open option by itself if the journal has no answer to
/// it, as journals of older versions do. Any other missing answer is an error.
fn older_journals_lack_questions_with_one_open_option() {
    let table = &tables("tests/packs/mechanics/hearsay", "hearsay:walk")[0];
    let play = |coins: i64, answers: &[&str]| {
        let mut game = start_game(table, 1, false);
        let counter = game.content().symbol("coins").counter.unwrap();
        game.store_counter(Entity::Seat(SeatId(0)), counter, coins);
        for answer in answers {
            game.answer_keys(SeatId(0), &[(*answer).to_owned()])
                .unwrap();
        }
        game
    };
    let answers = [
        "listen:the-ferry",
        "decline",
        "listen:short-weight",
        "believe",
        "part",
    ];
    let replay = |coins: i64, lines: &[JournalLine]| {
        let mut game = play(coins, &[]);
        for (ix, line) in lines.iter().enumerate() {
            game.replay_line(line, lines.get(ix + 1))?;
        }
        Ok::<Game, String>(game)
    };
    let without = |game: &Game, missing: &[usize]| {
        let lines = game.journal().iter().enumerate();
        let kept = lines.filter(|(ix, _)| !missing.contains(ix));
        kept.map(|(_, line)| line.clone()).collect::<Vec<_>>()
    };
    // Without coins, each tale has one open option.
    let poor = play(0, &answers);
    for missing in [&[][..], &[1], &[3], &[1, 3]] {
        let again = replay(0, &without(&poor, missing)).unwrap();
        assert_eq!(again.state().hash(), poor.state().hash(), "{missing:?}");
    }
    // With a coin, there is a choice that nobody may make for the player.
    let rich = play(2, &answers);
    assert!(replay(2, &without(&rich, &[])).is_ok());
    assert!(replay(2, &without(&rich, &[1])).is_err());
}

/// Replaying all answers gives the same state, and so does undoing and repeating the last one.
fn check_replay(table: &Table, seed: u64, game: &Game, answer: &Answer, at: &str) {
    let journal = Journal {
        lines: game.journal().to_vec(),
        ..Journal::default()
    };
    let read = Journal::parse(&journal.text()).unwrap();
    assert_eq!(
        read, journal,
        "{at}: the journal changes when written and parsed"
    );
    let replayed = Game::replay(table.rules.clone(), &setup(table, seed, false), &read.lines);
    let replayed = replayed.unwrap_or_else(|invalid| {
        panic!(
            "{at}: answer {} of the journal is not valid: {}",
            invalid.1, invalid.2
        )
    });
    assert_eq!(
        replayed.state().hash(),
        game.state().hash(),
        "{at}: the journal leads to a different state"
    );
    assert_eq!(
        replayed.state().indistinguishable_groups,
        game.state().indistinguishable_groups,
        "{at}: after a replay, the indistinguishable groups differ"
    );
    let mut undone = History::default()
        .at(game, game.journal().len() - 1)
        .unwrap();
    assert_eq!(undone.journal().len() + 1, game.journal().len());
    undone.answer(answer.clone()).unwrap();
    assert_eq!(
        undone.state().hash(),
        game.state().hash(),
        "{at}: after an undo, the same answer leads to a different state"
    );
}

/// A determinized game keeps the pieces that the seat knows in place, and can be played on.
fn check_determinized(game: &Game, seed: u64, number: usize, amount: Amount, at: &str) {
    for seat in (0..game.state().seats).map(SeatId) {
        let mut copy = game.determinize(seat, seed);
        let (before, after) = (
            &game.step_start_state().zones,
            &copy.step_start_state().zones,
        );
        for zone in before.all() {
            let (was, is) = (before.pieces(zone), after.pieces(zone));
            assert_eq!(
                was.len(),
                is.len(),
                "{at}: a zone has a different size for seat {}",
                seat.0 + 1
            );
            let mut moved = was
                .iter()
                .zip(is)
                .filter(|(was, is)| was != is)
                .map(|(was, _)| PieceId(*was));
            let wrong = moved.find(|piece| knows(game, seat, *piece));
            assert_eq!(
                wrong,
                None,
                "{at}: seat {} knows this piece, but it moved",
                seat.0 + 1
            );
        }
        // Playing on is the most expensive check, so the seats take turns.
        if number % usize::from(game.state().seats) == seat.ix() {
            copy.run();
            if let Err(reason) = check_invariants(&copy) {
                panic!("{at}, determinized for seat {}: {reason}", seat.0 + 1);
            }
            play_on(&mut copy, seed, amount, at);
        }
    }
}

/// Plays a determinized game for a while; its scripts must not fail either.
fn play_on(game: &mut Game, seed: u64, amount: Amount, at: &str) {
    let mut agent = RandomPlayer::new(seed);
    for _ in 0..(amount.decisions / 3).min(300) {
        let Some(ask) = game.pending() else { break };
        let answer = agent.decide(game.context(), ask);
        game.answer(answer).unwrap_or_else(|reason| {
            panic!("{at}: a determinized game rejects an answer: {reason}")
        });
    }
    let faults: Vec<String> = game
        .faults()
        .iter()
        .map(|fault| kaer::game::describe(game.context(), fault))
        .collect();
    assert!(
        faults.is_empty(),
        "{at}: scripts failed in a determinized game: {faults:?}"
    );
}

/// The log does not reveal pieces that moved face down, unless they were seen later.
fn check_log(game: &Game, at: &str) {
    use kaer::game::log::LogEvent;
    let context = game.context();
    // Earlier lines were checked when they were new.
    for line in game.log().lines.iter().rev().take(60) {
        let (LogEvent::Moved { piece, known, .. } | LogEvent::Created { piece, known, .. }) =
            &line.event
        else {
            continue;
        };
        let title = names::piece(context, *piece);
        let blind = |seat: &SeatId| !known.contains(*seat) && !knows(game, *seat, *piece);
        for seat in (0..game.state().seats).map(SeatId).filter(blind) {
            let forms = [log_line::render, log_line::render_verbose];
            for text in forms.map(|render| render(context, line, Some(seat)).unwrap_or_default()) {
                assert!(
                    !text.starts_with(&title) && !text.contains(&format!(" {title}")),
                    "{at}: seat {} reads `{text}`",
                    seat.0 + 1
                );
            }
        }
    }
}
