//! What `tokenizer_config.json` says of a vocabulary and merges beside it: the class of the tokenizer, which stands for stages
//! that the two files do not have, and the added tokens.
//!
//! Not here: the vocabulary and merges themselves ([`super::vocab_merges`]).
//!
//! Source: `GPT2Converter`, `RobertaConverter` and `Qwen2Converter` of Hugging Face transformers.

use super::tokenizer_json::json::{Json, Node};
use crate::added_tokens::AddedToken;
use crate::error::LoadError;
use crate::ids::Id;
use crate::normalizers::Normalizer;
use crate::normalizers::forms::Form;
use crate::pretokenizers::scanners::Pattern;

/// What a class of tokenizers does beside its vocabulary and merges.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// How text is split.
    pub pattern: Pattern,
    /// What changes it before.
    pub normalizer: Option<Normalizer>,
    /// The added tokens by rising id, where the configuration has them.
    pub added_tokens: Option<Vec<AddedToken>>,
}

impl Class {
    /// That of files without a configuration.
    pub const GPT2: Self = Self { pattern: Pattern::R50k, normalizer: None, added_tokens: None };
}

/// Reads the class from a configuration.
///
/// Errors: what is not JSON or not right, a class whose stages are not known; with the JSON path.
///
/// ```
/// # use token_engine::{formats::class::read, pretokenizers::scanners::Pattern};
/// let config = br#"{"tokenizer_class": "Qwen2TokenizerFast"}"#;
/// assert_eq!(read("tokenizer_config.json", config).unwrap().pattern, Pattern::Qwen2);
/// let error = read("tokenizer_config.json", br#"{"tokenizer_class": "XTokenizer"}"#).unwrap_err().to_string();
/// assert!(error.starts_with("tokenizer_config.json at tokenizer_class: the split pattern of \"XTokenizer\""), "{error}");
/// ```
pub fn read(file: &str, content: &[u8]) -> Result<Class, LoadError> {
    let json = Json::read(file, content)?;
    let mut fields = Node::root(file, &json).fields()?;
    let class = fields.take("tokenizer_class");
    let name = class.as_ref().map_or(Ok(None), |node| node.optional(Node::string))?.unwrap_or_default();
    let (pattern, normalizer) = match (name.trim_end_matches("Fast"), &class) {
        ("" | "GPT2Tokenizer" | "RobertaTokenizer", _) | (_, None) => (Pattern::R50k, None),
        ("Qwen2Tokenizer", _) => (Pattern::Qwen2, Some(Normalizer::Form(Form::Nfc))),
        (_, Some(node)) => {
            return Err(node
                .error(format!("the split pattern of {name:?} is not known"))
                .hint(format!("name the pattern, one of {}", super::patterns::list())));
        }
    };
    Ok(Class { pattern, normalizer, added_tokens: fields.optional("added_tokens_decoder", added_tokens)? })
}

fn added_tokens(node: &Node<'_>) -> Result<Vec<AddedToken>, LoadError> {
    let Json::Object(entries) = node.json else { return Err(node.unexpected("an object of ids and tokens")) };
    let mut by_id = node.fields()?;
    let mut tokens = Vec::with_capacity(entries.len());
    for (key, _) in entries {
        let id: Id = key.parse().map_err(|_| node.error_at(key, "the name is not an id"))?;
        let mut fields = by_id.required(key)?.fields()?;
        let content = fields.required("content")?.string()?;
        let special = fields.switch("special")?;
        tokens.push(AddedToken {
            special,
            single_word: fields.switch("single_word")?,
            lstrip: fields.switch("lstrip")?,
            rstrip: fields.switch("rstrip")?,
            normalized: fields.optional("normalized", Node::boolean)?.unwrap_or(!special),
            ..AddedToken::special(content, id)
        });
        fields.take("__type");
        fields.end()?;
    }
    tokens.sort_by_key(|token| token.id);
    Ok(tokens)
}
