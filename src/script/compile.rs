//! Compiles scripts; a hot reload reuses the syntax trees of scripts that did not change.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use rhai::Engine;

use super::bytecode::Code;
use super::fault::{parse_diagnostic, unsupported_diagnostic};
use super::parser;
use super::program::Program;
use super::run::ReadyHook;
use super::syntax::Script;
use super::trace::Trace;
use super::visible::{HookVariable, names_of, renamed, sees};
use super::vm::Machine;
use super::{lint, resolve};
use crate::content::{Content, HookDef};
use crate::diagnostic::{Diagnostic, Files, Report, Severity, Span};
use crate::pack::{ReloadKind, Reuse};
use crate::value::Text;

/// A compiled script.
pub(super) struct CompiledScript {
    /// The syntax tree. It contains no ids of the content, so other content can reuse it.
    pub tree: Rc<Script>,
    /// The code, emitted at the first run. It contains ids of the content.
    pub code: OnceCell<Rc<Code>>,
    /// The fields that it reads of its argument, found at the first run in a menu; `None` if it uses
    /// the argument in another way.
    pub argument_fields: OnceCell<Option<Vec<Text>>>,
    /// The text that was parsed: the source text, or a call of the function that it names.
    pub parsed: Text,
    /// The source text.
    text: String,
    /// A hash of the functions that were visible.
    visible_hash: u64,
}

impl CompiledScript {
    /// A copy without the parts that are built at the first run.
    fn without_caches(&self) -> CompiledScript {
        CompiledScript {
            tree: self.tree.clone(),
            code: OnceCell::new(),
            argument_fields: OnceCell::new(),
            parsed: self.parsed.clone(),
            text: self.text.clone(),
            visible_hash: self.visible_hash,
        }
    }
}

/// The functions that a pack defines.
#[derive(Default)]
pub struct Functions {
    /// The functions by name and number of parameters.
    pub defined: BTreeMap<(String, usize), PackFunction>,
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
    pub tree: Rc<Script>,
    /// The name of the file.
    pub name: Text,
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

/// The functions that are visible to the scripts of a pack.
#[derive(Default)]
pub(super) struct VisibleFunctions {
    /// The functions by name and number of parameters.
    pub functions: BTreeMap<(String, usize), PackFunction>,
    /// A hash of all names and parameters.
    pub visible_hash: u64,
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
    pub(super) parser: Rc<Engine>,
    pub(super) content: Arc<Content>,
    pub(super) compiled_hooks: Vec<Option<Rc<CompiledScript>>>,
    /// For each hook, the data that its runs share; prepared at the first run.
    pub(super) ready: Vec<OnceCell<ReadyHook>>,
    /// The functions of all packs; linked at the first run.
    pub(super) program: Rc<OnceCell<Program>>,
    /// A pool of idle machines.
    #[allow(clippy::vec_box, reason = "a machine moves with every run of a hook")]
    pub(super) machines: RefCell<Vec<Box<Machine>>>,
    /// For each pack, the functions that its scripts see.
    pub(super) visible: Rc<Vec<VisibleFunctions>>,
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
        let parser = match old {
            Some(old) => old.parser.clone(),
            None => Rc::new(parser::engine()),
        };
        let reported = before.is_some() || lint_level == LintLevel::Nothing;
        let (libraries, broken) = before
            .map(|old| (old.libraries.clone(), old.libraries.broken))
            .unwrap_or_default();
        let mut compiler = Compiler {
            parser,
            content,
            files,
            report,
            libraries,
            reported,
            lint_level,
            broken,
            properties: Rc::default(),
            facts: Rc::default(),
        };
        if before.is_none() {
            compiler.parse_libraries(old.map(|old| &*old.libraries));
        }
        let parsed = compiler.parse_hooks(old);
        match before {
            Some(old) => {
                (compiler.properties, compiler.facts) = (old.properties.clone(), old.facts.clone());
            }
            None => {
                compiler.collect_names(&parsed);
                compiler.lint_libraries();
            }
        }
        let visible = Rc::new(compiler.all_visible_functions());
        let compiled_hooks = compiler.lint_hooks(parsed, &visible);
        let program = Rc::default();
        let (parser, properties, facts, libraries) = (
            compiler.parser,
            compiler.properties,
            compiler.facts,
            compiler.libraries,
        );
        let content = content.clone();
        Scripts {
            parser,
            content,
            ready: compiled_hooks.iter().map(|_| OnceCell::new()).collect(),
            compiled_hooks,
            program,
            machines: RefCell::default(),
            visible,
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
        let (parser, libraries, facts) = (
            self.parser.clone(),
            self.libraries.clone(),
            self.facts.clone(),
        );
        let (broken, reported) = (false, lint_level == LintLevel::Nothing);
        let mut compiler = Compiler {
            parser,
            content,
            files,
            report,
            libraries,
            reported,
            lint_level,
            broken,
            properties: self.properties.clone(),
            facts,
        };
        let mut compiled_hooks = self.compiled_hooks.clone();
        compiled_hooks.resize(content.hooks.len(), None);
        let mut parsed = Vec::new();
        for &ix in &changed {
            let before = compiled_hooks[ix]
                .as_ref()
                .filter(|code| code.text == content.hooks[ix].script.text)
                .cloned();
            parsed.push(compiler.parsed(&content.hooks[ix], &self.visible, before));
        }
        let new = lint::new_names(&compiler.properties, &trees(&parsed));
        if !new.is_empty() {
            Rc::make_mut(&mut compiler.properties).extend(new);
        }
        for (ix, parsed) in changed.into_iter().zip(parsed) {
            compiled_hooks[ix] = compiler.lint_hook(&content.hooks[ix], parsed, &self.visible);
        }
        let (properties, facts, libraries) =
            (compiler.properties, compiler.facts, compiler.libraries);
        // No function has changed, so the code of functions is still valid.
        Scripts {
            parser: self.parser.clone(),
            content: content.clone(),
            ready: compiled_hooks.iter().map(|_| OnceCell::new()).collect(),
            compiled_hooks,
            program: self.program.clone(),
            machines: RefCell::default(),
            visible: self.visible.clone(),
            properties,
            facts,
            lint_level,
            trace: self.trace.clone(),
            libraries,
        }
    }

