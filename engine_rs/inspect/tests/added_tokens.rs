//! Added tokens under random normalizers: fast paths, edits and the stages find the same ones, and a caller who refuses
//! special tokens is never given one.

use serde_json::{Value, json};
use token_engine::formats::tokenizer_json;
use token_engine::internals::random::Random;
use token_engine::{Definition, EncodeOptions, Specials, Tokenizer, flags};
use token_inspect::document::Document;

/// Texts are made of these; tokens and replacements of the first ones.
const PIECES: [&str; 30] = [
    "<", ">", "|", "_", "end", "END", "of", "a", "b", " ", "▁", "<|end|>", "<end_of>", "A", "é", "ﬁ", "＞", "Ⅳ", "İ",
    "  ", "\n", "\t", "< end >", " b", "a ", "1", "本", "\u{301}", "\u{3000}", ".",
];

fn below(random: &mut Random, bound: usize) -> usize {
    (random.next_bits() >> 33) as usize % bound
}

fn pick<'a, T>(random: &mut Random, choices: &'a [T]) -> &'a T {
    &choices[below(random, choices.len())]
}

fn text(random: &mut Random, pieces: &[&str], most: usize) -> String {
    (0..below(random, most + 1)).map(|_| *pick(random, pieces)).collect()
}

fn normalizer(random: &mut Random, depth: usize) -> Value {
    let replaced = json!({"String": pick(random, &PIECES[..11])});
    let content = text(random, &PIECES[..11], 2);
    match below(random, if depth == 0 { 9 } else { 7 }) {
        0 => json!({"type": "Lowercase"}),
        1 => json!({"type": "NFKC"}),
        2 | 3 => json!({"type": "Replace", "pattern": replaced, "content": content}),
        4 => json!({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": pick(random, &[" ", "▁"])}),
        5 => json!({"type": "Prepend", "prepend": "▁"}),
        6 => json!({"type": "Strip", "strip_left": true, "strip_right": true}),
        7 => Value::Null,
        _ => {
            let all: Vec<_> = (0..1 + below(random, 3)).map(|_| normalizer(random, depth + 1)).collect();
            json!({"type": "Sequence", "normalizers": all})
        }
    }
}

fn pretokenizer(random: &mut Random) -> Value {
    let metaspace = |prepend: &str, split: bool| json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": prepend, "split": split});
    match below(random, 8) {
        0 | 1 => json!({"type": "WhitespaceSplit"}),
        2 => json!({"type": "Whitespace"}),
        3 => metaspace("always", below(random, 2) == 0),
        4 => metaspace("first", below(random, 2) == 0),
        5 => json!({"type": "BertPreTokenizer"}),
        6 => json!({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace("always", true)]}),
        _ => Value::Null,
    }
}

fn model(random: &mut Random) -> Value {
    let tokens: Vec<String> = ["<unk>"]
        .into_iter()
        .chain(PIECES)
        .chain(["▁▁", "▁a", "▁b", "e", "n", "d", "ab", "en", "▁<"])
        .map(String::from)
        .collect();
    let ids = || tokens.iter().enumerate().map(|(id, token)| (token.clone(), id.into()));
    match below(random, 3) {
        0 => {
            json!({"type": "WordLevel", "vocab": ids().collect::<serde_json::Map<String, Value>>(), "unk_token": "<unk>"})
        }
        1 => json!({"type": "BPE", "vocab": ids().collect::<serde_json::Map<String, Value>>(), "unk_token": "<unk>",
            "fuse_unk": true, "merges": ["▁ a", "▁ b", "e n", "en d", "a b", "▁ ▁", "▁ <"]}),
        _ => {
            let scored: Vec<_> =
                tokens.iter().enumerate().map(|(n, token)| json!([token, -1.0 - n as f64 * 0.37])).collect();
            json!({"type": "Unigram", "unk_id": 0, "vocab": scored})
        }
    }
}

fn added(random: &mut Random) -> Value {
    let mut flag = |one_in: usize| below(random, one_in) == 0;
    let flags: Vec<[bool; 5]> = (0..3).map(|_| [flag(3), !flag(3), flag(4), flag(4), flag(6)]).collect();
    let mut tokens: Vec<(u32, String)> = vec![];
    for id in 100..101 + below(random, 3) as u32 {
        let content = match below(random, 4) {
            0 => "<|end|>".to_owned(),
            1 => "<end_of>".to_owned(),
            _ => text(random, &PIECES[..12], 4),
        };
        if tokens.iter().all(|(_, other)| *other != content) {
            tokens.push((id, content));
        }
    }
    let token = |((id, content), [ordinary, normalized, lstrip, rstrip, single_word]): (&(u32, String), &[bool; 5])| {
        json!({"id": id, "content": content, "special": !ordinary, "normalized": normalized, "lstrip": lstrip,
            "rstrip": rstrip, "single_word": single_word})
    };
    tokens.iter().zip(&flags).map(token).collect()
}

fn definition(random: &mut Random) -> (Value, Option<Definition>) {
    let json = json!({"version": "1.0", "added_tokens": added(random), "normalizer": normalizer(random, 0),
        "pre_tokenizer": pretokenizer(random), "model": model(random)});
    let definition = tokenizer_json::read("x.json", json.to_string().as_bytes()).ok();
    (json, definition)
}

#[test]
fn all_ways_find_the_same_tokens() {
    let mut random = Random::new(17);
    let (mut compared, mut refused, mut edited) = (0, 0, 0);
    for _ in 0..700 {
        let (json, Some(definition)) = definition(&mut random) else { continue };
        let (Ok(short), Ok(staged)) = (definition.clone().build("short"), definition.build_without_fast_path("staged"))
        else {
            continue;
        };
        for round in 0..12 {
            let text = text(&mut random, &PIECES, 10);
            let specials = [Specials::Parse, Specials::Text, Specials::Reject][round % 3];
            let options = EncodeOptions { specials, ..EncodeOptions::default() };
            let what = format!("{text:?}, {specials:?}, {json}");
            let encode = |tokenizer: &Tokenizer| tokenizer.encode(&text, None, options).map_err(|_| ());
            let (ours, theirs) = (encode(&short), encode(&staged));
            assert_eq!(ours, theirs, "{what}");
            compared += 1;
            if specials == Specials::Reject {
                let special =
                    |encoding: &token_engine::Encoding| encoding.flags.iter().any(|flags| flags & flags::SPECIAL != 0);
                assert!(!ours.as_ref().is_ok_and(special), "{what}");
                refused += usize::from(ours.is_err());
                continue;
            }
            let Ok(mut document) = Document::new(&[&short], text.clone(), options) else { continue };
            for _ in 0..4 {
                let mut ends: Vec<usize> = document.text().char_indices().map(|(at, _)| at).collect();
                ends.push(document.text().len());
                let mut range = [*pick(&mut random, &ends), *pick(&mut random, &ends)];
                range.sort_unstable();
                let new = self::text(&mut random, &PIECES, 2);
                if document.edit(&[&short], range[0]..range[1], &new).is_err() {
                    continue;
                }
                let whole = staged.encode(document.text(), None, options).expect("it was encoded in parts");
                let encoded = &document.encoded()[0];
                assert_eq!(encoded.ids(), whole.ids, "{:?} after {range:?} {new:?} of {what}", document.text());
                assert_eq!(encoded.spans(), whole.spans, "{:?} after {range:?} {new:?} of {what}", document.text());
                edited += 1;
            }
        }
    }
    assert!(compared > 5000 && refused > 100 && edited > 5000, "{compared}, {refused}, {edited}");
}

#[test]
fn a_special_token_that_the_normalizer_makes_is_refused() {
    let json = json!({"version": "1.0", "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "WordLevel", "vocab": {"[unk]": 0, "hi": 1}, "unk_token": "[unk]"},
        "added_tokens": [{"id": 2, "content": "[MASK]", "special": true, "normalized": true, "lstrip": false, "rstrip": false,
            "single_word": false}]});
    let definition = tokenizer_json::read("x.json", json.to_string().as_bytes()).expect("valid");
    for tokenizer in
        [definition.clone().build("x").expect("valid"), definition.build_without_fast_path("x").expect("valid")]
    {
        for text in ["hé [MASK]", "hé [mask]"] {
            let error = tokenizer.encode_ids(text, Specials::Reject).expect_err("spells [MASK] once it is normalized");
            assert!(error.to_string().contains("the special token \"[MASK]\" at byte 4;"), "{error}");
            assert_eq!(tokenizer.encode_ids(text, Specials::Parse).expect("has an unknown token"), [0, 2]);
        }
    }
}

#[test]
fn white_space_in_a_normalized_spelling_is_found() {
    let json = json!({"version": "1.0", "normalizer": {"type": "Replace", "pattern": {"String": "|"}, "content": " "},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "WordLevel", "vocab": {"[unk]": 0, "x": 1, "y": 2, "<": 3, "end": 4, ">": 5}, "unk_token": "[unk]"},
        "added_tokens": [{"id": 6, "content": "<|end|>", "special": true, "normalized": true, "lstrip": false,
            "rstrip": false, "single_word": false}]});
    let definition = tokenizer_json::read("x.json", json.to_string().as_bytes()).expect("valid");
    for tokenizer in
        [definition.clone().build("x").expect("valid"), definition.build_without_fast_path("x").expect("valid")]
    {
        for text in ["x <|end|> y", "x < end > y"] {
            assert_eq!(tokenizer.encode_ids(text, Specials::Parse).expect("has an unknown token"), [1, 6, 2], "{text}");
        }
    }
}
