//! Small tokenizers of a tokenizer.json: every way in which a space is a split point for stages, and some in which it
//! is none; and those that have a quicker way.

use serde_json::{Value, json};

use crate::byte_alphabet::from_bytes;
use crate::decoders::Decoder;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::sentencepiece::{Message, SentencePieceModel, numbers};
use crate::formats::{patterns, tokenizer_json};
use crate::models::bpe::characters::byte_token;
use crate::normalizers::Normalizer;
use crate::normalizers::charsmap::Charsmap;
use crate::vocab::{Kind, Vocab};

const CLIP: &str = r"<\|end\|>|'s|'t|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+";

fn definition(normalizer: Value, pretokenizer: Value, model: Value, added: Value) -> Definition {
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
    from_json(&json)
}

/// What a tokenizer.json holds.
pub fn from_json(json: &Value) -> Definition {
    tokenizer_json::read("x.json", json.to_string().as_bytes()).expect("valid")
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
    let tokens = [
        "<unk>",
        "▁",
        "a",
        "b",
        "t",
        "h",
        "e",
        "▁the",
        "he",
        "▁a",
        "ab",
        "▁ab",
        "1",
        "▁the▁a",
        "s",
        "本",
        ".",
        "!a",
        "a..",
        "/2",
        "fi",
        "▁,",
    ];
    let vocab: Vec<Value> =
        tokens.iter().enumerate().map(|(n, token)| json!([token, -1.0 - 0.37 * n as f64])).collect();
    json!({"type": "Unigram", "unk_id": 0, "vocab": vocab})
}

/// Those of which a test says, one by one, whether they have split points.
pub fn split_or_not() -> Vec<Definition> {
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
        definition(sequence(marks.clone()), Value::Null, bpe(json!({})), end.clone()),
        definition(sequence(marks.clone()), Value::Null, bpe(json!({})), mask.clone()),
        definition(Value::Null, metaspace("first", false), bpe(json!({})), end.clone()),
        definition(Value::Null, metaspace("always", false), bpe(json!({})), mask.clone()),
        definition(sequence(albert.clone()), later(words.clone()), unigram(), end.clone()),
        definition(Value::Null, metaspace("first", true), unigram(), mask.clone()),
        definition(sequence(clip), later(clip_split), bpe(json!({"end_of_word_suffix": "</w>"})), normalized.clone()),
        definition(sequence(strip), whitespace, bpe(json!({})), mask.clone()),
        definition(json!({"type": "NFC"}), bytes, bpe(json!({})), normalized),
        // No split points: chance, one pretoken taken whole, a sum over the whole text, a letter that becomes a space.
        definition(sequence(marks.clone()), Value::Null, bpe(json!({"dropout": 0.3})), end.clone()),
        definition(sequence(marks.clone()), Value::Null, bpe(json!({"ignore_merges": true})), end.clone()),
        definition(sequence(marks), Value::Null, unigram(), end.clone()),
        definition(
            json!({"type": "Replace", "pattern": {"String": "e"}, "content": " "}),
            later(words),
            unigram(),
            end,
        ),
    ]
}

