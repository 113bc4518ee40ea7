//! From files to playable rules, in four stages.
//!
//! 1. Read ([`pack::reload`] for all files, [`pack::reload_file`] for one): files become a
//!    [`PackSet`], which a [`PackLibrary`] contains.
//! 2. Layer ([`pack::layer`]): the packs of a [`GameChoice`] are merged in load order.
//! 3. Build ([`content::build`]): names are resolved to ids.
//! 4. Compile ([`Scripts::compile`]).
//!
//! [`PackLibrary::open_reusing`] runs stages 2 to 4. Opening a game for the first time, opening
//! another mode of the same files and hot-reloading one file differ only in the [`Reuse`] they
//! pass; each stage decides what it can share with its previous result.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use crate::content::{self, Content, EntryId, HookArgument, HookDef, HookId, HookRole};
use crate::diagnostic::{Report, Span};
use crate::game::Rules;
use crate::pack::{self, GameChoice, Layered, PackSet, PackSource, ReloadKind, ScriptSource};
use crate::script::{Scripts, Trace};

pub use crate::pack::Reuse;
pub use crate::script::LintLevel;

/// Every pack that was found, read but not yet opened for a game.
#[derive(Clone)]
pub struct PackLibrary {
    /// The packs, with their files.
    pub set: PackSet,
    /// Errors and warnings that do not depend on the mode.
    pub report: Report,
}

/// A mode, as shown in menus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeInfo {
    /// `pack:mode`.
    pub name: String,
    /// The title of the mode.
    pub title: String,
    /// The title of its pack.
    pub pack: String,
    /// The number of seats as text: `2 to 5`.
    pub seats: String,
}

impl ModeInfo {
    /// The number of players as text: `2 to 5 players`.
    #[must_use]
    pub fn players(&self) -> String {
        format!(
            "{} player{}",
            self.seats,
            if self.seats == "1" { "" } else { "s" }
        )
    }
}

/// A script of the setup of a game.
#[derive(Clone, Copy)]
pub struct SetupScript<'t> {
    /// The source text.
    pub text: &'t str,
    /// Its source location, if a file contains it verbatim.
    pub at: Option<Span>,
}

/// A `[[campaign]]`.
#[derive(Clone, Debug)]
pub struct CampaignInfo {
    /// `pack:campaign/id`.
    pub name: String,
    /// The title, for players.
    pub title: String,
    /// The id of its pack.
    pub pack: String,
    /// Its scenarios, in order.
    pub scenarios: Vec<ScenarioInfo>,
}

/// A scenario of a campaign.
#[derive(Clone, Debug)]
pub struct ScenarioInfo {
    /// The id in the campaign.
    pub id: String,
    /// The mode to play.
    pub mode: ModeInfo,
    /// The text before the game.
    pub text: Option<String>,
}

/// The result of stages 2 to 4, which a later opening may reuse.
pub struct OpenedGame {
    /// The content and the compiled scripts.
    pub rules: Rc<Rules>,
    scripts: Rc<Scripts>,
    layered: Layered,
    choice: GameChoice,
    setup_script: Option<String>,
}

impl OpenedGame {
    fn new(
        content: Arc<Content>,
        scripts: Scripts,
        layered: Layered,
        choice: GameChoice,
        setup_script: Option<String>,
    ) -> OpenedGame {
        let scripts = Rc::new(scripts);
        let runner = Box::new(scripts.clone());
        OpenedGame {
            rules: Rc::new(Rules::new(content, runner)),
            scripts,
            layered,
            choice,
            setup_script,
        }
    }

    /// The mode, packs and options it was opened with.
    #[must_use]
    pub const fn choice(&self) -> &GameChoice {
        &self.choice
    }

    /// The chosen options, and the defaults of options that have values and were not chosen.
    #[must_use]
    pub fn options_with_defaults(&self) -> Vec<String> {
        let content = &self.rules.content;
        let mut options = self.choice.options.clone();
        let name = |text: &str| text.split('=').next().unwrap_or("").trim().to_owned();
        let chosen: Vec<String> = options.iter().map(|option| name(option)).collect();
        for option in &content.options {
            let Some(value) = option.value.text() else {
                continue;
            };
            let full = format!(
                "{}:{}",
                content.packs[usize::from(option.pack)].id,
                option.id
            );
            let is_shared = content
                .options
                .iter()
                .filter(|other| other.id == option.id)
                .count()
                > 1;
            let is_chosen = chosen.contains(&full) || !is_shared && chosen.contains(&option.id);
            if !is_chosen {
                let name = if is_shared { &full } else { &option.id };
                options.push(format!("{name}={value}"));
            }
        }
        options
    }

