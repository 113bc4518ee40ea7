//! Kinds: one page for the engine's kinds, and a page for each kind of a pack with its entries.

use super::html::{Html, classed, code, joined, list, prose, section, table, tag, tag_with};
use super::site::{DocEntry, DocPack, PageWriter};
use super::{frame, paths, values};
use crate::pack::{EntryNature, FieldSpec, Kind, Type, common};

/// The page of the built-in kinds and the common fields.
pub fn page(writer: &PageWriter) -> Html {
    let set = &writer.site.library.set;
    let mut body = frame::heading("Kinds", None);
    body.push(tag("p", prose("A kind defines the fields of its entries: `[[counter]]` begins an entry of the kind `counter`. These are the built-in kinds; packs declare more with `[[kind]]`.")));
    let names = set.builtin.iter().map(|kind| {
        writer.link(
            &format!("{}#{}", paths::KINDS, paths::name(&kind.id)),
            &kind.id,
        )
    });
    body.push(tag("p", joined(names, " · ")));
    for shown in writer
        .site
        .packs
        .iter()
        .filter(|shown| !shown.pack.kinds.is_empty())
    {
        let id = shown.id();
        let own = shown
            .pack
            .kinds
            .iter()
            .map(|kind| writer.link(&paths::kind(id, &kind.id), &kind.id));
        body.push(tag(
            "p",
            [tag("em", shown.title()), ": ".into(), joined(own, " · ")],
        ));
    }
    for kind in &set.builtin {
        let heading = tag_with(
            "h2",
            &[("id", &paths::name(&kind.id))],
            code(&format!("[[{}]]", kind.id)),
        );
        body.push(tag(
            "section",
            [heading, declared(kind), additions(writer, kind)],
        ));
    }
    let heading = tag_with("h2", &[("id", "every-entry")], "Fields of every entry");
    let text = tag(
        "p",
        "Entries of all kinds have these fields. A kind that declares a field of the same name overrides it.",
    );
    body.push(tag("section", [heading, text, fields(common())]));
    body
}

/// The declaration of a kind.
fn declared(kind: &Kind) -> Html {
    let is = match kind.is {
        EntryNature::Piece => "Its entries are pieces, which lie in zones.",
        EntryNature::Place => "Its entries are places on the map.",
        EntryNature::Data => "Its entries are plain data.",
    };
    let mut body = tag(
        "p",
        [prose(&kind.text), " ".into(), classed("span", "small", is)],
    );
    if !kind.faces.is_empty() {
        body.push(tag(
            "p",
            [
                Html::from("Other faces: "),
                joined(kind.faces.iter().map(|face| code(face)), ", "),
                ".".into(),
            ],
        ));
    }
    let need = |need: &crate::pack::Requirement| {
        let fields = joined(need.fields.iter().map(|field| code(field)), ", ");
        Html::from([
            Html::from("With "),
            code(&format!("{} = \"{}\"", need.field, need.is)),
            " it requires ".into(),
            fields,
            ".".into(),
        ])
    };
    body.push(list(kind.needs.iter().map(need)));
    body.push(fields(&kind.fields));
    body
}

/// What other packs add to a kind.
fn additions(writer: &PageWriter, kind: &Kind) -> Html {
    let set = &writer.site.library.set;
    let mut body = Html::default();
    for shown in &writer.site.packs {
        let sees = |pack: u16| set.sees(shown.number, pack);
        let extensions = shown.pack.extensions.iter();
        let own =
            extensions.filter(|extension| extension.kind == kind.id && kind.pack.is_none_or(sees));
        for extension in own {
            body.push(tag("h3", ["Added by ".into(), Html::from(shown.title())]));
            if let Some(text) = &extension.text {
                body.push(tag("p", ["Its text: ".into(), code(text)]));
            }
            let values = extension.values.iter().map(|added| {
                let values = added.values.iter().map(|value| code(value));
                Html::from([
                    code(&added.path.join(".")),
                    " may also be ".into(),
                    joined(values, ", "),
                    ".".into(),
                ])
            });
            let hooks = extension.hooks.iter();
            let hooks = hooks.map(|(table, event, _)| code(&format!("{table}.{event}")));
            body.push(list(values.chain(hooks)));
            if !extension.fields.is_empty() {
                body.push(fields(&extension.fields));
            }
        }
    }
    body
}

