//! The other files of a tokenizer in a model folder of Hugging Face transformers: `tokenizer_config.json`,
//! `special_tokens_map.json` and `added_tokens.json`.
//!
//! Added tokens come from all three ([`tokens`]). The class that the configuration names decides the stages of a tokenizer
//! whose own file is only a vocabulary ([`class`]). Not here: which file of a folder is the tokenizer ([`super::detect`]).
//!
//! Source: `PreTrainedTokenizerBase._from_pretrained` and `PreTrainedTokenizerFast` of Hugging Face transformers.

pub(crate) mod class;
pub(crate) mod letters;
mod settings;
mod tokens;

use super::tokenizer_json::json::{Fields, Json, Node};
use crate::error::LoadError;

/// The configuration: class of the tokenizer, roles of its tokens, defaults for its use.
pub(crate) const CONFIG: &str = "tokenizer_config.json";
/// Which special token has which role.
pub(crate) const SPECIAL_TOKENS_MAP: &str = "special_tokens_map.json";
/// Added tokens and their ids.
pub(crate) const ADDED_TOKENS: &str = "added_tokens.json";

/// The files that exist.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FolderFiles {
    config: Option<Json>,
    special_tokens_map: Option<Json>,
    added_tokens: Option<Json>,
}

impl FolderFiles {
    /// Reads the files. `content_of` returns the content of the file with this name, or `None` if it does not exist.
    ///
    /// Errors: those of `content_of`; a file that is not JSON, with the line.
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
