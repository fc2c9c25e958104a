//! From the tokens of a SentencePiece model back to text, by their kinds.
//!
//! Control tokens become nothing, the unknown token its surface, space marks spaces except for those that the normalizer put
//! in, and runs of byte tokens characters. Not here: the rules for decoded text
//! ([`crate::normalizers::sentencepiece::SentencePieceNormalizer::denormalized`]).
//!
//! Source: `SentencePieceProcessor::Decode` in `sentencepiece` 0.2.

use crate::ids::Id;
use crate::vocab::{Kind, Vocab};

/// What spaces are written as.
const SPACE_MARK: char = '\u{2581}';

/// A token of the text that is decoded, as seen from outside of the model.
pub enum Token {
    /// One of the model.
    Of(Id),
    /// As it is spelled, since it is no token of the model or is to be seen.
    Text(Id),
    /// One that is left out.
    Nothing,
}

/// What decoding needs to know of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentencePieceDecoder {
    /// One kind per id of the model.
    pub(crate) kinds: Vec<Kind>,
    /// Whether unknown characters are encoded as their bytes.
    pub(crate) byte_fallback: bool,
    /// What the unknown token becomes.
    pub(crate) unknown_surface: String,
    /// Whether the normalizer puts a space before the text.
    pub(crate) add_dummy_prefix: bool,
    /// Whether the normalizer removes spaces that are too many.
    pub(crate) remove_extra_whitespaces: bool,
}

impl SentencePieceDecoder {
    /// What a token is for; the default for an id that is not the model's.
    pub(crate) fn kind(&self, id: Id) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or_default()
    }

    /// The bytes that the tokens stand for; if `replace` is set, with U+FFFD for every byte of a run of byte tokens that
    /// belongs to no character.
    pub(crate) fn decode(&self, vocab: &Vocab, tokens: impl IntoIterator<Item = Token>, replace: bool) -> Vec<u8> {
        let mut out = vec![];
        let mut run = vec![];
        // Texts that are shown beside the model's own do not end its beginning.
        let mut shown = 0;
        let (mut at_start, mut took_space) = (true, false);
        for token in tokens {
            let spelled = |id| vocab.token(id).unwrap_or_default();
            if let Token::Of(id) = token
                && self.kind(id) == Kind::Byte
            {
                run.extend(byte_of(spelled(id)));
                continue;
            }
            flush(&mut run, replace, &mut out);
            at_start &= !took_space && out.len() == shown;
            took_space = false;
            match token {
                Token::Nothing => {}
                Token::Text(id) => {
                    shown += if at_start { spelled(id).len() } else { 0 };
                    out.extend_from_slice(spelled(id));
                }
                Token::Of(id) => match self.kind(id) {
                    Kind::Control => {}
                    Kind::Unknown => out.extend_from_slice(self.unknown_surface.as_bytes()),
                    _ => took_space = self.push_text(spelled(id), at_start, &mut out),
                },
            }
        }
        flush(&mut run, replace, &mut out);
        out
    }

    /// Appends a token with spaces for marks; returns whether it lost the one that was put before the text.
    fn push_text(&self, spelled: &[u8], at_start: bool, out: &mut Vec<u8>) -> bool {
        let mut spelled = std::str::from_utf8(spelled).unwrap_or_default();
        let mut took = false;
        if at_start
            && (self.add_dummy_prefix || self.remove_extra_whitespaces)
            && let Some(rest) = spelled.strip_prefix(SPACE_MARK)
        {
            spelled = rest;
            // If extra white space is removed, all of it is that comes first.
            took = !self.remove_extra_whitespaces;
        }
        for (at, part) in spelled.split(SPACE_MARK).enumerate() {
            out.extend_from_slice(if at > 0 { b" " } else { b"" });
            out.extend_from_slice(part.as_bytes());
        }
        took
    }
}

/// The byte that a byte token is spelled for.
fn byte_of(spelled: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(spelled).ok()?.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() == 2 { u8::from_str_radix(digits, 16).ok() } else { None }
}

fn flush(run: &mut Vec<u8>, replace: bool, out: &mut Vec<u8>) {
    if !replace {
        out.append(run);
        return;
    }
    let mut rest = &run[..];
    // Ends: every round but the last takes at least one byte.
    while let Err(error) = std::str::from_utf8(rest) {
        let valid = error.valid_up_to();
        out.extend_from_slice(&rest[..valid]);
        out.extend_from_slice("\u{fffd}".as_bytes());
        rest = &rest[valid + 1..];
    }
    out.extend_from_slice(rest);
    run.clear();
}
