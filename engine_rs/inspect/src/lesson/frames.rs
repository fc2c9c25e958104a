//! Frames: what a lesson shows after each step, written as changes.
//!
//! A state is a few named lists and `now`, which says what the step did. A frame has `now` and the splices of each list that
//! changed: `[at, removed, item, item ...]`. A key frame has the lists whole, under `key`; the first frame is one. So a reader
//! finds frame n from the last key frame before it. Key frames come after [`KEY_EVERY`] frames, or after a sixteenth as many
//! frames as the lists have items: all key frames together stay within a few times the size of the last state.

use serde::Serialize;

use super::{LessonError, MAX_BYTES, MAX_FRAMES};
use token_engine::EncodeError;
use token_engine::internals::call::Checks;

/// Frames between two key frames, at least.
pub const KEY_EVERY: usize = 64;

/// A list of any items, as a frame sees it.
pub(super) trait Recorded {
    fn len(&self) -> usize;
    /// Writes all items.
    fn write_whole(&self, out: &mut Vec<u8>);
    /// The changes since the last frame as JSON, with commas between them; they are forgotten when they are cleared.
    fn changes(&mut self) -> &mut Vec<u8>;
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
            if is_key || !list.changes().is_empty() {
                text(out, comma);
                json(out, name);
                out.push(b':');
                if is_key {
                    list.write_whole(out);
                } else {
                    out.push(b'[');
                    out.extend_from_slice(list.changes());
                    out.push(b']');
                }
                comma = ",";
            }
            list.changes().clear();
        }
        text(out, "}}");
        self.ends.push(out.len() as u32);
        Ok(())
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

pub(super) fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    // Neither memory nor plain data refuses to be written.
    let _ = serde_json::to_writer(out, value);
}
