//! Losses: packets of points that a chain absorbs link by link.

use arcstr::literal;
use kaer_macros::primitives;
use smallvec::SmallVec;

use super::piece::list;
use crate::content::link;
use crate::game::packet::{self, ChainLinks, Packet};
use crate::game::{Cx, Entity, StepResult, fight};
use crate::script::primitive::*;

/// The links of a chain by its id.
fn chain(cx: &Cx, name: &str) -> StepResult<ChainLinks> {
    match cx.symbol(name).chain {
        Some(chain) => Ok(cx.content().chains[chain.ix()].links.as_slice().into()),
        None => Err(cx.fault(format!("unknown chain `{name}`"))),
    }
}

/// The links in a script's list: `["hand?", "deck"]`.
fn parse_links(cx: &mut Cx, names: &List) -> StepResult<ChainLinks> {
    cx.charge_work(names.len() as u64 * 8)?;
    let parse_link = |value: &Value| {
        let text = value
            .text()
            .map(std::string::ToString::to_string)
            .unwrap_or_default();
        link(cx.content(), cx.script_pack, &text)
            .ok_or_else(|| cx.fault(format!("`{text}` is not a link: name a counter or a zone")))
    };
    names.iter().map(parse_link).collect()
}

/// The result of a loss for scripts.
pub(super) fn result(packet: &Packet) -> Map {
    let mut map = Map::default();
    map.insert("amount".into(), Value::Int(packet.amount));
    map.insert("taken".into(), Value::Int(packet.total()));
    map.insert("excess".into(), Value::Int(packet.remaining.max(0)));
    map.insert(
        "pieces".into(),
        Value::List(list(packet.pieces.iter().copied())),
    );
    map
}

fn source(cx: &Cx) -> Option<Entity> {
    cx.actor.map(Entity::Seat)
}

/// The properties of `packet`.
pub(in crate::script) const NAMES: &[&str] = &["remaining", "amount", "taken", "purpose", "pieces"];

/// Reads `packet.name`.
pub(in crate::script) fn read(cx: &Cx, name: &str) -> StepResult<Value> {
    let Some(packet) = cx.packets.last() else {
        return Err(cx.fault("no loss is being resolved: `packet` works only in its hooks"));
    };
    Ok(match name {
        "remaining" => Value::Int(packet.remaining),
        "amount" => Value::Int(packet.amount),
        "taken" => Value::Int(packet.total()),
        "purpose" => Value::Text(packet.purpose.clone()),
        "pieces" => Value::List(list(packet.pieces.iter().copied())),
        _ => {
            return Err(cx.fault(format!(
                "a loss has no `{name}`: it has {}",
                NAMES.join(", ")
            )));
        }
    })
}

/// Writes `packet.name = value`.
pub(in crate::script) fn write(cx: &mut Cx, name: &str, value: i64) -> StepResult {
    cx.require_write_access("changing a loss")?;
    match (cx.packets.last_mut(), name) {
        (Some(packet), "remaining") => packet.remaining = value.max(0),
        _ => {
            return Err(cx.fault(
                "only `remaining` of a loss can be set; before it begins, set `event.amount`",
            ));
        }
    }
    Ok(())
}

#[primitives("losses")]
pub mod functions {
    use super::*;

    /// Makes something lose points along a chain. Returns `#{ amount, taken, excess, pieces }`.
    /// ```rhai
    /// // Water first, then a flower of one's choice.
    /// let loss = suffer(actor, 3, "thirst"); // answer: daisy
    /// loss.taken // is 3
    /// actor.water // is 0
    /// actor.hand.pieces() // is [Rose, Tulip]
    /// ```
    #[does(CHANGES)]
    pub fn suffer(
        cx: &mut Cx,
        object: Entity,
        amount: i64,
        #[names(Chain)] name: Text,
    ) -> StepResult<Map> {
        let links = chain(cx, &name)?;
        let by = source(cx);
        packet::apply_loss(cx, by, object, name, amount, links).map(|packet| result(&packet))
    }