    /// The script that starts the game at a later point, if there is one.
    #[must_use]
    pub fn setup_script(&self) -> Option<&str> {
        self.setup_script.as_deref()
    }

    /// Starts counting how often each statement of a script runs. Call this before any script has
    /// run.
    #[must_use]
    pub fn trace(&self) -> Rc<Trace> {
        self.scripts.trace()
    }

    /// The same rules with every script run by Rhai, for comparison.
    #[cfg(feature = "reference")]
    #[must_use]
    pub fn interpreted(&self) -> Rc<Rules> {
        let runner = crate::script::RhaiRunner::new(self.scripts.clone());
        Rc::new(self.rules.with_runner(Box::new(runner)))
    }
}

impl PackLibrary {
    /// Loads the embedded packs, those below a folder, those in the user's data folder, and those
    /// at the given paths.
    ///
    /// # Errors
    /// Returns a message if one of the paths does not contain a pack.
    pub fn find(here: &std::path::Path, named: &[PathBuf]) -> Result<PackLibrary, String> {
        Ok(PackLibrary::load(pack::find(here, named)?))
    }

    /// Reads all files of the given packs.
    #[must_use]
    pub fn load(sources: Vec<PackSource>) -> PackLibrary {
        PackLibrary::reload(sources, None)
    }

    /// Like [`PackLibrary::load`], but does not parse files that have not changed since `previous`.
    #[must_use]
    pub fn reload(sources: Vec<PackSource>, previous: Option<&PackLibrary>) -> PackLibrary {
        let mut report = Report::new();
        let set = pack::reload(sources, previous.map(|library| &library.set), &mut report);
        PackLibrary { set, report }
    }

    /// Every mode of every pack, in load order.
    #[must_use]
    pub fn modes(&self) -> Vec<ModeInfo> {
        let mut lines = Vec::new();
        for pack in &self.set.packs {
            for entry in pack.entries().filter(|entry| entry.kind == "mode") {
                lines.push(ModeInfo {
                    name: format!("{}:{}", pack.manifest.id, entry.id),
                    title: entry.text("title").unwrap_or(&entry.id).to_owned(),
                    pack: pack.manifest.title.clone(),
                    seats: seats_of(pack, entry).replace("..=", " to "),
                });
            }
        }
        lines
    }

    /// The packs that can be added to a mode, if nothing else prevents it: they extend its pack or a
    /// pack that this one builds on, directly or through other expansions.
    #[must_use]
    pub fn expansions(&self, mode: &str) -> Vec<&pack::Pack> {
        let base = mode.split(':').next().unwrap_or("");
        let built_on = self.built_on(base, &|pack| pack.manifest.all_dependencies().collect());
        let extends = |pack: &&pack::Pack| {
            let id = &pack.manifest.id;
            let mut extended = self.extended(id).into_iter();
            !built_on.contains(id) && extended.any(|other| built_on.contains(&other))
        };
        self.set.packs.iter().filter(extends).collect()
    }

    /// The packs that a pack extends, directly or through other expansions.
    #[must_use]
    pub fn extended(&self, id: &str) -> Vec<String> {
        let mut all = self.built_on(id, &|pack| pack.manifest.extends.iter().collect());
        all.remove(0);
        all
    }

    /// A pack, the packs that it names, and so on, transitively.
    fn built_on(
        &self,
        id: &str,
        named: &dyn Fn(&pack::Pack) -> Vec<&pack::Dependency>,
    ) -> Vec<String> {
        let mut all = vec![id.to_owned()];
        let mut next = 0;
        while let Some(id) = all.get(next) {
            next += 1;
            let Some((_, pack)) = self.set.pack(id) else {
                continue;
            };
            for other in named(pack) {
                if !all.contains(&other.id) {
                    all.push(other.id.clone());
                }
            }
        }
        all
    }

    /// Why these packs cannot be played together in this mode, in a sentence without a full stop.
    #[must_use]
    pub fn incompatibility(&self, choice: &GameChoice) -> Option<String> {
        pack::incompatibility(&self.set, choice)
    }

    /// Adds packs to a mode one by one, and skips those that cannot be combined with it.
    #[must_use]
    pub fn compatible(&self, mode: &str, packs: &[String]) -> GameChoice {
        let mut choice = GameChoice {
            mode: mode.to_owned(),
            ..GameChoice::default()
        };
        for id in packs {
            let mut more = choice.clone();
            more.with.push(id.clone());
            if !more.with[..more.with.len() - 1].contains(id)
                && self.incompatibility(&more).is_none()
            {
                choice = more;
            }
        }
        choice
    }

