//! Journals, grammar, random numbers, zones, and the text of a chronicle.

use kaer::content::{PackStamp, PieceId, SeatId, stable_hash};
use kaer::game::chronicle::chronicle;
use kaer::game::journal::{JournalLine, JournalNotes};
use kaer::game::render::grammar::{
    capitalize, count, count_equal, end_sentence, head_noun, join_and, mid_sentence, singular,
    with_article,
};
use kaer::game::summary::command;
use kaer::game::{
    CampaignGame, Game, GameHeader, InitialState, Journal, Setup, ZoneAt, random_number,
};
use libtest_mimic::Trial;

use super::rules;
use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        a_journal_reads_what_it_wrote,
        a_journal_only_grows,
        an_older_format_is_read_as_this_one,
        an_invalid_journal_is_refused,
        lists_read_as_in_a_sentence,
        nouns_agree_with_their_number,
        sentences_begin_and_end,
        the_command_starts_the_same_game,
        numbers_never_change,
        numbers_are_fair,
        an_initial_state_reads_its_rows,
        a_piece_moves_to_any_position,
        texts_of_packs_are_no_markup,
    ]
}

fn a_journal_reads_what_it_wrote() {
    let header = GameHeader {
        packs: vec![PackStamp {
            id: "a".into(),
            version: "1.0.0".into(),
            hash: "ff".into(),
        }],
        mode: "a:b".into(),
        title: "A Game".into(),
        with: vec!["c".into()],
        options: vec!["long".into()],
        players: vec![("Ann Lee".into(), "human".into())],
        seed: 7,
        initial: Some(InitialState {
            counters: vec![("1.coins".into(), 3)],
            script: Some("a\\\nb".into()),
            ..InitialState::default()
        }),
        campaign: Some(CampaignGame {
            name: "a:campaign/c".into(),
            scenario: "first".into(),
            log: "c-1".into(),
        }),
        forced: vec!["3".into()],
        folders: vec!["/a b/c".into()],
    };
    let line = JournalLine {
        seat: SeatId(1),
        id: "a:b/c/do/1".into(),
        keys: vec!["x".into(), "y#2".into()],
    };
    let notes = JournalNotes {
        begun: 1,
        hindsight: 2,
        round: 3,
        over: true,
    };
    let journal = Journal {
        header,
        lines: vec![line],
        notes,
    };
    assert_eq!(Journal::parse(&journal.text()), Ok(journal.clone()));
    let torn = journal.text() + "1 a:b/c";
    assert_eq!(Journal::parse(&torn), Ok(journal));
}

/// Appending rows can turn any journal into any other.
fn a_journal_only_grows() {
    let line = |n: &u8| JournalLine {
        seat: SeatId(n % 2),
        id: format!("q/{n}"),
        keys: vec![],
    };
    let answers: [&[u8]; 7] = [&[], &[1], &[1, 2, 3], &[1, 2], &[1, 4, 3], &[1, 4, 3], &[]];
    let (mut held, mut text) = (Journal::default(), GameHeader::default().text());
    for round in 0..4u32 {
        for (turn, answers) in (0u32..).zip(answers) {
            let lines: Vec<JournalLine> = answers.iter().map(line).collect();
            let (over, hindsight) = ((turn + round) % 2 == 0, round + turn);
            let notes = JournalNotes {
                begun: answers.len().min(1),
                hindsight,
                round,
                over,
            };
            text += &held.rows(&lines, notes);
            held.replace(&lines, notes);
            assert_eq!(Journal::parse(&text), Ok(held.clone()), "{text}");
            assert_eq!((&held.lines, held.notes), (&lines, notes), "{text}");
            assert_eq!(held.rows(&lines, notes), "");
        }
    }
    assert!(
        Journal::parse("kaer-journal 2\n\n1 a\nundo 2\n")
            .is_err_and(|reason| reason.contains("line 4"))
    );
}

