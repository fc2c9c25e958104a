//! Frames: what a lesson shows after each step, written as changes.
//!
//! A state is a few named lists and `now`, which says what the step did. A frame has `now` and the splices of each list that
//! changed: `[at, removed, item, item ...]`. A key frame has the lists whole, under `key`; the first frame is one. So a reader
//! finds frame n from the last key frame before it. Key frames come after [`KEY_EVERY`] frames, or after a sixteenth as many
//! frames as the lists have items: all key frames together stay within a few times the size of the last state.

use std::io::Write;

use serde::Serialize;

use super::{LessonError, MAX_BYTES, MAX_FRAMES};
use token_engine::call::Checks;
use token_engine::error::EncodeError;

/// Frames between two key frames, at least.
pub const KEY_EVERY: usize = 64;

/// A list that knows how it changed since the last frame.
#[derive(Debug)]
pub(super) struct List<T> {
    items: Vec<T>,
    changes: Vec<Splice<T>>,
}

/// So many items were removed at a place, and others put there.
#[derive(Clone, Debug)]
pub(super) struct Splice<T> {
    at: usize,
    removed: usize,
    pub(super) items: Vec<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { items: vec![], changes: vec![] }
    }
}

impl<T: Clone> List<T> {
    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Replaces `removed` items from `at` on.
    pub(super) fn splice(&mut self, at: usize, removed: usize, items: Vec<T>) {
        self.items.splice(at..at + removed, items.iter().cloned());
        self.changes.push(Splice { at, removed, items });
    }

    pub(super) fn push(&mut self, item: T) {
        self.splice(self.len(), 0, vec![item]);
    }

    pub(super) fn extend(&mut self, items: Vec<T>) {
        self.splice(self.len(), 0, items);
    }

    /// Puts other items in the place of all, if any is another one.
    pub(super) fn replace(&mut self, items: Vec<T>)
    where
        T: PartialEq,
    {
        if self.items != items {
            self.splice(0, self.len(), items);
        }
    }

    /// Becomes `items`, with a change for each run of places whose items differ.
    pub(super) fn match_places(&mut self, items: &[T])
    where
        T: PartialEq,
    {
        let (mut at, same) = (0, self.len().min(items.len()));
        while at < same {
            let len = (at..same).take_while(|&at| self.items[at] != items[at]).count();
            if len > 0 {
                self.splice(at, len, items[at..at + len].to_vec());
            }
            at += len.max(1);
        }
        if self.len() != items.len() {
            self.splice(same, self.len() - same, items[same..].to_vec());
        }
    }

    /// The same of items that rise, with a change for each that is gone or new.
    pub(super) fn match_sorted(&mut self, items: &[T])
    where
        T: Ord,
    {
        for (at, item) in items.iter().enumerate() {
            let gone = self.items[at..].iter().take_while(|old| *old < item).count();
            let new = Some(item).filter(|item| self.items.get(at + gone) != Some(item));
            if gone > 0 || new.is_some() {
                self.splice(at, gone, new.cloned().into_iter().collect());
            }
        }
        if self.len() > items.len() {
            self.splice(items.len(), self.len() - items.len(), vec![]);
        }
    }

    /// The changes since the last call.
    pub(super) fn take_changes(&mut self) -> Vec<Splice<T>> {
        std::mem::take(&mut self.changes)
    }

    /// Makes changes that another list saw.
    pub(super) fn apply(&mut self, changes: &[Splice<T>]) {
        for Splice { at, removed, items } in changes {
            self.splice(*at, *removed, items.clone());
        }
    }

    pub(super) fn clear(&mut self) {
        if !self.items.is_empty() {
            self.splice(0, self.len(), vec![]);
        }
    }
}

/// A list of any items, as a frame sees it.
pub(super) trait Recorded {
    fn len(&self) -> usize;
    fn has_changed(&self) -> bool;
    fn write_whole(&self, out: &mut Vec<u8>);
    fn write_changes(&self, out: &mut Vec<u8>);
    fn forget_changes(&mut self);
}

impl<T: Serialize> Recorded for List<T> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn has_changed(&self) -> bool {
        !self.changes.is_empty()
    }

    fn write_whole(&self, out: &mut Vec<u8>) {
        json(out, &self.items);
    }

    fn write_changes(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        for (n, Splice { at, removed, items }) in self.changes.iter().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            text(out, &format!("{comma}[{at},{removed}"));
            for item in items {
                out.push(b',');
                json(out, item);
            }
            out.push(b']');
        }
        out.push(b']');
    }

    fn forget_changes(&mut self) {
        self.changes.clear();
    }
}

/// The frames of a lesson.
#[derive(Debug, Default)]
pub struct Frames {
    /// One JSON object after the other, without anything between them.
    pub json: Vec<u8>,
    /// Where each of them ends, in bytes.
    pub ends: Vec<u32>,
    /// Frames since the last key frame; and whether there is one.
    since_key: Option<usize>,
    checks: Checks,
}

impl Frames {
    /// Adds a frame: what the step did, and the lists as they are after it.
    ///
    /// Errors: [`MAX_FRAMES`] frames, or [`MAX_BYTES`] of them, are there; the call was cancelled.
    pub(super) fn add(
        &mut self,
        now: &impl Serialize,
        lists: &mut [(&str, &mut dyn Recorded)],
    ) -> Result<(), LessonError> {
        self.checks.step().map_err(EncodeError::from)?;
        if self.ends.len() >= MAX_FRAMES || self.json.len() >= MAX_BYTES {
            return Err(LessonError::TooLong);
        }
        let items: usize = lists.iter().map(|(_, list)| list.len()).sum();
        let is_key = self.since_key.is_none_or(|frames| frames >= KEY_EVERY.max(items / 16));
        self.since_key = Some(if is_key { 1 } else { self.since_key.unwrap_or_default() + 1 });
        let out = &mut self.json;
        text(out, "{\"now\":");
        json(out, now);
        text(out, if is_key { ",\"key\":{" } else { ",\"lists\":{" });
        let mut comma = "";
        for (name, list) in lists {
            if is_key || list.has_changed() {
                text(out, &format!("{comma}\"{name}\":"));
                if is_key {
                    list.write_whole(out)
                } else {
                    list.write_changes(out)
                }
                comma = ",";
            }
            list.forget_changes();
        }
        text(out, "}}");
        self.ends.push(out.len() as u32);
        Ok(())
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    // Neither memory nor plain data refuses to be written.
    let _ = serde_json::to_writer(out.by_ref(), value);
}
