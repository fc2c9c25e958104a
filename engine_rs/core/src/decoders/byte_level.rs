//! Tokens of byte-level models: their bytes, one after the other.
//!
//! Not here: what to do with bytes that are not UTF-8, which is the caller's choice.

use crate::byte_alphabet;
use crate::ids::Id;
use crate::vocab::Vocab;

/// Appends the bytes of `ids`, all of which are in the vocabulary, to `out`.
pub(crate) fn decode(vocab: &Vocab, ids: impl IntoIterator<Item = Id>, out: &mut Vec<u8>) {
    for id in ids {
        out.extend_from_slice(vocab.token(id).unwrap_or_default());
    }
}

/// The bytes of tokens spelled in the byte alphabet; a token with a character that is not in it stands for itself.
pub(crate) fn bytes_of_spelled(tokens: &[String]) -> Vec<u8> {
    let bytes = |token: &String| byte_alphabet::to_bytes(token).unwrap_or_else(|| token.clone().into_bytes());
    tokens.iter().flat_map(bytes).collect()
}

/// The text of these bytes. Those that are not UTF-8 become U+FFFD.
pub(crate) fn decode_spelled(tokens: &[String]) -> String {
    String::from_utf8(bytes_of_spelled(tokens))
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_decode() {
        use crate::{decoders::byte_level, vocab::Vocab};
        let mut vocab = Vocab::default();
        vocab.insert(0, "é".as_bytes()).unwrap();
        vocab.insert(1, b" t").unwrap();
        let mut out = vec![];
        byte_level::decode(&vocab, [0, 1], &mut out);
        assert_eq!(out, "é t".as_bytes());
    }

    #[test]
    fn example_of_decode_spelled() {
        use crate::decoders::byte_level::decode_spelled;
        assert_eq!(decode_spelled(&["ĠcafÃ".into(), "©".into(), "<| |>".into()]), " café<| |>");
    }
}
