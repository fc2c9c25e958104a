//! Counts one tokenizer over a share of the documents.

use super::documents::Documents;
use super::features::Features;
use super::marks::Marks;
use super::measures::{Measure, Measures, Sum, Sums};
use super::round_trip::{self, Decoding};
use super::tally::{Counts, TokenizerCounts};
use super::tokens::{IdsAndSpans, Tokens};
use token_engine::decoders::Decoder;
use token_engine::internals::encoding::split_characters;
use token_engine::internals::offsets::{boundary_before, boundary_behind};
use token_engine::models::Model;
use token_engine::{EncodeError, Id, IdsAndEnds, Span, Specials, Tokenizer};

/// Memory that a thread keeps from document to document.
#[derive(Default)]
pub(super) struct Scratch {
    pub(crate) features: Features,
    /// Boundaries in the share, by tokenizer.
    pub(crate) marks: Vec<Marks>,
    ids: Vec<Id>,
    with_ends: IdsAndEnds,
    with_spans: IdsAndSpans,
    round_trip: round_trip::Scratch,
}

/// The counts of each document on its own.
#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    pub(crate) tokens: u32,
    pub(crate) unknown_characters: u32,
}

/// A tokenizer over the documents of a share.
pub(super) struct TokenizerPass<'a> {
    /// Index of the tokenizer.
    pub(crate) index: usize,
    pub(crate) tokenizer: &'a Tokenizer,
    /// `None` where round trips are not measured.
    pub(crate) decoding: Option<&'a Decoding>,
    pub(crate) documents: &'a Documents<'a>,
    pub(crate) share: std::ops::Range<usize>,
    pub(crate) measures: Measures,
    /// Whether the tokenizer drops what its vocabulary lacks.
    pub(crate) leaves_out: bool,
}

/// Which documents cannot be encoded, and why.
pub(super) type Failed = (usize, EncodeError);

impl TokenizerPass<'_> {
    /// Adds all documents of the share to `counts`, and tells `visit` of each.
    pub(crate) fn count(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        mut visit: impl FnMut(usize, Row),
    ) -> Result<(), Failed> {
        let Scratch { features, marks, ids, with_ends, with_spans, round_trip } = scratch;
        let counts = &mut counts.tokenizers[self.index];
        let marks = &mut marks[self.index];
        // Byte-level tokens are the text in parts.
        let is_lossless = matches!(self.tokenizer.model(), Model::ByteBpe(_));
        if self.measures.need_marks() {
            marks.reset(self.documents.start(self.share.end) - self.documents.start(self.share.start));
        }
        for at in self.share.clone() {
            let text = self.documents.text(at);
            let group = self.documents.group(at);
            let row = if !self.measures.need_spans() {
                ids.clear();
                self.encode(at, ids)?;
                counts.count_ids(ids, group);
                Row { tokens: ids.len() as u32, unknown_characters: 0 }
            } else if is_lossless {
                with_ends.clear();
                self.encode(at, with_ends)?;
                counts.count_ids(&with_ends.ids, group);
                self.measure(with_ends, at, features, marks, &mut counts.sums[group])
            } else {
                with_spans.clear();
                self.encode(at, with_spans)?;
                counts.count_ids(&with_spans.ids, group);
                self.measure(with_spans, at, features, marks, &mut counts.sums[group])
            };
            if let Some(decoding) = self.decoding {
                let ids = match (self.measures.need_spans(), is_lossless) {
                    (false, _) => &*ids,
                    (true, false) => &with_spans.ids,
                    (true, true) => &with_ends.ids,
                };
                let kept = decoding.check(self.tokenizer, text, ids, round_trip).map_err(|error| (at, error))?;
                let sums = [Sum::ExactDocuments, Sum::NfcDocuments, Sum::StableDocuments];
                for (sum, is_kept) in sums.into_iter().zip(kept) {
                    counts.sums[group][sum as usize] += u64::from(is_kept);
                }
            }
            visit(at, row);
        }
        Ok(())
    }

    fn encode(&self, at: usize, sink: &mut impl token_engine::internals::encoding::Sink) -> Result<(), Failed> {
        self.tokenizer.encode_into(self.documents.text(at), Specials::Text, sink).map_err(|error| (at, error))
    }

    /// Adds the sums of one document that speak of spans.
    fn measure(&self, tokens: &impl Tokens, at: usize, features: &Features, marks: &mut Marks, sums: &mut Sums) -> Row {
        let text = self.documents.text(at);
        let base = self.documents.start(at) - self.documents.start(self.share.start);
        let in_share = at - self.share.start;
        let mut row = Row { tokens: tokens.len() as u32, unknown_characters: 0 };
        if self.measures.need_marks() {
            marks.add(tokens, base, text.len());
        }
        if self.measures.has(Measure::Words) {
            let mut add = |words: &[Span], total: Sum, continued: Sum| {
                tokens.count_overlaps(marks, base, words, |count| {
                    sums[total as usize] += count as u64;
                    sums[continued as usize] += u64::from(count > 1);
                });
            };
            add(features.words.of(in_share), Sum::WordTokens, Sum::ContinuedWords);
            add(features.words_unicode.of(in_share), Sum::WordTokensUnicode, Sum::ContinuedWordsUnicode);
        }
        if self.measures.has(Measure::Unknown) {
            let (count, characters) = match self.tokenizer.unknown_id() {
                Some(unknown) => unknown_in(tokens, unknown, text),
                None if self.leaves_out => (0, left_out(tokens, text)),
                None => (0, 0),
            };
            sums[Sum::UnknownTokens as usize] += count;
            sums[Sum::UnknownCharacters as usize] += characters;
            row.unknown_characters = characters as u32;
        }
        if self.measures.has(Measure::Utf8) {
            add_characters(tokens, text, sums);
        }
        if self.measures.has(Measure::Digits) {
            add_digits(marks, base, features.digits.of(in_share), sums);
        }
        if self.measures.has(Measure::Spaces) {
            add_spaces(marks, base, features.spaces.of(in_share), sums);
        }
        row
    }
}

