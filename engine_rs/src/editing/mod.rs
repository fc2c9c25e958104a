//! Texts that are edited: only what an edit can change is encoded again, and the result is that of encoding the whole.
//!
//! A [`Document`] is one text under any number of tokenizers, each with its tokens in a [`Lane`]. An edit replaces a range
//! of bytes. The part between the last split point before it and the first one behind it ([`split_points`]) is encoded,
//! its tokens take the place of the old ones, and those behind move. Moving is one addition per token and boundary: 0.1
//! ms for a megabyte of text. Where a tokenizer has no split points, or the part is most of the text, the whole is
//! encoded and compared with what was there.
//!
//! A [`Part`] of a long text, such as what is in a window, is known before the whole is encoded: what lies between two
//! split points.
//!
//! Not here: pairs of texts, truncation; how what tokenizers differ on is found (`crate::divergence`).

mod lane;
pub mod packed;
pub mod part;
mod spaces;
pub mod split_points;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rayon::prelude::*;

use crate::divergence::{Comparison, Divergences};
use crate::error::EncodeError;
use crate::offsets::{Span, units_of_bytes};
use crate::tokenizer::{EncodeOptions, Tokenizer};
use crate::{parallel, steps};
pub use lane::{Lane, Replaced};
pub use packed::Packed;
pub use part::{Excerpt, Part};
use split_points::SplitPoints;

/// A text and its tokens under several tokenizers, which the caller keeps and hands in with every call, in one order.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    units: usize,
    characters: usize,
    options: EncodeOptions,
    lanes: Vec<Lane>,
}

/// What an edit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the old text that were replaced.
    pub old: Range<usize>,
    /// Where what took their place ends in the new text, in bytes.
    pub new_end: usize,
    /// What became of the tokens, by tokenizer.
    pub lanes: Vec<Replaced>,
}

