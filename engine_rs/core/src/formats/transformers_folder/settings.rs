//! Fields of `tokenizer_config.json` that change no id of a text: batching, chat templates, where files came from, uses of
//! tokens by other programs.
//!
//! `tokenizer.json` is self-contained, so none of these fields is read with it. With a vocabulary, a field that is neither
//! here nor in [`class`](super::class) is an error.

use super::tokens::{LISTS, ROLES};
use crate::error::LoadError;
use crate::formats::tokenizer_json::json::{Fields, Json, Node};

/// The fields, sorted.
pub(super) const HARMLESS: [&str; 62] = [
    "_commit_hash",
    "added_tokens_decoder",
    "audio_bos_token",
    "audio_eos_token",
    "audio_token",
    "auto_map",
    "backend",
    "boi_token",
    "chat_template",
    "clean_up_tokenization_spaces",
    "device_map",
    "eoi_token",
    "errors",
    "from_slow",
    "fuse_unk",
    "image_end_token",
    "image_processor_type",
    "image_start_token",
    "image_token",
    "is_local",
    "language",
    "legacy",
    "local_files_only",
    "max_len",
    "max_length",
    "merges_file",
    "model_input_names",
    "model_max_length",
    "model_type",
    "name_or_path",
    "pad_to_multiple_of",
    "pad_token_type_id",
    "padding",
    "padding_side",
    "processor_class",
    "response_schema",
    "return_tensors",
    "revision",
    "sp_model_kwargs",
    "spaces_between_special_tokens",
    "special_tokens_map_file",
    "split_special_tokens",
    "stride",
    "task",
    "tokenizer_file",
    "tokenizer_type",
    "torch_dtype",
    "transformers_version",
    "trim_offsets",
    "truncation",
    "truncation_side",
    "truncation_strategy",
    "trust_remote_code",
    "unk_id",
    "use_auth_token",
    "use_default_system_prompt",
    "use_fast",
    "vision_end_token",
    "vision_start_token",
    "video_token",
    "vocab_file",
    "vocab_size",
];

/// Takes the fields that mean nothing here; what is left is known to nobody.
pub(super) fn end(mut fields: Fields<'_>) -> Result<(), LoadError> {
    for name in HARMLESS.into_iter().chain(ROLES).chain(LISTS) {
        fields.take(name);
    }
    fields.end()
}

/// A switch that must have its usual value, for what the other does is not known.
pub(super) fn usual(fields: &mut Fields<'_>, name: &str, value: bool) -> Result<(), LoadError> {
    match fields.take(name) {
        Some(node) if *node.json != Json::Null && node.boolean()? != value => {
            Err(node.unexpected(&format!("{value}, the only value that is known")))
        }
        _ => Ok(()),
    }
}

/// A list or object that must be empty.
pub(super) fn empty(fields: &mut Fields<'_>, name: &str) -> Result<(), LoadError> {
    match fields.take(name) {
        Some(node) if !is_empty(&node) => Err(node.unexpected("empty, the only value that is known")),
        _ => Ok(()),
    }
}

fn is_empty(node: &Node<'_>) -> bool {
    match node.json {
        Json::Null => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(fields) => fields.is_empty(),
        _ => false,
    }
}
