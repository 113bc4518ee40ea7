//! Reads modes and starts: seats, roles, and where a game begins.

use super::build::ContentBuilder;
use super::defs::{HookRole, ModeDef, StartDef};
use crate::diagnostic::{Diagnostic, Severity, find_misspelling};
use crate::pack;
use crate::value::{EntryId, KindId};

impl ContentBuilder<'_> {
    /// Reads the mode that is played.
    pub fn mode(&mut self) {
        let layered = self.layered;
        let entry = EntryId::at(layered.mode.0 as usize);
        let source = &layered.entries[layered.mode.0 as usize];
        let (seats_min, seats_max) = self.seats(source);
        let turn = source
            .get("turn")
            .is_some()
            .then(|| self.list(source, "turn"));
        let round = source
            .get("round")
            .is_some()
            .then(|| self.list(source, "round"));
        self.turns(source);
        let setup = self.script(entry, source, "setup", HookRole::Do);
        let roles = self.roles(source);
        let came_as = self.script(entry, source, "role_in_play", HookRole::Value);
        let together = source.flag("cooperative");
        self.content.mode = Some(ModeDef {
            entry,
            seats_min,
            seats_max,
            roles,
            role_in_play: came_as,
            cooperative: together,
            setup,
            turn,
            turns_together: source.text("turns") == Some("together"),
            round,
        });
    }

    /// Reports a way to take turns in a mode without turns.
    fn turns(&mut self, source: &pack::Entry) {
        let Some(turns) = source.field("turns") else {
            return;
        };
        if source.get("turn").is_none() {
            Diagnostic::error(turns.span, "missing-field", "`turns` needs `turn`")
                .label("this mode has no turns")
                .help("list the phases of a turn: `turn = [\"work\"]`")
                .push(self.report);
        }
    }

    fn roles(&mut self, source: &pack::Entry) -> Option<KindId> {
        self.kind_in(source, "roles", "the kind of the roles")
    }

    /// Reads a `[[start]]`: how to start a game at an entry of a kind.
    pub fn start_def(&mut self, entry: EntryId, source: &pack::Entry) {
        let of = self.kind_in(source, "of", "the kind of entries to start at");
        let outcomes = source
            .get("outcomes")
            .and_then(pack::FieldValue::as_bool)
            .unwrap_or(true);
        let prepare = self.script(entry, source, "prepare", HookRole::Do);
        let run = self.script(entry, source, "do", HookRole::Do);
        self.content
            .starts
            .extend(of.zip(run).map(|(of, run)| StartDef {
                entry,
                of,
                prepare,
                run,
                outcomes,
            }));
    }

    /// The kind that a field names.
    fn kind_in(&mut self, source: &pack::Entry, field: &str, what: &str) -> Option<KindId> {
        let wanted = source.text(field)?;
        let found = self.content.kind(wanted);
        if found.is_none() {
            let span = source.field(field).map_or(source.span, |field| field.span);
            let near = find_misspelling(wanted, self.content.kinds.iter().map(|kind| &*kind.id));
            Diagnostic::unknown(span, "unknown-kind", "kind", wanted)
                .severity(Severity::Fatal)
                .label(what)
                .did_you_mean(near)
                .help(format!("write the id of a kind: `{field} = \"card\"`"))
                .push(self.report);
        }
        found
    }

    fn seats(&mut self, source: &pack::Entry) -> (u8, u8) {
        let text = source.text("seats").unwrap_or("1..=8");
        let parse = |part: &str| {
            part.trim()
                .parse::<u8>()
                .ok()
                .filter(|n| (1..=8).contains(n))
        };
        let range = match text.split_once("..=") {
            Some((low, high)) => parse(low).zip(parse(high)),
            None => parse(text).map(|n| (n, n)),
        };
        range.filter(|(low, high)| low <= high).unwrap_or_else(|| {
            let span = source
                .field("seats")
                .map_or(source.span, |field| field.span);
            Diagnostic::fatal(span, "bad-seats", format!("invalid seats `{text}`"))
                .label("not a number from 1 to 8")
                .help(seats_help(text))
                .push(self.report);
            (1, 8)
        })
    }
}

/// A range that was probably meant by `1-4` or `1..4`.
fn seats_help(text: &str) -> String {
    let numbers: Vec<&str> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect();
    match &numbers[..] {
        [low, high] => format!("write `{low}..={high}`; seats are numbered from 1 to 8"),
        _ => "write a number from 1 to 8, or a range: `2..=5`".to_owned(),
    }
}
