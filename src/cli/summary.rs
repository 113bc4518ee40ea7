//! The summary at the end of a game, and its chronicle.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::screen::{self, Tone};
use super::{Failure, PackArgs, game_args};
use crate::diagnostic::sanitize;
use crate::game::chronicle::chronicle;
use crate::game::summary::command;
use crate::game::{Game, GameHeader};

/// Prints the summary and the command that plays the same game again.
pub fn show(game: &Game, command: Option<&str>) {
    screen::print("");
    for (ix, row) in align(&game.summary().table()).into_iter().enumerate() {
        screen::print_wrapped(&row, if ix == 0 { Tone::Heading } else { Tone::Plain });
    }
    if let Some(command) = command {
        screen::print("");
        screen::print(&format!("To start the same game again: {command}"));
    }
}

/// Transposes a table and pads its cells: the headings become the first column, with one column for
/// each player.
fn align(rows: &[Vec<String>]) -> Vec<String> {
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

/// The command that plays the same game again.
pub fn again(header: &GameHeader, packs: &PackArgs, start_flags: &[String]) -> Option<String> {
    let paths: Vec<String> = packs
        .paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    command(header, &paths, start_flags)
}

/// Creates the file for a chronicle; an existing file is an error.
pub fn chronicle_file(path: &Path) -> Result<(PathBuf, File), Failure> {
    let failure = |error: std::io::Error| Failure::error(format!("{}: {error}", path.display()));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(failure)?;
    Ok((path.to_owned(), file))
}

/// Writes the chronicle of a finished game. If the game is not finished, removes the file.
pub fn write_chronicle(
    to: Option<(PathBuf, File)>,
    game: &Game,
    header: &GameHeader,
    command: Option<&str>,
) -> Result<(), Failure> {
    let Some((path, mut file)) = to else {
        return Ok(());
    };
    let failure = |error: std::io::Error| Failure::error(format!("{}: {error}", path.display()));
    if game.pending().is_some() {
        drop(file);
        return std::fs::remove_file(&path).map_err(failure);
    }
    let text = chronicle(game, header, command);
    file.write_all(sanitize(&text).as_bytes()).map_err(failure)
}

/// The flags that determine where a game starts.
pub fn start_flags(
    setup_args: &game_args::SetupArgs,
    start_args: &game_args::StartArgs,
    quick: bool,
) -> Vec<String> {
    let at = start_args
        .at
        .iter()
        .flat_map(|at| ["--at".to_owned(), at.clone()]);
    let with = setup_args
        .starting_values()
        .into_iter()
        .flat_map(|given| ["--with".to_owned(), given]);
    at.chain(with)
        .chain(quick.then(|| "--quick".to_owned()))
        .collect()
}
