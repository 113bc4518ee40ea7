//! Finds hooks of cards that can never run: in the random games, no card of the kind was ever in a
//! listening zone or in a fight, although seats held such cards.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::CheckSubject;
use crate::check::dead_hook::{self, MOVE_IT};
use crate::content::{Content, HookId, HookRole, KindId, Owner, PieceId};
use crate::diagnostic::{Confidence, Diagnostic, Report, Span};
use crate::game::{Entity, StepContext};

/// Where pieces of each kind were, in all games of a mode.
#[derive(Default)]
pub struct PieceSightings {
    /// The kinds of pieces that were in a zone of a seat.
    held: BTreeSet<KindId>,
    /// The kinds of pieces that received events.
    heard: BTreeSet<KindId>,
}

impl PieceSightings {
    /// Notes where all pieces are.
    pub fn note(&mut self, cx: &StepContext) {
        let (content, state) = (cx.content(), &cx.state);
        let kind = |piece: PieceId| {
            let entry = state.pieces[piece.ix()].entry;
            content.entry(entry).kind
        };
        for at in state.zones.all() {
            let Some((of, zone)) = state.zones.def(content, at) else {
                continue;
            };
            let owner = match of {
                Entity::Table => Owner::Table,
                Entity::Seat(_) => Owner::Seat,
                Entity::Place(_) => Owner::Place,
                Entity::Piece(_) => Owner::Piece,
            };
            let listens = content.listening_zones[owner].contains(&zone);
            if !listens && owner != Owner::Seat {
                continue;
            }
            for piece in state.zones.pieces(at) {
                let kind = kind(PieceId(*piece));
                let kinds = if listens {
                    &mut self.heard
                } else {
                    &mut self.held
                };
                kinds.insert(kind);
            }
        }
        let fighters = state.fights.iter().flat_map(|fight| &fight.fighters);
        for fighter in fighters {
            if let Entity::Piece(piece) = fighter.who {
                self.heard.insert(kind(piece));
            }
        }
    }
}

/// The hooks of pieces that listen to all events, in some modes.
#[derive(Default)]
pub struct UnheardHooks {
    heard: BTreeSet<Span>,
    unheard: BTreeMap<Span, Diagnostic>,
}

impl UnheardHooks {
    /// Notes the hooks of a mode. `ran` says whether a hook ran in a game.
    pub fn note(
        &mut self,
        subject: &CheckSubject,
        content: &Content,
        sightings: &PieceSightings,
        ran: impl Fn(HookId) -> bool,
    ) {
        for (ix, hook) in content.hooks.iter().enumerate() {
            let entry = content.entry(hook.entry);
            let kind = &content.kinds[entry.kind.ix()];
            let listens = matches!(
                hook.role,
                HookRole::On(_) | HookRole::Offer(_) | HookRole::Answer(_)
            );
            let is_own = hook
                .name
                .rsplit('.')
                .next()
                .is_some_and(|name| name.starts_with("self_"));
            let span = hook.script.span;
            let is_dead = dead_hook::why(content, hook).is_some();
            if !kind.is_piece || !listens || is_own || is_dead || !subject.owns(span) {
                continue;
            }
            let may_be_heard = sightings.heard.contains(&entry.kind)
                || !sightings.held.contains(&entry.kind)
                || ran(HookId::at(ix));
            if may_be_heard {
                self.heard.insert(span);
                continue;
            }
            let message = format!("`{}` of {} is never heard", hook.name, entry.title);
            let diagnostic = Diagnostic::warning(span, "dead-hook", message)
                .label(format!(
                    "in random games, no {} was in a zone that listens, or in a fight",
                    kind.title
                ))
                .help(MOVE_IT)
                .confidence(Confidence::Likely)
                .into();
            self.unheard.entry(span).or_insert(diagnostic);
        }
    }

    /// Reports the hooks that never received an event in any mode.
    pub fn report(self, report: &mut Report) {
        for (span, diagnostic) in self.unheard {
            if !self.heard.contains(&span) {
                report.push(diagnostic);
            }
        }
    }
}
