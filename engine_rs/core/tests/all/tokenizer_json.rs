//! tokenizer.json: what is read, what is refused and where, and that writing loses nothing.

use token_engine::formats::definition::ModelDefinition;
use token_engine::formats::state;
use token_engine::formats::tokenizer_json::{read, write};
use token_engine::internals::byte_alphabet;
use token_engine::{Definition, Specials};

const MODEL: &str = r#"{"type": "WordLevel", "vocab": {"?": 0, "a": 1, "b": 2}, "unk_token": "?"}"#;

/// A document with these fields beside a small model.
fn document(fields: &str) -> String {
    format!(r#"{{"version": "1.0", {fields}{}"model": {MODEL}}}"#, if fields.is_empty() { "" } else { ", " })
}

fn load(content: &str) -> Definition {
    read("x", content.as_bytes()).unwrap_or_else(|error| panic!("{error} in {content}"))
}

fn refusal(content: &str) -> String {
    match read("x", content.as_bytes()).and_then(|definition| definition.build("x").map(|_| ())) {
        Ok(()) => panic!("taken: {content}"),
        Err(error) => error.to_string(),
    }
}

fn comes_back(content: &str) {
    let definition = load(content);
    let written = write(&definition).unwrap_or_else(|error| panic!("{error} in {content}"));
    assert_eq!(load(&written), definition, "{content} as {written}");
    assert_eq!(state::read(&state::write(&definition)).as_ref(), Ok(&definition), "{content}");
    definition.build("x").unwrap_or_else(|error| panic!("{error} in {content}"));
}

#[test]
fn every_component_comes_back() {
    let normalizers = [
        r#"{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": false, "strip_accents": null, "lowercase": true}"#,
        r#"{"type": "Lowercase"}"#,
        r#"{"type": "NFC"}"#,
        r#"{"type": "NFD"}"#,
        r#"{"type": "NFKC"}"#,
        r#"{"type": "NFKD"}"#,
        r#"{"type": "Strip", "strip_left": true, "strip_right": false}"#,
        r#"{"type": "StripAccents"}"#,
        r#"{"type": "Replace", "pattern": {"String": "a\"\n"}, "content": "b"}"#,
        r#"{"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}"#,
        r#"{"type": "Prepend", "prepend": "▁"}"#,
        r#"{"type": "Nmt"}"#,
        r#"{"type": "ByteLevel"}"#,
        r#"{"type": "Precompiled", "precompiled_charsmap": "AAAAAGEA"}"#,
        r#"{"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Sequence", "normalizers": []}]}"#,
    ];
    let pretokenizers = [
        r#"{"type": "BertPreTokenizer"}"#,
        r#"{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": false}"#,
        r#"{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": false, "use_regex": false}"#,
        r#"{"type": "CharDelimiterSplit", "delimiter": "é"}"#,
        r#"{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false}"#,
        r#"{"type": "Metaspace", "replacement": "▁", "str_rep": "▁", "add_prefix_space": true}"#,
        r#"{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "add_prefix_space": false}"#,
        r#"{"type": "Whitespace"}"#,
        r#"{"type": "WhitespaceSplit"}"#,
        r#"{"type": "Split", "pattern": {"Regex": "\\d"}, "behavior": "MergedWithNext", "invert": true}"#,
        r#"{"type": "Punctuation"}"#,
        r#"{"type": "Punctuation", "behavior": "Contiguous"}"#,
        r#"{"type": "Digits", "individual_digits": true}"#,
        r#"{"type": "UnicodeScripts"}"#,
        r#"{"type": "FixedLength", "length": 3}"#,
        r#"{"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}]}"#,
    ];
    let postprocessors = [
        r#"{"type": "BertProcessing", "sep": ["b", 2], "cls": ["a", 1]}"#,
        r#"{"type": "RobertaProcessing", "sep": ["b", 2], "cls": ["a", 1], "trim_offsets": true, "add_prefix_space": false}"#,
        r#"{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true}"#,
        r#"{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": false}"#,
        r#"{"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "s", "type_id": 3}}, {"Sequence": {"id": "A", "type_id": 1}}],
            "pair": [{"Sequence": {"id": "B", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"s": {"id": "s", "ids": [1, 2], "tokens": ["a", "b"]}}}"#,
        r#"{"type": "Sequence", "processors": []}"#,
    ];
    let decoders = [
        r#"{"type": "BPEDecoder", "suffix": "</w>"}"#,
        r#"{"type": "ByteFallback"}"#,
        r#"{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true}"#,
        r#"{"type": "CTC", "pad_token": "p", "word_delimiter_token": "|", "cleanup": false}"#,
        r#"{"type": "Fuse"}"#,
        r#"{"type": "Metaspace", "replacement": "_", "prepend_scheme": "never", "split": true}"#,
        r#"{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}"#,
        r#"{"type": "Strip", "content": " ", "start": 1, "stop": 0}"#,
        r###"{"type": "WordPiece", "prefix": "##", "cleanup": true}"###,
        r#"{"type": "Sequence", "decoders": [{"type": "Fuse"}]}"#,
    ];
    let sections: [(&str, &[&str]); 6] = [
        ("normalizer", &normalizers),
        ("pre_tokenizer", &pretokenizers),
        ("post_processor", &postprocessors),
        ("decoder", &decoders),
        (
            "truncation",
            &[
                r#"{"max_length": 5, "strategy": "OnlyFirst", "stride": 2}"#,
                r#"{"direction": "Left", "max_length": 512, "strategy": "LongestFirst", "stride": 0}"#,
            ],
        ),
        (
            "padding",
            &[
                r#"{"strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}"#,
                r#"{"strategy": {"Fixed": 7}, "direction": "Right", "pad_to_multiple_of": 8, "pad_id": 1, "pad_type_id": 2, "pad_token": "p"}"#,
            ],
        ),
    ];
    for (section, values) in sections {
        for value in values {
            comes_back(&document(&format!("{section:?}: {value}")));
        }
    }
}

#[test]
fn every_model_comes_back() {
    let models = [
        MODEL,
        r#"{"type": "WordLevel", "vocab": {"a": 7}, "unk_token": "[UNK]"}"#,
        r#"{"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]], "dropout": 0.1, "unk_token": "?"}"#,
        r#"{"type": "BPE", "vocab": {"a b": 0, "c": 1, "a bc": 2, "": 3}, "merges": [["a b", "c"], ["", "c"]], "fuse_unk": true, "byte_fallback": true, "ignore_merges": true}"#,
        r###"{"type": "BPE", "vocab": {"a": 0, "##b": 1, "ab": 2}, "merges": ["#version: 0.2", "a ##b"], "continuing_subword_prefix": "##", "end_of_word_suffix": "</w>", "dropout": null}"###,
        r###"{"type": "WordPiece", "vocab": {"[UNK]": 0, "##a": 1}, "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}"###,
        r###"{"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "?", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}"###,
        r#"{"type": "Unigram", "vocab": [["?", 0], ["a", -1.2345678901234567], ["a", -3], ["", -0.1]], "unk_id": 0}"#,
        r#"{"type": "Unigram", "vocab": [], "unk_id": null, "byte_fallback": true}"#,
    ];
    for model in models {
        comes_back(&format!(r#"{{"model": {model}}}"#));
        // Old files: the fields tell the kind.
        let old = model.replacen(r#""type": "#, "", 1);
        let old = old.replacen(&old[1..old.find(", ").map_or(1, |at| at + 2)], "", 1);
        assert_eq!(load(&format!(r#"{{"model": {old}}}"#)), load(&format!(r#"{{"model": {model}}}"#)), "{old}");
    }
}

#[test]
fn merges_make_their_token_whatever_its_id() {
    let bpe = r#"{"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "abc": 3, "bc": 4, "ab": 5, "bb": 6, "": 7},
        "merges": [["a", "b"], ["b", "b"], ["b", "c"], "ab c", ["a", "bc"], ["", "b"]]}}"#;
    let ModelDefinition::Bpe { merges, .. } = load(bpe).model else { panic!("it is BPE") };
    assert_eq!(merges, [[0, 1, 5], [1, 1, 6], [1, 2, 4], [5, 2, 3], [0, 4, 3], [7, 1, 1]]);
}

#[test]
fn tokens_that_no_bytes_spell_may_be_in_merges() {
    let mut vocab: Vec<String> = (0..=255).map(|byte| byte_alphabet::from_bytes(&[byte])).collect();
    vocab.extend(["ab", "abc", "日", "本", "日本"].map(String::from));
    let entries: Vec<String> = vocab.iter().enumerate().map(|(id, token)| format!("{token:?}: {id}")).collect();
    let bytes = r#"{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true}"#;
    let content = format!(
        r#"{{"pre_tokenizer": {bytes}, "decoder": {bytes}, "model": {{"type": "BPE", "vocab": {{{}}},
            "merges": [["a", "b"], ["日", "本"], ["ab", "c"]]}}}}"#,
        entries.join(", ")
    );
    let definition = load(&content);
    // What only a damaged state says: a merge whose parts do not spell what it makes.
    let mut damaged = definition.clone();
    let ModelDefinition::Bpe { merges, .. } = &mut damaged.model else { panic!("it is BPE") };
    merges[2] = [u32::from(b'c'), 260, 257];
    for definition in [definition, damaged] {
        let [fast, by_stages] =
            [definition.clone().build("x").expect("valid"), definition.build_without_fast_path("x").expect("valid")];
        for text in ["abc", "ab c abab", "日本 abc"] {
            let ids = fast.encode_ids(text, Specials::Text).expect("short");
            assert_eq!(ids, by_stages.encode_ids(text, Specials::Text).expect("short"), "{text}");
        }
    }
}

#[test]
fn a_state_with_a_token_twice_is_refused() {
    let content = r###"{"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1, "##b": 2, "##c": 3}, "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}}"###;
    let mut bytes = state::write(&load(content));
    let at = bytes.windows(3).rposition(|three| three == b"##c").expect("it is there");
    bytes[at + 2] = b'b';
    let error = state::read(&bytes).expect_err("twins").to_string();
    assert!(error.contains("the token with id 3: the token stands there already, with id 2"), "{error}");
}

#[test]
fn added_tokens_have_the_ids_that_the_reference_gives_them() {
    let token = |id: u32, content: &str| {
        format!(
            r#"{{"id": {id}, "content": {content:?}, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}}"#
        )
    };
    let tokens = [token(9, "<x>"), token(0, "a"), token(5, "<y>"), token(6, "<x>"), token(7, "")].join(", ");
    let content = document(&format!(r#""added_tokens": [{tokens}]"#));
    let ids = load(&content).added_tokens.iter().map(|token| (token.content.clone(), token.id)).collect::<Vec<_>>();
    assert_eq!(ids, [("a".to_owned(), 1), ("<x>".to_owned(), 3), ("<y>".to_owned(), 4)]);
    comes_back(&content);
    let tokenizer = load(&content).build("x").expect("valid");
    assert_eq!(tokenizer.encode_ids("b<y>", Specials::Parse).expect("short"), [2, 4]);

    let mut definition = load(&content);
    definition.added_tokens[2].id = 12;
    let error = write(&definition).expect_err("a hole").to_string();
    assert!(error.starts_with("tokenizer.json cannot hold the added token \"<y>\" with id 12: "), "{error}");
    let holes = r#"{"model": {"type": "WordLevel", "vocab": {"?": 0, "a": 2}, "unk_token": "?"}, "added_tokens": ["#;
    let error = refusal(&format!("{holes}{}]}}", token(3, "<x>")));
    assert!(error.starts_with("x at added_tokens[0].id: \"<x>\" would get id 2, which is another token's"), "{error}");
}

#[test]
fn fields_that_the_reference_skips_are_listed() {
    let read = read(
        "x",
        document(r#""normalizer": {"type": "NFC", "x": 1}, "decoder": {"y": null, "type": "Fuse"}"#).as_bytes(),
    );
    let ignored = read.expect("the reference reads it").ignored_fields;
    let shown: Vec<_> = ignored.iter().map(|field| format!("{} = {}", field.place, field.value)).collect();
    assert_eq!(shown, ["decoder.y = null", "normalizer.x = 1"]);
}

#[test]
fn what_is_wrong_is_refused_with_its_path() {
    let bpe =
        |fields: &str| format!(r#"{{"model": {{"type": "BPE", "vocab": {{"a": 0, "b": 1, "ab": 2}}, {fields}}}}}"#);
    let unigram = |fields: &str| format!(r#"{{"model": {{"type": "Unigram", {fields}}}}}"#);
    let cases = [
        ("".to_owned(), "x line 1: not JSON: "),
        ("[1]".to_owned(), "x at the top: a list of 1 is not an object"),
        ("{}".to_owned(), "x at the top: the field \"model\" is missing"),
        (r#"{"model": {}}"#.to_owned(), "x at model: the model has neither a type nor the fields of one"),
        (document(r#""version": "2.0""#), "x at [\"version\"]: the field stands there twice"),
        (document(r#""colour": [1, 2]"#), "x at colour: the field is not known; it is a list of 2; "),
        (document(r#""normalizer": {"type": "Shout"}"#), "x at normalizer.type: no normalizer \"Shout\" is known"),
        (document(r#""normalizer": {"lowercase": true}"#), "x at normalizer: the field \"type\" is missing"),
        (
            document(r#""normalizer": {"type": "Replace", "pattern": {"String": "a", "x": 1}, "content": ""}"#),
            "x at normalizer.pattern.x: the field is not known; it is 1",
        ),
        (
            document(r#""normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Prepend"}]}"#),
            "x at normalizer.normalizers[1]: the field \"prepend\" is missing",
        ),
        (
            document(r#""normalizer": {"type": "Replace", "pattern": {"Regex": "("}, "content": ""}"#),
            "x at normalizer.pattern: ",
        ),
        (
            document(r#""normalizer": {"type": "Precompiled", "precompiled_charsmap": "////////"}"#),
            "x at normalizer.precompiled_charsmap: ",
        ),
        (
            document(r#""pre_tokenizer": {"type": "Metaspace", "replacement": "ab"}"#),
            "x at pre_tokenizer.replacement: \"ab\" is not one character",
        ),
        (
            document(r#""pre_tokenizer": {"type": "Metaspace", "replacement": "a", "add_prefix_space": false}"#),
            "x at pre_tokenizer.add_prefix_space: false without ",
        ),
        (
            document(r#""pre_tokenizer": {"type": "Punctuation", "behavior": "Shred"}"#),
            "x at pre_tokenizer.behavior: \"Shred\" is not known; known are Removed, ",
        ),
        (
            document(
                r#""post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "s", "type_id": 0}}], "pair": [], "special_tokens": {}}"#,
            ),
            "x at post_processor.single[0].SpecialToken.id: \"s\" is not among special_tokens",
        ),
        (
            document(r#""decoder": {"type": "Strip", "content": " ", "start": -1, "stop": 0}"#),
            "x at decoder.start: -1 is not a whole number",
        ),
        (document(r#""truncation": {"max_length": 1, "strategy": "All", "stride": 0}"#), "x at truncation.strategy: "),
        (bpe(r#""merges": {}"#), "x at model.merges: an object with 0 fields is not a list of merges"),
        (bpe(r#""merges": ["ab"]"#), "x at model.merges[0]: not two tokens"),
        (
            bpe(r#""merges": [["a", "b"], ["b", "c"]]"#),
            "x at model.merges[1]: right part \"c\" is not in the vocabulary",
        ),
        (
            bpe(r#""merges": [["b", "a"]]"#),
            "x at model.merges[0]: what the merge makes, \"ba\" is not in the vocabulary",
        ),
        (
            bpe(r#""merges": [["a", "b"]], "continuing_subword_prefix": "long""#),
            "x at model.merges[0]: right part \"b\" does not start",
        ),
        (bpe(r#""merges": [], "dropout": 1.5"#), "x at model.dropout: 1.5 is not a probability"),
        (unigram(r#""vocab": [["a", -1], ["b"]]"#), "x at model.vocab[1]: not a token and its score"),
        (unigram(r#""vocab": [["a", "x"]]"#), "x at model.vocab[0]: not a token and its score"),
        (unigram(r#""vocab": [["a", -1]], "unk_id": 1"#), "x at model.unk_id: 1 is no id of the 1 tokens"),
        (unigram(r#""vocab": [["a", NaN]]"#), "x line 1: not JSON: "),
        (
            r#"{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 0}, "unk_token": "a"}}"#.to_owned(),
            "x at model.vocab[\"b\"]: id 0 is used twice",
        ),
        (
            r#"{"model": {"type": "WordLevel", "vocab": {"a": 0, "a": 1}, "unk_token": "a"}}"#.to_owned(),
            "x at model.vocab[\"a\"]: the token stands there twice, with ids 0 and 1",
        ),
        (
            r#"{"model": {"type": "WordLevel", "vocab": {"a": 4000000000}, "unk_token": "a"}}"#.to_owned(),
            "x at model.vocab[\"a\"]: id 4000000000 is far beyond the number of tokens",
        ),
        (
            r#"{"model": {"type": "WordLevel", "vocab": {"a": -1}, "unk_token": "a"}}"#.to_owned(),
            "x at model.vocab[\"a\"]: -1 is not an id",
        ),
    ];
    for (content, expected) in cases {
        let error = refusal(&content);
        assert!(error.starts_with(expected), "{error}\n{content}");
    }
}

#[test]
fn hostile_files_are_refused() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    for content in [
        deep("[", "]"),
        deep(r#"{"normalizer":"#, "}"),
        document(&format!(r#""normalizer": {}"#, deep(r#"{"type":"Sequence","normalizers":["#, "]}"))),
        "{".repeat(1_000_000),
        "\u{FEFF}{}".to_owned(),
    ] {
        assert!(read("x", content.as_bytes()).is_err());
    }
    // Long tokens, and a merge of a token with itself.
    let long = "a".repeat(5 << 20);
    let wordpiece = r###""unk_token": "?", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100"###;
    let content = format!(r#"{{"model": {{"type": "WordPiece", {wordpiece}, "vocab": {{"{long}": 0, "?": 1}}}}}}"#);
    assert!(refusal(&content).contains("too long"));
    let whole = document(r#""decoder": {"type": "Fuse"}"#);
    for end in 0..whole.len() - 1 {
        assert!(read("x", &whole.as_bytes()[..end]).is_err(), "{}", &whole[..end]);
    }
}

#[test]
fn models_without_an_unknown_token_say_so() {
    let content = r#"{"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "[UNK]"}, "pre_tokenizer": {"type": "WhitespaceSplit"}}"#;
    let tokenizer = load(content).build("x").expect("valid");
    assert_eq!(tokenizer.encode_ids("a a", Specials::Parse).expect("known"), [0, 0]);
    let error = tokenizer.encode_ids("a é", Specials::Parse).expect_err("not known").to_string();
    assert!(error.starts_with("\"é\" at byte 2 is not in the vocabulary"), "{error}");
}

#[test]
fn unknown_parts_of_characters_are_shown_as_characters() {
    let bytes = r#"{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true}"#;
    let wordpiece = r###""unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100"###;
    for (stage, model) in [
        (format!(r#""pre_tokenizer": {bytes}"#), format!(r#"{{"type": "WordPiece", {wordpiece}, "vocab": {{"a": 0}}}}"#)),
        // The first byte of é alone has a token.
        (
            format!(r#""pre_tokenizer": {bytes}"#),
            r#"{"type": "BPE", "vocab": {"a": 0, "Ã": 1}, "merges": [], "unk_token": "[UNK]"}"#.to_owned(),
        ),
        (
            r#""normalizer": {"type": "ByteLevel"}, "pre_tokenizer": {"type": "Split", "pattern": {"String": "Ã"}, "behavior": "Isolated", "invert": false}"#.to_owned(),
            r#"{"type": "WordLevel", "vocab": {"a": 0, "Ã": 1}, "unk_token": "[UNK]"}"#.to_owned(),
        ),
    ] {
        let content = format!(r#"{{{stage}, "model": {model}}}"#);
        let tokenizer = load(&content).build("x").expect("valid");
        for specials in [Specials::Parse, Specials::Text] {
            let error = tokenizer.encode_ids("aé", specials).expect_err("not known").to_string();
            assert!(error.contains("é") && error.contains(" is not in the vocabulary"), "{error} of {content}");
        }
    }
}
