//! Scripts become trees once; a reload takes over the trees of scripts that did not change.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{AST, Engine, Scope, Shared, StaticVec};

use super::engine;
use super::fault::parse_fault;
use super::lint;
use super::lowered::Lowered;
use super::plain::Plain;
use super::trace::Trace;
use crate::content::{Content, HookDef};
use crate::diagnostic::{Diagnostic, Files, Report, Severity, Span};
use crate::pack::{Changed, Reuse};

/// The names a hook may see, in the order they lie in its scope. The last five are seen by functions too; a hook finds them
/// faster in its scope.
pub const NAMES: &[&str] = &[
    "it", "entry", "owner", "actor", "each", "fighter", "foe", "event", "fight", "combo", "packet",
    "table",
];

/// A compiled script.
pub(super) struct Code {
    /// Holds no numbers of anything: it may be taken over by other content.
    pub ast: Rc<AST>,
    /// The same without Rhai, if it is plain; made when it is first run.
    pub plain: OnceCell<Option<Plain>>,
    /// If it is not, its statements, if somebody counts their runs.
    pub spots: OnceCell<Vec<usize>>,
    /// Which of [`NAMES`] it mentions, a bit each.
    pub names: u16,
    /// Under which text it was compiled, and with which functions in sight.
    text: String,
    sight: u64,
}

impl Code {
    /// The same before it was first run.
    fn afresh(&self) -> Code {
        let (plain, spots) = (OnceCell::new(), OnceCell::new());
        Code {
            ast: self.ast.clone(),
            plain,
            spots,
            names: self.names,
            text: self.text.clone(),
            sight: self.sight,
        }
    }
}

/// The functions of a pack's files.
#[derive(Default)]
pub struct Functions {
    /// For each function: its file, its parameters, where it stands.
    pub known: BTreeMap<(String, usize), Function>,
}

/// The files of functions.
#[derive(Default)]
pub(super) struct Libraries {
    /// The compiled files of each pack.
    pub files: Vec<Vec<Library>>,
    /// The functions each pack defines.
    pub functions: Vec<Functions>,
    /// Whether one of them could not be read.
    pub broken: bool,
}

/// A file of functions.
pub(super) struct Library {
    pub tree: AST,
    /// Under which text it was compiled.
    pub text: String,
}

/// A function of a pack.
#[derive(Clone, Debug)]
pub struct Function {
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Where it stands.
    pub span: Span,
    /// What it takes and gives.
    pub summary: Rc<lint::Summary>,
}

/// Something a plain script asks Rhai for.
pub(super) struct Aside {
    pub ast: AST,
    /// What functions it found before.
    pub caches: RefCell<rhai::Caches>,
}

/// The functions that the scripts of a pack see.
#[derive(Default)]
pub(super) struct Known {
    /// By name and number of parameters.
    pub functions: BTreeMap<(String, usize), Function>,
    /// A hash of them all.
    pub sight: u64,
}

impl Known {
    /// Where a function stands among them.
    pub fn slot(&self, key: &(String, usize)) -> Option<usize> {
        self.functions
            .contains_key(key)
            .then(|| self.functions.range(..key).count())
    }
}

/// How closely scripts are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// Not at all: somebody else looks at them meanwhile.
    Nothing,
    /// The names they use: enough to play.
    Names,
    /// Types, dead code and all else.
    All,
}

/// Every script of the content, ready to run.
pub struct Scripts {
    pub(super) engine: Rc<Engine>,
    pub(super) content: Arc<Content>,
    pub(super) codes: Vec<Option<Rc<Code>>>,
    /// For each of them, what functions it found before: two that share one call each other's functions. Codes are taken
    /// over by the next reading, and these are not: a function may have changed.
    pub(super) caches: Vec<RefCell<rhai::Caches>>,
    /// For each pack, the files of functions its scripts see: its own last, so that they are found first.
    pub(super) sight: Vec<StaticVec<Shared<rhai::Module>>>,
    pub(super) pool: RefCell<Vec<super::run::Kit>>,
    /// For each pack, what plain scripts had to ask Rhai for, by its text.
    pub(super) asides: RefCell<Vec<BTreeMap<Box<str>, Rc<Aside>>>>,
    /// For each pack, the functions its scripts see, in the order of `known`; made when one is first called.
    pub(super) functions: Rc<OnceCell<Vec<Vec<Rc<Lowered>>>>>,
    /// For each pack, the functions its scripts see.
    pub(super) known: Rc<Vec<Known>>,
    /// Every name that may stand after a dot.
    properties: Rc<BTreeSet<String>>,
    /// What the content's names are.
    facts: Rc<lint::Facts>,
    /// Counts the runs of statements, for whoever wants to know.
    pub(super) trace: OnceCell<Rc<Trace>>,
    /// How closely scripts were looked at, and are when they change.
    care: Care,
    /// The files of functions: their trees, and what they define.
    pub(super) libraries: Rc<Libraries>,
}

