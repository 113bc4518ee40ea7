//! Campaigns: `kaer play CAMPAIGN` and `kaer play --after SAVE`, and the log of finished games.

use super::{Failure, PackArgs, journal, resume, screen};
use crate::diagnostic::nearest;
use crate::game::campaign::finish;
use crate::game::{CampaignGame, Game, GameHeader, InitialState};
use crate::library::{CampaignInfo, ModeInfo, PackLibrary, ScenarioInfo};
use crate::saves::{CampaignLog, LoggedGame, Saves};
use crate::session::GameSession;

/// The name of the log in the header of the first game, before there is one.
const NO_LOG: &str = "-";

/// How to start a game of a campaign.
pub struct CampaignStart {
    pub mode: ModeInfo,
    pub with: Vec<String>,
    pub options: Vec<String>,
    /// The players of the games before, as `--player` takes them.
    pub players: Vec<String>,
    game: CampaignGame,
    carried: InitialState,
    heading: String,
}

impl CampaignStart {
    /// The first game of a campaign, if `name` means one.
    pub fn first(library: &PackLibrary, name: &str) -> Option<CampaignStart> {
        let is_named = |campaign: &&CampaignInfo| {
            let id = campaign.name.rsplit('/').next();
            campaign.name == name || id == Some(name) || name == short(&campaign.name)
        };
        let campaigns = library.campaigns();
        let campaign = campaigns.iter().find(is_named)?;
        let first = campaign.scenarios.first()?;
        Some(CampaignStart::of(
            campaign,
            first,
            NO_LOG,
            &CampaignLog::default(),
            0,
        ))
    }

    fn of(
        campaign: &CampaignInfo,
        scenario: &ScenarioInfo,
        log: &str,
        before: &CampaignLog,
        games: usize,
    ) -> CampaignStart {
        let mut carried = InitialState::default();
        let games = before.games.iter().take(games);
        games.for_each(|game| carried.update(&game.carried));
        let mut with = before.with.clone();
        let own = scenario.mode.name.split(':').next() == Some(&*campaign.pack);
        if !own && !with.contains(&campaign.pack) {
            with.push(campaign.pack.clone());
        }
        let players = before.players.iter();
        let text = scenario.text.as_ref().map(|text| format!("\n{text}"));
        CampaignStart {
            mode: scenario.mode.clone(),
            with,
            options: before.options.clone(),
            players: players.map(|(name, who)| format!("{name}={who}")).collect(),
            game: CampaignGame {
                name: campaign.name.clone(),
                scenario: scenario.id.clone(),
                log: log.to_owned(),
            },
            carried,
            heading: format!("{}{}", campaign.title, text.unwrap_or_default()),
        }
    }

    /// The title of the campaign and the text of the scenario.
    pub fn heading(&self) -> &str {
        &self.heading
    }

    /// Makes a game the next one of the campaign. Starting values from flags come last.
    pub fn begin(&self, game: &mut super::game_args::ChosenGame) {
        let content = &game.opened.rules.content;
        let seats = content.mode.as_ref().map_or(1, |mode| mode.seats_max);
        let mut initial = self.carried.fitting(content, seats);
        if let Some(more) = &game.header.initial {
            initial.update(more);
        }
        game.header.initial = Some(initial).filter(|initial| !initial.is_empty());
        game.header.campaign = Some(self.game.clone());
    }
}

/// `pack:id` of `pack:campaign/id`.
fn short(name: &str) -> String {
    name.replace(":campaign/", ":")
}

/// A finished game to continue after: a log, and how many of its games have been played by then.
pub struct FinishedGame {
    name: String,
    log: CampaignLog,
    games: usize,
    pub library: PackLibrary,
}

/// Finds what `--after` names: a campaign log, or the save of a finished game.
pub fn after(packs: &PackArgs, wanted: &str) -> Result<FinishedGame, Failure> {
    let saves = super::saves::of_user()?;
    if let Some(log) = saves.campaign(wanted).map_err(Failure::error)? {
        let header = GameHeader {
            folders: log.folders.clone(),
            ..GameHeader::default()
        };
        return Ok(FinishedGame {
            name: wanted.to_owned(),
            games: log.games.len(),
            library: resume::library(packs, &header)?,
            log,
        });
    }
    let path = resume::find(&saves, wanted)?;
    let journal = journal::read(&path)?;
    if !journal.notes.over {
        let message = format!("{wanted} is not over yet: `kaer resume {wanted}` continues it");
        return Err(Failure::error(message));
    }
    let library = resume::library(packs, &journal.header)?;
    let (rules, setup) = journal::open(&path, &journal, &library)?;
    let game = Game::replay(rules, &setup, &journal.lines).map_err(|invalid| {
        let (_, at, reason) = *invalid;
        let help = "the packs have changed since it was played";
        Failure::error(format!(
            "answer {} of {wanted} is not valid: {reason}; {help}",
            at + 1
        ))
    })?;
    let campaign = match &journal.header.campaign {
        Some(campaign) => campaign.clone(),
        None => of_mode(&library, &journal.header, wanted)?,
    };
    let (name, log, games) = record(&saves, &game, &journal.header, &campaign)?;
    Ok(FinishedGame {
        name,
        log,
        games,
        library,
    })
}

/// The campaign in which a game could have been the first one.
fn of_mode(
    library: &PackLibrary,
    header: &GameHeader,
    wanted: &str,
) -> Result<CampaignGame, Failure> {
    let campaigns = library.campaigns();
    let fits = |campaign: &&CampaignInfo| {
        let first = campaign.scenarios.first();
        first.is_some_and(|scenario| scenario.mode.name == header.mode)
    };
    let campaign = campaigns.iter().find(fits).ok_or_else(|| {
        Failure::error(format!(
            "{wanted} belongs to no campaign: no `[[campaign]]` begins with {}",
            header.mode
        ))
    })?;
    Ok(CampaignGame {
        name: campaign.name.clone(),
        scenario: campaign.scenarios[0].id.clone(),
        log: NO_LOG.to_owned(),
    })
}

