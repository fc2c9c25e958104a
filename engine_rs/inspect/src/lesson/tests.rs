//! Lessons against `encode` and against the definitions, state by state.

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::*;
use crate::textbook::{self, Algorithm, integers};
use token_engine::formats::tiktoken;
use token_engine::models::unigram::lattice::Segmentation;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::testing::{Random, stages};
use token_engine::tokenizer::EncodeOptions;
use token_engine::vocab::Vocab;
use token_train::Trainer;
use token_train::definition::Model as TrainedModel;

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

/// Words that share letters.
const WORDS: &str = "low lower lowest new newer newest wide wider widest the theatre is there these are the others \
    slow slower slowest, 日本語 日本 日本語 aaaaaaaaaab aaaa 🙂🙂 <|end|> the lowest of the newest";

/// A BPE of characters whose words end with `</w>`.
fn characters() -> Tokenizer {
    let definition = stages::from_json(&json!({
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "BPE", "unk_token": "?", "end_of_word_suffix": "</w>", "vocab": {"?": 0, "t": 1, "h": 2, "th": 3},
            "merges": ["t h"]}}));
    definition.build("test").expect("valid")
}

/// One of SentencePiece's kind: nothing splits the text.
fn marked() -> Tokenizer {
    let definition = stages::from_json(&json!({
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        "model": {"type": "BPE", "unk_token": "?", "vocab": {"?": 0, "t": 1}, "merges": []}}));
    definition.build("test").expect("valid")
}

/// Two neighbours of a list of ids, counted in the words of a state.
fn counted(state: &Value) -> BTreeMap<(u64, u64), u64> {
    let mut counts = BTreeMap::new();
    for word in state["words"].as_array().expect("a list") {
        let symbols: Vec<u64> =
            word["symbols"].as_array().expect("ids").iter().map(|id| id.as_u64().expect("an id")).collect();
        for pair in symbols.windows(2) {
            *counts.entry((pair[0], pair[1])).or_default() += word["count"].as_u64().expect("a count");
        }
    }
    counts
}

fn two(pair: &Value) -> (u64, u64) {
    (pair[0].as_u64().expect("an id"), pair[1].as_u64().expect("an id"))
}

#[test]
fn what_is_learnt_is_what_the_trainer_learns() {
    let all = [(byte_level(), Name::BpeTrain), (characters(), Name::BpeTrain), (marked(), Name::BpeTrain)];
    for (tokenizer, name) in all.into_iter().chain([(wordpiece(), Name::WordPieceTrain)]) {
        for learn in [1, 7, 1000] {
            let lesson = of_text(&tokenizer, name, WORDS, parsing(learn)).expect("words that repeat");
            let states = states(&lesson);
            let (now, last) = &states[states.len() - 1];
            assert_eq!(now["dry"], json!(learn == 1000));
            let entries = last["vocabulary"].as_array().expect("a list");
            let merged: Vec<&Value> = entries.iter().filter(|entry| entry["parts"].is_array()).collect();
            assert_eq!(merged.len(), states.len() - 2);
            let trace = trace::trace(&tokenizer, WORDS, Specials::Parse, false).expect("short");
            let words = words::Words::of(&tokenizer, &trace).expect("short");
            let id = |entry: &Value| entry["id"].as_u64().expect("an id");
            let vocab_size = 1 + entries.iter().map(id).max().expect("tokens") as usize;
            let options =
                token_train::Options { vocab_size, ..training::options(&tokenizer.as_stages().model, words.made) };
            let mut trainer = Trainer::new(options, words.counts.clone()).expect("words");
            trainer.run(usize::MAX, &AtomicBool::new(false)).expect("nothing fails");
            let (TrainedModel::Bpe { tokens, .. } | TrainedModel::WordPiece { tokens }) = trainer.model() else {
                panic!("it merges")
            };
            for (id, named) in &lesson.facts.named {
                assert_eq!(named.token, tokens[*id as usize]);
            }
            assert_eq!(tokens.len(), vocab_size);
            if let TrainedModel::Bpe { merges, .. } = trainer.model() {
                let parts = merged.iter().map(|entry| two(&entry["parts"]));
                assert!(parts.eq(merges.iter().map(|&(left, right)| (left.into(), right.into()))));
            }
            // The words of the last state are the tokens of the text, which lie one behind the other.
            let total: u64 = last["words"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|word| {
                    word["count"].as_u64().expect("a count") * word["symbols"].as_array().expect("ids").len() as u64
                })
                .sum();
            assert_eq!((now["symbols"].as_u64(), lesson.facts.ids.len() as u64), (Some(total), total));
            let spans: Vec<Bytes> = lesson.facts.tokens.iter().map(|token| token.span.expect("a place")).collect();
            assert!(spans.windows(2).all(|two| two[0][1] <= two[1][0]), "{spans:?}");
        }
    }
}

