//! The questions of `kaer new`. An empty line takes the default.

use crate::cli::Failure;
use crate::diagnostic::nearest;
use crate::pack::Pack;
use crate::scaffold::PackTemplate;

/// Asks a question and returns the answer; `None` at the end of the input.
pub type AskLine<'a> = dyn FnMut(&str) -> Option<String> + 'a;

fn end_of_input() -> Failure {
    Failure::error("end of input; nothing was created")
}

/// Asks for the kind of pack.
pub fn template(ask: &mut AskLine) -> Result<PackTemplate, Failure> {
    let lines: Vec<String> = (1..)
        .zip(PackTemplate::ALL)
        .map(|(n, template)| format!("  {n}  {}", template.description()))
        .collect();
    let names: Vec<&str> = PackTemplate::ALL
        .iter()
        .map(|template| template.name())
        .collect();
    let chosen = choose(
        ask,
        &format!(
            "What do you want to create? (Enter for 1)\n{}",
            lines.join("\n")
        ),
        &names,
    )?;
    Ok(PackTemplate::ALL[chosen])
}

/// Asks which pack to build on. Games come first, since most new packs build on a game.
pub fn base_pack(ask: &mut AskLine, packs: &[Pack]) -> Result<String, Failure> {
    let has_mode = |pack: &&Pack| pack.entries().any(|entry| entry.kind == "mode");
    let (games, others): (Vec<&Pack>, Vec<&Pack>) = packs.iter().partition(has_mode);
    let all: Vec<&Pack> = games.into_iter().chain(others).collect();
    if all.is_empty() {
        return Err(Failure::error(
            "found no pack to build on; name one by its folder",
        ));
    }
    let line = |(n, pack): (usize, &&Pack)| {
        format!("  {n}  {} ({})", pack.manifest.title, pack.manifest.id)
    };
    let lines: Vec<String> = (1..).zip(&all).map(line).collect();
    let ids: Vec<&str> = all.iter().map(|pack| &*pack.manifest.id).collect();
    let chosen = choose(
        ask,
        &format!("Build on which pack? (Enter for 1)\n{}", lines.join("\n")),
        &ids,
    )?;
    Ok(ids[chosen].to_owned())
}

pub fn title(ask: &mut AskLine, default: &str) -> Result<String, Failure> {
    let answer = ask(&format!("Title? (Enter for {default})")).ok_or_else(end_of_input)?;
    Ok(if answer.trim().is_empty() {
        default.to_owned()
    } else {
        answer
    })
}

/// Asks until the answer is a number or a name in the list, and returns its index. An empty line
/// means the first item.
fn choose(ask: &mut AskLine, question: &str, names: &[&str]) -> Result<usize, Failure> {
    let mut question = question.to_owned();
    loop {
        let answer = ask(&question).ok_or_else(end_of_input)?;
        let answer = answer.trim();
        if answer.is_empty() {
            return Ok(0);
        }
        let number = answer
            .parse::<usize>()
            .ok()
            .and_then(|n| n.checked_sub(1))
            .filter(|n| *n < names.len());
        if let Some(chosen) = number.or_else(|| names.iter().position(|name| *name == answer)) {
            return Ok(chosen);
        }
        let near = nearest(answer, names.iter().copied());
        let hint = near
            .map(|near| format!(" Did you mean `{near}`?"))
            .unwrap_or_default();
        question = format!("No option matches `{answer}`.{hint} Type a number or a name.");
    }
}
