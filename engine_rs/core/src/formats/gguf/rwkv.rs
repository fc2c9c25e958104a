//! `tokenizer.ggml.model` = `rwkv`: the World vocabulary, its tokens with escapes.

use rustc_hash::FxHashSet;

use super::source::Source;
use crate::error::LoadError;
use crate::formats::definition::Definition;
use crate::formats::rwkv;
use crate::ids::Id;
use crate::vocab::Vocab;

/// The definition of such a file. Control tokens are those of no text, and stand for themselves.
pub(crate) fn definition(source: &Source<'_>) -> Result<Definition, LoadError> {
    let added_tokens = source.added_tokens();
    let mut vocab = Vocab::with_capacity(source.tokens.len());
    let control: FxHashSet<Id> = added_tokens.iter().map(|added| added.id).collect();
    for (id, token) in (0..).zip(source.tokens) {
        if control.contains(&id) {
            continue;
        }
        let wrong = |problem: &str| source.error(&format!("tokens[{id}]"), problem);
        let bytes =
            rwkv::unescaped(token, true).ok_or_else(|| wrong(&format!("{token:?} has an escape that is none")))?;
        if bytes.len() > rwkv::LONGEST {
            return Err(wrong(&format!(
                "it has {} bytes, and the longest token may have {}",
                bytes.len(),
                rwkv::LONGEST
            )));
        }
        rwkv::insert(&mut vocab, id as Id, &bytes).map_err(|refused| wrong(&refused.to_string()))?;
    }
    let read = rwkv::definition(vocab).ok_or_else(|| source.error("tokens", "not every byte is among them"))?;
    Ok(Definition { added_tokens, postprocessor: source.template(false, false)?, ..read })
}
