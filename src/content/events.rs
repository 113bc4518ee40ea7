//! The engine's own events and queries, in the order of their numbers.

use super::ids::{EventId, QueryId};

macro_rules! table {
    ($(#[$doc:meta])* $list:ident of $id:ident: $($constant:ident = $name:literal, $provides:literal, $text:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($constant),* }
        $(#[doc = $text] pub const $constant: $id = $id(Order::$constant as u16);)*
        $(#[$doc])*
        pub const $list: &[Native] = &[$(Native { name: $name, provides: $provides, text: $text }),*];
    };
}

/// An event or a query of the engine.
pub struct Native {
    /// Its name.
    pub name: &'static str,
    /// What hooks find in `event`, separated by blanks.
    pub provides: &'static str,
    /// When it fires, or what is asked.
    pub text: &'static str,
}

/// Events.
pub mod on {
    use super::{EventId, Native};
    table! {
        /// Every event of the engine.
        EVENTS of EventId:
        GAME_START = "game_start", "", "After set-up, before the first turn.";
        GAME_END = "game_end", "", "When the game is over.";
        ROUND_START = "round_start", "value", "Before the first seat's turn of a round; `value` is its number.";
        ROUND_END = "round_end", "value", "After the last seat's turn and the phases of the round.";
        TURN_START = "turn_start", "seat value", "A seat's turn begins; `value` counts its turns.";
        TURN_END = "turn_end", "seat", "A seat's turn ends.";
        PHASE_START = "phase_start", "seat phase", "A phase begins; `deny` skips it.";
        PHASE_END = "phase_end", "seat phase", "A phase ends.";
        BEFORE_ACTION = "before_action", "seat action piece", "A menu line was chosen; sequences started here run before it.";
        AFTER_ACTION = "after_action", "seat action piece", "A menu line was carried out.";
        BEFORE_COUNTER = "before_counter", "of counter amount value", "A counter is about to change by `amount` from `value`.";
        AFTER_COUNTER = "after_counter", "of counter amount value", "A counter changed by `amount` to `value`.";
        BEFORE_MOVE = "before_move", "piece from to", "A piece is about to go from one zone to another.";
        AFTER_MOVE = "after_move", "piece from to", "A piece went from one zone to another.";
        BEFORE_CREATE = "before_create", "entry to", "A piece is about to come into play.";
        AFTER_CREATE = "after_create", "piece to", "A piece came into play.";
        BEFORE_DRAW = "before_draw", "seat from to amount", "A seat is about to draw `amount` pieces.";
        AFTER_DRAW = "after_draw", "seat from to amount", "A seat drew `amount` pieces.";
        BEFORE_SHUFFLE = "before_shuffle", "zone", "A zone is about to be shuffled.";
        AFTER_SHUFFLE = "after_shuffle", "zone", "A zone was shuffled.";
        BEFORE_ROLL = "before_roll", "seat die amount", "Dice are about to be rolled.";
        AFTER_ROLL = "after_roll", "seat die roll", "Dice were rolled.";
        BEFORE_TRAVEL = "before_travel", "seat place from", "A seat is about to go to a place.";
        AFTER_TRAVEL = "after_travel", "seat place from", "A seat went to a place.";
        BEFORE_FLIP = "before_flip", "piece face", "A piece is about to show another face.";
        AFTER_FLIP = "after_flip", "piece face", "A piece shows another face.";
        BEFORE_REVEAL = "before_reveal", "piece seat", "A piece is about to become known.";
        AFTER_REVEAL = "after_reveal", "piece seat", "A piece became known.";
        BEFORE_DAMAGE = "before_damage", "of source amount packet purpose", "A loss is about to go along its chain.";
        BEFORE_ABSORB = "before_absorb", "of source piece from packet", "A link is about to take a point of a loss.";
        AFTER_ABSORB = "after_absorb", "of source piece from packet", "A link took a point of a loss.";
        AFTER_DAMAGE = "after_damage", "of source amount packet purpose", "A loss went along its chain; `amount` was taken.";
        BEFORE_PAY = "before_pay", "of amount", "A cost is about to be paid.";
        AFTER_PAY = "after_pay", "of amount", "A cost was paid.";
        BEFORE_EFFECT = "before_effect", "of effect", "An effect is about to begin.";
        AFTER_EFFECT = "after_effect", "of effect", "An effect began.";
        EFFECT_END = "effect_end", "of effect", "An effect ended.";
        FIGHT_START = "fight_start", "", "A fight begins, before its first phase.";
        FIGHT_END = "fight_end", "side", "A fight ended; `side` still stands, or is -1.";
        FIGHT_ROUND_START = "fight_round_start", "value", "Every fighter had a turn; a new round begins.";
        FIGHT_TURN_START = "fight_turn_start", "of value", "A fighter's turn begins; `value` counts its turns.";
        FIGHT_TURN_END = "fight_turn_end", "of value", "A fighter's turn ends.";
        BEFORE_FALL = "before_fall", "of", "A fighter is about to fall.";
        AFTER_FALL = "after_fall", "of", "A fighter fell.";
        BEFORE_JOIN = "before_join", "of side", "A fighter is about to join.";
        AFTER_JOIN = "after_join", "of side", "A fighter joined.";
        BEFORE_LEAVE = "before_leave", "of", "A fighter is about to leave.";
        AFTER_LEAVE = "after_leave", "of", "A fighter left.";
        BEFORE_COMBO = "before_combo", "piece value", "A piece is about to be added to the combo.";
        AFTER_COMBO = "after_combo", "piece value", "A piece was added to the combo; `value` is its position.";
        COMBO_PASS = "combo_pass", "pass amount", "A pass of the combo is resolved; `amount` is the sum of that field over cards and used links.";
        COMBO_CARD = "combo_card", "piece value", "The pass `each`: one card of the combo after another.";
        BEFORE_MARK = "before_mark", "of mark value", "A mark is about to be set or taken away.";
        AFTER_MARK = "after_mark", "of mark value", "A mark was set or taken away.";
    }
}

/// Queries.
pub mod ask {
    use super::{Native, QueryId};
    table! {
        /// Every query of the engine.
        QUERIES of QueryId:
        VALUE = "value", "of counter", "What a counter counts as.";
        DRAW_COUNT = "draw_count", "seat from to", "How many pieces a draw takes.";
        DAMAGE = "damage", "of source", "How big a loss is.";
        LIMIT = "limit", "zone of", "How many pieces a zone takes.";
        MAY_ACT = "may_act", "seat action piece", "Whether a menu line is open.";
        MAY_ENTER = "may_enter", "seat place from", "Whether a seat may go to a place.";
        MAY_FOLLOW = "may_follow", "piece last", "Whether a piece may follow the last one of the combo.";
        MAY_PLAY = "may_play", "piece value of seat", "Whether a piece may be played into the combo at that position.";
        COMBO_MAX = "combo_max", "of", "How many pieces a combo may have.";
        COUNTS = "counts", "piece pass", "Whether a piece's own effects count in a pass of the combo.";
        MAY_REFILL = "may_refill", "zone of", "Whether an empty zone is refilled.";
        NEXT_FIGHTER = "next_fighter", "of", "Which fighter's turn is next, as a position in the order.";
        FIGHT_OVER = "fight_over", "", "Whether the fight is over: 1 or 0; by default when one side or none stands.";
        COST = "cost", "seat action counter", "How much a part of a cost is.";
    }
}
