//! Counting by the pattern against the stages, and however texts are divided.

use serde_json::{Value, json};
use token_engine::pretokenizers::scanners::Pattern;

use super::*;
use crate::options::{Algorithm, Variant};
use crate::shards::Adder;
use crate::table::{self, MAX_WORD_BYTES};
use crate::testing::Random;

const PIECES: &[&str] = &[
    "the ",
    "The",
    " of",
    "don't",
    "I'LL ",
    "12345",
    " 7",
    "\n",
    "\r\n",
    "  ",
    "\t",
    "...",
    "!?\n",
    "naïve ",
    "語の",
    "🤷🏽‍♂️",
    "é",
    "<s>",
    "<s",
    "_",
    "a very-long_identifier_in_code(",
    "\u{a0}",
    "ß",
    "://x.y/z",
];

fn options(pretokenizer: Value, alphabet: &str) -> Options {
    let options =
        json!({"alphabet": alphabet, "pre_tokenizer": pretokenizer, "special_tokens": ["<s>"], "vocab_size": 300});
    Options::from_json(&options.to_string()).expect("options")
}

fn split(regex: &str) -> Value {
    json!({"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": false})
}

fn text(random: &mut Random) -> String {
    (0..random.below(200)).map(|_| PIECES[random.below(PIECES.len())]).collect()
}

#[test]
fn matches_are_counted_as_the_stages_would() {
    let mut random = Random::new(5);
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true});
    let mut cases: Vec<_> = Pattern::ALL.iter().map(|pattern| options(split(pattern.oniguruma()), "bytes")).collect();
    cases.push(options(bytes, "bytes"));
    cases.push(options(split(Pattern::Cl100k.oniguruma()), "characters"));
    cases.push(options(split(r"\p{N}{1,2}|[a-z]+(?!\S)|\n"), "bytes"));
    cases.push(Options { superwords_from: Some(300), ..options(split("a"), "bytes") });
    for options in cases {
        for _ in 0..12 {
            let mut fast = WordCounter::new(&options).expect("stages");
            let mut slow = fast.clone();
            (slow.stages.splitter, slow.stages.split) = (None, None);
            assert!(fast.stages.splitter.is_some() || fast.stages.split.is_some(), "{options:?}");
            let text = text(&mut random);
            fast.add(&text).expect("counts");
            slow.add(&text).expect("counts");
            assert_eq!((fast.words(), fast.unique()), (slow.words(), slow.unique()));
            assert_eq!(fast.into_counts(), slow.into_counts(), "{text:?}");
        }
    }
}

#[test]
fn units_are_counted_as_whole_texts_would() {
    let mut random = Random::new(11);
    let pretokenizers = [
        json!({"type": "BertPreTokenizer"}),
        json!({"type": "Whitespace"}),
        json!({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Digits", "individual_digits": true}]}),
        json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}),
        json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": true}),
    ];
    let bert = json!({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true});
    let normalizers = [
        Value::Null,
        bert,
        json!({"type": "NFKC"}),
        json!({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}]}),
    ];
    const MORE: [&str; 8] = [" \u{301}", "\u{327}\u{301}", "\u{1}", "\u{3000}", " ", "\u{a8}", "ﬁ", "中文"];
    for pretokenizer in &pretokenizers {
        for normalizer in &normalizers {
            let normalizer = Some(normalizer.clone()).filter(|normalizer| !normalizer.is_null());
            let plain = Options { normalizer, ..options(pretokenizer.clone(), "characters") };
            let followed = following(plain.clone());
            for options in [&plain, &followed].into_iter().cycle().take(12) {
                let mut units = WordCounter::new(options).expect("stages");
                let mut whole = units.clone();
                whole.stages.splits_before = None;
                assert!(units.stages.splits_before.is_some(), "{options:?}");
                let mixed: String = (0..60).map(|_| MORE[random.below(8)]).collect();
                let text = text(&mut random) + &mixed + &text(&mut random);
                units.add(&text).expect("counts");
                whole.add(&text).expect("counts");
                assert_eq!((units.words(), units.unique()), (whole.words(), whole.unique()));
                assert_eq!(units.into_counts(), whole.into_counts(), "{options:?} {text:?}");
            }
        }
    }
}

