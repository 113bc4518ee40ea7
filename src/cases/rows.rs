//! Parameterised cases: a case with `rows` becomes one case for each row, with the row's values in
//! place of `{column}`.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diagnostic::Span;
use crate::game::lookup::did_you_mean;
use crate::pack::{TomlNode, TomlShape, TomlTable};

/// An error in a case, with its source location.
pub(super) type CaseError = (Span, String);

/// Creates the case for each row.
///
/// # Errors
/// Returns what is wrong with the rows, or with the placeholders of the case.
pub(super) fn cases(
    case: &TomlTable,
    rows_node: &TomlNode,
) -> Result<Vec<TomlTable>, Vec<CaseError>> {
    let rows = rows(rows_node)?;
    let mut filled = Vec::new();
    for row in &rows {
        let mut filling = RowSubstitution {
            row,
            used: BTreeSet::new(),
            errors: Vec::new(),
        };
        let table = filling.table(case, "rows");
        // The placeholders are the same for all rows, so the first row reveals every mistake.
        let unused = row
            .pairs
            .iter()
            .filter(|pair| !filling.used.contains(&pair.key));
        filling.errors.extend(unused.map(|pair| {
            let placeholder = placeholder(&pair.key);
            (
                pair.at,
                format!(
                    "unused column `{}` in `rows`: write `{placeholder}` where its value belongs",
                    pair.key
                ),
            )
        }));
        if !filling.errors.is_empty() {
            return Err(filling.errors);
        }
        filled.push(table);
    }
    Ok(filled)
}

/// The rows, if all of them have the same columns.
fn rows(rows_node: &TomlNode) -> Result<Vec<&TomlTable>, Vec<CaseError>> {
    let list = match &rows_node.shape {
        TomlShape::List(list) => &list[..],
        _ => &[],
    };
    let rows: Option<Vec<(Span, &TomlTable)>> = list
        .iter()
        .map(|node| Some((node.span, node.as_table()?)))
        .collect();
    let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
        let text = "`rows` needs a list of at least one row: `rows = [{ cost = 1 }, { cost = 2 }]`";
        return Err(vec![(rows_node.span, text.to_owned())]);
    };
    let columns = |row: &TomlTable| {
        row.pairs
            .iter()
            .map(|pair| pair.key.clone())
            .collect::<BTreeSet<String>>()
    };
    let first = columns(rows[0].1);
    let mut errors = Vec::new();
    if first.is_empty() {
        errors.push((
            rows[0].0,
            "this row has no columns: write `{ cost = 1 }`".to_owned(),
        ));
    }
    for pair in rows[0].1.pairs.iter().filter(|pair| !is_name(&pair.key)) {
        let text = format!(
            "`{}` cannot be the name of a column: use letters, digits, `_` and `-`",
            pair.key
        );
        errors.push((pair.at, text));
    }
    for (number, (span, row)) in (1..).zip(&rows).skip(1) {
        let own = columns(row);
        let numbered =
            |(span, text): (Span, String)| (span, format!("row {number} of `rows` {text}"));
        let missing = first
            .difference(&own)
            .map(|name| (*span, format!("lacks the column `{name}` of the first row")));
        let more = row.pairs.iter().filter(|pair| !first.contains(&pair.key));
        let more = more.map(|pair| {
            (
                pair.at,
                format!("has a column `{}` that the first row lacks", pair.key),
            )
        });
        errors.extend(missing.chain(more).map(numbered));
    }
    if errors.is_empty() {
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    } else {
        Err(errors)
    }
}

/// A case being filled in with the values of a row.
struct RowSubstitution<'r> {
    row: &'r TomlTable,
    used: BTreeSet<String>,
    errors: Vec<CaseError>,
}

