//! Lessons against `encode` and against the definitions, state by state.

mod encoders;
mod training;

use serde_json::{Value, json};

use super::*;
use crate::textbook::integers;
use token_engine::formats::tiktoken;
use token_engine::internals::testing::{Random, stages};
use token_engine::models::unigram::lattice::Segmentation;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::{EncodeOptions, Vocab};

/// Words that share letters.
const WORDS: &str = "low lower lowest new newer newest wide wider widest the theatre is there these are the others \
    slow slower slowest, 日本語 日本 日本語 aaaaaaaaaab aaaa 🙂🙂 <|end|> the lowest of the newest";

const TEXT: &str = "the theatre is there; these are the others: 1234, 日本語 the日本 <|end|>aaaaaaaaaab 🙂 ab";

/// The states of a lesson, each with its `now`. Every key frame is what the changes before it lead to, and every id is named.
fn states(lesson: &Lesson) -> Vec<(Value, Value)> {
    let mut state = json!({});
    let mut found = vec![];
    let mut start = 0;
    for &end in &lesson.frames.ends {
        let frame: Value = serde_json::from_slice(&lesson.frames.json[start..end as usize]).expect("JSON");
        start = end as usize;
        if let Some(key) = frame.get("key") {
            state = key.clone();
        }
        for (name, splices) in frame.get("lists").and_then(Value::as_object).into_iter().flatten() {
            let list = state[name].as_array_mut().expect("a list of the key frame");
            for splice in splices.as_array().expect("splices") {
                let (at, removed) = (splice[0].as_u64().expect("a place"), splice[1].as_u64().expect("a number"));
                let items = splice.as_array().expect("a splice")[2..].to_vec();
                list.splice(at as usize..(at + removed) as usize, items);
            }
        }
        let items = state.as_object().into_iter().flatten().filter_map(|(_, list)| list.as_array()).flatten();
        for id in items.filter_map(|item| item["id"].as_u64()) {
            assert!(lesson.facts.named.contains_key(&(id as Id)), "{id}");
        }
        found.push((frame["now"].clone(), state.clone()));
    }
    found
}

/// The ids of a list of a state.
fn ids(state: &Value, list: &str) -> Vec<u64> {
    state[list].as_array().expect("a list").iter().map(|item| item["id"].as_u64().expect("an id")).collect()
}

fn encoded(tokenizer: &Tokenizer, text: &str) -> Vec<u64> {
    let options = EncodeOptions { add_special_tokens: false, specials: Specials::Parse, ..EncodeOptions::default() };
    tokenizer.encode(text, None, options).expect("any text encodes").ids.into_iter().map(u64::from).collect()
}

fn parsing(learn: usize) -> Options {
    Options { specials: Specials::Parse, learn, ..Options::default() }
}

fn lesson(tokenizer: &Tokenizer, name: Name, text: &str) -> Lesson {
    of_text(tokenizer, name, text, parsing(30)).expect("a short text")
}

fn byte_level() -> Tokenizer {
    let learnt = integers::train(TEXT.bytes().map(u32::from).collect(), 60, 256).expect("nobody cancels");
    let mut vocab = Vocab::default();
    for byte in 0..=255u8 {
        vocab.insert(byte.into(), &[byte]).expect("all bytes differ");
    }
    for integers::Learnt { pair, id, .. } in learnt {
        let token = pair.map(|id| vocab.token(id).expect("learnt before").to_vec()).concat();
        let _same_bytes_in_another_way = vocab.insert(id, &token);
    }
    tiktoken::from_ranks(vocab, Pattern::R50k, &[("<|end|>".into(), 100_000)]).build("test").expect("all bytes")
}

fn wordpiece() -> Tokenizer {
    let vocab = json!({"[UNK]": 0, "the": 1, "there": 2, "th": 3, "##e": 4, "##re": 5, "##s": 6, "a": 7, "##a": 8, "##b": 9,
        "is": 10, "1": 11, "##2": 12});
    let definition = stages::from_json(&json!({
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocab,
            "max_input_chars_per_word": 100}}));
    definition.build("test").expect("valid")
}