/// A table of fields; fields of nested tables come after their table.
fn fields(specs: &[FieldSpec]) -> Html {
    let mut rows = Vec::new();
    specs.iter().for_each(|spec| row(spec, "", &mut rows));
    table(["field", "type", "default", "description"], rows)
}

fn row(spec: &FieldSpec, before: &str, rows: &mut Vec<[Html; 4]>) {
    let name = format!("{before}{}", spec.name);
    let missing = match &spec.default {
        Some(default) => code(&short(&values::written(default))),
        None if spec.optional => "none".into(),
        None => tag("strong", "required"),
    };
    let mut text = spec.text.clone();
    for more in values::constraints(spec) {
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(&more);
    }
    rows.push([
        code(&name),
        prose(&values::type_phrase(&spec.ty)),
        missing,
        prose(&text),
    ]);
    let mut inner = &spec.ty;
    while let Type::List(of) | Type::Map(of) = inner {
        inner = of;
    }
    if let Type::Table(specs) = inner {
        specs
            .iter()
            .for_each(|spec| row(spec, &format!("{name}."), rows));
    }
}

/// Shortens a long default.
fn short(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    if text.chars().count() <= MAX_CHARS {
        text.to_owned()
    } else {
        format!("{}…", text.chars().take(MAX_CHARS).collect::<String>())
    }
}

/// The page of a kind in a pack: the entries, and the declaration if it is in this pack.
pub fn of_pack(writer: &PageWriter, pack: usize, shown: &DocPack, kind: &str) -> Html {
    let items: Vec<(usize, &DocEntry)> = writer
        .site
        .of_pack(pack)
        .filter(|(_, item)| item.entry.kind == kind)
        .collect();
    let own = shown.pack.kinds.iter().find(|own| own.id == kind);
    let title = own
        .map(|own| &*own.title)
        .or_else(|| items.first().map(|(_, item)| item.kind_title()))
        .unwrap_or(kind);
    let mut body = frame::heading(title, Some(shown.title()));
    let key = own
        .map(|own| (own.pack, own.id.clone()))
        .or_else(|| items.first().and_then(|(_, item)| item.kind_key()));
    match (own, key.as_ref().and_then(|key| writer.site.kind_path(key))) {
        (Some(own), _) => {
            body.push(tag("p", code(&format!("[[{kind}]]"))).and(declared(own)));
            body.push(additions(writer, own));
        }
        (None, Some(path)) => {
            body.push(tag(
                "p",
                [
                    code(&format!("[[{kind}]]")),
                    " is declared ".into(),
                    writer.link(&path, "here"),
                    ".".into(),
                ],
            ));
        }
        (None, None) => {}
    }
    let users = key.map(|key| writer.kind_used_by(&key)).unwrap_or_default();
    body.push(section("Used as a whole by", users));
    let rows = items
        .iter()
        .map(|(at, item)| [writer.entry(*at), code(&item.entry.id), brief(writer, *at)]);
    let count = if items.len() == 1 {
        "1 entry".to_owned()
    } else {
        format!("{} entries", items.len())
    };
    body.push(section(&count, table(["title", "id", "text"], rows)));
    body
}

/// The first line of an entry's text, shortened to fit a table.
fn brief(writer: &PageWriter, at: usize) -> Html {
    const MAX_CHARS: usize = 110;
    let text = writer.site.items[at].entry.text("text").unwrap_or("");
    let text = values::filled(writer.site, at, &[], text);
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= MAX_CHARS {
        return line.into();
    }
    let cut: String = line.chars().take(MAX_CHARS).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end_matches([',', ';', '.'])).into()
}
