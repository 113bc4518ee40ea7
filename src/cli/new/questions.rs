//! What `kaer new` asks for. An empty line takes what is offered.

use crate::author::new::Form;
use crate::cli::Failure;
use crate::diagnostic::nearest;
use crate::pack::Pack;

/// Puts a question and gives the answer; nothing when there is nobody any more.
pub type Ask<'a> = dyn FnMut(&str) -> Option<String> + 'a;

fn gone() -> Failure {
    Failure::cannot("the input ended; nothing was made")
}

/// Asks what it is to be.
pub fn form(ask: &mut Ask) -> Result<Form, Failure> {
    let lines: Vec<String> = (1..)
        .zip(Form::ALL)
        .map(|(n, form)| format!("  {n}  {}", form.words()))
        .collect();
    let names: Vec<&str> = Form::ALL.iter().map(|form| form.name()).collect();
    let chosen = choose(
        ask,
        &format!("What is it to be? (Enter for 1)\n{}", lines.join("\n")),
        &names,
    )?;
    Ok(Form::ALL[chosen])
}

/// Asks which pack it builds on; games come first, since that is what most want.
pub fn of(ask: &mut Ask, packs: &[Pack]) -> Result<String, Failure> {
    let has_mode = |pack: &&Pack| pack.entries().any(|entry| entry.kind == "mode");
    let (games, others): (Vec<&Pack>, Vec<&Pack>) = packs.iter().partition(has_mode);
    let all: Vec<&Pack> = games.into_iter().chain(others).collect();
    if all.is_empty() {
        return Err(Failure::cannot(
            "no pack was found to build on; name one by its folder",
        ));
    }
    let line = |(n, pack): (usize, &&Pack)| {
        format!("  {n}  {} ({})", pack.manifest.title, pack.manifest.id)
    };
    let lines: Vec<String> = (1..).zip(&all).map(line).collect();
    let ids: Vec<&str> = all.iter().map(|pack| &*pack.manifest.id).collect();
    let chosen = choose(
        ask,
        &format!("Of which? (Enter for 1)\n{}", lines.join("\n")),
        &ids,
    )?;
    Ok(ids[chosen].to_owned())
}

/// Asks what people call it.
pub fn title(ask: &mut Ask, usual: &str) -> Result<String, Failure> {
    let answer = ask(&format!("What is it called? (Enter for {usual})")).ok_or_else(gone)?;
    Ok(if answer.trim().is_empty() {
        usual.to_owned()
    } else {
        answer
    })
}

/// The position of what is chosen, by number or by name; the first one for an empty line.
fn choose(ask: &mut Ask, question: &str, names: &[&str]) -> Result<usize, Failure> {
    let mut question = question.to_owned();
    loop {
        let answer = ask(&question).ok_or_else(gone)?;
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
        let hint = near.map_or_else(
            || ".".to_owned(),
            |near| format!("; did you mean `{near}`?"),
        );
        question = format!("`{answer}` is none of them{hint} Write a number or a name.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answering<'a>(
        answers: &'a [&'a str],
        asked: &'a mut Vec<String>,
    ) -> impl FnMut(&str) -> Option<String> + 'a {
        let mut left = answers.iter();
        move |question| {
            asked.push(question.to_owned());
            left.next().map(|answer| (*answer).to_owned())
        }
    }

    #[test]
    fn an_empty_line_takes_what_is_offered() {
        let mut asked = Vec::new();
        assert_eq!(
            form(&mut answering(&[""], &mut asked)).ok(),
            Some(Form::Game)
        );
        assert_eq!(
            title(&mut answering(&[" "], &mut asked), "Grey Owl")
                .ok()
                .as_deref(),
            Some("Grey Owl")
        );
        assert!(
            asked[0].contains("  3  a campaign") && asked[1].contains("(Enter for Grey Owl)"),
            "{asked:?}"
        );
    }

    #[test]
    fn one_is_asked_again_until_it_fits() {
        let mut asked = Vec::new();
        assert_eq!(
            form(&mut answering(&["7", "campain", "mod"], &mut asked)).ok(),
            Some(Form::Mod)
        );
        assert_eq!(asked[1], "`7` is none of them. Write a number or a name.");
        assert!(asked[2].contains("did you mean `campaign`?"), "{asked:?}");
        assert!(
            form(&mut answering(&[], &mut asked)).is_err(),
            "nobody is there any more"
        );
    }
}