#[test]
fn every_learnt_pair_is_the_first_of_those_counted_anew() {
    for (tokenizer, name) in [(byte_level(), Name::BpeTrain), (wordpiece(), Name::WordPieceTrain)] {
        let (mut merges, mut stale) = (0, 0);
        let lesson = lesson(&tokenizer, name, WORDS);
        let states = states(&lesson);
        for ((_, before), (now, after)) in
            states.iter().zip(&states[1..]).filter(|(_, (now, _))| now["step"] == "merge")
        {
            let counts = counted(before);
            let pairs = before["pairs"].as_array().expect("a list");
            for pair in pairs {
                assert_eq!(counts[&two(&pair["pair"])], pair["count"].as_u64().expect("a count"));
            }
            let (pair, best) = (two(&now["pair"]), two(&pairs[0]["pair"]));
            assert_eq!((pair, &now["count"], &now["score"]), (best, &pairs[0]["count"], &pairs[0]["score"]));
            if name == Name::BpeTrain {
                let first = counts.iter().max_by_key(|(pair, count)| (**count, std::cmp::Reverse(**pair)));
                assert_eq!(first.map(|(pair, _)| *pair), Some(best));
                assert_eq!(two(&now["taken"].as_array().expect("a list").last().expect("the pair")["pair"]), pair);
            } else {
                let scores: Vec<f64> = pairs.iter().map(|pair| pair["score"].as_f64().expect("a score")).collect();
                assert!(scores.is_sorted_by(|a, b| a >= b));
                assert_eq!(before["heap"], json!([]));
            }
            // A pair that was there before has the place that it rose from.
            for (at, pair) in after["pairs"].as_array().expect("a list").iter().enumerate() {
                if let Some(rose) = pair["rose"].as_i64() {
                    let at = (at as i64 + rose) as usize;
                    assert!(at >= pairs.len() || pairs[at]["pair"] == pair["pair"]);
                }
            }
            let counts = counted(after);
            for waiting in after["heap"].as_array().expect("a list") {
                let count = counts.get(&two(&waiting["pair"])).copied().unwrap_or_default();
                assert_eq!(waiting["count"], json!(count));
                stale += u32::from(waiting["stored"] != waiting["count"]);
            }
            assert!(counts.get(&pair).is_none_or(|_| pair.0 == pair.1));
            merges += 1;
        }
        assert!(merges > 5 && (stale > 0 || name != Name::BpeTrain), "{merges} {stale}");
    }
}

#[test]
fn nothing_to_learn_is_said() {
    let refused = |text: &str, learn| {
        of_text(&byte_level(), Name::BpeTrain, text, parsing(learn)).expect_err("refused").to_string()
    };
    assert_eq!(refused("", 30), "the text has no words; give some words to learn from");
    assert_eq!(
        refused("word", 30),
        "no two neighbours occur twice in the one word of the text; give a longer text, or one whose words share letters"
    );
    assert!(refused("a bc def", 30).starts_with("no two neighbours occur twice in the 3 words of the text"));
    for learn in [0, 1001] {
        assert_eq!(
            refused("the the", learn),
            format!("learn is {learn}, not between 1 and 1000; give 30 for instance")
        );
    }
}

