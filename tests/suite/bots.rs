//! Bots use only what their seat knows, play reproducibly, and search beats random play.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use kaer::agents::{
    AgentTable, Budget, Player, PlayerKind, RandomPlayer, determinized, odds, search, setup_for,
};
use kaer::content::{PieceId, SeatId};
use kaer::game::{Agent as _, Answer, Entity, Game, Picks, Question, Rules, Setup, Status};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, PackSource};
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        cooperating_bots_help_each_other,
        a_seat_knows_the_cards_in_its_deck_but_not_their_order,
        a_seat_does_not_know_what_another_was_dealt,
        a_sealed_answer_is_hidden,
        search_beats_random_play,
        games_of_search_bots_are_reproducible,
        answers_are_ranked_with_how_often_they_were_best,
        odds_add_up,
        search_gives_valid_answers,
    ]
}

/// A game with hidden events within one step: a deck is shuffled, a card is drawn, and then a seat
/// is asked.
const SECRETS: &str = r#"
[pack]
id = "secrets"
title = "Secrets"
version = "1.0.0"
authors = ["the Kaer authors"]
license = "CC-BY-4.0"
engine = "2"

[[kind]]
id = "card"
title = "Card"

[[mode]]
id = "secrets"
title = "Secrets"
seats = "2"
setup = '''
    create_all("card", table.pile);
    table.pile.shuffle();
    for seat in seats() {
        for i in 0..5 { table.pile.top().move_to(seat.hand); }
        seat.hand.pieces().move_to(seat.deck);
    }
'''
turn = ["look"]

[[zone]]
id = "pile"
title = "Pile"
of = "table"
seen_by = "none"

[[zone]]
id = "deck"
title = "Deck"
seen_by = "none"

[[zone]]
id = "hand"
title = "Hand"
seen_by = "owner"

[[phase]]
id = "look"
title = "Look"
do = '''
    actor.deck.shuffle();
    actor.deck.top().move_to(actor.hand);
    choose(actor, "Well?", ["yes", "no"]);
    if table.pile.len() > 0 { table.pile.top().move_to(actor.hand); }
'''
"#;

/// A game in which each player may take a coin or give two to the other, and both may act at once.
const COINS: &str = r#"
[pack]
id = "coins"
title = "Coins"
version = "1.0.0"
authors = ["the Kaer authors"]
license = "CC-BY-4.0"
engine = "2"

[[mode]]
id = "apart"
title = "Apart"
seats = "2"
round = ["day"]

[[mode]]
id = "as-one"
title = "As one"
extends = "apart"
cooperative = true

[[counter]]
id = "coins"
title = "Coins"

[[evaluation]]
id = "coins"
value = 'actor.coins'

[[phase]]
id = "day"
title = "Day"
who = "all"
menu = true

[[action]]
id = "take"
title = "Take one"
window = "day"
once = "round"
do = 'actor.coins += 1;'

[[action]]
id = "give"
title = "Give two"
window = "day"
once = "round"
do = 'actor.left.coins += 2;'
"#;

/// Players who win together want what is good for both. A bot waits for people, and acts when it is
/// asked to go first.
fn cooperating_bots_help_each_other() {
    for (mode, wanted) in [("apart", "take"), ("as-one", "give")] {
        let library = PackLibrary::load(vec![PackSource::texts("coins", &[("pack.toml", COINS)])]);
        let choice = GameChoice {
            mode: format!("coins:{mode}"),
            ..GameChoice::default()
        };
        let (rules, report) = library.open(&choice, None);
        let game = start_game(&rules.unwrap_or_else(|| panic!("{report:?}")), 2, 1);
        for kind in [PlayerKind::Greedy, PlayerKind::Search] {
            let table = AgentTable::new(
                &[Player::new("A", PlayerKind::Human), Player::new("B", kind)],
                1,
            );
            assert_eq!(table.answer(&game), Ok(None), "a person may act first");
            let answer = table
                .answer_first(&game, SeatId(1))
                .unwrap()
                .expect("B is asked as well");
            let keys =
                kaer::game::decision::answer_keys(game.context(), game.pending().unwrap(), &answer);
            assert_eq!(
                (answer.seat, keys),
                (SeatId(1), vec![wanted.to_owned()]),
                "{mode}, {kind:?}"
            );
        }
        let table = AgentTable::new(
            &[
                Player::new("A", PlayerKind::Human),
                Player::new("B", PlayerKind::Random),
            ],
            1,
        );
        assert_eq!(
            table
                .answer_first(&game, SeatId(1))
                .unwrap()
                .map(|answer| answer.seat),
            Some(SeatId(1))
        );
        assert_eq!(
            table.answer_first(&game, SeatId(0)),
            Ok(None),
            "nobody answers for a person"
        );
    }
}

/// The pack, in a separate folder for each test because tests run in parallel.
fn secrets(test: &str) -> Rc<Rules> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("secrets")
        .join(test);
    fs::create_dir_all(&folder).unwrap();
    let cards: String = (1..=16)
        .map(|n| format!("\n[[card]]\nid = \"c{n}\"\ntitle = \"C{n}\"\n"))
        .collect();
    fs::write(folder.join("pack.toml"), SECRETS).unwrap();
    fs::write(folder.join("cards.toml"), cards).unwrap();
    rules(&folder.to_string_lossy(), "secrets:secrets")
}

