//! Random results: every draw goes through one function, so results can be forced and counted.
//!
//! A result is a hash of the seed, the name of a stream and the number of draws from that stream,
//! so streams do not affect each other. A shuffle sorts by hashes that also include the entry and
//! the copy, so that a new card does not reorder the others. The hash chains the finalizer of
//! `SplitMix64` and must never change: saves and replays depend on it.

use serde::{Deserialize, Serialize};

use super::context::StepContext;
use super::state::RecordedDraws;
use crate::content::{EntryId, HookId, PieceId, stable_hash};

/// A random result that is set in advance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Forced {
    /// The next number drawn, counted from 0.
    Number(u32),
    /// The next shuffle puts copies of these entries on top, in this order.
    Order(Vec<EntryId>),
    /// The next random piece is a copy of this entry.
    Piece(EntryId),
}

/// Forces the next random numbers and records what was requested, so that a caller can enumerate
/// every outcome.
#[derive(Clone, Debug, Default)]
pub struct ForcedNumbers {
    /// The first results; later ones are random.
    pub forced: Vec<u32>,
    /// The exclusive upper bound of each number requested so far.
    pub requested: Vec<u32>,
}

impl ForcedNumbers {
    /// Records a request and returns its forced result, if there is one.
    fn next(&mut self, at: usize, below: u32) -> Option<u32> {
        self.requested.truncate(at);
        self.requested.push(below);
        self.forced
            .get(at)
            .map(|number| (*number).min(below.saturating_sub(1)))
    }
}

/// How a result that was set in advance was used, for messages about cases.
#[derive(Clone, Debug)]
pub struct ForcedUse {
    /// Whether the setup used it.
    pub in_setup: bool,
    /// The number of forced results that were left before this one.
    left: usize,
    /// The name of the stream.
    pub stream: String,
    /// The script that was running.
    pub hook: Option<HookId>,
}

/// Takes the first forced result and records what uses it. A step that runs again records it
/// again.
fn take_forced(context: &mut StepContext, stream: &str) {
    let left = context.state.forced.len();
    context
        .forced_uses
        .retain(|used| used.in_setup || used.left > left);
    context.forced_uses.push(ForcedUse {
        in_setup: false,
        left,
        stream: stream.to_owned(),
        hook: context.calls.last().map(|call| call.hook),
    });
    context.state.forced.remove(0);
}

pub enum ChanceRequest<'a> {
    /// A number below this bound.
    Number(u32),
    /// An order of these pieces.
    Order(&'a mut [u16]),
}

/// Draws a number or an order from a stream.
pub fn draw(context: &mut StepContext, stream: &str, request: ChanceRequest<'_>) -> u32 {
    let name = stable_hash(stream);
    let count = next_count(context, name);
    context.state.reveals += 1;
    let recorded = recorded_draws(context, name, count);
    let seed = recorded.map_or(context.state.seed, |recorded| recorded.seed);
    match request {
        ChanceRequest::Number(below) => match context.state.forced.first() {
            Some(Forced::Number(number)) => {
                let number = (*number).min(below.saturating_sub(1));
                take_forced(context, stream);
                number
            }
            _ => forced_number(context, below)
                .unwrap_or_else(|| random_number(seed, name, count, below)),
        },
        ChanceRequest::Order(pieces) => {
            let key = |seed: u64, piece: u16| {
                let piece = context.state.pieces[usize::from(piece)];
                let entry = context.rules.content.entry(piece.entry).hash;
                (
                    mix(mix(mix(mix(seed) ^ name) ^ u64::from(count))
                        ^ entry
                        ^ u64::from(piece.copy)),
                    piece.copy,
                )
            };
            pieces.sort_by_cached_key(|piece| key(seed, *piece));
            if let Some(recorded) = recorded {
                shuffle_unknown(pieces, &recorded.unknown, |piece| {
                    key(context.state.seed, piece)
                });
            }
            if let Some(Forced::Order(top)) = context.state.forced.first().cloned() {
                take_forced(context, stream);
                put_on_top(context, pieces, &top);
            }
            0
        }
    }
}

fn forced_number(context: &mut StepContext, below: u32) -> Option<u32> {
    let forced = context.forced_numbers.as_mut()?;
    let at = context.state.numbers_requested;
    context.state.numbers_requested += 1;
    forced.next(at as usize, below)
}

/// Picks one of the pieces at random.
pub fn pick(context: &mut StepContext, stream: &str, pieces: &[PieceId]) -> Option<PieceId> {
    let mut order: Vec<u16> = pieces.iter().map(|piece| piece.0).collect();
    if let Some(Forced::Piece(entry)) = context.state.forced.first().cloned() {
        take_forced(context, stream);
        context.state.reveals += 1;
        let copy = pieces
            .iter()
            .find(|piece| context.state.pieces[piece.ix()].entry == entry);
        return copy.or(pieces.first()).copied();
    }
    draw(context, stream, ChanceRequest::Order(&mut order));
    order.first().map(|piece| PieceId(*piece))
}

/// The recorded draws that include this one, so that a determinized game must repeat it.
fn recorded_draws(context: &StepContext, name: u64, count: u32) -> Option<&RecordedDraws> {
    let is_recorded = |streams: &[(u64, u32)]| {
        streams
            .iter()
            .any(|(stream, times)| *stream == name && count <= *times)
    };
    context
        .state
        .recorded_draws
        .iter()
        .find(|recorded| is_recorded(&recorded.streams))
}

/// Shuffles the pieces that the observer does not know. The other pieces keep their positions.
fn shuffle_unknown<K: Ord>(pieces: &mut [u16], unknown: &[bool], key: impl Fn(u16) -> K) {
    let is_unknown = |piece: u16| unknown.get(usize::from(piece)).copied().unwrap_or(true);
    let mut shuffled: Vec<u16> = pieces
        .iter()
        .copied()
        .filter(|piece| is_unknown(*piece))
        .collect();
    shuffled.sort_by_cached_key(|piece| key(*piece));
    let positions = pieces.iter_mut().filter(|piece| is_unknown(**piece));
    positions
        .zip(shuffled)
        .for_each(|(position, piece)| *position = piece);
}

fn put_on_top(context: &StepContext, pieces: &mut [u16], top: &[EntryId]) {
    let mut position = 0;
    for entry in top {
        let found = (position..pieces.len())
            .find(|ix| context.state.pieces[usize::from(pieces[*ix])].entry == *entry);
        if let Some(ix) = found {
            pieces[position..=ix].rotate_right(1);
            position += 1;
        }
    }
}

/// Counts a draw from a stream and returns the new count.
fn next_count(context: &mut StepContext, name: u64) -> u32 {
    let streams = &mut context.state.streams;
    match streams.binary_search_by_key(&name, |(stream, _)| *stream) {
        Ok(ix) => {
            streams[ix].1 += 1;
            streams[ix].1
        }
        Err(ix) => {
            streams.insert(ix, (name, 1));
            1
        }
    }
}

/// The number below `below` that is drawn from a stream at this count, from 1. `stream` is the
/// [`stable_hash`] of the name of the stream. Every value is equally likely, up to a bias of one in
/// 2³².
#[must_use]
#[allow(clippy::cast_possible_truncation)]
pub fn random_number(seed: u64, stream: u64, count: u32, below: u32) -> u32 {
    let hash = mix(mix(mix(seed) ^ stream) ^ u64::from(count));
    (((hash >> 32) * u64::from(below)) >> 32) as u32
}

/// The finalizer of `SplitMix64`.
#[must_use]
pub const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
