//! Compiles scripts; a hot reload reuses the syntax trees of scripts that did not change.

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
use super::visible::{HookName, HookNames, names_of, renamed, sees};
use crate::content::{Content, HookDef};
use crate::diagnostic::{Diagnostic, Files, Report, Severity, Span};
use crate::pack::{ReloadKind, Reuse};

/// A compiled script.
pub(super) struct CompiledScript {
    /// The syntax tree. It contains no ids of the content, so other content can reuse it.
    pub ast: Rc<AST>,
    /// The lowered form for our own interpreter, if the script is simple enough; built at the first
    /// run.
    pub plain: OnceCell<Option<Plain>>,
    /// The statements of a script that only Rhai can run, for coverage.
    pub spots: OnceCell<Vec<usize>>,
    /// The hook variables that the script mentions.
    pub names: HookNames,
    /// The source text.
    text: String,
    /// A hash of the functions that were visible.
    visible_hash: u64,
}

impl CompiledScript {
    /// A copy without the parts that are built at the first run.
    fn without_caches(&self) -> CompiledScript {
        let (plain, spots) = (OnceCell::new(), OnceCell::new());
        CompiledScript {
            ast: self.ast.clone(),
            plain,
            spots,
            names: self.names,
            text: self.text.clone(),
            visible_hash: self.visible_hash,
        }
    }
}

/// The functions that a pack defines.
#[derive(Default)]
pub struct Functions {
    /// The functions by name and number of parameters.
    pub known: BTreeMap<(String, usize), PackFunction>,
}

/// The function files (`.rhai`) of all packs.
#[derive(Default)]
pub(super) struct Libraries {
    /// The compiled files of each pack.
    pub files: Vec<Vec<Library>>,
    /// The functions that each pack defines.
    pub functions: Vec<Functions>,
    /// Whether a file has a syntax error.
    pub broken: bool,
}

/// A compiled function file.
pub(super) struct Library {
    pub tree: AST,
    /// The source text.
    pub text: String,
}

/// A function that a pack defines.
#[derive(Clone, Debug)]
pub struct PackFunction {
    /// The names of the parameters, in order.
    pub parameters: Vec<String>,
    /// The source location of the name in its definition.
    pub span: Span,
    /// Inferred types of parameters and result.
    pub summary: Rc<lint::FunctionSummary>,
}

/// A snippet that our own interpreter lets Rhai evaluate.
pub(super) struct RhaiSnippet {
    pub ast: AST,
    /// Rhai's cache of resolved functions.
    pub caches: RefCell<rhai::Caches>,
}

/// The functions that are visible to the scripts of a pack.
#[derive(Default)]
pub(super) struct VisibleFunctions {
    /// The functions by name and number of parameters.
    pub functions: BTreeMap<(String, usize), PackFunction>,
    /// A hash of all names and parameters.
    pub visible_hash: u64,
}

impl VisibleFunctions {
    /// The position of a function among all visible functions.
    pub fn slot(&self, key: &(String, usize)) -> Option<usize> {
        self.functions
            .contains_key(key)
            .then(|| self.functions.range(..key).count())
    }
}

/// How thoroughly scripts are checked when they are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LintLevel {
    /// No checks, because a background check runs at the same time.
    Nothing,
    /// Names only: enough to play.
    Names,
    /// Names, types, dead code and everything else.
    All,
}

