//! The tokens of a document under one tokenizer, kept through its edits.

use std::ops::{Range, RangeInclusive};

use super::Change;
use token_engine::internals::encoding::{Sink, split_characters};
use token_engine::internals::split_points::SplitPoints;
use token_engine::postprocessors::Postprocessor;
use token_engine::{EncodeError, EncodeOptions, Encoding, Id, NO_WORD, Span, Tokenizer, flags};

/// Set in addition to [`flags`] where a token is the first of its pretoken.
const FIRST: u8 = 64;

/// The tokens of a text in order, and those that the postprocessor adds around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedText {
    ids: Vec<Id>,
    spans: Vec<Span>,
    flags: Vec<u8>,
    leading: Vec<Id>,
    trailing: Vec<Id>,
    unknown: usize,
    pretokens: usize,
    split_characters: usize,
    /// Whether the postprocessor only adds tokens before and after the text, as all known ones do.
    regular: bool,
}

/// The tokens that an edit replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Index of the first replaced token, not counting those of the postprocessor.
    pub first: usize,
    /// How many tokens were removed.
    pub removed: usize,
    /// How many tokens were inserted.
    pub inserted: usize,
    /// Whether the whole text was encoded again.
    pub whole: bool,
}

impl EncodedText {
    /// Encodes a text. The tokens come straight from the model unless the postprocessor changes their spans.
    pub(super) fn of_text(tokenizer: &Tokenizer, text: &str, options: EncodeOptions) -> Result<Self, EncodeError> {
        let around = tokenizer.around_text(options.add_special_tokens);
        let trims = tokenizer.parts().postprocessor.as_ref().is_some_and(Postprocessor::trims);
        let Some((leading, trailing)) = around.filter(|_| !trims) else {
            return Ok(Self::new(tokenizer, tokenizer.encode(text, None, options)?, text, options));
        };
        let room = text.len() / 3;
        let mut tokens = Tokens {
            ids: Vec::with_capacity(room),
            spans: Vec::with_capacity(room),
            flags: Vec::with_capacity(room),
            unknown: tokenizer.unknown_id(),
            ..Tokens::default()
        };
        tokenizer.encode_into(text, options.specials, &mut tokens)?;
        let Tokens { ids, spans, flags, pretokens, .. } = tokens;
        let (unknown, split_characters) = (count_unknown(&flags), split_characters(spans.iter().copied(), text));
        Ok(Self { ids, spans, flags, leading, trailing, unknown, pretokens, split_characters, regular: true })
    }

    fn new(tokenizer: &Tokenizer, encoding: Encoding, text: &str, options: EncodeOptions) -> Self {
        let around = tokenizer.around_text(options.add_special_tokens);
        let regular = around.is_some();
        let (leading, trailing) = around.unwrap_or_default();
        let own = leading.len()..encoding.len() - trailing.len();
        let unknown = tokenizer.unknown_id();
        let mut encoded = Self {
            ids: encoding.ids[own.clone()].to_vec(),
            flags: flags_of(&encoding, own.clone(), unknown),
            spans: encoding.spans[own].to_vec(),
            leading,
            trailing,
            unknown: 0,
            pretokens: encoding.pretoken_count(),
            split_characters: 0,
            regular,
        };
        encoded.unknown = count_unknown(&encoded.flags);
        encoded.split_characters = split_characters(encoded.spans.iter().copied(), text);
        encoded
    }

    /// Encodes the part `range` of a text, between two split points, with the postprocessor's tokens if the part starts
    /// or ends the text. Counts nothing. Returns `None` if the postprocessor does more than add tokens around the text.
    pub(super) fn of_part(
        tokenizer: &Tokenizer,
        text: &str,
        range: Range<usize>,
        (starts, ends): (bool, bool),
        options: EncodeOptions,
    ) -> Result<Option<Self>, EncodeError> {
        let Some((leading, trailing)) = tokenizer.around_text(options.add_special_tokens) else { return Ok(None) };
        let encoding = tokenizer.encode_part(text, Span::new(range.start, range.end), options.specials)?;
        Ok(Some(Self {
            flags: flags_of(&encoding, 0..encoding.len(), tokenizer.unknown_id()),
            ids: encoding.ids,
            spans: encoding.spans,
            leading: if starts { leading } else { vec![] },
            trailing: if ends { trailing } else { vec![] },
            unknown: 0,
            pretokens: 0,
            split_characters: 0,
            regular: true,
        }))
    }

    /// Keeps only the tokens that start in `range`, or with `to_end` all from its start, because the last tokens of a
    /// text may have empty spans.
    pub(super) fn keep(&mut self, range: &Range<usize>, to_end: bool) {
        let first = self.spans.partition_point(|span| (span.start as usize) < range.start);
        let last = self.spans.partition_point(|span| to_end || (span.start as usize) < range.end);
        self.ids = self.ids[first..last].to_vec();
        self.flags = self.flags[first..last].to_vec();
        self.spans = self.spans[first..last].to_vec();
    }