#[test]
fn each_character_is_treated_as_bert_does() {
    let switches =
        [(true, true, Value::Null, true), (false, true, json!(false), false), (true, false, json!(true), false)];
    let normalizers = switches.map(|(clean, chinese, strip, lower)| {
        json!({"type": "BertNormalizer", "clean_text": clean, "handle_chinese_chars": chinese, "strip_accents": strip, "lowercase": lower})
    });
    let characters: Vec<char> = (0..0x2_0000).filter_map(char::from_u32).collect();
    for normalizer in [Value::Null].into_iter().chain(normalizers) {
        let normalizer = Some(normalizer).filter(|normalizer| !normalizer.is_null());
        let options = Options { normalizer, ..options(json!({"type": "BertPreTokenizer"}), "characters") };
        let mut units = WordCounter::new(&options).expect("stages");
        let mut whole = units.clone();
        whole.stages.bert = None;
        let bert = units.stages.bert.clone().expect("BERT's stages");
        // Neighbours far apart, too, so that marks meet letters of other scripts.
        for at in 0..characters.len() {
            let few =
                [characters[at], 'x', characters[at * 7 % characters.len()], characters[at * 31 % characters.len()]];
            let text: String = few.iter().collect();
            if at % 64 == 0 || (at % 8 == 0 && !bert.is_clear(&text)) {
                units.add(&text).expect("counts");
                whole.add(&text).expect("counts");
            }
        }
        assert!(bert.is_clear("naïve Ελλάς 한국어 中文 नमस्ते"));
        assert_eq!(units.into_counts(), whole.into_counts(), "{options:?}");
    }
}

/// The same options for a training that asks what follows each word.
fn following(options: Options) -> Options {
    Options { algorithm: Algorithm::Unigram, variant: Variant::SentencePiece, ..options }
}

#[test]
fn what_follows_a_word_is_kept() {
    let split = |pretokenizer: Value| following(options(pretokenizer, "characters"));
    let text = "low low,\nlow\u{3000}\n new é<s>new low";
    let found = |options: &Options| {
        let mut counter = WordCounter::new(options).expect("stages");
        counter.add(text).expect("counts");
        let stored = counter.to_bytes().expect("bytes");
        let again = WordCounter::from_bytes(options, &stored).expect("stored").into_counts();
        let unique = counter.unique();
        let counts = counter.into_counts().expect("counts");
        assert_eq!(again.as_ref(), Ok(&counts));
        assert_eq!(unique, counts.len());
        let words = counts.iter().zip(counts.followers());
        words
            .map(|((word, count), next)| (String::from_utf8_lossy(word).into_owned(), count, *next))
            .collect::<Vec<_>>()
    };
    let word = |word: &str, count, next| (word.to_owned(), count, next);
    let (end, space) = (Follower::One(LINE_END), Follower::One(SPACE));
    let expected = [word("low", 3, Follower::Many), word("new", 2, space), word("low,", 1, end), word("é", 1, end)];
    assert_eq!(found(&split(json!({"type": "WhitespaceSplit"}))), expected);
    let expected = [word("low", 4, Follower::Many), word("new", 2, space), word(",", 1, end), word("é", 1, end)];
    assert_eq!(found(&split(json!({"type": "Whitespace"}))), expected);
}

#[test]
fn prefixes_other_patterns_and_normalizers_take_the_stages() {
    let prefixed = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true});
    let mut cases = vec![options(prefixed, "bytes"), options(split("[a-z]+"), "bytes"), options(Value::Null, "bytes")];
    cases.push(Options {
        normalizer: Some(json!({"type": "NFC"})),
        ..options(split(Pattern::R50k.oniguruma()), "bytes")
    });
    for options in cases {
        assert!(WordCounter::new(&options).expect("stages").stages.splitter.is_none(), "{options:?}");
    }
}