impl Document {
    /// Encodes `text` with every tokenizer.
    ///
    /// ```
    /// # use token_engine::{editing::Document, formats::tiktoken, pretokenizers::scanners::Pattern, vocab::Vocab};
    /// # let mut vocab = Vocab::default();
    /// # for byte in 0..=255u8 { vocab.insert(byte.into(), &[byte]).unwrap(); }
    /// # vocab.insert(256, b"ab").unwrap();
    /// # let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
    /// let mut document = Document::new(&[&tokenizer], "xyz ac 1".into(), Default::default()).unwrap();
    /// let edit = document.edit(&[&tokenizer], 5..6, "b").unwrap();
    /// assert_eq!(document.text(), "xyz ab 1");
    /// // One token, `ab`, for the two of `ac`.
    /// assert_eq!((edit.lanes[0].first, edit.lanes[0].removed, edit.lanes[0].inserted), (4, 2, 1));
    /// assert_eq!(document.lanes()[0].ids()[4], 256);
    /// ```
    ///
    /// Errors: as [`Tokenizer::encode`].
    pub fn new(tokenizers: &[&Tokenizer], text: String, options: EncodeOptions) -> Result<Self, EncodeError> {
        let lanes = parallel::map(tokenizers.len(), 0, |at| Lane::of_text(tokenizers[at], &text, options))?;
        Ok(Self { units: units(&text), characters: characters(&text), text, options, lanes })
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its length in UTF-16 units.
    pub fn units(&self) -> usize {
        self.units
    }

    /// Its length in code points.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The tokens, by tokenizer.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Bytes of memory held, roughly.
    pub fn size_bytes(&self) -> usize {
        self.text.capacity() + self.lanes.iter().map(Lane::size_bytes).sum::<usize>()
    }

    /// The part of the text that an edit of `old` encodes again with one of the tokenizers at least.
    pub fn reach(&self, tokenizers: &[&Tokenizer], old: Range<usize>) -> Range<usize> {
        let parts = tokenizers.iter().map(|tokenizer| self.part(tokenizer, &old));
        parts.fold(old.clone(), |all, part| all.start.min(part.start)..all.end.max(part.end))
    }

    /// Puts `new` in the place of the bytes `old`, which begin and end between characters.
    ///
    /// Errors: as [`Tokenizer::encode`]. The document then stays as it was, with all tokenizers.
    ///
    /// # Panics
    /// Where `old` is no range of whole characters of the text.
    pub fn edit(&mut self, tokenizers: &[&Tokenizer], old: Range<usize>, new: &str) -> Result<Edit, EncodeError> {
        let parts: Vec<_> = tokenizers.iter().map(|tokenizer| self.part(tokenizer, &old)).collect();
        let mut text = String::with_capacity(self.text.len() - old.len() + new.len());
        text.extend([&self.text[..old.start], new, &self.text[old.end..]]);
        let edit = Change { before: &self.text, text: &text, old: old.clone(), new_end: old.start + new.len() };
        // All are encoded before anything changes, so that an error leaves nothing half done.
        let revisions = self
            .lanes
            .iter()
            .zip(tokenizers)
            .zip(parts)
            .map(|((lane, tokenizer), part)| lane.revise(tokenizer, &edit, part, self.options))
            .collect::<Result<Vec<_>, _>>()?;
        let lanes = self.lanes.iter_mut().zip(tokenizers).zip(revisions);
        let lanes = lanes.map(|((lane, tokenizer), revision)| lane.apply(tokenizer, &edit, revision)).collect();
        let new_end = edit.new_end;
        self.units = self.units - units(&self.text[old.clone()]) + units(new);
        self.characters = self.characters - characters(&self.text[old.clone()]) + characters(new);
        self.text = text;
        Ok(Edit { old, new_end, lanes })
    }

    /// The byte at which UTF-16 unit `at` starts; `None` inside a character and beyond the end.
    pub fn byte_of_unit(&self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let (mut byte, mut unit) = (0, 0);
        // Large steps first: counting a block is much faster than walking it.
        while let Some(block) = bytes.get(byte..byte + BLOCK) {
            let more = units_of_bytes(block);
            if unit + more >= at {
                break;
            }
            (byte, unit) = (byte + BLOCK, unit + more);
        }
        while unit < at || bytes.get(byte).is_some_and(|byte| byte & 0xC0 == 0x80) {
            unit += units_of_bytes(bytes.get(byte..=byte)?);
            byte += 1;
        }
        (unit == at).then_some(byte)
    }

    /// UTF-16 units before a byte, which starts a character or ends the text; `None` for any other.
    pub fn unit_of_byte(&self, byte: usize) -> Option<usize> {
        self.text.get(..byte).map(units)
    }

    /// Tokens `range` of a lane as they travel; without a range all of them, and those of the postprocessor around them.
    ///
    /// # Panics
    /// Where there is no such lane or no such range.
    pub fn packed(&self, lane: usize, range: Option<Range<usize>>) -> Packed {
        Packed::new(&self.text, &self.lanes[lane], range)
    }

    /// All that the page is told of a text: the tokens of every lane, packed, and with `ignore_spaces` where they differ.
    pub fn told(&self, ignore_spaces: Option<bool>) -> (Vec<Packed>, Option<Divergences>) {
        parallel::run(|| {
            rayon::join(
                || (0..self.lanes.len()).into_par_iter().map(|lane| self.packed(lane, None)).collect(),
                || ignore_spaces.map(|ignore| self.divergences(0..self.text.len(), ignore)),
            )
        })
    }

    /// Where the tokenizers differ between two bytes at which all have a boundary and white space does not end.
    ///
    /// # Panics
    /// As [`Comparison::divergences`].
    pub fn divergences(&self, part: Range<usize>, ignore_spaces: bool) -> Divergences {
        let lanes: Vec<&[Span]> = self.lanes.iter().map(Lane::spans).collect();
        Comparison { text: &self.text, lanes: &lanes, ignore_spaces }.divergences(part)
    }

    /// The nearest places around `part` at which all tokenizers have a boundary and no white space is before; the ends of
    /// the text are such places. With `ignore_spaces` a boundary inside or behind a run of white space is at its start.
    /// No place is at an end of `part`, but for the ends of the text: what is encoded anew may have other boundaries there.
    pub fn shared_around(&self, part: Range<usize>, ignore_spaces: bool) -> Range<usize> {
        let Some(lane) = self.lanes.first() else { return 0..self.text.len() };
        let spans = lane.spans();
        let first = spans.partition_point(|span| (span.start as usize) < part.start);
        let mut shared = self.shared(part.clone(), ignore_spaces);
        let before = spans[..first].iter().rev().flat_map(|span| [span.end, span.start]);
        let start = before.filter_map(|at| shared.place(at as usize)).find(|&at| at < part.start);
        let last = spans.partition_point(|span| (span.end as usize) <= part.end);
        let behind = spans[last..].iter().flat_map(|span| [span.start, span.end]);
        let end = behind.filter_map(|at| shared.place(at as usize)).find(|&at| at > part.end);
        start.unwrap_or(0)..end.unwrap_or(self.text.len())
    }

    /// Tells which boundaries all tokenizers share, around an edit of `part`.
    fn shared(&self, part: Range<usize>, ignore_spaces: bool) -> Shared<'_> {
        let runs = Runs { text: &self.text, known: 0..0 };
        Shared { lanes: &self.lanes, part, ignore_spaces, runs, last: None }
    }

