//! A game session: undo, redo and the journal on disk.

use std::rc::Rc;

use kaer::agents::{Player, PlayerKind};
use kaer::content::SeatId;
use kaer::game::{Game, GameHeader, Journal, Rules};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, PackSource};
use kaer::session::{GameSession, Notice, RedoOutcome, UndoOutcome, recorded_setup};
use libtest_mimic::Trial;

use crate::support::{scratch, trials};

pub fn trials() -> Vec<Trial> {
    trials![
        undo_goes_back_to_a_persons_own_answer_and_redo_returns,
        undo_takes_later_answers_of_other_people_with_it,
        undo_asks_first_if_something_was_revealed,
        a_journal_that_cannot_be_written_gives_one_notice_until_it_can,
    ]
}

const MODE: &str = "duel:duel";

fn rules() -> Rc<Rules> {
    let library = PackLibrary::load(vec![PackSource::folder("tests/packs/duel")]);
    let choice = GameChoice {
        mode: MODE.to_owned(),
        ..GameChoice::default()
    };
    library.open(&choice, None).0.unwrap()
}

fn players(players: &[(&str, PlayerKind)]) -> Vec<Player> {
    let player = |(name, kind): &(&str, PlayerKind)| Player::new(*name, *kind);
    players.iter().map(player).collect()
}

fn header() -> GameHeader {
    GameHeader {
        mode: MODE.to_owned(),
        seed: 7,
        ..GameHeader::default()
    }
}

/// A duel at its first question.
fn duel(kinds: &[(&str, PlayerKind)]) -> GameSession {
    let mut session = GameSession::new(rules(), players(kinds), header()).unwrap();
    session.begin().unwrap();
    session.advance().unwrap();
    session
}

fn answer(session: &mut GameSession, seat: u8, key: &str) {
    session.answer(SeatId(seat), &[key.to_owned()]).unwrap();
    session.advance().unwrap();
}

fn hash(session: &GameSession) -> String {
    session.game().state().hash()
}

fn undo_goes_back_to_a_persons_own_answer_and_redo_returns() {
    let mut session = duel(&[("Ann", PlayerKind::Human), ("Bo", PlayerKind::Random)]);
    let start = hash(&session);
    answer(&mut session, 0, "odd-jobs");
    let (later, answers) = (hash(&session), session.game().journal().to_vec());
    assert!(answers.len() > 1, "the bot has answered too");
    assert!(matches!(
        session.undo(SeatId(0), true),
        UndoOutcome::Undone { others, .. } if others.is_empty()
    ));
    assert_eq!(hash(&session), start);
    assert_eq!(session.undo(SeatId(0), true), UndoOutcome::Nothing);
    assert_eq!(session.redo(), RedoOutcome::Redone);
    assert_eq!(hash(&session), later);
    assert_eq!(session.game().journal(), answers);
    assert_eq!(session.redo(), RedoOutcome::Nothing);
    // After the same answer, the bot gives the same answers.
    session.undo(SeatId(0), true);
    answer(&mut session, 0, "odd-jobs");
    assert_eq!(session.game().journal(), answers);
    assert_eq!(session.redo(), RedoOutcome::Nothing);
}

fn undo_takes_later_answers_of_other_people_with_it() {
    let mut session = duel(&[("Ann", PlayerKind::Human), ("Bo", PlayerKind::Human)]);
    assert_eq!(session.last_to_answer(), None);
    answer(&mut session, 0, "odd-jobs");
    assert_eq!(session.last_to_answer(), Some(SeatId(0)));
    assert_eq!(session.person_at_keyboard(), Some(SeatId(1)));
    assert_eq!(session.undo(SeatId(1), false), UndoOutcome::Nothing);
    answer(&mut session, 1, "odd-jobs");
    let UndoOutcome::Undone { others, .. } = session.undo(SeatId(0), true) else {
        panic!("Ann has an answer to undo");
    };
    assert_eq!(others, [SeatId(1)]);
    assert!(session.game().journal().is_empty());
}

fn undo_asks_first_if_something_was_revealed() {
    let mut session = duel(&[("Ann", PlayerKind::Human), ("Bo", PlayerKind::Random)]);
    answer(&mut session, 0, "scout");
    let after = hash(&session);
    assert_eq!(
        session.undo(SeatId(0), false),
        UndoOutcome::NeedsConfirmation
    );
    assert_eq!((hash(&session), session.hindsight()), (after, 0));
    assert!(matches!(
        session.undo(SeatId(0), true),
        UndoOutcome::Undone {
            hindsight: true,
            ..
        }
    ));
    assert_eq!(session.notes().hindsight, 1);
    session.redo();
    session.allow_free_undo();
    assert!(matches!(
        session.undo(SeatId(0), false),
        UndoOutcome::Undone {
            hindsight: false,
            ..
        }
    ));
}

fn a_journal_that_cannot_be_written_gives_one_notice_until_it_can() {
    let people = [("Ann", PlayerKind::Human), ("Bo", PlayerKind::Human)];
    let folder = scratch("units/session");
    let path = folder.join("game.kaer");
    let mut session = duel(&people);
    session.write_journal_to(&path).unwrap();
    assert!(session.write_journal_to(&path).is_err(), "it exists");
    // After a reload, the next write replaces the whole file, which fails without its folder.
    let rules = rules();
    let setup = recorded_setup(&rules, &players(&people), &header()).unwrap();
    let mut game = Game::new(rules, setup).unwrap();
    game.run();
    session.replace_game(game, header());
    std::fs::remove_dir_all(&folder).unwrap();
    answer(&mut session, 0, "odd-jobs");
    assert!(matches!(
        session.take_notices()[..],
        [Notice::WriteFailed(..)]
    ));
    assert_eq!(session.journal_path(), None);
    answer(&mut session, 1, "odd-jobs");
    assert!(session.take_notices().is_empty());
    std::fs::create_dir_all(&folder).unwrap();
    session.undo(SeatId(1), true);
    assert!(matches!(
        session.take_notices()[..],
        [Notice::WriteRecovered(..)]
    ));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(Journal::parse(&text).unwrap().lines.len(), 1);
}