impl TokenizerCounts {
    /// Adds the tokens of one document.
    fn count_ids(&mut self, ids: &[Id], group: usize) {
        for &id in ids {
            let count = &mut self.ids[id as usize];
            if *count == 0 {
                self.seen.push(id);
            }
            *count += 1;
        }
        self.sums[group][Sum::Tokens as usize] += ids.len() as u64;
        *self.lengths.entry(ids.len() as u32).or_default() += 1;
    }
}

/// Unknown tokens, and the characters that they hold.
fn unknown_in(tokens: &impl Tokens, unknown: Id, text: &str) -> (u64, u64) {
    let (mut count, mut characters, mut counted) = (0, 0, 0);
    for (at, _) in tokens.ids().iter().enumerate().filter(|&(_, &id)| id == unknown) {
        count += 1;
        let (start, end) = (tokens.start(at) as usize, tokens.end(at) as usize);
        if start < end {
            let from = boundary_before(text, start).max(counted);
            let to = boundary_behind(text, end).max(from);
            characters += super::features::characters(&text[from..to]).0;
            counted = to;
        }
    }
    (count, characters)
}

/// Whether the model of a tokenizer drops characters that its vocabulary lacks.
pub(super) fn leaves_out(tokenizer: &Tokenizer) -> bool {
    let is_byte_level = tokenizer.parts().decoder == Some(Decoder::ByteLevel);
    matches!(tokenizer.model(), Model::Bpe(bpe) if bpe.leaves_out(is_byte_level))
}

/// Characters other than white space with a byte that no token holds.
fn left_out(tokens: &impl Tokens, text: &str) -> u64 {
    let mut spans: Vec<Span> = tokens.spans().filter(|span| span.start < span.end).collect();
    spans.sort_unstable_by_key(|span| span.start);
    let (mut characters, mut held, mut counted) = (0, 0, 0);
    let end = Span { start: text.len() as u32, end: text.len() as u32 };
    for span in spans.into_iter().chain([end]) {
        if held < span.start {
            let from = boundary_before(text, held as usize).max(counted);
            let to = boundary_behind(text, span.start as usize);
            characters += text[from..to].chars().filter(|c| !c.is_whitespace()).count() as u64;
            counted = to;
        }
        held = held.max(span.end);
    }
    characters
}

fn add_characters(tokens: &impl Tokens, text: &str, sums: &mut Sums) {
    let (mut whole, mut crossing) = (0, 0);
    let is_inside = |at: u32| !text.is_char_boundary(at as usize);
    let mut spans = tokens.spans().filter(|span| span.start < span.end).peekable();
    let mut before = 0;
    while let Some(span) = spans.next() {
        let is_torn = is_inside(span.start) || is_inside(span.end);
        let shares = span.start < before || spans.peek().is_some_and(|next| next.start < span.end);
        whole += u64::from(!is_torn && !shares);
        let first_ends = || boundary_behind(text, span.start as usize + 1);
        crossing += u64::from(is_torn && (span.end as usize) > first_ends());
        before = span.end;
    }
    sums[Sum::WholeCharacterTokens as usize] += whole;
    sums[Sum::CrossingTokens as usize] += crossing;
    sums[Sum::SplitCharacters as usize] += split_characters(tokens.spans(), text) as u64;
}

fn add_digits(marks: &Marks, base: usize, runs: &[Span], sums: &mut Sums) {
    for run in runs {
        let (start, end) = (base + run.start as usize, base + run.end as usize);
        sums[Sum::DigitPredicted as usize] += marks.count(start + 1..end);
        let expected = (start + 1..end).rev().skip(2).step_by(3);
        sums[Sum::DigitExpected as usize] += expected.len() as u64;
        sums[Sum::DigitTrue as usize] += expected.filter(|&at| marks.has(at)).count() as u64;
    }
}

fn add_spaces(marks: &Marks, base: usize, runs: &[Span], sums: &mut Sums) {
    sums[Sum::SpaceRuns as usize] += runs.len() as u64;
    for run in runs {
        let (start, end) = (base + run.start as usize, base + run.end as usize);
        let (before, after) = (marks.has(start), marks.has(end));
        sums[Sum::SpaceBoundariesBefore as usize] += u64::from(before);
        sums[Sum::SpaceBoundariesAfter as usize] += u64::from(after);
        let touches = before || after || marks.count(start + 1..end) > 0;
        sums[Sum::SpaceBoundaries as usize] += u64::from(touches);
    }
}
