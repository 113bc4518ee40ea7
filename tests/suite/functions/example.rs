//! Turns an example into something that can run: entries of a pack, and cases.

use std::fmt::Write as _;

use kaer::script::Example;

/// The players of every case.
const DEFAULTS: &str = "[defaults]\nplayers = [\"Ann\", \"Ben\"]\n\n";

/// A script function that compares a value with the one in the comment behind it.
pub const EXPECT_VALUE: (&str, &str) = (
    "expect.rhai",
    r#"
fn expect_value(line, value, wanted) {
    let text = shown(value);
    if text != wanted { throw `line ${line} is ${text}, not ${wanted}`; }
}

fn shown(value) {
    switch type_of(value) {
        "array" => {
            let texts = "";
            for item in value { texts += if texts == "" { shown(item) } else { `, ${shown(item)}` }; }
            `[${texts}]`
        }
        "()" => "()",
        "bool" => if value { "true" } else { "false" },
        _ => name_of(value),
    }
}
"#,
);

/// The entries and cases of an example.
pub struct Built {
    pub entries: String,
    pub cases: String,
}

impl Built {
    pub fn new(example: &Example) -> Built {
        if example.language == "rhai" {
            return Built::of_script(&example.text);
        }
        let (entries, cases) = example
            .text
            .split_at(example.text.find("[[case]]").unwrap_or(example.text.len()));
        Built {
            entries: entries.to_owned(),
            cases: format!("{DEFAULTS}{cases}"),
        }
    }

    fn of_script(text: &str) -> Built {
        let mut moves = vec!["example"];
        let mut script = String::new();
        for (line, number) in text.lines().zip(1..) {
            let (line, answers) = line.split_once(" // answer: ").unwrap_or((line, ""));
            moves.extend(answers.split(", ").filter(|answer| !answer.is_empty()));
            let _ = match line.split_once(" // is ") {
                Some((shown, value)) => writeln!(
                    script,
                    "expect_value({number}, {}, {value:?});",
                    shown.trim_end_matches(';')
                ),
                None => writeln!(script, "{line}"),
            };
        }
        let code = || text.lines().filter(|line| !line.starts_with("//"));
        let in_fight = ["fight.", "foe", "combo."]
            .iter()
            .any(|word| code().any(|line| line.contains(word)));
        let setup = if in_fight {
            "throw_flowers(seat(1), seat(2));"
        } else {
            ""
        };
        Built {
            entries: action(&format!("{script}say(\"All values match.\");")),
            cases: format!(
                "{DEFAULTS}[[case]]\nname = \"example\"\nsetup.do = '{setup}'\nmoves = {moves:?}\n\
                 expect.log = [\"All values match.\"]\n"
            ),
        }
    }

    /// The files that are added to the pack.
    pub fn files(&self) -> [(&str, &str); 2] {
        [("example.toml", &self.entries), EXPECT_VALUE]
    }
}

/// The action that runs a script, in a turn or a fight.
pub fn action(script: &str) -> String {
    format!(
        "[[action]]\nid = \"example\"\ntitle = \"Example\"\nwindow = [\"work\", \"bout\"]\ndo = '''\n{script}\n'''\n\n"
    )
}
