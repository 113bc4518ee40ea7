//! Renders values of fields: filled-in texts, tables, costs and types.

use super::html::{Html, classed, code, joined, tag};
use super::site::{DocSite, PageWriter};
use crate::pack::{FieldSpec, FieldValue, Reference, Template, Type};

/// Fills in the placeholders of a text, first from the innermost of some tables, then from the
/// entry. Placeholders that only a running game can fill are left in braces.
pub fn filled(site: &DocSite, at: usize, rows: &[&FieldValue], text: &str) -> String {
    let entry = site.items[at].entry;
    let lookup = |name: &str| {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let row = rows.iter().rev().find_map(|row| row.get(first));
        let value = row
            .or_else(|| entry.get(first))
            .and_then(|value| value.get_path(rest));
        match (first, value) {
            ("cost", Some(value)) => Some(cost(site, entry.pack, value)),
            ("title", None) => Some(site.items[at].title.clone()),
            (_, value) => value.map(|value| plain_text(site, value)),
        }
    };
    Template::parse(text).0.render(&lookup)
}

/// A value as text: entries as titles, tables as numbers and words. Empty for scripts.
pub fn plain_text(site: &DocSite, value: &FieldValue) -> String {
    match value {
        FieldValue::Int(number) => number.to_string(),
        FieldValue::Bool(yes) => if *yes { "yes" } else { "" }.to_owned(),
        FieldValue::Text(text) => text.clone(),
        FieldValue::Name(name) => site
            .resolve(name)
            .map_or_else(|| name.text.clone(), |at| site.items[at].title.clone()),
        FieldValue::List(list) => list
            .iter()
            .map(|value| plain_text(site, value))
            .collect::<Vec<_>>()
            .join(", "),
        FieldValue::Table(rows) => {
            let row = |(name, value): &(String, FieldValue)| match value {
                FieldValue::Int(0) | FieldValue::Bool(false) | FieldValue::Script(_) => None,
                FieldValue::Int(number) => Some(format!("{number} {name}")),
                FieldValue::Bool(true) => Some(name.clone()),
                other => Some(plain_text(site, other)).filter(|text| !text.is_empty()),
            };
            rows.iter().filter_map(row).collect::<Vec<_>>().join(" ")
        }
        FieldValue::Script(_) | FieldValue::Ref(_) => String::new(),
    }
}

/// A cost as text: `2 Coins and 1 from Hand, or 3 Wounds`.
pub fn cost(site: &DocSite, by: u16, value: &FieldValue) -> String {
    let alternative = |table: &FieldValue| {
        if let Some(label) = table.get("label").and_then(FieldValue::as_text) {
            return label.to_owned();
        }
        let rows = table.as_table().unwrap_or_default();
        let parts = rows.iter().filter_map(|(key, value)| match value {
            _ if key == "where" || key == "from" || key == "id" => None,
            FieldValue::Table(own) if key == "self" => {
                let own = own
                    .iter()
                    .map(|(key, value)| cost_part(site, by, key, value));
                Some(own.collect::<Vec<_>>().join(" and "))
            }
            value => Some(cost_part(site, by, key, value)),
        });
        parts.collect::<Vec<_>>().join(" and ")
    };
    match value {
        FieldValue::List(list) => {
            let all = list.iter().map(alternative);
            all.collect::<Vec<_>>().join(", or ")
        }
        single => alternative(single),
    }
}

fn cost_part(site: &DocSite, by: u16, key: &str, value: &FieldValue) -> String {
    let paid = site.named(by, key, &["counter", "zone", "chain"]);
    let title = paid.map_or(key, |at| &*site.items[at].title);
    let from = if paid.is_some_and(|at| site.items[at].entry.kind == "zone") {
        "from "
    } else {
        ""
    };
    match value {
        FieldValue::Int(number) => format!("{number} {from}{title}"),
        FieldValue::List(groups) => {
            let groups = groups.iter().map(|group| cost_part(site, by, key, group));
            groups.collect::<Vec<_>>().join(" and ")
        }
        FieldValue::Table(_) => match value.get("label").and_then(FieldValue::as_text) {
            Some(label) => label.to_owned(),
            None => {
                let count = value.get("count").unwrap_or(&FieldValue::Int(1));
                cost_part(site, by, key, count)
            }
        },
        _ => format!("{from}{title}"),
    }
}

