//! Syntax errors and run-time faults of scripts, with their locations in the files of packs.

use rhai::{EvalAltResult, ParseError, Position};

use crate::diagnostic::{Diagnostic, DiagnosticBuilder, Span};
use crate::game::{Cx, Fault, FaultLocation, Stop};

/// The byte offset of a position in a text.
pub fn offset(text: &str, position: Position) -> usize {
    let (Some(line), column) = (position.line(), position.position().unwrap_or(1)) else {
        return 0;
    };
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let rest = &text[start..];
    let within = rest
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(rest.len(), |(at, _)| at);
    start + within
}

/// The source location of a position in the text of a script.
pub fn span_at(text: &str, position: Position, whole: Span, exact: bool) -> Span {
    if !exact || position.is_none() {
        return whole;
    }
    let at = offset(text, position);
    let word = text[at..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum::<usize>();
    whole.part(at, word.max(1))
}

/// The diagnostic for a syntax error.
pub fn parse_fault(error: &ParseError, text: &str, whole: Span, exact: bool) -> DiagnosticBuilder {
    let span = span_at(text, error.position(), whole, exact);
    let message = format!("syntax error: {}", error.err_type());
    let help = match error.err_type().to_string() {
        message if message.contains("reserved keyword") => {
            Some("this word is reserved by the language; choose another name")
        }
        message if message.contains("cannot be assigned") => {
            Some("assign it to a variable first: `let who = seat(1); who.pips = 3;`")
        }
        message if message.contains("Expecting ';'") => Some("a statement ends with `;`"),
        _ => None,
    };
    Diagnostic::fatal(span, "script-syntax", message)
        .label("here")
        .maybe_help(help.map(str::to_owned))
}

/// The innermost source location of an error.
pub fn place(error: &EvalAltResult) -> Option<FaultLocation> {
    let (mut error, mut source) = (error, None);
    while let EvalAltResult::ErrorInFunctionCall(_, own, inner, _) = error {
        if !own.is_empty() {
            source = Some(own.clone());
        }
        error = inner;
    }
    let position = error.position();
    Some(FaultLocation {
        source,
        line: position.line()?,
        column: position.position().unwrap_or(1),
    })
}

/// Converts a run-time error to a fault of the current hook.
pub fn run_fault(cx: &Cx, error: &EvalAltResult) -> Stop {
    let mut innermost = error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = innermost {
        innermost = inner;
    }
    let message = match innermost {
        EvalAltResult::ErrorTooManyOperations(_) => crate::game::context::work_limit_message(),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => super::lint::not_found(signature),
        EvalAltResult::ErrorVariableNotFound(name, _) => {
            format!(
                "unknown variable `{name}`; an inline function `|x| …` sees only its own parameters"
            )
        }
        EvalAltResult::ErrorStackOverflow(_) => {
            "function calls are nested too deep: check for endless recursion".to_owned()
        }
        other => {
            let text = other.to_string();
            text.split(" (line ").next().unwrap_or(&text).to_owned()
        }
    };
    let call = cx.calls.last();
    Stop::Fault(Box::new(Fault {
        hook: call.map(|call| call.hook),
        run: call.map_or(0, |call| call.run),
        message,
        at: place(error),
    }))
}