impl RowSubstitution<'_> {
    /// Fills in a table, without one field (`rows` itself).
    fn table(&mut self, table: &TomlTable, without: &str) -> TomlTable {
        let mut filled = TomlTable::default();
        for pair in table.pairs.iter().filter(|pair| pair.key != without) {
            let mut new = pair.clone();
            new.key = self.text(&pair.key, pair.at);
            new.node = self.node(&pair.node);
            if filled.get(&new.key).is_some() {
                self.errors.push((
                    pair.at,
                    format!("with this row, the key `{}` appears twice", new.key),
                ));
            }
            filled.pairs.push(new);
        }
        filled
    }

    fn node(&mut self, node: &TomlNode) -> TomlNode {
        let shape = match &node.shape {
            TomlShape::Text(text) => self.value(text, node.span),
            TomlShape::List(list) => {
                TomlShape::List(list.iter().map(|node| self.node(node)).collect())
            }
            TomlShape::Table(table) => TomlShape::Table(self.table(table, "")),
            other => other.clone(),
        };
        TomlNode {
            span: node.span,
            shape,
        }
    }

    /// A text that consists only of `{column}` becomes the row's value, with its type.
    fn value(&mut self, text: &str, at: Span) -> TomlShape {
        match placeholders(text).next() {
            Some(only) if !only.doubled && only.range == (0..text.len()) => self
                .lookup(only.name, at)
                .map_or(TomlShape::Bool(false), |node| node.shape),
            _ => TomlShape::Text(self.text(text, at)),
        }
    }

    fn text(&mut self, text: &str, at: Span) -> String {
        let mut filled = String::new();
        let mut rest = 0;
        for RowPlaceholder {
            range,
            name,
            doubled,
        } in placeholders(text)
        {
            filled += &text[rest..range.start];
            rest = range.end;
            if doubled {
                filled += &placeholder(name);
                continue;
            }
            let Some(node) = self.lookup(name, at) else {
                continue;
            };
            match &node.shape {
                TomlShape::Text(text) => filled += text,
                TomlShape::Int(number) => filled += &number.to_string(),
                TomlShape::Bool(yes) => filled += &yes.to_string(),
                _ => {
                    let text = format!(
                        "`{}` is {}, which cannot be part of a string or a key",
                        placeholder(name),
                        node.type_phrase()
                    );
                    self.errors.push((at, text));
                }
            }
        }
        filled + &text[rest..]
    }

    fn lookup(&mut self, name: &str, at: Span) -> Option<TomlNode> {
        if let Some(pair) = self.row.get(name) {
            self.used.insert(name.to_owned());
            return Some(pair.node.clone());
        }
        let columns: Vec<&str> = self
            .row
            .pairs
            .iter()
            .map(|pair| pair.key.as_str())
            .collect();
        let text = did_you_mean(
            format!("unknown column `{}`", placeholder(name)),
            name,
            &columns,
        );
        self.errors.push((
            at,
            format!(
                "{text}; double the braces for literal text: `{}`",
                placeholder(&placeholder(name))
            ),
        ));
        None
    }
}

fn placeholder(name: &str) -> String {
    format!("{{{name}}}")
}

/// A name in braces. Doubled braces are an escape for single ones.
struct RowPlaceholder<'t> {
    range: Range<usize>,
    name: &'t str,
    doubled: bool,
}

/// Finds names in braces. Blocks of scripts have a space after the brace, and interpolations have a
/// `$` before it.
fn placeholders(text: &str) -> impl Iterator<Item = RowPlaceholder<'_>> {
    text.match_indices('{').filter_map(|(at, _)| {
        let (before, inside) = (&text[..at], &text[at + 1..]);
        let (name, after) = inside
            .split_once('}')
            .filter(|(name, _)| is_name(name) && !before.ends_with('$'))?;
        let doubled = before.ends_with('{') && after.starts_with('}');
        let wide = usize::from(doubled);
        Some(RowPlaceholder {
            range: at - wide..at + name.len() + 2 + wide,
            name,
            doubled,
        })
    })
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
