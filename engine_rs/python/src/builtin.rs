//! The tokenizers whose vocabularies are part of the extension, so that they are there offline.
//!
//! `build.rs` says what the tables look like and where they come from: nothing is parsed, and no merge is searched for.
//! `tests/builtin.rs` holds them to the rank files.

use std::ops::Range;

use token_engine::error::{LoadError, Place};
use token_engine::formats::definition::Definition;
use token_engine::formats::tiktoken;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::tokenizer::Tokenizer;
use token_engine::vocab::Vocab;

/// An embedded vocabulary.
pub struct Table {
    /// What it is asked for by.
    pub name: &'static str,
    /// Runs of ranks: the first one, then the length, the length of the left part and the bytes of each token.
    tokens: &'static [(u32, &'static [u8])],
    pattern: Pattern,
    special_tokens: &'static [(&'static str, u32)],
    /// Ids of special tokens that are called `<|reserved_ID|>`.
    reserved: Range<u32>,
}

/// A file of `build.rs`.
macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name))
    };
}

static R50K: &[u8] = file!("r50k_base");
static P50K: &[u8] = file!("p50k_base");
static CL100K: &[u8] = file!("cl100k_base");
static O200K: &[u8] = file!("o200k_base");

const END_OF_TEXT: &str = "<|endoftext|>";

/// All of them. `gpt2` and `r50k_base` are one tokenizer under two names.
///
/// Source: special tokens and their ids as in tiktoken's `openai_public.py`. There `<|reserved_200018|>` has the id of
/// `<|endofprompt|>`; here it is ordinary text, as in the tokenizer.json of gpt-oss.
pub static TABLES: [Table; 6] = [
    Table {
        name: "gpt2",
        tokens: &[(0, R50K)],
        pattern: Pattern::R50k,
        special_tokens: &[(END_OF_TEXT, 50_256)],
        reserved: 0..0,
    },
    Table {
        name: "r50k_base",
        tokens: &[(0, R50K)],
        pattern: Pattern::R50k,
        special_tokens: &[(END_OF_TEXT, 50_256)],
        reserved: 0..0,
    },
    Table {
        name: "p50k_base",
        tokens: &[(0, R50K), (50_257, P50K)],
        pattern: Pattern::R50k,
        special_tokens: &[(END_OF_TEXT, 50_256)],
        reserved: 0..0,
    },
    Table {
        name: "cl100k_base",
        tokens: &[(0, CL100K)],
        pattern: Pattern::Cl100k,
        special_tokens: &[
            (END_OF_TEXT, 100_257),
            ("<|fim_prefix|>", 100_258),
            ("<|fim_middle|>", 100_259),
            ("<|fim_suffix|>", 100_260),
            ("<|endofprompt|>", 100_276),
        ],
        reserved: 0..0,
    },
    Table {
        name: "o200k_base",
        tokens: &[(0, O200K)],
        pattern: Pattern::O200k,
        special_tokens: &[(END_OF_TEXT, 199_999), ("<|endofprompt|>", 200_018)],
        reserved: 0..0,
    },
    Table {
        name: "o200k_harmony",
        tokens: &[(0, O200K)],
        pattern: Pattern::O200k,
        special_tokens: &[
            ("<|startoftext|>", 199_998),
            (END_OF_TEXT, 199_999),
            ("<|return|>", 200_002),
            ("<|constrain|>", 200_003),
            ("<|channel|>", 200_005),
            ("<|start|>", 200_006),
            ("<|end|>", 200_007),
            ("<|message|>", 200_008),
            ("<|call|>", 200_012),
            ("<|endofprompt|>", 200_018),
        ],
        reserved: 200_000..201_088,
    },
];

/// How many tokens before they are put in the memory for them is asked for.
const AHEAD: usize = 16;

/// The first token of a table, the length of its left part, and the rest. `None` if the table is cut off, or empty.
fn next(table: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let [length, left_length, after @ ..] = table else { return None };
    let (token, rest) = after.split_at_checked(usize::from(*length))?;
    Some((token, *left_length, rest))
}

/// The tokenizer of this name, and what it is built from.
pub fn load(name: &str) -> Result<(Tokenizer, Definition), LoadError> {
    let table = TABLES.iter().find(|table| table.name == name).ok_or_else(|| {
        let known = TABLES.each_ref().map(|table| table.name).join(", ");
        LoadError::new(name, Place::File, "is not built in").hint(format!("built in are {known}"))
    })?;
    let mut vocab = Vocab::with_capacity(table.tokens.iter().map(|(_, tokens)| tokens.len() / 8).sum());
    let mut left_lengths = vec![];
    for &(first, tokens) in table.tokens {
        left_lengths.resize(first as usize, 0);
        let (mut rest, mut ahead) = (tokens, tokens);
        for _ in 0..AHEAD {
            ahead = next(ahead).map_or(&[], |(.., ahead)| ahead);
        }
        while !rest.is_empty() {
            if let Some((token, _, after)) = next(ahead) {
                vocab.ask_for(token);
                ahead = after;
            }
            let too_short = || LoadError::new(name, Place::Byte(tokens.len()), "the table is cut off");
            let (token, left_length, others) = next(rest).ok_or_else(too_short)?;
            let refused = |refused: token_engine::vocab::InsertError| {
                LoadError::new(name, Place::Byte(tokens.len() - rest.len()), refused.to_string())
            };
            vocab.insert(left_lengths.len() as u32, token).map_err(refused)?;
            left_lengths.push(left_length);
            rest = others;
        }
    }
    let mut special_tokens: Vec<_> = table.special_tokens.iter().map(|&(text, id)| (text.to_owned(), id)).collect();
    let is_named = |id: &u32| table.special_tokens.iter().any(|(_, named)| named == id);
    let reserved = table.reserved.clone().filter(|id| !is_named(id));
    special_tokens.extend(reserved.map(|id| (format!("<|reserved_{id}|>"), id)));
    let definition = tiktoken::from_ranks(vocab, table.pattern, &special_tokens);
    let tokenizer = definition.clone().build_with_pairs(name, &|id| usize::from(left_lengths[id as usize]))?;
    Ok((tokenizer, definition))
}