#[test]
fn the_encoders_make_the_same_merges_each_with_its_own_work() {
    let tokenizer = byte_level();
    let mut random = Random::new(2);
    let characters: Vec<char> = TEXT.chars().collect();
    for round in 0..60 {
        let text: String = match round {
            0 => String::new(),
            1 => TEXT.to_owned(),
            2 => "theatre".repeat(40),
            _ => (0..random.below(60)).map(|_| *random.pick(&characters)).collect(),
        };
        let states = states(&lesson(&tokenizer, Name::Encoders, &text));
        let (now, last) = &states[states.len() - 1];
        assert_eq!(ids(last, "split"), encoded(&tokenizer, &text), "{text:?}");
        let all = [Algorithm::Naive, Algorithm::NaiveSplit, Algorithm::OrderedSet, Algorithm::LinkedList];
        let mut whole = vec![];
        for (encoder, algorithm) in all.into_iter().enumerate().rev() {
            let (tokens, steps) = textbook::encode(&tokenizer, &text, Specials::Parse, algorithm).expect("short");
            for (name, count) in steps.named() {
                assert_eq!(now["work"][encoder][name], json!(count), "{text:?} {name}");
            }
            // Rows of the whole text are what is between added tokens.
            whole = tokens.ids.into_iter().filter(|&id| id != 100_000).map(u64::from).collect();
        }
        assert_eq!(ids(last, "whole"), whole, "{text:?}");
        for ((_, before), (now, after)) in
            states.iter().zip(&states[1..]).filter(|(_, (now, _))| now["step"] == "merge")
        {
            check_queues(after);
            // The next merge is the first live pair of both queues, and that of the row.
            let split = &now["split"];
            if split.is_object() {
                assert_eq!(before["tree"][0]["rank"], split["rank"], "{text:?}");
            }
        }
    }
}

/// The set has the pairs of its pretoken that merge, in their order, and the heap the same and stale ones, none above its parent.
fn check_queues(state: &Value) {
    let list = |name: &str| state[name].as_array().expect("a list").clone();
    let place = |entry: &Value| (entry["rank"].as_u64().expect("a rank"), entry["byte"].as_u64().expect("a byte"));
    let (tree, heap) = (list("tree"), list("heap"));
    assert!(tree.windows(2).all(|two| place(&two[0]) < place(&two[1])));
    let mut live: Vec<_> = heap.iter().filter(|entry| entry["stale"] == false).map(place).collect();
    live.sort_unstable();
    live.dedup();
    assert_eq!(live, tree.iter().map(place).collect::<Vec<_>>());
    for at in 1..heap.len() {
        assert!(place(&heap[(at - 1) / 2]) <= place(&heap[at]));
    }
    let symbols = list("split");
    for entry in &tree {
        let byte = &entry["byte"];
        assert!(symbols.iter().any(|symbol| symbol["span"][0] == *byte), "{entry}");
    }
}

#[test]
fn operations_grow_as_the_encoders_count_them() {
    let tokenizer = byte_level();
    let all = [Algorithm::Naive, Algorithm::NaiveSplit, Algorithm::OrderedSet, Algorithm::LinkedList];
    for text in ["the theatre", "日本語 the", " 1234 "] {
        let facts = lesson(&tokenizer, Name::Encoders, text).facts;
        let Growth { prose, word } = facts.growth.expect("that of the encoders");
        let (long, letters) = growth::texts(text);
        for (points, whole) in [(&prose, &long), (&word, &letters)] {
            assert_eq!(points.len(), if whole.is_empty() { 0 } else { 7 }, "{text:?}");
            for (point, most) in points.iter().zip([16, 32, 64, 128, 256, 512, 1024]) {
                let beginning = growth::beginning(whole, most);
                assert!(point.bytes == beginning.len() && point.bytes + 4 > most, "{text:?}: {point:?}");
                for (algorithm, operations) in all.into_iter().zip(point.operations) {
                    let steps = textbook::encode(&tokenizer, beginning, Specials::Text, algorithm).expect("short").1;
                    let counts = [steps.lookups, steps.moves, steps.pushes, steps.pops, steps.removals];
                    assert_eq!(operations, counts.iter().sum::<u64>(), "{text:?} {algorithm:?}");
                }
            }
        }
    }
    let [word, prose] =
        ["aaaaaaaaaab", "the, the others"].map(|text| lesson(&tokenizer, Name::Encoders, text).facts.growth);
    // What is split costs in proportion to the text, and one word the square of it in the merge loop alone.
    let times =
        |points: &[growth::Point], encoder: usize| points[6].operations[encoder] / points[5].operations[encoder].max(1);
    let (word, prose) = (word.expect("some").word, prose.expect("some").prose);
    assert_eq!([0, 1, 2, 3].map(|encoder| times(&word, encoder) >= 3), [true, true, false, false]);
    assert_eq!([0, 1, 2, 3].map(|encoder| times(&prose, encoder) >= 3), [true, false, false, false]);
}

