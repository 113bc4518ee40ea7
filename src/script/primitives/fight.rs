//! Fights: scripts start them, the engine runs them, and rules of the pack decide them.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::operators::map_cost;
use crate::script::primitive::*;

use super::flow::follow_up;
use crate::content::{ChainId, SeatId};
use crate::game::fight::{self as fights, FightPlan};
use crate::game::state::Fighter;
use crate::game::{Cx, Entity, StepResult, packet};

fn object_of(cx: &Cx, value: &Value) -> StepResult<Entity> {
    match value.entity() {
        Some(object) => Ok(object),
        None => Err(cx.fault("a fighter must be a seat or a piece")),
    }
}

fn chain_of(cx: &Cx, name: &str) -> StepResult<ChainId> {
    cx.symbol(name)
        .chain
        .ok_or_else(|| cx.fault(format!("unknown chain `{name}`")))
}

fn text_in(map: &Map, name: &str) -> Option<Text> {
    match map.get(name) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

fn object_in(map: &Map, name: &str) -> Option<Entity> {
    map.get(name).and_then(crate::value::Value::entity)
}

/// Reads a fighter from a map: `#{ who: actor, side: 0, chain: "wounds" }`.
fn fighter(cx: &Cx, map: &Map) -> StepResult<Fighter> {
    let Some(who) = object_in(map, "who") else {
        return Err(cx.fault("a fighter needs `who`: a seat or a piece"));
    };
    let Some(chain) = text_in(map, "chain") else {
        return Err(cx.fault("a fighter needs a `chain`"));
    };
    let chain = chain_of(cx, &chain)?;
    let side = map
        .get("side")
        .and_then(crate::value::Value::int)
        .unwrap_or(0);
    let controller = object_in(map, "controller")
        .and_then(Entity::seat)
        .unwrap_or_else(|| match who {
            Entity::Seat(seat) => seat,
            _ => cx.actor.unwrap_or(SeatId(0)),
        });
    Ok(fights::fighter(
        who,
        u8::try_from(side).unwrap_or(0),
        chain,
        controller,
    ))
}

fn parse_fight(cx: &mut Cx, name: &str, map: &Map) -> StepResult<FightPlan> {
    cx.charge_work(map_cost(map))?;
    let Some(def) = cx.symbol(name).fight else {
        return Err(cx.fault(format!("unknown fight `{name}`")));
    };
    let list = map.get("fighters").and_then(|value| match value {
        Value::List(list) => Some(list.clone()),
        _ => None,
    });
    let Some(list) = list.filter(|list| list.len() >= 2) else {
        return Err(cx.fault("a fight needs at least two `fighters`"));
    };
    let maps = list.iter().filter_map(|value| match value {
        Value::Map(map) => Some(map.clone()),
        _ => None,
    });
    let fighters = maps
        .map(|map| fighter(cx, &map))
        .collect::<StepResult<Vec<_>>>()?;
    let piece = match object_in(map, "about") {
        Some(Entity::Piece(piece)) => Some(piece),
        _ => None,
    };
    let (then, then_piece) = follow_up(cx, text_in(map, "then").as_deref())?;
    let seat = object_in(map, "seat")
        .and_then(Entity::seat)
        .or(cx.actor)
        .unwrap_or(SeatId(0));
    Ok(FightPlan {
        def,
        fighters,
        piece,
        seat,
        then,
        then_piece,
    })
}

fn list(cx: &Cx, keep: impl Fn(&Fighter) -> bool) -> List {
    let fighters = cx
        .fight()
        .map(|fight| fight.fighters.as_slice())
        .unwrap_or_default();
    fighters
        .iter()
        .filter(|fighter| keep(fighter))
        .map(|fighter| Value::Entity(fighter.who))
        .collect()
}

/// The properties of `fight`.
pub(in crate::script) const NAMES: &[&str] = &["round", "turn", "fighter", "foe", "about", "id"];

/// Reads `fight.name`.
pub(in crate::script) fn property(cx: &Cx, name: &str) -> StepResult<Value> {
    let Some(fight) = cx.fight() else {
        return Err(cx.fault("no fight is running: check `in_fight()` first"));
    };
    let object = |fighter: Option<&Fighter>| {
        fighter.map_or(Value::Unit, |fighter| Value::Entity(fighter.who))
    };
    Ok(match name {
        "round" => Value::Int(i64::from(fight.round)),
        "turn" => Value::Int(i64::from(fight.turns)),
        "fighter" => object(fights::current(cx)),
        "foe" => object(fights::foe(cx)),
        "about" => fight
            .piece
            .map_or(Value::Unit, |piece| Value::Entity(Entity::Piece(piece))),
        "id" => {
            let entry = cx.content().fights[fight.def.ix()].entry;
            Value::Text(cx.content().entry(entry).id.clone())
        }
        _ => {
            return Err(cx.fault(format!(
                "a fight has no `{name}`: it has round, turn, fighter, foe, about, id"
            )));
        }
    })
}

#[primitives("fights")]
pub mod functions {
    use super::*;

    /// Starts a fight when the current step is over. The first of `fighters` takes the first turn;
    /// `controller` is the seat that decides for a piece. `about` is the piece the fight is about, `seat`
    /// is the seat whose first and last phases run, and `then` names a script in the entry's `then` table.
    /// That script gets the side that is left standing as `value`, or -1.
    /// ```toml
    /// [[action]]
    /// id = "chase-goose"
    /// title = "Chase the goose"
    /// window = "work"
    /// do = '''
    ///     start_fight("battle", #{
    ///         fighters: [
    ///             #{ who: actor, side: 0, chain: "tiring" },
    ///             #{ who: piece("goose"), side: 1, chain: "tiring" },
    ///         ],
    ///         about: piece("goose"),
    ///         then: "calm",
    ///     });
    /// '''
    /// then.calm = 'if value == 0 { actor.coins += 2; }'
    ///
    /// [[case]]
    /// name = "Three flowers are enough"
    /// moves = ["chase-goose", "throw:rose", "throw:tulip", "throw:daisy", "hurl"]
    /// expect.log = ["A fight begins: Battle of flowers", "Goose falls", "The fight is over", "Ann: Coins 3 → 5"]
    /// ```
    #[does(CHANGES)]
    pub fn start_fight(cx: &mut Cx, #[names(Fight)] id: Text, options: Map) -> StepResult<()> {
        super::super::flow::check_agenda_depth(cx)?;
        let plan = parse_fight(cx, &id, &options)?;
        fights::start(cx, plan)
    }

    /// Returns whether a fight is running.
    /// ```rhai
    /// in_fight() // is false
    /// ```
    pub fn in_fight(cx: &mut Cx) -> StepResult<bool> {
        Ok(cx.fight().is_some())
    }

    /// Returns a property of the fight: `id`, `round`, `turn`, `fighter`, `foe` or `about`.
    /// ```rhai
    /// fight.id // is battle
    /// fight.fighter // is Ann
    /// fight.foe // is Ben
    /// fight.round // is 1
    /// fight.turn // is 1
    /// ```
    #[name("[]")]
    pub fn get_fight(cx: &mut Cx, _fight: CurrentFight, name: Text) -> StepResult<Value> {
        property(cx, &name)
    }

    /// Deals damage to a fighter along its chain. Returns `#{ amount, taken, excess, pieces }`.
    /// ```rhai
    /// foe.guard = 1;
    /// let hit = fight.damage(foe, 3);
    /// hit.taken // is 3
    /// foe.guard // is 0
    /// foe.breath // is 3
    /// ```
    #[does(CHANGES)]
    pub fn damage(cx: &mut Cx, _fight: CurrentFight, whom: Entity, amount: i64) -> StepResult<Map> {
        let source = fights::current(cx).map(|fighter| fighter.who);
        fights::damage(cx, source, whom, amount).map(|packet| super::super::packet::result(&packet))
    }

    /// Deals damage from a source other than the fighter whose turn it is.
    /// ```rhai
    /// // The goose turns on Ann in her own turn.
    /// fight.damage_from(piece("goose"), actor, piece("goose").bite);
    /// actor.breath // is 3
    /// ```
    #[does(CHANGES)]
    pub fn damage_from(
        cx: &mut Cx,
        _fight: CurrentFight,
        source: Entity,
        whom: Entity,
        amount: i64,
    ) -> StepResult<Map> {
        fights::damage(cx, Some(source), whom, amount)
            .map(|packet| super::super::packet::result(&packet))
    }

    /// Makes a fighter fall; returns whether it fell.
    /// ```rhai
    /// fight.fall(foe); // is true
    /// fight.standing() // is [Ann, Goose]
    /// ```
    #[does(CHANGES)]
    pub fn fall(cx: &mut Cx, _fight: CurrentFight, who: Entity) -> StepResult<bool> {
        fights::fall(cx, who)
    }

    /// Makes a fighter leave without falling; returns whether it left.
    /// ```rhai
    /// fight.leave(piece("goose")); // is true
    /// fight.standing() // is [Ann, Ben]
    /// ```
    #[name("leave")]
    #[does(CHANGES)]
    pub fn leave_fight(cx: &mut Cx, _fight: CurrentFight, who: Entity) -> StepResult<bool> {
        fights::leave(cx, who)
    }

    /// Adds a fighter after the one whose turn it is; returns whether it joined.
    /// ```rhai
    /// let snail = create("snail", table.yard);
    /// fight.join(#{ who: snail, side: 0, chain: "tiring" }); // is true
    /// fight.fighters() // is [Ann, Snail, Ben, Goose]
    /// ```
    #[does(CHANGES)]
    pub fn join(cx: &mut Cx, _fight: CurrentFight, who: Map) -> StepResult<bool> {
        let newcomer = fighter(cx, &who)?;
        fights::join(cx, newcomer)
    }

    /// Gives the fighter whose turn it is another turn right after this one.
    /// ```toml
    /// [[action]]
    /// id = "second-wind"
    /// title = "Second wind"
    /// window = "bout"
    /// once = "fight"
    /// do = 'fight.again();'
    ///
    /// [[case]]
    /// name = "Ann has two turns in a row"
    /// setup.do = 'throw_flowers(seat(1), seat(2));'
    /// moves = ["second-wind", "done"]
    /// expect.log = ["Fight turn: Ann", "Fight turn: Ann"]
    /// expect.not_log = ["Fight turn: Ben"]
    /// ```
    #[does(CHANGES)]
    pub fn again(cx: &mut Cx, _fight: CurrentFight) -> StepResult<()> {
        cx.require_write_access("an extra turn")?;
        if let Some(fight) = cx.state.fights.last_mut() {
            fight.again = true;
        }
        Ok(())
    }

    /// Ends the fight after the current step.
    /// ```toml
    /// [[action]]
    /// id = "make-peace"
    /// title = "Make peace"
    /// window = "bout"
    /// do = 'fight.end();'
    ///
    /// [[case]]
    /// name = "Nobody has to fall"
    /// setup.do = 'throw_flowers(seat(1), seat(2));'
    /// moves = ["make-peace"]
    /// expect.log = ["The fight is over"]
    /// expect.not_log = ["falls"]
    /// ```
    #[does(CHANGES)]
    pub fn end(cx: &mut Cx, _fight: CurrentFight) -> StepResult<()> {
        fights::end(cx)
    }

    /// Returns all standing fighters in turn order.
    /// ```rhai
    /// fight.standing() // is [Ann, Ben, Goose]
    /// fight.fall(piece("goose"));
    /// fight.standing() // is [Ann, Ben]
    /// ```
    pub fn standing(cx: &mut Cx, _fight: CurrentFight) -> StepResult<List> {
        Ok(list(cx, |fighter| fighter.standing))
    }

    /// Returns the standing fighters of a side.
    /// ```rhai
    /// fight.standing(1) // is [Ben, Goose]
    /// ```
    #[name("standing")]
    pub fn standing_of(cx: &mut Cx, _fight: CurrentFight, side: i64) -> StepResult<List> {
        Ok(list(cx, |fighter| {
            fighter.standing && i64::from(fighter.side) == side
        }))
    }

    /// Returns all fighters in turn order, fallen or not.
    /// ```rhai
    /// fight.fall(piece("goose"));
    /// fight.fighters() // is [Ann, Ben, Goose]
    /// ```
    pub fn fighters(cx: &mut Cx, _fight: CurrentFight) -> StepResult<List> {
        Ok(list(cx, |_| true))
    }

    /// Returns the standing fighters of the other sides.
    /// ```rhai
    /// fight.foes(actor) // is [Ben, Goose]
    /// fight.foes(piece("goose")) // is [Ann]
    /// ```
    pub fn foes(cx: &mut Cx, _fight: CurrentFight, entity: Entity) -> StepResult<List> {
        let side = fights::fighter_of(cx, entity).map(|fighter| fighter.side);
        Ok(list(cx, |fighter| {
            fighter.standing && Some(fighter.side) != side
        }))
    }

    /// Returns the position of a fighter in the turn order, counted from 0, or -1. The query `next_fighter`
    /// takes a position.
    /// ```rhai
    /// fight.position(piece("goose")) // is 2
    /// fight.position(piece("rose")) // is -1
    /// ```
    #[name("position")]
    pub fn place_in_order(cx: &mut Cx, _fight: CurrentFight, who: Entity) -> StepResult<i64> {
        Ok(fights::position(cx, who)
            .and_then(|ix| i64::try_from(ix).ok())
            .unwrap_or(-1))
    }

    /// Changes the turn order before the first turn; fighters that are not in the list come last.
    /// ```toml
    /// [[rule]]
    /// id = "goose-first"
    /// text = "The goose does not wait."
    /// on.fight_start = 'fight.order([piece("goose")]);'
    ///
    /// [[case]]
    /// name = "The goose bites before anyone throws"
    /// setup.do = 'throw_flowers(seat(1), seat(2));'
    /// expect.log = ["A fight begins", "Fight turn: Goose", "Fight turn: Ann"]
    /// expect.state = { "1.breath" = 3 }
    /// ```
    #[does(CHANGES)]
    pub fn order(cx: &mut Cx, _fight: CurrentFight, wanted: List) -> StepResult<()> {
        cx.require_write_access("ordering fighters")?;
        // Each of the fighters is looked for in the list.
        cx.charge_work(wanted.len() as u64 * 4)?;
        let wanted = wanted
            .iter()
            .map(|value| object_of(cx, value))
            .collect::<StepResult<Vec<_>>>()?;
        let Some(fight) = cx.state.fights.last_mut() else {
            return Ok(());
        };
        let targets: Vec<Entity> = fight
            .fighters
            .iter()
            .map(|f| {
                fight
                    .fighters
                    .get(usize::from(f.target))
                    .map_or(f.who, |t| t.who)
            })
            .collect();
        let mut order: Vec<(Fighter, Entity)> =
            fight.fighters.iter().copied().zip(targets).collect();
        let rank = |who: Entity| {
            wanted
                .iter()
                .position(|other| *other == who)
                .unwrap_or(usize::MAX)
        };
        order.sort_by_key(|(fighter, _)| rank(fighter.who));
        fight.fighters = order.iter().map(|(fighter, _)| *fighter).collect();
        for (ix, (_, target)) in order.iter().enumerate() {
            let at = fight
                .fighters
                .iter()
                .position(|other| other.who == *target)
                .unwrap_or(0);
            fight.fighters[ix].target = cast::<_, u8>(at);
        }
        Ok(())
    }

    /// Gives a seat control of a fighter: it decides for the fighter from now on.
    /// ```rhai
    /// chooser(piece("goose")) // is Ben
    /// fight.control(piece("goose"), actor);
    /// chooser(piece("goose")) // is Ann
    /// ```
    #[does(CHANGES, OTHERS)]
    pub fn control(cx: &mut Cx, _fight: CurrentFight, who: Entity, by: Entity) -> StepResult<()> {
        cx.require_write_access("giving control of a fighter")?;
        let seat = super::super::seat::seat_id(cx, by)?;
        let Some(ix) = fights::position(cx, who) else {
            return Err(cx.fault("this seat or piece is not in the fight"));
        };
        if let Some(fight) = cx.state.fights.last_mut() {
            fight.fighters[ix].controller = seat;
        }
        Ok(())
    }

    /// Returns the seat that decides for something: a seat for itself, the controller for a fighter, the
    /// holder for a piece.
    /// ```rhai
    /// chooser(actor) // is Ann
    /// chooser(piece("rose#3")) // is Ben
    /// ```
    pub fn chooser(cx: &mut Cx, who: Entity) -> StepResult<Entity> {
        Ok(Entity::Seat(packet::chooser(cx, who)))
    }
}
