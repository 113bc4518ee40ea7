//! `kaer play`: plays a game at the prompt, or for a program.

use std::path::PathBuf;
use std::time::SystemTime;

use super::campaign::{self, CampaignStart, FinishedGame};
use super::game_args::{self, ChosenGame, GameArgs, StartArgs};
use super::json::JsonSession;
use super::line_reader::{InputLine, LineReader};
use super::session::{DisplayStyle, PromptSession};
use super::setup_questions::SetupQuestions;
use super::{Failure, PackArgs, refuse, resume, screen, summary};
use crate::agents::Player;
use crate::library::{LintLevel, ModeInfo, PackLibrary};
use crate::saves::Saves;
use crate::session::GameSession;

/// Arguments of `kaer play`.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct PlayArgs {
    #[command(flatten)]
    flags: GameArgs,
    #[command(flatten)]
    trying: StartArgs,
    #[command(flatten)]
    style: DisplayStyle,
    /// Play the next game of a campaign: after the finished game with this save, or by the name of
    /// the campaign log that `kaer saves` lists.
    #[arg(long, value_name = "SAVE", conflicts_with = "mode")]
    after: Option<String>,
    /// Ask no questions before the game: use the defaults and a random setup.
    #[arg(long)]
    quick: bool,
    /// Write the journal to this file, one answer per line. `kaer replay` reads it.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Write a chronicle to this file when the game is over.
    #[arg(long, value_name = "FILE")]
    chronicle: Option<PathBuf>,
    /// Output format: `text`, or `jsonl` for programs (see docs/machine.md).
    #[arg(long, value_enum, default_value_t = PlayFormat::Text, hide_possible_values = true)]
    format: PlayFormat,
}

/// The output format.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PlayFormat {
    /// A prompt for people.
    #[default]
    Text,
    /// JSON lines for programs, in and out: see docs/machine.md.
    Jsonl,
}

pub fn run(args: &PlayArgs) -> Result<(), Failure> {
    let mut args = args.clone();
    args.flags.packs = args.flags.packs.or_current();
    let args = &args;
    let finished = match &args.after {
        Some(save) => Some(campaign::after(&args.flags.packs, save)?),
        None => None,
    };
    let next = finished.as_ref().map(FinishedGame::next).transpose()?;
    let library = match finished {
        Some(finished) => finished.library,
        None => args.flags.packs.library()?,
    };
    if !library.report.has_no_errors() {
        return Err(refuse(&library, &library.report));
    }
    if args.format == PlayFormat::Jsonl && args.flags.mode.is_none() && next.is_none() {
        return Err(Failure::error(
            "name a mode: `kaer play MODE --format jsonl`. `kaer list` shows them",
        ));
    }
    let mut reader = LineReader::new();
    let Some((mode, chosen, players)) = choose(&library, args, next, &mut reader)? else {
        return Ok(());
    };
    let chronicle = args
        .chronicle
        .as_deref()
        .map(summary::chronicle_file)
        .transpose()?;
    let start_flags = summary::start_flags(&args.flags.setup, &args.trying, args.quick);
    let command = summary::again(&chosen.header, &args.flags.packs, &start_flags);
    let mut session =
        GameSession::new(chosen.opened.rules, players, chosen.header).map_err(Failure::error)?;
    session.set_budget(game_args::budget(args.flags.setup.thinking));
    if let Some(path) = &args.journal {
        session.write_journal_to(path).map_err(Failure::error)?;
    }
    let (session, command) = if args.format == PlayFormat::Jsonl {
        let session = JsonSession::new(session, command.clone()).play(args.quick)?;
        campaign::record_finished(&session, false)?;
        (session, command)
    } else {
        // `load` may have switched to another game.
        let left = play_at_prompt(session, args, (&library, &mode), &mut reader, command)?;
        (left.inner, left.command)
    };
    summary::write_chronicle(
        chronicle,
        session.game(),
        session.header(),
        command.as_deref(),
    )
}

#[allow(
    clippy::disallowed_methods,
    reason = "old files are deleted by age; no game sees the time"
)]
fn play_at_prompt(
    mut session: GameSession,
    args: &PlayArgs,
    (library, mode): (&PackLibrary, &ModeInfo),
    reader: &mut LineReader,
    command: Option<String>,
) -> Result<PromptSession, Failure> {
    if let Some(saves) = Saves::of_user() {
        session.start_autosave(saves, library, SystemTime::now());
    }
    let mut session = PromptSession::new(session, args.style, command);
    session.show_notices();
    let seed = session.inner.header().seed;
    screen::print(&format!("{} — seed {seed}", mode.title));
    session.begin()?;
    session.at_terminal(reader.is_person());
    if args.quick {
        session.inner.set_up_randomly().map_err(Failure::error)?;
    }
    session.advance()?;
    session.show();
    listen(session, reader, &args.flags.packs)
}

