//! A fight in a short paragraph: who fought, how it went, who fell.

use super::super::cx::Core;
use super::super::log::{Line, What};
use super::super::state::Entity;
use super::super::text::Then;
use super::changes::deed;
use super::{capital, listed, plain, sentence};
use crate::content::FightId;

/// A blow: whose, how hard, with what.
struct Blow {
    by: String,
    hurt: i64,
    with: Vec<String>,
}

/// A fight that is being told.
pub(super) struct Fight {
    title: String,
    fighters: Vec<String>,
    /// Those of them that are players.
    players: Vec<String>,
    deeds: Vec<String>,
    blows: Vec<Blow>,
    fallen: Vec<String>,
    turns: usize,
    /// What was said that is more than a remark.
    tales: Vec<String>,
}

impl Fight {
    pub fn begin(core: &Core, fight: FightId) -> Fight {
        let title = core
            .content()
            .entry(core.content().fights[fight.ix()].entry)
            .title
            .to_string();
        let (fighters, players, deeds, blows, fallen, tales) = Default::default();
        Fight {
            title,
            fighters,
            players,
            deeds,
            blows,
            fallen,
            turns: 0,
            tales,
        }
    }

    /// Takes in a line; gives whether the fight is over.
    pub fn hear(&mut self, core: &Core, line: &Line) -> bool {
        let name = |of: Entity| {
            Then {
                core,
                line,
                whole: false,
            }
            .entity(of)
        };
        if let What::FightTurn {
            of: of @ Entity::Seat(_),
        } = line.what
        {
            self.players.push(name(of));
        }
        match &line.what {
            What::FightTurn { of } => {
                self.turns += 1;
                self.join(name(*of));
            }
            What::Joined { of } => self.join(name(*of)),
            What::Damage {
                source: Some(by),
                of,
                taken,
                ..
            } if by != of => self.hit(core, name(*by), *taken, line),
            What::Fell { of } => self.fallen.push(name(*of)),
            What::Acted { .. } | What::Used { .. } => self.deeds.extend(deed(core, line)),
            What::Said { text, .. } if super::teller::is_tale(text) => {
                self.tales.push(text.to_string());
            }
            What::FightEnded { .. } => return true,
            _ => {}
        }
        false
    }

    fn join(&mut self, name: String) {
        if !self.fighters.contains(&name) {
            self.fighters.push(name);
        }
    }

    fn hit(&mut self, core: &Core, by: String, hurt: i64, line: &Line) {
        self.join(by.clone());
        let mut with: Vec<String> = Vec::new();
        for title in line
            .parts
            .iter()
            .filter_map(|part| part.cause.entry)
            .map(|entry| &core.content().entry(entry).title)
        {
            if !with.iter().any(|other| **other == **title) {
                with.push(title.to_string());
            }
        }
        self.blows.push(Blow { by, hurt, with });
    }

    /// The fight in a paragraph, and what was told in it.
    pub fn tell(&self, core: &Core) -> String {
        let versus = self.versus();
        let versus = if versus.len() == 2 {
            versus.join(" against ")
        } else {
            listed(&versus)
        };
        let mut parts = vec![format!(
            "**{}: {}.**",
            plain(&capital(&self.title)),
            plain(&versus)
        )];
        parts.extend(self.tools(core));
        parts.extend(self.beginning());
        parts.extend(self.course());
        parts.push(self.ending());
        let mut out = format!("\n{}\n", parts.join(" "));
        self.tales
            .iter()
            .for_each(|tale| out += &super::teller::quote(tale));
        out
    }

    /// The fighters, players first.
    fn versus(&self) -> Vec<String> {
        let mut all = self.fighters.clone();
        all.sort_by_key(|name| !self.players.contains(name));
        all
    }

    /// What was used in it.
    fn tools(&self, core: &Core) -> Option<String> {
        let mut told: Vec<String> = Vec::new();
        for deed in &self.deeds {
            if !told.contains(deed) {
                told.push(deed.clone());
            }
        }
        let shown = super::teller::joined(core, &told);
        (!shown.is_empty()).then(|| plain(&shown.join(" ")))
    }

    fn beginning(&self) -> Option<String> {
        self.blows
            .iter()
            .find(|blow| blow.hurt > 0)
            .map(|blow| format!("{} draws first blood: {}.", plain(&blow.by), told(blow)))
    }

    /// Who hit how often, and how hard.
    fn course(&self) -> Vec<String> {
        let of = |name: &String| {
            let own: Vec<i64> = self
                .blows
                .iter()
                .filter(|blow| blow.by == *name && blow.hurt > 0)
                .map(|blow| blow.hurt)
                .collect();
            (!own.is_empty()).then(|| {
                format!(
                    "{} hits {} for {}",
                    plain(name),
                    times(own.len()),
                    own.iter().sum::<i64>()
                )
            })
        };
        let sums: Vec<String> = self.fighters.iter().filter_map(of).collect();
        let mut parts = Vec::new();
        if !sums.is_empty() {
            parts.push(format!("{}.", sums.join(", ")));
        }
        let first = self
            .blows
            .iter()
            .find(|blow| blow.hurt > 0)
            .map_or(0, |blow| blow.hurt);
        let mut hardest: Option<&Blow> = None;
        for blow in &self.blows {
            if blow.hurt > hardest.map_or(first, |blow| blow.hurt) {
                hardest = Some(blow);
            }
        }
        parts.extend(hardest.map(|blow| {
            format!(
                "The hardest blow comes from {}: {}.",
                plain(&blow.by),
                told(blow)
            )
        }));
        parts
    }

    fn ending(&self) -> String {
        let falls = if self.fallen.len() > 1 {
            "fall"
        } else {
            "falls"
        };
        match self.fallen[..] {
            [] => sentence(&format!(
                "It ends after {} with everybody on their feet",
                turns(self.turns)
            )),
            _ => format!(
                "After {} {} {falls}.",
                turns(self.turns),
                plain(&listed(&self.fallen))
            ),
        }
    }
}

fn told(blow: &Blow) -> String {
    let with = if blow.with.is_empty() {
        String::new()
    } else {
        format!(" with {}", plain(&listed(&blow.with)))
    };
    format!("{} damage{with}", blow.hurt)
}

fn turns(count: usize) -> String {
    if count == 1 {
        "one turn".to_owned()
    } else {
        format!("{count} turns")
    }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}
