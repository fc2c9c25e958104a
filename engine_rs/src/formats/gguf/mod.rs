//! GGUF: the vocabulary inside of a model file of llama.cpp.
//!
//! Followed is the tokenizer that the file was made from, as its tokenizer.json has it, not llama.cpp where the two differ.
//! Not here: tensors, which are never read.
//!
//! Source: `docs/gguf.md` of ggml; `convert_hf_to_gguf.py` and `src/llama-vocab.cpp` of llama.cpp.

pub mod container;
mod llama;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::io::Read;

use super::definition::Definition;
use crate::error::LoadError;

/// Reads the tokenizer in a file of `size` bytes.
///
/// Errors: what is no GGUF, has no tokenizer or one of a kind or split pattern that is not known; each with the byte or
/// the name of the value.
pub fn read(file: &str, source: impl Read, size: u64) -> Result<Definition, LoadError> {
    vocabulary::definition(file, &container::read(file, source, size)?)
}
