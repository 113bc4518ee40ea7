//! Fights: scripts start them, the engine runs them, and rules of the pack decide them.

use crate::number::cast;
use rhai::plugin::*;
use rhai::{Array, Dynamic, ImmutableString, Map};

use super::super::host::{HostResult, with};
use super::super::types::{EntityRef, FightRef};
use super::flow::follow_up;
use crate::content::{ChainId, SeatId};
use crate::game::fight::{self as fights, FightPlan};
use crate::game::state::Fighter;
use crate::game::{Cx, Entity, StepResult, packet};

fn thing_of(cx: &Cx, value: &Dynamic) -> StepResult<Entity> {
    match value.read_lock::<EntityRef>() {
        Some(thing) => Ok(thing.0),
        None => Err(cx.fault("a fighter must be a seat or a piece")),
    }
}

fn chain_of(cx: &Cx, name: &str) -> StepResult<ChainId> {
    cx.content()
        .symbol(name)
        .chain
        .ok_or_else(|| cx.fault(format!("unknown chain `{name}`")))
}

fn text_in(map: &Map, name: &str) -> Option<ImmutableString> {
    map.get(name).and_then(|value| {
        value
            .read_lock::<ImmutableString>()
            .map(|text| text.clone())
    })
}

fn thing_in(map: &Map, name: &str) -> Option<Entity> {
    map.get(name)
        .and_then(|value| value.read_lock::<EntityRef>().map(|thing| thing.0))
}