impl Scripts {
    /// The fourth stage: compiles every script, except where the previous result has compiled the same text; faults go to
    /// the report.
    pub fn compile(
        content: &Arc<Content>,
        files: &Files,
        reuse: Reuse<Scripts>,
        care: Care,
        report: &mut Report,
    ) -> Scripts {
        match reuse {
            // A changed function may make any script that calls it wrong.
            Reuse::AllButOneFile(previous, Changed::Entries(_))
                if content.shares_numbers_with(&previous.content) =>
            {
                previous.compile_changed(content, files, care, report)
            }
            _ => Scripts::compile_all(content, files, reuse, care, report),
        }
    }

    fn compile_all(
        content: &Arc<Content>,
        files: &Files,
        reuse: Reuse<Scripts>,
        care: Care,
        report: &mut Report,
    ) -> Scripts {
        let old = reuse.previous();
        let hooks = content.hooks.iter().map(|hook| hook.script.text.as_str());
        let libraries = content
            .libraries
            .iter()
            .flatten()
            .map(|file| files.text(*file));
        let texts: Vec<&str> = hooks.chain(libraries).collect();
        // From the same files, with the same entries and scripts, nothing can mean anything else.
        let same = |old: &&Scripts| {
            let texts = |content: &Content| {
                content
                    .hooks
                    .iter()
                    .map(|hook| hook.script.span)
                    .collect::<Vec<_>>()
            };
            matches!(reuse, Reuse::OtherChoice(_))
                && is_same_numbering(&old.content, content)
                && old.content.libraries == content.libraries
                && texts(&old.content) == texts(content)
        };
        let before = old.filter(same);
        let facts = match before {
            Some(old) => old.facts.clone(),
            None if care != Care::All => Rc::default(),
            None => Rc::new(lint::Facts::of(content, &texts)),
        };
        // What is registered for scripts are names of the content.
        let named_alike =
            |old: &&Scripts| care == Care::Nothing && has_same_entries(&old.content, content);
        let (engine, properties) = match before.or_else(|| old.filter(named_alike)) {
            Some(old) => (old.engine.clone(), old.properties.clone()),
            None => {
                let names = super::words::Names::of(content);
                let mut engine = engine::engine();
                engine.register_global_module(super::words::properties(content, &names).into());
                let properties = match care {
                    Care::Nothing => Rc::default(),
                    _ => Rc::new(lint::properties(&names, texts.iter().copied())),
                };
                (Rc::new(engine), properties)
            }
        };
        let told = before.is_some() || care == Care::Nothing;
        let (libraries, broken) = before
            .map(|old| (old.libraries.clone(), old.libraries.broken))
            .unwrap_or_default();
        let mut compiler = Compiler {
            engine,
            content,
            files,
            report,
            libraries,
            told,
            care,
            broken,
            properties,
            facts,
        };
        if before.is_none() {
            compiler.libraries(old.map(|old| &*old.libraries));
        }
        let sight = compiler.sight();
        let known = Rc::new(
            (0..content.packs.len())
                .map(|pack| compiler.known(pack))
                .collect::<Vec<_>>(),
        );
        let codes = compiler.hooks(&known, old);
        let functions = Rc::default();
        let (engine, properties, facts, libraries) = (
            compiler.engine,
            compiler.properties,
            compiler.facts,
            compiler.libraries,
        );
        let (pool, asides) = (RefCell::default(), no_asides(content));
        let caches = codes.iter().map(|_| RefCell::default()).collect();
        let content = content.clone();
        Scripts {
            engine,
            content,
            codes,
            caches,
            sight,
            pool,
            asides,
            functions,
            known,
            properties,
            facts,
            care,
            trace: OnceCell::new(),
            libraries,
        }
    }

