//! The words that may be typed at any prompt: what each shows or does.

use super::screen;
use super::session::Session;
use crate::content::SeatId;
use crate::game::{Ask, Game, Val, names};

impl Session {
    /// Does what a word asks for; gives whether the person leaves.
    pub(super) fn word(&mut self, word: &str) -> bool {
        match word {
            "" => {}
            "q" | "quit" => {
                self.leave("You leave");
                return true;
            }
            "?" | "help" => screen::say(
                "Type the number or the name of an option. Also: me, table, log, undo, quit, and the pack's own words.",
            ),
            "log" => {
                self.told = self.told.saturating_sub(30);
                self.tell();
            }
            "me" | "table" => self.show_view(word == "me"),
            "undo" => self.undo(),
            other => {
                if !panel(&mut self.game, other) {
                    screen::say(&self.puzzled(other));
                }
            }
        }
        false
    }

    /// What to say to a word that fits no option, or several.
    fn puzzled(&self, word: &str) -> String {
        let wanted = word.to_lowercase();
        let decision = self.game.decision().map(|decision| self.for_people(decision));
        let options = decision.iter().flat_map(|decision| decision.options.iter().enumerate());
        let fitting = options.filter(|(_, option)| option.label.to_lowercase().starts_with(&wanted));
        let numbers: Vec<String> = fitting.map(|(ix, _)| (ix + 1).to_string()).collect();
        if numbers.len() > 1 {
            return format!("`{word}` could be {}.", numbers.join(" or "));
        }
        format!("`{word}` is no option here; `?` helps.")
    }

    fn show_view(&self, own: bool) {
        let seat = self.game.pending().map_or(SeatId(0), Ask::seat);
        let view = self.game.view(seat);
        let owners: Vec<_> = if own {
            view.seats.get(seat.ix()).into_iter().collect()
        } else {
            std::iter::once(&view.table).chain(&view.seats).chain(&view.places).collect()
        };
        for owner in owners {
            show_owner(owner);
        }
    }
}

fn show_owner(owner: &crate::game::view::OwnerView) {
    let place = owner.place.as_deref().map(|place| format!(", at {place}")).unwrap_or_default();
    screen::say(&format!("{}{place}", owner.name));
    let counters: Vec<String> = owner.counters.iter().map(|(name, value)| format!("{name} {value}")).collect();
    if !counters.is_empty() {
        screen::say(&format!("  {}", counters.join(", ")));
    }
    if !owner.marks.is_empty() {
        screen::say(&format!("  {}", owner.marks.join(", ")));
    }
    for zone in owner.zones.iter().filter(|zone| zone.count > 0) {
        let pieces: Vec<&str> = zone.pieces.iter().map(|piece| piece.title.as_str()).collect();
        let list = if pieces.is_empty() { String::new() } else { format!(": {}", pieces.join(", ")) };
        screen::say(&format!("  {} ({}){list}", zone.title, zone.count));
    }
}

/// Shows the panel of a word; gives whether there is one.
fn panel(game: &mut Game, word: &str) -> bool {
    let found = game.content().panels.iter().find(|panel| &*panel.word == word).cloned();
    let Some(panel) = found else { return false };
    match game.look(panel.show, panel.entry) {
        Ok(shown) => {
            let core = game.core();
            let lines = match &shown {
                Val::List(lines) => lines.iter().map(|line| names::val(core, line)).collect(),
                shown => vec![names::val(core, shown)],
            };
            for line in lines.iter().flat_map(|line| line.lines()) {
                screen::say(line);
            }
        }
        Err(why) => screen::say(&format!("This panel's script failed: {why}")),
    }
    true
}
