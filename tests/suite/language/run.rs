//! Runs programs in our virtual machine and in Rhai's interpreter.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use kaer::content::HookId;
use kaer::diagnostic::render_short;
use kaer::game::{Cx, Game, HookRunner, Rules, Setup, StepResult, Stop};
use kaer::library::{LintLevel, PackLibrary, Reuse};
use kaer::pack::{GameChoice, PackSource};
use kaer::value::Value;

use super::generator::Program;

const PACK: &str = r#"
[pack]
id = "language"
title = "Language"
version = "1.0.0"
authors = ["the Kaer authors"]
license = "CC-BY-4.0"
description = "Generated programs."
engine = "2"

[[mode]]
id = "run"
title = "Run"
text = "Runs programs."
seats = "1"
turn = ["work"]

[[phase]]
id = "work"
title = "Work"
menu = true
"#;

/// The outcome of a program.
#[derive(Debug)]
pub enum Outcome {
    /// The checker does not accept it.
    Refused(String),
    /// Both gave the same value, or both failed. `limit` is set if Rhai reached a limit.
    Same {
        failure: Option<String>,
        limit: bool,
    },
    /// The results differ.
    Different { ours: String, rhai: String },
}

/// Runs programs, and returns an outcome for each.
pub fn run(programs: &[Program]) -> Vec<Outcome> {
    let mut files = vec![("pack.toml".to_owned(), PACK.to_owned())];
    for (ix, program) in programs.iter().enumerate() {
        let name = |text: &str| text.replace('@', &format!("p{ix}_"));
        files.push((format!("p{ix}.rhai"), name(&program.functions)));
        files.push((
            format!("p{ix}.toml"),
            format!(
                "[[action]]\nid = \"p{ix}\"\ntitle = \"P\"\nwindow = \"work\"\ndo = '''\n{}\n'''\n",
                name(&program.body)
            ),
        ));
    }
    let texts: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let library = PackLibrary::load(vec![PackSource::texts("language", &texts)]);
    let choice = GameChoice {
        mode: "language:run".to_owned(),
        ..GameChoice::default()
    };
    let (opened, report) =
        library.open_reusing(&choice, Some("();"), Reuse::Nothing, LintLevel::Nothing);
    let opened = opened.unwrap();
    let mut refused: BTreeMap<usize, String> = BTreeMap::new();
    for fault in library.report.errors().chain(report.errors()) {
        let file = library.set.files.name(fault.label.span.file);
        let (_, file) = file.rsplit_once("/p").unwrap_or(("", file));
        let (number, _) = file.split_once('.').unwrap_or_default();
        let text = render_short(&library.set.files, fault);
        let number = number.parse().unwrap_or_else(|_| panic!("{text}"));
        refused.entry(number).or_insert(text);
    }
    let results = Rc::new(RefCell::new(BTreeMap::new()));
    let runner = BothRunners {
        ours: opened.rules.clone(),
        rhai: opened.interpreted(),
        results: results.clone(),
    };
    let rules = Rc::new(opened.rules.with_runner(Box::new(runner)));
    let setup = Setup {
        names: vec!["Ann".to_owned()],
        ..Setup::default()
    };
    Game::new(rules, setup).unwrap().run();
    let mut results = results.borrow_mut();
    let outcome = |ix: usize| match (refused.remove(&ix), results.remove(&ix)) {
        (Some(reason), _) => Outcome::Refused(reason),
        (None, Some((Ok(ours), Ok(rhai)))) if ours == rhai => Outcome::Same {
            failure: None,
            limit: false,
        },
        (None, Some((_, Err(rhai)))) if is_limit(&rhai) => Outcome::Same {
            failure: Some(rhai),
            limit: true,
        },
        (None, Some((Ok(_), Err(rhai)))) if lacks_function_of_character(&rhai) => Outcome::Same {
            failure: Some(rhai),
            limit: false,
        },
        (None, Some((Err(_), Err(rhai)))) => Outcome::Same {
            failure: Some(rhai),
            limit: false,
        },
        (None, Some((ours, rhai))) => Outcome::Different {
            ours: shown(ours),
            rhai: shown(rhai),
        },
        (None, None) => panic!("program {ix} did not run"),
    };
    (0..programs.len()).map(outcome).collect()
}

/// Whether Rhai has no such function for a character. In packs, characters are strings, which have
/// all functions of strings.
fn lacks_function_of_character(error: &str) -> bool {
    error.contains("Function not found") && error.contains("char")
}

/// Whether a message of Rhai reports a limit, which `try` does not catch there.
fn is_limit(message: &str) -> bool {
    [
        "too large",
        "Too many operations",
        "Stack overflow",
        "too long",
        "exceeds",
    ]
    .iter()
    .any(|part| message.contains(part))
}

type Result = std::result::Result<Value, String>;

fn shown(result: Result) -> String {
    match result {
        Ok(value) => format!("{value:?}"),
        Err(message) => format!("error: {message}"),
    }
}

/// Runs every program in both ways when the game starts.
struct BothRunners {
    ours: Rc<Rules>,
    rhai: Rc<Rules>,
    results: Rc<RefCell<BTreeMap<usize, (Result, Result)>>>,
}

impl HookRunner for BothRunners {
    fn run(&self, cx: &mut Cx, _: HookId) -> StepResult<Value> {
        let mut results = self.results.borrow_mut();
        if !results.is_empty() {
            return Ok(Value::Unit);
        }
        let content = cx.content().clone();
        let kept = cx.take();
        for (ix, hook) in content.hooks.iter().enumerate() {
            let id = &content.entry(hook.entry).id;
            let Some(number) = id.strip_prefix('p').and_then(|id| id.parse().ok()) else {
                continue;
            };
            let mut one = |rules: &Rules| {
                // Every run starts with a context of its own, and its own count of operations.
                let _ = cx.take();
                match rules.runner.run(cx, HookId::at(ix)) {
                    Ok(value) => Ok(value),
                    Err(Stop::Fault(fault)) => Err(fault.message),
                    Err(stop) => Err(format!("{stop:?}")),
                }
            };
            let ours = one(&self.ours);
            let rhai = one(&self.rhai);
            results.insert(number, (ours, rhai));
        }
        *cx = kept;
        Ok(Value::Unit)
    }
}
