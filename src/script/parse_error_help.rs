//! Help that follows from the type of a syntax error alone.

use rhai::{ParseError, ParseErrorType};

use super::loose_tokens::LooseToken;
use super::syntax_help::{LooseScript, SyntaxHint};

impl LooseScript<'_, '_> {
    /// The hint for an error near a token.
    pub(super) fn by_type(&self, error: &ParseError, near: usize) -> Option<SyntaxHint> {
        let here = self
            .token(near)
            .map_or(self.text.len()..self.text.len(), LooseToken::range);
        let message = error.err_type().to_string();
        let hint = |text: &str, help: &str| Some(SyntaxHint::new(here.clone(), text, help));
        match error.err_type() {
            ParseErrorType::MissingToken(token, _) if token == ";" => {
                let end = self.before(near).map_or(0, LooseToken::end);
                let at = end.saturating_sub(1)..end;
                let hint = SyntaxHint::new(at, "semicolon is missing", "a statement ends with `;`");
                Some(hint.label("after this"))
            }
            ParseErrorType::MissingToken(token, _) if token == "{" => hint(
                "block without braces",
                "write the statements of `if`, `else`, `while`, `for` and `fn` in braces: `if … { … }`",
            ),
            ParseErrorType::MissingToken(token, _) if token == "," => {
                hint("comma is missing", "write a comma between the two")
            }
            ParseErrorType::MissingToken(token, _) => hint(
                &format!("`{token}` is missing"),
                &format!("write `{token}` here"),
            ),
            ParseErrorType::AssignmentToConstant(name) => hint(
                &format!("constant `{name}` is changed"),
                &format!("to change it later, declare it with `let {name} = …`"),
            ),
            ParseErrorType::FnDuplicatedDefinition(name, _) => hint(
                &format!("duplicate function `{name}`"),
                "rename one of the two, or remove it",
            ),
            ParseErrorType::MismatchedType(wanted, found) if wanted.contains("bool") => hint(
                &format!("a condition is {found}"),
                "compare each value, as in `x == 1 || x == 2`",
            ),
            ParseErrorType::ExprExpected(_) | ParseErrorType::UnexpectedEOF => hint(
                "a value is missing",
                "write a value here, such as a number or a name",
            ),
            ParseErrorType::VariableExpected | ParseErrorType::PropertyExpected => hint(
                "a name is missing",
                "write a name here: letters, digits and `_`",
            ),
            ParseErrorType::DuplicatedProperty(name) => {
                hint(&format!("duplicate key `{name}`"), "keep one of the two")
            }
            ParseErrorType::LoopBreak => hint(
                "`break` outside of a loop",
                "to end the script, write `return;`",
            ),
            ParseErrorType::WrongFnDefinition => hint(
                "a function inside of a block",
                "move it out of the braces; functions cannot be nested",
            ),
            _ if message.contains("cannot be assigned") => {
                hint("this cannot be changed", &self.change_of_call(near))
            }
            _ if message.contains("reserved") => hint(
                "a reserved word",
                "this word is reserved by the language; choose another name",
            ),
            _ => None,
        }
    }
}
