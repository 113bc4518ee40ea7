//! The files of functions: compiled, looked at, and what they take and give.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{AST, Shared, StaticVec};

use super::compile::{Care, Compiler, Function, Functions, Known, Libraries, Library};
use super::fault::parse_fault;
use super::lint;
use crate::diagnostic::{Diagnostic, FileId, Span};

impl Compiler<'_> {
    /// Compiles the files of functions, unless they were before, and looks at them.
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
        if self.care == Care::All {
            self.summarise();
        }
        for pack in 0..self.content.packs.len() {
            self.shadowed(pack);
            if self.care == Care::Nothing {
                continue;
            }
            let known = self.known(pack);
            for Library { tree, .. } in &self.libraries.files[pack] {
                let file = tree
                    .source()
                    .and_then(|name| self.files.ids().find(|id| self.files.name(*id) == name));
                if let Some(file) = file {
                    let source = lint::Source {
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
                        self.care == Care::All,
                        &source,
                        self.report,
                    );
                }
            }
        }
    }

    /// Finds out what the functions take and give. What one calls is known better in the next round.
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
            let message =
                "a file of functions holds functions only: this statement would never run";
            Diagnostic::wrong(Span::new(file, at, at + 1), "top-level-statement", message)
                .label("outside of any function")
                .help("put it into a function, and call that from a hook")
                .push(self.report);
        }
        self.note_functions(file, &text, &tree, functions);
        Some(Library { tree, text })
    }

    fn note_functions(&mut self, file: FileId, text: &str, tree: &AST, functions: &mut Functions) {
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
                let message = format!("the function `{name}` is defined twice in this pack");
                Diagnostic::crash(span, "duplicate-function", message)
                    .label("again here")
                    .also(other.span, "first here")
                    .help("rename one of them; all files of a pack share their functions")
                    .push(self.report);
            }
            if lint::is_native(&name) {
                let message = format!(
                    "`{name}` is a word of the engine; a function of that name would hide it"
                );
                Diagnostic::crash(span, "hides-primitive", message)
                    .label("this function")
                    .help("give it another name")
                    .push(self.report);
            }
            let summary = Rc::new(lint::Summary::unknown(parameters.len()));
            functions.known.insert(
                key,
                Function {
                    parameters,
                    span,
                    summary,
                },
            );
        }
    }

    /// A pack must not define a function that a pack it builds on has: that one's own scripts would call it.
    fn shadowed(&mut self, pack: usize) {
        for &other in self.content.visible[pack]
            .iter()
            .filter(|other| usize::from(**other) != pack)
        {
            for (key, function) in &self.libraries.functions[pack].known {
                if let Some(theirs) = self.libraries.functions[usize::from(other)].known.get(key) {
                    let whose = &self.content.packs[usize::from(other)].id;
                    let message = format!(
                        "`{}` is a function of {whose} too, and would be called instead of that one",
                        key.0
                    );
                    Diagnostic::wrong(function.span, "hides-function", message)
                        .label("this function")
                        .also(theirs.span, "the other one")
                        .help("give it another name, and patch the entry that should use it")
                        .push(self.report);
                }
            }
        }
    }

    /// The functions a pack's scripts see.
    pub(super) fn known(&self, pack: usize) -> Known {
        let mut functions = BTreeMap::new();
        for &other in self.content.visible[pack].iter().rev() {
            functions.extend(self.libraries.functions[usize::from(other)].known.clone());
        }
        let sight = fingerprint(&functions);
        Known { functions, sight }
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

fn fingerprint(known: &BTreeMap<(String, usize), Function>) -> u64 {
    let text: String = known
        .iter()
        .map(|((name, _), f)| format!("{name}({});", f.parameters.join(",")))
        .collect();
    crate::content::stable_hash(&text)
}

/// Where a function's name stands in its file.
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