/// Merges over Chinese and Japanese characters: a pair that merges, and characters that are no token, which become bytes or
/// unknown tokens that fuse. Spellings of added tokens hold such characters.
pub fn without_spaces() -> Vec<Definition> {
    let marks = json!({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]});
    let spaces = json!({"type": "Replace", "pattern": {"String": " "}, "content": "▁"});
    let gemma = json!({"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": false});
    let tokens = [
        "<unk>",
        "▁",
        "a",
        "日",
        "本",
        "日本",
        "か",
        "、",
        "か、",
        "▁日",
        "<|end|>",
        "。",
        "<0xE8><0xAA>",
        "\n",
        "a\n",
        ".",
        "(",
        "a.",
        "((",
    ];
    let bytes = (0..=255u8).map(byte_token);
    let vocab: serde_json::Map<String, Value> =
        tokens.map(String::from).into_iter().chain(bytes).zip(0..).map(|(token, id)| (token, json!(id))).collect();
    let model = |byte_fallback: bool, more: &[&str]| {
        let merges: Vec<&str> = ["日 本", "か 、", "▁ 日", "a .", "( ("].iter().chain(more).copied().collect();
        json!({"type": "BPE", "vocab": vocab, "merges": merges, "unk_token": "<unk>", "fuse_unk": true,
            "byte_fallback": byte_fallback})
    };
    let end = json!([{"id": 10, "content": "<|end|>", "rstrip": true}]);
    let normalized = json!([{"id": 10, "content": "<|end|>", "normalized": true}]);
    let takes_before = json!([{"id": 10, "content": "<|end|>", "normalized": true, "lstrip": true}]);
    let takes_behind = json!([{"id": 10, "content": "<|end|>", "normalized": true, "rstrip": true}]);
    let word = json!([{"id": 500, "content": "。", "single_word": true}, {"id": 501, "content": "本語"}]);
    vec![
        definition(marks.clone(), Value::Null, model(true, &[]), end.clone()),
        definition(marks.clone(), Value::Null, model(false, &[]), end.clone()),
        definition(marks.clone(), Value::Null, model(true, &[]), word.clone()),
        definition(marks.clone(), gemma, model(false, &[]), word),
        // Bytes that merge.
        definition(marks.clone(), Value::Null, model(true, &["<0xE8> <0xAA>"]), end.clone()),
        // Line ends that merge.
        definition(marks, Value::Null, model(true, &["a \n"]), end),
        definition(spaces.clone(), Value::Null, model(true, &[]), normalized),
        // Line ends belong to the added token beside them.
        definition(spaces.clone(), Value::Null, model(true, &[]), takes_before),
        definition(spaces, Value::Null, model(true, &[]), takes_behind),
        // Marks are taken away as spaces are.
        sentencepiece_bpe(&[]),
        // A rule makes a space of a line end, but not of one in a symbol.
        sentencepiece_bpe(&charsmap_bytes()),
        // A mark makes another letter of `a`, which a token joins with what is before it.
        sentencepiece_bpe(&charsmap_of_rule("a\u{301}".as_bytes(), "か")),
        // The same for `か`, which is no split point away from what is before it.
        sentencepiece_bpe(&charsmap_of_rule("か\u{3099}".as_bytes(), "本")),
    ]
}

/// Merges of a `.model` over a few characters, a symbol with a line end, and all bytes; extra spaces are taken away.
fn sentencepiece_bpe(charsmap: &[u8]) -> Definition {
    let tokens = ["<unk>", "▁", "a", "日", "本", "日本", "か", "(か", "日\n"].map(String::from);
    let tokens = tokens.into_iter().chain((0..=255u8).map(byte_token));
    let mut model = SentencePieceModel::default();
    for (id, token) in (0..).zip(tokens) {
        model.vocab.insert(id, token.as_bytes()).expect("they differ");
        model.scores.push(-(id as f32));
        model.kinds.push(match id {
            0 => Kind::Unknown,
            8 => Kind::UserDefined,
            9.. => Kind::Byte,
            _ => Kind::Normal,
        });
    }
    let trainer = Message::default().with_number(numbers::MODEL_TYPE, 2);
    model.trainer = Some(trainer.with_number(numbers::BYTE_FALLBACK, 1));
    model.normalizer = Some(Message::default().with_bytes(numbers::CHARSMAP, charsmap));
    Definition::new(ModelDefinition::SentencePiece(Box::new(model)))
}

/// The bytes of a charsmap with this trie and these texts.
pub fn charsmap_of(units: &[u32], texts: &[u8]) -> Vec<u8> {
    let mut bytes = ((units.len() * 4) as u32).to_le_bytes().to_vec();
    bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    bytes.extend(texts);
    bytes
}

/// A charsmap with rules for characters of ASCII, each with the place of its text: a root, its children and a leaf for each.
pub fn charsmap_of_characters(rules: &[(u8, u32)], texts: &[u8]) -> Vec<u8> {
    let mut units = vec![0u32; 512];
    // The children of the root, whose offset is 256, are at 256 ^ label.
    units[0] = 256 << 10;
    for (leaf, &(label, value)) in (5..).zip(rules) {
        let node = 256 ^ usize::from(label);
        units[node] = ((node ^ leaf) as u32) << 10 | 1 << 8 | u32::from(label);
        units[leaf] = 1 << 31 | value;
    }
    charsmap_of(&units, texts)
}

/// A charsmap with one rule: these bytes become a text.
pub fn charsmap_of_rule(rule: &[u8], text: &str) -> Vec<u8> {
    let mut units = vec![0u32; 256 * (rule.len() + 1)];
    let leaf = 5;
    units[0] = 256 << 10;
    for (at, &label) in (1..).zip(rule) {
        // The children of byte number n are at 256 (n + 1) ^ label.
        let node = (256 * at) ^ usize::from(label);
        let is_last = at == rule.len();
        let below = if is_last { leaf } else { 256 * (at + 1) };
        units[node] = ((node ^ below) as u32) << 10 | u32::from(is_last) << 8 | u32::from(label);
    }
    units[leaf] = 1 << 31;
    charsmap_of(&units, format!("{text}\0").as_bytes())
}