impl PageWriter<'_, '_> {
    /// The value of a field, with links; a number that refers to an entry becomes a link to it.
    pub fn field(&self, at: usize, value: &FieldValue, spec: Option<&FieldSpec>) -> Html {
        let names = spec.and_then(|spec| spec.rules.names.as_ref());
        if let (FieldValue::Int(number), Some((kind, field))) = (value, names) {
            let named = self
                .site
                .numbered(self.site.items[at].entry.pack, (kind, field), *number);
            let number = number.to_string();
            return named.map_or_else(
                || Html::from(&number),
                |named| self.entry(named).and(format!(" ({number})")),
            );
        }
        self.value(at, value, spec.map(|spec| &spec.ty))
    }

    fn value(&self, at: usize, value: &FieldValue, ty: Option<&Type>) -> Html {
        let entry = self.site.items[at].entry;
        match (value, ty) {
            (value, Some(Type::Cost)) => cost(self.site, entry.pack, value).into(),
            (FieldValue::Text(text), Some(Type::Text)) => filled(self.site, at, &[], text).into(),
            (FieldValue::List(list), ty) => {
                let item = if let Some(Type::List(item)) = ty {
                    Some(&**item)
                } else {
                    None
                };
                if list.len() > 1 && list.iter().all(|row| row.as_table().is_some()) {
                    return self.rows(at, list, item);
                }
                joined(list.iter().map(|value| self.value(at, value, item)), ", ")
            }
            (FieldValue::Table(rows), ty) => {
                let row = |(name, value): &(String, FieldValue)| {
                    let key = Html::from([classed("span", "how", name), " ".into()]);
                    key.and(self.field(at, value, within(ty, name)))
                };
                joined(
                    rows.iter().filter(|(_, value)| !is_nothing(value)).map(row),
                    ", ",
                )
            }
            (FieldValue::Name(name), _) => self.name(name),
            (FieldValue::Script(script), _) => code(script.text.trim()),
            (FieldValue::Int(number), _) => number.to_string().into(),
            (FieldValue::Bool(yes), _) => if *yes { "yes" } else { "no" }.into(),
            (FieldValue::Text(text), _) => text.into(),
            (FieldValue::Ref(_), _) => Html::default(),
        }
    }

    /// A name, linked to its entry; with `!` and the value in a condition.
    fn name(&self, name: &Reference) -> Html {
        let Some(target) = self.site.resolve(name) else {
            return name.written().as_ref().into();
        };
        let not = if name.condition.negated { "not " } else { "" };
        let value = name.condition.value.iter();
        let value: String = value.map(|value| format!(" = {value}")).collect();
        Html::from(not).and(self.entry(target)).and(value)
    }

    /// A list of tables as one numbered table, without empty columns.
    fn rows(&self, at: usize, list: &[FieldValue], of: Option<&Type>) -> Html {
        let mut names: Vec<&str> = Vec::new();
        for (name, value) in list.iter().filter_map(FieldValue::as_table).flatten() {
            if !names.contains(&name.as_str()) && !is_nothing(value) {
                names.push(name);
            }
        }
        let head: Html = std::iter::once("")
            .chain(names.iter().copied())
            .map(|name| tag("th", name))
            .collect();
        let cell = |row: &FieldValue, name: &str| {
            let value = row.get(name).filter(|value| !is_nothing(value));
            tag(
                "td",
                value
                    .map(|value| self.field(at, value, within(of, name)))
                    .unwrap_or_default(),
            )
        };
        let row = |(ix, row): (usize, &FieldValue)| {
            let number = tag("td", classed("span", "how", ix.to_string()));
            tag(
                "tr",
                number.and(names.iter().map(|name| cell(row, name)).collect::<Html>()),
            )
        };
        let body: Html = (1..).zip(list).map(row).collect();
        classed(
            "table",
            "inner",
            [tag("thead", tag("tr", head)), tag("tbody", body)],
        )
    }
}

