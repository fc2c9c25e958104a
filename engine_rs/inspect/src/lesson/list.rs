//! A list that changes often and writes how it changed since the last frame. Its items lie in chunks, so a change moves few.

use std::iter;
use std::ops::Index;

use serde::{Serialize, Serializer};

use super::frames::{Recorded, json};

/// Items of a new chunk; one of more than twice as many is divided.
const CHUNK: usize = 128;

/// A list whose changes are written as they are made.
#[derive(Debug)]
pub(super) struct List<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
    /// The changes since the last frame, as JSON: `[at,removed,item,item ...]`, with commas between them.
    changes: Vec<u8>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { chunks: vec![vec![]], len: 0, changes: vec![] }
    }
}

impl<T> List<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten()
    }

    /// The items from `at` on.
    pub(super) fn iter_from(&self, at: usize) -> impl Iterator<Item = &T> {
        let (chunk, at) = self.find(at);
        self.chunks[chunk][at..].iter().chain(self.chunks[chunk + 1..].iter().flatten())
    }

    /// The end of the items from `at` on for which `holds` is true; it is false for all after them.
    pub(super) fn end_of(&self, at: usize, holds: impl Fn(&T) -> bool) -> usize {
        let (chunk, first) = self.find(at);
        let mut end = at;
        let rest = self.chunks[chunk + 1..].iter().map(|chunk| &chunk[..]);
        for part in iter::once(&self.chunks[chunk][first..]).chain(rest) {
            if !part.last().is_none_or(&holds) {
                return end + part.partition_point(&holds);
            }
            end += part.len();
        }
        end
    }

    /// The chunk of an item, and its index there; the end of a chunk where an item can be put in.
    fn find(&self, mut at: usize) -> (usize, usize) {
        let mut chunk = 0;
        while at > self.chunks[chunk].len() {
            at -= self.chunks[chunk].len();
            chunk += 1;
        }
        (chunk, at)
    }
}

impl<T> Index<usize> for List<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        let (chunk, at) = self.find(at + 1);
        &self.chunks[chunk][at - 1]
    }
}

impl<T> List<T> {
    fn change(&mut self, at: usize, removed: usize, items: Vec<T>) {
        self.len = self.len + items.len() - removed;
        let (chunk, first) = self.find(at);
        let here = &mut self.chunks[chunk];
        let end = here.len().min(first + removed);
        here.splice(first..end, items);
        let mut beyond = removed - (end - first);
        // Ends: every round but the last takes a chunk away.
        while beyond > 0 {
            let next = &mut self.chunks[chunk + 1];
            if next.len() > beyond {
                next.drain(..beyond);
                break;
            }
            beyond -= next.len();
            self.chunks.remove(chunk + 1);
        }
        let len = self.chunks[chunk].len();
        if len == 0 && self.chunks.len() > 1 {
            self.chunks.remove(chunk);
        } else if len > 2 * CHUNK {
            let mut rest = std::mem::take(&mut self.chunks[chunk]).into_iter();
            let parts =
                iter::from_fn(|| Some(rest.by_ref().take(CHUNK).collect()).filter(|part: &Vec<T>| !part.is_empty()));
            self.chunks.splice(chunk..=chunk, parts);
        }
    }
}

impl<T: Serialize> List<T> {
    /// Replaces `removed` items from `at` on.
    pub(super) fn splice(&mut self, at: usize, removed: usize, items: Vec<T>) {
        let out = &mut self.changes;
        out.extend_from_slice(if out.is_empty() { b"[" } else { b",[" });
        json(out, &at);
        out.push(b',');
        json(out, &removed);
        for item in &items {
            out.push(b',');
            json(out, item);
        }
        out.push(b']');
        self.change(at, removed, items);
    }

    pub(super) fn push(&mut self, item: T) {
        self.splice(self.len, 0, vec![item]);
    }