/// Reads a fighter from a map: `#{ who: actor, side: 0, chain: "wounds" }`.
fn fighter(cx: &Cx, map: &Map) -> StepResult<Fighter> {
    let Some(who) = thing_in(map, "who") else {
        return Err(cx.fault("a fighter needs `who`: a seat or a piece"));
    };
    let Some(chain) = text_in(map, "chain") else {
        return Err(cx.fault("a fighter needs a `chain`"));
    };
    let chain = chain_of(cx, &chain)?;
    let side = map
        .get("side")
        .and_then(|value| value.as_int().ok())
        .unwrap_or(0);
    let controller = thing_in(map, "controller")
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

fn plan(cx: &Cx, name: &str, map: &Map) -> StepResult<FightPlan> {
    let Some(def) = cx.content().symbol(name).fight else {
        return Err(cx.fault(format!("unknown fight `{name}`")));
    };
    let list = map
        .get("fighters")
        .and_then(|value| value.read_lock::<Array>().map(|list| list.clone()));
    let Some(list) = list.filter(|list| list.len() >= 2) else {
        return Err(cx.fault("a fight needs at least two `fighters`"));
    };
    let maps = list
        .iter()
        .filter_map(|value| value.read_lock::<Map>().map(|map| map.clone()));
    let fighters = maps
        .map(|map| fighter(cx, &map))
        .collect::<StepResult<Vec<_>>>()?;
    let piece = match thing_in(map, "about") {
        Some(Entity::Piece(piece)) => Some(piece),
        _ => None,
    };
    let (then, then_piece) = follow_up(cx, text_in(map, "then").as_deref())?;
    let seat = thing_in(map, "seat")
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

fn list(cx: &Cx, keep: impl Fn(&Fighter) -> bool) -> Array {
    let fighters = cx
        .fight()
        .map(|fight| fight.fighters.as_slice())
        .unwrap_or_default();
    fighters
        .iter()
        .filter(|fighter| keep(fighter))
        .map(|fighter| Dynamic::from(EntityRef(fighter.who)))
        .collect()
}

/// The properties of `fight`.
pub(in crate::script) const NAMES: &[&str] = &["round", "turn", "fighter", "foe", "about", "id"];

/// Reads `fight.name`.
pub(in crate::script) fn property(cx: &Cx, name: &str) -> StepResult<Dynamic> {
    let Some(fight) = cx.fight() else {
        return Err(cx.fault("no fight is running: check `in_fight()` first"));
    };
    let thing = |fighter: Option<&Fighter>| {
        fighter.map_or(Dynamic::UNIT, |fighter| {
            Dynamic::from(EntityRef(fighter.who))
        })
    };
    Ok(match name {
        "round" => Dynamic::from_int(i64::from(fight.round)),
        "turn" => Dynamic::from_int(i64::from(fight.turns)),
        "fighter" => thing(fights::current(cx)),
        "foe" => thing(fights::foe(cx)),
        "about" => fight.piece.map_or(Dynamic::UNIT, |piece| {
            Dynamic::from(EntityRef(Entity::Piece(piece)))
        }),
        "id" => {
            let entry = cx.content().fights[fight.def.ix()].entry;
            Dynamic::from(ImmutableString::from(&*cx.content().entry(entry).id))
        }
        _ => {
            return Err(cx.fault(format!(
                "a fight has no `{name}`: it has round, turn, fighter, foe, about, id"
            )));
        }
    })
}

#[export_module]
pub mod words {
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
    #[rhai_fn(return_raw)]
    pub fn start_fight(id: ImmutableString, about: Map) -> HostResult<()> {
        with(|cx| {
            super::super::flow::room_on_agenda(cx)?;
            let plan = plan(cx, &id, &about)?;
            fights::start(cx, plan)
        })
    }

    /// Returns whether a fight is running.
    /// ```rhai
    /// in_fight() // is false
    /// ```
    #[rhai_fn(return_raw)]
    pub fn in_fight() -> HostResult<bool> {
        with(|cx| Ok(cx.fight().is_some()))
    }

    /// Returns a property of the fight: `id`, `round`, `turn`, `fighter`, `foe` or `about`.
    /// ```rhai
    /// fight.id // is battle
    /// fight.fighter // is Ann
    /// fight.foe // is Ben
    /// fight.round // is 1
    /// fight.turn // is 1
    /// ```
    #[rhai_fn(index_get, return_raw)]
    pub fn get_fight(_fight: &mut FightRef, name: ImmutableString) -> HostResult<Dynamic> {
        with(|cx| property(cx, &name))
    }

    /// Deals damage to a fighter along its chain. Returns `#{ amount, taken, excess, pieces }`.
    /// ```rhai
    /// foe.guard = 1;
    /// let hit = fight.damage(foe, 3);
    /// hit.taken // is 3
    /// foe.guard // is 0
    /// foe.breath // is 3
    /// ```
    #[rhai_fn(name = "damage", return_raw)]
    pub fn damage(_fight: FightRef, whom: EntityRef, amount: i64) -> HostResult<Map> {
        with(|cx| {
            let source = fights::current(cx).map(|fighter| fighter.who);
            fights::damage(cx, source, whom.0, amount)
                .map(|packet| super::super::packet::result(&packet))
        })
    }

    /// Deals damage from a source other than the fighter whose turn it is.
    /// ```rhai
    /// // The goose turns on Ann in her own turn.
    /// fight.damage_from(piece("goose"), actor, piece("goose").bite);
    /// actor.breath // is 3
    /// ```
    #[rhai_fn(name = "damage_from", return_raw)]
    pub fn damage_from(
        _fight: FightRef,
        source: EntityRef,
        whom: EntityRef,
        amount: i64,
    ) -> HostResult<Map> {
        with(|cx| {
            fights::damage(cx, Some(source.0), whom.0, amount)
                .map(|packet| super::super::packet::result(&packet))
        })
    }

    /// Makes a fighter fall; returns whether it fell.
    /// ```rhai
    /// fight.fall(foe); // is true
    /// fight.standing() // is [Ann, Goose]
    /// ```
    #[rhai_fn(name = "fall", return_raw)]
    pub fn fall(_fight: FightRef, who: EntityRef) -> HostResult<bool> {
        with(|cx| fights::fall(cx, who.0))
    }

    /// Makes a fighter leave without falling; returns whether it left.
    /// ```rhai
    /// fight.leave(piece("goose")); // is true
    /// fight.standing() // is [Ann, Ben]
    /// ```
    #[rhai_fn(name = "leave", return_raw)]
    pub fn leave_fight(_fight: FightRef, who: EntityRef) -> HostResult<bool> {
        with(|cx| fights::leave(cx, who.0))
    }

    /// Adds a fighter after the one whose turn it is; returns whether it joined.
    /// ```rhai
    /// let snail = create("snail", table.yard);
    /// fight.join(#{ who: snail, side: 0, chain: "tiring" }); // is true
    /// fight.fighters() // is [Ann, Snail, Ben, Goose]
    /// ```
    #[rhai_fn(name = "join", return_raw)]
    pub fn join(_fight: FightRef, who: Map) -> HostResult<bool> {
        with(|cx| {
            let newcomer = fighter(cx, &who)?;
            fights::join(cx, newcomer)
        })
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
    #[rhai_fn(name = "again", return_raw)]
    pub fn again(_fight: FightRef) -> HostResult<()> {
        with(|cx| {
            cx.require_write_access("an extra turn")?;
            if let Some(fight) = cx.state.fights.last_mut() {
                fight.again = true;
            }
            Ok(())
        })
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
    #[rhai_fn(name = "end", return_raw)]
    pub fn end(_fight: FightRef) -> HostResult<()> {
        with(fights::end)
    }

    /// Returns all standing fighters in turn order.
    /// ```rhai
    /// fight.standing() // is [Ann, Ben, Goose]
    /// fight.fall(piece("goose"));
    /// fight.standing() // is [Ann, Ben]
    /// ```
    #[rhai_fn(name = "standing", return_raw)]
    pub fn standing(_fight: FightRef) -> HostResult<Array> {
        with(|cx| Ok(list(cx, |fighter| fighter.standing)))
    }

    /// Returns the standing fighters of a side.
    /// ```rhai
    /// fight.standing(1) // is [Ben, Goose]
    /// ```
    #[rhai_fn(name = "standing", return_raw)]
    pub fn standing_of(_fight: FightRef, side: i64) -> HostResult<Array> {
        with(|cx| {
            Ok(list(cx, |fighter| {
                fighter.standing && i64::from(fighter.side) == side
            }))
        })
    }

    /// Returns all fighters in turn order, fallen or not.
    /// ```rhai
    /// fight.fall(piece("goose"));
    /// fight.fighters() // is [Ann, Ben, Goose]
    /// ```
    #[rhai_fn(name = "fighters", return_raw)]
    pub fn fighters(_fight: FightRef) -> HostResult<Array> {
        with(|cx| Ok(list(cx, |_| true)))
    }

    /// Returns the standing fighters of the other sides.
    /// ```rhai
    /// fight.foes(actor) // is [Ben, Goose]
    /// fight.foes(piece("goose")) // is [Ann]
    /// ```
    #[rhai_fn(name = "foes", return_raw)]
    pub fn foes(_fight: FightRef, of: EntityRef) -> HostResult<Array> {
        with(|cx| {
            let side = fights::fighter_of(cx, of.0).map(|fighter| fighter.side);
            Ok(list(cx, |fighter| {
                fighter.standing && Some(fighter.side) != side
            }))
        })
    }

    /// Returns the position of a fighter in the turn order, counted from 0, or -1. The query `next_fighter`
    /// takes a position.
    /// ```rhai
    /// fight.position(piece("goose")) // is 2
    /// fight.position(piece("rose")) // is -1
    /// ```
    #[rhai_fn(name = "position", return_raw)]
    pub fn place_in_order(_fight: FightRef, who: EntityRef) -> HostResult<i64> {
        with(|cx| {
            Ok(fights::position(cx, who.0)
                .and_then(|ix| i64::try_from(ix).ok())
                .unwrap_or(-1))
        })
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
    #[rhai_fn(name = "order", return_raw)]
    pub fn order(_fight: FightRef, wanted: Array) -> HostResult<()> {
        with(|cx| {
            cx.require_write_access("ordering fighters")?;
            let wanted = wanted
                .iter()
                .map(|value| thing_of(cx, value))
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
        })
    }

    /// Gives a seat control of a fighter: it decides for the fighter from now on.
    /// ```rhai
    /// chooser(piece("goose")) // is Ben
    /// fight.control(piece("goose"), actor);
    /// chooser(piece("goose")) // is Ann
    /// ```
    #[rhai_fn(name = "control", return_raw)]
    pub fn control(_fight: FightRef, who: EntityRef, by: EntityRef) -> HostResult<()> {
        with(|cx| {
            cx.require_write_access("giving control of a fighter")?;
            let seat = super::super::seat::seat_id(cx, by)?;
            let Some(ix) = fights::position(cx, who.0) else {
                return Err(cx.fault("this seat or piece is not in the fight"));
            };
            if let Some(fight) = cx.state.fights.last_mut() {
                fight.fighters[ix].controller = seat;
            }
            Ok(())
        })
    }

    /// Returns the seat that decides for something: a seat for itself, the controller for a fighter, the
    /// holder for a piece.
    /// ```rhai
    /// chooser(actor) // is Ann
    /// chooser(piece("rose#3")) // is Ben
    /// ```
    #[rhai_fn(name = "chooser", return_raw)]
    pub fn chooser(who: EntityRef) -> HostResult<EntityRef> {
        with(|cx| Ok(EntityRef(Entity::Seat(packet::chooser(cx, who.0)))))
    }
}
