//! Normalizer, pretokenizer and model one after the other: the definition of every tokenizer of a tokenizer.json.
//!
//! Simple rather than fast: every stage looks at the text anew, which knows the place of every byte in the original. No
//! pretoken is kept: each goes to the model as soon as it is found. A [`Shortcut`] does the same in less time where one is known for the stages; without it they are what it is tested against.

mod byte_level;
pub mod spaces;
#[cfg(test)]
mod tests;
mod units;

pub use byte_level::{NormalizedByteLevel, Scanner};
use spaces::Spaces;
use units::{UnitCache, Units};

use crate::added_tokens::{AddedTokens, Segment, Specials};
use crate::alignment::Part;
use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::memory::HeapBytes;
use crate::models::{self, Model, NotEncoded};
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::pieces::{Piece, Pieces};
use crate::pipelines::byte_level::WordCache;
use crate::pretokenizers::Pretokenizer;

/// The stages between the added tokens and the postprocessor.
#[derive(Clone, Debug)]
pub struct Staged {
    /// What changes the text, if anything.
    pub normalizer: Option<Normalizer>,
    /// What splits it, if anything.
    pub pretokenizer: Option<Pretokenizer>,
    /// What makes tokens of the pieces.
    pub model: Model,
    /// Where texts can be split, if anywhere.
    pub spaces: Option<Spaces>,
    /// A quicker way to the same tokens.
    shortcut: Option<Shortcut>,
}

/// A quicker way to the tokens of stages.
#[derive(Clone, Debug)]
enum Shortcut {
    /// The text is normalized where that changes it, then goes through the fused pass.
    ByteLevel(Box<NormalizedByteLevel>),
    /// The text falls into units, which go through the stages once and are remembered.
    Units(Box<Units>),
}

/// What one thread needs for the shortcuts; belongs to the [`Staged`] it is first used with.
#[derive(Default)]
pub struct Scratch {
    words: WordCache,
    /// Units of texts in which special tokens are looked for, and of others.
    units: [UnitCache; 2],
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.words.heap_bytes() + self.units.iter().map(HeapBytes::heap_bytes).sum::<usize>()
    }
}

impl Staged {
    /// The stages alone.
    pub fn new(normalizer: Option<Normalizer>, pretokenizer: Option<Pretokenizer>, model: Model) -> Self {
        Self { normalizer, pretokenizer, model, spaces: None, shortcut: None }
    }

    /// Finds out where texts with these added tokens can be split.
    pub fn find_spaces(&mut self, added: &AddedTokens) {
        self.spaces = Spaces::of(self, added);
    }

    /// Takes a shortcut from here on, if there is one; `byte_level` is one that the stages allow. Split points are
    /// found before.
    pub fn take_shortcut(&mut self, added: &AddedTokens, byte_level: Option<NormalizedByteLevel>) {
        // What is looked for in normalized text has no place in a pass that does not keep it.
        let byte_level = byte_level.filter(|_| self.normalizer.is_none() || !added.has_normalized());
        self.shortcut = match byte_level {
            Some(byte_level) => Some(Shortcut::ByteLevel(Box::new(byte_level))),
            None => Units::of(self).map(|units| Shortcut::Units(Box::new(units))),
        };
    }

    /// Pushes the tokens of `text`, added tokens among them. What is left to chance (dropout) is the same in every call.
    /// A text that goes on where another one ends, not `is_start`, has nothing put before it and loses nothing at its start.
    ///
    /// Errors: what is unknown to a model without an unknown token; a pattern that tries too many ways to match.
    pub fn encode<S: Sink>(
        &self,
        added: &AddedTokens,
        text: &str,
        is_start: bool,
        specials: Specials,
        scratch: &mut Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        if self.shortcut.is_some() {
            return self.encode_segments(added, text, is_start, specials, scratch, sink);
        }
        self.encode_stages(added, text, is_start, specials, sink)
    }

    /// Whether whole units are remembered, so that no stage runs for those seen before.
    pub fn remembers_units(&self) -> bool {
        matches!(self.shortcut, Some(Shortcut::Units(_)))
    }

    /// The same as [`Self::encode`] without a shortcut: its definition.
    ///
    /// Errors: as [`Self::encode`].
    pub fn encode_stages<S: Sink>(
        &self,
        added: &AddedTokens,
        text: &str,
        is_start: bool,
        specials: Specials,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        sink.enter(Stage::Normalizer);
        let others = self.normalizer.as_ref();
        let inside = others.filter(|normalizer| !is_start && normalizer.changes_starts()).map(Normalizer::inside);
        let first = inside.as_ref().or(others);
        let pieces = added.pieces_with(text, 0, first, others, specials)?;
        self.push_pieces(&pieces, self.pretokenizer.as_ref(), text, &mut models::Scratch::new(0), sink)
    }

    /// The normalizer and the pretokenizer for a text that continues another one: they put nothing before it.
    pub fn stages_inside(&self) -> (Option<Normalizer>, Option<Pretokenizer>) {
        (self.normalizer.as_ref().map(Normalizer::inside), self.pretokenizer.as_ref().map(Pretokenizer::inside))
    }

