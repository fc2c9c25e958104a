//! From tokens back to text. A decoder turns a list of strings into a list of strings; the last list joined is the text.

pub mod byte_fallback;
pub mod byte_level;
pub(crate) mod ctc;
pub mod sentencepiece;
pub(crate) mod simple;
pub mod wordpiece;

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
    /// Errors: a pattern that tries too many ways to match.
    pub(crate) fn decode(&self, tokens: Vec<String>) -> Result<Vec<String>, DecodeError> {
        Ok(match self {
            Self::ByteLevel => vec![byte_level::decode_spelled(&tokens)],
            Self::WordPiece(decoder) => decoder.parts(&tokens),
            Self::Metaspace { replacement, prepended } => simple::metaspace(tokens, *replacement, *prepended),
            Self::Bpe { suffix } => simple::suffix(&tokens, suffix),
            Self::Ctc(ctc) => ctc.parts(tokens),
            Self::Fuse => vec![tokens.concat()],
            Self::Strip { content, start, stop } => {
                tokens.iter().map(|token| simple::strip(token, *content, *start, *stop).to_owned()).collect()
            }
            Self::Replace(replace) => tokens.iter().map(|token| replace.replaced(token)).collect::<Result<_, _>>()?,
            Self::ByteFallback => byte_fallback::parts(tokens),
            Self::SentencePiece(_) => tokens,
            Self::Sequence(all) => {
                let mut tokens = tokens;
                for decoder in all {
                    tokens = decoder.decode(tokens)?;
                }
                tokens
            }
        })
    }
}

#[cfg(test)]
mod tests;
