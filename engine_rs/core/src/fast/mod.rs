//! Fast paths: quicker ways to the tokens of some stages, tested equal to them. Only `encode` uses them.
//!
//! Not here: the definition of what they do ([`crate::stages`]).

pub mod beyond_ascii;
pub mod blocks;
pub(crate) mod by_split_points;
pub mod byte_level;
mod long_words;
mod memo;
mod plain_words;
pub mod processor;
mod queue;
mod seen;
mod segment_memo;
mod segments;
#[cfg(test)]
mod tests;
mod texts;
pub mod unigram;
pub mod wordpiece;

use crate::added_tokens::{AddedTokens, Segment, Specials};
use crate::call;
use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::memory::HeapBytes;
use crate::models;
use crate::models::unigram::WordScratch;
use crate::normalizers::MOST_GROWTH;
use crate::offsets::Span;
use crate::stages::{Stages, Start};
use crate::vocab::Vocab;
use by_split_points::{BySplitPoints, Job};
use byte_level::ByteLevel;
use segment_memo::SegmentMemo;
use unigram::UnigramByWords;
use wordpiece::WordPiecePath;

/// A quicker way to the tokens of stages.
#[derive(Clone, Debug)]
pub(crate) enum FastPath {
    /// Byte-level BPE: split pattern and merges in one pass.
    ByteLevel(Box<ByteLevel>),
    /// BERT: clean-up, words and longest matches in one pass.
    WordPiece(Box<WordPiecePath>),
    /// The text is split at split points; what was between two of them before is remembered.
    BySplitPoints(Box<BySplitPoints>),
    /// Unigram of a `.model`: the text is split at white space, and words are remembered with the sums before them.
    UnigramByWords(Box<UnigramByWords>),
}

/// What one thread needs; belongs to the [`FastPath`] it is first used with.
#[derive(Default)]
pub struct Scratch {
    pub(crate) byte_level: byte_level::WordCache,
    wordpiece: wordpiece::WordCache,
    /// Segments of texts in which special tokens are looked for, and of others.
    segments: [SegmentMemo; 2],
    words: WordScratch,
    unigram: unigram::WordCache,
    model: models::Scratch,
}

impl Scratch {
    /// That of the model alone.
    pub(crate) fn model(&mut self) -> &mut models::Scratch {
        &mut self.model
    }
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        let Self { byte_level, wordpiece, segments, words, unigram, model } = self;
        let segments = segments.iter().map(HeapBytes::heap_bytes).sum::<usize>();
        byte_level.heap_bytes()
            + wordpiece.heap_bytes()
            + segments
            + words.heap_bytes()
            + unigram.heap_bytes()
            + model.heap_bytes()
    }
}

/// A text of so many bytes stays below 4 GiB whatever the normalizer of a fast path.
const SURELY_SHORT: usize = (u32::MAX as usize) / MOST_GROWTH;

impl FastPath {
    /// Pushes the tokens that [`Stages::encode`] pushes.
    ///
    /// Errors: as [`Stages::encode`].
    pub(crate) fn encode<S: Sink>(
        &self,
        (stages, added): (&Stages, &AddedTokens),
        text: &str,
        start: Start,
        specials: Specials,
        scratch: &mut Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        call::check()?;
        // Only the stages know how long the normalized text is; fast paths take it for shorter than 4 GiB.
        if text.len() > SURELY_SHORT
            && let Some(normalizer) = &stages.normalizer
            && text.len().saturating_mul(normalizer.growth()) > u32::MAX as usize
        {
            return stages.encode_with(added, text, start, specials, &mut scratch.model, sink);
        }
        match self {
            Self::ByteLevel(path) if added.finds_none(specials) => path.encode(text, 0, &mut scratch.byte_level, sink),
            Self::ByteLevel(path) => each_segment(added.segments(text, specials)?, text, sink, |span, sink| {
                path.encode(&text[span.range()], span.start as usize, &mut scratch.byte_level, sink)
            }),
            Self::WordPiece(path) if added.finds_none(specials) => path.encode(text, 0, &mut scratch.wordpiece, sink),
            Self::WordPiece(path) => each_segment(added.segments(text, specials)?, text, sink, |span, sink| {
                path.encode(&text[span.range()], span.start as usize, &mut scratch.wordpiece, sink)
            }),
            Self::BySplitPoints(path) => {
                // If no normalizer changes the text, all added tokens are in it as they are looked for.
                let all = stages.normalizer.is_none();
                let segments =
                    if all { added.segments(text, specials)? } else { added.raw_segments(text, specials)? };
                let Scratch { segments: memos, model: scratch, words, .. } = scratch;
                scratch.reseed(0);
                let memo = &mut memos[usize::from(specials == Specials::Text)];
                let mut job = Job { path, stages, run: stages.run(added, specials), scratch, words, memo };
                each_segment(segments, text, sink, |span, sink| {
                    let start = if span.start > 0 { Start::OfText } else { start };
                    job.encode(&text[span.range()], span.start, start, sink)
                })
            }
            Self::UnigramByWords(path) => {
                let segments = added.raw_segments(text, specials)?;
                let cache = &mut scratch.unigram;
                let mut job = unigram::Job { path, stages, run: stages.run(added, specials), cache };
                each_segment(segments, text, sink, |span, sink| {
                    let start = if span.start > 0 { Start::OfText } else { start };
                    job.encode(&text[span.range()], span.start, start, sink)
                })
            }
        }
    }

    /// Whether the time of every text is linear in its length, with a small factor.
    pub(crate) fn is_one_pass(&self) -> bool {
        match self {
            Self::ByteLevel(path) => !path.runs_matcher(),
            Self::WordPiece(_) => true,
            Self::BySplitPoints(_) | Self::UnigramByWords(_) => false,
        }
    }

    /// The vocabulary, if the bytes of all tokens one after the other are the text.
    pub(crate) fn vocab_without_gaps(&self) -> Option<&Vocab> {
        match self {
            Self::ByteLevel(path) if path.keeps_text() => Some(&path.vocab),
            _ => None,
        }
    }

    /// The stages before the model that run in one pass with it, so that their times cannot be separated.
    pub(crate) fn stages_in_one_pass(&self) -> &'static [Stage] {
        match self {
            Self::ByteLevel(_) => &[],
            Self::WordPiece(_) => &[Stage::Normalizer],
            Self::BySplitPoints(_) | Self::UnigramByWords(_) => &[Stage::Normalizer, Stage::Pretokenizer],
        }
    }
}

/// Pushes the added tokens among the segments of a text and calls `encode` with the others.
#[inline(always)]
fn each_segment<S: Sink>(
    segments: Vec<Segment>,
    text: &str,
    sink: &mut S,
    mut encode: impl FnMut(Span, &mut S) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    let mut checks = call::Checks::default();
    for segment in segments {
        checks.step()?;
        match segment {
            Segment::Token(found, span) => {
                sink.spelling(&text[span.range()]);
                sink.push_added(found.id, span, found.special);
            }
            Segment::Text(span) => encode(span, sink)?,
        }
    }
    Ok(())
}
