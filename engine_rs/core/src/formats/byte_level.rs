//! Byte-level BPE as formats without stages can hold it: tokens as bytes, merges, a pattern, and nothing else.
//!
//! Not here: the files themselves ([`super::tiktoken`], [`super::vocab_merges`]).

use super::definition::{Definition, ModelDefinition, byte_ids, is_byte_level, pattern_before_bytes, spelled_out};
use crate::added_tokens::AddedToken;
use crate::byte_alphabet;
use crate::decoders::Decoder;
use crate::error::SaveError;
use crate::ids::Id;
use crate::models::bpe::merges::Merges;
use crate::models::bpe::{Bpe, WholeTokens, pairs_from_ranks};
use crate::postprocessors::Postprocessor;
use crate::pretokenizers::Pretokenizer;
use crate::vocab::Vocab;

/// What such a format says, or leaves to its reader.
pub(crate) struct ByteLevelParts {
    /// Tokens as bytes, special ones left out.
    pub(crate) vocab: Vocab,
    /// Left, right and what they make, by rank.
    pub(crate) merges: Vec<[Id; 3]>,
    /// Whether a pretoken that is a token becomes that token without merging.
    pub(crate) ignore_merges: bool,
    /// What splits the text; `None` of a rank file without one.
    pub(crate) pattern: Option<Pretokenizer>,
    /// The special tokens.
    pub(crate) special: Vec<AddedToken>,
}

/// The parts of a definition.
///
/// Errors, in the name of `format`: a stage that it does not have.
pub(crate) fn parts(definition: &Definition, format: &str) -> Result<ByteLevelParts, SaveError> {
    let error = |what: &str, problem: &str| SaveError::new(format, what, problem);
    let Definition { added_tokens, normalizer, pretokenizer, model, postprocessor, decoder, .. } = definition;
    if normalizer.is_some() {
        return Err(error("the normalizer", "its texts are encoded as they are"));
    }
    if postprocessor.as_ref().is_some_and(|it| !matches!(it, Postprocessor::ByteLevel(_))) {
        return Err(error("the postprocessor", "it adds no tokens around a text"));
    }
    if decoder != &Some(Decoder::ByteLevel) {
        return Err(error("the decoder", "its tokens are the bytes of the text"));
    }
    if let Some(token) =
        added_tokens.iter().find(|token| !token.special || token.lstrip || token.rstrip || token.single_word)
    {
        let problem = "it knows special tokens alone, found wherever the text spells them";
        return Err(error(&format!("the added token {:?}", token.content), problem));
    }
    let special = added_tokens.clone();
    match model {
        ModelDefinition::Ranks { vocab } => {
            let bytes = byte_ids(vocab).ok_or_else(|| error("the model", "it needs tokens for all 256 bytes"))?;
            let merges = pairs_from_ranks(vocab, &bytes);
            let (vocab, pattern) = (vocab.clone(), pretokenizer.clone());
            Ok(ByteLevelParts { vocab, merges, ignore_merges: true, pattern, special })
        }
        ModelDefinition::Bpe { vocab, merges, settings } if is_byte_level(settings) => {
            let pattern = pretokenizer.as_ref().and_then(pattern_before_bytes).ok_or_else(|| {
                error("the pretokenizer", "it has a known split pattern, then bytes without a space put before them")
            })?;
            let (spelled, _) =
                spelled_out(vocab).ok_or_else(|| error("the model", "two tokens stand for the same bytes"))?;
            let mut plain = Vocab::with_capacity(spelled.len());
            for (id, token) in spelled.iter().filter(|(id, _)| !special.iter().any(|token| token.id == *id)) {
                plain.insert_or_empty(id, token).map_err(|refused| error("the model", &refused.to_string()))?;
            }
            byte_ids(&plain).ok_or_else(|| error("the model", "it needs tokens for all 256 bytes"))?;
            let pattern = Some(Pretokenizer::Pattern(pattern));
            Ok(ByteLevelParts {
                vocab: plain,
                merges: merges.clone(),
                ignore_merges: settings.ignore_merges,
                pattern,
                special,
            })
        }
        _ => Err(error("the model", "it holds byte-level BPE alone")),
    }
}

impl ByteLevelParts {
    /// Whether merges build every token from its own bytes, so that it is the same whether a pretoken that is a token becomes
    /// that one at once or by its merges.
    pub(crate) fn all_built(&self, byte_ids: &[Id; 256]) -> bool {
        let bpe = Bpe::new(&self.vocab, *byte_ids, Merges::of(&self.merges), WholeTokens::IfMerged);
        self.vocab.iter().all(|(id, _)| bpe.is_built(id))
    }

    /// A token in the byte alphabet.
    pub(crate) fn spelled(&self, id: Id) -> String {
        byte_alphabet::from_bytes(self.vocab.token(id).unwrap_or_default())
    }
}