/// All compiled scripts of the content.
pub struct Scripts {
    pub(super) engine: Rc<Engine>,
    pub(super) content: Arc<Content>,
    pub(super) codes: Vec<Option<Rc<CompiledScript>>>,
    /// Rhai's cache of resolved functions, one for each script: with a shared cache, scripts would
    /// call each other's functions. A reload reuses compiled scripts but not caches, because
    /// functions may have changed.
    pub(super) caches: Vec<RefCell<rhai::Caches>>,
    /// For each pack, the function files that its scripts see. Rhai searches from the end, so the
    /// pack's own files come last.
    pub(super) visible_modules: Vec<StaticVec<Shared<rhai::Module>>>,
    pub(super) pool: RefCell<Vec<super::run::EvalBuffers>>,
    /// For each pack, the snippets that Rhai evaluates, by source text.
    pub(super) snippets: RefCell<Vec<BTreeMap<Box<str>, Rc<RhaiSnippet>>>>,
    /// For each pack, the functions that its scripts see, in the order of `known`; built at the
    /// first call.
    pub(super) functions: Rc<OnceCell<Vec<Vec<Rc<Lowered>>>>>,
    /// For each pack, the functions that its scripts see.
    pub(super) known: Rc<Vec<VisibleFunctions>>,
    /// Every name that may follow a dot.
    properties: Rc<BTreeSet<String>>,
    /// The names of the content that lints know.
    facts: Rc<lint::Facts>,
    /// Counts runs of statements, for coverage.
    pub(super) trace: OnceCell<Rc<Trace>>,
    /// The checks that were run, and that run again when a script changes.
    lint_level: LintLevel,
    pub(super) libraries: Rc<Libraries>,
}

impl Scripts {
    /// The fourth stage: compiles every script, except where the previous result has compiled the
    /// same text. Errors go to the report.
    pub fn compile(
        content: &Arc<Content>,
        files: &Files,
        reuse: Reuse<Scripts>,
        lint_level: LintLevel,
        report: &mut Report,
    ) -> Scripts {
        match reuse {
            // A changed function may break any script that calls it.
            Reuse::AllButOneFile(previous, ReloadKind::Entries(_))
                if content.shares_numbers_with(&previous.content) =>
            {
                previous.compile_changed(content, files, lint_level, report)
            }
            _ => Scripts::compile_all(content, files, reuse, lint_level, report),
        }
    }

    fn compile_all(
        content: &Arc<Content>,
        files: &Files,
        reuse: Reuse<Scripts>,
        lint_level: LintLevel,
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
        // With the same files, entries and scripts, every name has the same meaning.
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
            None if lint_level != LintLevel::All => Rc::default(),
            None => Rc::new(lint::Facts::of(content, &texts)),
        };
        // The engine registers getters for names of entries, so it can be reused if these are the
        // same.
        let named_alike = |old: &&Scripts| {
            lint_level == LintLevel::Nothing && has_same_entries(&old.content, content)
        };
        let (engine, properties) = match before.or_else(|| old.filter(named_alike)) {
            Some(old) => (old.engine.clone(), old.properties.clone()),
            None => {
                let names = super::property_names::PropertyNames::of(content);
                let mut engine = engine::engine();
                engine.register_global_module(
                    super::property_names::properties(content, &names).into(),
                );
                let properties = match lint_level {
                    LintLevel::Nothing => Rc::default(),
                    _ => Rc::new(lint::properties(&names, texts.iter().copied())),
                };
                (Rc::new(engine), properties)
            }
        };
        let reported = before.is_some() || lint_level == LintLevel::Nothing;
        let (libraries, broken) = before
            .map(|old| (old.libraries.clone(), old.libraries.broken))
            .unwrap_or_default();
        let mut compiler = Compiler {
            engine,
            content,
            files,
            report,
            libraries,
            reported,
            care: lint_level,
            broken,
            properties,
            facts,
        };
        if before.is_none() {
            compiler.libraries(old.map(|old| &*old.libraries));
        }
        let visible_modules = compiler.sight();
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
        let (pool, snippets) = (RefCell::default(), no_asides(content));
        let caches = codes.iter().map(|_| RefCell::default()).collect();
        let content = content.clone();
        Scripts {
            engine,
            content,
            codes,
            caches,
            visible_modules,
            pool,
            snippets,
            functions,
            known,
            properties,
            facts,
            lint_level,
            trace: OnceCell::new(),
            libraries,
        }
    }

    /// Compiles only scripts that are new or have changed, for content that [has the same ids] and
    /// the same functions.
    ///
    /// [has the same ids]: Content::shares_numbers_with
    fn compile_changed(
        &self,
        content: &Arc<Content>,
        files: &Files,
        lint_level: LintLevel,
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
        let (broken, reported) = (false, lint_level == LintLevel::Nothing);
        let mut compiler = Compiler {
            engine,
            content,
            files,
            report,
            libraries,
            reported,
            care: lint_level,
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
        // No function has changed, so snippets and compiled functions are still valid.
        let (pool, asides, functions) = (
            RefCell::default(),
            self.snippets.clone(),
            self.functions.clone(),
        );
        let (content, sight, known) = (
            content.clone(),
            self.visible_modules.clone(),
            self.known.clone(),
        );
        let engine = self.engine.clone();
        let caches = codes.iter().map(|_| RefCell::default()).collect();
        Scripts {
            engine,
            content,
            codes,
            caches,
            visible_modules: sight,
            pool,
            snippets: asides,
            functions,
            known,
            properties,
            facts,
            lint_level,
            trace: self.trace.clone(),
            libraries,
        }
    }

    /// The checks that were run.
    #[must_use]
    pub fn care(&self) -> LintLevel {
        self.lint_level
    }

    /// The compiled scripts by source text, for reuse with other content.
    fn by_text(&self, content: &Content) -> HashMap<(&str, u64), Rc<CompiledScript>> {
        // Lowered scripts contain ids, so they are useless if the ids differ.
        let same = is_same_numbering(&self.content, content);
        let one = |code: &Rc<CompiledScript>| {
            if same {
                code.clone()
            } else {
                Rc::new(code.without_caches())
            }
        };
        self.codes
            .iter()
            .flatten()
            .map(|code| ((code.text.as_str(), code.visible_hash), one(code)))
            .collect()
    }
}

