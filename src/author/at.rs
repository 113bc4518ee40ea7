//! Beginning a game right at an entry, with what is needed to try it out.

use super::case::{At as Placed, Given};
use super::given;
use crate::content::{Content, EntryId, Owner};
use crate::diagnostic::{Files, suggestion, unknown_name};

/// Where a game is to begin.
#[derive(Clone, Debug, Default)]
pub struct At {
    /// The name of an entry, or its title.
    pub entry: Option<String>,
    /// What is so then: `coins=5`, `2.coins=1`, `hand=low-sweep,low-sweep`.
    pub with: Vec<String>,
}

/// How it begins there.
#[derive(Clone, Debug, Default)]
pub struct Beginning {
    /// The script that runs after set-up.
    pub script: Option<String>,
    /// What the first player is, if the entry is something players are.
    pub role: Option<String>,
}

/// Finds out how a game begins where it should.
///
/// # Errors
/// What is not there, or cannot be begun at, and what to write instead.
pub fn begin(content: &Content, at: &At) -> Result<Beginning, String> {
    let mut given = Given::default();
    let mut role = None;
    let mut run = String::new();
    if let Some(name) = &at.entry {
        let id = find(content, name)?;
        let entry = content.entry(id);
        let roles = content.mode.as_ref().and_then(|mode| mode.roles);
        run.push_str("goes_first(seat(1));\n");
        if content.start_of(id).is_some() {
            run.push_str(&format!("start_at(\"{}\");\n", entry.name));
        } else if entry.place.is_some() {
            given.places.push((placed("1"), placed(&entry.name)));
        } else if roles == Some(entry.kind) {
            role = Some(entry.id.to_string());
        } else {
            return Err(no_way(content, id));
        }
    }
    for words in &at.with {
        add(content, words, &mut given)?;
    }
    // What the entry's kind prepares comes first, so that what was asked for has the last word.
    let script = format!("{run}{}", given::script(&given).unwrap_or_default());
    Ok(Beginning {
        script: Some(script).filter(|script| !script.is_empty()),
        role,
    })
}

/// Something that stands in no file.
fn placed(text: &str) -> Placed<String> {
    Placed {
        value: text.to_owned(),
        at: Files::outside(),
    }
}

/// The entry of a name or a title.
///
/// # Errors
/// That there is none, with what comes close.
pub fn find(content: &Content, name: &str) -> Result<EntryId, String> {
    if let Some(id) = content.find(name) {
        return Ok(id);
    }
    let all = || (0..content.entries.len()).map(EntryId::at);
    let wanted = name.to_lowercase();
    let called: Vec<EntryId> = all()
        .filter(|id| content.entry(*id).title.to_lowercase() == wanted)
        .collect();
    match called[..] {
        [one] => Ok(one),
        [] if !content.is_ambiguous(name) => {
            let names = all().flat_map(|id| [&*content.entry(id).id, &*content.entry(id).title]);
            let (unknown, near) = (unknown_name("entry", name), suggestion(name, names));
            Err(format!(
                "{unknown}{near} (`kaer list --entries` lists them all)"
            ))
        }
        _ => {
            let named = |id: &EntryId| *content.entry(*id).id == *name || called.contains(id);
            let names: Vec<&str> = all()
                .filter(named)
                .map(|id| &*content.entry(id).name)
                .collect();
            Err(format!(
                "`{name}` stands for several entries: write {}",
                names.join(" or ")
            ))
        }
    }
}

pub(super) fn no_way(content: &Content, id: EntryId) -> String {
    let entry = content.entry(id);
    let kind = &content.kinds[entry.kind.ix()].id;
    match &entry.action {
        Some(action) if !action.windows.is_empty() && entry.place.is_none() => {
            let window = &content
                .entry(content.phases[action.windows[0].ix()].entry)
                .title;
            format!(
                "{} is an action: play without `--at`, and it stands in the menu “{window}”",
                entry.title
            )
        }
        _ => format!(
            "nothing says how a game begins at `{kind}/{}`; write it into the pack, as in\n\n    [[start]]\n    id = \"at-{kind}\"\n    \
             of = \"{kind}\"\n    do = 'create(each, actor.hand);'",
            entry.id
        ),
    }
}

/// Takes in `coins=5` or `hand=a,b`.
fn add(content: &Content, words: &str, given: &mut Given) -> Result<(), String> {
    let wrong = || {
        format!(
            "`--with {words}`: write a counter and a number, as in `coins=5`, or a zone and what lies in it"
        )
    };
    let (path, value) = words.split_once('=').ok_or_else(wrong)?;
    let (path, value) = (path.trim(), value.trim());
    let (owner, name) = path
        .split_once('.')
        .map_or((None, path), |(owner, name)| (Some(owner), name));
    let symbols = content.symbol(name);
    let path = |owners: &[Owner]| {
        let own = if owners.contains(&Owner::Seat) {
            "1"
        } else {
            "table"
        };
        format!("{}.{name}", owner.unwrap_or(own))
    };
    if let Some(counter) = symbols.counter {
        let number = value.parse().map_err(|_| wrong())?;
        given.counters.push((
            placed(&path(&content.counters[counter.ix()].owners)),
            number,
        ));
    } else if let Some(zone) = symbols.zone {
        let ids = value.split(',').map(str::trim).filter(|id| !id.is_empty());
        let ids = ids.map(|id| find(content, id).map(|id| placed(&content.entry(id).name)));
        given.zones.push((
            placed(&path(&content.zones[zone.ix()].owners)),
            ids.collect::<Result<_, _>>()?,
        ));
    } else {
        let known = content
            .symbols
            .iter()
            .filter(|(_, symbols)| symbols.counter.is_some() || symbols.zone.is_some());
        let unknown = unknown_name("counter or zone", name);
        let near = suggestion(name, known.map(|(name, _)| name.as_str()));
        return Err(format!("`--with {words}`: {unknown}{near}"));
    }
    Ok(())
}
