//! `tokenizer.json` of Hugging Face `tokenizers`: one JSON document with every stage.
//!
//! One file here per section, reader and writer side by side. Everything in the document is read or refused, with its JSON
//! path; defaults are those of the reference. Not here: the files beside it in a folder of a model.
//!
//! Source: the serialization of `tokenizers` 0.23 (github.com/huggingface/tokenizers).

mod added_tokens;
mod decoder;
mod expression;
pub mod json;
mod limits;
mod model;
mod normalizer;
mod postprocessor;
mod pretokenizer;
mod ranks;
mod read;
mod write;

pub use read::read;
pub use write::write;
