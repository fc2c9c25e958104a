//! From tokens back to text. A decoder turns a list of strings into a list of strings; the last list joined is the text.

pub mod byte_level;
pub mod wordpiece;

use wordpiece::WordPieceDecoder;

/// A decoder of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoder {
    /// Characters of the byte alphabet back to bytes.
    ByteLevel,
    /// `##` and spaces.
    WordPiece(WordPieceDecoder),
    /// One after the other.
    Sequence(Vec<Decoder>),
}

impl Decoder {
    /// The parts of the text that the tokens stand for.
    pub fn decode(&self, tokens: Vec<String>) -> Vec<String> {
        match self {
            Self::ByteLevel => vec![byte_level::decode_spelled(&tokens)],
            Self::WordPiece(decoder) => vec![decoder.decode(tokens.iter().map(String::as_str))],
            Self::Sequence(all) => all.iter().fold(tokens, |tokens, decoder| decoder.decode(tokens)),
        }
    }
}
