//! The pairs that an encoder keeps in a set or in a heap, and how each merge changes them.

use std::cmp::Reverse;

use serde::Serialize;

use super::list::List;
use crate::textbook::linked_list::rank_at;
use crate::textbook::{Queue, Seen, Steps};
use token_engine::Id;
use token_engine::models::bpe::merges::{Merges, Rank};

/// A pair in the set or in the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Entry {
    pub(super) rank: Rank,
    /// What it would become.
    pub(super) id: Id,
    /// Byte of the text where it starts.
    pub(super) byte: u32,
    /// Whether it is gone from the list.
    pub(super) stale: bool,
}

/// So many pairs were removed at a place, and others put there.
#[derive(Debug)]
pub(super) struct Splice {
    at: usize,
    removed: usize,
    pub(super) items: Vec<Entry>,
}

impl Splice {
    pub(super) fn make(&self, list: &mut List<Entry>) {
        list.splice(self.at, self.removed, self.items.clone());
    }
}

/// The pairs of an encoder as they were seen last: those of a set in their order, those of a heap as they lie in it.
#[derive(Default)]
pub(super) struct Pairs(Vec<Entry>);

impl Pairs {
    /// Takes over what an encoder has now, in a row that starts at byte `start`; returns the changes.
    pub(super) fn follow(&mut self, seen: &Seen<'_>, start: u32, merges: &Merges) -> Vec<Splice> {
        let entry = |(rank, at): (Rank, usize), stale: bool| Entry {
            rank,
            id: merges.result(rank),
            byte: start + at as u32,
            stale,
        };
        match seen.queue {
            Queue::None => vec![],
            Queue::Set { gone, new } => {
                let gone = gone.iter().map(|&pair| (entry(pair, false), false));
                self.change(gone.chain(new.iter().map(|&pair| (entry(pair, false), true))).collect())
            }
            Queue::Heap { pairs, chain, merges } => {
                // Elsewhere no symbol has changed, so that a pair is stale if it was.
                let changed = seen.merge.map_or(0..usize::MAX, |(_, at)| {
                    chain.before(at).unwrap_or(at)..chain.after(at).unwrap_or(usize::MAX)
                });
                self.match_places(pairs.len(), |n, before| {
                    let Reverse((rank, at)) = pairs[n];
                    let is_same = |old: &&Entry| (old.rank, old.byte) == (rank, start + at as u32);
                    match before.filter(is_same) {
                        Some(old) if !changed.contains(&at) => *old,
                        _ => entry((rank, at), rank_at(merges, chain, at, &mut Steps::default()) != rank),
                    }
                })
            }
        }
    }

    /// Takes entries out of a set and puts others in; neighbours that go are one change, with the entry that comes in their place.
    fn change(&mut self, mut changes: Vec<(Entry, bool)>) -> Vec<Splice> {
        changes.sort_unstable();
        let mut made: Vec<Splice> = vec![];
        for (entry, is_new) in changes {
            let at = self.0.partition_point(|other| *other < entry);
            let last = made.pop_if(|last| last.at == at && last.items.is_empty());
            let mut splice = last.unwrap_or(Splice { at, removed: 0, items: vec![] });
            if is_new {
                self.0.insert(at, entry);
                splice.items.push(entry);
            } else {
                self.0.remove(at);
                splice.removed += 1;
            }
            made.push(splice);
        }
        made
    }

    /// Becomes `len` entries, with a change for each run of places whose entries differ; `entry` gets the one that was there.
    fn match_places(&mut self, len: usize, entry: impl Fn(usize, Option<&Entry>) -> Entry) -> Vec<Splice> {
        let (before, mut made) = (self.0.len(), Vec::<Splice>::new());
        for at in 0..len {
            let old = self.0.get(at);
            let new = entry(at, old);
            if old == Some(&new) {
                continue;
            }
            let run = made.pop_if(|last| last.at + last.items.len() == at && at != before);
            let mut splice = run.unwrap_or(Splice { at, removed: 0, items: vec![] });
            splice.items.push(new);
            if at < before {
                self.0[at] = new;
                splice.removed += 1;
            } else {
                self.0.push(new);
            }
            made.push(splice);
        }
        if len < before {
            self.0.truncate(len);
            made.push(Splice { at: len, removed: before - len, items: vec![] });
        }
        made
    }
}