fn unigram() -> Tokenizer {
    let vocab = json!([
        ["<unk>", -9.0],
        ["t", -4.0],
        ["h", -4.5],
        ["e", -3.0],
        ["th", -4.1],
        ["he", -4.0],
        ["the", -5.0],
        [" ", -2.0],
        ["a", -3.0],
        ["aa", -5.0],
        ["aaa", -7.5],
        ["r", -4.0],
        ["re", -4.5],
        ["ere", -6.0],
        ["s", -3.5]
    ]);
    let definition = stages::from_json(&json!({"model": {"type": "Unigram", "unk_id": 0, "vocab": vocab}}));
    definition.build("test").expect("valid")
}

/// A Unigram model of words between spaces.
fn unigram_of_words() -> Tokenizer {
    let definition = stages::from_json(&json!({
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.0]]}}));
    definition.build("test").expect("valid")
}

#[test]
fn every_lesson_ends_with_the_tokens_of_encode() {
    let all = [(byte_level(), Name::BpeEncode, "symbols"), (wordpiece(), Name::WordPieceEncode, "tokens")];
    let mut random = Random::new(1);
    let characters: Vec<char> = TEXT.chars().collect();
    for (tokenizer, name, list) in all.into_iter().chain([(unigram(), Name::UnigramEncode, "tokens")]) {
        for round in 0..200 {
            let text: String = match round {
                0 => String::new(),
                1 => TEXT.to_owned(),
                _ => (0..random.below(40)).map(|_| *random.pick(&characters)).collect(),
            };
            let expected = encoded(&tokenizer, &text);
            let lesson = lesson(&tokenizer, name, &text);
            let states = states(&lesson);
            assert_eq!(ids(&states[states.len() - 1].1, list), expected, "{text:?}");
            assert_eq!(lesson.facts.ids.iter().copied().map(u64::from).collect::<Vec<_>>(), expected);
            let pipeline = self::states(&self::lesson(&tokenizer, Name::Pipeline, &text));
            assert_eq!(ids(&pipeline[pipeline.len() - 1].1, "pieces"), expected);
        }
    }
}

#[test]
fn every_merge_is_the_lowest_rank_of_its_pretoken_and_the_leftmost_of_equals() {
    let lesson = lesson(&byte_level(), Name::BpeEncode, TEXT);
    let states = states(&lesson);
    let mut merges = 0;
    for ((_, before), (now, after)) in states.iter().zip(&states[1..]).filter(|(_, (now, _))| now["step"] == "merge") {
        let symbols = before["symbols"].as_array().expect("a list");
        let pairs = before["pairs"].as_array().expect("a list");
        assert_eq!(symbols.len(), pairs.len());
        // Pretokens are merged one after the other: the first one that has a pair with a rank.
        let ranked = |at: &usize| pairs[*at]["rank"].is_u64();
        let pretoken = (0..pairs.len()).find(ranked).map(|at| &symbols[at]["pretoken"]).expect("a pair that merges");
        let all = (0..pairs.len()).filter(ranked).filter(|at| symbols[*at]["pretoken"] == *pretoken);
        let best = all.min_by_key(|&at| pairs[at]["rank"].as_u64()).expect("one");
        assert_eq!((&now["at"], &now["rank"], &now["id"]), (&json!(best), &pairs[best]["rank"], &pairs[best]["id"]));
        assert_eq!(now["pair"], json!([symbols[best]["id"], symbols[best + 1]["id"]]));
        let made = &after["symbols"][best];
        assert_eq!((&made["id"], &made["span"][1]), (&now["id"], &symbols[best + 1]["span"][1]));
        let node = &after["nodes"][made["node"].as_u64().expect("a node") as usize];
        assert_eq!(node["parts"], json!([symbols[best]["node"], symbols[best + 1]["node"]]));
        merges += 1;
    }
    assert!(merges > 20);
    let (_, last) = &states[states.len() - 1];
    assert!(last["pairs"].as_array().expect("a list").iter().all(|pair| pair["rank"].is_null()));
    // What is split never merges, and what is not may.
    let split = last["pairs"].as_array().expect("a list").iter().filter(|pair| pair["split"] == true).count();
    assert_eq!(split, lesson.facts.pretokens.len());
}