    /// Every campaign of every pack, in load order.
    #[must_use]
    pub fn campaigns(&self) -> Vec<CampaignInfo> {
        let mut found = Vec::new();
        for pack in &self.set.packs {
            let entries = pack.entries().filter(|entry| entry.kind == "campaign");
            found.extend(entries.map(|entry| CampaignInfo {
                name: entry.full_name(),
                title: entry.text("title").unwrap_or(&entry.id).to_owned(),
                pack: pack.manifest.id.clone(),
                scenarios: self.scenarios(&pack.manifest.id, entry),
            }));
        }
        found
    }

    fn scenarios(&self, pack: &str, entry: &pack::Entry) -> Vec<ScenarioInfo> {
        let modes = self.modes();
        let text = |row: &pack::FieldValue, key: &str| {
            row.get(key)
                .and_then(pack::FieldValue::as_text)
                .map(str::to_owned)
        };
        let scenario = |row: &pack::FieldValue| {
            let wanted = match row.get("mode")? {
                pack::FieldValue::Name(name) => name.text.clone(),
                other => other.as_text()?.to_owned(),
            };
            let own = format!("{pack}:{wanted}");
            let fits = |mode: &&ModeInfo| {
                mode.name == own
                    || mode.name == wanted
                    || mode.name.ends_with(&format!(":{wanted}"))
            };
            let all: Vec<&ModeInfo> = modes.iter().filter(fits).collect();
            let mode = all.iter().find(|mode| mode.name == own).or(all.first())?;
            Some(ScenarioInfo {
                id: text(row, "id")?,
                mode: (*mode).clone(),
                text: text(row, "text"),
            })
        };
        entry.list("scenario").iter().filter_map(scenario).collect()
    }

    /// Whether one of these packs, or a pack that they depend on, has errors.
    #[must_use]
    pub fn has_errors(&self, packs: &[u16]) -> bool {
        let set = &self.set;
        let seen = packs.iter().flat_map(|number| pack::visible(set, *number));
        let roots: Vec<String> = seen
            .filter_map(|number| set.packs.get(usize::from(number)))
            .map(|pack| format!("{}/", pack.root))
            .collect();
        self.report.errors().any(|diagnostic| {
            let file = set.files.name(diagnostic.label.span.file);
            roots.iter().any(|root| file.starts_with(root))
        })
    }

    /// Opens packs for a game; `None` if they have too many errors to play.
    #[must_use]
    pub fn open(
        &self,
        choice: &GameChoice,
        setup_script: Option<&str>,
    ) -> (Option<Rc<Rules>>, Report) {
        let (opened, report) =
            self.open_reusing(choice, setup_script, Reuse::Nothing, LintLevel::Names);
        (opened.map(|opened| opened.rules), report)
    }

    /// Opens packs for a game, and reuses what has not changed since a previous opening.
    /// `lint_level` determines how thoroughly scripts are checked.
    #[must_use]
    pub fn open_reusing(
        &self,
        choice: &GameChoice,
        setup_script: Option<&str>,
        reuse: Reuse<OpenedGame>,
        lint_level: LintLevel,
    ) -> (Option<OpenedGame>, Report) {
        let (set, mut report) = (&self.set, Report::new());
        let layers = reuse.map(|previous| &previous.layered);
        let Some(layered) = pack::layer(set, choice, layers, &mut report) else {
            return (None, report);
        };
        let contents = reuse.map(|previous| &*previous.rules.content);
        let mut content = content::build(set, &layered, contents, &mut report);
        set_setup_script(&mut content, setup_script);
        let content = Arc::new(content);
        let scripts = reuse.map(|previous| &*previous.scripts);
        let scripts = Scripts::compile(&content, &set.files, scripts, lint_level, &mut report);
        for conflict in &*layered.script_conflicts {
            let keeps = |span| scripts.calls_replaced(span);
            if !keeps(conflict.before) || !keeps(conflict.now) {
                report.push(conflict.diagnostic.clone());
            }
        }
        // A script that a pack adds to a kind is compiled for each of its entries.
        let mut reported = BTreeSet::new();
        report.retain(|diagnostic| {
            reported.insert((
                diagnostic.code,
                diagnostic.label.span,
                diagnostic.message.clone(),
            ))
        });
        let (choice, setup_script) = (choice.clone(), setup_script.map(str::to_owned));
        let opened = OpenedGame::new(content, scripts, layered, choice, setup_script);
        (Some(opened), report)
    }

