//! Exact, fast tokenizers: encode, decode, read and write their files.
//!
//! ```
//! let tokenizer = token_engine::load("tests/tokenizer.json")?;
//! let text = "aaabdaaabac";
//! let encoding = tokenizer.encode(text, None, Default::default())?;
//! assert_eq!(encoding.ids, [6, 3, 6, 0, 2]);
//! let tokens: Vec<_> = encoding.spans.iter().map(|span| &text[span.range()]).collect();
//! assert_eq!(tokens, ["aaab", "d", "aaab", "a", "c"]);
//! assert_eq!(tokenizer.decode(&encoding.ids, true)?, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The names below are the whole interface for encoding. The modules are for `token-inspect`, `token-train` and readers of
//! the code. A text becomes ids in stages, each a folder here:
//!
//! ```text
//! text -> added_tokens -> normalizers -> pretokenizers -> models -> postprocessors -> ids
//!         special tokens  lower case,    words,           BPE,      [CLS] ... [SEP]
//!         in the text     accents        numbers          WordPiece
//! ids  -> decoders -> text
//! ```
//!
//! [`stages`] has the order of the stages, [`fast`] has quicker ways to the same tokens, [`tokenizer`] puts both together,
//! and [`formats`] reads them from files. A [`vocab::Vocab`] entry is a *token*
//! (bytes) with an *id*; a *pretoken* is a slice of text that the model sees on its own; a *span* is a half-open range of
//! the original text.
//!
//! Pure: no Python, network, clock or output. Globals are tables of constants, and the [`call`] that a thread works for.
//!
//! What the code relies on, beside what is written where it is used:
//!
//! * Texts are shorter than 4 GiB ([`tokenizer::Tokenizer::check`]), and so is what a normalizer makes of one
//!   ([`normalizers`]): places in texts are 32 bits.
//! * Files have at most 1 GiB ([`formats`]), so places in a vocabulary are 32 bits, too. Ids and ranks of merges are below 2^21,
//!   which the formats check and `models::bpe::merges` asserts.
//! * Hashes are quick, not keyed. Words that somebody chose to collide make encoding and training slower; caches of words are
//!   bounded, so by a factor, and no result changes.

pub use added_tokens::Specials;
pub use encoding::Encoding;
pub use error::{DecodeError, EncodeError, LoadError};
pub use formats::definition::Definition;
pub use formats::detect::{LoadOptions, load, load_with};
pub use ids::Id;
pub use offsets::Span;
pub use tokenizer::{EncodeOptions, Tokenizer};
pub use truncation::Truncation;

pub mod added_tokens;
pub mod alignment;
pub mod byte_alphabet;
pub mod call;
pub(crate) mod char_set;
pub mod decoders;
pub mod encoding;
pub mod error;
pub mod fast;
pub mod formats;
pub mod ids;
pub mod matching;
pub(crate) mod memory;
pub mod models;
pub mod normalizers;
pub mod offsets;
pub mod padding;
pub mod parallel;
pub mod postprocessors;
pub mod pretokenizers;
pub mod pretokens;
pub mod random;
pub mod split_points;
pub mod stages;
pub mod steps;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod timing;
pub mod tokenizer;
pub mod truncation;
pub mod unicode;
pub mod vocab;

/// The examples of the README, run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
