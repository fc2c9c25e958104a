//! A text that is edited, with its tokens under several tokenizers.
//!
//! An edit of a [`Document`] replaces a range of bytes and encodes again only what it can change: the part from the
//! last split point before the edit to the first one after it ([`SplitPoints`]). The tokens after that part move, which
//! is one addition per span: 0.1 ms for a megabyte of text. The result equals encoding the whole text. If a tokenizer
//! has no split points, or the part is most of the text, the whole text is encoded and compared with the old tokens.
//!
//! A [`Part`] returns the tokens of an excerpt, such as the visible lines, before the whole text is encoded.
//!
//! Not here: pairs of texts, truncation. Where tokenizers differ is in [`divergence`].

pub mod divergence;
mod encoded_text;
pub mod packed;
pub mod part;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rayon::prelude::*;

use crate::document::divergence::{Comparison, Divergences};
pub use encoded_text::{EncodedText, Replaced};
pub use packed::Packed;
pub use part::{Excerpt, Part};
use token_engine::internals::call::{self, Cancelled};
use token_engine::internals::offsets::units_of_bytes;
use token_engine::internals::split_points::SplitPoints;
use token_engine::internals::{parallel, steps};
use token_engine::{EncodeError, EncodeOptions, Span, Tokenizer};

/// A text and its tokens under several tokenizers. The caller keeps the tokenizers and passes them to every call in the
/// same order.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    units: usize,
    characters: usize,
    options: EncodeOptions,
    encoded: Vec<EncodedText>,
}

/// The result of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes of the old text that were replaced.
    pub old: Range<usize>,
    /// The byte of the new text at which the replacement ends.
    pub new_end: usize,
    /// The tokens that changed, by tokenizer.
    pub replaced: Vec<Replaced>,
}

impl Document {
    /// Encodes `text` with every tokenizer.
    ///
    /// ```
    /// # use token_engine::formats::tiktoken;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// # use token_engine::Vocab;
    /// # use token_inspect::document::Document;
    /// # let mut vocab = Vocab::default();
    /// # for byte in 0..=255u8 { vocab.insert(byte.into(), &[byte]).unwrap(); }
    /// # vocab.insert(256, b"ab").unwrap();
    /// # let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
    /// let mut document = Document::new(&[&tokenizer], "xyz ac 1".into(), Default::default()).unwrap();
    /// let edit = document.edit(&[&tokenizer], 5..6, "b").unwrap();
    /// assert_eq!(document.text(), "xyz ab 1");
    /// // One token, `ab`, for the two of `ac`.
    /// assert_eq!((edit.replaced[0].first, edit.replaced[0].removed, edit.replaced[0].inserted), (4, 2, 1));
    /// assert_eq!(document.encoded()[0].ids()[4], 256);
    /// ```
    ///
    /// Errors: as [`Tokenizer::encode`].
    pub fn new(tokenizers: &[&Tokenizer], text: String, options: EncodeOptions) -> Result<Self, EncodeError> {
        let encoded = parallel::map(tokenizers.len(), 0, |at| EncodedText::of_text(tokenizers[at], &text, options))?;
        Ok(Self { units: units(&text), characters: characters(&text), text, options, encoded })
    }

    /// The current text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Length of the text in UTF-16 units.
    pub fn units(&self) -> usize {
        self.units
    }

    /// Length of the text in code points.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The tokens, by tokenizer.
    pub fn encoded(&self) -> &[EncodedText] {
        &self.encoded
    }

    /// Memory in use, in bytes, roughly.
    pub fn size_bytes(&self) -> usize {
        self.text.capacity() + self.encoded.iter().map(EncodedText::size_bytes).sum::<usize>()
    }

    /// Returns the part of the text that an edit of the bytes `old` encodes again with at least one tokenizer.
    pub fn reach(&self, tokenizers: &[&Tokenizer], old: Range<usize>) -> Range<usize> {
        let parts = tokenizers.iter().map(|tokenizer| self.part(tokenizer, &old));
        parts.fold(old.clone(), |all, part| all.start.min(part.start)..all.end.max(part.end))
    }