fn rules(pack: &str, mode: &str) -> Rc<Rules> {
    let library = PackLibrary::load(vec![PackSource::folder(pack)]);
    let (rules, report) = library.open(
        &GameChoice {
            mode: mode.to_owned(),
            ..GameChoice::default()
        },
        None,
    );
    let messages: Vec<String> = library
        .report
        .iter()
        .chain(report.iter())
        .map(|fault| fault.message.clone())
        .collect();
    rules.unwrap_or_else(|| panic!("{mode} has errors: {messages:?}"))
}

fn start_game(rules: &Rc<Rules>, seats: u8, seed: u64) -> Game {
    let names = (1..=seats).map(|seat| format!("P{seat}")).collect();
    let setup = Setup {
        names,
        seed,
        journal: true,
        ..Setup::default()
    };
    let mut game = Game::new(rules.clone(), setup).unwrap();
    game.run();
    game
}

/// The entries in a zone of a seat, from its top.
fn entries(game: &Game, seat: u8, zone: &str) -> Vec<u16> {
    let (state, content) = (game.state(), game.content());
    let zone = content.symbol(zone).zone.unwrap();
    let at = state
        .zones
        .at(content, Entity::Seat(SeatId(seat)), zone)
        .unwrap();
    state
        .zones
        .pieces(at)
        .iter()
        .map(|piece| state.pieces[PieceId(*piece).ix()].entry.0)
        .collect()
}

fn sorted(mut list: Vec<u16>) -> Vec<u16> {
    list.sort_unstable();
    list
}

/// The results of many determinized games for a seat, after the first option.
fn determinized_results(
    game: &Game,
    seat: u8,
    of: impl Fn(&Game) -> Vec<u16>,
) -> BTreeSet<Vec<u16>> {
    let asked = game.pending().unwrap().seat();
    let after = |seed| {
        determinized(game, SeatId(seat), seed)
            .try_answer(Answer::new(asked, Picks::One(0)))
            .unwrap()
    };
    (0..60).map(|seed| of(&after(seed))).collect()
}

fn a_seat_knows_the_cards_in_its_deck_but_not_their_order() {
    let mut game = start_game(&secrets("own"), 2, 5);
    let real = entries(&game, 0, "deck");
    let sets = determinized_results(&game, 0, |copy| sorted(entries(copy, 0, "deck")));
    assert_eq!(sets, BTreeSet::from([sorted(real)]));
    let drawn = entries(&game, 0, "hand")[0];
    let first = determinized_results(&game, 0, |copy| {
        vec![entries(copy, 0, "hand").pop().unwrap()]
    });
    assert_eq!(
        first,
        BTreeSet::from([vec![drawn]]),
        "the drawn card is known and stays the same"
    );
    // The deck was shuffled within the current step: its order must not be known.
    let tops = determinized_results(&game, 0, |copy| vec![entries(copy, 0, "deck")[0]]);
    assert_eq!(tops.len(), 4, "each of the four cards may be on top");
    // The same in a later step, when the earlier positions of the cards are no longer known. After
    // the other player's answer, one of the four is drawn.
    game.answer(Answer::new(SeatId(0), Picks::One(0))).unwrap();
    let real = entries(&game, 0, "deck");
    let sets = determinized_results(&game, 0, |copy| sorted(entries(copy, 0, "deck")));
    assert!(
        sets.len() == 4 && sets.iter().flatten().all(|card| real.contains(card)),
        "{sets:?} of {real:?}"
    );
}

fn a_seat_does_not_know_what_another_was_dealt() {
    let game = start_game(&secrets("dealt"), 2, 5);
    for zone in ["deck", "hand"] {
        let sets = determinized_results(&game, 1, |copy| sorted(entries(copy, 0, zone)));
        assert!(sets.len() > 5, "{zone}: {sets:?}");
    }
    // The top card of the pile is drawn next, and nobody knows it.
    assert!(determinized_results(&game, 0, |copy| entries(copy, 0, "hand")).len() > 3);
    // But no other seat can hold a card that this seat has seen in its own hand.
    let own = sorted(entries(&game, 1, "deck"));
    let theirs = determinized_results(&game, 1, |copy| {
        [entries(copy, 0, "deck"), entries(copy, 0, "hand")].concat()
    });
    assert!(theirs.iter().flatten().all(|card| !own.contains(card)));
}

fn a_sealed_answer_is_hidden() {
    let mut game = start_game(&rules("tests/packs/parley", "parley:court"), 3, 2);
    let mut random = RandomPlayer::new(1);
    let second = |game: &Game| {
        game.pending().is_some_and(|ask| ask.sealed) && !game.context().answers.is_empty()
    };
    for _ in 0..200 {
        if second(&game) {
            break;
        }
        let answer = random.decide(game.context(), game.pending().unwrap());
        game.answer(answer).unwrap();
    }
    assert!(second(&game), "no sealed question was asked");
    let seat = game.pending().unwrap().seat();
    let first = |seed| {
        determinized(&game, seat, seed).context().answers[0]
            .picks
            .list()
            .to_vec()
    };
    let guessed: BTreeSet<Vec<i64>> = (0..40).map(first).collect();
    assert!(guessed.len() > 1, "{guessed:?}");
    assert!(
        determinized(&game, seat, 1)
            .pending()
            .is_some_and(|ask| ask.seat() == seat && ask.sealed)
    );
}

