//! Four textbook encoders side by side: the same merges, found in a row, in a row for each pretoken, with an ordered set and with a heap.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::slice::Iter;

use serde::Serialize;

use super::LessonError;
use super::frames::{Frames, Recorded};
use super::list::List;
use super::queues::{Entry, Pairs, Splice};
use crate::textbook::{self, Algorithm, Seen};
use crate::trace::{Bytes, Steps, Trace};
use token_engine::internals::call;
use token_engine::models::bpe::ByteBpe;
use token_engine::models::bpe::merges::Rank;
use token_engine::{EncodeError, Id, Specials, Tokenizer};

/// The encoders that are shown, in the order of `now.work`.
pub(super) const SHOWN: [Algorithm; 4] =
    [Algorithm::Naive, Algorithm::NaiveSplit, Algorithm::OrderedSet, Algorithm::LinkedList];

/// Longer texts are refused: two of the encoders take time in the square of the length.
pub(super) const MAX_ENCODERS: usize = 8192;

/// A symbol of a row.
#[derive(Clone, Debug, Serialize)]
struct Symbol {
    id: Id,
    span: Bytes,
    /// The row that it is in: of the whole text, what is between added tokens; otherwise the pretoken.
    row: usize,
}

/// A merge in a row.
#[derive(Clone, Copy, Debug, Serialize)]
struct Merged {
    /// Index of what it made.
    at: usize,
    rank: Rank,
    id: Id,
    /// Symbols that moved.
    moved: usize,
}

/// What an encoder did so far.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Work {
    /// Look-ups, moves, pushes, pops and removals together.
    pub(super) operations: u64,
    #[serde(flatten)]
    steps: textbook::Steps,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now {
    Start {
        work: [Work; 4],
    },
    /// A merge of each encoder that was not ready.
    Merge {
        number: usize,
        whole: Option<Merged>,
        split: Option<Merged>,
        work: [Work; 4],
    },
    Done {
        work: [Work; 4],
    },
}

/// What one encoder did.
#[derive(Default)]
struct Watched {
    /// Where each row starts, and its symbols at first.
    rows: Vec<(u32, Vec<Id>)>,
    events: Vec<Event>,
    queue: Pairs,
    work: Work,
}

/// The start of a row or a merge.
struct Event {
    /// Byte where the row starts.
    start: u32,
    merge: Option<(Rank, usize)>,
    queue: Vec<Splice>,
    work: Work,
}

impl Work {
    pub(super) fn of(steps: &textbook::Steps) -> Self {
        let textbook::Steps { lookups, moves, pushes, pops, removals, .. } = *steps;
        Self { operations: lookups + moves + pushes + pops + removals, steps: *steps }
    }
}

/// A step for each merge, and all ids that the encoders met: that of the whole text merges across pretokens.
pub(super) fn frames(
    tokenizer: &Tokenizer,
    model: &ByteBpe,
    trace: &Trace,
    text: &str,
    specials: Specials,
) -> Result<(Frames, BTreeSet<Id>), LessonError> {
    if text.len() > MAX_ENCODERS {
        return Err(LessonError::Encoders { bytes: text.len() });
    }
    let watched = |algorithm| Watched::run(tokenizer, model, text, specials, algorithm);
    let [whole, split, set, heap] = SHOWN.map(watched);
    let all = [whole?, split?, set?, heap?];
    let (mut frames, mut shown) = (Frames::default(), Shown::default());
    shown.whole.extend(
        all[0].rows.iter().enumerate().flat_map(|(row, (start, ids))| symbols(model, row, *start, ids)).collect(),
    );
    let pretokens = trace.pretokens.iter().enumerate().flat_map(|(row, pretoken)| {
        let tokens = match &pretoken.steps {
            Steps::Bpe { whole: false, symbols, .. } => symbols,
            _ => &pretoken.tokens,
        };
        tokens.iter().filter_map(move |token| Some(Symbol { id: token.id, span: token.span?, row }))
    });
    shown.split.extend(pretokens.collect());
    let mut work = [Work::default(); 4];
    let mut events = all.each_ref().map(|one| one.events.iter().peekable());
    let put_in = |shown: &mut Shown, encoder: usize, work: &mut Work, events: &mut Peekable<Iter<'_, Event>>| {
        // The pairs of the next rows, up to one that has a merge.
        while let Some(event) = events.next_if(|event| event.merge.is_none()) {
            shown.queue(encoder, event);
            *work = event.work;
        }
    };
    for (encoder, events) in events.iter_mut().enumerate() {
        put_in(&mut shown, encoder, &mut work[encoder], events);
    }
    shown.add(&mut frames, &Now::Start { work })?;
    let mut number = 0;
    while events.iter_mut().any(|events| events.peek().is_some()) {
        let mut made = [None, None];
        for (encoder, events) in events.iter_mut().enumerate() {
            let Some(event) = events.next() else { continue };
            shown.queue(encoder, event);
            work[encoder] = event.work;
            let row = match encoder {
                0 => all[0].rows.partition_point(|(start, _)| *start <= event.start),
                _ => trace.pretokens.partition_point(|pretoken| pretoken.span[0] <= event.start),
            };
            if let (Some(made), Some(list), Some(merge)) = (made.get_mut(encoder), shown.row(encoder), event.merge) {
                *made = Some(merged(list, model, row - 1, merge));
            }
            put_in(&mut shown, encoder, &mut work[encoder], events);
        }
        let [whole, split] = made;
        shown.add(&mut frames, &Now::Merge { number, whole, split, work })?;
        number += 1;
    }
    shown.tree.clear();
    shown.heap.clear();
    shown.add(&mut frames, &Now::Done { work: all.each_ref().map(|one| one.work) })?;
    Ok((frames, all.iter().flat_map(|one| one.ids(model)).collect()))
}

