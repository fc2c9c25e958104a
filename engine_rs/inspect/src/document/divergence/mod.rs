//! Where tokenizers split a text differently.
//!
//! A *boundary* is a position at which a token or the text starts or ends. A *divergence* is a stretch between two
//! consecutive boundaries that all tokenizers share, in which at least one tokenizer has another boundary.
//!
//! One byte per position of the text marks which tokenizers have a boundary there, one bit each. A table of 256 counts
//! then gives what pairs of tokenizers share, and one walk along the positions finds the divergences.
//!
//! Not here: divergences of a text that is edited ([`crate::document`]).

pub mod kinds;
#[cfg(test)]
mod tests;

use std::ops::Range;

use token_engine::Span;
use token_engine::internals::call::{self, Cancelled};
use token_engine::internals::offsets::{boundary_before, boundary_behind, units_of_bytes as units};

/// How many tokenizers can be compared: one bit of a byte each.
pub const MAX_TOKENIZERS: usize = 8;

/// How much is done between two questions whether the call was cancelled, in places of the text.
const BLOCK: usize = 1 << 16;

/// The divergences of a text in order, and the boundaries of pairs of tokenizers. Positions are those of the whole
/// text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divergences {
    /// First byte of each.
    pub start_utf8: Vec<u32>,
    /// The byte after each.
    pub end_utf8: Vec<u32>,
    /// The UTF-16 offset of its first character; a character that is only partly inside counts.
    pub start_utf16: Vec<u32>,
    /// The UTF-16 offset after its last character.
    pub end_utf16: Vec<u32>,
    /// Its kind: an index into [`kinds::KINDS`].
    pub kind: Vec<u8>,
    /// Number of tokens with bytes in it, by divergence, then by tokenizer.
    pub counts: Vec<u32>,
    /// Number of boundaries that both tokenizers of a pair have, without the ends of the text: by row, then by column.
    pub shared: Vec<u64>,
    /// Number of boundaries that at least one tokenizer of a pair has.
    pub either: Vec<u64>,
    /// For each position of the part, including its end: the tokenizers with a boundary there, one bit each.
    pub marks: Vec<u8>,
}

/// A text, the spans of its tokens under each tokenizer, and how boundaries at white space count.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The whole text.
    pub text: &'a str,
    /// Spans of the tokens by tokenizer, in the order of the text; at most [`MAX_TOKENIZERS`] tokenizers.
    pub spans: &'a [&'a [Span]],
    /// Whether a boundary inside or after a run of white space counts at the start of the run.
    pub ignore_spaces: bool,
}

impl Comparison<'_> {
    /// Finds the divergences of `part`, a range of whole characters. Tokens that cross its ends are cut off there.
    ///
    /// ```
    /// # use token_inspect::document::divergence::{Comparison, Divergences};
    /// # use token_engine::Span;
    /// let one = [Span::new(0, 1), Span::new(1, 4)]; // a| 42
    /// let other = [Span::new(0, 2), Span::new(2, 3), Span::new(3, 4)]; // a |4|2
    /// let found = Comparison { text: "a 42", spans: &[&one, &other], ignore_spaces: true }.divergences(0..4).unwrap();
    /// assert_eq!((found.start_utf8, found.end_utf8, found.counts), (vec![1], vec![4], vec![1, 3]));
    /// ```
    ///
    /// Errors: the call was cancelled.
    ///
    /// # Panics
    /// If `part` is not a range of whole characters of the text, or there are more than [`MAX_TOKENIZERS`] tokenizers.
    pub fn divergences(&self, part: Range<usize>) -> Result<Divergences, Cancelled> {
        assert!(self.spans.len() <= MAX_TOKENIZERS, "one bit of a byte for each tokenizer");
        let text = &self.text[part.clone()];
        let spans: Vec<&[Span]> = self.spans.iter().map(|spans| within(spans, &part)).collect();
        let marks = self.marks(text, &spans, part.start)?;
        let all = ((1u16 << spans.len()) - 1) as u8;
        let (shared, either) = pairs(&marks, spans.len())?;
        let mut found = Divergences { shared, either, ..Divergences::default() };
        let mut walk = Walk::new(self.text, part.start, &spans);
        for_each_stretch(&marks, all, |start, end| walk.push(part.start + start, part.start + end, &mut found))?;
        Ok(Divergences { marks, ..found })
    }

    /// Marks the boundaries of each tokenizer in `text`, which starts at byte `base` of the whole text.
    fn marks(&self, text: &str, spans: &[&[Span]], base: usize) -> Result<Vec<u8>, Cancelled> {
        let mut marks = vec![0u8; text.len() + 1];
        for (tokenizer, spans) in spans.iter().enumerate() {
            let bit = 1 << tokenizer;
            let place = |at: u32| (at as usize).saturating_sub(base).min(text.len());
            for block in spans.chunks(BLOCK) {
                call::check()?;
                for span in block {
                    marks[place(span.start)] |= bit;
                    marks[place(span.end)] |= bit;
                }
            }
            marks[0] |= bit;
            marks[text.len()] |= bit;
        }
        if self.ignore_spaces {
            move_to_start_of_space(&mut marks, text)?;
        }
        Ok(marks)
    }
}

