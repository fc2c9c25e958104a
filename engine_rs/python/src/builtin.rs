//! The tokenizers whose vocabularies are part of the extension, so that they are there offline.
//!
//! `build.rs` says what the tables look like and where they come from.

use token_engine::error::{LoadError, Place};
use token_engine::formats::definition::Definition;
use token_engine::formats::tiktoken;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::vocab::Vocab;

/// An embedded vocabulary.
pub struct Table {
    /// What it is asked for by.
    pub name: &'static str,
    /// Lengths and bytes of the tokens by rank.
    tokens: &'static [u8],
    pattern: Pattern,
    special_tokens: &'static [(&'static str, u32)],
}

macro_rules! table {
    ($name:literal, $file:literal, $pattern:ident, $special_tokens:expr) => {
        Table {
            name: $name,
            tokens: include_bytes!(concat!(env!("OUT_DIR"), "/", $file)),
            pattern: Pattern::$pattern,
            special_tokens: $special_tokens,
        }
    };
}

/// All of them.
///
/// Source: special tokens and their ids as in tiktoken's `openai_public.py`.
pub static TABLES: [Table; 3] = [
    table!("gpt2", "r50k_base", R50k, &[("<|endoftext|>", 50256)]),
    table!(
        "cl100k_base",
        "cl100k_base",
        Cl100k,
        &[
            ("<|endoftext|>", 100_257),
            ("<|fim_prefix|>", 100_258),
            ("<|fim_middle|>", 100_259),
            ("<|fim_suffix|>", 100_260),
            ("<|endofprompt|>", 100_276),
        ]
    ),
    table!("o200k_base", "o200k_base", O200k, &[("<|endoftext|>", 199_999), ("<|endofprompt|>", 200_018)]),
];

/// The tokenizer of this name.
pub fn definition(name: &str) -> Result<Definition, LoadError> {
    let table = TABLES.iter().find(|table| table.name == name).ok_or_else(|| {
        let known = TABLES.each_ref().map(|table| table.name).join(", ");
        LoadError::new(name, Place::File, "is not built in").hint(format!("built in are {known}"))
    })?;
    let mut vocab = Vocab::with_capacity(table.tokens.len() / 6);
    let (mut at, mut rank) = (0, 0);
    while at < table.tokens.len() {
        let end = at + 1 + usize::from(table.tokens[at]);
        vocab
            .insert(rank, &table.tokens[at + 1..end])
            .map_err(|refused| LoadError::new(name, Place::Byte(at), refused.to_string()))?;
        (at, rank) = (end, rank + 1);
    }
    let special_tokens: Vec<_> = table.special_tokens.iter().map(|&(text, id)| (text.to_owned(), id)).collect();
    Ok(tiktoken::from_ranks(vocab, table.pattern, &special_tokens))
}
