//! Every sentence and word that the engine itself shows to players, by topic.
//!
//! A translation replaces this file and `grammar.rs`. Names, titles and texts of packs are
//! parameters; messages for pack authors (script faults, journal errors) are elsewhere.

/// Names of things that no pack names.
pub(crate) mod name {
    pub(crate) const TABLE: &str = "the table";
    pub(crate) const TABLE_TITLE: &str = "Table";
    pub(crate) const BOX: &str = "the box";
    pub(crate) const BOX_TITLE: &str = "The box";
    pub(crate) const RULES: &str = "the rules";
    /// The noun for pieces of different kinds that are counted together.
    pub(crate) const PIECE: &str = "piece";

    pub(crate) fn seat(number: usize) -> String {
        format!("Seat {number}")
    }

    pub(crate) fn boolean(value: bool) -> &'static str {
        if value { "yes" } else { "no" }
    }

    /// A zone in a sentence: `the life of the Wolf`.
    pub(crate) fn zone_of_thing(zone: &str, owner: &str) -> String {
        format!("{zone} of {owner}")
    }

    pub(crate) fn zone_of(zone: &str, owner: &str) -> String {
        format!("{zone} ({owner})")
    }

    pub(crate) fn zone_of_player(zone: &str, player: &str) -> String {
        format!("{} {zone}", super::super::grammar::possessive(player))
    }

    pub(crate) fn counter_at(counter: &str, place: &str) -> String {
        format!("{counter} at {place}")
    }

    pub(crate) fn face_down(kind: &str, position: usize) -> String {
        format!("{kind} (number {position} from the top)")
    }
}

/// Questions that the engine asks.
pub(crate) mod prompt {
    pub(crate) const PAY: &str = "Choose what to pay with";
    pub(crate) const LOSE: &str = "Choose what to lose";
    pub(crate) const OFFER: &str = "You may use one of these:";
}

/// Options that the engine adds.
pub(crate) mod label {
    pub(crate) const DONE: &str = "Done";
    pub(crate) const PASS: &str = "Pass";
    pub(crate) const YES: &str = "Yes";
    pub(crate) const NO: &str = "No";

    pub(crate) fn action_with(action: &str, item: &str) -> String {
        format!("{action}: {item}")
    }
}

/// Why an option is closed. Cases of packs compare these texts word by word.
pub(crate) mod closed {
    use crate::content::Scope;

    pub(crate) const NOT_NOW: &str = "not now";
    pub(crate) const NOT_ALLOWED: &str = "not allowed";
    pub(crate) const NO_LINK: &str = "no link fits";
    pub(crate) const SCRIPT_FAILED: &str = "its script failed";
    pub(crate) const SCRIPT_FAILED_THIS_TURN: &str = "its script failed this turn";

    pub(crate) fn needs(cost: &str) -> String {
        format!("needs {cost}")
    }

    pub(crate) fn used_up(times: i64, scope: Scope) -> String {
        let times = match times {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            n => format!("{n} times"),
        };
        let scope = match scope {
            Scope::Game => " per game",
            Scope::Round => " per round",
            Scope::Turn => " per turn",
            Scope::Phase => " per phase",
            Scope::Fight => " per fight",
            Scope::FightTurn => " per fight turn",
            Scope::Window => "",
        };
        format!("allowed only {times}{scope}")
    }
}

/// The texts of costs.
pub(crate) mod cost {
    pub(crate) const AND: &str = " and ";
    pub(crate) const OR: &str = ", or ";

    pub(crate) fn amount_of(amount: i64, title: &str) -> String {
        format!("{amount} {title}")
    }

    pub(crate) fn pieces(amount: i64, zone: &str, restricted: bool) -> String {
        let kind = if restricted { "of the right kind " } else { "" };
        format!("{amount} {kind}from {zone}")
    }
}

/// Why an answer is invalid; front ends put the text into a sentence.
pub(crate) mod answer {
    use super::super::grammar;

    pub(crate) const NO_SUCH_OPTION: &str = "there is no such option";
    pub(crate) const NOT_YOURS: &str = "this option belongs to another player";
    pub(crate) const CHOSEN_TOO_OFTEN: &str = "this option was chosen too often";

    pub(crate) fn not_asked(name: &str) -> String {
        format!("{name} has no decision to make")
    }

    pub(crate) fn not_a_number(typed: &str) -> String {
        format!("`{typed}` is not a number")
    }