#[test]
fn every_look_up_is_that_of_the_vocabulary() {
    let tokenizer = wordpiece();
    let lesson = lesson(&tokenizer, Name::WordPieceEncode, "there theas is xyz thea 12");
    let states = states(&lesson);
    let looked: Vec<&(Value, Value)> = states.iter().filter(|(now, _)| now["step"] == "look_up").collect();
    for (now, state) in &looked {
        let tries = state["tries"].as_array().expect("a list");
        let last = &tries[tries.len() - 1];
        let entry = last["entry"].as_str().expect("a text");
        let found = tokenizer.id_of(entry.as_bytes()).filter(|&id| id > 0);
        assert_eq!(last["found"], json!(found), "{entry}");
        assert_eq!(now["found"], last["found"]);
        // The longest first: each is a character shorter than the one before.
        assert!(tries.windows(2).all(|two| two[0]["span"][1].as_u64() > two[1]["span"][1].as_u64()));
        assert!(tries[..tries.len() - 1].iter().all(|one| one["found"].is_null()));
    }
    let steps: Vec<&str> = states.iter().filter_map(|(now, _)| now["step"].as_str()).collect();
    assert_eq!(steps.iter().filter(|step| **step == "unknown").count(), 1, "xyz");
    let long = self::states(&self::lesson(&tokenizer, Name::WordPieceEncode, &"a".repeat(101)));
    assert_eq!(long[1].0, json!({"step": "too_long", "pretoken": 0}));
}

#[test]
fn every_place_has_the_best_sum_of_all_segmentations() {
    let tokenizer = unigram();
    let Model::Unigram(model) = &tokenizer.as_stages().model else { panic!("it is one") };
    for text in ["there", "the aaaa", "aaaaa", "tx there", "x"] {
        let states = states(&lesson(&tokenizer, Name::UnigramEncode, text));
        let (_, last) = &states[states.len() - 1];
        let places = last["places"].as_array().expect("a list");
        assert_eq!(places.len(), text.len() + 1);
        for (at, place) in places.iter().enumerate() {
            let best = place["best"].as_f64().expect("a sum");
            let found = if at == 0 { 0.0 } else { model.n_best(&text[..at], 1).expect("short")[0].sum };
            assert!((best - found).abs() < 1e-9, "{text} {at}: {best} {found}");
        }
    }
}

/// The paths of a step of one pretoken: ids, probability, and how often each was drawn.
fn paths(states: &[(Value, Value)], step: &str) -> Vec<(Vec<u64>, f64, Option<u64>)> {
    let (_, state) = states.iter().find(|(now, _)| now["step"] == step).expect("the step");
    let of =
        |path: &Value| (ids(path, "tokens"), path["probability"].as_f64().expect("a share"), path["drawn"].as_u64());
    state["paths"].as_array().expect("a list").iter().map(of).collect()
}

#[test]
fn paths_are_the_best_of_all_and_their_shares_those_of_all() {
    let tokenizer = unigram();
    let Model::Unigram(model) = &tokenizer.as_stages().model else { panic!("it is one") };
    for text in ["the", "there", "the aaaa", "aaaaa", "tx there"] {
        let lesson = lesson(&tokenizer, Name::UnigramEncode, text);
        let listed = paths(&states(&lesson), "paths");
        let all = model.n_best(text, 100_000).expect("short");
        let total: f64 = all.iter().map(|path| path.sum.exp()).sum();
        assert_eq!(listed.len(), all.len().min(5), "{text}");
        for ((ids, share, drawn), path) in listed.iter().zip(&all) {
            assert!(ids.iter().copied().eq(path.tokens.iter().map(|token| u64::from(token.0))), "{text}");
            assert!((share - path.sum.exp() / total).abs() < 1e-9, "{text}: {share}");
            assert_eq!(*drawn, None);
        }
        for boundary in lesson.facts.pretokens[0].boundaries.as_ref().expect("those of Unigram") {
            let here = |path: &&Segmentation| path.tokens.iter().any(|token| token.1.start == boundary.character);
            let expected = all.iter().filter(here).map(|path| path.sum.exp() / total).sum::<f64>();
            assert!((boundary.probability - expected).abs() < 1e-9, "{text}: {boundary:?} {expected}");
        }
    }
    let shares: f64 =
        paths(&states(&lesson(&tokenizer, Name::UnigramEncode, "re")), "paths").iter().map(|path| path.1).sum();
    assert!((shares - 1.0).abs() < 1e-9, "both paths are listed: {shares}");
    let alone = states(&lesson(&tokenizer, Name::UnigramEncode, "s"));
    assert!(alone.iter().all(|(now, _)| now["step"] != "paths"), "there is one path");
    let long = states(&lesson(&tokenizer, Name::UnigramEncode, &"a".repeat(101)));
    assert!(long.iter().any(|(now, _)| *now == json!({"step": "unlisted", "pretoken": 0, "most": 100})));
}

