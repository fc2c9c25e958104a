//! A small valid file of every format, made in code, and what reads each: for damaged files and for fuzzing.
//!
//! Not here: what the readers make of whole files, which their own tests say.

use base64::Engine as _;
use token_engine::formats::vocab_merges::{self, File};
use token_engine::formats::vocab_txt::{self, Casing};
use token_engine::formats::{clip, gguf, rwkv, sentencepiece, tekken, tiktoken, tokenizer_json};
use token_engine::internals::byte_alphabet::from_bytes;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::{Definition, EncodeOptions, LoadError, NO_SEQUENCE, Specials, Tokenizer, flags};

/// A format: its name, small files of it, its reader.
pub struct Format {
    /// As the fuzz targets are called.
    pub name: &'static str,
    /// Valid files.
    pub files: fn() -> Vec<Vec<u8>>,
    /// Reads a file.
    pub read: fn(&[u8]) -> Result<Definition, LoadError>,
}

/// All formats.
pub const FORMATS: [Format; 9] = [
    Format { name: "tokenizer_json", files: tokenizer_jsons, read: |content| tokenizer_json::read(FILE, content) },
    Format {
        name: "tiktoken",
        files: || vec![ranks()],
        read: |content| tiktoken::read(FILE, content, Pretokenizer::Pattern(Pattern::Cl100k), &[]),
    },
    Format {
        name: "vocab_txt",
        files: || vec![VOCAB_TXT.into(), VOCAB_TXT.replace('\n', "\r\n").into()],
        read: |content| vocab_txt::read(FILE, content, Casing::Guess).map(Definition::from),
    },
    Format { name: "vocab_merges", files: || vec![vocab_merges()], read: read_vocab_merges },
    Format { name: "sentencepiece", files: sentencepieces, read: |content| sentencepiece::read(FILE, content) },
    Format { name: "tekken", files: || vec![tekken()], read: |content| tekken::read(FILE, content) },
    Format { name: "gguf", files: || vec![gguf()], read: |content| gguf::read(FILE, content, content.len() as u64) },
    Format { name: "rwkv", files: || vec![rwkv_vocab()], read: |content| rwkv::read(FILE, content) },
    Format { name: "clip", files: || vec![CLIP.into(), packed(CLIP)], read: |content| clip::read(FILE, content) },
];

/// The name that readers are told.
pub const FILE: &str = "a.file";

const VOCAB_TXT: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\n.\n日\né\n\nthe\n";
const CLIP: &str = "\"bpe_simple_vocab_16e6.txt#version: 0.2\nt h\nth e</w>\nc a\nca t</w>\n";
/// Parts the two files of a pair where a fuzzer has one input.
const BETWEEN: u8 = 0;

/// Builds a tokenizer and encodes and decodes a few texts with it.
///
/// Errors: those of the reader.
pub fn reads(format: &Format, content: &[u8]) -> Result<(), LoadError> {
    let tokenizer = (format.read)(content)?.build(FILE)?;
    for text in ["", "The cats, 12 of them.\n", "日本 e\u{301} <s>[MASK] \u{0}\u{1F469}\u{200D}\u{1F52C}"] {
        encodes(&tokenizer, text);
    }
    Ok(())
}

/// Encodes a text in every way; what comes out fits the text and the vocabulary. An error is as good.
pub fn encodes(tokenizer: &Tokenizer, text: &str) {
    for specials in [Specials::Parse, Specials::Text, Specials::Reject] {
        let options = EncodeOptions { specials, ..EncodeOptions::default() };
        let Ok(encoding) = tokenizer.encode(text, None, options) else { continue };
        if specials == Specials::Reject {
            let of_text = |flags: &&u8| **flags & (flags::SPECIAL | flags::TEMPLATE) == flags::SPECIAL;
            assert!(!encoding.flags.iter().any(|flags| of_text(&flags)), "a special token of {text:?} is let through");
        }
        assert_eq!(encoding.ids.len(), encoding.spans.len(), "{text:?}");
        for span in &encoding.spans {
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} of {text:?}");
        }
        // A postprocessor adds the ids that its file says, as the reference does.
        for (&id, _) in
            encoding.ids.iter().zip(&encoding.sequence_ids).filter(|(_, sequence)| **sequence != NO_SEQUENCE)
        {
            assert!((id as usize) < tokenizer.vocab().id_bound(), "{id} of {text:?}");
        }
        let _ = tokenizer.decode_bytes(&encoding.ids, false);
        let _ = tokenizer.encode(text, Some(text), options);
    }
}

