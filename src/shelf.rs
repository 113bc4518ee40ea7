//! The shelf: every pack that was found, ready to be opened as a game.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use crate::content::{self, Content, Handed, HookDef, HookId, Role};
use crate::diagnostic::{Report, Span};
use crate::game::Rules;
use crate::pack::{self, Changed, Choice, Layered, PackSet, Reread, Script, Source};
use crate::script::{Interpreted, Scripts, Trace};

pub use crate::script::Care;

/// Every pack that was found.
#[derive(Clone)]
pub struct Shelf {
    /// The packs.
    pub set: PackSet,
    /// What is wrong with them, whatever is played.
    pub report: Report,
}

/// A mode someone may play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeLine {
    /// `pack:mode`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// The pack's title.
    pub pack: String,
    /// How many seats, as the pack wrote it.
    pub seats: String,
}

impl ModeLine {
    /// For how many players it is, in words.
    #[must_use]
    pub fn players(&self) -> String {
        format!(
            "{} player{}",
            self.seats,
            if self.seats == "1" { "" } else { "s" }
        )
    }
}

/// What was opened: what the packs say, and the scripts ready to run.
pub struct Opened {
    /// What does not change in a game.
    pub rules: Rc<Rules>,
    scripts: Rc<Scripts>,
    layered: Layered,
    choice: Choice,
    given: Option<String>,
}

impl Opened {
    /// What was chosen.
    #[must_use]
    pub const fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The script that starts a game in the middle of things.
    #[must_use]
    pub fn given(&self) -> Option<&str> {
        self.given.as_deref()
    }

    /// Notes from here on which statements of scripts are run; nothing must have been run before.
    #[must_use]
    pub fn trace(&self) -> Rc<Trace> {
        self.scripts.trace()
    }

    /// The same with every script run by Rhai, plain or not.
    #[must_use]
    pub fn interpreted(&self) -> Rc<Rules> {
        Rc::new(Rules {
            content: self.rules.content.clone(),
            runner: Box::new(Interpreted(self.scripts.clone())),
        })
    }
}

impl Shelf {
    /// Looks for packs in the embedded set, below a folder, in the user's folder, and at the paths given.
    ///
    /// # Errors
    /// When a path given leads to no pack.
    pub fn find(here: &std::path::Path, named: &[PathBuf]) -> Result<Shelf, String> {
        Ok(Shelf::load(pack::find(here, named)?))
    }

    /// Loads packs from where they are.
    #[must_use]
    pub fn load(sources: Vec<Source>) -> Shelf {
        Shelf::load_again(sources, None)
    }

    /// The same, but quicker by what has not changed since it was loaded before.
    #[must_use]
    pub fn load_again(sources: Vec<Source>, before: Option<&Shelf>) -> Shelf {
        let mut report = Report::new();
        let set = pack::load_again(sources, before.map(|before| &before.set), &mut report);
        Shelf { set, report }
    }

    /// Every mode of every pack, in load order.
    #[must_use]
    pub fn modes(&self) -> Vec<ModeLine> {
        let mut lines = Vec::new();
        for pack in &self.set.packs {
            for entry in pack.entries().filter(|entry| entry.kind == "mode") {
                lines.push(ModeLine {
                    name: format!("{}:{}", pack.manifest.id, entry.id),
                    title: entry.text("title").unwrap_or(&entry.id).to_owned(),
                    pack: pack.manifest.title.clone(),
                    seats: seats_of(pack, entry).replace("..=", " to "),
                });
            }
        }
        lines
    }

