//! The field declarations of the engine's kinds and the pack's kinds.

use toml::{Table, Value};

/// The engine's kinds.
const ENGINE: &str = include_str!("../../../src/pack/builtin.toml");

pub struct Schema {
    kinds: Vec<(String, Table)>,
    common: Table,
}

impl Schema {
    pub fn new(pack: &str) -> Self {
        let engine: Table = ENGINE.parse().expect("the engine's kinds are TOML");
        let pack: Table = pack.parse().expect("the pack's kinds are TOML");
        let mut kinds = Vec::new();
        for file in [&engine, &pack] {
            for kind in file["kind"].as_array().expect("kinds are a list") {
                let id = kind["id"].as_str().expect("a kind has an id").to_owned();
                let fields = kind
                    .get("fields")
                    .and_then(Value::as_table)
                    .cloned()
                    .unwrap_or_default();
                kinds.push((id, fields));
            }
        }
        let common = engine["common"]["fields"]
            .as_table()
            .expect("there are common fields")
            .clone();
        Self { kinds, common }
    }

    /// The names of all kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.kinds.iter().map(|(id, _)| id.as_str())
    }

    /// The declaration of a field of a kind.
    pub fn field(&self, kind: &str, path: &[String]) -> Option<Declared> {
        let (_, fields) = self.kinds.iter().find(|(id, _)| id == kind)?;
        let (first, mut rest) = path.split_first()?;
        if first == "face" {
            return self.field(kind, path.get(2..)?);
        }
        let mut at = Declared::new(fields.get(first).or_else(|| self.common.get(first))?);
        while let Some((name, deeper)) = rest.split_first() {
            at = match at.word("type") {
                "list" if name.parse::<usize>().is_ok() => Declared::new(at.0.get("of")?),
                // A single value is short for a list of one.
                "list" => Declared::new(Declared::new(at.0.get("of")?).0.get("fields")?.get(name)?),
                "table" => Declared::new(at.0.get("fields")?.get(name)?),
                _ => return None,
            };
            rest = deeper;
        }
        Some(at)
    }
}

/// The declaration of a field.
#[derive(Clone, Debug)]
pub struct Declared(Table);

impl Declared {
    fn new(value: &Value) -> Self {
        match value {
            Value::Table(table) => Self(table.clone()),
            other => Self([("type".to_owned(), other.clone())].into_iter().collect()),
        }
    }

    fn word(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or("")
    }

    /// Whether it has this type.
    pub fn is(&self, name: &str) -> bool {
        self.word("type") == name
    }

    /// The declaration of the elements of a list.
    pub fn of(&self) -> Option<Self> {
        self.0.get("of").filter(|_| self.is("list")).map(Self::new)
    }

    /// Whether the field must be given: it has no default and is not optional.
    pub fn is_required(&self) -> bool {
        !self.0.contains_key("default")
            && self.0.get("optional").and_then(Value::as_bool) != Some(true)
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(Value::as_integer)
    }

    /// The values of an enum.
    pub fn values(&self) -> Vec<&str> {
        let list = self.0.get("values").and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }
}