    /// Ids of the tokens of the text.
    pub fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// Their spans in UTF-8 bytes.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Their bits of [`flags`].
    pub(crate) fn flags(&self, range: Range<usize>) -> impl Iterator<Item = u8> {
        self.flags[range].iter().map(|flags| flags & !FIRST)
    }

    /// Ids that the postprocessor adds before the text.
    pub fn leading(&self) -> &[Id] {
        &self.leading
    }

    /// Ids that the postprocessor adds after the text.
    pub fn trailing(&self) -> &[Id] {
        &self.trailing
    }

    /// Number of unknown tokens in the text.
    pub fn unknown_count(&self) -> usize {
        self.unknown
    }

    /// Number of pretokens in the text.
    pub fn pretoken_count(&self) -> usize {
        self.pretokens
    }

    /// Number of characters that more than one token covers.
    pub fn split_character_count(&self) -> usize {
        self.split_characters
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.ids.capacity() * 4 + self.spans.capacity() * 8 + self.flags.capacity()
    }

    /// Returns the smallest span that covers the tokens `range`; `None` for an empty range.
    pub fn extent(&self, range: Range<usize>) -> Option<Span> {
        let spans = &self.spans[range];
        let start = spans.iter().map(|span| span.start).min()?;
        Some(Span { start, end: spans.iter().map(|span| span.end).max()? })
    }

    /// Whether a token or the text starts or ends at one of these bytes.
    pub(super) fn has_boundary(&self, at: RangeInclusive<usize>) -> bool {
        let near = self.spans.partition_point(|span| (span.end as usize) < *at.start());
        let near = &self.spans[near..self.spans.len().min(near + NEAR)];
        near.iter().flat_map(|span| [span.start as usize, span.end as usize]).any(|end| at.contains(&end))
    }

    /// Encodes the part of the text that an edit changes, without applying it. `part` is a range of the old text
    /// between two split points, or the whole text.
    ///
    /// Errors: as [`Tokenizer::encode`].
    pub(super) fn revise(
        &self,
        tokenizer: &Tokenizer,
        change: &Change<'_>,
        part: Range<usize>,
        options: EncodeOptions,
    ) -> Result<Revision, EncodeError> {
        let new_part = part.start..part.end.saturating_add_signed(change.shift());
        let points = SplitPoints::new(tokenizer, options.specials);
        let is_small = !new_part.is_empty() && new_part.len() < change.text.len();
        if self.regular
            && is_small
            && points.is_split_point(change.text, new_part.start)
            && points.is_split_point(change.text, new_part.end)
        {
            let span = Span::new(new_part.start, new_part.end);
            let encoding = tokenizer.encode_part(change.text, span, options.specials)?;
            let continues_pretoken = points.are_in_pretokens() && new_part.start > 0;
            return Ok(Revision::Part { encoding, part, continues_pretoken });
        }
        Ok(Revision::Whole(Self::of_text(tokenizer, change.text, options)?))
    }

    /// Replaces the old tokens by those of a revision.
    pub(super) fn apply(&mut self, tokenizer: &Tokenizer, change: &Change<'_>, revision: Revision) -> Replaced {
        match revision {
            Revision::Part { encoding, part, continues_pretoken } => {
                self.replace(tokenizer, &encoding, &part, change, continues_pretoken)
            }
            Revision::Whole(new) => {
                let replaced = difference(self, 0..self.ids.len(), &new, change);
                *self = new;
                Replaced { whole: true, ..replaced }
            }
        }
    }

    /// Replaces the tokens of `part`, a range of the old text between two split points, by those of `encoding`. If
    /// `continues_pretoken`, the first of them belongs to the pretoken of the token before it.
    fn replace(
        &mut self,
        tokenizer: &Tokenizer,
        encoding: &Encoding,
        part: &Range<usize>,
        change: &Change<'_>,
        continues_pretoken: bool,
    ) -> Replaced {
        let first = self.spans.partition_point(|span| (span.start as usize) < part.start);
        // At the end of the text a span may be empty, when its white space is trimmed; at a split point none is.
        let behind = if part.end == change.before.len() {
            self.spans.len()
        } else {
            first + self.spans[first..].partition_point(|span| (span.start as usize) < part.end)
        };
        let old = first..behind;
        let all = 0..encoding.len();
        let mut new = Self {
            flags: flags_of(encoding, all, tokenizer.unknown_id()),
            ids: encoding.ids.clone(),
            spans: encoding.spans.clone(),
            leading: vec![],
            trailing: vec![],
            unknown: 0,
            pretokens: encoding.pretoken_count(),
            split_characters: split_characters(encoding.spans.iter().copied(), change.text),
            regular: true,
        };
        if let Some(flags) = new.flags.first_mut().filter(|flags| continues_pretoken && **flags & flags::ADDED == 0) {
            *flags &= !FIRST;
            new.pretokens -= 1;
        }
        // Nothing is shared across a split point, so counts of the parts add up.
        let old_flags = &self.flags[old.clone()];
        let is_pretoken = |flags: &&u8| **flags & (FIRST | flags::ADDED) == FIRST;
        self.pretokens = self.pretokens - old_flags.iter().filter(is_pretoken).count() + new.pretokens;
        self.unknown = self.unknown - count_unknown(old_flags) + count_unknown(&new.flags);
        let old_split = split_characters(self.spans[old.clone()].iter().copied(), change.before);
        self.split_characters = self.split_characters - old_split + new.split_characters;
        let replaced = difference(self, old.clone(), &new, change);
        for span in &mut self.spans[old.end..] {
            span.start = span.start.wrapping_add_signed(change.shift() as i32);
            span.end = span.end.wrapping_add_signed(change.shift() as i32);
        }
        self.ids.splice(old.clone(), new.ids);
        self.spans.splice(old.clone(), new.spans);
        self.flags.splice(old, new.flags);
        replaced
    }
}