/// Chooses the mode, the game and the players: from flags, or by asking. `None` if the user quits.
fn choose(
    library: &PackLibrary,
    args: &PlayArgs,
    next: Option<CampaignStart>,
    reader: &mut LineReader,
) -> Result<Option<(ModeInfo, ChosenGame, Vec<Player>)>, Failure> {
    let campaign = next.or_else(|| named_campaign(library, args));
    let mode = match &campaign {
        Some(campaign) => Some(campaign.mode.clone()),
        None => choose_mode(library, args, reader)?,
    };
    let Some(mode) = mode else {
        return Ok(None);
    };
    let (mut setup_args, start_args) = (args.flags.setup.clone(), &args.trying);
    if let Some(campaign) = &campaign {
        setup_args.with.extend_from_slice(&campaign.with);
        setup_args.options.extend_from_slice(&campaign.options);
        if setup_args.players.is_empty() {
            setup_args.players.clone_from(&campaign.players);
        }
    }
    let asks = args.format == PlayFormat::Text
        && reader.is_person()
        && !args.quick
        && setup_args.players.is_empty()
        && start_args.at.is_none();
    let mut questions = SetupQuestions(reader);
    if asks
        && questions
            .packs_and_options(library, &mode, &mut setup_args)
            .is_err()
    {
        return Ok(None);
    }
    let mut chosen = game_args::open(library, &setup_args, &mode, start_args, LintLevel::Names)?;
    if let Some(note) = (chosen.conflicts.as_ref()).filter(|_| args.format == PlayFormat::Text) {
        screen::print(note);
    }
    if let Some(campaign) = &campaign {
        campaign.begin(&mut chosen);
        if args.format == PlayFormat::Text {
            screen::print(campaign.heading());
        }
    }
    let named = if asks {
        let Ok(players) = questions.players(&chosen.opened.rules.content) else {
            return Ok(None);
        };
        players
    } else {
        game_args::players(&setup_args.players)?
    };
    let players = game_args::seated(&mut chosen, named, start_args);
    Ok(Some((mode, chosen, players)))
}

/// The campaign that the flags name, unless a mode has the same name.
fn named_campaign(library: &PackLibrary, args: &PlayArgs) -> Option<CampaignStart> {
    let wanted = args.flags.mode.as_deref()?;
    let is_mode = game_args::find_mode(&library.modes(), wanted).is_ok();
    let campaign = CampaignStart::first(library, wanted);
    campaign.filter(|_| !is_mode)
}

/// Plays until the user quits or the game is over.
pub fn listen(
    mut session: PromptSession,
    reader: &mut LineReader,
    packs: &PackArgs,
) -> Result<PromptSession, Failure> {
    let mut interrupted = false;
    while !session.is_over() {
        let words = || session.completions();
        match reader.read(words) {
            InputLine::Line(line) => {
                interrupted = false;
                if session.handle_line(&line)? {
                    return Ok(session);
                }
                resume::load(&mut session, reader, packs);
            }
            InputLine::Interrupted if !interrupted => {
                interrupted = true;
                screen::print("Type `quit` or press Ctrl-C again to leave. Every answer is saved.");
            }
            InputLine::Interrupted | InputLine::Eof => {
                session.leave();
                return Ok(session);
            }
        }
    }
    session.show_result();
    campaign::record_finished(&session.inner, true)?;
    Ok(session)
}

/// The mode from flags or from a menu; `None` if the user quits.
fn choose_mode(
    library: &PackLibrary,
    args: &PlayArgs,
    reader: &mut LineReader,
) -> Result<Option<ModeInfo>, Failure> {
    let modes = library.modes();
    if let Some(wanted) = &args.flags.mode {
        return game_args::find_mode(&modes, wanted).map(Some);
    }
    let Some(first) = modes.first() else {
        return Err(Failure::error(
            "no pack has a mode; add one with `--pack PATH`",
        ));
    };
    if let Some(mode) = game_args::likely_mode(library, &args.trying)? {
        return Ok(Some(mode));
    }
    if args.quick {
        return Ok(Some(first.clone()));
    }
    Ok(SetupQuestions(reader).mode(&modes).ok())
}