    /// Pushes the tokens of a text that continues bytes which are no characters. `first` and `pretokenizer` are those of
    /// [`Self::stages_inside`].
    ///
    /// Errors: as [`Self::encode`].
    pub fn encode_inside<S: Sink>(
        &self,
        added: &AddedTokens,
        (first, pretokenizer): &(Option<Normalizer>, Option<Pretokenizer>),
        text: &str,
        specials: Specials,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let pieces = added.pieces_with(text, 0, first.as_ref(), self.normalizer.as_ref(), specials)?;
        self.push_pieces(&pieces, pretokenizer.as_ref(), text, &mut models::Scratch::new(0), sink)
    }

    /// Encodes by the shortcut what is between the added tokens that the text itself spells.
    fn encode_segments<S: Sink>(
        &self,
        added: &AddedTokens,
        text: &str,
        is_start: bool,
        specials: Specials,
        scratch: &mut Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        // Where nothing changes the text, all added tokens are in it as they are looked for.
        let all = matches!(self.shortcut, Some(Shortcut::ByteLevel(_))) || self.normalizer.is_none();
        let segments = if all { added.segments(text, specials)? } else { added.raw_segments(text, specials)? };
        let mut model = models::Scratch::new(0);
        for segment in segments {
            let span = match segment {
                Segment::Token(found, span) => {
                    sink.spelling(&text[span.range()]);
                    sink.push_added(found.id, span, found.special);
                    continue;
                }
                Segment::Text(span) => span,
            };
            match (&self.shortcut, &self.spaces) {
                (Some(Shortcut::ByteLevel(fused)), _) => {
                    fused.encode(&text[span.range()], span.start as usize, &mut scratch.words, sink);
                }
                (Some(Shortcut::Units(units)), Some(spaces)) => {
                    let cache = &mut scratch.units[usize::from(specials == Specials::Text)];
                    let job = units::Job { staged: self, units, spaces, added, text, specials };
                    job.encode(span, is_start || span.start > 0, &mut model, cache, sink)?;
                }
                _ => unreachable!("units have spaces, and the caller asked whether there is a shortcut"),
            }
        }
        Ok(())
    }

    /// Encodes the part `span` of `text`, in which no added token is spelled as it is looked for in the text itself.
    fn encode_part<S: Sink>(
        &self,
        added: &AddedTokens,
        (text, span): (&str, Span),
        normalizer: Option<&Normalizer>,
        specials: Specials,
        scratch: &mut models::Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let mut pieces = Pieces::new(&text[span.range()], span.start as usize);
        if let Some(normalizer) = normalizer {
            pieces.try_change(|piece| normalizer.normalize(piece))?;
            // Where no token is looked for, too: pieces begin where what is left of them begins.
            added.settle(&mut pieces, true, specials)?;
        }
        self.push_pieces(&pieces, self.pretokenizer.as_ref(), text, scratch, sink)
    }

    fn push_pieces<S: Sink>(
        &self,
        pieces: &Pieces,
        pretokenizer: Option<&Pretokenizer>,
        text: &str,
        scratch: &mut models::Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        sink.enter(Stage::Pretokenizer);
        for piece in pieces.iter() {
            let part = piece.text.whole();
            if let Some(found) = piece.token {
                sink.spelling(part.text());
                sink.push_added(found.id, part.span(0..part.text().len()), found.special);
                continue;
            }
            match pretokenizer {
                Some(pretokenizer) => {
                    pretokenizer.split(&part, &mut |pretoken| {
                        let pushed = self.push_pretoken(&pretoken, text, scratch, sink);
                        sink.enter(Stage::Pretokenizer);
                        pushed
                    })?;
                }
                None => self.push_pretoken(&part, text, scratch, sink)?,
            }
        }
        Ok(())
    }

    fn push_pretoken<S: Sink>(
        &self,
        pretoken: &Part<'_>,
        text: &str,
        scratch: &mut models::Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        // Other models spell what they do not know as their unknown token.
        let unknown = self.model.unknown().filter(|_| matches!(self.model, Model::Unigram(_)));
        sink.enter(Stage::Model);
        sink.begin_pretoken();
        let encoded = self.model.for_each_token(pretoken.text(), scratch, |id, range| {
            if unknown == Some(id) {
                sink.spelling(&pretoken.text()[range.clone()]);
            }
            sink.push(id, pretoken.span(range));
        });
        encoded.map_err(|refused| unknown_in(text, pretoken, refused))
    }
}

/// The error for what a model does not know in a piece of `text`.
pub fn no_unknown(text: &str, piece: &Piece, refused: NotEncoded) -> EncodeError {
    unknown_in(text, &piece.text.whole(), refused)
}

fn unknown_in(text: &str, pretoken: &Part<'_>, NotEncoded { at }: NotEncoded) -> EncodeError {
    let span = pretoken.span(at);
    EncodeError::NoUnknown { text: text[span.range()].to_owned(), byte: span.start as usize }
}