/// All bytes, and tokens with each kind of escape.
fn rwkv_vocab() -> Vec<u8> {
    let bytes = (0..=255u8).map(|byte| format!("{} b'\\x{byte:02x}' 1\n", u32::from(byte) + 1));
    let more = ["257 'cats\\n' 5\n", "258 \"'s\" 2\n", "259 '\\u65e5' 3\n", "260 b'\\xe6\\x9c' 2\n"].map(String::from);
    bytes.chain(more).collect::<String>().into_bytes()
}

fn tokenizer_jsons() -> Vec<Vec<u8>> {
    let bpe = r##"{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [
        {"id": 6, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": true, "normalized": false, "special": true}],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"},
            {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": "_"}, {"type": "Prepend", "prepend": "_"}]},
        "pre_tokenizer": {"type": "Split", "pattern": {"String": "."}, "behavior": "Isolated", "invert": false},
        "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}}], "pair": [{"Sequence": {"id": "A", "type_id": 0}},
            {"Sequence": {"id": "B", "type_id": 1}}], "special_tokens": {"<s>": {"id": "<s>", "ids": [6], "tokens": ["<s>"]}}},
        "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "_"}, "content": " "}, {"type": "Fuse"}]},
        "model": {"type": "BPE", "dropout": null, "unk_token": "?", "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": true, "byte_fallback": false,
            "vocab": {"?": 0, "a": 1, "t": 2, "c": 3, "at": 4, "cat": 5}, "merges": [["a", "t"], "c at"]}}"##;
    let unigram = r##"{"added_tokens": [], "normalizer": {"type": "Strip", "strip_left": true, "strip_right": true},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
        "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": false,
            "vocab": [["<unk>", 0.0], ["▁", -1.5], ["a", -2.0], ["▁a", -2.5], ["t", -3]]}}"##;
    let wordpiece = r###"{"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
        "strip_accents": null, "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "cat": 3, "##s": 4}}}"###;
    let words = r##"{"pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": {"?": 0, "cats": 1}, "unk_token": "?"}}"##;
    let rules = base64_of(&charsmap());
    let precompiled = format!(
        r#"{{"normalizer": {{"type": "Precompiled", "precompiled_charsmap": "{rules}"}},
        "model": {{"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["c", -1.0]]}}}}"#
    );
    [bpe, unigram, wordpiece, words].map(Vec::from).into_iter().chain([precompiled.into()]).collect()
}

/// All bytes and two words.
fn tokens() -> impl Iterator<Item = Vec<u8>> {
    (0..=255u8).map(|byte| vec![byte]).chain(["th", "the"].map(Vec::from))
}

fn base64_of(token: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(token)
}

fn ranks() -> Vec<u8> {
    let lines = tokens().enumerate().map(|(rank, token)| format!("{} {rank}\n", base64_of(&token)));
    lines.collect::<String>().into()
}

fn vocab_merges() -> Vec<u8> {
    let entries = tokens().enumerate().map(|(id, token)| {
        let spelled = from_bytes(&token).replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{spelled}\": {id}")
    });
    let vocab = format!("{{{}, \"<s>\": 258}}", entries.collect::<Vec<_>>().join(", "));
    [vocab.as_bytes(), &[BETWEEN], b"#version: 0.2\nt h\nth e\n"].concat()
}

fn read_vocab_merges(content: &[u8]) -> Result<Definition, LoadError> {
    let at = content.iter().position(|&byte| byte == BETWEEN).unwrap_or(content.len());
    let (vocab, merges) = (&content[..at], content.get(at + 1..).unwrap_or_default());
    let (vocab, merges) = (File { name: FILE, content: vocab }, File { name: FILE, content: merges });
    vocab_merges::read(vocab, merges, Pretokenizer::Pattern(Pattern::R50k), None)
}