#[test]
fn paths_are_drawn_as_often_as_is_probable() {
    let tokenizer = unigram();
    let text = "there";
    let (mut times, mut draws) = (BTreeMap::<Vec<u64>, (f64, u64)>::new(), 0);
    for seed in 0..1000 {
        let options = Options { seed, ..parsing(30) };
        let lesson = of_text(&tokenizer, Name::UnigramEncode, text, options).expect("short");
        let drawn = paths(&states(&lesson), "draws");
        assert_eq!(drawn.iter().map(|path| path.2.expect("a number")).sum::<u64>(), 10);
        assert!(drawn.iter().skip(5).all(|path| path.2 > Some(0)), "the others were drawn");
        for (ids, share, drawn) in drawn {
            let sum = times.entry(ids).or_insert((share, 0));
            sum.1 += drawn.expect("a number");
            draws += drawn.expect("a number");
        }
        let again = of_text(&tokenizer, Name::UnigramEncode, text, options).expect("short");
        assert_eq!(again.frames.json, lesson.frames.json);
    }
    assert_eq!(draws, 10_000);
    for (ids, (share, times)) in times {
        // Of a thousand million binomial variables one is further from its mean than six standard deviations, for large counts.
        let (mean, variance) = (share * draws as f64, share * (1.0 - share) * draws as f64);
        assert!(
            (times as f64 - mean).abs() < 6.0 * variance.sqrt() + 3.0,
            "{ids:?}: {times} of {draws}, expected {mean}"
        );
    }
}

#[test]
fn a_word_that_occurs_again_has_the_same_paths() {
    let vocab = json!([["<unk>", 0.0], ["a", -1.0], ["b", -1.2], ["ab", -1.5], ["ba", -2.1], ["aba", -2.0]]);
    let definition = stages::from_json(&json!({
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab}}));
    let tokenizer = definition.build("test").expect("valid");
    let drawn = |seed: u64| -> Vec<Value> {
        let options = Options { seed, ..parsing(30) };
        let lesson = of_text(&tokenizer, Name::UnigramEncode, "abab aba abab", options).expect("short");
        let drawn = states(&lesson).into_iter().filter(|(now, _)| now["step"] == "draws");
        drawn.map(|(_, state)| state["paths"].clone()).collect()
    };
    let first = drawn(1);
    assert_eq!((first.len(), &first[0]), (3, &first[2]));
    assert!((2..20).any(|seed| drawn(seed) != first), "a seed makes a difference");
}

#[test]
fn bytes_are_those_of_the_text_and_their_bits_the_code_point() {
    let tokenizer = byte_level();
    for text in ["", "a", "é日🙂\u{0}\u{10ffff}", TEXT] {
        let states = states(&lesson(&tokenizer, Name::Utf8, text));
        let (_, last) = &states[states.len() - 1];
        let bytes = last["bytes"].as_array().expect("a list");
        assert_eq!(
            bytes.iter().map(|byte| byte["value"].clone()).collect::<Vec<_>>(),
            text.bytes().map(Value::from).collect::<Vec<_>>()
        );
        for (c, found) in text.chars().zip(last["characters"].as_array().expect("a list")) {
            let bits = found["bits"].as_str().expect("bits");
            assert_eq!(u32::from_str_radix(bits, 2), Ok(u32::from(c)));
            assert_eq!(found["code_point"], json!(u32::from(c)));
        }
    }
}

