//! The bytes of text that tokens stand for, and the spelling in their file: `▁the` is ` the`, `<0xE6>` is a byte, `Ġthe`
//! is ` the`.
//!
//! The decoder knows: what it makes of a token inside of a text is what the token stands for. Not here: what it makes of a
//! whole list ([`crate::decoders`]).

use std::borrow::Cow;

use super::{Parts, Tokenizer};
use crate::byte_alphabet;
use crate::decoders::Decoder;
use crate::ids::Id;
use crate::matching::{Expression, Replace};
use crate::models::Model;
use crate::vocab::Kind;

/// How a file spells its tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spelling {
    /// In the byte alphabet.
    alphabet: bool,
    /// This character is a space.
    mark: Option<char>,
    /// `<0xE6>` is a byte.
    bytes: bool,
}

impl Spelling {
    /// The spelling that the parts of a tokenizer imply.
    pub(crate) fn of(parts: &Parts) -> Self {
        let mut spelling = Self::default();
        if let (false, Some(decoder)) = (matches!(parts.stages.model, Model::ByteBpe(_)), &parts.decoder) {
            spelling.read(decoder);
        }
        spelling
    }

    fn read(&mut self, decoder: &Decoder) {
        match decoder {
            Decoder::ByteLevel => self.alphabet = true,
            Decoder::Metaspace { replacement, .. } => self.mark = Some(*replacement),
            Decoder::Replace(replace) => self.mark = mark(replace).or(self.mark),
            Decoder::ByteFallback => self.bytes = true,
            Decoder::SentencePiece(decoder) => {
                (self.mark, self.bytes) = (Some('\u{2581}'), decoder.byte_fallback);
            }
            Decoder::Sequence(all) => all.iter().for_each(|decoder| self.read(decoder)),
            _ => {}
        }
    }

    /// The bytes that a token stands for, of which the file has `spelled`.
    pub(crate) fn bytes_of<'a>(&self, spelled: &'a [u8]) -> Cow<'a, [u8]> {
        let Ok(text) = std::str::from_utf8(spelled) else { return spelled.into() };
        if self.alphabet
            && let Some(bytes) = byte_alphabet::to_bytes(text)
        {
            return bytes.into();
        }
        if self.bytes
            && let Some(byte) = byte(text)
        {
            return vec![byte].into();
        }
        match self.mark {
            Some(mark) if text.contains(mark) => text.replace(mark, " ").into_bytes().into(),
            _ => spelled.into(),
        }
    }

    /// The ways a file may spell a token that stands for `bytes`, the likeliest first.
    pub(crate) fn of_bytes<'a>(&self, bytes: &'a [u8]) -> impl Iterator<Item = Cow<'a, [u8]>> + use<'a> {
        let alphabet = self.alphabet.then(|| byte_alphabet::from_bytes(bytes).into_bytes().into());
        let marked = self.mark.and_then(|mark| {
            let text = std::str::from_utf8(bytes).ok().filter(|text| text.contains(' '))?;
            Some(text.replace(' ', mark.encode_utf8(&mut [0; 4])).into_bytes().into())
        });
        let byte = (self.bytes && bytes.len() == 1).then(|| format!("<0x{:02X}>", bytes[0]).into_bytes().into());
        [alphabet, marked, Some(bytes.into()), byte].into_iter().flatten()
    }
}

/// The character that a decoder makes a space of.
fn mark(replace: &Replace) -> Option<char> {
    let Expression::Text(text) = replace.matcher.expression() else { return None };
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none() && replace.content == " ")
}

/// The byte that a token like `<0xE6>` names.
fn byte(text: &str) -> Option<u8> {
    let digits = text.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() == 2 { u8::from_str_radix(digits, 16).ok() } else { None }
}

impl Tokenizer {
    /// The token as a tokenizer.json spells it: `Ġworld`, `##ing`, `▁the`, `<0xE6>`, `</s>`. Tokens of a rank file, which
    /// are bytes, are spelled in the byte alphabet of GPT-2. Returns `None` for an id that no token has.
    pub fn id_to_token(&self, id: Id) -> Option<Cow<'_, str>> {
        let token = self.vocab().token(id)?;
        // Vocabularies that are not bytes come from text files, so nothing is lost.
        Some(if self.is_bytes(id) { byte_alphabet::from_bytes(token).into() } else { String::from_utf8_lossy(token) })
    }

    /// The id of the token that is spelled so: the inverse of [`Self::id_to_token`]. An added token comes first where
    /// another one has the same spelling; of two equal entries of a vocabulary the later one is found.
    pub fn token_to_id(&self, token: &str) -> Option<Id> {
        let as_text = self.vocab().id(token.as_bytes()).filter(|&id| !self.is_bytes(id));
        as_text.or_else(|| {
            let bytes = byte_alphabet::to_bytes(token)?;
            self.vocab().id(&bytes).filter(|&id| self.is_bytes(id))
        })
    }

    /// Whether the vocabulary holds the bytes of this token rather than the text of a file.
    fn is_bytes(&self, id: Id) -> bool {
        matches!(self.model(), Model::ByteBpe(_))
            && !self.parts.added.has(id)
            && !self.parts.outside_alphabet.contains(&id)
    }
}

/// Whether a token stands for text that is not its own spelling: not so special ones.
pub(super) fn is_spelled(parts: &Parts, id: Id) -> bool {
    match &parts.decoder {
        Some(Decoder::SentencePiece(model)) if matches!(model.kind(id), Kind::Control | Kind::Unknown) => false,
        _ => !parts.added.has(id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let sentencepiece = Spelling { mark: Some('▁'), bytes: true, ..Spelling::default() };
        let byte_level = Spelling { alphabet: true, ..Spelling::default() };
        let cases: &[(Spelling, &str, &[u8])] = &[
            (sentencepiece, "▁the", b" the"),
            (sentencepiece, "▁▁", b"  "),
            (sentencepiece, "<0xE6>", b"\xE6"),
            (sentencepiece, "<0xE>", b"<0xE>"),
            (sentencepiece, "x", b"x"),
            (byte_level, "Ġé", b" \xE9"),
            (byte_level, "▁", "▁".as_bytes()),
            (Spelling::default(), "▁", "▁".as_bytes()),
        ];
        for (spelling, spelled, bytes) in cases {
            assert_eq!(&*spelling.bytes_of(spelled.as_bytes()), *bytes, "{spelled}");
            assert!(spelling.of_bytes(bytes).any(|way| &*way == spelled.as_bytes()), "{spelled}");
        }
    }
}
