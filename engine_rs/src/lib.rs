//! Exact, fast tokenizers.
//!
//! A text becomes ids in stages, each a folder here:
//!
//! ```text
//! text -> added_tokens -> normalizers -> pretokenizers -> models -> postprocessors -> ids
//!         special tokens  lower case,    words,           BPE,      [CLS] ... [SEP]
//!         in the text     accents        numbers          WordPiece
//! ids  -> decoders -> text
//! ```
//!
//! [`tokenizer`] puts the stages together, [`formats`] reads them from files. A [`vocab::Vocab`] entry is a *token*
//! (bytes) with an *id*; a *pretoken* is a slice of text that the model sees on its own; a *span* is a half-open range of
//! the original text.
//!
//! Pure: no Python, network, clock or output. Globals are tables of constants.

pub mod added_tokens;
pub mod alignment;
pub mod byte_alphabet;
pub mod chance;
pub mod classic;
pub mod corpus;
pub mod decoders;
pub mod describe;
pub mod divergence;
pub mod editing;
pub mod encoding;
pub mod error;
pub mod formats;
pub mod ids;
pub mod matching;
pub mod memory;
pub mod models;
pub mod normalizers;
pub mod offsets;
pub mod padding;
pub mod parallel;
pub mod pieces;
pub mod pipelines;
pub mod postprocessors;
pub mod pretokenizers;
pub mod random;
mod steps;
#[cfg(test)]
mod testing;
pub mod timing;
pub mod tokenizer;
pub mod trace;
pub mod truncation;
pub mod unicode;
pub mod vocab;
pub mod vocabulary_index;

/// The examples of the README, run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
