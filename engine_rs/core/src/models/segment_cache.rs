//! Segments of a text that no token reaches across, and the tokens of those seen before.
//!
//! Where no token has a space mark after another character, a text falls into segments of marks and what follows them.
//! Merges in one do not depend on its neighbours, so each is done once. Sums of Unigram scores do, by their rounding: such
//! texts are not split. Whoever uses it makes sure of that, and holds both ways together in a test.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::ids::Id;
use crate::memory::HeapBytes;

/// What stands for a space.
pub(crate) const MARK: char = '\u{2581}';
/// Longer segments are not remembered.
const MAX_BYTES: usize = 48;
/// When as many segments are remembered, all are forgotten: memory is bounded.
const MAX_SEGMENTS: usize = 1 << 16;

/// Whether a token has a space mark after another character.
pub(crate) fn has_inner_mark(token: &[u8]) -> bool {
    String::from_utf8_lossy(token).trim_start_matches(MARK).contains(MARK)
}

/// The segments seen before and their tokens. One belongs to one thread and one model.
#[derive(Default)]
pub struct SegmentCache {
    places: FxHashMap<Box<str>, Range<u32>>,
    /// Tokens with start and end in their segment.
    tokens: Vec<(Id, u8, u8)>,
}

impl HeapBytes for SegmentCache {
    fn heap_bytes(&self) -> usize {
        // All keys as long as they may be.
        self.places.heap_bytes() + self.places.len() * MAX_BYTES + self.tokens.heap_bytes()
    }
}

impl SegmentCache {
    /// Appends the tokens of `text`, with the bytes of it they stand for. `encode_segment` appends those of a part of it, with
    /// bytes of the part. `looked_up` gets for each segment whether it was known.
    ///
    /// Errors: those of `encode_segment`.
    pub(crate) fn encode<E>(
        &mut self,
        text: &str,
        out: &mut Vec<(Id, Range<usize>)>,
        mut encode_segment: impl FnMut(Range<usize>, &mut Vec<(Id, Range<usize>)>) -> Result<(), E>,
        mut looked_up: impl FnMut(bool),
    ) -> Result<(), E> {
        let mut start = 0;
        let mut after_mark = 0;
        for (at, mark) in text.match_indices(MARK) {
            // Marks that touch are in one segment.
            if at > after_mark {
                looked_up(self.segment(text, start..at, out, &mut encode_segment)?);
                start = at;
            }
            after_mark = at + mark.len();
        }
        if start < text.len() {
            looked_up(self.segment(text, start..text.len(), out, &mut encode_segment)?);
        }
        Ok(())
    }

    /// Appends the tokens of a segment, and says whether it was known.
    fn segment<E>(
        &mut self,
        text: &str,
        range: Range<usize>,
        out: &mut Vec<(Id, Range<usize>)>,
        encode_segment: &mut impl FnMut(Range<usize>, &mut Vec<(Id, Range<usize>)>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let segment = &text[range.clone()];
        if let Some(place) = (segment.len() <= MAX_BYTES).then(|| self.places.get(segment)).flatten() {
            let tokens = &self.tokens[place.start as usize..place.end as usize];
            out.extend(tokens.iter().map(|&(id, start, end)| {
                (id, range.start + usize::from(start)..range.start + usize::from(end)) //
            }));
            return Ok(true);
        }
        let before = out.len();
        encode_segment(range.clone(), out)?;
        if segment.len() <= MAX_BYTES {
            if self.places.len() == MAX_SEGMENTS {
                self.places.clear();
                self.tokens.clear();
            }
            let first = self.tokens.len() as u32;
            self.tokens.extend(out[before..].iter().map(|(id, at)| (*id, at.start as u8, at.end as u8)));
            self.places.insert(segment.into(), first..self.tokens.len() as u32);
        }
        for (_, at) in &mut out[before..] {
            *at = range.start + at.start..range.start + at.end;
        }
        Ok(false)
    }
}
