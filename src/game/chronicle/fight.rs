//! Renders a fight as a paragraph: who fought, how it went, who fell.

use super::super::context::StepContext;
use super::super::log::{LogEvent, LogLine};
use super::super::render::catalogue::chronicle;
use super::super::render::grammar;
use super::super::render::log_line::{self, NamesAt};
use super::super::state::Entity;
use super::escape;
use crate::content::FightId;
use crate::number::cast;

struct Hit {
    by: String,
    damage: i64,
    /// The titles of the cards that dealt the damage.
    with: Vec<String>,
}

/// A fight that the log has not ended yet.
pub(super) struct FightStory {
    title: String,
    fighters: Vec<String>,
    /// The fighters that are players.
    players: Vec<String>,
    actions: Vec<String>,
    blows: Vec<Hit>,
    fallen: Vec<(Entity, String)>,
    turns: usize,
    /// Long texts that packs wrote to the log.
    stories: Vec<String>,
}

impl FightStory {
    pub fn new(context: &StepContext, fight: FightId) -> FightStory {
        let title = context
            .content()
            .entry(context.content().fights[fight.ix()].entry)
            .title
            .to_string();
        let (fighters, players, actions, blows, fallen, stories) = Default::default();
        FightStory {
            title,
            fighters,
            players,
            actions,
            blows,
            fallen,
            turns: 0,
            stories,
        }
    }

    /// Records a line of the log; returns whether it ends the fight.
    pub fn record(&mut self, context: &StepContext, line: &LogLine) -> bool {
        let name = |entity: Entity| NamesAt::new(context, line).entity(entity);
        if let LogEvent::FightTurn {
            of: entity @ Entity::Seat(_),
        } = line.event
        {
            self.players.push(name(entity));
        }
        match &line.event {
            LogEvent::FightTurn { of: entity } => {
                self.turns += 1;
                self.join(name(*entity));
            }
            LogEvent::Joined { of: entity } => self.join(name(*entity)),
            LogEvent::Damage {
                source: Some(by),
                of: entity,
                taken,
                ..
            } if by != entity => self.record_blow(context, name(*by), *taken, line),
            LogEvent::Fell { of: entity } => self.fallen.push((*entity, name(*entity))),
            LogEvent::Acted { .. } | LogEvent::Used { .. } => {
                self.actions.extend(log_line::render(context, line, None));
            }
            LogEvent::Said { text, .. } if super::paragraphs::is_story(text) => {
                self.stories.push(text.to_string());
            }
            LogEvent::FightEnded { .. } => return true,
            _ => {}
        }
        false
    }

    fn join(&mut self, name: String) {
        if !self.fighters.contains(&name) {
            self.fighters.push(name);
        }
    }

    fn record_blow(&mut self, context: &StepContext, by: String, damage: i64, line: &LogLine) {
        self.join(by.clone());
        let mut with: Vec<String> = Vec::new();
        for title in line
            .parts
            .iter()
            .filter_map(|part| part.cause.entry)
            .map(|entry| &context.content().entry(entry).title)
        {
            if !with.iter().any(|other| **other == **title) {
                with.push(title.to_string());
            }
        }
        self.blows.push(Hit { by, damage, with });
    }

    /// The paragraph, and the stories that were shown during the fight.
    pub fn write(&self, context: &StepContext) -> String {
        let fighters = chronicle::fighters(&self.players_first());
        let title = grammar::capitalize(&self.title);
        let mut parts = vec![format!("**{}: {}.**", escape(&title), escape(&fighters))];
        parts.extend(self.write_actions(context));
        parts.extend(self.write_first_blow());
        parts.extend(self.write_sums());
        parts.extend(self.write_hardest_blow());
        parts.push(self.write_end());
        let mut out = format!("\n{}\n", parts.join(" "));
        self.stories
            .iter()
            .for_each(|story| out += &super::paragraphs::block_quote(story));
        out
    }

    fn players_first(&self) -> Vec<String> {
        let mut all = self.fighters.clone();
        all.sort_by_key(|name| !self.players.contains(name));
        all
    }

    fn write_actions(&self, context: &StepContext) -> Option<String> {
        let mut distinct: Vec<String> = Vec::new();
        for action in &self.actions {
            if !distinct.contains(action) {
                distinct.push(action.clone());
            }
        }
        let sentences = super::paragraphs::join_sentences(context, &distinct);
        (!sentences.is_empty()).then(|| escape(&sentences.join(" ")))
    }

    fn first_blow(&self) -> Option<&Hit> {
        self.blows.iter().find(|blow| blow.damage > 0)
    }

    fn write_first_blow(&self) -> Option<String> {
        let blow = self.first_blow()?;
        Some(chronicle::first_hit(&escape(&blow.by), &write_damage(blow)))
    }

    /// How often each fighter hit, and the total damage.
    fn write_sums(&self) -> Option<String> {
        let sum = |name: &String| {
            let blows = self.blows.iter();
            let hits: Vec<i64> = blows
                .filter(|blow| blow.by == *name && blow.damage > 0)
                .map(|blow| blow.damage)
                .collect();
            let damage = hits.iter().sum();
            (!hits.is_empty()).then(|| chronicle::hits(&escape(name), hits.len(), damage))
        };
        let sums: Vec<String> = self.fighters.iter().filter_map(sum).collect();
        (!sums.is_empty()).then(|| format!("{}.", sums.join(", ")))
    }

    /// The hardest blow, if it is not the first.
    fn write_hardest_blow(&self) -> Option<String> {
        let mut hardest = self.first_blow()?;
        let first = hardest.damage;
        for blow in &self.blows {
            if blow.damage > hardest.damage {
                hardest = blow;
            }
        }
        (hardest.damage > first)
            .then(|| chronicle::hardest_hit(&escape(&hardest.by), &write_damage(hardest)))
    }

    fn write_end(&self) -> String {
        let turns = cast::<_, i64>(self.turns);
        if self.fallen.is_empty() {
            return chronicle::nobody_fell(turns);
        }
        let names = |are_players: bool| -> Vec<String> {
            let is_player = |entity: &Entity| matches!(entity, Entity::Seat(_));
            let fallen = self.fallen.iter();
            let chosen = fallen.filter(|(entity, _)| is_player(entity) == are_players);
            chosen.map(|(_, name)| escape(name)).collect()
        };
        chronicle::fell(turns, &names(true), &names(false))
    }
}

fn write_damage(blow: &Hit) -> String {
    let with: Vec<String> = blow.with.iter().map(|title| escape(title)).collect();
    chronicle::damage(blow.damage, &with)
}
