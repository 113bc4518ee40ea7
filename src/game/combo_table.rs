//! Data about entries that combos use, computed once: colours as numbers, and the numbers in the
//! fields that passes sum.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::content::{Content, EntryDef, EntryId};
use crate::value::{Text, Value};

/// A colour as a number. The colour `any` is 0.
pub type Colour = u16;

const ANY: &str = "any";
const ANY_COLOUR: Colour = 0;

/// The colours and the links of all entries, and the numbers of some fields.
#[derive(Debug)]
pub struct ComboTable {
    /// By [`EntryId`].
    cards: Vec<CardLinks>,
    /// The colours that the links of all cards name.
    links: Vec<Colour>,
    fields: Vec<FieldNumbers>,
}

#[derive(Clone, Debug)]
struct CardLinks {
    colour: Colour,
    /// Its links, among those of all cards.
    links: Range<u32>,
}

/// The numbers of a field.
#[derive(Debug)]
pub struct FieldNumbers {
    name: Text,
    /// By [`EntryId`].
    of_cards: Vec<i64>,
    /// For each link of each card.
    of_links: Vec<i64>,
}

impl ComboTable {
    /// The table of all entries and of the fields that the passes of fights name.
    #[must_use]
    pub fn new(content: &Content) -> ComboTable {
        let mut colours = BTreeMap::from([(ANY, ANY_COLOUR)]);
        let mut table = ComboTable {
            cards: Vec::with_capacity(content.entries.len()),
            links: Vec::new(),
            fields: Vec::new(),
        };
        for entry in &content.entries {
            let mut number = |name| {
                let next = Colour::try_from(colours.len()).unwrap_or(Colour::MAX);
                *colours.entry(name).or_insert(next)
            };
            let colour = number(entry.text("colour").unwrap_or(""));
            let first = end(&table.links);
            let named = |link| Value::get(link, "colour").and_then(Value::text);
            let links = links_of(entry)
                .iter()
                .map(|link| named(link).unwrap_or(ANY));
            table.links.extend(links.map(number));
            table.cards.push(CardLinks {
                colour,
                links: first..end(&table.links),
            });
        }
        for pass in content.fights.iter().flat_map(|fight| &fight.passes) {
            if table.fields.iter().all(|field| field.name != pass.field) {
                table.fields.push(FieldNumbers::new(content, &pass.field));
            }
        }
        table
    }

    /// The link of a card that lets the next card follow. A link of exactly that colour wins over
    /// `any`.
    #[must_use]
    pub fn link_to(&self, last: EntryId, next: EntryId) -> Option<u8> {
        let wanted = self.cards[next.ix()].colour;
        let links = self.links_range(last);
        let links = &self.links[links];
        let exact = links.iter().position(|link| *link == wanted);
        let wild = |link: &Colour| *link == ANY_COLOUR || wanted == ANY_COLOUR;
        exact
            .or_else(|| links.iter().position(wild))
            .and_then(|ix| u8::try_from(ix).ok())
    }

    /// The numbers of a field, if a pass names it.
    #[must_use]
    pub fn numbers(&self, field: &str) -> Option<&FieldNumbers> {
        self.fields.iter().find(|numbers| *numbers.name == *field)
    }

    /// What a card contributes to a field: its number plus the number of the link it uses. `numbers`
    /// are those of the field.
    #[must_use]
    pub fn value(
        &self,
        content: &Content,
        (card, link): (EntryId, Option<u8>),
        field: &str,
        numbers: Option<&FieldNumbers>,
    ) -> i64 {
        let links = self.links_range(card);
        let link = link
            .map(|ix| links.start + usize::from(ix))
            .filter(|ix| *ix < links.end);
        match numbers {
            Some(numbers) => {
                numbers.of_cards[card.ix()] + link.map_or(0, |link| numbers.of_links[link])
            }
            None => {
                let entry = content.entry(card);
                let link = link.map(|link| &links_of(entry)[link - links.start]);
                int(entry.field(field)) + int(link.and_then(|link| link.get(field)))
            }
        }
    }

    fn links_range(&self, card: EntryId) -> Range<usize> {
        let links = &self.cards[card.ix()].links;
        links.start as usize..links.end as usize
    }
}

impl FieldNumbers {
    fn new(content: &Content, name: &Text) -> FieldNumbers {
        let entries = || content.entries.iter();
        let links = entries().flat_map(|entry| links_of(entry));
        FieldNumbers {
            name: name.clone(),
            of_cards: entries().map(|entry| int(entry.field(name))).collect(),
            of_links: links.map(|link| int(link.get(name))).collect(),
        }
    }
}

fn links_of(entry: &EntryDef) -> &[Value] {
    entry.field("links").map_or(&[], Value::list)
}

fn int(value: Option<&Value>) -> i64 {
    value.and_then(Value::int).unwrap_or(0)
}

fn end(links: &[Colour]) -> u32 {
    u32::try_from(links.len()).unwrap_or(u32::MAX)
}