pub(super) struct Compiler<'a> {
    pub(super) engine: Rc<Engine>,
    pub(super) content: &'a Arc<Content>,
    pub(super) files: &'a Files,
    pub(super) report: &'a mut Report,
    pub(super) libraries: Rc<Libraries>,
    /// Whether diagnostics of reused scripts have already been reported.
    pub(super) reported: bool,
    pub(super) care: LintLevel,
    /// Whether a function file has a syntax error.
    pub(super) broken: bool,
    /// Every name that may follow a dot.
    pub(super) properties: Rc<BTreeSet<String>>,
    /// The names of the content that lints know.
    pub(super) facts: Rc<lint::Facts>,
}

impl Compiler<'_> {
    fn hooks(
        &mut self,
        known: &[VisibleFunctions],
        old: Option<&Scripts>,
    ) -> Vec<Option<Rc<CompiledScript>>> {
        let content = self.content.clone();
        let old = old.map(|old| old.by_text(&content)).unwrap_or_default();
        let one = |def: &Arc<HookDef>| {
            let sight = known[usize::from(def.script.by)].visible_hash;
            let before = old.get(&(def.script.text.as_str(), sight)).cloned();
            self.code(def, known, before)
        };
        content.hooks.iter().map(one).collect()
    }

    /// Compiles and checks a script, or reuses `before`.
    fn code(
        &mut self,
        def: &HookDef,
        known: &[VisibleFunctions],
        before: Option<Rc<CompiledScript>>,
    ) -> Option<Rc<CompiledScript>> {
        let known = &known[usize::from(def.script.by)];
        let checked = self.care == LintLevel::Nothing || self.reported && before.is_some();
        let code = before.or_else(|| self.hook(def, known).map(Rc::new))?;
        if !checked {
            self.lint(def, &code, known);
        }
        Some(code)
    }

    fn hook(&mut self, def: &HookDef, known: &VisibleFunctions) -> Option<CompiledScript> {
        let script = &def.script;
        let (text, exact) = match function_name(&script.text) {
            Some(name) => (self.call_of(def, name, known)?, false),
            None => (script.text.clone(), script.exact),
        };
        let names = mentioned(&text);
        let mut scope = Scope::new();
        for name in names.iter() {
            scope.push(name.text(), ());
        }
        match self.engine.compile_with_scope(&scope, &text) {
            Ok(ast) => {
                let (plain, spots, text) = (OnceCell::new(), OnceCell::new(), script.text.clone());
                Some(CompiledScript {
                    plain,
                    spots,
                    ast: Rc::new(ast),
                    names,
                    text,
                    visible_hash: known.visible_hash,
                })
            }
            Err(error) => {
                self.report
                    .push(parse_fault(&error, &text, script.span, exact));
                None
            }
        }
    }

    /// Checks a script, even if its text has not changed, because its names may have a new meaning.
    fn lint(&mut self, def: &HookDef, code: &CompiledScript, known: &VisibleFunctions) {
        let script = &def.script;
        if function_name(&script.text).is_some() {
            return;
        }
        let source = lint::ScriptText {
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
            self.care == LintLevel::All,
            &source,
            self.report,
        );
        if code.ast.has_functions()
            && code
                .ast
                .iter_functions()
                .any(|f| !f.name.starts_with("anon$"))
        {
            let message = "a hook cannot define a function";
            Diagnostic::error(script.span, "function-in-hook", message)
                    .label("in this script")
                    .help("move it to a `.rhai` file of the pack, such as `functions.rhai`, and call it here")
                .push(self.report);
        }
    }

    /// The call for a hook that consists only of a function name: the parameters are hook variables
    /// of the same names.
    fn call_of(&mut self, def: &HookDef, name: &str, known: &VisibleFunctions) -> Option<String> {
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
            let near = crate::diagnostic::find_misspelling(name, names);
            Diagnostic::unknown(def.script.span, "unknown-function", "function", name)
                .severity(Severity::Fatal)
                .label("not in a `.rhai` file of this pack")
                .did_you_mean(near)
                .help("a script of one word names a function; to run a statement, end it with `()` or `;`")
                .push(self.report);
            return None;
        };
        let unknown = function
            .parameters
            .iter()
            .find(|parameter| !sees(def, parameter));
        if let Some(parameter) = unknown {
            let message = format!("unknown parameter `{parameter}` of `{name}`");
            Diagnostic::fatal(def.script.span, "unknown-parameter", message)
                .label("named here")
                .related(function.span, "defined here")
                .help(match renamed(def, parameter) {
                    Some(new) => format!("`{parameter}` is now `{new}` here"),
                    None => format!(
                        "the hook calls it by name, so its parameters must be among: {}",
                        names_of(def).join(", ")
                    ),
                })
                .push(self.report);
            return None;
        }
        Some(format!("{name}({})", function.parameters.join(", ")))
    }
}

/// Whether both have the same entries, so only function files can differ.
fn has_same_entries(one: &Content, other: &Content) -> bool {
    let same = |(one, other): (&Arc<_>, &Arc<_>)| Arc::ptr_eq(one, other);
    one.entries.len() == other.entries.len() && one.entries.iter().zip(&other.entries).all(same)
}

/// Whether every entry has the same id in both.
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

fn no_asides(content: &Content) -> RefCell<Vec<BTreeMap<Box<str>, Rc<RhaiSnippet>>>> {
    RefCell::new(content.packs.iter().map(|_| BTreeMap::new()).collect())
}

/// The function name, if the script is a single word.
fn function_name(text: &str) -> Option<&str> {
    let text = text.trim();
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = !text.is_empty()
        && text.chars().all(letters)
        && !text.starts_with(|c: char| c.is_ascii_digit());
    let reserved = HookName::parse(text).is_some() || matches!(text, "true" | "false");
    (word && !reserved).then_some(text)
}

/// The hook variables that a text mentions. Names in comments and strings count too, which does no
/// harm.
fn mentioned(text: &str) -> HookNames {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter_map(HookName::parse).collect()
}
