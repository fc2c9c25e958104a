//! Whether a document comes back from its ids.
//!
//! Decoding makes a string per token. Where a decoder looks at one token at a time, and only at whether it is the first, the
//! text of each is made once, so that decoding is copying.

use std::borrow::Cow;

use token_engine::decoders::Decoder;
use token_engine::internals::alignment::Change;
use token_engine::internals::call;
use token_engine::models::Model;
use token_engine::normalizers::forms::Form;
use token_engine::normalizers::quick_check::QuickCheck;
use token_engine::{DecodeError, EncodeError, Id, Specials, Tokenizer};

/// How a tokenizer's ids are decoded, special tokens not skipped.
#[derive(Debug)]
pub(super) enum Decoding {
    /// The text always comes back: byte-level tokens are its parts, and no added token takes more than its spelling.
    Exact,
    /// Token by token.
    Pieces(Pieces),
    /// By [`Tokenizer::decode`].
    Whole,
}

/// The text of each token that is not the first.
#[derive(Debug)]
pub(super) struct Pieces {
    bytes: Vec<u8>,
    /// Where the text of each id ends.
    ends: Vec<u32>,
}

/// Memory for the texts and ids of one document.
#[derive(Default)]
pub(super) struct Scratch {
    decoded: Vec<u8>,
    ids: Vec<Id>,
}

impl Decoding {
    pub(crate) fn of(tokenizer: &Tokenizer) -> Self {
        // Later calls use it, too.
        let _whole = call::enter(None);
        let parts = tokenizer.parts();
        match (tokenizer.model(), &parts.decoder) {
            // Other added tokens take white space that their spelling lacks.
            (Model::ByteBpe(_), _) if parts.added.is_plain(Specials::Text) => Self::Exact,
            (_, Some(Decoder::ByteLevel | Decoder::WordPiece(_) | Decoder::Metaspace { .. })) => {
                Pieces::of(tokenizer).map_or(Self::Whole, Self::Pieces)
            }
            _ => Self::Whole,
        }
    }

    /// Whether decoding `ids`, those of `text`, gives the text back; whether it does up to NFC; whether the decoded text has
    /// the same ids.
    pub(crate) fn check(
        &self,
        tokenizer: &Tokenizer,
        text: &str,
        ids: &[Id],
        scratch: &mut Scratch,
    ) -> Result<[bool; 3], EncodeError> {
        let decoded = match self {
            Self::Exact => return Ok([true; 3]),
            Self::Pieces(pieces) => {
                pieces.decode(tokenizer, ids, &mut scratch.decoded);
                String::from_utf8_lossy(&scratch.decoded)
            }
            Self::Whole => {
                let _entered = call::enter_to_compare(text.len());
                match tokenizer.decode(ids, false) {
                    Ok(decoded) => decoded.into(),
                    Err(DecodeError::Cancelled(cancelled)) => return Err(cancelled.into()),
                    // Ids of a text are tokens, so a pattern of the decoder gave up, or it makes a far longer text.
                    Err(_) => return Ok([false; 3]),
                }
            }
        };
        if decoded == text {
            return Ok([true; 3]);
        }
        scratch.ids.clear();
        tokenizer.encode_into(&decoded, Specials::Text, &mut scratch.ids)?;
        Ok([false, have_same_nfc(&decoded, text), scratch.ids == ids])
    }
}

impl Pieces {
    fn of(tokenizer: &Tokenizer) -> Option<Self> {
        let vocab = tokenizer.vocab();
        let (anchor, _) = vocab.iter().next()?;
        let before = tokenizer.decode_bytes(&[anchor], false).ok()?.len();
        let mut pieces = Self { bytes: vec![], ends: Vec::with_capacity(vocab.id_bound()) };
        for id in 0..vocab.id_bound() as Id {
            if vocab.token(id).is_some() {
                pieces.bytes.extend_from_slice(&tokenizer.decode_bytes(&[anchor, id], false).ok()?[before..]);
            }
            pieces.ends.push(u32::try_from(pieces.bytes.len()).ok()?);
        }
        Some(pieces)
    }

    /// What [`Tokenizer::decode_bytes`] gives.
    fn decode(&self, tokenizer: &Tokenizer, ids: &[Id], out: &mut Vec<u8>) {
        out.clear();
        let Some((&first, rest)) = ids.split_first() else { return };
        out.extend(tokenizer.decode_bytes(&[first], false).unwrap_or_default());
        for &id in rest {
            let start = id.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
            out.extend_from_slice(&self.bytes[start as usize..self.ends[id as usize] as usize]);
        }
    }
}

/// Whether two texts that differ have the same NFC.
fn have_same_nfc(one: &str, other: &str) -> bool {
    !(one.is_ascii() && other.is_ascii()) && nfc(one) == nfc(other)
}

/// The text in NFC. Most texts are, and are not copied.
fn nfc(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for part in QuickCheck::of(Form::Nfc).stretches(text) {
        out.push_str(&text[copied..part.start]);
        copied = part.end;
        out.extend(Form::Nfc.changes(&text[part]).into_iter().filter_map(|change| match change {
            Change::Become(c) | Change::Insert(c) => Some(c),
            Change::Drop => None,
        }));
    }
    if copied == 0 {
        return text.into();
    }
    out.push_str(&text[copied..]);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nfc_is_that_of_the_whole_text() {
        for (text, expected) in [
            ("plain", "plain"),
            ("", ""),
            ("e\u{301} and e\u{301}\u{323}x", "é and \u{1eb9}\u{301}x"),
            ("가\u{11a8}e\u{301}", "각é"),
            ("\u{212b}\u{2126}", "ÅΩ"),
        ] {
            assert_eq!(nfc(text), expected, "{text:?}");
        }
    }
}