/// Plays a game to its end and returns it.
fn play(rules: &Rc<Rules>, kinds: [PlayerKind; 2], seed: u64, playouts: usize) -> Game {
    let players: Vec<Player> = kinds
        .iter()
        .map(|kind| Player::new(kind.name(), *kind))
        .collect();
    let table = AgentTable::new(&players, seed).with_budget(Budget::Playouts(playouts));
    let setup = Setup {
        journal: true,
        ..setup_for(&players, seed)
    };
    let mut game = Game::new(rules.clone(), setup).unwrap();
    let mut status = game.run();
    while status == Status::Asking {
        status = game.answer(table.answer(&game).unwrap().unwrap()).unwrap();
    }
    game
}

fn search_beats_random_play() {
    let rules = rules("tests/packs/duel", "duel:duel");
    let wins = |kinds, seat| {
        let won = |seed: &u64| {
            play(&rules, kinds, *seed, 24)
                .state()
                .outcome
                .as_ref()
                .unwrap()
                .winners
                == [SeatId(seat)]
        };
        (0..4).filter(won).count()
    };
    let won = wins([PlayerKind::Search, PlayerKind::Random], 0)
        + wins([PlayerKind::Random, PlayerKind::Search], 1);
    assert!(won >= 6, "won {won} of 8");
}

fn games_of_search_bots_are_reproducible() {
    let rules = rules("tests/packs/duel", "duel:duel");
    let kinds = [PlayerKind::Search, PlayerKind::Search];
    let game = play(&rules, kinds, 3, 12);
    assert_eq!(play(&rules, kinds, 3, 12).journal(), game.journal());
    let again = Game::replay(rules, &setup_of(&game), game.journal())
        .ok()
        .unwrap();
    assert_eq!(again.state().hash(), game.state().hash());
}

fn setup_of(game: &Game) -> Setup {
    Setup {
        names: game.context().names.clone(),
        seed: 3,
        ..Setup::default()
    }
}

/// A game at the first question of a fight.
fn start_fight(rules: &Rc<Rules>, seats: u8) -> Game {
    let mut game = start_game(rules, seats, 4);
    let mut random = RandomPlayer::new(4);
    while game.state().fights.is_empty() {
        let answer = random.decide(game.context(), game.pending().unwrap());
        game.answer(answer).unwrap();
    }
    game
}

fn answers_are_ranked_with_how_often_they_were_best() {
    let game = start_fight(&rules("tests/packs/duel", "duel:duel"), 2);
    let ask = game.pending().unwrap();
    let ranked = search::rank_answers(&game, ask, ask.seat(), 1, &Budget::Playouts(60)).unwrap();
    assert!(ranked.len() > 1);
    assert!(
        ranked
            .iter()
            .all(|answer| answer.best <= answer.playouts() && answer.best_percent() <= 100)
    );
    assert!(ranked[0].mean_evaluation() >= ranked[1].mean_evaluation() && ranked[0].playouts() > 0);
    let watch = Budget::Watch(Rc::new(|| {
        let looked = std::cell::Cell::new(0);
        Box::new(move || looked.replace(looked.get() + 100))
    }));
    assert!(
        !search::rank_answers(&game, ask, ask.seat(), 1, &watch)
            .unwrap()
            .is_empty()
    );
}

fn odds_add_up() {
    for (mode, seats) in [("duel", 2), ("beast", 1)] {
        let game = start_fight(&rules("tests/packs/duel", &format!("duel:{mode}")), seats);
        let odds = odds::odds(&game, SeatId(0), 1, |fights| fights < 60)
            .unwrap()
            .unwrap();
        let wins: usize = odds.sides.iter().map(|(_, wins)| wins).sum();
        assert_eq!((odds.sides.len(), odds.fights), (2, 60));
        assert_eq!(wins + odds.drawn + odds.undecided, 60);
        assert!(odds.sides.iter().any(|(_, wins)| *wins > 0), "{odds:?}");
        assert_eq!(
            odds::odds(&game, SeatId(0), 1, |fights| fights < 60)
                .unwrap()
                .unwrap(),
            odds
        );
    }
    let game = start_game(&rules("tests/packs/duel", "duel:duel"), 2, 4);
    assert_eq!(odds::odds(&game, SeatId(0), 1, |_| true).unwrap(), None);
}

fn search_gives_valid_answers() {
    let mut game = start_game(&rules("tests/packs/parley", "parley:court"), 3, 1);
    for number in 0..60 {
        let Some(ask) = game.pending() else { break };
        let answer = search::answer(
            &game,
            ask,
            Question::seat(ask),
            number,
            &Budget::Playouts(6),
        )
        .unwrap();
        game.answer(answer).unwrap();
    }
}
