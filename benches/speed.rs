fn main() {
    use kaer::game::*; use kaer::shelf::Shelf; use kaer::pack::{Choice, Source};
    let shelf = Shelf::load(vec![Source::folder("tests/packs/duel")]);
    let choice = Choice { mode: "duel:duel".into(), ..Choice::default() };
    let (rules, report) = shelf.open(&choice, None);
    assert!(report.is_sound());
    let rules = rules.unwrap();
    let setup = Setup { names: vec!["A".into(), "B".into()], seed: 1, log: true, ..Setup::default() };
    let mut game = Game::new(rules.clone(), setup).unwrap();
    game.run();
    for _ in 0..5 { 
        let d = game.decision().unwrap();
        let key = d.options.iter().find(|o| o.closed.is_none() && o.key.starts_with("buy")).or(d.options.iter().find(|o| o.key=="odd-jobs")).unwrap().key.clone();
        let s = d.seats[0];
        game.answer_keys(s, &[key]).unwrap();
    }
    let base = game.state().clone();
    let n: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(20000);
    for _ in 0..3 {
    let t = std::time::Instant::now();
    let mut sum = 0u64; let mut runs=0u64;
    for seed in 0..n {
        let mut st = base.clone(); st.seed = seed;
        game.reset(&st);
        game.seat_agent(Some(Box::new(kaer::agents::Random::new(seed))));
        game.run();
        let over = game.state().over.as_ref().unwrap();
        sum = sum.wrapping_mul(31).wrapping_add(over.winners.first().map_or(9, |s| s.0 as u64));
        runs += game.log().lines.len() as u64;
    }
    let e = t.elapsed();
    println!("{} ns/fight, {} lines/fight sum {sum:x} faults {}", e.as_nanos() as u64 / n, runs / n, game.faults().len());
    }
}
