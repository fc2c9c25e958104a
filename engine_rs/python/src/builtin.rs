//! The tokenizers whose vocabularies are part of the extension, so that they are there offline.
//!
//! `build.rs` says what the tables look like and where they come from: nothing is parsed, and no merge is searched for.
//! The differential tests hold them to the rank files.

use token_engine::formats::published::Published;
use token_engine::formats::{patterns, plain, tiktoken};
use token_engine::internals::vocab::{InsertError, Made};
use token_engine::{Definition, LoadError, Place, Tokenizer, Vocab};

/// An embedded vocabulary.
pub struct Table {
    /// What it is asked for by.
    pub name: &'static str,
    /// Runs of ranks: the first one, and the table of its tokens.
    tokens: &'static [(u32, &'static [Entry])],
    /// The rank file that has them, by name.
    file: &'static str,
}

/// An entry of a table.
type Entry = [u8; 6];

/// Where the first id of a pair would be in the entry of a byte.
const BYTE: u32 = 0xff_ffff;

/// A file of `build.rs`.
macro_rules! file {
    ($name:literal) => {
        entries(include_bytes!(concat!(env!("OUT_DIR"), "/", $name)))
    };
}

static R50K: &[Entry] = file!("r50k_base");
static P50K: &[Entry] = file!("p50k_base");
static CL100K: &[Entry] = file!("cl100k_base");
static O200K: &[Entry] = file!("o200k_base");

/// The entries of a table, by rank. Compiling fails where one is cut off.
const fn entries(table: &[u8]) -> &[Entry] {
    let (entries, rest) = table.as_chunks();
    assert!(rest.is_empty(), "the table is cut off");
    entries
}

/// All of them. `gpt2` and `r50k_base` are one tokenizer under two names.
pub static TABLES: [Table; 6] = [
    Table { name: "gpt2", tokens: &[(0, R50K)], file: "r50k_base" },
    Table { name: "r50k_base", tokens: &[(0, R50K)], file: "r50k_base" },
    Table { name: "p50k_base", tokens: &[(0, R50K), (50_257, P50K)], file: "p50k_base" },
    Table { name: "cl100k_base", tokens: &[(0, CL100K)], file: "cl100k_base" },
    Table { name: "o200k_base", tokens: &[(0, O200K)], file: "o200k_base" },
    Table { name: "o200k_harmony", tokens: &[(0, O200K)], file: "o200k_harmony" },
];

/// What a token is made of.
fn made(&[a, b, c, d, e, f]: &Entry) -> Made {
    match [u32::from_le_bytes([a, b, c, 0]), u32::from_le_bytes([d, e, f, 0])] {
        [BYTE, _] => Made::Byte(d),
        pair => Made::Joined(pair),
    }
}

/// The tokenizer of this name, and what it is built from.
pub fn load(name: &str) -> Result<(Tokenizer, Definition), LoadError> {
    if let Some(definition) = plain::definition(name) {
        return Ok((definition.clone().build(name)?, definition));
    }
    let table = TABLES.iter().find(|table| table.name == name).ok_or_else(|| {
        let known: Vec<_> = TABLES.iter().map(|table| table.name).chain(plain::NAMES).collect();
        let known = known.join(", ");
        LoadError::new(name, Place::File, "is not built in").hint(format!("built in are {known}"))
    })?;
    let mut vocab = Vocab::with_capacity(table.tokens.iter().map(|(_, tokens)| tokens.len()).sum());
    for &(first, tokens) in table.tokens {
        let refused = |refused: InsertError| LoadError::new(name, Place::File, refused.to_string());
        vocab.extend(first, tokens.iter().map(made)).map_err(refused)?;
    }
    let pair = |id: u32| {
        let (first, tokens) = table.tokens.iter().rfind(|(first, _)| *first <= id)?;
        match made(tokens.get((id - first) as usize)?) {
            Made::Joined(pair) => Some(pair),
            Made::Byte(_) => None,
        }
    };
    let error = |problem: String| LoadError::new(name, Place::File, problem);
    let published = Published::by_name(table.file).ok_or_else(|| error(format!("is no known file: {}", table.file)))?;
    let pattern = patterns::read(published.pattern).map_err(|refused| error(refused.to_string()))?;
    let definition = tiktoken::from_ranks(vocab, pattern, &published.special_tokens());
    let tokenizer = definition.clone().build_with_pairs(name, &pair)?;
    Ok((tokenizer, definition))
}
