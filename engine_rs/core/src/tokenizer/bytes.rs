//! Encodes bytes that are not UTF-8, for models whose vocabulary has a token for every byte.
//!
//! Byte-level BPE: the text before the first invalid byte is encoded as text, but its last pretoken is merged anew
//! together with all bytes that follow it, as one pretoken. No pattern splits them: patterns are defined on characters.
//! Byte fallback: valid stretches are encoded as text, each byte between them becomes its token (`<0xFF>`).
//!
//! Source: `_encode_bytes` of tiktoken. No reference defines byte fallback for such bytes; here decoding returns them.

use std::str::Utf8Error;

use super::Tokenizer;
use crate::added_tokens::Specials;
use crate::byte_alphabet;
use crate::call;
use crate::encoding::Sink;
use crate::error::EncodeError;
use crate::ids::Id;
use crate::models::{self, Model, bpe};
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::pretokenizers::Pretokenizer;
use crate::stages::{Stages, Start};

/// Ids of a text, and where the tokens of its last pretoken start.
#[derive(Default)]
struct LastPretoken {
    ids: Vec<Id>,
    start: usize,
}

impl Sink for LastPretoken {
    fn begin_pretoken(&mut self) {
        self.start = self.ids.len();
    }

    fn push(&mut self, id: Id, _: Span) {
        self.ids.push(id);
    }

    fn push_added(&mut self, id: Id, _: Span, _: bool) {
        self.ids.push(id);
        self.start = self.ids.len();
    }
}

impl Tokenizer {
    /// Ids of bytes, nothing added, special tokens read as text. For bytes that are UTF-8 these are the ids of
    /// [`Self::encode_ids`].
    ///
    /// Errors: bytes that are not UTF-8, of a model that encodes characters alone; a byte that the vocabulary lacks; the
    /// errors of [`Self::encode_ids`].
    pub fn encode_bytes(&self, data: &[u8]) -> Result<Vec<Id>, EncodeError> {
        if data.len() > u32::MAX as usize {
            return Err(EncodeError::TooLong { bytes: data.len() });
        }
        match std::str::from_utf8(data) {
            Ok(text) => self.encode_ids(text, Specials::Text),
            Err(error) => {
                let ids = self.encode_invalid(data, error);
                call::check()?;
                let mut ids = ids?;
                ids.shrink_to_fit();
                Ok(ids)
            }
        }
    }

    fn encode_invalid(&self, data: &[u8], error: Utf8Error) -> Result<Vec<Id>, EncodeError> {
        let stages = &self.parts.stages;
        match &stages.model {
            Model::ByteBpe(bpe) => self.merge_from_last_pretoken(data, error, |bytes, ids| {
                let mut tokens = vec![];
                bpe.encode(bytes, &mut bpe::Scratch::default(), &mut tokens);
                ids.extend(tokens.into_iter().map(|(id, _)| id));
                Ok(())
            }),
            model if spells_bytes(stages) => self.merge_from_last_pretoken(data, error, |bytes, ids| {
                self.check_bytes(&data[error.valid_up_to()..], error.valid_up_to(), byte_alphabet_token)?;
                let mut tokens = vec![];
                let spelled = byte_alphabet::from_bytes(bytes);
                let encoded = model.encode(&spelled, &mut models::Scratch::new(0), &mut tokens);
                encoded.map_err(|_| self.not_utf8(data, error))?;
                ids.extend(tokens.into_iter().map(|(id, _)| id));
                Ok(())
            }),
            model if falls_back_to_bytes(model) => self.encode_around_bytes(data),
            _ => Err(self.not_utf8(data, error)),
        }
    }

