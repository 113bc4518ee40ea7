//! What a game came to, when it is over.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::screen::{self, Tone};
use super::{Failure, Packs, start};
use crate::diagnostic::clean;
use crate::game::chronicle::chronicle;
use crate::game::summary::command;
use crate::game::{Game, Header};

/// Shows what a game came to, and how to play it again.
pub fn show(game: &Game, command: Option<&str>) {
    screen::say("");
    for (ix, row) in aligned(&game.summary().table()).into_iter().enumerate() {
        screen::text(&row, if ix == 0 { Tone::Heading } else { Tone::Plain });
    }
    if let Some(command) = command {
        screen::say("");
        screen::say(&format!("To play it again: {command}"));
    }
}

/// A table with a column for each row of another: a few players fit beside each other.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let wide = |row: &Vec<String>| {
        row.iter()
            .map(|cell| screen::columns(cell))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = rows.iter().map(wide).collect();
    let cell = |(row, width): (&Vec<String>, &usize), ix: usize| {
        let text = &row[ix];
        format!(
            "{text}{}",
            " ".repeat(width.saturating_sub(screen::columns(text)))
        )
    };
    let line = |ix| {
        rows.iter()
            .zip(&widths)
            .map(|row| cell(row, ix))
            .collect::<Vec<_>>()
            .join("  ")
    };
    (0..rows.first().map_or(0, Vec::len))
        .map(|ix| line(ix).trim_end().to_owned())
        .collect()
}

/// The command that begins the same game again.
pub fn again(header: &Header, packs: &Packs, begun: &[String]) -> Option<String> {
    let paths: Vec<String> = packs
        .paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    command(header, &paths, begun)
}

/// A file for a chronicle, which must not be there yet.
pub fn chronicle_file(path: &Path) -> Result<(PathBuf, File), Failure> {
    let wrong = |error: std::io::Error| Failure::cannot(format!("{}: {error}", path.display()));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(wrong)?;
    Ok((path.to_owned(), file))
}

/// Writes the chronicle of a game that is over; of one that was left, nothing stays.
pub fn write_chronicle(
    to: Option<(PathBuf, File)>,
    game: &Game,
    header: &Header,
    command: Option<&str>,
) -> Result<(), Failure> {
    let Some((path, mut file)) = to else {
        return Ok(());
    };
    let wrong = |error: std::io::Error| Failure::cannot(format!("{}: {error}", path.display()));
    if game.pending().is_some() {
        drop(file);
        return std::fs::remove_file(&path).map_err(wrong);
    }
    let text = chronicle(game, header, command);
    file.write_all(clean(&text).as_bytes()).map_err(wrong)
}

/// How flags say where a game begins.
pub fn begun(wishes: &start::Wishes, trying: &start::Trying, quick: bool) -> Vec<String> {
    let at = trying
        .at
        .iter()
        .flat_map(|at| ["--at".to_owned(), at.clone()]);
    let with = wishes
        .given()
        .into_iter()
        .flat_map(|given| ["--with".to_owned(), given]);
    at.chain(with)
        .chain(quick.then(|| "--quick".to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_stand_beside_each_other() {
        let row = |cells: &[&str]| {
            cells
                .iter()
                .map(|cell| (*cell).to_owned())
                .collect::<Vec<String>>()
        };
        let rows = [
            row(&["player", "turns"]),
            row(&["Böse", "12"]),
            row(&["Ann", ""]),
        ];
        assert_eq!(aligned(&rows), ["player  Böse  Ann", "turns   12"]);
    }
}