    /// Makes something lose points along a list of links: `"water"` is a counter, `"deck"` a zone from its
    /// top, `"hand?"` a zone by choice, `"hand*"` a zone at random.
    /// ```rhai
    /// let loss = suffer(actor, 5, ["coins", "deck"]);
    /// loss.pieces // is [Daisy, Thistle]
    /// actor.coins // is 0
    /// ```
    #[name("suffer")]
    #[does(CHANGES)]
    pub fn suffer_along(cx: &mut Cx, object: Entity, amount: i64, names: List) -> StepResult<Map> {
        let links = parse_links(cx, &names)?;
        let by = source(cx);
        packet::apply_loss(cx, by, object, literal!("loss"), amount, links)
            .map(|packet| result(&packet))
    }

    /// Returns what damage would take from a fighter now, without taking it: `#{ pieces, points }`.
    /// ```rhai
    /// // In a battle guard goes before breath, and no flower is lost.
    /// preview(foe, 2).points // is 2
    /// preview(foe, 2).pieces // is 0
    /// foe.breath // is 5
    /// ```
    pub fn preview(cx: &mut Cx, object: Entity, amount: i64) -> StepResult<Map> {
        let Some(chain) = fight::fighter_of(cx, object).map(|fighter| fighter.chain) else {
            return Err(cx.fault("`preview` works only for a fighter in the current fight"));
        };
        let links = &cx.content().chains[chain.ix()].links;
        let (pieces, points) = packet::preview(&cx.state, cx.content(), object, amount, links);
        let mut map = Map::default();
        map.insert("pieces".into(), Value::Int(pieces));
        map.insert("points".into(), Value::Int(points));
        Ok(map)
    }

    /// Returns a property of the loss: `remaining` (still to be absorbed), `amount` (its size), `taken`
    /// (absorbed so far), `pieces` (those lost) or `purpose`.
    /// ```toml
    /// [[rule]]
    /// id = "dizzy"
    /// on.after_damage = 'if event.packet.taken >= 2 { event.of.mark("dizzy"); }'
    ///
    /// [[case]]
    /// name = "A player who loses two at once is dizzy"
    /// setup.do = 'suffer(seat(1), 2, "thirst");'
    /// expect.state = { "1.dizzy" = 1 }
    /// ```
    #[name("[]")]
    pub fn get_packet(cx: &mut Cx, _packet: CurrentPacket, name: Text) -> StepResult<Value> {
        read(cx, &name)
    }

    /// Sets `remaining`, the part of the loss that is still to be absorbed.
    /// ```toml
    /// [[rule]]
    /// id = "straw-hats"
    /// text = "Of every loss one point is spared."
    /// on.before_damage = 'event.packet.remaining -= 1;'
    ///
    /// [[case]]
    /// name = "Two are one"
    /// setup.do = 'suffer(seat(1), 2, "thirst");'
    /// expect.state = { "1.water" = 1 }
    /// ```
    #[name("[]=")]
    #[does(CHANGES)]
    pub fn set_packet(
        cx: &mut Cx,
        _packet: CurrentPacket,
        name: Text,
        value: i64,
    ) -> StepResult<()> {
        write(cx, &name, value)
    }

    /// Sends the loss along other links.
    /// ```toml
    /// [[rule]]
    /// id = "buy-a-drink"
    /// text = "Whoever is thirsty pays with coins first."
    /// on.before_damage = 'if event.purpose == "thirst" { event.packet.reroute(["coins", "water"]); }'
    ///
    /// [[case]]
    /// name = "Three coins and one water"
    /// setup.do = 'suffer(seat(1), 4, "thirst");'
    /// expect.state = { "1.coins" = 0, "1.water" = 1, "1.hand" = 3 }
    /// ```
    #[does(CHANGES)]
    pub fn reroute(cx: &mut Cx, _packet: CurrentPacket, names: List) -> StepResult<()> {
        cx.require_write_access("changing a loss")?;
        let links = parse_links(cx, &names)?;
        if let Some(packet) = cx.packets.last_mut() {
            packet.taken = SmallVec::from_elem(0, links.len());
            packet.links = links;
        }
        Ok(())
    }
}
