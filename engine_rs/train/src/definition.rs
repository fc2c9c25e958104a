//! From options and a trained model to a tokenizer.
//!
//! A tokenizer.json is written in memory and read by the engine's reader, so a trained tokenizer is built exactly as one
//! from a file. Not here: what the stages do (`token_engine`).
//!
//! Source: the serialization of `tokenizers` 0.23 (github.com/huggingface/tokenizers).

use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use token_engine::formats::tokenizer_json;
use token_engine::{Definition, Tokenizer};

use crate::error::TrainError;
use crate::options::{Algorithm, Options};
use crate::superwords;

/// Stands for a space.
pub(crate) const SPACE: &str = "\u{2581}";

/// Name of the document in errors.
const FILE: &str = "training options";

/// A trained model, as the object `model` of a tokenizer.json has it. Tokens are spelled as in that file.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// Tokens by id, and the pairs that are merged, by rank.
    Bpe {
        /// Tokens by id.
        tokens: Vec<String>,
        /// Ids of left and right, by rank.
        merges: Vec<(u32, u32)>,
    },
    /// Tokens by id.
    WordPiece {
        /// Tokens by id.
        tokens: Vec<String>,
    },
    /// Tokens by id.
    WordLevel {
        /// Tokens by id.
        tokens: Vec<String>,
    },
    /// Tokens with the natural logarithm of their probability, by id.
    Unigram {
        /// Tokens and scores by id.
        tokens: Vec<(String, f64)>,
    },
}

/// The tokenizer with the stages of `options` around `model`.
///
/// Errors: a stage that cannot be read, with its path in the options.
pub(crate) fn tokenizer(options: &Options, model: &Model) -> Result<Tokenizer, TrainError> {
    Ok(definition(options, model)?.build(FILE)?)
}

/// The stages before the model, as the engine runs them.
///
/// Errors: as [`tokenizer`].
pub(crate) fn stages(options: &Options) -> Result<Definition, TrainError> {
    let tokens = options.all_special_tokens().into_iter().map(str::to_owned).collect();
    let splits = Options { whole_text: false, ..options.clone() };
    definition(&splits, &Model::WordLevel { tokens })
}

/// The definition of that tokenizer.
///
/// Errors: as [`tokenizer`].
pub fn definition(options: &Options, model: &Model) -> Result<Definition, TrainError> {
    let document = document(options, model).to_string();
    Ok(tokenizer_json::read(FILE, document.as_bytes())?)
}

/// The whole document.
pub fn document(options: &Options, model: &Model) -> Value {
    let added: Vec<Value> = options.all_special_tokens().into_iter().enumerate().map(added_token).collect();
    json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added,
        "normalizer": normalizer(options),
        "pre_tokenizer": pre_tokenizer(options),
        "post_processor": options.post_processor,
        "decoder": decoder(options),
        "model": model_json(options, model),
    })
}

fn added_token((id, content): (usize, &str)) -> Value {
    json!({
        "id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
        "special": true,
    })
}

/// The normalizer. It writes spaces as marks if no pretokenizer does.
fn normalizer(options: &Options) -> Value {
    if !options.whole_text {
        return options.normalizer.clone().into();
    }
    let space = json!({"type": "Replace", "pattern": {"String": " "}, "content": SPACE});
    let all: Vec<Value> = options.normalizer.clone().into_iter().chain([space]).collect();
    json!({"type": "Sequence", "normalizers": all})
}

/// The pretokenizer, which spells bytes if the alphabet is bytes.
fn pre_tokenizer(options: &Options) -> Value {
    if options.whole_text {
        return Value::Null;
    }
    let given = options.superwords_from.map_or_else(|| options.pre_tokenizer.clone(), |_| superwords::split(options));
    let spelled =
        spells_bytes(given.as_ref(), "pretokenizers") || spells_bytes(options.normalizer.as_ref(), "normalizers");
    if !options.is_bytes() || spelled {
        return given.unwrap_or(Value::Null);
    }
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false});
    match given {
        Some(first) => json!({"type": "Sequence", "pretokenizers": [first, bytes]}),
        None => bytes,
    }
}

