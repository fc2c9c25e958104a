//! How much memory encoding takes for each byte of text, counted by the allocator: the stages keep no list of pretokens.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use token_engine::formats::tokenizer_json;
use token_engine::{Specials, Tokenizer};

/// Counts the bytes in use, and the most there ever were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn count(more: usize, less: usize) {
    let before = IN_USE.fetch_add(more, Ordering::Relaxed);
    PEAK.fetch_max(before + more, Ordering::Relaxed);
    IN_USE.fetch_sub(less, Ordering::Relaxed);
}

// SAFETY: every call goes to the allocator of the system as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // As if both places were in use while the bytes are moved.
        count(size, layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes in use at once while `text` is encoded, above those before, for each byte of it.
fn bytes_per_byte(tokenizer: &Tokenizer, text: &str) -> f64 {
    let before = IN_USE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let ids = tokenizer.encode_ids(text, Specials::Text).expect("encodes");
    assert!(!ids.is_empty());
    (PEAK.load(Ordering::Relaxed) - before) as f64 / text.len() as f64
}

fn words(list: &[&str]) -> Value {
    let vocab: serde_json::Map<String, Value> =
        list.iter().zip(0..).map(|(word, id)| ((*word).into(), id.into())).collect();
    json!({"type": "WordLevel", "vocab": vocab, "unk_token": list[0]})
}

fn unigram(list: &[&str]) -> Value {
    let vocab: Vec<_> = list.iter().zip(1..).map(|(token, n)| json!([token, -f64::from(n)])).collect();
    json!({"type": "Unigram", "unk_id": 0, "vocab": vocab})
}

fn definition(normalizer: Value, pretokenizer: Value, model: Value) -> token_engine::Definition {
    let json = json!({"version": "1.0", "normalizer": normalizer, "pre_tokenizer": pretokenizer, "model": model});
    tokenizer_json::read("small", json.to_string().as_bytes()).expect("valid")
}

// One test: what others take at the same time would count, too.
#[test]
fn stages_take_at_most_24_bytes_for_each_byte_of_text() {
    let split =
        json!({"type": "Split", "pattern": {"Regex": r"\p{L}+(?!x)|\s+"}, "behavior": "Isolated", "invert": false});
    let merged = json!({"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithNext", "invert": false});
    let metaspace = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true});
    let white_space = json!({"type": "WhitespaceSplit"});
    let digits =
        json!({"type": "Sequence", "pretokenizers": [white_space, {"type": "Digits", "individual_digits": true}]});
    let some = ["<unk>", "a", "the", " "];
    let cases = [
        ("an expression of its own", definition(json!({"type": "NFC"}), split, words(&["[unk]", "the"]))),
        ("Unigram without a pretokenizer", definition(json!({"type": "NFKC"}), Value::Null, unigram(&some))),
        ("words at white space", definition(json!({"type": "NFC"}), white_space, words(&["[unk]", "the"]))),
        ("a text to split at", definition(Value::Null, merged, words(&["[unk]", " the"]))),
        ("Unigram behind Metaspace", definition(Value::Null, metaspace, unigram(&["<unk>", "▁", "a", "▁the"]))),
        ("a sequence", definition(json!({"type": "Lowercase"}), digits, words(&["[unk]", "the"]))),
    ];
    let forms =
        json!({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}]});
    let bert = json!({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true});
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true});
    let changed = [
        ("accents taken away", definition(forms, json!({"type": "Whitespace"}), unigram(&some))),
        ("BERT", definition(bert, json!({"type": "BertPreTokenizer"}), words(&["[unk]", "the"]))),
        ("bytes", definition(Value::Null, bytes, words(&["[unk]", "the"]))),
    ];
    let plain = "the cat sat ".repeat((1 << 20) / 12);
    let mixed = "The Élan 語 sát ".repeat((1 << 20) / 19);
    let cases = cases.into_iter().map(|case| (case, &plain)).chain(changed.into_iter().map(|case| (case, &mixed)));
    for ((name, definition), text) in cases {
        for (way, tokenizer) in [
            ("by the fast path", definition.clone().build("small").expect("complete")),
            ("by the stages", definition.build_without_fast_path("small").expect("complete")),
        ] {
            let bytes = bytes_per_byte(&tokenizer, text);
            println!("{name}, {way}: {bytes:.1}");
            assert!(bytes <= 24.0, "{name}, {way}: {bytes:.1} bytes for each byte of text");
        }
    }
}