    /// The library for the cases of a pack, which can also call the functions in its folder
    /// `tests/`; `None` if there are none.
    #[must_use]
    pub fn with_test_functions(&self, pack: &str) -> Option<PackLibrary> {
        let own =
            |target: &&pack::Pack| target.manifest.id == pack && !target.test_libraries.is_empty();
        self.set.packs.iter().find(own)?;
        let mut library = self.clone();
        let target = library.set.packs.iter_mut();
        for target in target.filter(|target| target.manifest.id == pack) {
            target.libraries.extend(&target.test_libraries);
        }
        Some(library)
    }

    /// Reads one changed file and opens the game again. Returns `None` if the file cannot be read
    /// alone or has errors; a full load then reports them.
    #[must_use]
    pub fn reload_file(
        &self,
        file: &str,
        text: &str,
        previous: &OpenedGame,
        lint_level: LintLevel,
    ) -> Option<(PackLibrary, OpenedGame)> {
        let (set, changed) = pack::reload_file(&self.set, file, text)?;
        let report = self.report.clone();
        let library = PackLibrary { set, report };
        let reuse = Reuse::AllButOneFile(previous, &changed);
        let (opened, report) =
            library.open_reusing(&previous.choice, previous.setup_script(), reuse, lint_level);
        let opened = opened.filter(|_| report.has_no_errors())?;
        Some((library, opened))
    }

    /// Adds the scripts of a test case: one that runs before the setup of the mode, and one that
    /// starts the game at a later point. Names in them mean what they mean in a pack.
    #[must_use]
    pub fn with_setup_scripts(
        &self,
        opened: &OpenedGame,
        before: Option<SetupScript>,
        after: Option<SetupScript>,
        pack: u16,
    ) -> (OpenedGame, Report) {
        let mut report = Report::new();
        let mut content = Content::clone(&opened.rules.content);
        if let Some(script) = before {
            content.script_before_setup = add_script(&mut content, "before", script, Some(pack));
        }
        if let Some(script) = after {
            content.setup_script = add_script(&mut content, SETUP_HOOK, script, Some(pack));
        }
        let content = Arc::new(content);
        let no_entries = ReloadKind::Entries(Vec::new());
        let scripts = Scripts::compile(
            &content,
            &self.set.files,
            Reuse::AllButOneFile(&*opened.scripts, &no_entries),
            opened.scripts.lint_level(),
            &mut report,
        );
        let (layered, choice) = (opened.layered.clone(), opened.choice.clone());
        let setup_script = after.map(|script| script.text.to_owned());
        (
            OpenedGame::new(content, scripts, layered, choice, setup_script),
            report,
        )
    }
}

/// The number of seats of a mode, declared or inherited from modes of the same pack.
fn seats_of<'p>(pack: &'p pack::Pack, mode: &'p pack::Entry) -> &'p str {
    let mut mode = mode;
    for _ in 0..8 {
        if let Some(seats) = mode.text("seats") {
            return seats;
        }
        let Some(pack::FieldValue::Name(name)) = mode.get("extends") else {
            break;
        };
        let id = name.text.rsplit([':', '/']).next();
        let base = pack
            .entries()
            .find(|entry| entry.kind == "mode" && id == Some(entry.id.as_str()));
        let Some(base) = base else { break };
        mode = base;
    }
    "any number of"
}

/// Sets, replaces or removes the script that starts the game at a later point.
fn set_setup_script(content: &mut Content, setup_script: Option<&str>) {
    let script = |(_, hook): (_, HookId)| content.hooks[hook.ix()].script.text.as_str();
    if content.setup_script.map(script) == setup_script {
        return;
    }
    if content.setup_script.take().is_some() {
        content.hooks.pop();
    }
    if let Some(text) = setup_script {
        let script = SetupScript { text, at: None };
        content.setup_script = add_script(content, SETUP_HOOK, script, None);
    }
}

/// The name of the hook that starts a game at a later point. It is part of the ids of questions in
/// journals.
const SETUP_HOOK: &str = "given";

/// Adds a script of the setup as a hook of the mode. It belongs to a pack; by default, to that of
/// the mode.
fn add_script(
    content: &mut Content,
    name: &str,
    SetupScript { text, at }: SetupScript,
    pack: Option<u16>,
) -> Option<(EntryId, HookId)> {
    let entry = content.mode.as_ref()?.entry;
    let by = pack.unwrap_or(content.entry(entry).pack);
    let span = at.unwrap_or(content.entry(entry).span);
    let script = ScriptSource {
        text: text.to_owned(),
        span,
        exact: at.is_some(),
        by,
        is_value: false,
        base: None,
    };
    content.hooks.push(Arc::new(HookDef {
        entry,
        name: name.into(),
        role: HookRole::Do,
        script,
        base: None,
        argument: HookArgument::default(),
    }));
    Some((entry, HookId::at(content.hooks.len() - 1)))
}