/// Whether a stage ends with `ByteLevel`; `steps` is the field of a sequence that lists its steps.
fn spells_bytes(stage: Option<&Value>, steps: &str) -> bool {
    let Some(stage) = stage else { return false };
    match kind(stage) {
        "ByteLevel" => true,
        "Sequence" => spells_bytes(stage[steps].as_array().and_then(|all| all.last()), steps),
        _ => false,
    }
}

fn kind(stage: &Value) -> &str {
    stage["type"].as_str().unwrap_or_default()
}

/// The decoder of the options, or the one that undoes the other stages.
fn decoder(options: &Options) -> Value {
    if let Some(decoder) = &options.decoder {
        return decoder.clone();
    }
    let metaspace = options.pre_tokenizer.as_ref().and_then(metaspace);
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false});
    match options.algorithm {
        _ if options.is_bytes() || spells_bytes(options.pre_tokenizer.as_ref(), "pretokenizers") => bytes,
        Algorithm::WordPiece => json!({"type": "WordPiece", "prefix": options.prefix(), "cleanup": true}),
        Algorithm::WordLevel if metaspace.is_none() => Value::Null,
        _ if options.byte_fallback => {
            let spaces = metaspace.unwrap_or_else(|| json!({"type": "Fuse"}));
            json!({"type": "Sequence", "decoders": [{"type": "ByteFallback"}, spaces, {"type": "Fuse"}]})
        }
        _ if !options.suffix().is_empty() && !options.prefix().is_empty() => {
            let prefix = format!("^{}", regex_syntax::escape(options.prefix()));
            let words = json!({"type": "BPEDecoder", "suffix": options.suffix()});
            json!({"type": "Sequence", "decoders":
                [{"type": "Replace", "pattern": {"Regex": prefix}, "content": ""}, words]})
        }
        _ if !options.suffix().is_empty() => json!({"type": "BPEDecoder", "suffix": options.suffix()}),
        _ if !options.prefix().is_empty() => {
            json!({"type": "WordPiece", "prefix": options.prefix(), "cleanup": false})
        }
        _ => metaspace.unwrap_or_else(|| json!({"type": "Fuse"})),
    }
}

/// The decoder `Metaspace` for a pretokenizer that has such a step.
pub(crate) fn metaspace(stage: &Value) -> Option<Value> {
    match kind(stage) {
        "Metaspace" => Some(stage.clone()),
        "Sequence" => stage["pretokenizers"].as_array()?.iter().find_map(metaspace),
        _ => None,
    }
}

fn model_json(options: &Options, model: &Model) -> Value {
    let unknown = options.unknown_token.as_deref();
    let some = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
    match model {
        Model::Bpe { tokens, merges } => {
            let spelled = |id: u32| tokens.get(id as usize).map(String::as_str);
            let merges: Vec<_> = match options.whole_text {
                true => all_merges(tokens, merges).into_iter().map(|(left, right)| json!([left, right])).collect(),
                false => merges.iter().map(|&(left, right)| json!([spelled(left), spelled(right)])).collect(),
            };
            json!({
                "type": "BPE", "dropout": null, "unk_token": unknown, "continuing_subword_prefix": some(options.prefix()),
                "end_of_word_suffix": some(options.suffix()), "fuse_unk": options.whole_text, "byte_fallback": options.byte_fallback,
                "ignore_merges": false, "vocab": by_token(tokens), "merges": merges,
            })
        }
        Model::WordPiece { tokens } => json!({
            "type": "WordPiece", "unk_token": unknown.unwrap_or("[UNK]"), "continuing_subword_prefix": options.prefix(),
            "max_input_chars_per_word": 100, "vocab": by_token(tokens),
        }),
        Model::WordLevel { tokens } => {
            json!({"type": "WordLevel", "vocab": by_token(tokens), "unk_token": unknown.unwrap_or("[UNK]")})
        }
        Model::Unigram { tokens } => {
            let id = |token: &str| tokens.iter().position(|(other, _)| other == token);
            json!({
                "type": "Unigram", "unk_id": unknown.and_then(id), "vocab": tokens, "byte_fallback": options.byte_fallback,
            })
        }
    }
}

