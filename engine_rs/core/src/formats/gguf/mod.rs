//! GGUF: the vocabulary inside of a model file of llama.cpp.
//!
//! Followed is the tokenizer that the file was made from, as its tokenizer.json has it, not llama.cpp where the two differ.
//! Not here: tensors, which are never read.
//!
//! Source: `docs/gguf.md` of ggml; `convert_hf_to_gguf.py` and `src/llama-vocab.cpp` of llama.cpp.

mod bert;
mod byte_level;
pub(crate) mod container;
mod llama;
mod source;
#[cfg(test)]
mod tests;

use std::io::Read;

use self::source::Source;
use super::definition::Definition;
use crate::error::LoadError;

/// Reads the tokenizer in a file of `size` bytes.
///
/// Errors: what is no GGUF, has no tokenizer or one of a kind or split pattern that is not known; each with the byte or
/// the name of the value.
pub fn read(file: &str, source: impl Read, size: u64) -> Result<Definition, LoadError> {
    let values = container::read(file, source, size)?;
    let source = Source::new(file, &values)?;
    match source.model {
        "gpt2" => byte_level::definition(&source),
        "bert" => bert::definition(&source),
        "llama" => llama::definition(&source),
        model => Err(source.error("model", &format!("{model:?} is not known")).hint("known are gpt2, llama and bert")),
    }
}
