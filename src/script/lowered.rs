//! Scripts without Rhai, made when they are first run: commands that only read packs never need them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::compile::{CompiledScript, Library, Scripts, VisibleFunctions};
use super::lower;
use super::plain::Plain;
use super::trace::ScriptId;
use crate::content::{HookDef, HookId};

/// A function of a pack, ready to be called.
pub(super) struct Lowered {
    pub name: Box<str>,
    /// The file it stands in.
    pub source: Box<str>,
    /// The pack it belongs to, whose functions it sees.
    pub pack: usize,
    /// Nothing if only Rhai can run it.
    pub body: Option<Plain>,
    /// Its statements then, if their runs are counted.
    pub spots: Vec<usize>,
}

impl Scripts {
    /// A script without Rhai, if it is plain.
    pub(super) fn plain<'c>(
        &self,
        code: &'c CompiledScript,
        def: &HookDef,
        hook: HookId,
    ) -> Option<&'c Plain> {
        let lower = || {
            let script = ScriptId::Hook(hook);
            let counting = self.trace.get().map(|trace| (&**trace, &script));
            let plain = lower::hook(
                &self.content,
                &self.known[usize::from(def.script.by)],
                counting,
                code.ast.statements(),
            );
            if plain.is_none() {
                let _ = code
                    .spots
                    .set(self.spots_of(&script, code.ast.statements()));
            }
            plain
        };
        code.plain.get_or_init(lower).as_ref()
    }

    /// For each pack, the functions its scripts see, ready to be called.
    pub(super) fn functions(&self) -> &[Vec<Rc<Lowered>>] {
        self.functions.get_or_init(|| self.lowered())
    }

    fn lowered(&self) -> Vec<Vec<Rc<Lowered>>> {
        let mut own: Vec<BTreeMap<(String, usize), Rc<Lowered>>> = Vec::new();
        for (pack, files) in self.libraries.files.iter().enumerate() {
            let mut functions = BTreeMap::new();
            for Library { tree, .. } in files {
                let script = ScriptId::File(tree.source().unwrap_or_default().into());
                let counting = self.trace.get().map(|trace| (&**trace, &script));
                let mut plain = lower::functions(&self.content, &self.known[pack], counting, tree);
                let mut whole = self.spots_by_function(&script, tree);
                for function in tree.iter_functions() {
                    let key = (function.name.to_owned(), function.params.len());
                    let (body, spots) =
                        (plain.remove(&key), whole.remove(&key).unwrap_or_default());
                    let (name, source) = (
                        function.name.into(),
                        tree.source().unwrap_or_default().into(),
                    );
                    functions.insert(
                        key,
                        Rc::new(Lowered {
                            name,
                            source,
                            pack,
                            body,
                            spots,
                        }),
                    );
                }
            }
            own.push(functions);
        }
        let find = |pack: usize, key: &(String, usize)| {
            let mut visible = self.content.visible[pack].iter();
            visible.find_map(|other| own[usize::from(*other)].get(key).cloned())
        };
        let all = |(pack, known): (usize, &VisibleFunctions)| {
            known
                .functions
                .keys()
                .filter_map(|key| find(pack, key))
                .collect()
        };
        self.known.iter().enumerate().map(all).collect()
    }
}
