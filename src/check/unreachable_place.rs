//! `unreachable-place`: a place that no route leads to.

use super::CheckSubject;
use crate::content::PlaceId;
use crate::diagnostic::{Confidence, Diagnostic, Report};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for (_, opened) in subject.opened {
        let content = &opened.rules.content;
        let places = &content.map.places;
        let has_ways = places.iter().any(|place| !place.edges.is_empty());
        for (ix, place) in places.iter().enumerate().filter(|_| has_ways) {
            let to = PlaceId::at(ix);
            let walkable = (0..places.len())
                .map(PlaceId::at)
                .any(|from| from != to && content.map.distance(from, to).is_some());
            let entry = content.entry(place.entry);
            let own = subject.entries().find(|own| *own.id == *entry.id);
            if let Some(own) = own.filter(|_| !walkable) {
                Diagnostic::warning(own.span, "unreachable-place", format!("no route leads to {}", entry.title))
                    .label("cannot be reached from any other place")
                    .help("add `routes` with neighbouring places (routes go both ways), or name it in the routes of another place")
                    .confidence(Confidence::Likely)
                    .push(report);
            }
        }
    }
}
