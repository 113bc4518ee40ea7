//! A campaign: a mode that extends a mode of the game, with chapters, rules and an ending.

use std::borrow::Cow;

use super::base::BasePack;
use super::fill::{fill, quoted};
use super::{MOVES, NewFile, ScaffoldRequest, TemplatePart, log_expectations, made, manifest};

/// The title of the mode if the pack's title causes diagnostics.
const FALLBACK_TITLE: &str = "The story";

pub fn parts(base: &BasePack, request: &ScaffoldRequest) -> Vec<TemplatePart> {
    let names = FreshIds::new(base, request);
    let variants = log_expectations("A letter. A letter has been pushed");
    let fallbacks = variants
        .iter()
        .map(|how| part(base, request, &names, FALLBACK_TITLE, how));
    std::iter::once(part(base, request, &names, &request.title, &variants[0]))
        .chain(fallbacks)
        .collect()
}

/// Free ids for the new entries.
struct FreshIds {
    mode: String,
    chapter: String,
    rest: [(&'static str, String); 6],
}

impl FreshIds {
    fn new(base: &BasePack, request: &ScaffoldRequest) -> Self {
        let free = |id: &str| base.free(id, &request.id);
        Self {
            mode: free("story"),
            chapter: free("chapter"),
            rest: [
                ("first", free("a-letter")),
                ("second", free("a-lane")),
                ("third", free("a-laid-table")),
                ("goes_on", free("next-chapter")),
                ("told", free("read-chapter")),
                ("ends", free("ending")),
            ],
        }
    }
}

fn part(
    base: &BasePack,
    request: &ScaffoldRequest,
    names: &FreshIds,
    mode_title: &str,
    how: &str,
) -> TemplatePart {
    let (title, of_mode) = (quoted(mode_title), base.mode_name());
    let mut pairs: Vec<(&str, &str)> = names.rest.iter().map(|(name, id)| (*name, &**id)).collect();
    pairs.extend([
        ("mode", &*names.mode),
        ("chapter", &names.chapter),
        ("mode_title", &title),
        ("of_mode", &of_mode),
        ("how", how),
        ("moves", MOVES),
    ]);
    let file =
        |path, template: &str, about| -> NewFile { made(path, fill(template, &pairs), about) };
    let what = format!("A campaign for {}.", base.title());
    TemplatePart {
        files: vec![
            file(
                "story.toml",
                include_str!("templates/campaign/story.toml"),
                "the mode and its chapters",
            ),
            file(
                "rules.toml",
                include_str!("templates/campaign/rules.toml"),
                "the rules of the campaign and its ending",
            ),
            manifest(base, request, &what),
            file(
                "tests/story.toml",
                include_str!("templates/campaign/tests.toml"),
                "test cases",
            ),
        ],
        play: format!("{}:{}", request.id, names.mode),
        show: names.rest[0].1.clone(),
        what,
        first: Cow::Borrowed(include_str!("templates/campaign/first.md")),
    }
}
