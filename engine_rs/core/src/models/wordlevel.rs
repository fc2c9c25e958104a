//! A pretoken is a token, or unknown.
//!
//! Source: `WordLevel` of the tokenizer.json format.

use super::{Unknown, UnknownSymbol};
use crate::ids::Id;
use crate::vocab::Vocab;

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct WordLevel {
    vocab: Vocab,
    unknown: Unknown,
}

impl WordLevel {
    /// A model over the tokens in `vocab`.
    pub(crate) fn new(vocab: Vocab, unknown: Unknown) -> Self {
        Self { vocab, unknown }
    }

    /// The token for what is not in the vocabulary.
    pub(crate) fn unknown(&self) -> &Unknown {
        &self.unknown
    }

    /// The token of a pretoken.
    ///
    /// Errors: an unknown pretoken where the unknown token is not in the vocabulary.
    pub fn encode(&self, pretoken: &str) -> Result<Id, UnknownSymbol> {
        self.vocab.id(pretoken.as_bytes()).or(self.unknown.id()).ok_or(UnknownSymbol { at: 0..pretoken.len() })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_wordlevel_encode() {
        use crate::{
            models::{Unknown, wordlevel::WordLevel},
            vocab::Vocab,
        };
        let mut vocab = Vocab::default();
        vocab.insert(0, b"<unk>").unwrap();
        vocab.insert(1, b"cat").unwrap();
        let model = WordLevel::new(vocab, Unknown::Token(0));
        assert_eq!((model.encode("cat").unwrap(), model.encode("dog").unwrap()), (1, 0));
    }
}
