//! Tokens of byte-level models: their bytes, one after the other.
//!
//! Not here: what to do with bytes that are not UTF-8, which is the caller's choice.

use crate::ids::Id;
use crate::vocab::Vocab;

/// Appends the bytes of `ids`, all of which are in the vocabulary, to `out`.
///
/// ```
/// # use token_engine::{decoders::byte_level, vocab::Vocab};
/// let mut vocab = Vocab::default();
/// vocab.insert(0, "é".as_bytes()).unwrap();
/// vocab.insert(1, b" t").unwrap();
/// let mut out = vec![];
/// byte_level::decode(&vocab, &[0, 1], &mut out);
/// assert_eq!(out, "é t".as_bytes());
/// ```
pub fn decode(vocab: &Vocab, ids: &[Id], out: &mut Vec<u8>) {
    for &id in ids {
        out.extend_from_slice(vocab.token(id).unwrap_or_default());
    }
}