    /// Byte-level BPE. `merge` appends the tokens of one pretoken.
    fn merge_from_last_pretoken(
        &self,
        data: &[u8],
        error: Utf8Error,
        merge: impl FnOnce(&[u8], &mut Vec<Id>) -> Result<(), EncodeError>,
    ) -> Result<Vec<Id>, EncodeError> {
        let (text, invalid) = data.split_at(error.valid_up_to());
        let mut done = LastPretoken::default();
        self.encode_into(&String::from_utf8_lossy(text), Specials::Text, &mut done)?;
        let LastPretoken { mut ids, mut start } = done;
        // White space splits in another way before other bytes, so all of it is merged anew.
        let is_space = |id: Id| {
            self.token_bytes(id).is_some_and(|token| token.iter().all(|byte| matches!(byte, b' ' | b'\n' | b'\t')))
        };
        if start < ids.len() && is_space(ids[start]) {
            while start > 0 && is_space(ids[start - 1]) && !self.parts.added.has(ids[start - 1]) {
                start -= 1;
            }
        }
        let last = ids.drain(start..).filter_map(|id| self.token_bytes(id));
        let pretoken: Vec<u8> = last.flat_map(std::borrow::Cow::into_owned).chain(invalid.iter().copied()).collect();
        merge(&pretoken, &mut ids)?;
        Ok(ids)
    }

    /// Byte fallback. Text after an invalid byte continues the text: nothing is put before it.
    fn encode_around_bytes(&self, data: &[u8]) -> Result<Vec<Id>, EncodeError> {
        let mut ids = vec![];
        let mut at = 0;
        let (stages, inside) = (self.as_stages(), self.as_stages().inside());
        for chunk in data.utf8_chunks() {
            let moved = |error: EncodeError| error.moved(at);
            if at > 0 {
                let run = stages.run(&self.parts.added, Specials::Text).after_bytes(&inside);
                let mut scratch = models::Scratch::new(0);
                run.encode(&stages.model, chunk.valid(), 0, &mut scratch, &mut ids).map_err(moved)?;
            } else {
                self.encode_from(chunk.valid(), Start::OfText, Specials::Text, &mut ids).map_err(moved)?;
            }
            at += chunk.valid().len();
            self.check_bytes(chunk.invalid(), at, fallback_token)?;
            ids.extend(chunk.invalid().iter().filter_map(|&byte| self.vocab().id(fallback_token(byte).as_bytes())));
            at += chunk.invalid().len();
        }
        Ok(ids)
    }

    /// Errors: the first of `bytes`, which start at byte `at` of the data, whose token the vocabulary lacks.
    fn check_bytes(&self, bytes: &[u8], at: usize, spelled: impl Fn(u8) -> String) -> Result<(), EncodeError> {
        match bytes.iter().position(|&byte| self.vocab().id(spelled(byte).as_bytes()).is_none()) {
            Some(found) => Err(EncodeError::NoByte { byte: bytes[found], at: at + found }),
            None => Ok(()),
        }
    }

    fn not_utf8(&self, data: &[u8], error: Utf8Error) -> EncodeError {
        let at = error.valid_up_to();
        EncodeError::NotUtf8 { byte: data[at], at, model: self.model_name().to_owned() }
    }
}

fn byte_alphabet_token(byte: u8) -> String {
    byte_alphabet::char_of(byte).to_string()
}

fn fallback_token(byte: u8) -> String {
    format!("<0x{byte:02X}>")
}

/// Whether the model sees bytes spelled in the byte alphabet.
fn spells_bytes(stages: &Stages) -> bool {
    let last = match &stages.pretokenizer {
        Some(Pretokenizer::Sequence(all)) => all.last(),
        other => other.as_ref(),
    };
    let normalizer = match &stages.normalizer {
        Some(Normalizer::Sequence(all)) => all.last(),
        other => other.as_ref(),
    };
    // A suffix or prefix belongs to characters of a word, which bytes are not.
    let plain = |settings: &bpe::characters::Settings| {
        settings.continuing_subword_prefix.is_empty() && settings.end_of_word_suffix.is_empty()
    };
    matches!(&stages.model, Model::Bpe(model) if plain(model.settings()))
        && (matches!(last, Some(Pretokenizer::ByteLevel(_))) || matches!(normalizer, Some(Normalizer::ByteLevel)))
}

fn falls_back_to_bytes(model: &Model) -> bool {
    match model {
        Model::Bpe(bpe) => bpe.settings().byte_fallback,
        Model::Unigram(unigram) => unigram.settings().byte_fallback,
        Model::ByteBpe(_) | Model::WordLevel(_) | Model::WordPiece(_) => false,
    }
}
