//! The outcomes of an entry, as nested lists.

use super::html::{Html, classed, code, list, prose, tag};
use super::site::{DocPack, DocSite, PageWriter};
use crate::content::EntryId;
use crate::explore::outcomes::{self, ExplorationLimits, OutcomeNode, OutcomeTree, percent};
use crate::explore::start::StartRequest;

/// The outcomes of all entries of a pack whose kind has a `[[start]]` with `outcomes`, and the
/// indices of the entries.
pub fn of_pack(
    site: &DocSite,
    shown: &DocPack,
    limits: ExplorationLimits,
) -> Vec<(usize, Result<OutcomeTree, String>)> {
    let Some(opened) = &shown.opened else {
        return Vec::new();
    };
    let content = &opened.rules.content;
    let mut all = Vec::new();
    for id in (0..content.entries.len()).map(EntryId::at) {
        let entry = content.entry(id);
        let at = site
            .find_name(&entry.name)
            .filter(|at| site.packs[site.items[*at].pack].number == shown.number);
        let wanted = content.start_of(id).is_some_and(|start| start.outcomes);
        if let Some(at) = at.filter(|_| wanted && limits.runs > 0) {
            let start = StartRequest {
                entry: Some(entry.name.to_string()),
                with: Vec::new(),
            };
            all.push((at, outcomes::explore(opened, &start, None, limits)));
        }
    }
    all
}

/// The commands to try out an entry; empty if a game cannot start at it.
fn commands(site: &DocSite, at: usize) -> Html {
    let item = &site.items[at];
    let Some(opened) = &site.packs[item.pack].opened else {
        return Html::default();
    };
    let content = &opened.rules.content;
    let Some(id) = content
        .find(&item.entry.full_name())
        .filter(|id| content.start_of(*id).is_some())
    else {
        return Html::default();
    };
    let name = &content.entry(id).name;
    classed(
        "p",
        "small",
        [
            Html::from("Try it: "),
            code(&format!("kaer play --at {name}")),
            ", ".into(),
            code(&format!("kaer outcomes {name}")),
            ".".into(),
        ],
    )
}

/// A tree as nested lists, with a note about branches that were cut.
fn shown(tree: &Result<OutcomeTree, String>) -> Html {
    let tree = match tree {
        Ok(tree) => tree,
        Err(reason) => return classed("p", "small", reason),
    };
    let mut body = drawn(&tree.root, &tree.text);
    for variant in &tree.variants {
        body.push(tag(
            "p",
            ["With ".into(), code(&variant.heading()), ":".into()],
        ));
        body.push(drawn(&variant.root, &tree.text));
    }
    if let Some(branches) = tree.describe_truncated() {
        let text = format!(
            "{branches}; `kaer outcomes` goes further with `--depth N`, `--max-runs N` and `--fights`."
        );
        body.push(classed("p", "small", prose(&text)));
    }
    body
}

fn drawn(root: &OutcomeNode, card_text: &str) -> Html {
    match root {
        node @ (OutcomeNode::End(_) | OutcomeNode::Truncated(_)) => tag("p", brief(node)),
        node => classed("div", "tree", branches(node, card_text)),
    }
}

fn brief(node: &OutcomeNode) -> Html {
    match node {
        OutcomeNode::End(changes) if changes.is_empty() => {
            classed("span", "small", "nothing changes")
        }
        OutcomeNode::End(changes) => changes.join(", ").into(),
        OutcomeNode::Truncated(reason) => classed("span", "small", format!("… ({reason})")),
        OutcomeNode::Question(_) | OutcomeNode::Chance(_) => Html::default(),
    }
}

fn branches(node: &OutcomeNode, card_text: &str) -> Html {
    match node {
        OutcomeNode::Question(question) => {
            // The text of the entry is already on its card.
            let prompt = question.prompt.replace(card_text, "");
            let prompt = prompt.lines().next().unwrap_or_default().trim();
            let item = |option: &outcomes::OutcomeOption| {
                let mut words = Html::from(option.label.lines().next().unwrap_or_default());
                if option.merged > 1 {
                    words.push(classed(
                        "span",
                        "small",
                        format!(" (and {} similar)", option.merged - 1),
                    ));
                }
                match (&option.closed, &option.then) {
                    (Some(reason), _) => words.and(classed(
                        "span",
                        "small",
                        format!(" (unavailable: {reason})"),
                    )),
                    (None, Some(then)) => after(words, then, card_text),
                    (None, None) => words,
                }
            };
            tag(
                "p",
                [tag("strong", &question.who), ": ".into(), prompt.into()],
            )
            .and(list(question.answers.iter().map(item)))
        }
        OutcomeNode::Chance(results) => list(results.iter().map(|result| {
            let numbers: Vec<String> = result.numbers.iter().map(u32::to_string).collect();
            let numbers = if numbers.is_empty() {
                String::new()
            } else {
                format!("{}: ", numbers.join(", "))
            };
            after(
                tag("em", format!("{numbers}{}", percent(result.probability))),
                &result.then,
                card_text,
            )
        })),
        node => brief(node),
    }
}

fn after(words: Html, then: &OutcomeNode, card_text: &str) -> Html {
    match then {
        OutcomeNode::End(_) | OutcomeNode::Truncated(_) => words.and(" → ").and(brief(then)),
        node => words.and(branches(node, card_text)),
    }
}

impl PageWriter<'_, '_> {
    /// The section about the outcomes of an entry.
    pub fn outcomes_section(&self, at: usize, tree: Option<&Result<OutcomeTree, String>>) -> Html {
        tree.map(shown)
            .unwrap_or_default()
            .and(commands(self.site, at))
    }
}
