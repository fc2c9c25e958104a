//! Tokenizer files: one reader per format, each ends in a [`definition::Definition`].
//!
//! [`detect`] looks at the content, not at the name.
#![cfg_attr(not(feature = "fs"), allow(dead_code, reason = "only `load` asks which format a file is"))]

mod byte_level;
pub mod clip;
pub mod coverage;
pub mod definition;
#[cfg(feature = "fs")]
pub mod detect;
pub mod gguf;
mod new_tokens;
pub mod patterns;
pub mod plain;
pub mod published;
pub mod rwkv;
pub mod save;
pub mod sentencepiece;
pub mod state;
pub mod tekken;
pub mod tiktoken;
pub mod tokenizer_json;
#[cfg(feature = "fs")]
pub(crate) mod transformers_folder;
pub(crate) mod truncate;
#[cfg(feature = "fs")]
pub(crate) mod unrecognized;
pub mod vocab_merges;
pub mod vocab_txt;