fn an_older_format_is_read_as_this_one() {
    let old = "kaer-journal 1\nmode a:b\nseed 7\ngiven the(\"mill\").weeds = least(1, 2);\\nseat(1).hand.len\n\n\
               1 a:b/c/may.draw/1 x\n2 a:b/c/face.back.ask.cost/2\nundo 1\n";
    let journal = Journal::parse(old).unwrap();
    assert_eq!(journal.lines[0].id, "a:b/c/offer.draw/1");
    let initial = journal.header.initial.clone().unwrap();
    // Only the packs know whether `mill` is a place or a piece.
    let place = "(if places().some(|place| place.id == \"mill\") { place(\"mill\") } else { piece(\"mill\") })";
    let script = format!("{place}.weeds = min(1, 2);\nseat(1).hand.len()");
    assert_eq!(
        initial,
        InitialState {
            script: Some(script),
            ..InitialState::default()
        }
    );
    assert!(journal.text().starts_with("kaer-journal 2\n"));
    assert_eq!(Journal::parse(&journal.text()), Ok(journal));
}

fn an_invalid_journal_is_refused() {
    assert!(Journal::parse("hello\n").is_err_and(|reason| reason.contains("not a journal")));
    assert!(Journal::parse("kaer-journal 9\n\n").is_err_and(|reason| reason.contains("format 9")));
    assert!(
        Journal::parse("kaer-journal 2\nseed x\n").is_err_and(|reason| reason.contains("line 2"))
    );
    assert!(
        Journal::parse("kaer-journal 2\n\n9 a\n").is_err_and(|reason| reason.contains("line 3"))
    );
}

fn lists_read_as_in_a_sentence() {
    let list = |items: &[&str]| join_and(&items.iter().map(|&i| i.into()).collect::<Vec<_>>());
    assert_eq!(list(&["a"]), "a");
    assert_eq!(list(&["a", "b"]), "a and b");
    assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    let cards = ["Jab", "Lunge", "Jab"].map(str::to_owned);
    assert_eq!(count_equal(cards.into_iter()), ["Jab ×2", "Lunge"]);
}

fn nouns_agree_with_their_number() {
    assert_eq!(head_noun("Action card"), "card");
    assert_eq!(count(1, "card"), "1 card");
    assert_eq!(count(0, "card"), "0 cards");
    assert_eq!(count(2, "story"), "2 stories");
    assert_eq!(count(2, "key"), "2 keys");
    assert_eq!(count(2, "box"), "2 boxes");
    assert_eq!(count(2, "goods"), "2 goods");
    assert_eq!(singular("Coins"), "Coin");
    assert_eq!(singular("Stories"), "Story");
    assert_eq!(singular("Focus"), "Focus");
    assert_eq!(singular("sand"), "sand");
}

fn sentences_begin_and_end() {
    assert_eq!(end_sentence("it rains"), "it rains.");
    assert_eq!(end_sentence("Does it?"), "Does it?");
    assert_eq!(capitalize("éa"), "Éa");
    assert_eq!(with_article("Discard pile"), "the discard pile");
    assert_eq!(with_article("The box"), "the box");
    assert_eq!(mid_sentence("Long Road"), "Long Road");
}

fn the_command_starts_the_same_game() {
    let header = GameHeader {
        mode: "a:b".into(),
        with: vec!["c".into()],
        options: vec!["long".into()],
        players: vec![
            ("Ann Lee".into(), "human:smith".into()),
            ("O'Neil".into(), "greedy".into()),
        ],
        seed: 7,
        ..GameHeader::default()
    };
    let expected = "kaer play a:b --pack packs/x --with c --option long --player 'Ann Lee=human:smith' \
                --player 'O'\\''Neil=greedy' --seed 7";
    assert_eq!(
        command(&header, &["packs/x".into()], &[]).as_deref(),
        Some(expected)
    );
    let elsewhere = GameHeader {
        initial: Some(InitialState::default()),
        ..header
    };
    assert_eq!(command(&elsewhere, &[], &[]), None);
}

fn numbers_never_change() {
    let got: Vec<u32> = (1..=8)
        .map(|count| random_number(42, stable_hash("dice"), count, 6))
        .collect();
    assert_eq!(got, GOLDEN);
}

