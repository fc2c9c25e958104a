//! Where tokens end, from their ids alone: if tokens cover the text without gaps, an end is a sum of lengths.
//!
//! Not here: tokens whose bytes are not those of the text ([`crate::encoding::Columns`]).

use crate::ids::Id;
use crate::vocab::Vocab;

/// The bytes of each token of a vocabulary, by id; 0 for ids without a token.
#[derive(Debug)]
pub(super) struct TokenLengths(Box<[u8]>);

impl TokenLengths {
    /// `None` if a token is longer than 255 bytes. One byte per id, so that the table stays near the core.
    pub(crate) fn of(vocab: &Vocab) -> Option<Self> {
        let mut lengths = vec![0; vocab.id_bound()];
        for (id, token) in vocab.iter() {
            lengths[id as usize] = u8::try_from(token.len()).ok()?;
        }
        Some(Self(lengths.into()))
    }

    /// The end of each token, in bytes of the text that they cover.
    pub(crate) fn ends(&self, ids: &[Id]) -> Vec<u32> {
        let mut end = 0;
        let next = |&id: &Id| {
            end += u32::from(self.0[id as usize]);
            end
        };
        ids.iter().map(next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_sums_of_lengths() {
        let mut vocab = Vocab::default();
        for (id, token) in [(0, "a"), (2, "abc"), (5, &*"d".repeat(255))] {
            vocab.insert(id, token.as_bytes()).expect("new");
        }
        let lengths = TokenLengths::of(&vocab).expect("no token is longer than 255 bytes");
        assert_eq!(lengths.ends(&[2, 0, 5, 0]), [3, 4, 259, 260]);
        assert_eq!(lengths.ends(&[]), Vec::<u32>::new());
        vocab.insert(6, "e".repeat(256).as_bytes()).expect("new");
        assert!(TokenLengths::of(&vocab).is_none());
    }
}