/// A charsmap with these rules, none of which is empty: what becomes what.
pub fn charsmap_of_rules(rules: &[(&str, &str)]) -> Vec<u8> {
    // A node for each beginning of a rule. The children of node number n are at 256 (n + 1) ^ label, and a value at label 0.
    fn beginnings(rule: &str) -> impl Iterator<Item = &[u8]> {
        (0..=rule.len()).map(move |len| &rule.as_bytes()[..len])
    }
    let nodes: std::collections::BTreeSet<&[u8]> = rules.iter().flat_map(|&(rule, _)| beginnings(rule)).collect();
    let number = |node: &[u8]| 256 * (nodes.iter().position(|&other| other == node).expect("it is one") + 1);
    let (mut units, mut texts) = (vec![0u32; 256 * (nodes.len() + 1)], String::new());
    units[0] = (number(b"") as u32) << 10;
    for node in &nodes {
        let Some((&label, parent)) = node.split_last() else { continue };
        let (at, below) = (number(parent) ^ usize::from(label), number(node));
        units[at] = ((at ^ below) as u32) << 10 | u32::from(label);
        if let Some((_, text)) = rules.iter().find(|(rule, _)| rule.as_bytes() == *node) {
            units[at] |= 1 << 8;
            units[below] = 1 << 31 | texts.len() as u32;
            texts += &format!("{text}\0");
        }
    }
    charsmap_of(&units, texts.as_bytes())
}

/// A charsmap with the rules `a` to `bc`, `q` to nothing and a line end to a space.
pub fn charsmap_bytes() -> Vec<u8> {
    charsmap_of_characters(&[(b'a', 0), (b'q', 3), (b'\n', 4)], b"bc\0\0 \0")
}

fn charsmap() -> Normalizer {
    Normalizer::Charsmap(Charsmap::new(&charsmap_bytes()).expect("valid"))
}

/// Letters become others with the marks behind them, as in NFKC.
fn charsmap_of_letters_and_marks() -> Normalizer {
    let letters =
        [("и\u{306}", "й"), ("e\u{301}", "é"), ("か\u{3099}", "が"), ("ь\u{e33}", "ы"), ("\u{915}\u{93c}", "\u{958}")];
    let others = [
        ("½", "1/2"),
        ("\u{344}", "t"),
        ("！", "!"),
        ("ﬁ", "fi"),
        ("\u{3000}", " "),
        ("ｱ", "ア"),
        ("，", ","),
        ("…", "..."),
        // What this becomes has a rule.
        ("｜", "ﬁ"),
        ("\n", " "),
        ("\u{ad}", ""),
    ];
    let rules = [&letters[..], &others].concat();
    Normalizer::Charsmap(Charsmap::new(&charsmap_of_rules(&rules)).expect("valid"))
}

