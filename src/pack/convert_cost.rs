//! Converts costs: `{ coins = 2 }`, or a list of alternatives.

use super::convert::{Converter, plain};
use super::kind::Type;
use super::toml_tree::{TomlNode, TomlPair, TomlShape, TomlTable};
use super::value::{FieldValue, ScriptSource};

impl Converter<'_, '_> {
    /// Converts a cost, always to a list of alternatives.
    pub(super) fn cost(&mut self, node: &TomlNode, name: &str) -> Option<FieldValue> {
        let mut out = Vec::new();
        for item in node.items() {
            let TomlShape::Table(table) = &item.shape else {
                self.cx.wrong_type(item, name, &Type::Cost.phrase());
                return None;
            };
            let pairs = table.pairs.iter();
            out.push(FieldValue::Table(
                pairs.filter_map(|pair| self.part(pair)).collect(),
            ));
        }
        Some(FieldValue::List(out))
    }

    fn part(&mut self, pair: &TomlPair) -> Option<(String, FieldValue)> {
        let node = &pair.node;
        let value = match (pair.key.as_str(), &node.shape) {
            ("id" | "from", TomlShape::Text(text)) => plain(text),
            ("label", TomlShape::Text(_)) => self.step(node, &Type::Text, "label", "label")?,
            ("where", TomlShape::Text(text)) => self.computed(node, text),
            ("id" | "from" | "label" | "where", _) => {
                self.cx.wrong_type(node, &pair.key, "text between quotes");
                return None;
            }
            ("self", TomlShape::Table(table)) => {
                self.note_costs(table);
                let pairs = table.pairs.iter();
                let amount = |pair: &TomlPair| Some((pair.key.clone(), self.amount(pair)?));
                FieldValue::Table(pairs.filter_map(amount).collect())
            }
            (_, TomlShape::Table(_) | TomlShape::List(_)) => {
                self.note_cost(pair);
                self.groups(pair, node)?
            }
            _ => {
                self.note_cost(pair);
                self.amount(pair)?
            }
        };
        Some((pair.key.clone(), value))
    }

    /// Remembers what a cost in a table is paid with. The cost of an action is checked when content
    /// is built.
    fn note_cost(&mut self, pair: &TomlPair) {
        if self.path != "cost." {
            self.costs.push((pair.key.clone(), pair.at));
        }
    }

    fn note_costs(&mut self, table: &TomlTable) {
        table.pairs.iter().for_each(|pair| self.note_cost(pair));
    }

    /// Groups of pieces: `{ count = 2, where = "…" }`, or a list of them.
    fn groups(&mut self, pair: &TomlPair, node: &TomlNode) -> Option<FieldValue> {
        match &node.shape {
            TomlShape::List(items) => {
                let groups = items.iter().map(|item| match &item.shape {
                    TomlShape::Table(table) => Some(self.group(table)),
                    _ => self.number(item, &pair.key),
                });
                Some(FieldValue::List(groups.collect::<Option<_>>()?))
            }
            TomlShape::Table(table) => Some(self.group(table)),
            _ => None,
        }
    }

    fn group(&mut self, table: &TomlTable) -> FieldValue {
        let mut rows = Vec::new();
        for pair in &table.pairs {
            let value = match (pair.key.as_str(), &pair.node.shape) {
                ("count", _) => self.amount(pair),
                ("where", TomlShape::Text(text)) => Some(self.computed(&pair.node, text)),
                ("label", _) => self.step(&pair.node, &Type::Text, "label", "label"),
                ("where", _) => {
                    self.cx
                        .wrong_type(&pair.node, "where", "a script that returns true or false");
                    None
                }
                _ => {
                    let known = ["count", "where", "label"];
                    self.cx
                        .unknown_field(pair, "a group of pieces", known.into_iter());
                    None
                }
            };
            rows.extend(value.map(|value| (pair.key.clone(), value)));
        }
        FieldValue::Table(rows)
    }

    fn amount(&mut self, pair: &TomlPair) -> Option<FieldValue> {
        self.number(&pair.node, &pair.key)
    }

    fn number(&mut self, node: &TomlNode, name: &str) -> Option<FieldValue> {
        match &node.shape {
            TomlShape::Int(number) => Some(FieldValue::Int(*number)),
            TomlShape::Text(text) => Some(self.computed(node, text)),
            _ => {
                let wanted = "a whole number, or a script that returns one";
                self.cx.wrong_type(node, name, wanted);
                None
            }
        }
    }

    /// A script that only computes a value.
    fn computed(&mut self, node: &TomlNode, text: &str) -> FieldValue {
        FieldValue::Script(ScriptSource {
            is_value: true,
            ..self.script(node, text)
        })
    }
}