fn numbers_are_fair() {
    let mut counts = [0u32; 6];
    for count in 1..=60_000 {
        counts[random_number(7, 1, count, 6) as usize] += 1;
    }
    assert!(
        counts.iter().all(|n| (9_600..=10_400).contains(n)),
        "{counts:?}"
    );
}

const GOLDEN: [u32; 8] = [5, 1, 3, 0, 1, 1, 0, 5];

/// The journal with one row in its header.
fn with_row(row: &str) -> Result<Journal, String> {
    Journal::parse(&format!("kaer-journal 2\n{row}\n\n"))
}

fn an_initial_state_reads_its_rows() {
    let state = InitialState {
        start: Some("a:card/b".into()),
        zones: vec![
            ("1.hand".into(), vec!["x".into(), "y".into()]),
            ("table.market".into(), vec![]),
        ],
        places: vec![("2".into(), "mill".into())],
        flags: vec![("table.baron".into(), "spared".into())],
        counters: vec![("1.coins".into(), 3), ("ogre#2.life".into(), -1)],
        script: Some("let a = 1;\n  a  += 1;".into()),
    };
    let header = GameHeader {
        initial: Some(state.clone()),
        ..GameHeader::default()
    };
    let read = Journal::parse(&header.text()).unwrap();
    assert_eq!(read.header.initial, Some(state));
    assert!(with_row("setup counter 1.coins 3").is_ok());
    assert!(with_row("setup counter 1.coins many").is_err());
    assert!(with_row("setup weather rain").is_err());
}

/// A game before its setup. The table and each seat have two zones, each piece has one.
fn game(mode_title: &str) -> Game {
    let zone = |id: &str, of: &str| format!("[[zone]]\nid = \"{id}\"\nof = \"{of}\"\n");
    let pack = format!(
        "[pack]\nid = \"a\"\n[[kind]]\nid = \"card\"\n{}{}{}{}{}\
         [[mode]]\nid = \"play\"\ntitle = '{mode_title}'\nseats = \"2\"\n",
        zone("deck", "table"),
        zone("discard", "table"),
        zone("hand", "seat"),
        zone("played", "seat"),
        zone("pouch", "piece"),
    );
    let setup = Setup {
        names: vec!["Ann".to_owned(), "Bo".to_owned()],
        log: true,
        ..Setup::default()
    };
    Game::new(rules(&pack), setup).unwrap()
}

fn a_piece_moves_to_any_position() {
    let mut zones = game("A game").state().zones.clone();
    for piece in 0..6 {
        assert_eq!(zones.create(), PieceId(piece));
    }
    for piece in 0..6 {
        zones.place(PieceId(piece), ZoneAt(3), 99);
    }
    assert_eq!(zones.pieces(ZoneAt(3)), [0, 1, 2, 3, 4, 5]);
    zones.place(PieceId(4), ZoneAt(3), 0);
    zones.place(PieceId(0), ZoneAt(3), 3);
    assert_eq!(zones.pieces(ZoneAt(3)), [4, 1, 2, 0, 3, 5]);
    zones.place(PieceId(2), ZoneAt(1), 0);
    zones.place(PieceId(3), ZoneAt(8), 0);
    zones.place(PieceId(5), ZoneAt(1), 0);
    assert_eq!(zones.pieces(ZoneAt(1)), [5, 2]);
    assert_eq!(zones.pieces(ZoneAt(3)), [4, 1, 0]);
    assert_eq!(zones.pieces(ZoneAt(8)), [3]);
    assert_eq!(zones.zone_of(PieceId(3)), ZoneAt(8));
    zones.exchange_all(&[(PieceId(3), PieceId(1))]);
    assert_eq!(zones.pieces(ZoneAt(3)), [4, 3, 0]);
    assert_eq!(zones.pieces(ZoneAt(8)), [1]);
}

fn texts_of_packs_are_no_markup() {
    let game = game("a *b* <c> [d](e) #f | `g`");
    let text = chronicle(&game, &GameHeader::default(), None);
    assert_eq!(
        text.lines().next().unwrap(),
        "# a \\*b\\* \\<c\\> \\[d\\](e) \\#f \\| \\`g\\`"
    );
}
