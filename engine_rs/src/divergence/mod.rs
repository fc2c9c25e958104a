//! Where tokenizers split a text differently.
//!
//! A *boundary* is a position at which a token starts or ends, or the text does. A *divergence* is a stretch between two
//! boundaries that all tokenizers share and between which none is shared, inside which at least one splits where
//! another does not. Two such stretches side by side are two: the boundary between them is one all agree on.
//!
//! One byte per position of the text holds who has a boundary there, a bit per tokenizer. What pairs of tokenizers share
//! then is a table of 256 counts, and all the rest is found in one walk along the positions.
//! Not here: what becomes of a divergence when the text is edited ([`crate::editing`]).

pub mod kinds;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::offsets::{Span, boundary_before, boundary_behind, units_of_bytes as units};

/// As many tokenizers can be compared: one bit each.
pub const MOST: usize = 8;

/// The divergences of a text in its order, and how many boundaries pairs of tokenizers have. Positions are those of the
/// whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divergences {
    /// First byte of each.
    pub start_utf8: Vec<u32>,
    /// The byte behind each.
    pub end_utf8: Vec<u32>,
    /// The UTF-16 unit at which the first character starts that has a byte in it.
    pub start_utf16: Vec<u32>,
    /// The one behind its last such character.
    pub end_utf16: Vec<u32>,
    /// What it is about: an index into [`kinds::KINDS`].
    pub kind: Vec<u8>,
    /// Tokens that have bytes in it, by divergence, then by tokenizer.
    pub counts: Vec<u32>,
    /// Boundaries that both of a pair have, the ends of the text left out: by row, then by column.
    pub shared: Vec<u64>,
    /// Boundaries that one of a pair has at least.
    pub either: Vec<u64>,
    /// Per position of the part looked at, its end included: the tokenizers that have a boundary, a bit each.
    pub marks: Vec<u8>,
}

/// A part of a text, its tokens under each tokenizer, and how split points beside white space count.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The whole text.
    pub text: &'a str,
    /// Spans of the tokens that stand for a part of the text, by tokenizer, in the order of the text; at most [`MOST`].
    pub lanes: &'a [&'a [Span]],
    /// Whether a boundary inside or behind a run of white space counts at its start.
    pub ignore_spaces: bool,
}

impl Comparison<'_> {
    /// The divergences of `part`, between two characters of the text each; tokens that reach out of it end there.
    ///
    /// ```
    /// # use token_engine::divergence::{Comparison, Divergences};
    /// # use token_engine::offsets::Span;
    /// let one = [Span::new(0, 1), Span::new(1, 4)]; // a| 42
    /// let other = [Span::new(0, 2), Span::new(2, 3), Span::new(3, 4)]; // a |4|2
    /// let found = Comparison { text: "a 42", lanes: &[&one, &other], ignore_spaces: true }.divergences(0..4);
    /// assert_eq!((found.start_utf8, found.end_utf8, found.counts), (vec![1], vec![4], vec![1, 3]));
    /// ```
    ///
    /// # Panics
    /// Where `part` is no part of the text, or there are more than [`MOST`] tokenizers.
    pub fn divergences(&self, part: Range<usize>) -> Divergences {
        assert!(self.lanes.len() <= MOST, "one bit of a byte for each tokenizer");
        let text = &self.text[part.clone()];
        let lanes: Vec<&[Span]> = self.lanes.iter().map(|spans| within(spans, &part)).collect();
        let marks = self.marks(text, &lanes, part.start);
        let all = ((1u16 << lanes.len()) - 1) as u8;
        let (shared, either) = pairs(&marks, lanes.len());
        let mut found = Divergences { shared, either, ..Divergences::default() };
        let mut walk = Walk::new(self.text, part.start, &lanes);
        for_each_stretch(&marks, all, |start, end| walk.push(part.start + start, part.start + end, &mut found));
        Divergences { marks, ..found }
    }

    /// Who has a boundary at each position of `text`, which starts at byte `base` of the whole.
    fn marks(&self, text: &str, lanes: &[&[Span]], base: usize) -> Vec<u8> {
        let mut marks = vec![0u8; text.len() + 1];
        for (lane, spans) in lanes.iter().enumerate() {
            let bit = 1 << lane;
            let place = |at: u32| (at as usize).saturating_sub(base).min(text.len());
            for span in *spans {
                marks[place(span.start)] |= bit;
                marks[place(span.end)] |= bit;
            }
            marks[0] |= bit;
            marks[text.len()] |= bit;
        }
        if self.ignore_spaces {
            move_to_start_of_space(&mut marks, text);
        }
        marks
    }
}