/// Every pair of tokens that spells what a merge makes, in the order of the merges; of one merge by their ids.
fn all_merges<'a>(tokens: &'a [String], merges: &[(u32, u32)]) -> Vec<(&'a str, &'a str)> {
    let Some(first) = tokens.len().checked_sub(merges.len()) else { return vec![] };
    // Special tokens and those of bytes spell no part of a word.
    let parts: FxHashMap<&str, usize> = tokens
        .iter()
        .enumerate()
        .filter(|(id, token)| *id >= first || token.chars().count() == 1)
        .map(|(id, token)| (token.as_str(), id))
        .collect();
    let mut all = vec![];
    for made in &tokens[first..] {
        let halves = made.char_indices().skip(1).map(|(at, _)| made.split_at(at));
        let mut pairs: Vec<_> =
            halves.filter_map(|(left, right)| Some((parts.get(left)?, parts.get(right)?, left, right))).collect();
        pairs.sort_unstable();
        all.extend(pairs.into_iter().map(|(_, _, left, right)| (left, right)));
    }
    all
}

fn by_token(tokens: &[String]) -> Value {
    tokens.iter().enumerate().map(|(id, token)| (token.clone(), Value::from(id))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_spelled_once() {
        let split = json!({"type": "Split", "pattern": {"Regex": " "}, "behavior": "Isolated", "invert": false});
        let bytes = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true});
        let both = json!({"type": "Sequence", "pretokenizers": [split, bytes]});
        let kinds = |given: Option<Value>| {
            let made = pre_tokenizer(&Options { pre_tokenizer: given, ..Options::default() });
            made["pretokenizers"]
                .as_array()
                .map_or(vec![kind(&made).to_owned()], |all| all.iter().map(|stage| kind(stage).to_owned()).collect())
        };
        assert_eq!(kinds(None), ["ByteLevel"]);
        assert_eq!(kinds(Some(bytes.clone())), ["ByteLevel"]);
        assert_eq!(kinds(Some(split)), ["Split", "ByteLevel"]);
        assert_eq!(kinds(Some(both)), ["Split", "ByteLevel"]);
    }

    #[test]
    fn whole_texts_have_every_merge_and_no_pretokenizer() {
        let marks = json!({"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "never", "split": true});
        let options = Options {
            whole_text: true,
            alphabet: Some(crate::Alphabet::Characters),
            unknown_token: Some("ab".to_owned()),
            normalizer: Some(json!({"type": "NFC"})),
            pre_tokenizer: Some(marks),
            ..Options::default()
        };
        assert_eq!(options.check(), Ok(()));
        let tokens = ["ab", "a", "b", "c", "bc", "abc"].map(str::to_owned).to_vec();
        let model = Model::Bpe { tokens, merges: vec![(2, 3), (1, 4)] };
        let made = document(&options, &model);
        // The special token "ab" is no part of "abc".
        assert_eq!(made["model"]["merges"], json!([["b", "c"], ["a", "bc"]]));
        assert_eq!((&made["pre_tokenizer"], kind(&made["normalizer"]["normalizers"][0])), (&Value::Null, "NFC"));
        let Model::Bpe { tokens, merges } = model else { return };
        let tokens = tokens.into_iter().chain(["cb".to_owned(), "abcb".to_owned()]).collect();
        let model = Model::Bpe { tokens, merges: merges.into_iter().chain([(3, 2), (5, 2)]).collect() };
        let made = document(&options, &model);
        let expected = json!([["b", "c"], ["a", "bc"], ["c", "b"], ["abc", "b"]]);
        assert_eq!(made["model"]["merges"], expected);
    }

    #[test]
    fn a_stage_that_is_wrong_is_refused_with_its_place() {
        let options = Options { pre_tokenizer: Some(json!({"type": "Nothing"})), ..Options::default() };
        let error = stages(&options).expect_err("no such pretokenizer").to_string();
        assert!(error.starts_with("training options at pre_tokenizer"), "{error}");
    }
}
