//! Faults of scripts in the author's words, at the author's place.

use rhai::{EvalAltResult, ParseError, Position};

use crate::diagnostic::{Builder, Diagnostic, Span};
use crate::game::{Cx, Fault, FaultAt, Stop};

/// The byte of a position in a text.
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

/// Where a position of a script's text stands in its file.
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

/// A script that cannot be read.
pub fn parse_fault(error: &ParseError, text: &str, whole: Span, exact: bool) -> Builder {
    let span = span_at(text, error.position(), whole, exact);
    let message = format!("this script cannot be read: {}", error.err_type());
    let help = match error.err_type().to_string() {
        told if told.contains("reserved keyword") => {
            Some("that word means something in the language; choose another name")
        }
        told if told.contains("cannot be assigned") => {
            Some("only something with a name can be changed: `let who = seat(1); who.pips = 3;`")
        }
        told if told.contains("Expecting ';'") => Some("a statement ends with `;`"),
        _ => None,
    };
    Diagnostic::crash(span, "script-syntax", message)
        .label("here")
        .maybe_help(help.map(str::to_owned))
}

/// The innermost place of an error, and the file it lies in.
pub fn place(error: &EvalAltResult) -> Option<FaultAt> {
    let (mut error, mut source) = (error, None);
    while let EvalAltResult::ErrorInFunctionCall(_, own, inner, _) = error {
        if !own.is_empty() {
            source = Some(own.clone());
        }
        error = inner;
    }
    let position = error.position();
    Some(FaultAt {
        source,
        line: position.line()?,
        column: position.position().unwrap_or(1),
    })
}

/// A run-time error as a fault of the hook that ran.
pub fn run_fault(cx: &Cx, error: &EvalAltResult) -> Stop {
    let mut innermost = error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = innermost {
        innermost = inner;
    }
    let message = match innermost {
        EvalAltResult::ErrorTooManyOperations(_) => crate::game::cx::too_much(),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => super::lint::not_found(signature),
        EvalAltResult::ErrorVariableNotFound(name, _) => {
            format!(
                "`{name}` is not known here; an inline function `|x| …` sees only its own parameters"
            )
        }
        EvalAltResult::ErrorStackOverflow(_) => "functions call each other too deep".to_owned(),
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