    pub(crate) fn out_of_range(min: i64, max: i64) -> String {
        format!("choose a number from {min} to {max}")
    }

    pub(crate) fn wrong_split(numbers: usize, total: i64) -> String {
        format!("enter {numbers} numbers that add up to {total}")
    }

    pub(crate) fn wrong_count(min: usize, max: usize, chosen: usize) -> String {
        let wanted = if min == max {
            grammar::count(i64::try_from(min).unwrap_or(i64::MAX), "option")
        } else {
            format!("{min} to {max} options")
        };
        format!("choose {wanted}, not {chosen}")
    }

    pub(crate) fn option_closed(reason: &str) -> String {
        format!("this option is closed: {reason}")
    }

    pub(crate) fn unknown_key(key: &str, similar: Option<&str>, keys: &[String]) -> String {
        let hint = similar
            .map(|similar| format!("; did you mean `{similar}`?"))
            .unwrap_or_default();
        format!(
            "there is no option `{key}`{hint} (options: {})",
            keys.join(", ")
        )
    }
}

/// The contributions to a number: `Wolf +2, limited to 1 by Fog`.
pub(crate) mod contribution {
    use crate::game::state::ModifierOp;

    pub(crate) fn one(name: &str, op: ModifierOp, amount: i64) -> String {
        match op {
            ModifierOp::Add if amount >= 0 => format!("{name} +{amount}"),
            ModifierOp::Add => format!("{name} {amount}"),
            ModifierOp::Base | ModifierOp::Set => format!("{name} = {amount}"),
            ModifierOp::Cap => format!("limited to {amount} by {name}"),
            ModifierOp::Floor => format!("at least {amount} by {name}"),
            ModifierOp::Lock => format!("set to {amount} by {name}"),
            ModifierOp::Deny => format!("{name} forbids it"),
            ModifierOp::Allow => format!("{name} allows it"),
        }
    }

    /// Adds contributions to a sentence; a bracket at its end is extended.
    pub(crate) fn explained(sentence: &str, contributions: &str) -> String {
        match sentence.strip_suffix(')') {
            Some(open) => format!("{open}; {contributions})"),
            None => format!("{sentence} ({contributions})"),
        }
    }
}

/// Sentences of the log. Pieces are passed as a list in words, with a flag if it names more than
/// one.
pub(crate) mod log {
    use super::super::grammar::{count, lowercase_article, plural, possessive, quote};

    pub(crate) fn round(number: u32) -> String {
        format!("— Round {number} —")
    }

    pub(crate) fn turn(who: &str) -> String {
        format!("{} turn", possessive(who))
    }

    pub(crate) fn acts(who: &str, label: &str) -> String {
        format!("{who}: {label}")
    }

    pub(crate) fn uses(who: &str, piece: &str) -> String {
        format!("{who} uses {piece}")
    }

    pub(crate) fn chooses(who: &str, text: &str) -> String {
        format!("{who}: {}", quote(text))
    }

    pub(crate) fn gains(amount: &str, now: i64) -> String {
        format!("gains {amount} (now {now})")
    }

    pub(crate) fn loses(amount: &str, now: i64) -> String {
        format!("loses {amount} (now {now})")
    }

    pub(crate) fn pays(amount: &str, left: i64) -> String {
        format!("pays {amount} ({left} left)")
    }

    pub(crate) fn changes_to(title: &str, verb: &str, now: i64) -> String {
        format!("{title} {verb} to {now}")
    }

    pub(crate) fn flag(owner: Option<&str>, title: &str, value: &str) -> String {
        let owner = owner.map(|owner| format!("{owner} ")).unwrap_or_default();
        format!("{owner}{title}: {value}")
    }

    /// Continues a sentence that begins with [`changes_to`] with another counter of the same owner.
    /// The verb is left out if it would be the same again.
    pub(crate) fn also_changes_to(
        of_player: bool,
        title: &str,
        verb: Option<&str>,
        now: i64,
    ) -> String {
        let owner = if of_player { "their" } else { "its" };
        match verb {
            Some(verb) => format!("{owner} {title} {verb} to {now}"),
            None => format!("{owner} {title} to {now}"),
        }
    }