    /// How thoroughly the scripts were checked.
    #[must_use]
    pub fn lint_level(&self) -> LintLevel {
        self.lint_level
    }

    /// Whether the script at a source location runs the script that it replaces.
    #[must_use]
    pub fn calls_replaced(&self, span: Span) -> bool {
        let mut calls = false;
        for (def, code) in self.content.hooks.iter().zip(&self.compiled_hooks) {
            if let Some(code) = code.as_ref().filter(|_| def.script.span == span) {
                code.tree.walk(&mut |node| {
                    node.each_call(&mut |site| calls |= &*site.call.name == "replaced");
                });
            }
        }
        calls
    }

    /// The compiled scripts by source text, for reuse with other content.
    fn by_text(&self, content: &Content) -> HashMap<(&str, u64), Rc<CompiledScript>> {
        // Code contains ids, so it is useless if the ids differ.
        let same = is_same_numbering(&self.content, content);
        let reusable = |code: &Rc<CompiledScript>| {
            if same {
                code.clone()
            } else {
                Rc::new(code.without_caches())
            }
        };
        self.compiled_hooks
            .iter()
            .flatten()
            .map(|code| ((code.text.as_str(), code.visible_hash), reusable(code)))
            .collect()
    }
}

/// A parsed hook that has not been checked yet.
struct ParsedHook {
    /// The script; `None` if it has a syntax error.
    code: Option<Rc<CompiledScript>>,
    /// Whether it was parsed before.
    reused: bool,
}

fn trees(parsed: &[ParsedHook]) -> Vec<Rc<Script>> {
    let compiled_hooks = parsed.iter().filter_map(|hook| hook.code.as_ref());
    compiled_hooks.map(|code| code.tree.clone()).collect()
}

pub(super) struct Compiler<'a> {
    pub(super) parser: Rc<Engine>,
    pub(super) content: &'a Arc<Content>,
    pub(super) files: &'a Files,
    pub(super) report: &'a mut Report,
    pub(super) libraries: Rc<Libraries>,
    /// Whether diagnostics of reused scripts have already been reported.
    pub(super) reported: bool,
    pub(super) lint_level: LintLevel,
    /// Whether a function file has a syntax error.
    pub(super) broken: bool,
    /// Every name that may follow a dot.
    pub(super) properties: Rc<BTreeSet<String>>,
    /// The names of the content that lints know.
    pub(super) facts: Rc<lint::Facts>,
}

