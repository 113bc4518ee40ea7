//! The engine's events and queries in the order of their ids: by topic, then in the order they
//! fire.

use crate::value::{EventId, QueryId};

macro_rules! table {
    (
        $(#[$doc:meta])* $list:ident of $id:ident:
        $($topic:literal: $($constant:ident = $name:literal, $provides:literal, $text:literal;)*)*
    ) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($($constant,)*)* }
        $($(#[doc = $text] pub const $constant: $id = $id(Order::$constant as u16);)*)*
        $(#[$doc])*
        pub const $list: &[EventSpec] =
            &[$($(EventSpec { topic: $topic, name: $name, provides: $provides, text: $text },)*)*];
    };
}

/// An event or a built-in query.
pub struct EventSpec {
    /// The name of its [`EventTopic`].
    pub topic: &'static str,
    /// The name that packs use.
    pub name: &'static str,
    /// The fields of `event` in hooks, separated by spaces.
    pub provides: &'static str,
    /// When it fires and what hooks can change, or what the query asks.
    pub text: &'static str,
}

/// The type of a value that an event or a query of a pack provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvidedType {
    /// A whole number.
    Int,
    /// `true` or `false`.
    Bool,
    /// A text.
    String,
    /// A seat.
    Seat,
    /// A piece.
    Piece,
    /// A place.
    Place,
    /// A zone.
    Zone,
    /// An entry.
    Entry,
    /// A list.
    List,
    /// A map.
    Map,
}

impl ProvidedType {
    /// Every type with its name.
    pub const ALL: [(&'static str, ProvidedType); 10] = [
        ("int", ProvidedType::Int),
        ("bool", ProvidedType::Bool),
        ("string", ProvidedType::String),
        ("seat", ProvidedType::Seat),
        ("piece", ProvidedType::Piece),
        ("place", ProvidedType::Place),
        ("zone", ProvidedType::Zone),
        ("entry", ProvidedType::Entry),
        ("list", ProvidedType::List),
        ("map", ProvidedType::Map),
    ];

    /// The type of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<ProvidedType> {
        let found = ProvidedType::ALL.iter().find(|(own, _)| *own == name);
        found.map(|(_, own)| *own)
    }
}

/// The name and the type in `ship: piece`, an item of `provides`.
#[must_use]
pub fn provided(text: &str) -> (&str, Option<&str>) {
    match text.split_once(':') {
        Some((name, of)) => (name.trim(), Some(of.trim())),
        None => (text.trim(), None),
    }
}

/// A group of related events and queries.
pub struct EventTopic {
    /// The name of the topic.
    pub name: &'static str,
    /// The orders in which the events fire.
    pub sequences: &'static [EventSequence],
}

/// Something that happens in a game, with the events it fires and the queries it asks.
/// `tests/suite/functions.rs` makes each happen and compares.
pub struct EventSequence {
    /// A description of what happens.
    pub what: &'static str,
    /// The events and queries in the order of their first occurrence, separated by spaces.
    pub order: &'static str,
}

impl EventSequence {
    /// The names of its events and queries, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.order.split_whitespace()
    }
}

macro_rules! topics {
    ($($name:literal { $($what:literal => $order:literal;)* })*) => {
        &[$(EventTopic { name: $name, sequences: &[$(EventSequence { what: $what, order: $order }),*] }),*]
    };
}

/// Every topic.
pub const TOPICS: &[EventTopic] = topics! {
    "game" {
        "a game" => "game_start round_start turn_start phase_start phase_end turn_end round_end game_end";
    }
    "actions" {
        "an action is offered and chosen" => "may_act cost before_action before_pay after_pay after_action";
    }
    "counters" {
        "a counter changes" => "value before_counter after_counter";
        "a mark is set" => "before_mark after_mark";
    }
    "costs" {
        "a cost is paid" => "cost before_pay before_counter after_counter after_pay";
    }
    "pieces" {
        "a piece comes into play" => "before_create after_create";
        "a piece moves" => "before_move after_move";
        "a draw" => "draw_count before_draw limit before_move after_move after_draw";
        "a draw from an empty zone" =>
            "draw_count before_draw limit may_refill before_move after_move before_shuffle after_shuffle after_draw";
        "a shuffle" => "before_shuffle after_shuffle";
        "a piece turns over" => "before_flip after_flip";
        "a piece becomes known" => "before_reveal after_reveal";
    }
    "dice" {
        "a roll" => "before_roll after_roll";
    }
    "map" {
        "a seat travels" => "may_enter before_travel after_travel";
    }
    "losses" {
        "damage in a fight" =>
            "damage before_damage before_absorb before_counter after_counter after_absorb after_damage";
        "a loss" => "before_damage before_absorb before_move after_move after_absorb after_damage";
    }
    "effects" {
        "an effect begins and ends" => "before_effect after_effect effect_end";
    }
    "fights" {
        "a fight" =>
            "fight_start fight_over next_fighter fight_turn_start fight_turn_end fight_round_start fight_end";
        "someone joins" => "before_join after_join";
        "someone leaves" => "before_leave after_leave";
        "someone falls" => "before_fall after_fall";
    }
    "combos" {
        "a piece is added" => "combo_max may_follow may_play before_combo after_combo";
        "a combo is resolved" => "counts combo_pass combo_card";
    }
    "menus" {
        "a menu is left" => "menu_left";
    }
};

