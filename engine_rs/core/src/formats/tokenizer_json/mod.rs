//! `tokenizer.json` of Hugging Face `tokenizers`: one JSON document with every stage.
//!
//! One file here per section, reader and writer side by side. Everything in the document is read, refused with its JSON
//! path, or listed as ignored if the reference ignores it; defaults are those of the reference. Not here: the files beside it in a folder of a model.
//!
//! Source: the serialization of `tokenizers` 0.23 (github.com/huggingface/tokenizers).

pub(super) mod added_tokens;
pub(super) mod decoder;
mod expression;
pub(crate) mod json;
pub(super) mod limits;
mod model;
pub(super) mod normalizer;
pub(super) mod postprocessor;
pub(super) mod pretokenizer;
mod ranks;
mod read;
mod write;

pub(super) use expression::Dialect;
pub use read::read;
pub use write::write;
