//! What stands beside a tokenizer in a folder of a model: `tokenizer_config.json`, `special_tokens_map.json` and
//! `added_tokens.json`.
//!
//! Added tokens come from all three ([`tokens`]); stages that a vocabulary alone does not say follow from the class
//! ([`class`]). Not here: which file of a folder is the tokenizer ([`super::detect`]).
//!
//! Source: `PreTrainedTokenizerBase._from_pretrained` and `PreTrainedTokenizerFast` of Hugging Face transformers.

pub mod class;
mod settings;
mod tokens;

use super::tokenizer_json::json::{Fields, Json, Node};
use crate::error::LoadError;

/// How a tokenizer is used.
pub const CONFIG: &str = "tokenizer_config.json";
/// Roles of special tokens.
pub const SPECIAL_TOKENS_MAP: &str = "special_tokens_map.json";
/// Tokens and ids.
pub const ADDED_TOKENS: &str = "added_tokens.json";

/// The files, those that are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beside {
    config: Option<Json>,
    special_tokens_map: Option<Json>,
    added_tokens: Option<Json>,
}

impl Beside {
    /// Reads the files; `content_of` gives what a file of this name holds, if there is one.
    ///
    /// Errors: those of `content_of`; what is not JSON, with the line.
    pub fn read(content_of: impl Fn(&'static str) -> Result<Option<Vec<u8>>, LoadError>) -> Result<Self, LoadError> {
        let json = |name| content_of(name)?.map(|content| Json::read(name, &content)).transpose();
        Ok(Self {
            config: json(CONFIG)?,
            special_tokens_map: json(SPECIAL_TOKENS_MAP)?,
            added_tokens: json(ADDED_TOKENS)?,
        })
    }

    /// The fields of the configuration.
    fn config(&self) -> Result<Option<Fields<'_>>, LoadError> {
        self.config.as_ref().map(|json| Node::root(CONFIG, json).fields()).transpose()
    }
}