/// Events.
pub mod on {
    use super::{EventId, EventSpec};
    table! {
        /// Every built-in event.
        EVENTS of EventId:
        "game":
        GAME_START = "game_start", "", "After setup, before the first round.";
        ROUND_START = "round_start", "value", "A round begins, before the first seat's turn; `value` is the number of the round.";
        TURN_START = "turn_start", "seat value", "A seat's turn begins; `value` counts its turns. `deny` skips the phases of the turn.";
        PHASE_START = "phase_start", "seat phase", "A phase begins, before its `do` and its menu. `deny` skips the phase.";
        PHASE_END = "phase_end", "seat phase", "A phase ends, after its `end`.";
        TURN_END = "turn_end", "seat value", "A seat's turn ends; `value` counts its turns.";
        ROUND_END = "round_end", "value", "A round ends, after the last seat's turn and the phases of the round; `value` is the number of the round.";
        GAME_END = "game_end", "", "The game is over.";
        "actions":
        BEFORE_ACTION = "before_action", "seat action piece", "A player chose an action; sequences started here run before it. `deny` cancels it before the cost is paid.";
        AFTER_ACTION = "after_action", "seat action piece", "An action is done, and so is everything that it started.";
        "counters":
        BEFORE_COUNTER = "before_counter", "of counter amount value", "A counter is about to change by `amount` from `value`. Hooks can change `amount`.";
        AFTER_COUNTER = "after_counter", "of counter amount value", "A counter changed by `amount` to `value`.";
        BEFORE_MARK = "before_mark", "of mark value", "A mark is about to be set (`value` is 1) or removed (0).";
        AFTER_MARK = "after_mark", "of mark value", "A mark was set (`value` is 1) or removed (0).";
        "costs":
        BEFORE_PAY = "before_pay", "of amount entry", "A cost is about to be paid; `entry` is what it is for, and `amount` is the sum of its parts.";
        AFTER_PAY = "after_pay", "of amount", "A cost was paid.";
        "pieces":
        BEFORE_CREATE = "before_create", "entry to", "A piece is about to come into play.";
        AFTER_CREATE = "after_create", "piece to", "A piece came into play.";
        BEFORE_DRAW = "before_draw", "seat from to amount", "A seat is about to draw `amount` pieces. Hooks can change `amount`, `from` and `to`.";
        BEFORE_MOVE = "before_move", "piece seat from to", "A piece is about to move from one zone to another; `seat` is the seat that holds it, if any. Hooks can change `to`.";
        AFTER_MOVE = "after_move", "piece seat from to", "A piece moved from one zone to another; `seat` is the seat that held it, if any.";
        BEFORE_SHUFFLE = "before_shuffle", "zone", "A zone is about to be shuffled.";
        AFTER_SHUFFLE = "after_shuffle", "zone", "A zone was shuffled.";
        AFTER_DRAW = "after_draw", "seat from to amount", "A seat drew `amount` pieces.";
        BEFORE_FLIP = "before_flip", "piece face", "A piece is about to show another face; `face` is the number of the face, 0 for the entry itself.";
        AFTER_FLIP = "after_flip", "piece face", "A piece turned to another face.";
        BEFORE_REVEAL = "before_reveal", "piece seat", "A piece is about to be revealed to a seat, or to everyone if there is no `seat`.";
        AFTER_REVEAL = "after_reveal", "piece seat", "A piece was revealed to a seat, or to everyone if there is no `seat`.";
        "dice":
        BEFORE_ROLL = "before_roll", "seat die amount", "`amount` dice are about to be rolled. Hooks can change `amount`.";
        AFTER_ROLL = "after_roll", "seat die roll", "Dice were rolled, or some of them rerolled.";
        "map":
        BEFORE_TRAVEL = "before_travel", "seat place from", "A seat is about to travel to a place.";
        AFTER_TRAVEL = "after_travel", "seat place from", "A seat travelled to a place.";
        "losses":
        BEFORE_DAMAGE = "before_damage", "of source amount packet purpose", "A loss is about to go through its chain. Hooks can change `amount` and the packet; `deny` makes it 0. `purpose` is `damage`, `pay`, the chain, or `loss`.";
        BEFORE_ABSORB = "before_absorb", "of source piece from packet purpose", "A link of a chain is about to take a point of a loss; `piece` and `from` are set only if the link is a zone. `deny` passes the point on to the next link.";
        AFTER_ABSORB = "after_absorb", "of source piece from packet purpose", "A link of a chain took a point of a loss.";
        AFTER_DAMAGE = "after_damage", "of source amount packet purpose", "A loss went through its chain; `amount` is what was taken.";
        "effects":
        BEFORE_EFFECT = "before_effect", "of effect", "An effect is about to begin.";
        AFTER_EFFECT = "after_effect", "of effect", "An effect began.";
        EFFECT_END = "effect_end", "of effect", "An effect ended.";
        "fights":
        FIGHT_START = "fight_start", "seat", "A fight begins, before its first phase; `seat` started it.";
        FIGHT_TURN_START = "fight_turn_start", "of value", "A fighter's turn begins; `value` counts its turns. `deny` skips the phases of the turn.";
        BEFORE_JOIN = "before_join", "of side", "A fighter is about to join the fight.";
        AFTER_JOIN = "after_join", "of side", "A fighter joined the fight.";
        BEFORE_LEAVE = "before_leave", "of", "A fighter is about to leave the fight.";
        AFTER_LEAVE = "after_leave", "of", "A fighter left the fight.";
        BEFORE_FALL = "before_fall", "of", "A fighter is about to fall.";
        AFTER_FALL = "after_fall", "of", "A fighter fell.";
        FIGHT_TURN_END = "fight_turn_end", "of value", "A fighter's turn ends; `value` counts its turns.";
        FIGHT_ROUND_START = "fight_round_start", "value", "Every fighter has had a turn and a new round of the fight begins; `value` is its number. Does not fire for the first round.";
        FIGHT_END = "fight_end", "seat side", "A fight ended, after its last phases; `side` is the side that still stands, or -1.";
        "combos":
        BEFORE_COMBO = "before_combo", "piece value", "A piece is about to be added to the combo; `value` is its position.";
        AFTER_COMBO = "after_combo", "piece value", "A piece was added to the combo; `value` is its position.";
        COMBO_PASS = "combo_pass", "pass amount", "A pass of the combo is resolved; `amount` is the sum of its field over cards and used links. Hooks can change `amount`; `deny` skips the pass.";
        COMBO_CARD = "combo_card", "piece value", "In the pass `cards`: fires for each card of the combo, in order.";
        "menus":
        MENU_LEFT = "menu_left", "seat phase", "A seat left a menu; other seats may still act in it. Sequences started here run first.";
    }
}

