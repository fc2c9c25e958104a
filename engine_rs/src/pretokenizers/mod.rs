//! From text to pretokens: the slices that a model sees one at a time. One file per pretokenizer.

pub mod bert;
pub mod byte_level;
pub mod characters;
pub mod metaspace;
pub mod scanners;
pub mod simple;
pub mod split;
pub mod unicode_scripts;

use crate::alignment::Behavior;
use crate::error::EncodeError;
use crate::pieces::Pieces;
use byte_level::ByteLevel;
use metaspace::Metaspace;
use scanners::Pattern;
use split::Split;

/// A pretokenizer of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Pretokenizer {
    /// BERT's words and punctuation.
    Bert,
    /// A pattern known by name; the pretokens are its matches.
    Pattern(Pattern),
    /// GPT-2's pattern, then bytes spelled in the byte alphabet.
    ByteLevel(ByteLevel),
    /// Cuts at the matches of an expression.
    Split(Split),
    /// Runs of word characters and runs of everything else; white space goes away.
    Whitespace,
    /// Cuts at white space, which goes away.
    WhitespaceSplit,
    /// Cuts at punctuation.
    Punctuation(Behavior),
    /// Cuts numbers out.
    Digits {
        /// Every digit for itself, not runs of them.
        individual: bool,
    },
    /// Spaces written as a visible character, each the start of a word.
    Metaspace(Metaspace),
    /// Cuts at a character, which goes away.
    CharDelimiter(char),
    /// Cuts where the script changes.
    UnicodeScripts,
    /// Pieces of so many characters; 0 does nothing.
    FixedLength(usize),
    /// One after the other.
    Sequence(Vec<Pretokenizer>),
}

impl From<Pattern> for Pretokenizer {
    fn from(pattern: Pattern) -> Self {
        Self::Pattern(pattern)
    }
}

impl Pretokenizer {
    /// Splits, and where it is part of the kind changes, every piece that is no added token.
    ///
    /// Errors: a pattern that tries too many ways to match.
    ///
    /// ```
    /// # use token_engine::{alignment::Behavior, pieces::Pieces, pretokenizers::Pretokenizer};
    /// let mut pieces = Pieces::new("Hi, you 42", 0);
    /// let words = Pretokenizer::Sequence(vec![Pretokenizer::Whitespace, Pretokenizer::Digits { individual: true }]);
    /// words.pretokenize(&mut pieces)?;
    /// assert_eq!(pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(), ["Hi", ",", "you", "4", "2"]);
    /// # Ok::<(), token_engine::error::EncodeError>(())
    /// ```
    pub fn pretokenize(&self, pieces: &mut Pieces) -> Result<(), EncodeError> {
        match self {
            Self::Bert => bert::pretokenize(pieces),
            Self::Pattern(pattern) => scanners::pretokenize(*pattern, pieces),
            Self::ByteLevel(byte_level) => byte_level.pretokenize(pieces),
            Self::Split(split) => split.pretokenize(pieces)?,
            Self::Whitespace => simple::whitespace(pieces),
            Self::WhitespaceSplit => simple::whitespace_split(pieces),
            Self::Punctuation(behavior) => simple::punctuation(pieces, *behavior),
            Self::Digits { individual } => simple::digits(pieces, *individual),
            Self::Metaspace(metaspace) => metaspace.pretokenize(pieces),
            Self::CharDelimiter(delimiter) => simple::delimiter(pieces, *delimiter),
            Self::UnicodeScripts => unicode_scripts::pretokenize(pieces),
            Self::FixedLength(length) => simple::fixed_length(pieces, *length),
            Self::Sequence(all) => {
                for pretokenizer in all {
                    pretokenizer.pretokenize(pieces)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
