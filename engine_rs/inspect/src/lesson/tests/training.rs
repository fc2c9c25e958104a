//! Lessons on training against the trainers.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::lesson::training;
use token_train::Trainer;
use token_train::definition::Model as TrainedModel;

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
