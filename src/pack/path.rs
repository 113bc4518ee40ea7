//! Follows the path of a patch through the declared types of an entry.

use super::builtin::common;
use super::convert::FACE_FIELDS;
use super::define::{spec, specs};
use super::kind::{FieldSpec, Kind, Type};

/// A position in the declaration of a kind.
#[derive(Clone, Copy)]
pub(super) enum SchemaPath<'k> {
    /// The entry itself.
    Entry(&'k Kind),
    /// One of its other faces.
    Face(&'k Kind),
    /// A field, or a value inside one.
    Type(&'k Type, &'k Kind),
}

impl<'k> SchemaPath<'k> {
    /// The position under a name, if the name is declared.
    pub fn step(self, name: &str) -> Option<Self> {
        match self {
            Self::Entry(kind) => Some(Self::Type(&spec(kind, name)?.ty, kind)),
            Self::Face(kind) => Some(Self::Type(&face_spec(kind, name)?.ty, kind)),
            Self::Type(Type::Table(fields), kind) => {
                let field = fields.iter().find(|field| field.name == name)?;
                Some(Self::Type(&field.ty, kind))
            }
            Self::Type(Type::Map(of), kind) => Some(Self::Type(of, kind)),
            Self::Type(Type::Face, kind) => kind
                .faces
                .iter()
                .any(|face| face == name)
                .then_some(Self::Face(kind)),
            Self::Type(..) => None,
        }
    }

    /// The names that are declared at this position.
    pub fn names(self) -> Vec<&'k str> {
        match self {
            Self::Entry(kind) => specs(kind).map(|spec| spec.name.as_str()).collect(),
            Self::Face(kind) => {
                let own = kind.fields.iter().map(|spec| spec.name.as_str());
                own.chain(FACE_FIELDS).collect()
            }
            Self::Type(Type::Table(fields), _) => {
                fields.iter().map(|field| field.name.as_str()).collect()
            }
            Self::Type(Type::Face, kind) => kind.faces.iter().map(String::as_str).collect(),
            Self::Type(..) => Vec::new(),
        }
    }

    /// Whether a table at this position contains further names, rather than being a value.
    pub fn has_names(self) -> bool {
        !matches!(self, Self::Type(ty, _) if !matches!(ty, Type::Table(_) | Type::Map(_) | Type::Face))
    }
}

fn face_spec<'k>(kind: &'k Kind, name: &str) -> Option<&'k FieldSpec> {
    let shared = common()
        .iter()
        .filter(|spec| FACE_FIELDS.contains(&spec.name.as_str()));
    kind.fields
        .iter()
        .chain(shared)
        .find(|spec| spec.name == name)
}
