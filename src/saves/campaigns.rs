//! Campaign logs: what each game of a campaign ended with, so that the next one can start from it.
//!
//! A log is a small text file in `saves/campaigns/`. It is replaced as a whole by an atomic write,
//! read again before each write, and never deleted: the cleanup of finished games does not touch it.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::{Saves, is_name, name_of, named, write_atomically};
use crate::game::InitialState;

/// The version of the file format.
const FORMAT: u32 = 1;

const EXTENSION: &str = "campaign";

/// A campaign log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CampaignLog {
    /// The full name of the campaign.
    pub campaign: String,
    /// Its title.
    pub title: String,
    /// The packs enabled in addition to those of the modes.
    pub with: Vec<String>,
    /// The enabled options.
    pub options: Vec<String>,
    /// The name of each player, and its controller.
    pub players: Vec<(String, String)>,
    /// Folders of packs outside the search path.
    pub folders: Vec<String>,
    /// The finished games, in order.
    pub games: Vec<LoggedGame>,
}

/// A finished game in a campaign log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedGame {
    /// The id of the scenario.
    pub scenario: String,
    /// The random seed, which tells games of the same scenario apart.
    pub seed: u64,
    /// The id of the next scenario; `None` if the campaign is over.
    pub next: Option<String>,
    /// What the next game starts with.
    pub carried: InitialState,
}

impl CampaignLog {
    /// The position of a game.
    #[must_use]
    pub fn position(&self, scenario: &str, seed: u64) -> Option<usize> {
        self.games
            .iter()
            .position(|game| game.scenario == scenario && game.seed == seed)
    }

    /// The file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("kaer-campaign {FORMAT}\n");
        let mut row = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('\n', "\\n");
            text.push_str(&format!("{name} {value}\n"));
        };
        row("campaign", &self.campaign);
        row("title", &self.title);
        self.with.iter().for_each(|pack| row("with", pack));
        self.options.iter().for_each(|option| row("option", option));
        for (name, agent) in &self.players {
            row("player", &format!("{agent} {name}"));
        }
        self.folders.iter().for_each(|folder| row("folder", folder));
        for game in &self.games {
            row("game", &format!("{} {}", game.seed, game.scenario));
            let carried = game.carried.rows();
            carried.iter().for_each(|value| row("carry", value));
            row("next", game.next.as_deref().unwrap_or("-"));
        }
        text.push_str("end\n");
        text
    }

    /// Parses a file.
    ///
    /// # Errors
    /// Returns what is wrong, with the line number.
    pub fn parse(text: &str) -> Result<CampaignLog, String> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        match first.strip_prefix("kaer-campaign ").map(str::parse::<u32>) {
            Some(Ok(FORMAT)) => {}
            Some(Ok(other)) => {
                return Err(format!(
                    "unsupported campaign log format {other}: this version of Kaer reads format {FORMAT}; get a newer one"
                ));
            }
            _ => {
                return Err(
                    "not a campaign log: the first line must start with `kaer-campaign`".to_owned(),
                );
            }
        }
        let mut log = CampaignLog::default();
        let mut is_complete = false;
        for (number, line) in (2..).zip(lines) {
            if is_complete {
                return Err(format!("line {number}: nothing may follow `end`"));
            }
            is_complete = line == "end";
            if !is_complete {
                let read = log.read_row(line);
                read.map_err(|reason| format!("line {number}: {reason}"))?;
            }
        }
        if is_complete {
            Ok(log)
        } else {
            Err("the last line must be `end`: a part of the file is missing".to_owned())
        }
    }

    fn read_row(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = value.replace("\\n", "\n").replace("\\\\", "\\");
        let unclear = || format!("`{line}` is not understood");
        match name {
            "campaign" => self.campaign = value,
            "title" => self.title = value,
            "with" => self.with.push(value),
            "option" => self.options.push(value),
            "folder" => self.folders.push(value),
            "player" => {
                let (agent, name) = value.split_once(' ').ok_or_else(unclear)?;
                self.players.push((name.to_owned(), agent.to_owned()));
            }
            "game" => {
                let (seed, scenario) = value.split_once(' ').ok_or_else(unclear)?;
                self.games.push(LoggedGame {
                    scenario: scenario.to_owned(),
                    seed: seed.parse().map_err(|_| unclear())?,
                    ..LoggedGame::default()
                });
            }
            "carry" => {
                let game = self.games.last_mut().ok_or_else(unclear)?;
                game.carried.read_row(&value)?;
            }
            "next" => {
                let game = self.games.last_mut().ok_or_else(unclear)?;
                game.next = Some(value).filter(|next| next != "-");
            }
            _ => return Err(unclear()),
        }
        Ok(())
    }
}

impl Saves {
    fn campaigns_folder(&self) -> PathBuf {
        self.games_folder().join("campaigns")
    }

    /// The path of a campaign log, which need not exist.
    #[must_use]
    pub fn campaign_path(&self, name: &str) -> PathBuf {
        self.campaigns_folder().join(format!("{name}.{EXTENSION}"))
    }

    /// Reads a campaign log; `None` if there is none with this name.
    ///
    /// # Errors
    /// Returns why the file cannot be read.
    pub fn campaign(&self, name: &str) -> Result<Option<CampaignLog>, String> {
        let path = self.campaign_path(name);
        if !is_name(name) || !path.is_file() {
            return Ok(None);
        }
        let failed = |reason: String| format!("{}: {reason}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
        CampaignLog::parse(&text).map(Some).map_err(failed)
    }

    /// The campaign logs by name, each with its contents or the reason why it cannot be read.
    #[must_use]
    pub fn campaigns(&self) -> Vec<(String, Result<CampaignLog, String>)> {
        let Ok(list) = self.campaigns_folder().read_dir() else {
            return Vec::new();
        };
        let is_log = |path: &PathBuf| path.extension().is_some_and(|own| own == EXTENSION);
        let paths = list.flatten().map(|item| item.path()).filter(is_log);
        let mut names: Vec<String> = paths.map(|path| name_of(&path).to_owned()).collect();
        names.retain(|name| is_name(name));
        names.sort();
        let read = |name: String| {
            let log = self
                .campaign(&name)
                .and_then(|log| log.ok_or_else(String::new));
            (name, log)
        };
        names.into_iter().map(read).collect()
    }

    /// A free name for a log of a campaign.
    #[must_use]
    pub fn free_campaign_name(&self, campaign: &str) -> String {
        let id = campaign.rsplit('/').next().unwrap_or_default();
        let stem = named(id).unwrap_or_else(|| "campaign".to_owned());
        let is_free = |name: &String| !self.campaign_path(name).exists();
        let mut names = (1..).map(|number| format!("{stem}-{number}"));
        names.find(is_free).unwrap_or(stem)
    }

    /// Writes a campaign log.
    ///
    /// # Errors
    /// Returns the error of the file system; the old file is then unchanged.
    pub fn write_campaign(&self, name: &str, log: &CampaignLog) -> io::Result<()> {
        fs::create_dir_all(self.campaigns_folder())?;
        write_atomically(&self.campaign_path(name), &log.text()).map(drop)
    }
}