/// The new tokens of an edited text, not yet applied.
pub(super) enum Revision {
    /// The tokens of one part of the text.
    Part {
        encoding: Encoding,
        /// Bytes of the old text whose tokens are replaced.
        part: Range<usize>,
        /// Whether the first token belongs to the pretoken of the token before it.
        continues_pretoken: bool,
    },
    /// The tokens of the whole text.
    Whole(EncodedText),
}

/// Collects the tokens that a tokenizer pushes.
#[derive(Default)]
struct Tokens {
    ids: Vec<Id>,
    spans: Vec<Span>,
    flags: Vec<u8>,
    pretokens: usize,
    /// [`FIRST`] where the next token is the first of its pretoken.
    first: u8,
    unknown: Option<Id>,
}

impl Sink for Tokens {
    fn begin_pretoken(&mut self) {
        self.pretokens += 1;
        self.first = FIRST;
    }

    #[inline]
    fn push(&mut self, id: Id, span: Span) {
        let unknown = if self.unknown == Some(id) { flags::UNKNOWN } else { 0 };
        self.ids.push(id);
        self.spans.push(span);
        self.flags.push(self.first | unknown);
        self.first = 0;
    }

    /// Writes all `N` and truncates: the number of tokens is unpredictable, so this avoids a branch per token.
    #[inline]
    fn push_few<const N: usize>(&mut self, ids: &[Id; N], ends: &[u32; N], len: usize, start: u32) {
        let before = self.ids.len();
        let unknown = |id: Id| if self.unknown == Some(id) { flags::UNKNOWN } else { 0 };
        let starts: [u32; N] = std::array::from_fn(|at| if at == 0 { 0 } else { ends[at - 1] });
        self.flags.extend_from_slice(&ids.map(unknown));
        self.ids.extend_from_slice(ids);
        let span = |at| Span { start: start + starts[at], end: start + ends[at] };
        self.spans.extend_from_slice(&std::array::from_fn::<Span, N, _>(span));
        if len > 0 {
            self.flags[before] |= std::mem::take(&mut self.first);
        }
        self.ids.truncate(before + len);
        self.spans.truncate(before + len);
        self.flags.truncate(before + len);
    }

    fn push_added(&mut self, id: Id, span: Span, special: bool) {
        self.first = FIRST | flags::ADDED | if special { flags::SPECIAL } else { 0 };
        self.push(id, span);
    }
}

/// How many tokens after a byte are searched for a boundary in white space. A run of white space is few tokens.
const NEAR: usize = 64;

/// Compares the tokens `range` of `old` with all of `new`.
fn difference(old: &EncodedText, range: Range<usize>, new: &EncodedText, change: &Change<'_>) -> Replaced {
    let shift = change.shift() as i32;
    let (old_len, new_len) = (range.len(), new.ids.len());
    // A token that overlaps the edit has changed, even if its id is the same.
    let same = |a: usize, b: usize, shift: i32| {
        let (before, now) = (old.spans[a], new.spans[b]);
        old.ids[a] == new.ids[b]
            && old.flags[a] == new.flags[b]
            && before.start.wrapping_add_signed(shift) == now.start
            && before.end.wrapping_add_signed(shift) == now.end
    };
    let shorter = old_len.min(new_len);
    let is_before = |n: usize| old.spans[range.start + n].end as usize <= change.old.start;
    let head = (0..shorter).take_while(|&n| is_before(n) && same(range.start + n, n, 0)).count();
    let is_behind = |n: usize| old.spans[range.end - 1 - n].start as usize >= change.old.end;
    let tail =
        (0..shorter - head).take_while(|&n| is_behind(n) && same(range.end - 1 - n, new_len - 1 - n, shift)).count();
    Replaced {
        first: range.start + head,
        removed: old_len - head - tail,
        inserted: new_len - head - tail,
        whole: false,
    }
}

fn flags_of(encoding: &Encoding, range: Range<usize>, unknown: Option<Id>) -> Vec<u8> {
    range
        .map(|at| {
            let word = encoding.word_ids[at];
            let first = word != NO_WORD && (at == 0 || encoding.word_ids[at - 1] != word);
            let unknown = unknown == Some(encoding.ids[at]);
            encoding.flags[at] | if first { FIRST } else { 0 } | if unknown { flags::UNKNOWN } else { 0 }
        })
        .collect()
}

fn count_unknown(all: &[u8]) -> usize {
    all.iter().filter(|&flags| flags & flags::UNKNOWN != 0).count()
}
