//! `tokenizer.ggml.model` = `bert`: the words of a vocab.txt.

use super::source::{CONTROL, Source, UNKNOWN};
use crate::error::LoadError;
use crate::formats::definition::Definition;
use crate::formats::vocab_txt::{self, Casing};

/// The definition of such a file. In the file those that start a word are marked, not those that continue one.
pub(crate) fn definition(source: &Source<'_>) -> Result<Definition, LoadError> {
    let mut lines = String::new();
    for (id, token) in source.tokens.iter().enumerate() {
        let bracketed = token.starts_with('[') && token.ends_with(']');
        let special = matches!(source.types[id], UNKNOWN | CONTROL) || bracketed;
        let line = match token.strip_prefix('▁') {
            Some(word) => word.to_owned(),
            None if special => token.clone(),
            None => format!("##{token}"),
        };
        if line.is_empty() || line.trim_end().len() != line.len() || line.contains(['\n', '\r']) {
            return Err(source.error(&format!("tokens[{id}]"), &format!("{token:?} is no token of a word")));
        }
        lines += &line;
        lines.push('\n');
    }
    let read = vocab_txt::read(source.file, lines.as_bytes(), Casing::Guess)?;
    for (name, expected) in
        [("unknown_token_id", read.unknown), ("cls_token_id", read.cls), ("seperator_token_id", read.sep)]
    {
        if source.id(name)?.is_some_and(|id| id != expected) {
            return Err(source.error(name, &format!("is not {expected}, as the tokens say")));
        }
    }
    if read.vocab.len() != source.tokens.len() {
        return Err(source.error("tokens", "a token stands there twice"));
    }
    Ok(read.into())
}
