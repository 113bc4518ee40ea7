//! Resolves `--at` and `--with`, which start a game at a later point.

use crate::content::{Content, EntryId, Owner, Symbols};
use crate::diagnostic::{suggestion, unknown_name};
use crate::game::InitialState;
use crate::game::initial;

/// The values of `--at` and `--with`.
#[derive(Clone, Debug, Default)]
pub struct StartRequest {
    /// The name or the title of the entry to start at.
    pub entry: Option<String>,
    /// Counters and zones to set: `coins=5`, `2.coins=1`, `hand=low-sweep,low-sweep`.
    pub with: Vec<String>,
}

/// How to start the game.
#[derive(Clone, Debug, Default)]
pub struct StartPlan {
    /// The initial state; `None` for the regular start.
    pub initial: Option<InitialState>,
    /// The role of the first player, if the entry is a role.
    pub role: Option<String>,
}

/// Resolves a start request.
///
/// # Errors
/// Returns what does not exist or cannot be started at, and what to write instead.
pub fn begin(content: &Content, at: &StartRequest) -> Result<StartPlan, String> {
    let mut state = InitialState::default();
    let mut role = None;
    if let Some(name) = &at.entry {
        let entry = content.entry(find(content, name)?);
        let id = initial::startable(content, &entry.name)?;
        if content.start_of(id).is_none() && entry.place.is_none() {
            role = Some(entry.id.to_string());
        }
        state.start = Some(entry.name.to_string());
    }
    for setting in &at.with {
        add(content, setting, &mut state)?;
    }
    Ok(StartPlan {
        initial: Some(state).filter(|state| !state.is_empty()),
        role,
    })
}

/// Finds an entry by name or title.
///
/// # Errors
/// Returns a message if there is none, with the nearest name, or if there are several.
pub fn find(content: &Content, name: &str) -> Result<EntryId, String> {
    if let Some(id) = content.find(name) {
        return Ok(id);
    }
    let all = || (0..content.entries.len()).map(EntryId::at);
    let title = name.to_lowercase();
    let titled: Vec<EntryId> = all()
        .filter(|id| content.entry(*id).title.to_lowercase() == title)
        .collect();
    match titled[..] {
        [id] => Ok(id),
        [] if !content.is_ambiguous(name) => {
            let names = all().flat_map(|id| [&*content.entry(id).id, &*content.entry(id).title]);
            let (unknown, near) = (unknown_name("entry", name), suggestion(name, names));
            Err(format!(
                "{unknown}{near} (`kaer list --entries` lists them all)"
            ))
        }
        _ => {
            let matches = |id: &EntryId| *content.entry(*id).id == *name || titled.contains(id);
            let names: Vec<&str> = all()
                .filter(matches)
                .map(|id| &*content.entry(id).name)
                .collect();
            Err(format!(
                "`{name}` matches several entries: write {}",
                names.join(" or ")
            ))
        }
    }
}

/// Adds `coins=5` or `hand=a,b`. Without an owner, this means the first seat, or the table if seats
/// do not have the counter or zone.
fn add(content: &Content, setting: &str, state: &mut InitialState) -> Result<(), String> {
    let wrong = || {
        format!(
            "`--with {setting}`: write a counter and a number (`coins=5`), a flag and its value (`met=yes`), or a zone and its pieces (`hand=card,card`)"
        )
    };
    let (path, value) = setting.split_once('=').ok_or_else(wrong)?;
    let (path, value) = (path.trim(), value.trim());
    let (owner, name) = path
        .split_once('.')
        .map_or((None, path), |(owner, name)| (Some(owner), name));
    let pack = content
        .mode
        .as_ref()
        .map_or(0, |mode| content.entry(mode.entry).pack);
    if let Some(names) = content.ambiguous_symbol(Some(pack), name, Symbols::is_property) {
        let names = names.join("` or `");
        return Err(format!(
            "`--with {setting}`: several packs define `{name}`: write `{names}`"
        ));
    }
    let name = &*content.qualified_symbol(pack, name);
    let symbols = content.symbol_in(pack, name);
    let path = |owners: &[Owner]| {
        let default = if owners.contains(&Owner::Seat) {
            "1"
        } else {
            "table"
        };
        format!("{}.{name}", owner.unwrap_or(default))
    };
    if let Some(counter) = symbols.counter {
        let path = path(&content.counters[counter.ix()].owners);
        if let Some(flag) = content.flag(counter) {
            let values = |values| format!("`--with {setting}`: the flag must be {values}");
            content.flag_number_typed(flag, value).map_err(values)?;
            value.clone_into(row(&mut state.flags, path));
            return Ok(());
        }
        let number = value.parse().map_err(|_| wrong())?;
        *row(&mut state.counters, path) = number;
    } else if let Some(zone) = symbols.zone {
        let path = path(&content.zones[zone.ix()].owners);
        let ids = value.split(',').map(str::trim).filter(|id| !id.is_empty());
        let ids = ids.map(|id| find(content, id).map(|id| content.entry(id).name.to_string()));
        let ids: Vec<String> = ids.collect::<Result<_, String>>()?;
        row(&mut state.zones, path).extend(ids);
    } else {
        let known = content.symbol_names(Symbols::is_property);
        let unknown = unknown_name("counter, flag or zone", name);
        let near = suggestion(name, known);
        return Err(format!("`--with {setting}`: {unknown}{near}"));
    }
    Ok(())
}

/// The value of a row; adds the row if it is missing.
fn row<T: Default>(rows: &mut Vec<(String, T)>, path: String) -> &mut T {
    let at = rows.iter().position(|(known, _)| *known == path);
    let at = at.unwrap_or_else(|| {
        rows.push((path, T::default()));
        rows.len() - 1
    });
    &mut rows[at].1
}
