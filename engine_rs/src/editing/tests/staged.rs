//! Small tokenizers of a tokenizer.json: every way in which a space is a cut for stages, and some in which it is none.

use serde_json::{Value, json};

use crate::editing::cuts::Cuts;
use crate::formats::tokenizer_json;
use crate::tokenizer::Tokenizer;

const CLIP: &str = r"<\|end\|>|'s|'t|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+";

fn build(normalizer: Value, pretokenizer: Value, model: Value, added: Value) -> Tokenizer {
    let added: Vec<Value> = added
        .as_array()
        .into_iter()
        .flatten()
        .map(|given| {
            let mut token =
                json!({"special": true, "normalized": false, "lstrip": false, "rstrip": false, "single_word": false});
            let fields = given.as_object().into_iter().flatten();
            fields.for_each(|(name, value)| token[name] = value.clone());
            token
        })
        .collect();
    let json = json!({"version": "1.0", "truncation": null, "padding": null, "added_tokens": added, "normalizer": normalizer,
        "pre_tokenizer": pretokenizer, "post_processor": null, "decoder": null, "model": model});
    let definition = tokenizer_json::read("x.json", json.to_string().as_bytes()).expect("valid");
    definition.build("x.json").expect("valid")
}

fn bpe(more: Value) -> Value {
    let tokens = [
        "<unk>", "▁", "a", "b", "t", "h", "e", "1", "▁t", "he", "▁the", "ab", "▁ab", "▁▁", "s", "'", "本", ".", "á",
        "▁a",
    ];
    let vocab: serde_json::Map<String, Value> =
        tokens.iter().enumerate().map(|(id, token)| ((*token).into(), id.into())).collect();
    let merges = ["▁ t", "h e", "▁t he", "a b", "▁ ab", "▁ ▁", "▁ a"];
    let mut model = json!({"type": "BPE", "vocab": vocab, "merges": merges, "unk_token": "<unk>", "fuse_unk": true});
    more.as_object().into_iter().flatten().for_each(|(name, value)| model[name] = value.clone());
    model
}

fn unigram() -> Value {
    let tokens =
        ["<unk>", "▁", "a", "b", "t", "h", "e", "▁the", "he", "▁a", "ab", "▁ab", "1", "▁the▁a", "s", "本", "."];
    let vocab: Vec<Value> =
        tokens.iter().enumerate().map(|(n, token)| json!([token, -1.0 - 0.37 * n as f64])).collect();
    json!({"type": "Unigram", "unk_id": 0, "vocab": vocab})
}

/// In the order in which the names below say whether they have cuts.
pub fn tokenizers() -> Vec<Tokenizer> {
    let metaspace = |prepend: &str, split: bool| json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": prepend, "split": split});
    let sequence = |all: Value| json!({"type": "Sequence", "normalizers": all});
    let later = |all: Value| json!({"type": "Sequence", "pretokenizers": all});
    let marks =
        json!([{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]);
    let albert = json!([{"type": "Replace", "pattern": {"String": "''"}, "content": "\""}, {"type": "NFKD"}, {"type": "StripAccents"},
        {"type": "Lowercase"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]);
    let words = json!([{"type": "WhitespaceSplit"}, metaspace("always", true)]);
    let clip = json!([{"type": "NFC"}, {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}, {"type": "Lowercase"}]);
    let clip_split = json!([{"type": "Split", "pattern": {"Regex": CLIP}, "behavior": "Removed", "invert": true},
        {"type": "Digits", "individual_digits": true}]);
    let end = json!([{"id": 100, "content": "<|end|>"}, {"id": 101, "content": "the", "special": false}]);
    let mask = json!([{"id": 100, "content": "<|end|>", "lstrip": true, "rstrip": true}, {"id": 101, "content": "1", "single_word": true}]);
    let normalized = json!([{"id": 100, "content": "<|end|>", "normalized": true}]);
    let strip = json!([{"type": "Strip", "strip_left": true, "strip_right": true}, {"type": "NFC"}]);
    let whitespace = json!({"type": "Whitespace"});
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true});
    vec![
        build(sequence(marks.clone()), Value::Null, bpe(json!({})), end.clone()),
        build(sequence(marks.clone()), Value::Null, bpe(json!({})), mask.clone()),
        build(Value::Null, metaspace("first", false), bpe(json!({})), end.clone()),
        build(Value::Null, metaspace("always", false), bpe(json!({})), mask.clone()),
        build(sequence(albert.clone()), later(words.clone()), unigram(), end.clone()),
        build(Value::Null, metaspace("first", true), unigram(), mask.clone()),
        build(sequence(clip), later(clip_split), bpe(json!({"end_of_word_suffix": "</w>"})), normalized.clone()),
        build(sequence(strip), whitespace, bpe(json!({})), mask.clone()),
        build(json!({"type": "NFC"}), bytes, bpe(json!({})), normalized),
        // No cuts: chance, one pretoken taken whole, a sum over the whole text, a letter that becomes a space.
        build(sequence(marks.clone()), Value::Null, bpe(json!({"dropout": 0.3})), end.clone()),
        build(sequence(marks.clone()), Value::Null, bpe(json!({"ignore_merges": true})), end.clone()),
        build(sequence(marks), Value::Null, unigram(), end.clone()),
        build(json!({"type": "Replace", "pattern": {"String": "e"}, "content": " "}), later(words), unigram(), end),
    ]
}

#[test]
fn spaces_are_cuts_where_that_is_proved() {
    let found: Vec<bool> =
        tokenizers().iter().map(|tokenizer| Cuts::new(tokenizer, Default::default()).exist()).collect();
    assert_eq!(found, [true, true, true, true, true, true, true, true, true, false, false, false, false]);
}

#[test]
fn a_space_behind_an_added_token_is_no_cut() {
    let tokenizer = &tokenizers()[0];
    let cuts = Cuts::new(tokenizer, Default::default());
    // "the" is an added token: what is behind it begins anew, with a mark of its own.
    assert!(cuts.is_cut("ab the", 2) && !cuts.is_cut("the ab", 3));
}
