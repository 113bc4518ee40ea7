//! Values that scripts often need from the content, computed once per game, because content never
//! changes.

use std::cell::RefCell;
use std::rc::Rc;

use crate::content::KindId;
use crate::value::{List, Text};

/// The maximum number of fields to cache.
const MAX_FIELDS: usize = 64;

/// Values derived from content.
#[derive(Debug, Default)]
pub struct DerivedContent {
    /// For each field, one number for each entry.
    numbers: RefCell<Vec<(Text, Rc<[i64]>)>>,
    /// For each kind, its entries.
    entries: RefCell<Vec<Option<List>>>,
}

impl DerivedContent {
    /// A number for every entry, by the name of the field that it is computed from; `None` for more
    /// fields than scripts use.
    pub fn numbers(&self, field: &Text, compute: impl FnOnce() -> Rc<[i64]>) -> Option<Rc<[i64]>> {
        let mut all = self.numbers.borrow_mut();
        let same = |own: &&(Text, Rc<[i64]>)| Text::ptr_eq(&own.0, field) || own.0 == *field;
        if let Some((_, known)) = all.iter().find(same) {
            return Some(known.clone());
        }
        (all.len() < MAX_FIELDS).then(|| {
            let numbers = compute();
            all.push((field.clone(), numbers.clone()));
            numbers
        })
    }

    /// The entries of a kind.
    pub fn entries(&self, kind: KindId, compute: impl FnOnce() -> List) -> List {
        let mut all = self.entries.borrow_mut();
        if all.len() <= kind.ix() {
            all.resize(kind.ix() + 1, None);
        }
        all[kind.ix()].get_or_insert_with(compute).clone()
    }
}