    /// Compiles only scripts that are new or have changed in content that [shares its numbers] and has the same functions.
    ///
    /// [shares its numbers]: Content::shares_numbers_with
    fn compile_changed(
        &self,
        content: &Arc<Content>,
        files: &Files,
        care: Care,
        report: &mut Report,
    ) -> Scripts {
        let before = |ix: usize| self.content.hooks.get(ix);
        let changed =
            |ix: &usize| before(*ix).is_none_or(|old| !Arc::ptr_eq(&content.hooks[*ix], old));
        let changed: Vec<usize> = (0..content.hooks.len()).filter(changed).collect();
        let texts = changed
            .iter()
            .map(|ix| content.hooks[*ix].script.text.as_str());
        let mut properties = self.properties.clone();
        if let new @ [_, ..] = &lint::new_names(&properties, texts)[..] {
            Rc::make_mut(&mut properties).extend(new.iter().cloned());
        }
        let (engine, libraries, facts) = (
            self.engine.clone(),
            self.libraries.clone(),
            self.facts.clone(),
        );
        let (broken, told) = (false, care == Care::Nothing);
        let mut compiler = Compiler {
            engine,
            content,
            files,
            report,
            libraries,
            told,
            care,
            broken,
            properties,
            facts,
        };
        let mut codes = self.codes.clone();
        codes.resize(content.hooks.len(), None);
        for ix in changed {
            let before = codes[ix]
                .as_ref()
                .filter(|code| code.text == content.hooks[ix].script.text)
                .cloned();
            codes[ix] = compiler.code(&content.hooks[ix], &self.known, before);
        }
        let (properties, facts, libraries) =
            (compiler.properties, compiler.facts, compiler.libraries);
        // No function has changed, so that what was found once is found again.
        let (pool, asides, functions) = (
            RefCell::default(),
            self.asides.clone(),
            self.functions.clone(),
        );
        let (content, sight, known) = (content.clone(), self.sight.clone(), self.known.clone());
        let engine = self.engine.clone();
        let caches = codes.iter().map(|_| RefCell::default()).collect();
        Scripts {
            engine,
            content,
            codes,
            caches,
            sight,
            pool,
            asides,
            functions,
            known,
            properties,
            facts,
            care,
            trace: self.trace.clone(),
            libraries,
        }
    }

    /// How closely scripts were looked at.
    #[must_use]
    pub fn care(&self) -> Care {
        self.care
    }

    /// The codes for other content, by what they were compiled from.
    fn by_text(&self, content: &Content) -> HashMap<(&str, u64), Rc<Code>> {
        // Plain scripts speak of things by number: those of another numbering are of no use.
        let same = is_same_numbering(&self.content, content);
        let one = |code: &Rc<Code>| {
            if same {
                code.clone()
            } else {
                Rc::new(code.afresh())
            }
        };
        self.codes
            .iter()
            .flatten()
            .map(|code| ((code.text.as_str(), code.sight), one(code)))
            .collect()
    }
}

pub(super) struct Compiler<'a> {
    pub(super) engine: Rc<Engine>,
    pub(super) content: &'a Arc<Content>,
    pub(super) files: &'a Files,
    pub(super) report: &'a mut Report,
    /// The compiled files of each pack, and the functions it defines.
    pub(super) libraries: Rc<Libraries>,
    /// Whether what is wrong was told before.
    pub(super) told: bool,
    pub(super) care: Care,
    /// Whether a file of functions could not be read.
    pub(super) broken: bool,
    /// Every name that may stand after a dot.
    pub(super) properties: Rc<BTreeSet<String>>,
    /// What the content's names are.
    pub(super) facts: Rc<lint::Facts>,
}

