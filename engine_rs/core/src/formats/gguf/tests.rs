//! Small files made here: bytes, then what becomes of them.

use super::{container, read};
use crate::added_tokens::Specials;
use crate::byte_alphabet::from_bytes;

/// A file under construction.
struct File(Vec<u8>);

impl File {
    fn new(values: u64) -> Self {
        let mut file = Self(b"GGUF".to_vec());
        file.0.extend(3u32.to_le_bytes());
        file.0.extend(0u64.to_le_bytes());
        file.0.extend(values.to_le_bytes());
        file
    }

    fn text(&mut self, text: &str) {
        self.0.extend((text.len() as u64).to_le_bytes());
        self.0.extend(text.as_bytes());
    }

    fn string(mut self, name: &str, value: &str) -> Self {
        self.text(name);
        self.0.extend(8u32.to_le_bytes());
        self.text(value);
        self
    }

    fn array(mut self, name: &str, kind: u32, count: usize, items: &[u8]) -> Self {
        self.text(name);
        self.0.extend(9u32.to_le_bytes());
        self.0.extend(kind.to_le_bytes());
        self.0.extend((count as u64).to_le_bytes());
        self.0.extend(items);
        self
    }

    fn strings(self, name: &str, values: &[String]) -> Self {
        let mut items = Self(vec![]);
        values.iter().for_each(|value| items.text(value));
        self.array(name, 8, values.len(), &items.0)
    }

    fn id(mut self, name: &str, id: u32) -> Self {
        self.text(name);
        self.0.extend(4u32.to_le_bytes());
        self.0.extend(id.to_le_bytes());
        self
    }
}

fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// All bytes, `he` and an end, split by `pre`; something else before.
fn gpt2(pre: &str) -> Vec<u8> {
    let tokens: Vec<String> =
        (0..=255u8).map(|byte| from_bytes(&[byte])).chain(["he".into(), "<|end|>".into()]).collect();
    let types: Vec<i32> = (0..258).map(|id| if id == 257 { 3 } else { 1 }).collect();
    File::new(8)
        .array("x.y", 9, 1, &[&4u32.to_le_bytes()[..], &1u64.to_le_bytes(), &[1, 2, 3, 4]].concat())
        .string("tokenizer.ggml.model", "gpt2")
        .string("tokenizer.ggml.pre", pre)
        .strings("tokenizer.ggml.tokens", &tokens)
        .array("tokenizer.ggml.token_type", 5, 258, &ints(&types))
        .strings("tokenizer.ggml.merges", &["h e".into()])
        .id("tokenizer.ggml.bos_token_id", 257)
        .id("tokenizer.ggml.eos_token_id", 257)
        .0
}

fn ids(content: &[u8], text: &str) -> Vec<u32> {
    let tokenizer = read("x.gguf", content, content.len() as u64).and_then(|it| it.build("x.gguf")).expect("valid");
    let encoding = tokenizer.encode(text, None, Default::default()).expect("short");
    assert!(tokenizer.encode_ids("<|end|>", Specials::Text).is_ok());
    encoding.ids
}

#[test]
fn the_pattern_and_the_first_token_follow_from_pre() {
    assert_eq!(ids(&gpt2("gpt-2"), "he<|end|>"), [256, 257]);
    assert_eq!(ids(&gpt2("llama-bpe"), "he"), [257, 256]);
    // NFC: one character, two bytes.
    assert_eq!(ids(&gpt2("qwen2"), "e\u{301}").len(), 2);
}

#[test]
fn words_of_bert_are_marked_the_other_way() {
    let tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁he", "s", "▁S"].map(String::from);
    let content = File::new(4)
        .string("tokenizer.ggml.model", "bert")
        .strings("tokenizer.ggml.tokens", &tokens)
        .array("tokenizer.ggml.token_type", 5, 7, &ints(&[3, 3, 3, 3, 1, 1, 1]))
        .id("tokenizer.ggml.cls_token_id", 2)
        .0;
    let tokenizer = read("x", &content[..], content.len() as u64).and_then(|it| it.build("x")).expect("valid");
    assert_eq!(tokenizer.encode("hes S", None, Default::default()).expect("short").ids, [2, 4, 5, 6, 3]);
}