    /// Replaces the bytes `old` by `new`.
    ///
    /// Errors: as [`Tokenizer::encode`]. The document then stays unchanged for all tokenizers.
    ///
    /// # Panics
    /// If `old` is not a range of whole characters of the text.
    pub fn edit(&mut self, tokenizers: &[&Tokenizer], old: Range<usize>, new: &str) -> Result<Edit, EncodeError> {
        let parts: Vec<_> = tokenizers.iter().map(|tokenizer| self.part(tokenizer, &old)).collect();
        let mut text = String::with_capacity(self.text.len() - old.len() + new.len());
        text.extend([&self.text[..old.start], new, &self.text[old.end..]]);
        let edit = Change { before: &self.text, text: &text, old: old.clone(), new_end: old.start + new.len() };
        // All tokenizers encode before anything changes, so an error leaves the document as it was.
        let revisions = self
            .encoded
            .iter()
            .zip(tokenizers)
            .zip(parts)
            .map(|((encoded, tokenizer), part)| encoded.revise(tokenizer, &edit, part, self.options))
            .collect::<Result<Vec<_>, _>>()?;
        let encoded = self.encoded.iter_mut().zip(tokenizers).zip(revisions);
        let replaced =
            encoded.map(|((encoded, tokenizer), revision)| encoded.apply(tokenizer, &edit, revision)).collect();
        let new_end = edit.new_end;
        self.units = self.units - units(&self.text[old.clone()]) + units(new);
        self.characters = self.characters - characters(&self.text[old.clone()]) + characters(new);
        self.text = text;
        Ok(Edit { old, new_end, replaced })
    }

    /// Returns the byte offset of UTF-16 offset `at`; `None` inside a character and past the end.
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

    /// Returns the UTF-16 offset of a byte offset; `None` inside a character and past the end.
    pub fn unit_of_byte(&self, byte: usize) -> Option<usize> {
        self.text.get(..byte).map(units)
    }

    /// Packs tokens `range` of a tokenizer; without a range all of them, including those of the postprocessor.
    ///
    /// # Panics
    /// If the tokenizer's number or the range is too large.
    pub fn packed(&self, tokenizer: usize, range: Option<Range<usize>>) -> Packed {
        Packed::new(&self.text, &self.encoded[tokenizer], range)
    }

    /// Packs the tokens of every tokenizer and, unless `ignore_spaces` is `None`, finds where the tokenizers differ.
    ///
    /// Errors: the call was cancelled.
    pub fn snapshot(&self, ignore_spaces: Option<bool>) -> Result<(Vec<Packed>, Option<Divergences>), Cancelled> {
        let call = call::current();
        let each = || {
            let _entered = call::enter(call.clone());
            ignore_spaces.map(|ignore| self.divergences(0..self.text.len(), ignore)).transpose()
        };
        let (packed, found) = parallel::run(|| {
            rayon::join(
                || (0..self.encoded.len()).into_par_iter().map(|tokenizer| self.packed(tokenizer, None)).collect(),
                each,
            )
        });
        Ok((packed, found?))
    }

    /// Finds where the tokenizers differ within `part`. All must have a boundary at both ends of it, and no end may
    /// follow white space.
    ///
    /// Errors: the call was cancelled.
    ///
    /// # Panics
    /// As [`Comparison::divergences`].
    pub fn divergences(&self, part: Range<usize>, ignore_spaces: bool) -> Result<Divergences, Cancelled> {
        let spans: Vec<&[Span]> = self.encoded.iter().map(EncodedText::spans).collect();
        Comparison { text: &self.text, spans: &spans, ignore_spaces }.divergences(part)
    }

