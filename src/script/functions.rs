//! Function files (`.rhai`): compiling and checking them, and inferring the types of functions.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::compile::{
    Compiler, Functions, Libraries, Library, LintLevel, PackFunction, VisibleFunctions,
};
use super::fault::{parse_diagnostic, unsupported_diagnostic};
use super::syntax::Script;
use super::{lint, resolve};
use crate::diagnostic::{Diagnostic, FileId, Span};

impl Compiler<'_> {
    /// Compiles the function files; files with the same text are reused from `old`.
    pub(super) fn parse_libraries(&mut self, old: Option<&Libraries>) {
        let mut libraries = Libraries::default();
        for pack in 0..self.content.packs.len() {
            let mut functions = Functions::default();
            let files = &self.content.libraries[pack];
            let compiled = files
                .iter()
                .filter_map(|file| self.library(*file, &mut functions, old))
                .collect();
            libraries.files.push(compiled);
            libraries.functions.push(functions);
        }
        libraries.broken = self.broken;
        self.libraries = Rc::new(libraries);
    }

    /// Checks the function files.
    pub(super) fn lint_libraries(&mut self) {
        if self.lint_level == LintLevel::All {
            self.summarise();
        }
        for pack in 0..self.content.packs.len() {
            self.shadowed(pack);
            if self.lint_level == LintLevel::Nothing {
                continue;
            }
            let visible = self.visible_functions(pack);
            for library in &self.libraries.files[pack] {
                let file = self
                    .files
                    .ids()
                    .find(|id| self.files.name(*id) == library.name);
                if let Some(file) = file {
                    let source = lint::ScriptText {
                        files: self.files,
                        file,
                        offset: 0,
                        exact: true,
                        pack: u16::try_from(pack).unwrap_or(u16::MAX),
                        broken: self.broken,
                        properties: &self.properties,
                        facts: &self.facts,
                    };
                    lint::check(
                        self.content,
                        &visible.functions,
                        &library.tree,
                        None,
                        self.lint_level == LintLevel::All,
                        &source,
                        self.report,
                    );
                }
            }
        }
    }

    /// Infers the types of functions, in two rounds: the second one knows the types of called
    /// functions.
    fn summarise(&mut self) {
        const ROUNDS: usize = 2;
        for _ in 0..ROUNDS {
            let mut settled = true;
            for pack in 0..self.content.packs.len() {
                let visible = self.visible_functions(pack);
                let of = |file: &Library| {
                    let number = u16::try_from(pack).unwrap_or(u16::MAX);
                    lint::summaries(
                        self.content,
                        &self.facts,
                        &visible.functions,
                        number,
                        &file.tree,
                    )
                };
                let found: Vec<_> = self.libraries.files[pack].iter().flat_map(of).collect();
                let Some(libraries) = Rc::get_mut(&mut self.libraries) else {
                    return;
                };
                for (key, summary) in found {
                    if let Some(function) = libraries.functions[pack].defined.get_mut(&key) {
                        settled &= *function.summary == summary;
                        function.summary = Rc::new(summary);
                    }
                }
            }
            if settled {
                return;
            }
        }
    }

    fn library(
        &mut self,
        file: FileId,
        functions: &mut Functions,
        old: Option<&Libraries>,
    ) -> Option<Library> {
        let text = self.files.text(file).to_owned();
        let before = old
            .into_iter()
            .flat_map(|old| old.files.iter().flatten())
            .find(|library| library.text == text);
        let name = self.files.name(file).into();
        let library = match before {
            Some(before) => Library {
                tree: before.tree.clone(),
                name,
                text,
            },
            None => self.parse_library(file, text)?,
        };
        if let Some(statement) = library.tree.body.body.first() {
            let at = statement.at as usize;
            let message = "a function file may contain only functions";
            Diagnostic::error(Span::new(file, at, at + 1), "top-level-statement", message)
                .label("this statement never runs")
                .help("move it to a function, as in `fn name() { … }`, and call that from a hook")
                .push(self.report);
        }
        self.add_functions(file, &library.tree, functions);
        Some(library)
    }

    fn parse_library(&mut self, file: FileId, text: String) -> Option<Library> {
        let span = Span::new(file, 0, text.len());
        let mut ast = match self.parser.compile(&text) {
            Ok(ast) => ast,
            Err(error) => {
                self.report
                    .push(parse_diagnostic(&error, &text, span, true));
                self.broken = true;
                return None;
            }
        };
        let tree = resolve::script(&ast, &text);
        for unsupported in &tree.unsupported {
            let fault = unsupported_diagnostic(unsupported, &text, span, true);
            self.report.push(fault);
        }
        if !tree.unsupported.is_empty() {
            self.broken = true;
            return None;
        }
        let name = self.files.name(file);
        ast.set_source(name);
        Some(Library {
            tree: Rc::new(tree),
            name: name.into(),
            text,
        })
    }

    fn add_functions(&mut self, file: FileId, tree: &Script, functions: &mut Functions) {
        for function in &tree.functions {
            let name = function.name.to_string();
            let at = function.at as usize;
            let span = Span::new(file, at, at + name.len());
            let parameters: Vec<String> = function
                .parameters
                .iter()
                .map(ToString::to_string)
                .collect();
            let key = (name.clone(), parameters.len());
            if let Some(other) = functions.defined.get(&key) {
                let message = format!("duplicate function `{name}`");
                Diagnostic::fatal(span, "duplicate-function", message)
                    .label("defined again here")
                    .related(other.span, "first defined here")
                    .help("rename one of them: all files of a pack share one namespace")
                    .push(self.report);
            }
            if lint::is_native(&name) {
                let message = format!("`{name}` is a built-in function");
                Diagnostic::fatal(span, "shadowed-primitive", message)
                    .label("hides the built-in function")
                    .help("rename it")
                    .push(self.report);
            }
            let summary = Rc::new(lint::FunctionSummary::unknown(parameters.len()));
            functions.defined.insert(
                key,
                PackFunction {
                    parameters,
                    span,
                    summary,
                },
            );
        }
    }

    /// Reports functions that a dependency of this pack also defines, because scripts of the
    /// dependency would call them.
    fn shadowed(&mut self, pack: usize) {
        for &other in self.content.visible[pack]
            .iter()
            .filter(|other| usize::from(**other) != pack)
        {
            for (key, function) in &self.libraries.functions[pack].defined {
                if let Some(theirs) = self.libraries.functions[usize::from(other)]
                    .defined
                    .get(key)
                {
                    let whose = &self.content.packs[usize::from(other)].id;
                    let message = format!("`{}` is also a function of {whose}", key.0);
                    Diagnostic::error(function.span, "shadowed-function", message)
                        .label("would be called instead of the other")
                        .related(theirs.span, "the other function")
                        .help("rename it, and patch the entry that should use it")
                        .push(self.report);
                }
            }
        }
    }

    /// The functions that are visible to the scripts of a pack.
    pub(super) fn visible_functions(&self, pack: usize) -> VisibleFunctions {
        let mut functions = BTreeMap::new();
        for &other in self.content.visible[pack].iter().rev() {
            functions.extend(self.libraries.functions[usize::from(other)].defined.clone());
        }
        let visible_hash = fingerprint(&self.content.packs[pack].id, &functions);
        VisibleFunctions {
            functions,
            visible_hash,
        }
    }
}

fn fingerprint(pack: &str, known: &BTreeMap<(String, usize), PackFunction>) -> u64 {
    // Names in scripts are resolved in their pack.
    let functions = known
        .iter()
        .map(|((name, _), f)| format!("{name}({});", f.parameters.join(",")));
    let text: String = std::iter::once(pack.to_owned()).chain(functions).collect();
    crate::content::stable_hash(&text)
}
