//! Pretokens, and parts of long ones, that wait to be looked up, in the order of the text, which they cover without gaps.
//!
//! Looking them up in batches lets the memory of the cache arrive while keys of others are computed.

use crate::fast::blocks::Classify;
use crate::fast::memo::{self, Key, MAX_KEY_BYTES, MAX_WIDE_BYTES, NO_KEY, NO_PLACE, Place, Table, WideKey};
use crate::fast::texts::Found;

/// How many pretokens are looked up at once.
pub(crate) const BATCH: usize = 512;
/// One step adds at most those of a block, and one more; there is room for all that a block may have.
pub(crate) const ROOM: usize = BATCH + 64 + 8;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A pretoken.
    Whole,
    /// The first part of a pretoken that falls into several.
    First,
    /// Another part.
    Other,
    /// A long pretoken that may be remembered as a whole; its number is its hash.
    Run,
    /// A long pretoken that is remembered as a whole; its number is that of what was found.
    Remembered,
}

/// Or-ed into the key of a part: what is a token as a whole pretoken need not be one there.
const PART: Key = 1 << 127;

impl Part {
    #[inline(always)]
    fn mark(self) -> Key {
        if self == Self::Whole { 0 } else { PART }
    }
}

/// The key of a pretoken or part of 1 to 15 bytes, `len`, at byte `start`.
#[inline(always)]
pub(crate) fn key(text: &[u8], start: usize, len: usize, part: Part) -> Key {
    memo::key_at(text, start, len) | part.mark()
}

/// The key of a pretoken or part of 16 to 31 bytes.
#[inline(always)]
pub(crate) fn wide_key(text: &[u8], start: usize, len: usize, part: Part) -> WideKey {
    let [first, second] = memo::wide_key_at(text, start, len);
    [first, second | part.mark()]
}

/// Where pretokens are looked up, asked for memory ahead of its use.
pub(crate) trait Places {
    /// Asks for the memory of a place.
    fn prefetch(&self, place: Place);

    /// The same for the pretoken or part of `len` bytes, more than [`MAX_KEY_BYTES`], at byte `start` of a text. Returns a number by
    /// which it is found, if it has one here.
    fn prefetch_long(&self, text: &[u8], start: usize, len: usize, part: Part) -> u32;
}

impl<const LINES: usize> Places for Table<LINES> {
    #[inline(always)]
    fn prefetch(&self, place: Place) {
        self.prefetch(place);
    }

    #[inline(always)]
    fn prefetch_long(&self, text: &[u8], start: usize, len: usize, part: Part) -> u32 {
        if len > MAX_WIDE_BYTES {
            return 0;
        }
        let place = memo::wide_place(wide_key(text, start, len, part));
        self.prefetch_wide(place);
        place.number()
    }
}

/// A pretoken that was in the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queued {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) part: Part,
    /// Of one that may be remembered as a whole.
    pub(crate) hash: u32,
}

/// The queue.
#[derive(Debug)]
pub(crate) struct Queue {
    len: usize,
    /// Which pretokens may be remembered as wholes, and how many of them there are.
    runs: [u16; ROOM],
    run_count: usize,
    starts: [u32; ROOM],
    parts: [Part; ROOM],
    /// Whether any of `parts` is another one than [`Part::Whole`].
    has_parts: bool,
    /// Of long pretokens: what [`Part`] or [`Places::prefetch_long`] says.
    numbers: [u32; ROOM],
    keys: [Key; ROOM],
    places: [Place; ROOM],
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            len: 0,
            runs: [0; ROOM],
            run_count: 0,
            starts: [0; ROOM],
            parts: [Part::Whole; ROOM],
            has_parts: false,
            numbers: [0; ROOM],
            keys: [NO_KEY; ROOM],
            places: [NO_PLACE; ROOM],
        }
    }
}