#[test]
fn key_frames_come_often_and_stay_small() {
    let lesson = lesson(&byte_level(), Name::BpeEncode, &TEXT.repeat(30));
    let (mut start, mut keys) = (0, vec![]);
    for (number, &end) in lesson.frames.ends.iter().enumerate() {
        if lesson.frames.json[start..end as usize].windows(7).any(|window| window == b"\"key\":{") {
            keys.push(number);
        }
        start = end as usize;
    }
    assert_eq!(keys[0], 0);
    assert!(keys.len() > 2 && keys.windows(2).all(|two| two[1] - two[0] >= KEY_EVERY));
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let other = of_text(&wordpiece(), Name::BpeEncode, "a", Options::default()).expect_err("another model");
    let words = "the lesson bpe-encode needs a BPE tokenizer, and this one is WordPiece";
    assert_eq!(other.to_string(), words);
    let mut full = Frames::default();
    full.ends = vec![0; MAX_FRAMES];
    let mut large = Frames::default();
    large.json = vec![b' '; MAX_BYTES];
    assert_eq!(Frames::default().add(&"a step", &mut []), Ok(()));
    for mut frames in [full, large] {
        assert_eq!(frames.add(&"one more", &mut []), Err(LessonError::TooLong));
    }
    let longer = of_text(&byte_level(), Name::BpeEncode, &"a".repeat(10_001), Options::default());
    assert!(matches!(longer, Err(LessonError::Encode(EncodeError::TraceTooLong { .. }))));
    let definition = stages::from_json(&json!({
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "decoder": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}));
    let few_bytes = definition.build("test").expect("valid");
    let refused = of_text(&few_bytes, Name::Encoders, "a", Options::default()).expect_err("no bytes").to_string();
    assert!(refused.contains("this tokenizer merges characters in the place of bytes"), "{refused}");
    let longer = of_text(&byte_level(), Name::Encoders, &"ab ".repeat(2731), Options::default()).expect_err("long");
    let words = "the lesson encoders takes up to 8192 bytes of text and got 8193; take a shorter text";
    assert_eq!(longer.to_string(), words);
    for (name, spelled, _) in Name::ALL {
        assert_eq!((name.as_str(), Name::by_name(spelled)), (spelled, Some(name)));
    }
    assert_eq!(Name::by_name("bpe"), None);
}

/// A WordPiece that puts two special tokens around a text.
fn wordpiece_with_template() -> Tokenizer {
    let definition = stages::from_json(&json!({
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 2], "sep": ["[SEP]", 3]},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "vocab": {"[UNK]": 0, "a": 1, "[CLS]": 2, "[SEP]": 3}, "max_input_chars_per_word": 100}}));
    definition.build("test").expect("valid")
}

#[test]
fn the_text_is_divided_at_added_tokens_and_comes_back_from_its_tokens() {
    let tokenizer = byte_level();
    let lesson = lesson(&tokenizer, Name::SpecialTokens, "ab<|end|><|end|> the <|end|>");
    let states = states(&lesson);
    let steps: Vec<&str> = states.iter().filter_map(|(now, _)| now["step"].as_str()).collect();
    assert_eq!(steps, ["start", "cut", "cut", "cut", "tokens", "tokens", "done"]);
    let texts: Vec<&Value> =
        states[3].1["pieces"].as_array().expect("a list").iter().map(|piece| &piece["text"]).collect();
    assert_eq!(texts, ["ab", "<|end|>", "<|end|>", " the ", "<|end|>"]);
    assert_eq!(ids(&states[6].1, "pieces"), encoded(&tokenizer, "ab<|end|><|end|> the <|end|>"));
    let as_text = of_text(&tokenizer, Name::SpecialTokens, "ab<|end|>", Options::default()).expect("short");
    assert_eq!(self::states(&as_text)[1].0["step"], "tokens");
    let bert = wordpiece_with_template();
    let last = |add_special_tokens: bool| {
        let options = Options { add_special_tokens, ..parsing(30) };
        let states = self::states(&of_text(&bert, Name::SpecialTokens, "a", options).expect("short"));
        (ids(&states[states.len() - 1].1, "pieces"), states.iter().any(|(now, _)| now["step"] == "template"))
    };
    assert_eq!((last(true), last(false)), ((vec![2, 1, 3], true), (vec![1], false)));
    for text in ["", "<|end|>", " "] {
        let states = self::states(&self::lesson(&tokenizer, Name::SpecialTokens, text));
        assert_eq!(ids(&states[states.len() - 1].1, "pieces"), encoded(&tokenizer, text), "{text:?}");
    }
}

