//! From data to the stages of a tokenizer.

use super::{Message, SentencePieceModel, numbers};
use crate::decoders::sentencepiece::SentencePieceDecoder;
use crate::error::{LoadError, Place};
use crate::models::Model;
use crate::models::bpe::characters::Bpe;
use crate::models::bpe::scored::Symbols;
use crate::models::kinds::Kinds;
use crate::models::unigram::Unigram;
use crate::normalizers::charsmap::Charsmap;
use crate::normalizers::sentencepiece::SentencePieceNormalizer;
use crate::vocab::Kind;

/// How a model splits texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The largest sum of scores.
    Unigram,
    /// The pair with the largest score merges first.
    Bpe,
    /// Before spaces.
    Word,
    /// Between characters.
    Character,
}

/// The stages of a model.
pub(crate) struct Built {
    /// Rules, then white space.
    pub(crate) normalizer: SentencePieceNormalizer,
    /// Unigram or merges with the arithmetic of the library.
    pub(crate) model: Model,
    /// By the kinds of tokens.
    pub(crate) decoder: SentencePieceDecoder,
}

/// What the unknown token becomes where the model does not say.
const UNKNOWN_SURFACE: &str = " \u{2047} ";

impl SentencePieceModel {
    /// How texts are split.
    pub(crate) fn algorithm(&self) -> Algorithm {
        match self.trainer.as_ref().and_then(|trainer| trainer.number(numbers::MODEL_TYPE)) {
            Some(2) => Algorithm::Bpe,
            Some(3) => Algorithm::Word,
            Some(4) => Algorithm::Character,
            _ => Algorithm::Unigram,
        }
    }

    /// Whether what is unknown becomes its bytes.
    pub(crate) fn byte_fallback(&self) -> bool {
        self.trainer.as_ref().is_some_and(|trainer| trainer.switch(numbers::BYTE_FALLBACK, false))
    }

    /// Builds the stages. `file` is named in errors.
    ///
    /// Errors: no unknown piece or several, not all bytes where they are asked for, too many pieces.
    pub(crate) fn build(&self, file: &str) -> Result<Built, LoadError> {
        let problem = |problem: String| {
            LoadError::new(file, Place::File, problem).hint("sentencepiece does not load such a model either")
        };
        let byte_fallback = self.byte_fallback();
        if let Some(at) = self.kinds.iter().position(|&kind| kind == Kind::Byte).filter(|_| !byte_fallback) {
            return Err(problem(format!("pieces[{at}] is a byte, but byte_fallback is off")));
        }
        let kinds = Kinds::new(&self.vocab, self.kinds.clone(), byte_fallback).map_err(problem)?;
        let kept = kinds.user_defined().clone();
        let merging = |kinds, symbols| {
            Bpe::of_kinds(self.vocab.clone(), self.scores.clone(), kinds, symbols).map(Model::Bpe).map_err(problem)
        };
        let model = match self.algorithm() {
            Algorithm::Unigram => Model::Unigram(Box::new(Unigram::of_kinds(self.vocab.clone(), &self.scores, kinds))),
            Algorithm::Bpe => merging(kinds, Symbols::Merging)?,
            Algorithm::Word => merging(kinds, Symbols::Words)?,
            Algorithm::Character => merging(kinds, Symbols::Characters)?,
        };
        let suffix = self.trainer.as_ref().is_some_and(|trainer| trainer.switch(numbers::WHITESPACE_IS_SUFFIX, false));
        let empty = Message::default();
        let normalizer = normalizer(self.normalizer.as_ref().unwrap_or(&empty), suffix).map_err(problem)?;
        let has_rules = |message: &&Message| message.bytes(numbers::CHARSMAP).is_some_and(|rules| !rules.is_empty());
        let denormalizer = self.denormalizer.as_ref().filter(has_rules);
        let denormalizer = denormalizer.map(|message| self::normalizer(message, false)).transpose().map_err(problem)?;
        let surface = self.trainer.as_ref().and_then(|trainer| trainer.bytes(numbers::UNKNOWN_SURFACE));
        // The reference reads it up to the first zero byte.
        let surface = surface.map(|bytes| bytes.split(|&byte| byte == 0).next().unwrap_or_default());
        let unknown_surface =
            surface.map_or_else(|| UNKNOWN_SURFACE.to_owned(), |bytes| String::from_utf8_lossy(bytes).into_owned());
        let SentencePieceNormalizer { add_dummy_prefix, remove_extra_whitespaces, .. } = normalizer;
        let decoder = SentencePieceDecoder {
            kinds: self.kinds.clone(),
            byte_fallback,
            unknown_surface,
            add_dummy_prefix,
            remove_extra_whitespaces,
        };
        let normalizer = SentencePieceNormalizer { kept, denormalizer: denormalizer.map(Box::new), ..normalizer };
        Ok(Built { normalizer, model, decoder })
    }
}

fn normalizer(message: &Message, whitespace_is_suffix: bool) -> Result<SentencePieceNormalizer, String> {
    let rules = message.bytes(numbers::CHARSMAP).filter(|rules| !rules.is_empty());
    Ok(SentencePieceNormalizer {
        charsmap: rules.map(Charsmap::new).transpose()?,
        add_dummy_prefix: message.switch(numbers::ADD_DUMMY_PREFIX, true),
        remove_extra_whitespaces: message.switch(numbers::REMOVE_EXTRA_WHITESPACES, true),
        escape_whitespaces: message.switch(numbers::ESCAPE_WHITESPACES, true),
        whitespace_is_suffix,
        ..SentencePieceNormalizer::default()
    })
}
