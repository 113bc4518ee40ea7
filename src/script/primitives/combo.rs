//! Combos: cards played in a row, linked by colour.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::primitive::*;

use super::piece::{ids, list, piece_id};
use crate::content::{ComboPass, PieceId};
use crate::game::{Cx, Entity, combo as combos};

fn colours(cx: &mut Cx, colour: &str) -> StepResult<usize> {
    let cards = cx.state.combo.len() as u64;
    cx.charge_work(cards)?;
    Ok(cx
        .state
        .combo
        .iter()
        .filter(|card| combos::colour(cx, card.piece) == colour)
        .count())
}

fn int(n: usize) -> i64 {
    cast::<_, i64>(n)
}

#[primitives("combos")]
pub mod functions {
    use super::*;

    /// Returns the pieces of a zone that may be added now.
    /// ```rhai
    /// combo.next(actor.hand) // is [Rose, Tulip, Daisy]
    /// combo.add(piece("rose"));
    /// // The rose has a link to blue only.
    /// combo.next(actor.hand) // is [Tulip]
    /// ```
    pub fn next(cx: &mut Cx, _combo: CurrentCombo, zone: ZoneAt) -> StepResult<List> {
        let count = cx.state.zones.count(zone) as u64;
        cx.charge_work(count / 8)?;
        let pieces: Vec<u16> = cx.state.zones.pieces(zone).to_vec();
        Ok(list(combos::next(cx, pieces.into_iter().map(PieceId))?))
    }

    /// Returns the pieces of a list that may be added now.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.next(table.market.pieces()) // is [Tulip]
    /// ```
    #[name("next")]
    pub fn next_of(cx: &mut Cx, _combo: CurrentCombo, pieces: List) -> StepResult<List> {
        let pieces = ids(cx, &pieces)?;
        Ok(list(combos::next(cx, pieces)?))
    }

    /// Adds a piece and returns whether it was added. The piece stays in its zone.
    /// ```rhai
    /// combo.add(piece("rose")); // is true
    /// combo.pieces() // is [Rose]
    /// piece("rose").zone == actor.hand // is true
    /// ```
    #[does(ANSWERS)]
    pub fn add(cx: &mut Cx, _combo: CurrentCombo, piece: Entity) -> StepResult<bool> {
        let piece = piece_id(cx, piece)?;
        combos::add(cx, piece)
    }

    /// Clears the combo; its pieces stay in their zones.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.clear();
    /// combo.len() // is 0
    /// actor.hand.has("rose") // is true
    /// ```
    #[does(CHANGES)]
    pub fn clear(cx: &mut Cx, _combo: CurrentCombo) -> StepResult<()> {
        cx.require_write_access("ending a combo")?;
        cx.state.combo.clear();
        Ok(())
    }

    /// Returns the number of pieces in the combo.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.add(piece("tulip"));
    /// combo.len() // is 2
    /// ```
    pub fn len(cx: &mut Cx, _combo: CurrentCombo) -> StepResult<i64> {
        Ok(int(cx.state.combo.len()))
    }

    /// Returns the pieces of the combo in the order they were added.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.add(piece("tulip"));
    /// combo.pieces() // is [Rose, Tulip]
    /// ```
    #[does(READS_ZONE)]
    pub fn pieces(cx: &mut Cx, _combo: CurrentCombo) -> StepResult<List> {
        let cards = cx.state.combo.len() as u64;
        cx.charge_work(cards)?;
        Ok(list(
            cx.state
                .combo
                .iter()
                .map(|card| card.piece)
                .collect::<Vec<_>>(),
        ))
    }

    /// Returns the last piece of the combo, or `()` if it is empty.
    /// ```rhai
    /// combo.last() // is ()
    /// combo.add(piece("rose"));
    /// combo.last() // is Rose
    /// ```
    pub fn last(cx: &mut Cx, _combo: CurrentCombo) -> StepResult<Value> {
        let last = cx.state.combo.last().map(|card| card.piece);
        Ok(last.map_or(Value::Unit, |piece| Value::Entity(Entity::Piece(piece))))
    }