impl Queue {
    /// Empties the queue.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.run_count = 0;
        if std::mem::take(&mut self.has_parts) {
            self.parts.fill(Part::Whole);
        }
    }

    /// Whether it is time to look the pretokens up.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len >= BATCH
    }

    /// Number of pretokens.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds the pretoken or part that starts at byte `at`.
    #[inline(always)]
    pub(crate) fn push(&mut self, at: usize, part: Part) {
        if part != Part::Whole {
            self.parts[self.len] = part;
            self.has_parts = true;
        }
        self.starts[self.len] = at as u32;
        self.len += 1;
    }

    /// Adds the pretoken that starts at byte `at` and is remembered as a whole.
    #[inline(always)]
    pub(crate) fn push_remembered(&mut self, at: usize, found: Found) {
        self.numbers[self.len] = found.number();
        self.push(at, Part::Remembered);
    }

    /// Adds the pretoken that starts at byte `at` and may be remembered as a whole.
    #[inline(always)]
    pub(crate) fn push_run(&mut self, at: usize, hash: u32) {
        self.runs[self.run_count] = self.len as u16;
        self.run_count += 1;
        self.numbers[self.len] = hash;
        self.push(at, Part::Run);
    }

    /// Whether pretokens were added by [`Self::push_run`].
    #[inline(always)]
    pub(crate) fn has_runs(&self) -> bool {
        self.run_count > 0
    }

    /// Says which pretokens that were added by [`Self::push_run`] are remembered, up to the first that is not: its number.
    pub(crate) fn find_runs(&mut self, mut find: impl FnMut(u32) -> Option<Found>) -> Option<usize> {
        for &run in &self.runs[..self.run_count] {
            let n = usize::from(run);
            let Some(found) = find(self.numbers[n]) else { return Some(n) };
            self.numbers[n] = found.number();
            self.parts[n] = Part::Remembered;
        }
        self.run_count = 0;
        None
    }

    /// Moves the pretokens from number `from` on, the last of which ends at byte `end`, to the end of a list.
    pub(crate) fn move_to(&mut self, from: usize, end: usize, pretokens: &mut Vec<Queued>) {
        self.starts[self.len] = end as u32;
        pretokens.extend((from..self.len).map(|n| Queued {
            start: self.starts[n],
            end: self.starts[n + 1],
            part: self.parts[n],
            hash: self.numbers[n],
        }));
        self.len = from;
        self.run_count = 0;
        self.parts[from..].fill(Part::Whole);
    }

    /// Removes the last pretoken, whose end is not known yet, and returns its start.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> usize {
        self.len -= 1;
        self.parts[self.len] = Part::Whole;
        self.starts[self.len] as usize
    }

    /// Adds the pretokens that start at the bits of a mask, counted from byte `at` on.
    #[inline(always)]
    pub(crate) fn push_block(&mut self, processor: impl Classify, at: usize, starts: u64) {
        processor.write_places(at as u32, starts, &mut self.starts[self.len..]);
        self.len += starts.count_ones() as usize;
    }

    /// Computes the keys of all pretokens, the last of which ends at byte `end`, and asks for the memory of `table`
    /// where they would be. Those without a key have [`NO_PLACE`].
    #[inline(always)]
    pub(crate) fn find_keys(&mut self, text: &[u8], end: usize, table: &impl Places) {
        self.starts[self.len] = end as u32;
        if self.has_parts {
            self.find_keys_of(|queue, n| queue.parts[n], text, table)
        } else {
            self.find_keys_of(|_, _| Part::Whole, text, table)
        }
    }

    #[inline(always)]
    fn find_keys_of(&mut self, part: impl Fn(&Self, usize) -> Part, text: &[u8], table: &impl Places) {
        for n in 0..self.len {
            let part = part(self, n);
            let (start, len) = (self.starts[n] as usize, (self.starts[n + 1] - self.starts[n]) as usize);
            if len <= MAX_KEY_BYTES {
                let key = key(text, start, len, part);
                self.keys[n] = key;
                self.places[n] = memo::place(key);
                table.prefetch(self.places[n]);
                continue;
            }
            (self.keys[n], self.places[n]) = (NO_KEY, NO_PLACE);
            if part != Part::Remembered {
                self.numbers[n] = table.prefetch_long(text, start, len, part);
            }
        }
    }

    /// Where pretoken number `n` starts and ends, once keys are found.
    #[inline(always)]
    pub(crate) fn range(&self, n: usize) -> (usize, usize) {
        (self.starts[n] as usize, self.starts[n + 1] as usize)
    }

    /// Where pretoken number `n` starts.
    #[cfg(test)]
    pub(crate) fn start(&self, n: usize) -> usize {
        self.starts[n] as usize
    }

    /// What pretoken number `n` is.
    #[inline(always)]
    pub(crate) fn part(&self, n: usize) -> Part {
        self.parts[n]
    }

    /// What [`Places::prefetch_long`] said of pretoken number `n`, which has no key.
    #[inline(always)]
    pub(crate) fn number(&self, n: usize) -> u32 {
        self.numbers[n]
    }

    /// What was found of pretoken number `n`, one that is remembered as a whole.
    #[inline(always)]
    pub(crate) fn found(&self, n: usize) -> Found {
        Found::of_number(self.numbers[n])
    }

    /// The key of pretoken number `n`, and its place in a table, once found.
    #[inline(always)]
    pub(crate) fn key(&self, n: usize) -> (Key, Place) {
        (self.keys[n], self.places[n])
    }
}