    pub(super) fn extend(&mut self, items: Vec<T>) {
        self.splice(self.len, 0, items);
    }

    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.splice(0, self.len, vec![]);
        }
    }

    /// Puts other items in the place of all, if any is another one.
    pub(super) fn replace(&mut self, items: Vec<T>)
    where
        T: PartialEq,
    {
        if !self.iter().eq(&items) {
            self.splice(0, self.len, items);
        }
    }

    /// Becomes `items`, with a change for each run of places whose items differ.
    pub(super) fn match_places(&mut self, items: &[T])
    where
        T: PartialEq + Clone,
    {
        let same: Vec<bool> = self.iter().zip(items).map(|(old, new)| old == new).collect();
        let mut at = 0;
        for run in same.chunk_by(|a, b| a == b) {
            if !run[0] {
                self.splice(at, run.len(), items[at..at + run.len()].to_vec());
            }
            at += run.len();
        }
        if self.len != items.len() {
            self.splice(at, self.len - at, items[at..].to_vec());
        }
    }
}

impl<T: Serialize> Recorded for List<T> {
    fn len(&self) -> usize {
        self.len
    }

    fn write_whole(&self, out: &mut Vec<u8>) {
        // As `json`.
        let _ = serde_json::Serializer::new(out).collect_seq(self.iter());
    }

    fn changes(&mut self) -> &mut Vec<u8> {
        &mut self.changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use token_engine::internals::testing::Random;

    #[test]
    fn a_list_is_what_a_vector_is_after_any_changes_and_writes_them() {
        let mut random = Random::new(1);
        let (mut list, mut items, mut written) = (List::default(), vec![], Vec::<u64>::new());
        for _ in 0..3000 {
            let at = random.below(items.len() + 1);
            let removed = random.below((items.len() - at + 1).min(400));
            let new: Vec<u64> = (0..random.below(500)).map(|_| random.below(9) as u64).collect();
            list.splice(at, removed, new.clone());
            items.splice(at..at + removed, new);
            if items.len() > 2000 {
                list.clear();
                items.clear();
            }
            let changes: Vec<Vec<u64>> =
                serde_json::from_str(&format!("[{}]", String::from_utf8_lossy(&list.changes))).expect("JSON");
            for change in changes {
                written.splice(change[0] as usize..(change[0] + change[1]) as usize, change[2..].to_vec());
            }
            list.changes.clear();
            assert_eq!((list.len(), list.iter().copied().collect::<Vec<_>>()), (items.len(), items.clone()));
            assert_eq!(written, items);
            let from = random.below(items.len() + 1);
            assert!(list.iter_from(from).eq(&items[from..]));
            assert!((0..items.len()).step_by(37).all(|at| list[at] == items[at]));
            let is_small = |chunk: &Vec<u64>| (1..=2 * CHUNK).contains(&chunk.len());
            assert!(list.chunks.iter().all(is_small) || list.len() == 0, "a change moves few items");
        }
    }

    #[test]
    fn places_are_matched_by_runs_and_sorted_items_end_where_they_do() {
        let mut list = List::default();
        list.extend((0..1000).collect::<Vec<u64>>());
        for (from, below) in [(0, 0), (0, 700), (300, 300), (300, 301), (999, 1000), (1000, 1000), (5, 2000)] {
            assert_eq!(list.end_of(from, |&item| item < below), (from as u64).max(below).min(1000) as usize);
        }
        list.changes.clear();
        let changed: Vec<u64> = (0..1002).map(|item| if [4, 5, 900].contains(&item) { 7 } else { item }).collect();
        list.match_places(&changed);
        assert!(list.iter().eq(&changed));
        assert_eq!(String::from_utf8_lossy(&list.changes), "[4,2,7,7],[900,1,7],[1000,0,1000,1001]");
        list.changes.clear();
        list.match_places(&changed[..3]);
        list.replace(vec![0, 1, 2]);
        assert_eq!(String::from_utf8_lossy(&list.changes), "[3,999]");
    }
}