impl Compiler<'_> {
    /// Parses every hook; scripts with the same text are reused from `old`.
    fn parse_hooks(&mut self, old: Option<&Scripts>) -> Vec<ParsedHook> {
        let content = self.content.clone();
        let visible = self.all_visible_functions();
        let old = old.map(|old| old.by_text(&content)).unwrap_or_default();
        let parse = |def: &Arc<HookDef>| {
            let visible_hash = visible[usize::from(def.script.by)].visible_hash;
            let before = old.get(&(def.script.text.as_str(), visible_hash)).cloned();
            self.parsed(def, &visible, before)
        };
        content.hooks.iter().map(parse).collect()
    }

    /// Parses a script, or reuses `before`.
    fn parsed(
        &mut self,
        def: &HookDef,
        visible: &[VisibleFunctions],
        before: Option<Rc<CompiledScript>>,
    ) -> ParsedHook {
        let visible = &visible[usize::from(def.script.by)];
        let reused = before.is_some();
        let code = before.or_else(|| self.hook(def, visible).map(Rc::new));
        ParsedHook { code, reused }
    }

    /// Collects the names that lints know.
    fn collect_names(&mut self, parsed: &[ParsedHook]) {
        if self.lint_level == LintLevel::Nothing {
            return;
        }
        let files = self.libraries.files.iter().flatten();
        let mut trees = trees(parsed);
        trees.extend(files.map(|library| library.tree.clone()));
        self.properties = Rc::new(lint::properties(self.content, &trees));
        if self.lint_level == LintLevel::All {
            self.facts = Rc::new(lint::Facts::of(self.content, &trees));
        }
    }

    /// The functions that are visible to the scripts of each pack.
    fn all_visible_functions(&self) -> Vec<VisibleFunctions> {
        let packs = 0..self.content.packs.len();
        packs.map(|pack| self.visible_functions(pack)).collect()
    }

    fn lint_hooks(
        &mut self,
        parsed: Vec<ParsedHook>,
        visible: &[VisibleFunctions],
    ) -> Vec<Option<Rc<CompiledScript>>> {
        let content = self.content.clone();
        let hooks = content.hooks.iter().zip(parsed);
        hooks
            .map(|(def, parsed)| self.lint_hook(def, parsed, visible))
            .collect()
    }

    fn lint_hook(
        &mut self,
        def: &HookDef,
        parsed: ParsedHook,
        visible: &[VisibleFunctions],
    ) -> Option<Rc<CompiledScript>> {
        let code = parsed.code?;
        if self.lint_level != LintLevel::Nothing && !(self.reported && parsed.reused) {
            self.lint(def, &code, &visible[usize::from(def.script.by)]);
        }
        Some(code)
    }

    fn hook(&mut self, def: &HookDef, visible: &VisibleFunctions) -> Option<CompiledScript> {
        let script = &def.script;
        let (text, exact) = match function_name(&script.text) {
            Some(name) => (self.call_of(def, name, visible)?, false),
            None => (script.text.clone(), script.exact),
        };
        let ast = match self.parser.compile(&text) {
            Ok(ast) => ast,
            Err(error) => {
                self.report
                    .push(parse_diagnostic(&error, &text, script.span, exact));
                return None;
            }
        };
        let tree = resolve::script(&ast, &text);
        for unsupported in &tree.unsupported {
            let fault = unsupported_diagnostic(unsupported, &text, script.span, exact);
            self.report.push(fault);
        }
        tree.unsupported.is_empty().then(|| CompiledScript {
            code: OnceCell::new(),
            argument_fields: OnceCell::new(),
            parsed: text.as_str().into(),
            tree: Rc::new(tree),
            text: script.text.clone(),
            visible_hash: visible.visible_hash,
        })
    }

    /// Checks a script, even if its text has not changed, because its names may have a new meaning.
    fn lint(&mut self, def: &HookDef, code: &CompiledScript, visible: &VisibleFunctions) {
        let script = &def.script;
        if function_name(&script.text).is_some() {
            return;
        }
        let source = lint::ScriptText {
            files: self.files,
            file: script.span.file,
            offset: script.span.start as usize,
            exact: script.exact,
            pack: script.by,
            broken: self.broken,
            properties: &self.properties,
            facts: &self.facts,
        };
        lint::check(
            self.content,
            &visible.functions,
            &code.tree,
            Some(def),
            self.lint_level == LintLevel::All,
            &source,
            self.report,
        );
        if !code.tree.functions.is_empty() {
            let message = "a hook cannot define a function";
            Diagnostic::error(script.span, "function-in-hook", message)
                    .label("in this script")
                    .help("move it to a `.rhai` file of the pack, such as `functions.rhai`, and call it here")
                .push(self.report);
        }
    }

    /// The call for a hook that consists only of a function name: the parameters are hook variables
    /// of the same names.
    fn call_of(&mut self, def: &HookDef, name: &str, visible: &VisibleFunctions) -> Option<String> {
        let function = visible
            .functions
            .iter()
            .find(|((own, _), _)| own == name)
            .map(|(_, function)| function);
        let Some(function) = function else {
            if self.broken {
                return None;
            }
            let names = visible.functions.keys().map(|(name, _)| name.as_str());
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

/// Whether every entry has the same id in both.
fn is_same_numbering(left: &Content, right: &Content) -> bool {
    let names = |content: &Content| {
        content
            .entries
            .iter()
            .map(|entry| entry.name.clone())
            .collect::<Vec<_>>()
    };
    left.entries.len() == right.entries.len() && names(left) == names(right)
}

/// The function name, if the script is a single word.
fn function_name(text: &str) -> Option<&str> {
    let text = text.trim();
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = !text.is_empty()
        && text.chars().all(letters)
        && !text.starts_with(|c: char| c.is_ascii_digit());
    let reserved = HookVariable::parse(text).is_some() || matches!(text, "true" | "false");
    (word && !reserved).then_some(text)
}