#[test]
fn marks_and_bytes_become_the_text_again() {
    let bytes = (0..=255).map(|byte| (format!("<0x{byte:02X}>"), json!(byte + 3)));
    let mut vocab: serde_json::Map<String, Value> = bytes.collect();
    vocab.extend([("?".into(), json!(0)), ("▁".into(), json!(1)), ("t".into(), json!(2))]);
    let definition = stages::from_json(&json!({
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]},
        "model": {"type": "BPE", "unk_token": "?", "byte_fallback": true, "vocab": vocab, "merges": []}}));
    let tokenizer = definition.build("test").expect("valid");
    let states = states(&lesson(&tokenizer, Name::SentencePiece, "t 日🙂t"));
    let texts = |at: usize| -> Vec<String> {
        let pieces = states[at].1["pieces"].as_array().expect("a list");
        pieces.iter().map(|piece| piece["text"].as_str().unwrap_or("-").to_owned()).collect()
    };
    let last = states.len() - 1;
    assert_eq!(texts(last), ["t 日🙂t"]);
    assert_eq!(texts(last - 1), ["t", "▁", "日🙂", "t"]);
    assert_eq!(texts(last - 2)[..4], ["t", "▁", "<0xE6>", "<0x97>"]);
    let refused = of_text(&byte_level(), Name::SentencePiece, "a", Options::default()).expect_err("no marks");
    assert!(refused.to_string().contains("the mark ▁"));
}

#[test]
fn every_line_is_encoded_for_itself_and_compared_with_the_first() {
    let tokenizer = byte_level();
    let text = "the theatre\r\n\n日本語\nabab";
    let lesson = lesson(&tokenizer, Name::Languages, text);
    let states = states(&lesson);
    let (_, last) = &states[states.len() - 1];
    let first = encoded(&tokenizer, "the theatre").len() as f64;
    for (sentence, line) in last["sentences"].as_array().expect("a list").iter().zip(["the theatre", "日本語", "abab"])
    {
        let own = encoded(&tokenizer, line);
        let range = |at: usize| sentence["tokens"][at].as_u64().expect("a place") as usize;
        assert_eq!(lesson.facts.ids[range(0)..range(1)].iter().copied().map(u64::from).collect::<Vec<_>>(), own);
        assert!((sentence["premium"].as_f64().expect("a share") - own.len() as f64 / first).abs() < 1e-9);
        let span = |at: usize| sentence["span"][at].as_u64().expect("a byte") as usize;
        assert_eq!(&text[span(0)..span(1)], line);
    }
    for (text, lines) in [("", "0 lines"), ("\n \nab", "1 line ")] {
        let refused = of_text(&tokenizer, Name::Languages, text, Options::default()).expect_err("too few");
        assert!(refused.to_string().contains(lines), "{refused}");
    }
}

#[test]
fn a_cancelled_call_makes_no_lesson() {
    let all = [
        (byte_level(), Name::Encoders),
        (byte_level(), Name::BpeTrain),
        (wordpiece(), Name::WordPieceTrain),
        (unigram_of_words(), Name::UnigramTrain),
    ];
    let call = std::sync::Arc::new(token_engine::internals::call::Call::default());
    call.cancel();
    let _entered = token_engine::internals::call::enter(Some(call));
    for (tokenizer, name) in all {
        let ended = of_text(&tokenizer, name, WORDS, parsing(30)).expect_err("cancelled");
        assert!(matches!(ended, LessonError::Encode(EncodeError::Cancelled(_))), "{ended:?}");
    }
}
