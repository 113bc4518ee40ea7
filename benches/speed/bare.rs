//! The duel written directly in Rust, without scripts, events or a log. The same seeds give the
//! same checksum.

use kaer::agents::RandomPlayer;
use kaer::content::{PieceId, Value};
use kaer::game::{Entity, StepContext};

/// The fields of a card that a fight needs.
#[derive(Clone, Copy)]
struct Card {
    entry: u16,
    colour: u8,
    damage: i64,
    guard: i64,
    draw: i64,
    spite: i64,
    measured: bool,
    /// Colour, damage, guard and draw of each link.
    links: [Option<(u8, i64, i64, i64)>; 3],
}

const ANY: u8 = 3;

#[derive(Clone)]
struct Player {
    deck: Vec<Card>,
    hand: Vec<Card>,
    discard: Vec<Card>,
    guard: i64,
    brace: i64,
    skill: i64,
    standing: bool,
}

/// A fight at its first decision.
#[derive(Clone)]
pub struct Fight {
    players: [Player; 2],
    current: usize,
}

fn colour(name: &str) -> u8 {
    match name {
        "red" => 0,
        "blue" => 1,
        "green" => 2,
        _ => ANY,
    }
}

fn card(context: &StepContext, piece: PieceId) -> Card {
    let id = context.entry_of(piece);
    let entry = context.content().entry(id);
    let int = |name: &str| entry.field(name).and_then(Value::int).unwrap_or(0);
    let mut links = [None; 3];
    for (slot, link) in links
        .iter_mut()
        .zip(entry.field("links").map_or(&[][..], Value::list))
    {
        let of = |name: &str| link.get(name).and_then(Value::int).unwrap_or(0);
        let to = link.get("colour").and_then(Value::text).unwrap_or("any");
        *slot = Some((colour(to), of("damage"), of("guard"), of("draw")));
    }
    Card {
        entry: id.0,
        colour: colour(entry.text("colour").unwrap_or("any")),
        damage: int("damage"),
        guard: int("guard"),
        draw: int("draw"),
        spite: int("spite"),
        measured: &*entry.id == "measured-cut",
        links,
    }
}

impl Fight {
    /// Extracts the fight of a running game of *duel*.
    pub fn capture(context: &StepContext) -> Fight {
        let zone = |seat: u8, name: &str| {
            let zone = context
                .content()
                .symbol(name)
                .zone
                .expect("duel has that zone");
            let of = Entity::Seat(kaer::content::SeatId(seat));
            let at = context
                .state
                .zones
                .at(context.content(), of, zone)
                .expect("a seat has that zone");
            context
                .state
                .zones
                .pieces(at)
                .iter()
                .map(|piece| card(context, PieceId(*piece)))
                .collect::<Vec<_>>()
        };
        let counter = |seat: u8, name: &str| {
            let counter = context
                .content()
                .symbol(name)
                .counter
                .expect("duel has that counter");
            i64::from(context.state.base(
                context.content(),
                Entity::Seat(kaer::content::SeatId(seat)),
                counter,
            ))
        };
        let player = |seat: u8| Player {
            deck: zone(seat, "deck"),
            hand: zone(seat, "hand"),
            discard: zone(seat, "discard"),
            guard: counter(seat, "guard"),
            brace: counter(seat, "brace"),
            skill: counter(seat, "skill"),
            standing: true,
        };
        let first = match context.fight().map(|fight| fight.fighters[0].who) {
            Some(Entity::Seat(seat)) => usize::from(seat.0),
            _ => 0,
        };
        Fight {
            players: [player(0), player(1)],
            current: first,
        }
    }

    /// Runs the fight to its end and returns the winner: 0, 1, or 9 for nobody.
    pub fn run(&mut self, seed: u64) -> u64 {
        let mut agent = RandomPlayer::new(seed);
        loop {
            self.turn(&mut agent);
            let standing: Vec<usize> = (0..2).filter(|ix| self.players[*ix].standing).collect();
            match standing[..] {
                [] => return 9,
                [only] => return only as u64,
                _ => {}
            }
            self.current = 1 - self.current;
        }
    }

    fn turn(&mut self, agent: &mut RandomPlayer) {
        let me = self.current;
        let combo = self.combo(agent);
        let total = |value: fn(&(Card, Option<usize>)) -> i64| combo.iter().map(value).sum::<i64>();
        let damage = total(|(card, link)| {
            card.damage + link.and_then(|ix| card.links[ix]).map_or(0, |l| l.1)
        });
        let guard = total(|(card, link)| {
            card.guard + link.and_then(|ix| card.links[ix]).map_or(0, |l| l.2)
        });
        let draw =
            total(|(card, link)| card.draw + link.and_then(|ix| card.links[ix]).map_or(0, |l| l.3));
        if damage > 0 {
            self.damage(me, 1 - me, damage, agent);
        }
        let player = &mut self.players[me];
        player.guard = (player.guard + guard).min(player.brace.max(player.guard));
        for (card, _) in &combo {
            if card.measured && self.players[me].guard == self.players[me].brace {
                self.damage(me, 1 - me, card.damage, agent);
            }
        }
        let player = &mut self.players[me];
        for _ in 0..player.skill + draw {
            if player.hand.len() >= 7 || player.deck.is_empty() {
                break;
            }
            let card = player.deck.remove(0);
            player.hand.push(card);
        }
        player.discard.extend(combo.iter().map(|(card, _)| *card));
        if player.deck.is_empty() && player.hand.is_empty() {
            player.standing = false;
        }
    }