    /// Whether one of these packs, by number, or one in their sight has errors.
    #[must_use]
    pub fn is_faulty(&self, packs: &[u16]) -> bool {
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

    /// Lays the chosen packs over one another and compiles their scripts; `None` when no game can come of it.
    #[must_use]
    pub fn open(&self, choice: &Choice, given: Option<&str>) -> (Option<Rc<Rules>>, Report) {
        let (opened, report) = self.open_again(choice, given, None, Care::Names);
        (opened.map(|opened| opened.rules), report)
    }

    /// Opens packs that were opened before, in another mode or before they changed: scripts that did not change are not compiled again.
    /// How closely they are looked at is said by `care`.
    #[must_use]
    pub fn open_again(
        &self,
        choice: &Choice,
        given: Option<&str>,
        old: Option<&Opened>,
        care: Care,
    ) -> (Option<Opened>, Report) {
        let mut report = Report::new();
        let alike = old
            .filter(|_| care == Care::Rest)
            .and_then(|old| self.alike(choice, old, &mut report));
        let Some((layered, mut content)) = alike.or_else(|| self.layers(choice, &mut report))
        else {
            return (None, report);
        };
        if let Some(given) = given {
            add_given(&mut content, given, None);
        }
        let content = Arc::new(content);
        let old = old.map(|old| &*old.scripts);
        let scripts = Rc::new(Scripts::compile(
            &content,
            &self.set.files,
            &mut report,
            old,
            care,
        ));
        let rules = Rc::new(Rules {
            content,
            runner: Box::new(scripts.clone()),
        });
        let (choice, given) = (choice.clone(), given.map(str::to_owned));
        (
            Some(Opened {
                rules,
                scripts,
                layered,
                choice,
                given,
            }),
            report,
        )
    }

    fn layers(&self, choice: &Choice, report: &mut Report) -> Option<(Layered, Content)> {
        let layered = pack::layer(&self.set, choice, report)?;
        let content = content::build(&self.set, &layered, &choice.options, report);
        Some((layered, content))
    }

    /// The same from what another choice opened, if they differ in little.
    fn alike(
        &self,
        choice: &Choice,
        old: &Opened,
        report: &mut Report,
    ) -> Option<(Layered, Content)> {
        let layered = pack::layer_alike(&self.set, choice, &old.layered)?;
        let content = content::build_alike(&layered, &choice.options, &old.rules.content, report)?;
        Some((layered, content))
    }

    /// Takes in one changed file of packs that are open, and gives the way back: the quick way, if it has the same entries as before,
    /// or more, and is sound. Otherwise nothing is changed, and everything must be loaded again, which says what is wrong.
    pub fn reread(
        &mut self,
        file: &str,
        text: &str,
        old: &Opened,
        care: Care,
    ) -> Option<(Opened, Reread)> {
        let file = self.set.files.find(file)?;
        let reread = pack::reread(&mut self.set, file, text)?;
        let opened = self.reopen(&reread.changed, old, care);
        if opened.is_none() {
            pack::undo(&mut self.set, reread);
            return None;
        }
        opened.zip(Some(reread))
    }

    /// Goes back to what there was before a file was read again.
    pub fn undo(&mut self, reread: Reread) {
        pack::undo(&mut self.set, reread);
    }

    fn reopen(&self, changed: &Changed, old: &Opened, care: Care) -> Option<Opened> {
        let (files, mut report) = (&self.set.files, Report::new());
        let entries = match changed {
            Changed::More => {
                let (opened, report) =
                    self.open_again(&old.choice, old.given.as_deref(), Some(old), care);
                return opened.filter(|_| report.is_sound());
            }
            Changed::Functions => &[][..],
            Changed::Entries(entries) => entries,
        };
        let (layered, again) = pack::relayer(&self.set, &old.layered, entries)?;
        let content = Arc::new(content::rebuild(
            &self.set,
            &layered,
            &old.rules.content,
            &again,
        )?);
        let scripts = Rc::new(match changed {
            // Whatever calls them may be wrong now.
            Changed::Functions => {
                Scripts::compile(&content, files, &mut report, Some(&old.scripts), care)
            }
            _ => old.scripts.recompile(&content, files, &mut report, care),
        });
        let rules = Rc::new(Rules {
            content,
            runner: Box::new(scripts.clone()),
        });
        let (choice, given) = (old.choice.clone(), old.given.clone());
        report.is_sound().then_some(Opened {
            rules,
            scripts,
            layered,
            choice,
            given,
        })
    }

    /// What was opened, with a script that starts a game in the middle of things, and where that stands if it is the text of
    /// a file.
    #[must_use]
    pub fn with_given(&self, opened: &Opened, given: &str, at: Option<Span>) -> (Opened, Report) {
        let mut report = Report::new();
        let mut content = Content::clone(&opened.rules.content);
        add_given(&mut content, given, at);
        let content = Arc::new(content);
        let scripts = Rc::new(opened.scripts.recompile(
            &content,
            &self.set.files,
            &mut report,
            opened.scripts.care(),
        ));
        let rules = Rc::new(Rules {
            content,
            runner: Box::new(scripts.clone()),
        });
        let (layered, choice) = (opened.layered.clone(), opened.choice.clone());
        (
            Opened {
                rules,
                scripts,
                layered,
                choice,
                given: Some(given.to_owned()),
            },
            report,
        )
    }
}

/// How many seats a mode takes, by itself or through the modes of its pack that it extends.
fn seats_of<'p>(pack: &'p pack::Pack, mode: &'p pack::Entry) -> &'p str {
    let mut mode = mode;
    for _ in 0..8 {
        if let Some(seats) = mode.text("seats") {
            return seats;
        }
        let Some(pack::Value::Name(name)) = mode.get("extends") else {
            break;
        };
        let base = pack
            .entries()
            .find(|entry| entry.kind == "mode" && name.text.ends_with(&entry.id));
        let Some(base) = base else { break };
        mode = base;
    }
    "any number of"
}

/// Adds the script that starts a game in the middle of things.
fn add_given(content: &mut Content, text: &str, at: Option<Span>) {
    let Some(mode) = &content.mode else { return };
    let entry = mode.entry;
    let by = content.entry(entry).pack;
    let span = at.unwrap_or(content.entry(entry).span);
    let script = Script {
        text: text.to_owned(),
        span,
        exact: at.is_some(),
        by,
        base: None,
    };
    content.hooks.push(Arc::new(HookDef {
        entry,
        name: "given".into(),
        role: Role::Do,
        script,
        base: None,
        handed: Handed::default(),
        only: None,
    }));
    content.given = Some((entry, HookId::at(content.hooks.len() - 1)));
}
