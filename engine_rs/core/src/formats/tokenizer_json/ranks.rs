//! A rank file in the words of this format: tokens spelled in the byte alphabet, merges as a list, the pattern before the
//! bytes.
//!
//! Not here: which merges ranks stand for ([`crate::models::bpe::pairs_from_ranks`]).

use crate::added_tokens::AddedToken;
use crate::byte_alphabet;
use crate::error::SaveError;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::ids::Id;
use crate::models::bpe::{characters, pairs_from_ranks};
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::vocab::Vocab;

/// The definition with a list of merges in the place of ranks, where it has ranks.
///
/// Errors: a vocabulary without all bytes, added tokens whose ids or spellings are others'.
pub(crate) fn with_merges(definition: &Definition) -> Result<Option<Definition>, SaveError> {
    let ModelDefinition::Ranks { vocab: ranks } = &definition.model else { return Ok(None) };
    let error = |what: String, problem: &str| SaveError::new("tokenizer.json", what, problem);
    let mut byte_ids = [0; 256];
    for byte in 0..=255u8 {
        byte_ids[usize::from(byte)] = ranks
            .id(&[byte])
            .ok_or_else(|| error("the vocabulary".into(), &format!("no token for the single byte 0x{byte:02X}")))?;
    }
    let pairs = pairs_from_ranks(ranks, &byte_ids);
    let mut vocab = Vocab::with_capacity(ranks.len() + definition.added_tokens.len());
    let spelled = ranks.iter().map(|(id, token)| (id, byte_alphabet::from_bytes(token)));
    let added = beyond(ranks, &definition.added_tokens).into_iter().map(|token| (token.id, token.content.clone()));
    for (id, token) in spelled.chain(added) {
        vocab
            .insert_or_empty(id, token.as_bytes())
            .map_err(|refused| error(format!("the token {token:?} with id {id}"), &refused.to_string()))?;
    }
    let settings = characters::Settings { ignore_merges: true, ..characters::Settings::default() };
    Ok(Some(Definition {
        pretokenizer: Some(
            definition.pretokenizer.clone().map_or(Pretokenizer::ByteLevel(ByteLevel::ALONE), Pretokenizer::then_bytes),
        ),
        model: ModelDefinition::Bpe { vocab, merges: pairs, settings },
        ..definition.clone()
    }))
}

/// Added tokens whose ids do not go on from the number of tokens, as ids of this format do: they must be in the model.
fn beyond<'a>(ranks: &Vocab, tokens: &'a [AddedToken]) -> Vec<&'a AddedToken> {
    let mut by_id: Vec<_> = tokens.iter().collect();
    by_id.sort_by_key(|token| token.id);
    if by_id.iter().zip(ranks.len() as Id..).all(|(token, id)| token.id == id) { vec![] } else { by_id }
}