impl Watched {
    /// The ids of all symbols and pairs.
    fn ids(&self, model: &ByteBpe) -> impl Iterator<Item = Id> {
        let merges = model.bpe().merges();
        let entries = self.events.iter().flat_map(|event| &event.queue).flat_map(|change| &change.items);
        let made = self.events.iter().filter_map(|event| event.merge).map(|(rank, _)| merges.result(rank));
        let symbols = self.rows.iter().flat_map(|(_, ids)| ids).copied();
        symbols.chain(entries.map(|entry| entry.id)).chain(made)
    }

    fn run(
        tokenizer: &Tokenizer,
        model: &ByteBpe,
        text: &str,
        specials: Specials,
        algorithm: Algorithm,
    ) -> Result<Self, LessonError> {
        let (mut watched, mut cancelled) = (Self::default(), Ok(()));
        let merges = model.bpe().merges();
        let steps = textbook::watched(tokenizer, text, specials, algorithm, &mut |start, seen: &Seen<'_>| {
            cancelled = cancelled.and_then(|()| call::check());
            if cancelled.is_err() {
                return;
            }
            if seen.merge.is_none() {
                watched.rows.push((start, seen.row.to_vec()));
            }
            let (merge, queue, work) = (seen.merge, watched.queue.follow(seen, start, merges), Work::of(seen.steps));
            watched.events.push(Event { start, merge, queue, work });
        })?;
        cancelled.map_err(EncodeError::from)?;
        watched.work = Work::of(&steps);
        Ok(watched)
    }
}

/// The symbols of a row.
fn symbols(model: &ByteBpe, row: usize, start: u32, ids: &[Id]) -> Vec<Symbol> {
    let mut end = start;
    let symbol = |&id: &Id| {
        let start = end;
        end += model.vocab().token(id).map_or(0, <[u8]>::len) as u32;
        Symbol { id, span: [start, end], row }
    };
    ids.iter().map(symbol).collect()
}

/// Makes a merge in its row.
fn merged(list: &mut List<Symbol>, model: &ByteBpe, row: usize, (rank, at): (Rank, usize)) -> Merged {
    let at = list.end_of(0, |symbol| symbol.row < row) + at;
    let id = model.bpe().merges().result(rank);
    let span = [list[at].span[0], list[at + 1].span[1]];
    let moved = list.end_of(at + 2, |symbol| symbol.row == row) - (at + 2);
    list.splice(at, 2, vec![Symbol { id, span, row }]);
    Merged { at, rank, id, moved }
}

#[derive(Default)]
struct Shown {
    whole: List<Symbol>,
    split: List<Symbol>,
    tree: List<Entry>,
    heap: List<Entry>,
}

impl Shown {
    fn add(&mut self, frames: &mut Frames, now: &Now) -> Result<(), LessonError> {
        let lists: &mut [(&str, &mut dyn Recorded)] = &mut [
            ("whole", &mut self.whole),
            ("split", &mut self.split),
            ("tree", &mut self.tree),
            ("heap", &mut self.heap),
        ];
        frames.add(now, lists)
    }

    /// What became of the pairs of an encoder that keeps them.
    fn queue(&mut self, encoder: usize, event: &Event) {
        match encoder {
            2 => event.queue.iter().for_each(|splice| splice.make(&mut self.tree)),
            3 => event.queue.iter().for_each(|splice| splice.make(&mut self.heap)),
            _ => {}
        }
    }

    /// The row of an encoder that has one.
    fn row(&mut self, encoder: usize) -> Option<&mut List<Symbol>> {
        match encoder {
            0 => Some(&mut self.whole),
            1 => Some(&mut self.split),
            _ => None,
        }
    }
}