#[test]
fn merges_of_llama_follow_from_scores() {
    let tokens = ["<unk>", "▁", "a", "b", "ab", "▁ab", "▁a"].map(String::from);
    let scores: Vec<u8> = [0.0, -9.0, -9.0, -9.0, -2.0, -3.0, -1.0f32].iter().flat_map(|it| it.to_le_bytes()).collect();
    let build = |scores: &[u8]| {
        let content = File::new(5)
            .string("tokenizer.ggml.model", "llama")
            .strings("tokenizer.ggml.tokens", &tokens)
            .array("tokenizer.ggml.token_type", 5, 7, &ints(&[2, 1, 1, 1, 1, 1, 1]))
            .array("tokenizer.ggml.scores", 6, 7, scores)
            .id("tokenizer.ggml.bos_token_id", 0)
            .0;
        read("x", &content[..], content.len() as u64)
    };
    let tokenizer = build(&scores).and_then(|it| it.build("x")).expect("valid");
    // ▁a scores best, and with b it makes ▁ab.
    assert_eq!(tokenizer.encode_ids("ab b", Specials::Text).expect("short"), [5, 1, 3]);
    let mut nan = scores.clone();
    nan[4..8].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(build(&nan).expect_err("NaN").to_string(), "x at tokenizer.ggml.scores[1]: NaN is not a finite number");
}