    /// Returns the nearest positions around `part` at which all tokenizers have a boundary and no white space precedes;
    /// the ends of the text count. With `ignore_spaces`, a boundary inside or after a run of white space counts at its
    /// start.
    ///
    /// Never returns the ends of `part` itself, except at the ends of the text: re-encoding may move those boundaries.
    pub fn shared_around(&self, part: Range<usize>, ignore_spaces: bool) -> Range<usize> {
        let Some(first) = self.encoded.first() else { return 0..self.text.len() };
        let spans = first.spans();
        let first = spans.partition_point(|span| (span.start as usize) < part.start);
        let mut shared = self.shared(part.clone(), ignore_spaces);
        let before = spans[..first].iter().rev().flat_map(|span| [span.end, span.start]);
        let start = before.filter_map(|at| shared.place(at as usize)).find(|&at| at < part.start);
        let last = spans.partition_point(|span| (span.end as usize) <= part.end);
        let behind = spans[last..].iter().flat_map(|span| [span.start, span.end]);
        let end = behind.filter_map(|at| shared.place(at as usize)).find(|&at| at > part.end);
        start.unwrap_or(0)..end.unwrap_or(self.text.len())
    }

    /// Finds the boundaries that all tokenizers share around an edit of `part`.
    fn shared(&self, part: Range<usize>, ignore_spaces: bool) -> Shared<'_> {
        let runs = Runs { text: &self.text, last: 0..0 };
        Shared { encoded: &self.encoded, part, ignore_spaces, runs, last: None }
    }

    /// Returns the part between two split points that is encoded again when the bytes `old` are replaced.
    fn part(&self, tokenizer: &Tokenizer, old: &Range<usize>) -> Range<usize> {
        let points = SplitPoints::new(tokenizer, self.options.specials);
        let text = self.text.as_str();
        if !points.exist() {
            return 0..text.len();
        }
        // Both characters at a split point are outside of `old`, so it is a split point of the new text as well.
        let before = text[..old.start].char_indices().rev().map(|(at, _)| at);
        let start = before.take_while(|&at| at > 0).find(|&at| points.is_split_point(text, at)).unwrap_or(0);
        let behind = text[old.end..].char_indices().map(|(at, _)| old.end + at).skip(1);
        let end = behind.into_iter().find(|&at| points.is_split_point(text, at)).unwrap_or(text.len());
        start..end
    }
}

/// Finds boundaries that all tokenizers share and that do not follow white space.
struct Shared<'a> {
    encoded: &'a [EncodedText],
    /// The edit may change the length of white space that touches this part.
    part: Range<usize>,
    /// Whether a boundary inside or after white space counts as one before it.
    ignore_spaces: bool,
    runs: Runs<'a>,
    /// The last position asked for, and whether it is shared.
    last: Option<(usize, bool)>,
}

impl Shared<'_> {
    /// Returns the shared position that the boundary `at` counts for, if any. All boundaries in a run of white space
    /// count for one position, which is checked once.
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
        self.encoded.iter().all(|encoded| encoded.has_boundary(at..=until))
    }
}

/// Finds runs of white space. Positions are asked for in order, so remembering one run suffices.
struct Runs<'a> {
    text: &'a str,
    last: Range<usize>,
}

impl Runs<'_> {
    /// Returns the run of white space that contains or touches the character boundary `at`; an empty range if none
    /// does.
    fn around(&mut self, at: usize) -> Range<usize> {
        if !(self.last.start <= at && at <= self.last.end) || self.last.is_empty() {
            let start = self.text[..at].trim_end().len();
            let end = self.text.len() - self.text[at..].trim_start().len();
            steps::count(end - start + 1);
            self.last = start..end;
        }
        self.last.clone()
    }
}

/// Bytes counted at once.
const BLOCK: usize = 4096;

/// An edit of the text.
struct Change<'a> {
    before: &'a str,
    text: &'a str,
    old: Range<usize>,
    new_end: usize,
}

impl Change<'_> {
    /// How far the text after the edit moves, in bytes.
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
