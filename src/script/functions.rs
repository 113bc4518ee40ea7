//! Function files (`.rhai`): compiling and checking them, and inferring the types of functions.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{AST, Shared, StaticVec};

use super::compile::{
    Compiler, Functions, Libraries, Library, LintLevel, PackFunction, VisibleFunctions,
};
use super::fault::parse_fault;
use super::lint;
use crate::diagnostic::{Diagnostic, FileId, Span};

impl Compiler<'_> {
    /// Compiles and checks the function files; files with the same text are reused from `old`.
    pub(super) fn libraries(&mut self, old: Option<&Libraries>) {
        let mut libraries = Libraries::default();
        for pack in 0..self.content.packs.len() {
            let mut functions = Functions::default();
            let own = &self.content.libraries[pack];
            let compiled = own
                .iter()
                .filter_map(|file| self.library(*file, &mut functions, old))
                .collect();
            libraries.files.push(compiled);
            libraries.functions.push(functions);
        }
        libraries.broken = self.broken;
        self.libraries = Rc::new(libraries);
        if self.care == LintLevel::All {
            self.summarise();
        }
        for pack in 0..self.content.packs.len() {
            self.shadowed(pack);
            if self.care == LintLevel::Nothing {
                continue;
            }
            let known = self.known(pack);
            for Library { tree, .. } in &self.libraries.files[pack] {
                let file = tree
                    .source()
                    .and_then(|name| self.files.ids().find(|id| self.files.name(*id) == name));
                if let Some(file) = file {
                    let source = lint::ScriptText {
                        files: self.files,
                        file,
                        offset: 0,
                        exact: true,
                        broken: self.broken,
                        properties: &self.properties,
                        facts: &self.facts,
                    };
                    lint::check(
                        self.content,
                        &known.functions,
                        tree,
                        None,
                        self.care == LintLevel::All,
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
                let known = self.known(pack);
                let of = |file: &Library| {
                    lint::summaries(self.content, &self.facts, &known.functions, &file.tree)
                };
                let found: Vec<_> = self.libraries.files[pack].iter().flat_map(of).collect();
                let Some(libraries) = Rc::get_mut(&mut self.libraries) else {
                    return;
                };
                for (key, summary) in found {
                    if let Some(function) = libraries.functions[pack].known.get_mut(&key) {
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
        let compiled = before.map_or_else(
            || self.engine.compile(&text),
            |library| Ok(library.tree.clone()),
        );
        let mut tree = match compiled {
            Ok(tree) => tree,
            Err(error) => {
                let span = Span::new(file, 0, text.len());
                self.report.push(parse_fault(&error, &text, span, true));
                self.broken = true;
                return None;
            }
        };
        tree.set_source(self.files.name(file));
        if let Some(statement) = tree.statements().first() {
            let at = super::fault::offset(&text, statement.position());
            let message = "a function file may contain only functions";
            Diagnostic::error(Span::new(file, at, at + 1), "top-level-statement", message)
                .label("this statement never runs")
                .help("move it to a function, and call that from a hook")
                .push(self.report);
        }
        self.add_functions(file, &text, &tree, functions);
        Some(Library { tree, text })
    }

    fn add_functions(&mut self, file: FileId, text: &str, tree: &AST, functions: &mut Functions) {
        let mut found: Vec<_> = tree
            .iter_functions()
            .filter(|f| !f.name.starts_with("anon$"))
            .collect();
        found.sort_by_key(|f| (f.name.to_owned(), f.params.len()));
        for function in found {
            let name = function.name.to_owned();
            let at = find_function(text, &name);
            let span = Span::new(file, at, at + name.len());
            let parameters: Vec<String> = function.params.iter().map(|p| (*p).to_owned()).collect();
            let key = (name.clone(), parameters.len());
            if let Some(other) = functions.known.get(&key) {
                let message = format!("duplicate function `{name}`");
                Diagnostic::fatal(span, "duplicate-function", message)
                    .label("defined again here")
                    .related(other.span, "first defined here")
                    .help("rename one of them: all files of a pack share one namespace")
                    .push(self.report);
            }
            if lint::is_native(&name) {
                let message = format!("`{name}` is a function of the engine");
                Diagnostic::fatal(span, "shadowed-primitive", message)
                    .label("hides the function of the engine")
                    .help("rename it")
                    .push(self.report);
            }
            let summary = Rc::new(lint::FunctionSummary::unknown(parameters.len()));
            functions.known.insert(
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
            for (key, function) in &self.libraries.functions[pack].known {
                if let Some(theirs) = self.libraries.functions[usize::from(other)].known.get(key) {
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
    pub(super) fn known(&self, pack: usize) -> VisibleFunctions {
        let mut functions = BTreeMap::new();
        for &other in self.content.visible[pack].iter().rev() {
            functions.extend(self.libraries.functions[usize::from(other)].known.clone());
        }
        let sight = fingerprint(&functions);
        VisibleFunctions {
            functions,
            visible_hash: sight,
        }
    }

    pub(super) fn sight(&self) -> Vec<StaticVec<Shared<rhai::Module>>> {
        let packs = 0..self.content.packs.len();
        let of = |pack: usize| {
            let visible = self.content.visible[pack].iter().rev();
            visible
                .flat_map(|other| &self.libraries.files[usize::from(*other)])
                .map(|file| file.tree.shared_lib().clone())
                .collect()
        };
        packs.map(of).collect()
    }
}

fn fingerprint(known: &BTreeMap<(String, usize), PackFunction>) -> u64 {
    let text: String = known
        .iter()
        .map(|((name, _), f)| format!("{name}({});", f.parameters.join(",")))
        .collect();
    crate::content::stable_hash(&text)
}

/// The byte offset of the name of a function in its definition.
fn find_function(text: &str, name: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text[from..].find(name) {
        let at = from + at;
        let before = text[..at].trim_end();
        if before.ends_with("fn") {
            return at;
        }
        from = at + name.len();
    }
    0
}