#[test]
fn every_token_is_expected_lost_and_kept_as_by_the_trainer() {
    let tokenizer = unigram_of_words();
    for learn in [1, 10, 1000] {
        let lesson = of_text(&tokenizer, Name::UnigramTrain, WORDS, parsing(learn)).expect("words that repeat");
        let states = states(&lesson);
        let trace = trace::trace(&tokenizer, WORDS, Specials::Parse, false).expect("short");
        let words = words::Words::of(&tokenizer, &trace).expect("short");
        let options = token_train::Options { vocab_size: words.characters() + learn, ..em::options() };
        let mut trainer = Trainer::new(options, words.counts.clone()).expect("words");
        trainer.run(usize::MAX, &AtomicBool::new(false)).expect("nothing fails");
        let TrainedModel::Unigram { tokens } = trainer.model() else { panic!("it is one") };
        let text = |id: &Value| lesson.facts.named[&(id.as_u64().expect("an id") as Id)].token.clone();
        let tokens_of = |state: &Value| state["tokens"].as_array().expect("a list").clone();
        let mut found: Vec<(String, f64)> = tokens_of(&states[states.len() - 1].1)
            .iter()
            .map(|entry| (text(&entry["id"]), entry["score"].as_f64().expect("a score")))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        for ((token, score), (expected, exact)) in found.iter().zip(&tokens) {
            assert!(token == expected && (score - exact).abs() < 1e-12, "{token} {score} {expected} {exact}");
        }
        assert_eq!(found.len(), tokens.len());
        let symbols = |word: &[u8]| std::str::from_utf8(word).expect("text").chars().count();
        let all: f64 = words.counts.iter().map(|(word, count)| symbols(word) as f64 * count as f64).sum();
        let mut rounds = 0;
        for ((_, before), (now, after)) in states.iter().zip(&states[1..]) {
            let entries = tokens_of(after);
            assert_eq!(now["tokens"], json!(entries.len()));
            let removed = now["removed"].as_array().cloned().unwrap_or_default();
            let gone: Vec<Value> = tokens_of(before)
                .into_iter()
                .filter(|entry| entry["stays"] == false)
                .map(|entry| entry["id"].clone())
                .collect();
            match now["step"].as_str().expect("a step") {
                // Every division of a word has all its characters.
                "expect" => {
                    let expected = |entry: &Value| entry["expected"].as_f64().expect("a count");
                    let sum: f64 =
                        entries.iter().map(|entry| expected(entry) * text(&entry["id"]).chars().count() as f64).sum();
                    assert!((sum - all).abs() < 1e-6 * all, "{sum} {all}");
                }
                "losses" => {
                    let loss = |stays: bool| {
                        let of = entries.iter().filter(move |entry| entry["stays"] == stays);
                        of.filter_map(|entry| entry["loss"].as_f64())
                    };
                    let (least, most) = (loss(true).fold(f64::MAX, f64::min), loss(false).fold(f64::MIN, f64::max));
                    assert!(least >= most, "{least} {most}");
                    rounds += 1;
                }
                "maximize" | "prune" => assert_eq!(removed, gone),
                _ => {}
            }
        }
        assert!(rounds > 0 || learn == 1000);
        assert_eq!(states[states.len() - 1].0["symbols"], json!(lesson.facts.ids.len()));
        let spelled: String = lesson.facts.ids.iter().map(|id| lesson.facts.named[id].token.as_str()).collect();
        assert_eq!(spelled, WORDS.split(' ').collect::<String>());
    }
}

/// A Unigram model of words between spaces.
fn unigram_of_words() -> Tokenizer {
    let definition = stages::from_json(&json!({
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.0]]}}));
    definition.build("test").expect("valid")
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
    let call = std::sync::Arc::new(token_engine::call::Call::default());
    call.cancel();
    let _entered = token_engine::call::enter(Some(call));
    for (tokenizer, name) in all {
        let ended = of_text(&tokenizer, name, WORDS, parsing(30)).expect_err("cancelled");
        assert!(matches!(ended, LessonError::Encode(EncodeError::Cancelled(_))), "{ended:?}");
    }
}
