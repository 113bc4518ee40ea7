//! Connections between the cards of a pack, and the events that they fire and handle.

use std::collections::BTreeMap;

use super::graph::{self, Graph, GraphNode, NODE_STYLES};
use super::html::{Html, classed, code, counted, joined, section, table, tag};
use super::site::{DocPack, DocSite, PageWriter, native};
use super::usage::{Usage, UseKind, UsedBy, each_leaf};
use super::{frame, paths};
use crate::content::events::{ask, on};
use crate::pack::EntryNature;

/// The page of connections; `None` if no card refers to another.
pub fn page(writer: &PageWriter, pack: usize, shown: &DocPack) -> Option<Html> {
    let (graph, kinds) = connections(writer, pack);
    let parts = graph.parts();
    if parts.is_empty() {
        return None;
    }
    let mut body = frame::heading("Connections", Some(shown.title()));
    let text = "An arrow leads from a card to a card it refers to: in a field, by number or in a script. Arrows to a flag come \
                from the cards that set it; its own lead to the cards that read it. Hover over an arrow to see which field.";
    body.push(tag("p", text));
    let legend = kinds.iter().enumerate().map(|(look, kind)| {
        classed(
            "span",
            &format!("legend look-{}", look % NODE_STYLES),
            *kind,
        )
    });
    body.push(classed("p", "small", joined(legend, " ")));
    body.push(graph::arrows());
    for part in &parts {
        let title = part.title();
        let size = classed("span", "place", counted(part.nodes.len(), "card"));
        body.push(classed(
            "section",
            "story",
            [
                tag("h2", [Html::from(&title), " ".into(), size]),
                part.drawn(&title),
            ],
        ));
    }
    Some(body)
}

/// The graph of references between pieces, and the kinds by their style.
fn connections<'b>(writer: &'b PageWriter, pack: usize) -> (Graph, Vec<&'b str>) {
    let site = writer.site;
    let is_piece = |at: usize| {
        site.items[at]
            .kind
            .is_some_and(|kind| kind.is == EntryNature::Piece)
    };
    let mut graph = Graph::default();
    let mut place: BTreeMap<usize, usize> = BTreeMap::new();
    let mut kinds: Vec<&str> = Vec::new();
    let is_flag = |at: usize| site.items[at].entry.kind == "flag";
    let shows = |at: usize| site.items[at].entry.kind != "panel";
    for (at, _) in site.of_pack(pack).filter(|(at, _)| shows(*at)) {
        for (target, way, how) in &site.uses.names[at] {
            let connects = is_piece(at)
                && is_piece(*target)
                && matches!(way, UseKind::Refers | UseKind::Mentions);
            if !connects && !is_flag(*target) {
                continue;
            }
            let mut node = |at: usize| {
                let item = &site.items[at];
                let look = kinds
                    .iter()
                    .position(|kind| *kind == item.kind_title())
                    .unwrap_or_else(|| {
                        kinds.push(item.kind_title());
                        kinds.len() - 1
                    });
                *place.entry(at).or_insert_with(|| {
                    graph.nodes.push(GraphNode {
                        title: item.title.clone(),
                        to: writer.to(&item.path),
                        style: look,
                    });
                    graph.nodes.len() - 1
                })
            };
            let (own, other) = (node(at), node(*target));
            // A card sets a flag; a flag decides about the cards that read it.
            if is_flag(*target) && *way != UseKind::Sets {
                graph.join(other, own, how);
            } else {
                graph.join(own, other, how);
            }
        }
    }
    (graph, kinds)
}

