//! Checks how a script is written: text that means something in another language, but not here.

use super::ScriptText;
use crate::diagnostic::{Confidence, Diagnostic, Edit, Report};
use crate::script::syntax::{NodeKind, Script};

/// Checks a compiled script.
pub fn check(tree: &Script, source: &ScriptText<'_>, report: &mut Report) {
    if !source.exact {
        return;
    }
    let text = source.files.text(source.file);
    tree.walk(&mut |node| match &node.kind {
        NodeKind::Value(_) => {
            if let Some(value) = node.text()
                && value.contains("${")
            {
                missing_backticks(node.at, value, source, report);
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
