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

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use crate::content::{self, Content, HookArgument, HookDef, HookId, HookRole};
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

    /// Reads all files of some packs.
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

    /// Whether any of these packs, or any pack that they depend on, has errors.
    #[must_use]
    pub fn has_errors(&self, packs: &[u16]) -> bool {
        let set = &self.set;
        let seen = packs.iter().flat_map(|number| pack::visible(set, *number));
        let roots: Vec<String> = seen
            .filter_map(|number| set.packs.get(usize::from(number)))
            .map(|pack| format!("{}/", pack.root))
            .collect();
        self.report.errors().any(|fault| {
            let file = set.files.name(fault.label.span.file);
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
        let mut content = content::build(set, &layered, &choice.options, contents, &mut report);
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
        let (choice, setup_script) = (choice.clone(), setup_script.map(str::to_owned));
        let opened = OpenedGame::new(content, scripts, layered, choice, setup_script);
        (Some(opened), report)
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

    /// Adds a script that starts the game at a later point. `at` is its source location, if it
    /// comes from a file.
    #[must_use]
    pub fn with_setup_script(
        &self,
        opened: &OpenedGame,
        setup_script: &str,
        at: Option<Span>,
    ) -> (OpenedGame, Report) {
        let mut report = Report::new();
        let mut content = Content::clone(&opened.rules.content);
        add_setup_script(&mut content, setup_script, at);
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
        let setup_script = Some(setup_script.to_owned());
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
        add_setup_script(content, text, None);
    }
}

fn add_setup_script(content: &mut Content, text: &str, at: Option<Span>) {
    let Some(mode) = &content.mode else { return };
    let entry = mode.entry;
    let by = content.entry(entry).pack;
    let span = at.unwrap_or(content.entry(entry).span);
    let script = ScriptSource {
        text: text.to_owned(),
        span,
        exact: at.is_some(),
        by,
        base: None,
    };
    content.hooks.push(Arc::new(HookDef {
        entry,
        // The name is part of the ids of questions in journals.
        name: "given".into(),
        role: HookRole::Do,
        script,
        base: None,
        argument: HookArgument::default(),
    }));
    content.setup_script = Some((entry, HookId::at(content.hooks.len() - 1)));
}