    fn combo(&mut self, agent: &mut RandomPlayer) -> Vec<(Card, Option<usize>)> {
        let hand = &mut self.players[self.current].hand;
        let mut combo: Vec<(Card, Option<usize>)> = Vec::new();
        loop {
            let mut groups: Vec<usize> = Vec::new();
            for (ix, card) in hand.iter().enumerate() {
                let follows = combo
                    .last()
                    .is_none_or(|(last, _)| link_to(last, card).is_some());
                if follows && !groups.iter().any(|other| hand[*other].entry == card.entry) {
                    groups.push(ix);
                }
            }
            if groups.is_empty() {
                return combo;
            }
            let picked = agent.below(groups.len() + 1);
            let Some(&ix) = groups.get(picked) else {
                return combo;
            };
            let card = hand.remove(ix);
            if let Some((last, link)) = combo.last_mut() {
                *link = link_to(last, &card);
            }
            combo.push((card, None));
        }
    }

    fn damage(&mut self, from: usize, to: usize, amount: i64, agent: &mut RandomPlayer) {
        let player = &mut self.players[to];
        let taken = player.guard.min(amount);
        player.guard -= taken;
        let mut remaining = amount - taken;
        while remaining > 0 && !self.players[to].deck.is_empty() {
            let card = self.players[to].deck.remove(0);
            remaining -= 1;
            self.lose(from, to, card, agent);
        }
        let count = usize::try_from(remaining)
            .unwrap_or(0)
            .min(self.players[to].hand.len());
        if count > 0 {
            self.lose_chosen(from, to, count, agent);
        }
        let player = &mut self.players[to];
        if player.deck.is_empty() && player.hand.is_empty() {
            player.standing = false;
        }
    }

    fn lose(&mut self, from: usize, to: usize, card: Card, agent: &mut RandomPlayer) {
        self.players[to].discard.push(card);
        if card.spite > 0 {
            self.damage(to, from, card.spite, agent);
        }
    }

    fn lose_chosen(&mut self, from: usize, to: usize, count: usize, agent: &mut RandomPlayer) {
        let hand = &self.players[to].hand;
        let picked: Vec<usize> = if count == hand.len() {
            (0..count).collect()
        } else {
            let mut groups: Vec<Vec<usize>> = Vec::new();
            for ix in 0..hand.len() {
                match groups
                    .iter_mut()
                    .find(|group| hand[group[0]].entry == hand[ix].entry)
                {
                    Some(group) => group.push(ix),
                    None => groups.push(vec![ix]),
                }
            }
            pick(&groups, count, agent)
        };
        let cards: Vec<(usize, Card)> = picked.iter().map(|ix| (*ix, hand[*ix])).collect();
        let mut order: Vec<usize> = picked;
        order.sort_unstable_by(|a, b| b.cmp(a));
        // Remove the cards by descending index first; none of them can return to the hand
        // meanwhile.
        for ix in order {
            self.players[to].hand.remove(ix);
        }
        for (_, card) in cards {
            self.lose(from, to, card, agent);
        }
    }
}

fn pick(groups: &[Vec<usize>], count: usize, agent: &mut RandomPlayer) -> Vec<usize> {
    if count == 1 {
        // A question with a single option costs no random number.
        if let [equal] = groups {
            return vec![equal[0]];
        }
        return vec![groups[agent.below(groups.len())][0]];
    }
    let mut all: Vec<usize> = Vec::new();
    for (ix, group) in groups.iter().enumerate() {
        all.extend(std::iter::repeat_n(ix, group.len()));
    }
    agent.below(1);
    let mut taken = vec![0; groups.len()];
    let mut picked = Vec::new();
    while picked.len() < count {
        let at = agent.below(all.len());
        let group = all.swap_remove(at);
        picked.push(groups[group][taken[group]]);
        taken[group] += 1;
    }
    picked
}

fn link_to(last: &Card, next: &Card) -> Option<usize> {
    let links = || last.links.iter().flatten().enumerate();
    let exact = links().find(|(_, link)| link.0 == next.colour);
    exact
        .or_else(|| links().find(|(_, link)| link.0 == ANY || next.colour == ANY))
        .map(|(ix, _)| ix)
}
