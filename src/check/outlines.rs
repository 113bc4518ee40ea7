//! The outlines of scripts, each parsed once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::diagnostic::FileId;
use crate::library::PackLibrary;
use crate::pack::{FieldValue, Pack, ScriptSource};
use crate::script::{ScriptOutline, outline_file, outline_hook};

/// The outlines of the scripts that were needed so far.
#[derive(Default)]
pub(super) struct Outlines {
    hooks: RefCell<HashMap<String, Rc<ScriptOutline>>>,
    files: RefCell<HashMap<FileId, Rc<[Rc<ScriptOutline>]>>>,
}

impl Outlines {
    /// The outline of a script.
    pub fn hook(&self, script: &ScriptSource) -> Rc<ScriptOutline> {
        let mut known = self.hooks.borrow_mut();
        if let Some(outline) = known.get(&script.text) {
            return outline.clone();
        }
        let outline = Rc::new(outline_hook(&script.text));
        known.insert(script.text.clone(), outline.clone());
        outline
    }

    /// The outlines of the functions of a file.
    pub fn file(&self, library: &PackLibrary, file: FileId) -> Rc<[Rc<ScriptOutline>]> {
        let parse = || {
            let functions = outline_file(library.set.files.text(file));
            functions.into_iter().map(Rc::new).collect()
        };
        let mut known = self.files.borrow_mut();
        known.entry(file).or_insert_with(parse).clone()
    }

    /// The outlines of all scripts and functions of a pack.
    pub fn pack(&self, library: &PackLibrary, pack: &Pack) -> Vec<Rc<ScriptOutline>> {
        let mut all = Vec::new();
        for field in pack.entries().flat_map(|entry| &entry.fields) {
            field.value.each(&mut |value| {
                if let FieldValue::Script(script) = value {
                    all.push(self.hook(script));
                }
            });
        }
        for file in &pack.libraries {
            all.extend(self.file(library, *file).iter().cloned());
        }
        all
    }
}