/// The spans with bytes in `part`; all where that is the whole of what they cover.
fn within<'a>(spans: &'a [Span], part: &Range<usize>) -> &'a [Span] {
    let first = spans.partition_point(|span| span.end as usize <= part.start);
    let last = first + spans[first..].partition_point(|span| (span.start as usize) < part.end);
    &spans[first..last]
}

/// Marks inside or behind a run of white space go to its start.
fn move_to_start_of_space(marks: &mut [u8], text: &str) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        // Only these bytes begin a character of white space: most characters are told by one look.
        while let 0x09..=0x0D | b' ' | 0xC2 | 0xE1..=0xE3 = bytes.get(at).copied().unwrap_or(0) {
            match text[at..].chars().next() {
                Some(c) if c.is_whitespace() => at += c.len_utf8(),
                _ => break,
            }
        }
        if at > start {
            let moved = marks[start + 1..=at].iter_mut().fold(0, |all, mark| all | std::mem::take(mark));
            marks[start] |= moved;
            continue;
        }
        at += 1;
        while bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
            at += 1;
        }
    }
}

/// Boundaries that both of a pair of tokenizers have, and that either has: two matrices.
fn pairs(marks: &[u8], lanes: usize) -> (Vec<u64>, Vec<u64>) {
    // Four tables: neighbours that are the same do not wait for each other.
    let mut tables = [[0u64; 256]; 4];
    let inner = marks.get(1..marks.len() - 1).unwrap_or(&[]);
    for four in inner.chunks(4) {
        for (table, &mark) in tables.iter_mut().zip(four) {
            table[usize::from(mark)] += 1;
        }
    }
    let count = |holds: &dyn Fn(usize) -> bool| -> u64 {
        (0..256).filter(|&mark| holds(mark)).map(|mark| tables.iter().map(|table| table[mark]).sum::<u64>()).sum()
    };
    let pairs = || (0..lanes).flat_map(move |row| (0..lanes).map(move |column| (1usize << row, 1usize << column)));
    let shared = pairs().map(|(a, b)| count(&|mark| mark & a != 0 && mark & b != 0)).collect();
    let either = pairs().map(|(a, b)| count(&|mark| mark & (a | b) != 0)).collect();
    (shared, either)
}

/// Calls `visit` with the ends of every stretch between two shared positions in which some have a boundary.
fn for_each_stretch(marks: &[u8], all: u8, mut visit: impl FnMut(usize, usize)) {
    let mut start = None;
    let mut differs = false;
    for (at, &mark) in marks.iter().enumerate() {
        if mark == all {
            if let Some(start) = start.filter(|_| differs) {
                visit(start, at);
            }
            (start, differs) = (Some(at), false);
        } else {
            differs |= mark != 0;
        }
    }
}

/// Facts of stretches that are handed in in the order of the text: places only move forward.
struct Walk<'a> {
    text: &'a str,
    lanes: &'a [&'a [Span]],
    /// Per tokenizer: tokens that start before the end of a stretch, and that end at its start or before.
    cursors: Vec<(usize, usize)>,
    kinds: &'static crate::pretokenizers::characters::Table,
    byte: usize,
    unit: usize,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, byte: usize, lanes: &'a [&'a [Span]]) -> Self {
        let unit = units(&text.as_bytes()[..byte]);
        Self { text, lanes, cursors: vec![(0, 0); lanes.len()], kinds: kinds::table(), byte, unit }
    }

    fn push(&mut self, start: usize, end: usize, found: &mut Divergences) {
        found.start_utf8.push(start as u32);
        found.end_utf8.push(end as u32);
        let first = boundary_before(self.text, start);
        self.unit = match first.checked_sub(self.byte) {
            Some(_) => self.unit + units(&self.text.as_bytes()[self.byte..first]),
            // The character of the last end is looked at again.
            None => self.unit - units(&self.text.as_bytes()[first..self.byte]),
        };
        found.start_utf16.push(self.unit as u32);
        let last = boundary_behind(self.text, end);
        let mut kind = kinds::SPACES;
        for c in self.text[first..last].chars() {
            kind = kind.min(self.kinds.of(c));
            self.unit += c.len_utf16();
        }
        self.byte = last;
        found.end_utf16.push(self.unit as u32);
        found.kind.push(kind);
        for ((started, ended), spans) in self.cursors.iter_mut().zip(self.lanes) {
            while spans.get(*started).is_some_and(|span| (span.start as usize) < end) {
                *started += 1;
            }
            while spans.get(*ended).is_some_and(|span| span.end as usize <= start) {
                *ended += 1;
            }
            found.counts.push(started.saturating_sub(*ended) as u32);
        }
    }
}
