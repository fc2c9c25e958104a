//! The tokens of a tokenizer by id and by bytes.
//!
//! Tokens are bytes: `Ġhello` in a file of GPT-2 stands for ` hello` here. Ids may have holes.
//! Not here: merge ranks (`models/bpe`), special tokens in texts ([`crate::added_tokens`]).

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::ids::Id;

/// Tokens by id and by bytes.
#[derive(Clone, Debug, Default)]
pub struct Vocab {
    /// All tokens' bytes, one after the other.
    bytes: Vec<u8>,
    /// Per id: start and length in `bytes`; length 0 marks a hole.
    places: Vec<(u32, u32)>,
    by_bytes: HashTable<Id>,
}

/// Why a token cannot be put into a [`Vocab`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A token without bytes.
    Empty,
    /// The id is another token's.
    IdTaken(Id),
    /// The bytes are the token of this id.
    TokenTaken(Id),
    /// The id is too far above the number of tokens for a list by id.
    FarId(Id),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => write!(f, "a token is empty"),
            Self::IdTaken(id) => write!(f, "id {id} is used twice"),
            Self::TokenTaken(id) => write!(f, "the token stands there already, with id {id}"),
            Self::FarId(id) => write!(f, "id {id} is far beyond the number of tokens"),
        }
    }
}

/// Ids up to this are always taken; above, they may be at most 16 times the number of tokens, so that a
/// damaged file cannot claim memory that its size does not justify.
const NEAR: usize = 1 << 20;

impl Vocab {
    /// Room for `tokens` tokens.
    pub fn with_capacity(tokens: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(tokens * 8),
            places: Vec::with_capacity(tokens),
            by_bytes: HashTable::with_capacity(tokens),
        }
    }

    /// Puts a token in.
    ///
    /// ```
    /// # use token_engine::vocab::{Refused, Vocab};
    /// let mut vocab = Vocab::default();
    /// vocab.insert(7, b"the").unwrap();
    /// assert_eq!(vocab.id(b"the"), Some(7));
    /// assert_eq!(vocab.token(7), Some(&b"the"[..]));
    /// assert_eq!(vocab.token(3), None);
    /// assert_eq!(vocab.insert(8, b"the"), Err(Refused::TokenTaken(7)));
    /// ```
    pub fn insert(&mut self, id: Id, token: &[u8]) -> Result<(), Refused> {
        let at = id as usize;
        if token.is_empty() {
            return Err(Refused::Empty);
        }
        if at >= NEAR && at / 16 > self.len() {
            return Err(Refused::FarId(id));
        }
        if self.token(id).is_some() {
            return Err(Refused::IdTaken(id));
        }
        if let Some(id) = self.id(token) {
            return Err(Refused::TokenTaken(id));
        }
        if at >= self.places.len() {
            self.places.resize(at + 1, (0, 0));
        }
        self.places[at] = (self.bytes.len() as u32, token.len() as u32);
        self.bytes.extend_from_slice(token);
        let Self { bytes, places, by_bytes } = self;
        by_bytes.insert_unique(hash(token), id, |&id| hash(slice(bytes, places[id as usize])));
        Ok(())
    }

    /// The token's bytes, or `None` where no token has this id.
    #[inline]
    pub fn token(&self, id: Id) -> Option<&[u8]> {
        let place = *self.places.get(id as usize)?;
        (place.1 > 0).then(|| slice(&self.bytes, place))
    }

    /// The token's id, or `None` where these bytes are no token.
    #[inline]
    pub fn id(&self, token: &[u8]) -> Option<Id> {
        self.by_bytes
            .find(hash(token), |&id| slice(&self.bytes, self.places[id as usize]) == token)
            .copied()
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.by_bytes.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.by_bytes.is_empty()
    }

    /// One more than the largest id.
    pub fn id_bound(&self) -> usize {
        self.places.len()
    }

    /// All tokens, by rising id.
    pub fn iter(&self) -> impl Iterator<Item = (Id, &[u8])> {
        self.places
            .iter()
            .enumerate()
            .filter(|(_, place)| place.1 > 0)
            .map(|(id, &place)| (id as Id, slice(&self.bytes, place)))
    }
}

#[inline]
fn slice(bytes: &[u8], (start, len): (u32, u32)) -> &[u8] {
    &bytes[start as usize..start as usize + len as usize]
}

#[inline]
fn hash(token: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(token);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_would_make_ids_ambiguous() {
        let mut vocab = Vocab::default();
        vocab.insert(5, b"a").unwrap();
        let cases: &[(Id, &[u8], Refused)] = &[
            (6, b"", Refused::Empty),
            (5, b"b", Refused::IdTaken(5)),
            (6, b"a", Refused::TokenTaken(5)),
            (4_000_000_000, b"b", Refused::FarId(4_000_000_000)),
        ];
        for (id, token, expected) in cases {
            assert_eq!(vocab.insert(*id, token), Err(expected.clone()), "{id} {token:?}");
        }
        assert_eq!((vocab.len(), vocab.id_bound()), (1, 6), "a refused token leaves nothing behind");
        assert_eq!(vocab.iter().collect::<Vec<_>>(), [(5, &b"a"[..])]);
    }
}