impl Compiler<'_> {
    fn hooks(&mut self, known: &[Known], old: Option<&Scripts>) -> Vec<Option<Rc<Code>>> {
        let content = self.content.clone();
        let old = old.map(|old| old.by_text(&content)).unwrap_or_default();
        let one = |def: &Arc<HookDef>| {
            let sight = known[usize::from(def.script.by)].sight;
            let before = old.get(&(def.script.text.as_str(), sight)).cloned();
            self.code(def, known, before)
        };
        content.hooks.iter().map(one).collect()
    }

    /// A script, compiled unless it was before.
    fn code(
        &mut self,
        def: &HookDef,
        known: &[Known],
        before: Option<Rc<Code>>,
    ) -> Option<Rc<Code>> {
        let known = &known[usize::from(def.script.by)];
        let looked_at = self.care == Care::Nothing || self.told && before.is_some();
        let code = before.or_else(|| self.hook(def, known).map(Rc::new))?;
        if !looked_at {
            self.lint(def, &code, known);
        }
        Some(code)
    }

    fn hook(&mut self, def: &HookDef, known: &Known) -> Option<Code> {
        let script = &def.script;
        let (text, exact) = match function_name(&script.text) {
            Some(name) => (self.call_of(def, name, known)?, false),
            None => (script.text.clone(), script.exact),
        };
        let names = mentioned(&text);
        let mut scope = Scope::new();
        for (ix, name) in NAMES.iter().enumerate() {
            if names >> ix & 1 == 1 {
                scope.push(*name, ());
            }
        }
        match self.engine.compile_with_scope(&scope, &text) {
            Ok(ast) => {
                let (plain, spots, text) = (OnceCell::new(), OnceCell::new(), script.text.clone());
                Some(Code {
                    plain,
                    spots,
                    ast: Rc::new(ast),
                    names,
                    text,
                    sight: known.sight,
                })
            }
            Err(error) => {
                self.report
                    .push(parse_fault(&error, &text, script.span, exact));
                None
            }
        }
    }

    /// Looks at the names a script uses: what they mean may have changed though the script did not.
    fn lint(&mut self, def: &HookDef, code: &Code, known: &Known) {
        let script = &def.script;
        if function_name(&script.text).is_some() {
            return;
        }
        let source = lint::Source {
            files: self.files,
            file: script.span.file,
            offset: script.span.start as usize,
            exact: script.exact,
            broken: self.broken,
            properties: &self.properties,
            facts: &self.facts,
        };
        lint::check(
            self.content,
            &known.functions,
            &code.ast,
            Some(def),
            self.care == Care::All,
            &source,
            self.report,
        );
        if code.ast.has_functions()
            && code
                .ast
                .iter_functions()
                .any(|f| !f.name.starts_with("anon$"))
        {
            let message = "functions stand in a `.rhai` file of the pack, not in a hook";
            Diagnostic::wrong(script.span, "function-in-hook", message)
                .label("in this script")
                .help("move it into a file such as `words.rhai`, anywhere in the pack; the hook then calls it")
                .push(self.report);
        }
    }

    /// A hook that only names a function calls it with the names its parameters have.
    fn call_of(&mut self, def: &HookDef, name: &str, known: &Known) -> Option<String> {
        let function = known
            .functions
            .iter()
            .find(|((own, _), _)| own == name)
            .map(|(_, function)| function);
        let Some(function) = function else {
            if self.broken {
                return None;
            }
            let names = known.functions.keys().map(|(name, _)| name.as_str());
            let near = crate::diagnostic::slip(name, names);
            Diagnostic::unknown(def.script.span, "unknown-function", "function", name)
                .severity(Severity::Crash)
                .label("not in a `.rhai` file of this pack")
                .did_you_mean(near)
                .help("a script of one word names a function; to run a statement, write it with brackets or a semicolon")
                .push(self.report);
            return None;
        };
        let strange = function
            .parameters
            .iter()
            .find(|p| !NAMES.contains(&p.as_str()));
        if let Some(parameter) = strange {
            let message = format!("a hook cannot give `{name}` its parameter `{parameter}`");
            Diagnostic::crash(def.script.span, "unknown-parameter", message)
                .label("named here")
                .also(function.span, "the function")
                .help(format!(
                    "a function that is named as a hook takes any of: {}",
                    NAMES.join(", ")
                ))
                .push(self.report);
            return None;
        }
        Some(format!("{name}({})", function.parameters.join(", ")))
    }
}

/// Whether nothing but functions can be otherwise.
fn has_same_entries(one: &Content, other: &Content) -> bool {
    let same = |(one, other): (&Arc<_>, &Arc<_>)| Arc::ptr_eq(one, other);
    one.entries.len() == other.entries.len() && one.entries.iter().zip(&other.entries).all(same)
}

/// Whether every entry has the same number in both.
fn is_same_numbering(one: &Content, other: &Content) -> bool {
    let names = |content: &Content| {
        content
            .entries
            .iter()
            .map(|entry| entry.name.clone())
            .collect::<Vec<_>>()
    };
    one.entries.len() == other.entries.len() && names(one) == names(other)
}

fn no_asides(content: &Content) -> RefCell<Vec<BTreeMap<Box<str>, Rc<Aside>>>> {
    RefCell::new(content.packs.iter().map(|_| BTreeMap::new()).collect())
}

/// The name of a function, if a script is nothing else.
fn function_name(text: &str) -> Option<&str> {
    let text = text.trim();
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = !text.is_empty()
        && text.chars().all(letters)
        && !text.starts_with(|c: char| c.is_ascii_digit());
    let reserved = NAMES.contains(&text) || matches!(text, "true" | "false");
    (word && !reserved).then_some(text)
}

/// Which of the names a text mentions: a name in a comment or a string counts too, which does no harm.
fn mentioned(text: &str) -> u16 {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words
        .filter_map(|word| NAMES.iter().position(|name| *name == word))
        .fold(0, |bits, ix| bits | 1 << ix)
}
