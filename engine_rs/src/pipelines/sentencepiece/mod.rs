//! SentencePiece as its library does it: one normalizer, one model over the whole text, and tokens with their places.
//!
//! Not here: SentencePiece models that were made into a tokenizer.json, which are stages like any other
//! ([`super::staged`]).
//!
//! Source: `SentencePieceProcessor` in `sentencepiece` 0.2.

mod decode;
mod ways;

pub use decode::Token;

use std::ops::Range;

use crate::encoding::{Sink, Stage};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::scored::{self, Kind, Scored};
use crate::normalizers::sentencepiece::{Normalized, SentencePieceNormalizer};
use crate::offsets::Span;

/// Normalizer, model, and what decoding needs.
#[derive(Clone, Debug)]
pub struct SentencePiece {
    normalizer: SentencePieceNormalizer,
    model: Scored,
    /// What the unknown token becomes in decoding.
    unknown_surface: String,
    /// What decoded text goes through.
    denormalizer: Option<SentencePieceNormalizer>,
}

/// Memory to be used again.
#[derive(Default)]
pub struct Scratch {
    normalized: Normalized,
    tokens: Vec<(Id, Range<usize>)>,
    model: scored::Scratch,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        let Self { normalized, tokens, model } = self;
        normalized.text.heap_bytes() + normalized.starts.heap_bytes() + tokens.heap_bytes() + model.heap_bytes()
    }
}

impl SentencePiece {
    /// Puts the parts together; the normalizer leaves the model's user-defined tokens alone.
    pub fn new(
        normalizer: SentencePieceNormalizer,
        model: Scored,
        unknown_surface: String,
        denormalizer: Option<SentencePieceNormalizer>,
    ) -> Self {
        let normalizer = SentencePieceNormalizer { kept: model.user_defined().clone(), ..normalizer };
        Self { normalizer, model, unknown_surface, denormalizer }
    }

    /// The model.
    pub fn model(&self) -> &Scored {
        &self.model
    }

    /// The normalizer.
    pub fn normalizer(&self) -> &SentencePieceNormalizer {
        &self.normalizer
    }

    /// Pushes the tokens of `text`, whose first byte stands at byte `base` of the original.
    ///
    /// Spans are those of the library: a token starts where its first character comes from and ends where the next token's
    /// does, so that only spaces that went away lie in no token, and of a character that became several tokens the last
    /// one has it. Bytes of a character that is in no token are the exception: each has its own place here.
    ///
    /// `is_start` is false for a text that goes on behind another one: see [`SentencePieceNormalizer::normalize_from`].
    pub fn encode<S: Sink>(&self, text: &str, base: usize, is_start: bool, scratch: &mut Scratch, sink: &mut S) {
        let Scratch { normalized, tokens, model } = scratch;
        sink.enter(Stage::Normalizer);
        self.normalizer.normalize_from(text, is_start, normalized);
        sink.enter(Stage::Model);
        if normalized.text.is_empty() {
            return;
        }
        sink.begin_pretoken();
        tokens.clear();
        self.model.encode_units(&normalized.text, model, tokens, |is_known| sink.looked_up(is_known));
        self.push(text, base, normalized, tokens.drain(..), sink);
    }

    /// Pushes the tokens of the model for a normalized text that is not empty, bytes in the place of what is unknown.
    pub fn push<S: Sink>(
        &self,
        text: &str,
        base: usize,
        normalized: &Normalized,
        tokens: impl Iterator<Item = (Id, Range<usize>)>,
        sink: &mut S,
    ) {
        let place = |start: usize, end: usize| {
            let (start, end) = (normalized.starts[start] as usize, normalized.starts[end] as usize);
            Span::new(base + start, base + end)
        };
        let unknown = self.model.unknown();
        // A run of what is unknown is one token.
        let mut waiting: Option<Span> = None;
        for (id, range) in tokens {
            let span = place(range.start, range.end);
            match (id == unknown, self.model.bytes()) {
                (true, Some(bytes)) => {
                    let spelled = normalized.text[range].as_bytes();
                    let original = &text.as_bytes()[span.start as usize - base..span.end as usize - base];
                    for (at, &byte) in spelled.iter().enumerate() {
                        let start = span.start as usize + at;
                        let own = if spelled == original { Span::new(start, start + 1) } else { span };
                        sink.push(bytes[usize::from(byte)], own);
                    }
                }
                (true, None) => {
                    let start = waiting.map_or(span.start, |before| before.start);
                    waiting = Some(Span { start, end: span.end });
                }
                (false, _) => {
                    waiting.take().into_iter().for_each(|before| sink.push(unknown, before));
                    sink.push(id, span);
                }
            }
        }
        waiting.into_iter().for_each(|before| sink.push(unknown, before));
    }

    /// Why decoding need not give the text back, or `None` where it always does.
    pub fn lossy(&self) -> Option<&'static str> {
        let normalizer = &self.normalizer;
        if normalizer.charsmap.is_some() || normalizer.remove_extra_whitespaces {
            return Some("the normalizer changes the text");
        }
        if self.model.bytes().is_none() {
            return Some("what is unknown is gone");
        }
        Some("▁ in the text is read as a space")
    }

    /// What a token is for.
    pub fn kind(&self, id: Id) -> Kind {
        self.model.kind(id)
    }
}