/// A field of bytes of a protocol buffer; all here are shorter than 128 bytes.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, content.len() as u8], content].concat()
}

fn sentencepieces() -> Vec<Vec<u8>> {
    let pieces = [("<unk>", 0.0_f32, 2), ("<s>", 0.0, 3), ("▁t", -1.0, 1), ("he", -2.0, 1), ("t", -3.0, 1)];
    let pieces = pieces.iter().chain(&[("h", -4.0, 1), ("e", -5.0, 1), ("▁", -6.0, 1), ("cats", 0.0, 4)]);
    let piece = |(text, score, kind): &(&str, f32, u8)| {
        field(1, &[&field(1, text.as_bytes())[..], &[0x15], &score.to_le_bytes(), &[0x18, *kind]].concat())
    };
    let pieces: Vec<u8> = pieces.flat_map(piece).collect();
    let normalizer = field(3, &[&field(1, b"identity")[..], &[0x18, 1, 0x20, 1, 0x28, 1]].concat());
    let plain = (1..=4).map(|kind| [&pieces[..], &field(2, &[0x18, kind]), &normalizer].concat());
    let rules = field(3, &[&field(2, &charsmap())[..], &[0x18, 1, 0x20, 1, 0x28, 1]].concat());
    plain.chain([[&pieces[..], &field(2, &[0x18, 1]), &rules].concat()]).collect()
}

/// Rules that make `c` of `a`: a root, its child and the leaf.
fn charsmap() -> Vec<u8> {
    let units = [0x60 << 10, 3 << 10 | 1 << 8 | u32::from(b'a'), 1 << 31];
    let trie: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    [&(trie.len() as u32).to_le_bytes()[..], &trie, b"c\0"].concat()
}

fn tekken() -> Vec<u8> {
    let entry = |(rank, token): (usize, Vec<u8>)| {
        format!("{{\"rank\": {rank}, \"token_bytes\": {:?}, \"token_str\": null}}", base64_of(&token))
    };
    let vocab: Vec<_> = tokens().enumerate().map(entry).collect();
    let config = r#""pattern": " ?\\p{L}+|[^\\p{L}]", "default_vocab_size": 280, "default_num_special_tokens": 22, "version": "v3", "num_vocab_tokens": 258"#;
    format!("{{\"config\": {{{config}}}, \"vocab\": [{}]}}", vocab.join(", ")).into()
}

fn gguf() -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let string = |name: &str, value: &str| [text(name), 8u32.to_le_bytes().into(), text(value)].concat();
    let strings = |name: &str, values: &[String]| {
        let items = values.iter().flat_map(|value| text(value)).collect();
        let count = (values.len() as u64).to_le_bytes().into();
        [text(name), 9u32.to_le_bytes().into(), 8u32.to_le_bytes().into(), count, items].concat()
    };
    let tokens: Vec<String> = tokens().map(|token| from_bytes(&token)).collect();
    let merges = ["t h".to_owned(), "th e".to_owned()];
    let count = (tokens.len() as u64).to_le_bytes();
    let ordinary = 1i32.to_le_bytes().repeat(tokens.len());
    let types = [&text("tokenizer.ggml.token_type")[..], &9u32.to_le_bytes(), &5u32.to_le_bytes(), &count, &ordinary];
    let types = types.concat();
    let last = [text("tokenizer.ggml.bos_token_id"), 4u32.to_le_bytes().into(), 257u32.to_le_bytes().into()].concat();
    [
        b"GGUF".to_vec(),
        3u32.to_le_bytes().into(),
        0u64.to_le_bytes().into(),
        6u64.to_le_bytes().into(),
        string("tokenizer.ggml.model", "gpt2"),
        string("tokenizer.ggml.pre", "gpt-2"),
        strings("tokenizer.ggml.tokens", &tokens),
        strings("tokenizer.ggml.merges", &merges),
        types,
        last,
    ]
    .concat()
}

fn packed(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}