impl FinishedGame {
    /// The next game. If others were played after the same one, they stay in their log, and the
    /// campaign continues in a new one.
    pub fn next(&self) -> Result<CampaignStart, Failure> {
        let title = &self.log.title;
        let played = self.log.games.get(self.games.wrapping_sub(1));
        let next = played.and_then(|game| game.next.as_ref());
        let next =
            next.ok_or_else(|| Failure::error(format!("{title} is over: no game follows")))?;
        let campaigns = self.library.campaigns();
        let campaign = campaigns.iter().find(|own| own.name == self.log.campaign);
        let campaign = campaign.ok_or_else(|| {
            let names = campaigns.iter().map(|own| own.name.as_str());
            let near =
                nearest(&self.log.campaign, names).map(|near| format!("; did you mean `{near}`?"));
            let near = near.unwrap_or_default();
            let name = &self.log.campaign;
            Failure::error(format!(
                "no pack has the campaign `{name}`{near}; add it with `--pack PATH`"
            ))
        })?;
        let scenario = campaign.scenarios.iter().find(|own| own.id == *next);
        let scenario = scenario
            .ok_or_else(|| Failure::error(format!("{title} has no scenario `{next}` any more")))?;
        let log = if self.games < self.log.games.len() {
            self.branch()?
        } else {
            self.name.clone()
        };
        Ok(CampaignStart::of(
            campaign, scenario, &log, &self.log, self.games,
        ))
    }

    /// Writes a log of the games so far, and returns its name.
    fn branch(&self) -> Result<String, Failure> {
        let saves = super::saves::of_user()?;
        let mut log = self.log.clone();
        log.games.truncate(self.games);
        let name = saves.free_campaign_name(&log.campaign);
        write(&saves, &name, &log)?;
        Ok(name)
    }
}

fn write(saves: &Saves, name: &str, log: &CampaignLog) -> Result<(), Failure> {
    let path = saves.campaign_path(name);
    let failed = |error| Failure::error(format!("{}: {error}", path.display()));
    saves.write_campaign(name, log).map_err(failed)
}

/// Writes a finished game to the log of its campaign, unless it is there already. Returns the name
/// and the contents of the log, and the number of games up to and including this one.
fn record(
    saves: &Saves,
    game: &Game,
    header: &GameHeader,
    campaign: &CampaignGame,
) -> Result<(String, CampaignLog, usize), Failure> {
    let (name, mut log) = find_or_create_log(saves, header, campaign)?;
    let content = game.content();
    if let Some(id) = content.find(&campaign.name) {
        log.title = content.entry(id).title.to_string();
    }
    if let Some(at) = log.position(&campaign.scenario, header.seed) {
        return Ok((name, log, at + 1));
    }
    let step = finish(game, &campaign.name, &campaign.scenario).map_err(Failure::error)?;
    log.games.push(LoggedGame {
        scenario: campaign.scenario.clone(),
        seed: header.seed,
        next: step.next,
        carried: step.carried,
    });
    write(saves, &name, &log)?;
    let games = log.games.len();
    Ok((name, log, games))
}

/// The log that a game belongs to; a new one for a first game that is in none yet.
fn find_or_create_log(
    saves: &Saves,
    header: &GameHeader,
    campaign: &CampaignGame,
) -> Result<(String, CampaignLog), Failure> {
    if campaign.log != NO_LOG {
        let held = saves.campaign(&campaign.log).map_err(Failure::error)?;
        let missing = || Failure::error(format!("the campaign log {} is missing", campaign.log));
        return Ok((campaign.log.clone(), held.ok_or_else(missing)?));
    }
    for (name, log) in saves.campaigns() {
        let log = log.ok().filter(|log| log.campaign == campaign.name);
        let at = log
            .as_ref()
            .and_then(|log| log.position(&campaign.scenario, header.seed));
        if let (Some(log), Some(0)) = (log, at) {
            return Ok((name, log));
        }
    }
    let log = CampaignLog {
        campaign: campaign.name.clone(),
        title: String::new(),
        with: header.with.clone(),
        options: header.options.clone(),
        players: header.players.clone(),
        folders: header.folders.clone(),
        games: Vec::new(),
    };
    Ok((saves.free_campaign_name(&campaign.name), log))
}

/// Records a game that is over, and says what comes next. Nothing happens outside a campaign.
pub fn record_finished(session: &GameSession, is_shown: bool) -> Result<(), Failure> {
    let (game, header) = (session.game(), session.header());
    let Some(campaign) = header.campaign.as_ref().filter(|_| session.is_over()) else {
        return Ok(());
    };
    let saves = super::saves::of_user()?;
    let (name, log, games) = record(&saves, game, header, campaign)?;
    if is_shown {
        screen::print("");
        screen::print(&match log.games[games - 1].next {
            Some(_) => format!("The campaign continues: `kaer play --after {name}`."),
            None => format!("The campaign is over. Its log is {name}."),
        });
    }
    Ok(())
}

/// A line for the list of saves.
pub fn line(name: &str, log: &Result<CampaignLog, String>) -> String {
    match log {
        Ok(log) => {
            let games = screen::counted(log.games.len(), "game");
            let next = log.games.last().and_then(|game| game.next.as_ref());
            let next = next.map_or_else(|| "over".to_owned(), |next| format!("next: {next}"));
            format!("  {name}  {} ({games}, {next})", log.title)
        }
        Err(reason) => format!("  {name}  cannot be read: {reason}"),
    }
}