/// The page of events: the pack's events with what fires and handles them, and what handles the
/// engine's events.
pub fn events_page(writer: &PageWriter, pack: usize, shown: &DocPack) -> Option<Html> {
    let site = writer.site;
    let own: Vec<usize> = site
        .of_pack(pack)
        .filter(|(_, item)| matches!(&*item.entry.kind, "event" | "query"))
        .map(|(at, _)| at)
        .collect();
    let handled = handled_engine_events(site, pack);
    if own.is_empty() && handled.is_empty() {
        return None;
    }
    let mut body = frame::heading("Events", Some(shown.title()));
    let parts = event_graph(writer, &own).parts();
    if !parts.is_empty() {
        body.push(tag(
            "p",
            "What emits the events of the pack or asks its queries, and what handles or answers them.",
        ));
        body.push(graph::arrows());
        body.push(
            parts
                .iter()
                .map(|part| part.drawn("Events"))
                .collect::<Html>(),
        );
    }
    let row = |at: &usize| {
        let item = &site.items[*at];
        let who = |ways: &[UseKind]| {
            let mut all: Vec<UsedBy> = site.uses.of[*at]
                .iter()
                .filter(|used| ways.contains(&used.kind))
                .map(|used| used.by)
                .collect();
            all.dedup();
            joined(all.into_iter().map(|by| writer.by(by)), ", ")
        };
        // A script can pass the name of an event to another, so any mention in a script counts.
        let emitted = who(&[UseKind::Fires, UseKind::Mentions]);
        [
            writer.link(&item.path, code(&item.entry.id)),
            item.entry.text("text").unwrap_or("").into(),
            emitted,
            who(&[UseKind::Handles]),
        ]
    };
    body.push(section(
        "Events of the pack",
        table(
            [
                "name",
                "description",
                "emitted or asked by",
                "handled or answered by",
            ],
            own.iter().map(row),
        ),
    ));
    let rows = handled.into_iter().map(|(name, by)| {
        let path = native(name).unwrap_or_default();
        [
            writer.link(&path, code(name)),
            joined(by.into_iter().map(|at| writer.entry(at)), ", "),
        ]
    });
    body.push(section(
        "Built-in events",
        table(["name", "handled or answered by"], rows),
    ));
    Some(body)
}

/// The engine's events and queries that a pack handles, in the engine's order.
fn handled_engine_events(site: &DocSite, pack: usize) -> Vec<(&'static str, Vec<usize>)> {
    let mut by: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, item) in site.of_pack(pack) {
        each_leaf(item, &mut |_, _, leaf| {
            if let Some(name) = leaf.event {
                let all = by
                    .entry(name.strip_prefix("self_").unwrap_or(name).to_owned())
                    .or_default();
                if all.last() != Some(&at) {
                    all.push(at);
                }
            }
        });
    }
    let natives = on::EVENTS.iter().chain(ask::QUERIES);
    natives
        .filter_map(|native| Some((native.name, by.remove(native.name)?)))
        .collect()
}

/// The graph of the pack's events, with what fires and handles them.
fn event_graph(writer: &PageWriter, own: &[usize]) -> Graph {
    let site = writer.site;
    let mut graph = Graph::default();
    let mut place: BTreeMap<UsedBy, usize> = BTreeMap::new();
    for &event in own {
        let wanted = |used: &&Usage| {
            matches!(
                used.kind,
                UseKind::Fires | UseKind::Handles | UseKind::Mentions
            )
        };
        for used in site.uses.of[event].iter().filter(wanted) {
            let mut node = |by: UsedBy| {
                *place.entry(by).or_insert_with(|| {
                    graph.nodes.push(node_of(writer, by));
                    graph.nodes.len() - 1
                })
            };
            let (event, user) = (node(UsedBy::Entry(event)), node(used.by));
            let (from, to) = if used.kind == UseKind::Handles {
                (event, user)
            } else {
                (user, event)
            };
            graph.join(from, to, &used.description);
        }
    }
    graph
}

fn node_of(writer: &PageWriter, by: UsedBy) -> GraphNode {
    let site = writer.site;
    match by {
        UsedBy::Entry(at) => {
            let item = &site.items[at];
            let event = matches!(&*item.entry.kind, "event" | "query");
            let title = if event {
                item.entry.id.clone()
            } else {
                item.title.clone()
            };
            GraphNode {
                title,
                to: writer.to(&item.path),
                style: usize::from(!event),
            }
        }
        UsedBy::Function(pack, at) => {
            let title = site.packs[pack].functions[at].head.to_owned();
            GraphNode {
                title,
                to: writer.to(&site.function_path((pack, at))),
                style: 2,
            }
        }
        UsedBy::Patch(pack, _) => {
            let shown = &site.packs[pack];
            GraphNode {
                title: shown.title().to_owned(),
                to: writer.to(&paths::of_pack(shown.id(), "index")),
                style: 3,
            }
        }
    }
}