    pub(crate) const fn change_verb(is_plural: bool, rises: bool) -> &'static str {
        match (rises, is_plural) {
            (true, true) => "rise",
            (true, false) => "rises",
            (false, true) => "drop",
            (false, false) => "drops",
        }
    }

    pub(crate) fn draws(who: &str, drawn: i64, wanted: i64, noun: Option<&str>) -> String {
        match (drawn, noun) {
            (0, _) => format!("{who} has nothing left to draw"),
            (_, Some(noun)) if drawn < wanted => {
                format!("{who} draws only {drawn} of {wanted} {}", plural(noun))
            }
            (_, Some(noun)) => format!("{who} draws {}", count(drawn, noun)),
            (_, None) if drawn < wanted => format!("{who} draws only {drawn} of {wanted}"),
            (_, None) => format!("{who} draws {drawn}"),
        }
    }

    pub(crate) fn draws_to(sentence: &str, zone: &str) -> String {
        format!("{sentence} to {zone}")
    }

    /// Names the piece whose ability causes the draw.
    pub(crate) fn draws_because(sentence: &str, piece: &str) -> String {
        format!("{sentence} ({piece})")
    }

    pub(crate) fn draws_these(sentence: &str, pieces: &str) -> String {
        format!("{sentence}: {pieces}")
    }

    pub(crate) fn plays(who: &str, pieces: &str) -> String {
        format!("{who} plays {pieces}")
    }

    pub(crate) fn discards(who: &str, pieces: &str) -> String {
        format!("{who} discards {pieces}")
    }

    pub(crate) fn discards_from(who: &str, pieces: &str, zone: &str) -> String {
        format!("{who} discards {pieces} from {zone}")
    }

    pub(crate) fn is_discarded(pieces: &str, plural: bool) -> String {
        format!("{pieces} {} discarded", is(plural))
    }

    pub(crate) fn draws_piece(who: &str, pieces: &str) -> String {
        format!("{who} draws {pieces}")
    }

    pub(crate) fn takes_from(who: &str, pieces: &str, zone: &str) -> String {
        format!("{who} takes {pieces} from {zone}")
    }

    pub(crate) fn gets(who: &str, pieces: &str) -> String {
        format!("{who} gets {pieces}")
    }

    pub(crate) fn gets_from(who: &str, pieces: &str, giver: &str) -> String {
        format!("{who} gets {pieces} from {giver}")
    }

    pub(crate) fn puts_into(who: &str, pieces: &str, zone: &str) -> String {
        format!("{who} puts {pieces} into {zone}")
    }

    pub(crate) fn moves_own(who: &str, pieces: &str, from: &str, to: &str) -> String {
        format!("{who} moves {pieces} from {from} to {to}")
    }

    pub(crate) fn is_added(pieces: &str, plural: bool, zone: &str) -> String {
        format!("{pieces} {} added to {zone}", is(plural))
    }

    pub(crate) fn is_removed(pieces: &str, plural: bool) -> String {
        format!("{pieces} {} removed from the game", is(plural))
    }

    pub(crate) fn moves(pieces: &str, plural: bool, from: &str, to: &str) -> String {
        let verb = if plural { "move" } else { "moves" };
        format!("{pieces} {verb} from {from} to {to}")
    }

    const fn is(plural: bool) -> &'static str {
        if plural { "are" } else { "is" }
    }

    pub(crate) fn rolls(who: Option<&str>, dice: &[(String, String)]) -> String {
        let dice = faces_of(dice);
        match who {
            Some(who) => format!("{who} rolls {dice}"),
            None => format!("Roll of {dice}"),
        }
    }

    /// `Die: 2 5; Weather die: rain`.
    pub(crate) fn faces_of(dice: &[(String, String)]) -> String {
        let part = |(die, faces): &(String, String)| format!("{die}: {faces}");
        dice.iter().map(part).collect::<Vec<_>>().join("; ")
    }

    /// A face of a die without any result.
    pub(crate) const BLANK_FACE: &str = "blank";

    pub(crate) fn goes_to(who: &str, place: &str) -> String {
        format!("{who} {GOES_TO}{}", lowercase_article(place))
    }

    pub(crate) fn starts_at(who: &str, place: &str) -> String {
        format!("{who} starts at {}", lowercase_article(place))
    }

    /// The text that [`goes_to`] adds after the name.
    pub(crate) const GOES_TO: &str = "goes to ";

    pub(crate) fn is_flipped(before: &str, now: &str) -> String {
        if before == now {
            format!("{now} is flipped")
        } else {
            format!("{before} is flipped to its other side: {now}")
        }
    }

    pub(crate) fn is_revealed(pieces: &str, plural: bool) -> String {
        format!("{pieces} {} revealed", is(plural))
    }

    pub(crate) fn looks_at(who: &str, pieces: &str) -> String {
        format!("{who} looks at {pieces}")
    }

    pub(crate) fn hits(by: Option<&str>, whom: &str, damage: i64, suffered: i64) -> String {
        let hit = match by {
            Some(by) => format!("{by} hits {whom} for {damage} damage"),
            None => format!("{whom} takes {damage} damage"),
        };
        if suffered == damage {
            hit
        } else {
            format!("{hit} ({suffered} taken)")
        }
    }

    pub(crate) const FIGHT_BEGINS: &str = "A fight begins";

    pub(crate) fn attacks(who: &str) -> String {
        format!("{who} attacks")
    }

    /// The start of a player's fight turn. The player need not attack.
    pub(crate) fn turn_to_attack(who: &str) -> String {
        format!("{} turn to attack", possessive(who))
    }

    pub(crate) fn falls(who: &str) -> String {
        format!("{who} falls")
    }

    /// A player who falls may still have won, so this says no more than that they are out.
    pub(crate) fn is_knocked_out(who: &str) -> String {
        format!("{who} is knocked out")
    }

    pub(crate) fn joins(who: &str) -> String {
        format!("{who} joins the fight")
    }

    pub(crate) fn leaves(who: &str) -> String {
        format!("{who} leaves the fight")
    }

    pub(crate) const FIGHT_OVER: &str = "The fight is over";

    pub(crate) fn no_effect(reason: &str) -> String {
        format!("No effect: {reason}")
    }

    pub(crate) fn script_failed(message: &str) -> String {
        format!("A script failed and was skipped: {message}")
    }

    pub(crate) const GAME_OVER: &str = "The game is over";

    pub(crate) fn game_over(winners: &[String], text: &str) -> String {
        let result = match winners {
            [] => "nobody wins".to_owned(),
            [winner] => format!("{winner} wins"),
            winners => format!("{} win", super::super::grammar::join_and(winners)),
        };
        let text = if text.is_empty() {
            String::new()
        } else {
            format!(". {text}")
        };
        format!("{GAME_OVER}: {result}{text}")
    }
}