/// The declaration of a field of a table.
fn within<'s>(ty: Option<&'s Type>, name: &str) -> Option<&'s FieldSpec> {
    match ty {
        Some(Type::Table(specs)) => specs.iter().find(|spec| spec.name == name),
        _ => None,
    }
}

/// Whether a value is empty or zero, as defaults are.
pub fn is_nothing(value: &FieldValue) -> bool {
    match value {
        FieldValue::Int(0) | FieldValue::Bool(false) => true,
        FieldValue::Text(text) => text.is_empty(),
        FieldValue::List(list) => list.is_empty(),
        FieldValue::Table(rows) => rows.iter().all(|(_, value)| is_nothing(value)),
        _ => false,
    }
}

/// A type as a phrase.
pub fn type_phrase(ty: &Type) -> String {
    match ty {
        Type::Int {
            min: Some(min),
            max: Some(max),
        } => format!("a number from {min} to {max}"),
        Type::Int {
            min: Some(min),
            max: None,
        } => format!("a number, at least {min}"),
        Type::Int {
            min: None,
            max: Some(max),
        } => format!("a number, at most {max}"),
        Type::Text => "text shown to players".to_owned(),
        Type::List(of) => match &**of {
            Type::Table(_) => "a list of tables".to_owned(),
            of => format!("a list; each item is {}", type_phrase(of)),
        },
        Type::Table(_) => "a table".to_owned(),
        Type::Map(of) => format!("a table; each value is {}", type_phrase(of)),
        Type::Face => "a table of faces, by name".to_owned(),
        other => other.phrase(),
    }
}

/// The other constraints of a field, as sentences.
pub fn constraints(spec: &FieldSpec) -> Vec<String> {
    let rules = &spec.rules;
    let mut all = Vec::new();
    if let Some((kind, field)) = &rules.names {
        all.push(format!("Refers to the `{field}` of a `{kind}`."));
    }
    if rules.unique {
        all.push("No two entries have the same value.".to_owned());
    }
    if !rules.one_of.is_empty() {
        let names: Vec<String> = rules
            .one_of
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        all.push(format!("Exactly one of {} is required.", names.join(", ")));
    }
    match rules.items {
        (Some(min), Some(max)) if min == max => all.push(format!("Exactly {min} items.")),
        (Some(min), Some(max)) => all.push(format!("{min} to {max} items.")),
        (Some(min), None) => all.push(format!("At least {min} items.")),
        (None, Some(max)) => all.push(format!("At most {max} items.")),
        (None, None) => {}
    }
    all
}

/// A value in TOML syntax, for defaults.
pub fn written(value: &FieldValue) -> String {
    match value {
        FieldValue::Int(number) => number.to_string(),
        FieldValue::Bool(yes) => yes.to_string(),
        FieldValue::Text(text) => format!("{text:?}"),
        FieldValue::Name(name) => format!("{:?}", name.written()),
        FieldValue::List(list) => format!(
            "[{}]",
            list.iter().map(written).collect::<Vec<_>>().join(", ")
        ),
        FieldValue::Table(rows) => {
            let rows: Vec<String> = rows
                .iter()
                .map(|(key, value)| format!("{key} = {}", written(value)))
                .collect();
            format!("{{ {} }}", rows.join(", "))
        }
        FieldValue::Script(script) => format!("'{}'", script.text.trim()),
        FieldValue::Ref(_) => String::new(),
    }
}