/// Others that have a quicker way.
pub fn with_fast_paths() -> Vec<Definition> {
    let bytes: Vec<String> = (0..=255u8).map(|byte| from_bytes(&[byte])).collect();
    let more = ["Ġt", "he", "Ġthe", "ab", "Ġab", "æĹ", "Ã©", "eÌ"].map(String::from);
    let vocab: serde_json::Map<String, Value> =
        bytes.into_iter().chain(more).enumerate().map(|(id, token)| (token, id.into())).collect();
    let merges = ["Ġ t", "h e", "Ġt he", "a b", "Ġ ab", "æ Ĺ", "Ã ©", "e Ì"];
    let byte_level = json!({"type": "BPE", "vocab": vocab, "merges": merges});
    let qwen = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
    let split = json!({"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": qwen}, "behavior": "Isolated", "invert": false},
        {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false}]});
    let gpt2 = |prefix: bool| json!({"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": true, "use_regex": true});
    let metaspace = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true});
    let marks = json!({"type": "Replace", "pattern": {"String": " "}, "content": "▁"});
    let gemma = json!({"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": false});
    let end =
        json!([{"id": 400, "content": "<|end|>", "lstrip": true}, {"id": 401, "content": "[MASK]", "special": false}]);
    let normalized = json!([{"id": 400, "content": "<|end|>", "normalized": true, "rstrip": true}]);
    let form = |form: &str| json!({"type": form});
    let mut all: Vec<_> = ["NFC", "NFD", "NFKC", "NFKD"]
        .into_iter()
        .flat_map(|name| [(form(name), split.clone(), end.clone()), (form(name), gpt2(false), normalized.clone())])
        .map(|(normalizer, pretokenizer, added)| definition(normalizer, pretokenizer, byte_level.clone(), added))
        .collect();
    all.push(definition(Value::Null, gpt2(true), byte_level.clone(), end.clone()));
    all.push(definition(
        json!({"type": "Sequence", "normalizers": []}),
        gpt2(true),
        byte_level.clone(),
        normalized.clone(),
    ));
    let deepseek: Vec<Value> = crate::pretokenizers::scanners::deepseek::REGEXES
        .iter()
        .map(|regex| json!({"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": false}))
        .chain([json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false})])
        .collect();
    let nested = json!({"type": "Sequence", "pretokenizers":
        [{"type": "Sequence", "pretokenizers": deepseek[..3]}, deepseek[3]]});
    let deepseek = json!({"type": "Sequence", "pretokenizers": deepseek});
    all.push(definition(Value::Null, nested, byte_level.clone(), end.clone()));
    let mut ranks = Vocab::default();
    let tokens = (0..=255u8).map(|byte| vec![byte]).chain([" t", "he", " the", "漢", "ab"].map(|token| token.into()));
    tokens.zip(0..).for_each(|(token, id)| ranks.insert(id, &token).expect("they differ"));
    let mut of_ranks = Definition::new(ModelDefinition::Ranks { vocab: ranks });
    of_ranks.pretokenizer = Some(patterns::read("deepseek").expect("known"));
    of_ranks.decoder = Some(Decoder::ByteLevel);
    all.push(of_ranks);
    for normalizer in [json!({"type": "Sequence", "normalizers": []}), form("NFKC")] {
        all.push(definition(normalizer, deepseek.clone(), byte_level.clone(), end.clone()));
    }
    let looks_ahead = r"[A-Z][a-z]+|[a-z]+|\d{1,2}|\s+(?!\S)|\s|[^\sA-Za-z\d]+";
    for (regex, behavior, invert) in [
        (r"\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+|\s+", "Isolated", false),
        (looks_ahead, "Isolated", true),
        (looks_ahead, "Removed", true),
        (r"\p{L}+| ?[^\p{L}\s]+", "Removed", true),
        (r"[\d ]|\p{M}", "Removed", false),
        (r"\s|日", "MergedWithPrevious", false),
        (r"\s(?=\S)|e", "MergedWithNext", false),
        ("[a-h ]", "Contiguous", false),
        (r"(.)\1", "Isolated", false),
        (r"\b|x*", "Isolated", false),
    ] {
        let split = json!({"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": regex}, "behavior": behavior, "invert": invert},
            {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false}]});
        let normalizer = if invert { Value::Null } else { form("NFKC") };
        all.push(definition(normalizer, split, byte_level.clone(), end.clone()));
    }
    // What is put before a text is put where the text begins that the normalizer leaves.
    let bare = json!([{"id": 400, "content": "<|end|>"}]);
    let strip = json!({"type": "Strip", "strip_left": true, "strip_right": false});
    for (split, model) in [(true, unigram()), (true, bpe(json!({}))), (false, bpe(json!({})))] {
        let first = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": split});
        all.push(definition(strip.clone(), first, model, bare.clone()));
    }
    all.push(definition(marks, gemma, bpe(json!({"byte_fallback": true})), normalized.clone()));
    all.push(definition(
        json!({"type": "BertNormalizer", "lowercase": true, "clean_text": true,
        "handle_chinese_chars": true, "strip_accents": null}),
        json!({"type": "BertPreTokenizer"}),
        unigram(),
        end.clone(),
    ));
    // A mark makes of = what is no punctuation of BERT.
    all.push(definition(form("NFC"), json!({"type": "BertPreTokenizer"}), bpe(json!({})), bare));
    let words = json!({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace.clone()]});
    let of_xlm_r = (end.clone(), metaspace.clone(), " ");
    for (added, pretokenizer, content) in [(end, metaspace, "▁"), (normalized, words, " "), of_xlm_r] {
        let runs = json!({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": content});
        // Without added tokens that take white space, runs of it may be dropped.
        let charsmaps = [(charsmap(), added.clone()), (charsmap_of_letters_and_marks(), added)];
        for (charsmap, added) in charsmaps.into_iter().chain([(charsmap_of_letters_and_marks(), json!([]))]) {
            let mut t5 = definition(runs.clone(), pretokenizer.clone(), unigram(), added);
            t5.normalizer = t5.normalizer.map(|runs| Normalizer::Sequence(vec![charsmap, runs]));
            all.push(t5);
        }
        // Two unknown characters count more than the token that they are.
        let positive = json!({"type": "Unigram", "unk_id": 0,
            "vocab": [["<unk>", 100.0], ["▁", 101.0], ["xh", 100.0], ["a", 102.0], ["ab", 100.0]]});
        all.push(definition(Value::Null, pretokenizer, positive, json!([])));
    }
    all
}