/// The log as `--verbose`, cases and records show it, where it differs from [`log`]. Cases compare
/// fragments of these lines, so their wording must not change.
pub(crate) mod verbose {
    pub(crate) fn round(number: u32) -> String {
        format!("— round {number} —")
    }

    pub(crate) fn turn(who: &str, number: u32) -> String {
        format!("{who}: turn {number}")
    }

    pub(crate) fn acts(who: &str, label: &str) -> String {
        format!("{who} — {label}")
    }

    pub(crate) fn chooses(who: &str, text: &str) -> String {
        format!("{who} — “{text}”")
    }

    pub(crate) fn created(piece: &str, zone: &str) -> String {
        format!("{piece} → {zone}")
    }

    pub(crate) fn counter(owner: Option<&str>, title: &str, from: &str, to: &str) -> String {
        let owner = owner.map(|owner| format!("{owner}: ")).unwrap_or_default();
        format!("{owner}{title} {from} → {to}")
    }

    pub(crate) fn moved(piece: &str, from: &str, to: &str) -> String {
        format!("{piece}: {from} → {to}")
    }

    pub(crate) fn draws(who: &str, amount: i64) -> String {
        format!("{who} draws {amount}")
    }

    pub(crate) fn shuffled(zone: &str, is_plural: bool) -> String {
        format!("{zone} {} shuffled", if is_plural { "are" } else { "is" })
    }

    pub(crate) fn rolls(who: Option<&str>, dice: &[(String, String)]) -> String {
        let dice = super::log::faces_of(dice);
        format!("{} rolls {dice}", who.unwrap_or("Someone"))
    }

    pub(crate) fn flipped(before: &str, now: &str) -> String {
        format!("{before} turns over: {now}")
    }

    pub(crate) fn revealed(piece: &str) -> String {
        format!("{piece} is revealed")
    }

    pub(crate) fn hits(by: Option<&str>, whom: &str, damage: i64, suffered: i64) -> String {
        let by = by.map(|by| format!("{by} hits ")).unwrap_or_default();
        let rest = if suffered == damage {
            String::new()
        } else {
            format!(", {suffered} taken")
        };
        format!("{by}{whom}: {damage} damage{rest}")
    }

