//! Checks how a script is written: text that means something in another language, but not here.

use super::ScriptText;
use crate::content::HookDef;
use crate::diagnostic::{Confidence, Diagnostic, Edit, Report};
use crate::script::syntax::{NodeKind, Script};
use crate::script::visible;

/// Checks a compiled script.
pub fn check(tree: &Script, hook: Option<&HookDef>, source: &ScriptText<'_>, report: &mut Report) {
    if !source.exact {
        return;
    }
    let text = source.files.text(source.file);
    let mut declared = Vec::new();
    tree.walk(&mut |node| match &node.kind {
        NodeKind::Let(own) => declared.push(own.name.clone()),
        NodeKind::For(own) => declared.push(own.name.clone()),
        _ => {}
    });
    let names: &[&str] = match hook {
        Some(_) => &[
            "actor", "owner", "it", "each", "fighter", "foe", "value", "entry",
        ],
        None => &[],
    };
    let seen = |name: &&&str| hook.is_some_and(|hook| visible::sees(hook, name));
    declared.extend(names.iter().filter(seen).map(|name| (**name).into()));
    tree.walk(&mut |node| match &node.kind {
        NodeKind::Value(_) => {
            if let Some(value) = node.text() {
                if value.contains("${") {
                    missing_backticks(node.at, value, source, report);
                } else if let Some(name) = declared.iter().find(|name| {
                    value.contains(&format!("{{{name}}}")) || value.contains(&format!("{{{name}."))
                }) {
                    missing_dollar(node.at, value, name, source, report);
                } else if let Some(name) = declared.iter().find(|name| has_bare_dollar(value, name))
                {
                    missing_braces(node.at, value, name, source, report);
                }
            }
        }
        NodeKind::Assign(assign) if assign.op.is_none() => {
            let from = source.offset + assign.target.at as usize;
            let Some(rest) = text.get(from..) else { return };
            let Some(at) = rest.find('=') else { return };
            reversed_operator(&rest[at..], from + at, source, report);
        }
        _ => {}
    });
}

/// Reports `"${price}"`, which is shown as it is written.
fn missing_backticks(at: u32, value: &str, source: &ScriptText<'_>, report: &mut Report) {
    let span = source.span(at, value.len() + 2);
    if source.files.slice(span) != format!("\"{value}\"") {
        return;
    }
    Diagnostic::warning(span, "missing-backticks", "`${…}` in double quotes")
        .label("players see it as it is written")
        .help(format!("put the text in backticks: `{value}`"))
        .fix([Edit::replace(source.files, span, format!("`{value}`"))])
        .confidence(Confidence::Likely)
        .push(report);
}

/// Reports `"Only {price}."`, if the script declares a variable with this name.
fn missing_dollar(at: u32, value: &str, name: &str, source: &ScriptText<'_>, report: &mut Report) {
    let span = source.span(at, value.len() + 2);
    let quoted = source.files.slice(span);
    if quoted != format!("\"{value}\"") && quoted != format!("`{value}`") {
        return;
    }
    let new = format!(
        "`{}`",
        value
            .replace(&format!("{{{name}}}"), &format!("${{{name}}}"))
            .replace(&format!("{{{name}."), &format!("${{{name}."))
    );
    Diagnostic::warning(
        span,
        "missing-backticks",
        format!("`{{{name}}}` without a dollar sign"),
    )
    .label("players see it as it is written")
    .help(format!(
        "put the text in backticks, with a dollar sign: {new}"
    ))
    .fix([Edit::replace(source.files, span, new)])
    .confidence(Confidence::Likely)
    .push(report);
}

/// Whether a text contains `$name` as a word.
fn has_bare_dollar(value: &str, name: &str) -> bool {
    let word = format!("${name}");
    value.match_indices(&word).any(|(at, _)| {
        let after = value[at + word.len()..].chars().next();
        after.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    })
}

/// Reports `$actor`, which is shown as it is written.
fn missing_braces(at: u32, value: &str, name: &str, source: &ScriptText<'_>, report: &mut Report) {
    let span = source.span(at, value.len() + 2);
    let quoted = source.files.slice(span);
    if quoted != format!("\"{value}\"") && quoted != format!("`{value}`") {
        return;
    }
    let new = format!(
        "`{}`",
        value.replace(&format!("${name}"), &format!("${{{name}}}"))
    );
    Diagnostic::warning(
        span,
        "missing-backticks",
        format!("`${name}` without braces"),
    )
    .label("players see it as it is written")
    .help(format!("put the text in backticks, with braces: {new}"))
    .fix([Edit::replace(source.files, span, new)])
    .confidence(Confidence::Likely)
    .push(report);
}

/// Reports `x =+ 1`, which sets `x` to 1.
fn reversed_operator(rest: &str, at: usize, source: &ScriptText<'_>, report: &mut Report) {
    let sign = match rest.as_bytes() {
        [b'=', b'+', ..] => "+",
        [b'=', b'-', b' ', ..] => "-",
        _ => return,
    };
    let span = crate::diagnostic::Span::new(source.file, at, at + 2);
    let message = format!("`={sign}` sets the value instead of changing it");
    Diagnostic::warning(span, "reversed-operator", message)
        .label(if sign == "+" {
            "adds nothing"
        } else {
            "subtracts nothing"
        })
        .help(format!("write `{sign}=`"))
        .fix([Edit::replace(source.files, span, format!("{sign}="))])
        .confidence(Confidence::Likely)
        .push(report);
}