    /// The part of the text that is encoded again where the bytes `old` are replaced: from split point to split point.
    fn part(&self, tokenizer: &Tokenizer, old: &Range<usize>) -> Range<usize> {
        let points = SplitPoints::new(tokenizer, self.options.specials);
        let text = self.text.as_str();
        if !points.exist() {
            return 0..text.len();
        }
        // Both characters beside a split point are outside of what is replaced: it is one before the edit and after it.
        let before = text[..old.start].char_indices().rev().map(|(at, _)| at);
        let start = before.take_while(|&at| at > 0).find(|&at| points.is_split_point(text, at)).unwrap_or(0);
        let behind = text[old.end..].char_indices().map(|(at, _)| old.end + at).skip(1);
        let end = behind.into_iter().find(|&at| points.is_split_point(text, at)).unwrap_or(text.len());
        start..end
    }
}

/// Boundaries that all tokenizers share and that no white space is before.
struct Shared<'a> {
    lanes: &'a [Lane],
    /// White space that reaches into it may become longer or shorter.
    part: Range<usize>,
    /// Whether a boundary inside or after white space counts as one before it.
    ignore_spaces: bool,
    runs: Runs<'a>,
    /// The place that was asked about last, and whether it is shared.
    last: Option<(usize, bool)>,
}

impl Shared<'_> {
    /// The shared place that the boundary `at` stands for, if there is one. Boundaries in one run of white space stand for
    /// the same place, which is looked at once.
    fn place(&mut self, at: usize) -> Option<usize> {
        if !self.runs.text.is_char_boundary(at) {
            return None;
        }
        let run = self.runs.around(at);
        let at = if self.ignore_spaces { run.start } else { at };
        if self.last.is_none_or(|(last, _)| last != at) {
            self.last = Some((at, self.is_shared(at, &run)));
        }
        self.last.and_then(|(at, is_shared)| is_shared.then_some(at))
    }

    fn is_shared(&self, at: usize, run: &Range<usize>) -> bool {
        if at != run.start || (at < self.part.start && run.end >= self.part.start) {
            return false;
        }
        let until = if self.ignore_spaces { run.end } else { at };
        self.lanes.iter().all(|lane| lane.has_boundary(at..=until))
    }
}

/// Runs of white space in a text. Places are asked about in order, so one run is remembered.
struct Runs<'a> {
    text: &'a str,
    known: Range<usize>,
}

impl Runs<'_> {
    /// The run of white space that starts, ends or lies around `at`, a character boundary; empty if there is none.
    fn around(&mut self, at: usize) -> Range<usize> {
        if !(self.known.start <= at && at <= self.known.end) || self.known.is_empty() {
            let start = self.text[..at].trim_end().len();
            let end = self.text.len() - self.text[at..].trim_start().len();
            steps::count(end - start + 1);
            self.known = start..end;
        }
        self.known.clone()
    }
}

/// Bytes counted at once.
const BLOCK: usize = 4096;

/// An edit, as a lane sees it.
struct Change<'a> {
    before: &'a str,
    text: &'a str,
    old: Range<usize>,
    new_end: usize,
}

impl Change<'_> {
    /// How far what is behind the edit moves, in bytes.
    fn shift(&self) -> isize {
        self.new_end as isize - self.old.end as isize
    }
}

fn characters(text: &str) -> usize {
    text.bytes().filter(|byte| byte & 0xC0 != 0x80).count()
}

fn units(text: &str) -> usize {
    units_of_bytes(text.as_bytes())
}