#[test]
fn texts_threads_and_processes_do_not_matter() {
    let mut random = Random::new(6);
    let mut cases: Vec<_> =
        [split(Pattern::Cl100k.oniguruma()), split("[a-z]+")].into_iter().map(|each| options(each, "bytes")).collect();
    cases.push(following(options(json!({"type": "WhitespaceSplit"}), "characters")));
    for options in cases {
        let texts: Vec<String> = (0..50).map(|_| text(&mut random)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut one = WordCounter::new(&options).expect("stages");
        texts.iter().try_for_each(|text| one.add(text)).expect("counts");
        let expected = one.counts().expect("counts");
        for threads in [0, 1, 2, 7] {
            let mut many = WordCounter::new(&options).expect("stages");
            let (first, rest) = texts.split_at(random.below(texts.len()));
            many.add_many(first, threads).expect("counts");
            many.add_many(rest, threads).expect("counts");
            assert_eq!(many.counts().as_ref(), Ok(&expected), "{threads} threads");
            assert_eq!((many.bytes(), many.words(), many.unique()), (one.bytes(), one.words(), one.unique()));
            assert_eq!(many.to_bytes(), one.to_bytes(), "equal bytes");
        }
        let mut sum = WordCounter::new(&options).expect("stages");
        for share in texts.chunks(9) {
            let mut part = WordCounter::new(&options).expect("stages");
            part.add_many(share, 1).expect("counts");
            let stored = part.to_bytes().expect("bytes");
            sum.merge(&mut WordCounter::from_bytes(&options, &stored).expect("stored")).expect("the same options");
        }
        assert_eq!(sum.into_counts(), Ok(expected));
    }
}

#[test]
fn stored_counts_that_are_damaged_or_of_other_options_are_refused() {
    let cl100k = options(split(Pattern::Cl100k.oniguruma()), "bytes");
    let mut counter = WordCounter::new(&cl100k).expect("stages");
    counter.add("some words").expect("counts");
    let stored = counter.to_bytes().expect("bytes");
    let mut damaged = stored.clone();
    damaged[20] ^= 1;
    let cases = [(&stored[..stored.len() - 1], "checksum"), (&damaged, "checksum"), (&[], "too early")];
    for (bytes, problem) in cases {
        let error = WordCounter::from_bytes(&cl100k, bytes).expect_err("damaged").to_string();
        assert!(error.contains(problem), "{error}");
    }
    let other = options(split("x"), "bytes");
    assert!(matches!(WordCounter::from_bytes(&other, &stored), Err(TrainError::OtherOptions { .. })));
    let merged = WordCounter::new(&other).expect("stages").merge(&mut counter);
    assert!(matches!(merged, Err(TrainError::OtherOptions { .. })));
}

#[test]
fn fronts_and_shards_lose_no_count() {
    let (mut shards, mut fronts) = (Shards::default(), [Front::default(), Front::default()]);
    let (short, long) = (|n: u32| format!("{n}"), |n: u32| format!("a long word with number {n}"));
    for_each(&mut fronts, |front| {
        let mut words = Adder::new(&shards, front);
        for _ in 0..3 {
            for n in 0..30_000u32 {
                words.add(short(n).as_bytes(), 1)?;
                words.add(long(n % 7000).as_bytes(), 2)?;
                words.add_all(b"abcabc", &[0, 3, 3, 6])?;
            }
        }
        front.flush(&shards)
    })
    .expect("counts");
    let counts: std::collections::HashMap<Vec<u8>, u64> = shards
        .tables_mut()
        .iter()
        .flat_map(|table| table.iter())
        .map(|(word, count)| (word.to_owned(), count))
        .collect();
    assert_eq!(counts.len(), 37_001);
    assert_eq!(counts.get(&b"abc"[..]), Some(&360_000));
    assert!((0..30_000).all(|n| counts.get(short(n).as_bytes()) == Some(&6)));
    let of_long = |n: u32| 12 * u64::from(30_000 / 7000 + u32::from(n < 30_000 % 7000));
    assert!((0..7000).all(|n| counts.get(long(n).as_bytes()) == Some(&of_long(n))));
}

#[test]
fn counts_beyond_64_bits_are_refused() {
    let (shards, mut front) = (Shards::default(), Front::default());
    let mut words = Adder::new(&shards, &mut front);
    words.add(b"a word that occurs often", u64::MAX).expect("as large as can be");
    words.add(b"a word that occurs often", 1).expect("not added up yet");
    assert!(matches!(front.flush(&shards), Err(TrainError::Overflow { .. })));
}

#[test]
fn long_words_are_split_alike_by_every_way_of_counting() {
    let word: String = "aбc字🙂".repeat(2000);
    let text = format!("{word} low {word}");
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false});
    let cases = [
        options(split(Pattern::Cl100k.oniguruma()), "bytes"),
        options(split(r"\S+|\s+"), "bytes"),
        options(bytes, "bytes"),
        options(json!({"type": "WhitespaceSplit"}), "characters"),
        options(json!({"type": "BertPreTokenizer"}), "characters"),
        options(
            json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": true}),
            "characters",
        ),
    ];
    for options in cases {
        for options in [options.clone(), following(Options { alphabet: None, ..options })] {
            let mut counter = WordCounter::new(&options).expect("stages");
            counter.add(&text).expect("counts");
            assert!(counter.split_words() <= 2, "{options:?}");
            let split_words = counter.split_words();
            let stored = counter.to_bytes().expect("bytes");
            assert_eq!(WordCounter::from_bytes(&options, &stored).expect("stored").split_words(), split_words);
            let mut twice = counter.clone();
            twice.merge(&mut counter.clone()).expect("the same options");
            assert_eq!(twice.split_words(), 2 * split_words);
            let counts = counter.into_counts().expect("counts");
            assert!(counts.iter().all(|(word, _)| word.len() <= MAX_WORD_BYTES), "{options:?}");
        }
    }
}

#[test]
fn parts_of_a_word_are_the_word() {
    let cases = [
        ("a".repeat(MAX_WORD_BYTES), vec![4096]),
        ("a".repeat(MAX_WORD_BYTES + 1), vec![4096, 1]),
        ("字".repeat(3000), vec![4095, 4095, 810]),
        ("🙂a".repeat(1000), vec![4095, 905]),
    ];
    for (word, lengths) in cases {
        let parts: Vec<&[u8]> = table::parts(word.as_bytes()).collect();
        assert_eq!(parts.concat(), word.as_bytes());
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), lengths);
        assert!(parts.iter().all(|part| std::str::from_utf8(part).is_ok()));
    }
    let broken = [0x80; 2 * MAX_WORD_BYTES + 5];
    assert_eq!(table::parts(&broken).map(<[u8]>::len).collect::<Vec<_>>(), [MAX_WORD_BYTES, MAX_WORD_BYTES, 5]);
}