#[test]
fn says_what_is_wrong_and_where() {
    let whole = gpt2("gpt-2");
    let with = |at: usize, bytes: &[u8]| {
        let mut content = whole.clone();
        content[at..at + bytes.len()].copy_from_slice(bytes);
        content
    };
    let cases: &[(Vec<u8>, &str)] = &[
        (with(0, b"GGML"), "x byte 0: [71, 71, 77, 76] are not the four bytes GGUF"),
        (with(4, &[0, 0, 0, 3]), "x byte 4: the version is 50331648; the file is big-endian"),
        (with(4, &[1]), "x byte 4: the version is 1; versions 2 and 3 are known"),
        (with(16, &u64::MAX.to_le_bytes()), "x byte 16: 18446744073709551615 values are said to follow, but the file"),
        (with(24, &u64::MAX.to_le_bytes()), "x byte 24: 18446744073709551615 bytes of a string are said to follow"),
        (with(32, b"\xff"), "x byte 24: the string is not UTF-8"),
        (whole[..whole.len() - 1].to_vec(), "x byte"),
        (gpt2("other"), "x at tokenizer.ggml.pre: \"other\" is not known, so how text is split is not either; known"),
        (File::new(0).0, "x at tokenizer.ggml.model: the value is missing; does the file hold a tokenizer?"),
        (
            File::new(2).string("tokenizer.ggml.model", "a").string("tokenizer.ggml.model", "a").0,
            "x byte 65: \"tokenizer.ggml.model\" stands there twice",
        ),
    ];
    for (content, expected) in cases {
        let error = read("x", &content[..], content.len() as u64).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn damage_is_an_error_or_another_tokenizer_never_a_panic() {
    let whole = gpt2("llama-bpe");
    let mut random = crate::testing::Random::new(4);
    for _ in 0..3000 {
        let mut content = whole.clone();
        content.truncate(random.below(whole.len()) + 1);
        for _ in 0..random.below(4) {
            let at = random.below(content.len());
            content[at] ^= 1 << random.below(8);
        }
        let _either = read("x", &content[..], content.len() as u64).and_then(|it| it.build("x"));
    }
}

#[test]
fn a_vocabulary_may_lack_bytes_no_text_has() {
    let tokens = ["a", "b", "ab", "Ġ"].map(String::from);
    let content = File::new(5)
        .string("tokenizer.ggml.model", "gpt2")
        .string("tokenizer.ggml.pre", "starcoder")
        .strings("tokenizer.ggml.tokens", &tokens)
        .array("tokenizer.ggml.token_type", 5, 4, &ints(&[1; 4]))
        .strings("tokenizer.ggml.merges", &["a b".into()])
        .0;
    let tokenizer = read("x", &content[..], content.len() as u64).and_then(|it| it.build("x")).expect("valid");
    // What has no token is left out, as in the library.
    assert_eq!(tokenizer.encode_ids("ab éb", Specials::Text).expect("short"), [2, 3, 1]);
}

#[test]
fn every_known_name_of_a_pattern_is_read_once() {
    let mut names = std::collections::HashSet::new();
    for pre in &super::byte_level::ALL {
        for name in pre.names {
            let content = gpt2(name);
            let read = read("x", &content[..], content.len() as u64).expect(name);
            assert!(names.insert(*name) && read.note.is_none() == pre.verified, "{name}");
            assert!(read.note.is_none_or(|note| note.contains(&format!(" {name} ")) && note.contains("llama.cpp")));
            assert_eq!(ids(&content, "he").last(), Some(&256), "{name}");
        }
    }
    let content = gpt2("gpt-9");
    let error = read("x", &content[..], content.len() as u64).expect_err("not known").to_string();
    assert!(error.starts_with("x at tokenizer.ggml.pre: \"gpt-9\" is not known"), "{error}");
    assert!(names.len() >= 80);
}

#[test]
fn patterns_split_numbers_and_lines_as_their_models_do() {
    for (pre, text, expected) in [
        ("afmoe", "1234567", "1|234|567"),
        ("tiny_aya", "1234567", "1|234|567"),
        ("superbpe", "1234567", "1|234|567"),
        ("deepseek-v3", "1234567", "123|456|7"),
        ("minicpm5", "1234567", "123|456|7"),
        ("spark2_5", "12a\n\n", "1|2|a|Ċ|Ċ"),
        ("laguna", "12\n\n34", "1|2|ĊĊ|3|4"),
        ("qwen2", "1234", "1|2|3|4"),
        ("viking", "ab12!", "ab|1|2|!"),
        ("bloom", "ab12! c,d", "ab12|!|Ġc|,|d"),
        ("codeshell", "a12", "a|1|2"),
        ("exaone-moe", "a b c1", "aĠbĠc|1"),
        ("jais-2", "a     b", "a|ĠĠĠĠ|Ġb"),
        ("chameleon", "a  b1!", "a|ĠĠ|b|1|!"),
    ] {
        let content = gpt2(pre);
        let stages = read("x", &content[..], content.len() as u64).expect(pre).pretokenizer.expect("all split");
        let mut pretokens = crate::pretokens::Pretokens::new(text, 0);
        stages.pretokenize(&mut pretokens).expect("short");
        let shown: Vec<_> = pretokens.iter().map(|pretoken| pretoken.text.text().to_owned()).collect();
        assert_eq!(shown.join("|"), expected, "{pre}");
    }
}

#[test]
fn t5_is_a_model_of_sentencepiece() {
    let tokens = ["<pad>", "</s>", "<unk>", "▁", "a", "b", "▁ab", "<extra_id_0>"].map(String::from);
    let scores: Vec<u8> =
        [0.0, 0.0, 0.0, -2.0, -3.0, -3.0, -1.0, 0.0f32].iter().flat_map(|it| it.to_le_bytes()).collect();
    let content = File::new(5)
        .string("tokenizer.ggml.model", "t5")
        .strings("tokenizer.ggml.tokens", &tokens)
        .array("tokenizer.ggml.token_type", 5, 8, &ints(&[3, 3, 2, 1, 1, 1, 1, 4]))
        .array("tokenizer.ggml.scores", 6, 8, &scores)
        .id("tokenizer.ggml.eos_token_id", 1)
        .0;
    let tokenizer = read("x", &content[..], content.len() as u64).and_then(|it| it.build("x")).expect("valid");
    let ids = |text| tokenizer.encode(text, None, Default::default()).expect("short").ids;
    assert_eq!(ids("ab ba"), [6, 3, 5, 4, 1]);
    assert_eq!(ids("<extra_id_0>c"), [3, 7, 2, 1]);
}

#[test]
fn tokens_of_rwkv_have_escapes() {
    let byte = |byte: u8| match byte {
        b'\\' => r"\\".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    let end = "<|end|>".to_owned();
    let tokens: Vec<_> = [end].into_iter().chain((0..=255).map(byte)).chain(["he".into(), r"\n\xe6".into()]).collect();
    let types: Vec<i32> = (0..259).map(|id| if id == 0 { 3 } else { 1 }).collect();
    let content = File::new(3)
        .string("tokenizer.ggml.model", "rwkv")
        .strings("tokenizer.ggml.tokens", &tokens)
        .array("tokenizer.ggml.token_type", 5, 259, &ints(&types))
        .0;
    assert_eq!(ids(&content, "he\n日h<|end|>"), [257, 258, 0x98, 0xA6, 1 + u32::from(b'h'), 0]);
}

#[test]
fn gemma_merges_by_a_list_and_falls_back_to_bytes() {
    let bytes = (0..=255).map(|byte| format!("<0x{byte:02X}>"));
    let tokens: Vec<_> = ["<unk>", "▁", "a", "b", "▁a", "▁ab"].map(String::from).into_iter().chain(bytes).collect();
    let types: Vec<i32> = (0..262)
        .map(|id| {
            if id == 0 {
                2
            } else if id > 5 {
                6
            } else {
                1
            }
        })
        .collect();
    let content = File::new(4)
        .string("tokenizer.ggml.model", "gemma4")
        .strings("tokenizer.ggml.tokens", &tokens)
        .array("tokenizer.ggml.token_type", 5, 262, &ints(&types))
        .strings("tokenizer.ggml.merges", &["▁ a".into(), "▁a b".into()])
        .0;
    assert_eq!(ids(&content, "ab ab é"), [2, 3, 5, 1, 6 + 0xC3, 6 + 0xA9]);
}

#[test]
fn other_kinds_are_refused_by_name() {
    for kind in ["plamo2", "whitespace", "hybriddna", "none"] {
        let content = File::new(3)
            .string("tokenizer.ggml.model", kind)
            .strings("tokenizer.ggml.tokens", &["a".into()])
            .array("tokenizer.ggml.token_type", 5, 1, &ints(&[1]))
            .0;
        let error = read("x", &content[..], content.len() as u64).expect_err(kind).to_string();
        assert!(error.starts_with(&format!("x at tokenizer.ggml.model: {kind:?}: ")), "{error}");
    }
}

#[test]
fn a_copy_without_tensors_has_the_same_tokenizer() {
    let mut content = gpt2("gpt-2");
    let small = container::without_tensors("x", &content[..], content.len() as u64).expect("valid");
    assert_eq!(read("x", &small[..], small.len() as u64), read("x", &content[..], content.len() as u64));
    // The value that concerns no tokenizer is gone, whatever follows the head is not read.
    assert!(small.len() < content.len() && !small.windows(3).any(|name| name == b"x.y"));
    content.extend([7; 5000]);
    assert_eq!(container::without_tensors("x", &content[..], content.len() as u64), Ok(small));
    let error = container::without_tensors("x", &content[..60], 60).expect_err("cut off").to_string();
    assert!(error.starts_with("x byte "), "{error}");
}

#[test]
fn a_file_with_a_hole_fills_no_memory() {
    let size = 1 << 40;
    let long = (size - 1000_u64).to_le_bytes();
    let mut string = File::new(1);
    string.text("tokenizer.chat_template");
    string.0.extend(8u32.to_le_bytes());
    string.0.extend(long);
    let strings = File::new(1).array("tokenizer.ggml.tokens", 8, 1 << 36, &[]);
    let numbers = File::new(1).array("tokenizer.ggml.scores", 6, 1 << 36, &[]);
    for File(start) in [string, strings, numbers] {
        let content = || std::io::Read::chain(&start[..], std::io::repeat(0));
        for error in [
            container::read("x", content(), size).expect_err("too long"),
            container::without_tensors("x", content(), size).expect_err("too long"),
        ] {
            assert!(error.to_string().contains("a head has at most 268435456 bytes"), "{error}");
        }
    }
}