/// Queries.
pub mod ask {
    use super::{EventSpec, QueryId};
    table! {
        /// Every built-in query.
        QUERIES of QueryId:
        "actions":
        MAY_ACT = "may_act", "seat action piece", "Whether an action is available, or an `offer` hook is offered.";
        "counters":
        VALUE = "value", "of counter", "The effective value of a counter.";
        "costs":
        COST = "cost", "seat action piece counter", "The amount of a part of a cost; only for parts that are counters.";
        "pieces":
        DRAW_COUNT = "draw_count", "seat from to", "How many pieces a draw takes.";
        LIMIT = "limit", "zone of", "How many pieces a zone can hold; only for zones with a `limit`.";
        MAY_REFILL = "may_refill", "zone of", "Whether an empty zone is refilled.";
        "map":
        MAY_ENTER = "may_enter", "seat place from", "Whether a seat can travel to a place.";
        "losses":
        DAMAGE = "damage", "of source", "The amount of damage in a fight; other losses are not affected.";
        "fights":
        FIGHT_OVER = "fight_over", "", "Whether the fight is over, 1 or 0; by default, it is over when at most one side still stands. Asked before each fight turn, and when a fighter falls or leaves.";
        NEXT_FIGHTER = "next_fighter", "of", "The fighter whose turn is next, as a position in the order; `of` is the default.";
        "combos":
        COMBO_MAX = "combo_max", "of", "How many pieces a combo can have.";
        MAY_FOLLOW = "may_follow", "piece last", "Whether a piece can follow the last piece of the combo.";
        MAY_PLAY = "may_play", "piece value of seat", "Whether a piece can be played at position `value` of the combo.";
        COUNTS = "counts", "piece pass", "Whether a piece's own effects count in a pass of the combo.";
    }
}