    /// Returns whether the combo has a piece of a colour.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.has_colour("red") // is true
    /// combo.has_colour("blue") // is false
    /// ```
    pub fn has_colour(cx: &mut Cx, _combo: CurrentCombo, #[word] colour: Text) -> StepResult<bool> {
        Ok(colours(cx, &colour)? > 0)
    }

    /// Returns the number of pieces of a colour in the combo.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.add(piece("rose#2"));
    /// combo.count_colour("red") // is 2
    /// ```
    pub fn count_colour(
        cx: &mut Cx,
        _combo: CurrentCombo,
        #[word] colour: Text,
    ) -> StepResult<i64> {
        colours(cx, &colour).map(int)
    }

    /// Returns the sum of a field over the pieces of the combo and the links that were used.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.add(piece("tulip"));
    /// // A rose 2, its link to blue 1, a tulip 1.
    /// combo.sum("petals") // is 4
    /// ```
    #[does(READS_ZONE)]
    pub fn sum(cx: &mut Cx, _combo: CurrentCombo, #[names(Field)] field: Text) -> StepResult<i64> {
        combos::sum(cx, &field).map(|(total, _)| total)
    }

    /// Returns the value of a field of the piece at a position, counted from 0, including the link that was
    /// used.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.add(piece("tulip"));
    /// combo.value(0, "petals") // is 3
    /// combo.value(1, "petals") // is 1
    /// ```
    pub fn value(cx: &mut Cx, _combo: CurrentCombo, position: i64, field: Text) -> StepResult<i64> {
        let card = usize::try_from(position)
            .ok()
            .and_then(|at| cx.state.combo.get(at))
            .copied();
        Ok(card.map_or(0, |card| combos::value(cx, card, &field)))
    }

    /// Resolves the combo in the passes of the fight.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.add(piece("tulip"));
    /// // The passes of this fight: petals hit the foe, guard is gained.
    /// combo.resolve();
    /// foe.breath // is 1
    /// actor.guard // is 1
    /// ```
    #[does(CHANGES)]
    pub fn resolve(cx: &mut Cx, _combo: CurrentCombo) -> StepResult<()> {
        let Some(fight) = cx.fight() else {
            return Err(cx.fault(
                "no fight is running: name the passes, as in `combo.resolve([\"price\"])`",
            ));
        };
        let passes = cx.content().fights[fight.def.ix()].passes.clone();
        combos::resolve(cx, &passes)
    }

    /// Discards the pieces of the combo to the `discards_to` zones of their zones, and clears it.
    /// ```rhai
    /// combo.add(piece("rose"));
    /// combo.discard();
    /// actor.compost.pieces() // is [Rose]
    /// combo.len() // is 0
    /// ```
    #[does(CHANGES)]
    pub fn discard(cx: &mut Cx, _combo: CurrentCombo) -> StepResult<()> {
        combos::finish(cx)
    }

    /// Resolves the combo in passes that do nothing but fire `combo_pass` with their sum.
    /// ```toml
    /// [[rule]]
    /// id = "garland"
    /// on.combo_pass = 'if event.pass == "price" { actor.coins += event.amount; }'
    ///
    /// [[action]]
    /// id = "sell-garland"
    /// title = "Sell a garland"
    /// window = "work"
    /// do = '''
    ///     combo.add(piece("rose"));
    ///     combo.add(piece("tulip"));
    ///     combo.resolve(["price"]);
    /// '''
    ///
    /// [[case]]
    /// name = "Two coins and one"
    /// moves = ["sell-garland"]
    /// expect.state = { "1.coins" = 6 }
    /// ```
    #[name("resolve")]
    #[does(CHANGES)]
    pub fn resolve_in(cx: &mut Cx, _combo: CurrentCombo, passes: List) -> StepResult<()> {
        let text = |value: &Value| value.text().map(Text::from);
        let passes: Vec<ComboPass> = passes
            .iter()
            .filter_map(text)
            .map(ComboPass::announcing)
            .collect();
        combos::resolve(cx, &passes)
    }
}