    pub(crate) fn fight_begins(title: &str) -> String {
        format!("A fight begins: {title}")
    }

    pub(crate) fn fight_turn(who: &str) -> String {
        format!("Fight turn: {who}")
    }

    pub(crate) fn effect(subject: &str, title: &str) -> String {
        format!("{subject}: {title}")
    }

    pub(crate) fn marked(subject: &str, mark: &str, set: bool) -> String {
        format!("{subject}: {}{mark}", if set { "" } else { "no longer " })
    }

    pub(crate) fn denied(reason: &str) -> String {
        format!("No effect: {reason}")
    }

    pub(crate) fn script_failed(message: &str) -> String {
        format!("A script failed and was skipped: {message}")
    }

    pub(crate) fn with_cause(line: &str, cause: &str) -> String {
        format!("{line}  [{cause}]")
    }
}

/// Headings of the table at the end of a game.
pub(crate) mod summary {
    pub(crate) const PLAYER: &str = "player";
    pub(crate) const ROLE: &str = "role";
    pub(crate) const RANK: &str = "rank";
    pub(crate) const SCORE: &str = "score";
    pub(crate) const TURNS: &str = "turns";
    pub(crate) const DECISIONS: &str = "decisions";
    pub(crate) const JOURNEYS: &str = "moves";
    pub(crate) const FIGHTS: &str = "fights";
    pub(crate) const DAMAGE: &str = "damage";
}

/// The chronicle. Names and titles are passed with their Markdown escaped.
pub(crate) mod chronicle {
    use super::super::grammar::{count, join_and};

    pub(crate) const NOT_OVER: &str = "## To be continued\n\nThe game is not over.";

    pub(crate) fn round(number: u32) -> String {
        format!("## Round {number}")
    }

    pub(crate) fn the_end(sentence: &str) -> String {
        format!("## The end\n\n{sentence}")
    }

    pub(crate) fn footer(answers: usize, seed: u64, command: Option<&str>) -> String {
        let replay = command
            .map(|command| format!(" To start the same game again: `{command}`"))
            .unwrap_or_default();
        format!("{answers} answers, seed {seed}.{replay}")
    }

    pub(crate) fn receives(pieces: &str) -> String {
        format!("receives {pieces}")
    }

    pub(crate) fn gives_up(pieces: &str) -> String {
        format!("gives up {pieces}")
    }

    /// Extends a sentence that ends with [`super::log::goes_to`] by another place.
    pub(crate) fn then_to(sentence: &str, place: &str) -> String {
        format!("{sentence}, then to {place}")
    }

    pub(crate) fn fighters(names: &[String]) -> String {
        match names {
            [one, other] => format!("{one} against {other}"),
            names => join_and(names),
        }
    }

    pub(crate) fn first_hit(by: &str, hit: &str) -> String {
        format!("{by} draws first blood: {hit}.")
    }

    pub(crate) fn hits(who: &str, times: usize, damage: i64) -> String {
        let times = match times {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            n => format!("{n} times"),
        };
        format!("{who} hits {times} for {damage}")
    }

    pub(crate) fn hardest_hit(by: &str, hit: &str) -> String {
        format!("The hardest blow comes from {by}: {hit}.")
    }

    pub(crate) fn damage(amount: i64, with: &[String]) -> String {
        if with.is_empty() {
            format!("{amount} damage")
        } else {
            format!("{amount} damage with {}", join_and(with))
        }
    }

    pub(crate) fn nobody_fell(turns: i64) -> String {
        format!(
            "It ends after {}, and nobody has fallen.",
            turn_count(turns)
        )
    }

    pub(crate) fn fell(turns: i64, players: &[String], others: &[String]) -> String {
        let sentence = |names: &[String], one: &str, many: &str| {
            let verb = if names.len() > 1 { many } else { one };
            (!names.is_empty()).then(|| format!("{} {verb}", join_and(names)))
        };
        let sentences: Vec<String> = [
            sentence(others, "falls", "fall"),
            sentence(players, "is knocked out", "are knocked out"),
        ]
        .into_iter()
        .flatten()
        .collect();
        format!("After {} {}.", turn_count(turns), join_and(&sentences))
    }

    fn turn_count(turns: i64) -> String {
        if turns == 1 {
            "one turn".to_owned()
        } else {
            count(turns, "turn")
        }
    }
}
