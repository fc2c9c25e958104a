//! From tokens back to text. A decoder turns a list of strings into a list of strings; the last list joined is the text.

pub mod byte_fallback;
pub mod byte_level;
pub(crate) mod ctc;
pub mod sentencepiece;
pub(crate) mod simple;
pub mod wordpiece;

use crate::call;
use crate::error::DecodeError;
use crate::matching::Replace;
use ctc::Ctc;
use sentencepiece::SentencePieceDecoder;
use wordpiece::WordPieceDecoder;

/// A decoder of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoder {
    /// Characters of the byte alphabet back to bytes.
    ByteLevel,
    /// `##` and spaces.
    WordPiece(WordPieceDecoder),
    /// A visible character back to spaces.
    Metaspace {
        /// What spaces are written as.
        replacement: char,
        /// Whether the first token has one too many.
        prepended: bool,
    },
    /// A mark at the end of words becomes a space.
    Bpe {
        /// The mark.
        suffix: String,
    },
    /// What speech recognition gives, with repetitions.
    Ctc(Ctc),
    /// All tokens made one.
    Fuse,
    /// A character taken from the ends of every token.
    Strip {
        /// The character.
        content: char,
        /// How many at most at the start.
        start: usize,
        /// How many at most at the end.
        stop: usize,
    },
    /// Matches replaced by a text, in every token.
    Replace(Replace),
    /// Tokens like `<0xE2>` back to bytes.
    ByteFallback,
    /// Tokens of a SentencePiece model by their kinds. Ids decide, so that [`SentencePieceDecoder::decode`] takes the place of
    /// [`Self::decode`], which only sees spellings.
    SentencePiece(Box<SentencePieceDecoder>),
    /// One after the other.
    Sequence(Vec<Decoder>),
}

impl Decoder {
    /// Whether it runs a regular expression.
    pub(crate) fn runs_regex(&self) -> bool {
        match self {
            Self::Replace(replace) => replace.matcher.is_regex(),
            Self::Sequence(all) => all.iter().any(Self::runs_regex),
            _ => false,
        }
    }

    /// The parts of the text that the tokens stand for.
    ///
    /// Errors: a pattern that tries too many ways to match; more bytes than a call may make; the call was cancelled.
    pub(crate) fn decode(&self, tokens: Vec<String>) -> Result<Vec<String>, DecodeError> {
        let ids = tokens.len();
        let parts = self.decode_within(tokens, &mut Room { ids, worked: 0 })?;
        call::may_decode(bytes_of(&parts), ids)?;
        Ok(parts)
    }

    fn decode_within(&self, tokens: Vec<String>, room: &mut Room) -> Result<Vec<String>, DecodeError> {
        let parts = match self {
            Self::ByteLevel => vec![byte_level::decode_spelled(&tokens)],
            Self::WordPiece(decoder) => decoder.parts(&tokens),
            Self::Metaspace { replacement, prepended } => simple::metaspace(tokens, *replacement, *prepended),
            Self::Bpe { suffix } => simple::suffix(&tokens, suffix),
            Self::Ctc(ctc) => ctc.parts(tokens),
            Self::Fuse => vec![tokens.concat()],
            Self::Strip { content, start, stop } => {
                tokens.iter().map(|token| simple::strip(token, *content, *start, *stop).to_owned()).collect()
            }
            Self::Replace(replace) => {
                let mut left = room.max();
                let replaced = |token: &String| {
                    let new =
                        replace.replaced(token, left)?.ok_or_else(|| call::decoded_too_long(room.max(), room.ids))?;
                    left -= new.len();
                    Ok(new)
                };
                tokens.iter().map(replaced).collect::<Result<_, DecodeError>>()?
            }
            Self::ByteFallback => byte_fallback::parts(tokens),
            Self::SentencePiece(_) => tokens,
            Self::Sequence(all) => {
                let mut tokens = tokens;
                for decoder in all {
                    tokens = decoder.decode_within(tokens, room)?;
                }
                tokens
            }
        };
        room.step(&parts)?;
        Ok(parts)
    }
}

/// Decoders of a sequence that each may make the longest text there is; of shorter texts there may be more.
const MOST_STEPS: usize = 64;

/// How long the text of some ids may become, and how many bytes all decoders made so far.
struct Room {
    ids: usize,
    worked: usize,
}

impl Room {
    fn max(&self) -> usize {
        call::most_decoded(self.ids)
    }

    /// A decoder made these parts.
    ///
    /// Errors: they are too long, or many decoders worked too long; the call was cancelled.
    fn step(&mut self, parts: &[String]) -> Result<(), DecodeError> {
        call::check()?;
        let made = bytes_of(parts);
        self.worked = self.worked.saturating_add(made + parts.len());
        call::check_decoded(made, self.ids)?;
        if self.worked > self.max().saturating_mul(MOST_STEPS) {
            return Err(call::decoded_too_long(self.max(), self.ids));
        }
        Ok(())
    }
}

fn bytes_of(parts: &[String]) -> usize {
    parts.iter().map(String::len).sum()
}

#[cfg(test)]
mod tests;