/// The spans that overlap `part`.
fn within<'a>(spans: &'a [Span], part: &Range<usize>) -> &'a [Span] {
    let first = spans.partition_point(|span| span.end as usize <= part.start);
    let last = first + spans[first..].partition_point(|span| (span.start as usize) < part.end);
    &spans[first..last]
}

/// Moves marks inside or after a run of white space to its start.
fn move_to_start_of_space(marks: &mut [u8], text: &str) -> Result<(), Cancelled> {
    let bytes = text.as_bytes();
    let (mut at, mut next_check) = (0, 0);
    while at < bytes.len() {
        if at >= next_check {
            call::check()?;
            next_check = at + BLOCK;
        }
        let start = at;
        // Only these bytes start a white-space character, so most characters take one comparison.
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
    Ok(())
}

/// Counts boundaries by pair of tokenizers: those that both have, and those that at least one has.
fn pairs(marks: &[u8], tokenizers: usize) -> Result<(Vec<u64>, Vec<u64>), Cancelled> {
    // Four tables, so that equal neighbours do not wait for each other's increment.
    let mut tables = [[0u64; 256]; 4];
    let inner = marks.get(1..marks.len() - 1).unwrap_or(&[]);
    for block in inner.chunks(BLOCK) {
        call::check()?;
        for four in block.chunks(4) {
            for (table, &mark) in tables.iter_mut().zip(four) {
                table[usize::from(mark)] += 1;
            }
        }
    }
    let count = |holds: &dyn Fn(usize) -> bool| -> u64 {
        (0..256).filter(|&mark| holds(mark)).map(|mark| tables.iter().map(|table| table[mark]).sum::<u64>()).sum()
    };
    let pairs =
        || (0..tokenizers).flat_map(move |row| (0..tokenizers).map(move |column| (1usize << row, 1usize << column)));
    let shared = pairs().map(|(a, b)| count(&|mark| mark & a != 0 && mark & b != 0)).collect();
    let either = pairs().map(|(a, b)| count(&|mark| mark & (a | b) != 0)).collect();
    Ok((shared, either))
}

/// Calls `visit` with start and end of every divergence.
fn for_each_stretch(marks: &[u8], all: u8, mut visit: impl FnMut(usize, usize)) -> Result<(), Cancelled> {
    let mut start = None;
    let mut differs = false;
    for (number, block) in marks.chunks(BLOCK).enumerate() {
        call::check()?;
        for (at, &mark) in (number * BLOCK..).zip(block) {
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
    Ok(())
}

/// Collects the facts of divergences, which must come in the order of the text.
struct Walk<'a> {
    text: &'a str,
    spans: &'a [&'a [Span]],
    /// By tokenizer: how many tokens start before the end of the divergence, and how many end at or before its start.
    cursors: Vec<(usize, usize)>,
    kinds: &'static token_engine::pretokenizers::characters::Table,
    byte: usize,
    unit: usize,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, byte: usize, spans: &'a [&'a [Span]]) -> Self {
        let unit = units(&text.as_bytes()[..byte]);
        Self { text, spans, cursors: vec![(0, 0); spans.len()], kinds: kinds::table(), byte, unit }
    }

    fn push(&mut self, start: usize, end: usize, found: &mut Divergences) {
        found.start_utf8.push(start as u32);
        found.end_utf8.push(end as u32);
        let first = boundary_before(self.text, start);
        self.unit = match first.checked_sub(self.byte) {
            Some(_) => self.unit + units(&self.text.as_bytes()[self.byte..first]),
            // Two divergences may share a character.
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
        for ((started, ended), spans) in self.cursors.iter_mut().zip(self.spans) {
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
