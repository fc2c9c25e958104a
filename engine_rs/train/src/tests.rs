//! Trainings from texts to tokenizers, with all options.

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};
use token_engine::Specials;

use crate::progress::Row;
use crate::stop::Stop;
use crate::stop::tests::stopping_at;
use crate::testing::{Random, counts_of};
use crate::{Options, TrainError, Trainer, WordCounter, WordCounts};

static NEVER: AtomicBool = AtomicBool::new(false);

fn options(json: &Value) -> Options {
    Options::from_json(&json.to_string()).expect("options")
}

/// A finished training of texts.
fn trained(json: &Value, texts: &[&str]) -> Trainer {
    let options = options(json);
    let mut counter = WordCounter::new(&options).expect("stages");
    counter.add_many(texts, 2).expect("counts");
    let mut trainer = Trainer::new(options, counter.into_counts().expect("counts")).expect("a corpus");
    assert!(trainer.run(usize::MAX, &NEVER).expect("steps").finished);
    trainer
}

fn spelled(trainer: &Trainer) -> Vec<String> {
    let tokenizer = trainer.tokenizer().expect("a tokenizer");
    let spelled = |id| tokenizer.id_to_token(id).map(|token| token.into_owned());
    (0..tokenizer.vocab().len() as u32).filter_map(spelled).collect()
}

fn split(regex: &str) -> Value {
    json!({"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": false})
}

#[test]
fn the_vocabulary_is_special_tokens_then_alphabet_then_merges() {
    let json = json!({
        "vocab_size": 261, "min_frequency": 1, "special_tokens": ["<|end|>", "<pad>"], "unknown_token": null,
        "pre_tokenizer": split("\\w+"),
    });
    let vocab = spelled(&trained(&json, &["low low<|end|>lower é"]));
    assert_eq!(vocab[..5], ["<|end|>", "<pad>", "!", "\"", "#"]);
    assert_eq!((vocab[2 + 94].as_str(), vocab[2 + 188].as_str(), vocab[257].as_str()), ("¡", "Ā", "Ń"));
    assert_eq!(vocab[258..], ["lo", "low", "er"]);
}

#[test]
fn trained_tokenizers_encode_and_decode() {
    let text = "the cat sat on the mat, the rat ate the hat 12 times; 🤷🏽 naïve 語";
    let whitespace = json!({"type": "WhitespaceSplit"});
    let metaspace = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true});
    let cases = [
        json!({"vocab_size": 280, "pre_tokenizer": split("\\s?\\w+")}),
        json!({"vocab_size": 256}),
        json!({"vocab_size": 300, "algorithm": "character"}),
        json!({"vocab_size": 60, "alphabet": "characters", "pre_tokenizer": metaspace, "min_frequency": 1}),
        json!({"vocab_size": 330, "byte_fallback": true, "limit_alphabet": 10, "pre_tokenizer": metaspace}),
        json!({"vocab_size": 300, "algorithm": "character", "byte_fallback": true, "pre_tokenizer": metaspace, "min_frequency": 3}),
        json!({"vocab_size": 60, "alphabet": "characters", "end_suffix": "</w>", "pre_tokenizer": whitespace, "min_frequency": 1}),
        json!({"vocab_size": 90, "algorithm": "wordpiece", "score": "likelihood", "unknown_token": "[UNK]", "pre_tokenizer": whitespace, "min_frequency": 1}),
        json!({"vocab_size": 90, "algorithm": "wordpiece", "pre_tokenizer": whitespace}),
        json!({"vocab_size": 99, "algorithm": "wordlevel", "pre_tokenizer": whitespace, "min_frequency": 0}),
    ];
    for case in cases {
        let trainer = trained(&case, &[text]);
        let tokenizer = trainer.tokenizer().expect("a tokenizer");
        let ids = tokenizer.encode_ids(text, Specials::Parse).expect("known text");
        let decoded = tokenizer.decode(&ids, false).expect("known ids");
        assert_eq!(decoded.trim(), text, "{case}");
        assert_eq!(trainer.state().vocab_size, tokenizer.vocab().len(), "{case}");
        assert!(tokenizer.vocab().len() <= trainer.options().vocab_size, "{case}");
    }
}

#[test]
fn alphabets_follow_their_options() {
    let words = json!({"type": "WhitespaceSplit"});
    let base = json!({"vocab_size": 400, "alphabet": "characters", "pre_tokenizer": words, "max_token_length": 1});
    let with = |more: Value| {
        let mut all = base.clone();
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
        spelled(&trained(&all, &["aaaa bbb cc dd e"])).concat()
    };
    assert_eq!(with(json!({})), "abcde");
    assert_eq!(with(json!({"limit_alphabet": 3})), "abc", "of equals the lower code point");
    assert_eq!(with(json!({"limit_alphabet": 3, "initial_alphabet": ["z", "e"]})), "aez");
    assert_eq!(with(json!({"character_coverage": 0.9})), "abcd");
    assert_eq!(with(json!({"character_coverage": 0.5})), "ab");
    assert_eq!(with(json!({"initial_alphabet": ["é"]})), "abcdeé");
    let fallback = with(json!({"limit_alphabet": 1, "byte_fallback": true, "special_tokens": ["<s>"]}));
    assert!(fallback.starts_with("<s><0x00><0x01>") && fallback.ends_with("<0xFF>a"), "{fallback}");
}

#[test]
fn frequencies_and_lengths_bound_merges() {
    let words = json!({"type": "WhitespaceSplit"});
    let merges = |json: Value| {
        let trainer = trained(&json, &["abab abab abcd xyz"]);
        (spelled(&trainer).into_iter().skip(256).collect::<Vec<_>>(), trainer.state().ended)
    };
    let all = json!({"vocab_size": 400, "min_frequency": 1, "pre_tokenizer": words});
    assert_eq!(merges(all), (["ab", "abab", "cd", "xy", "abcd", "xyz"].map(str::to_owned).to_vec(), Some("no_pairs")));
    let twice = json!({"vocab_size": 400, "min_frequency": 2, "pre_tokenizer": words});
    assert_eq!(merges(twice), (["ab", "abab"].map(str::to_owned).to_vec(), Some("min_frequency")));
    let short = json!({"vocab_size": 400, "min_frequency": 1, "max_token_length": 2, "pre_tokenizer": words});
    assert_eq!(merges(short).0, ["ab", "cd", "xy"]);
    let full = json!({"vocab_size": 257, "min_frequency": 1, "pre_tokenizer": words});
    assert_eq!(merges(full).1, Some("vocab_size"));
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let new = |json: Value, words: &[(&str, u64)]| Trainer::new(options(&json), counts_of(words)).map(|_| ());
    let cases = [
        (new(json!({}), &[]), "the corpus has no words after 0 bytes of text"),
        (
            new(json!({"vocab_size": 255}), &[("a", 1)]),
            "vocab_size is 255, but 0 special tokens and an alphabet of 256 need 256",
        ),
        (
            new(json!({"vocab_size": 256, "special_tokens": ["<s>"]}), &[("a", 1)]),
            "vocab_size is 256, but 1 special token and an alphabet of 256 need 257",
        ),
        (
            new(json!({"vocab_size": 2, "alphabet": "characters"}), &[("abc", 1)]),
            "vocab_size is 2, but 0 special tokens and an alphabet of 3 need 3",
        ),
        (new(json!({"special_tokens": ["a"]}), &[("b", 1)]), "the special token \"a\" is spelled like an entry"),
        (new(json!({"special_tokens": ["Ġ"]}), &[("b", 1)]), "the special token \"Ġ\" is spelled like an entry"),
        (
            new(json!({"algorithm": "character", "alphabet": "characters", "special_tokens": ["b"]}), &[("bb", 1)]),
            "the special token \"b\" is spelled like an entry",
        ),
        (new(json!({"algorithm": "character", "vocab_size": 200}), &[("a", 1)]), "vocab_size is 200"),
        (
            new(json!({"algorithm": "wordlevel", "vocab_size": 1, "special_tokens": ["<s>"]}), &[("a", 1)]),
            "vocab_size is 1",
        ),
        (
            new(json!({"pre_tokenizer": {"type": "Split"}}), &[("a", 1)]),
            "training options at pre_tokenizer.pretokenizers[0]: the field \"pattern\" is missing",
        ),
    ];
    for (result, expected) in cases {
        let message = result.expect_err(expected).to_string();
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn a_merge_never_makes_the_spelling_of_a_special_token() {
    let json = json!({
        "vocab_size": 400, "min_frequency": 1, "special_tokens": ["ab"], "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
    });
    let vocab = spelled(&trained(&json, &["AB ABC"]));
    assert_eq!(vocab[257..], ["bc", "abc"], "the special token is found before the text is in lower case");
    let words = json!({"algorithm": "wordlevel", "special_tokens": ["ab"], "normalizer": {"type": "Lowercase"}, "min_frequency": 1, "pre_tokenizer": {"type": "WhitespaceSplit"}});
    assert_eq!(spelled(&trained(&words, &["AB ABC"])), ["ab", "abc"]);
}

fn random_counts(random: &mut Random) -> WordCounts {
    let words: Vec<(String, u64)> = (0..30)
        .map(|_| {
            let word = (0..1 + random.below(9)).map(|_| ["a", "b", "c", "é"][random.below(4)]).collect();
            (word, 1 + random.below(9) as u64)
        })
        .collect();
    counts_of(&words.iter().map(|(word, count)| (word.as_str(), *count)).collect::<Vec<_>>())
}

#[test]
fn a_training_goes_on_after_a_checkpoint_at_any_step() {
    let mut random = Random::new(12);
    for algorithm in ["bpe", "wordpiece", "wordlevel", "character", "unigram"] {
        let counts = random_counts(&mut random);
        let json = json!({"algorithm": algorithm, "alphabet": "characters", "vocab_size": 25, "min_frequency": 1});
        let start = |held_out: bool| {
            let mut trainer = Trainer::new(options(&json), counts.clone()).expect("a corpus");
            if held_out {
                trainer.set_held_out(counts_of(&[("abcabé", 3), ("zz", 1)])).expect("words");
            }
            trainer
        };
        for held_out in [false, true] {
            let mut whole = start(held_out);
            let rows = whole.run(usize::MAX, &NEVER).expect("steps").rows;
            assert!(rows.len() > 3, "{algorithm}");
            for step in 0..=rows.len() {
                let mut first = start(held_out);
                assert_eq!(first.run(step, &NEVER).expect("steps").rows, rows[..step], "{algorithm} up to {step}");
                let mut second = Trainer::resume(&first.checkpoint().expect("bytes")).expect("a checkpoint");
                assert_eq!(second.state().done, step, "{algorithm}");
                assert_eq!(
                    second.run(usize::MAX, &NEVER).expect("steps").rows,
                    rows[step..],
                    "{algorithm} from {step}"
                );
                assert_eq!(second.model(), whole.model(), "{algorithm} from {step}");
                assert_eq!(second.state().held_out, whole.state().held_out, "{algorithm} from {step}");
            }
        }
    }
}

#[test]
fn a_checkpoint_that_is_damaged_is_refused() {
    let trainer = Trainer::new(options(&json!({})), counts_of(&[("abc", 2)])).expect("a corpus");
    let stored = trainer.checkpoint().expect("bytes");
    for at in [0, stored.len() / 2, stored.len() - 1] {
        let mut damaged = stored.clone();
        damaged[at] ^= 0x40;
        assert!(matches!(Trainer::resume(&damaged), Err(TrainError::Stored { .. })), "byte {at}");
        assert!(matches!(Trainer::resume(&stored[..at]), Err(TrainError::Stored { .. })), "truncated at {at}");
    }
}

#[test]
fn the_stop_flag_ends_a_call_and_not_the_training() {
    for algorithm in ["bpe", "wordpiece", "wordlevel"] {
        let json = json!({"algorithm": algorithm, "alphabet": "characters", "vocab_size": 30, "min_frequency": 1});
        let counts = random_counts(&mut Random::new(13));
        let mut trainer = Trainer::new(options(&json), counts.clone()).expect("a corpus");
        let stopped = trainer.run(10, &AtomicBool::new(true)).expect("no steps");
        assert_eq!((stopped.rows.len(), stopped.finished), (0, false), "{algorithm}");
        let rows = trainer.run(usize::MAX, &NEVER).expect("steps").rows;
        let mut other = Trainer::new(options(&json), counts).expect("a corpus");
        assert_eq!(rows, other.run(usize::MAX, &NEVER).expect("steps").rows, "{algorithm}");
    }
}

#[test]
fn held_out_words_shrink_by_what_each_row_says() {
    let json = json!({"vocab_size": 300, "min_frequency": 1});
    let mut trainer = Trainer::new(options(&json), random_counts(&mut Random::new(14))).expect("a corpus");
    trainer.set_held_out(counts_of(&[("abcab", 3), ("éa", 2), ("b", 1)])).expect("words");
    let before = trainer.state().held_out.expect("words");
    assert_eq!((before.bytes, before.tokens), (22, 22));
    let rows = trainer.run(usize::MAX, &NEVER).expect("steps").rows;
    let change: i64 =
        rows.iter().map(|row| if let Row::Merge(row) = row { row.held_out_tokens.expect("words") } else { 0 }).sum();
    let after = trainer.state().held_out.expect("words");
    assert_eq!(after.tokens as i64, before.tokens as i64 + change);
    let tokenizer = trainer.tokenizer().expect("a tokenizer");
    let encoded = |word: &str| tokenizer.encode_ids(word, Specials::Text).expect("bytes").len() as u64;
    assert_eq!(after.tokens, 3 * encoded("abcab") + 2 * encoded("éa") + encoded("b"));
}

#[test]
fn preparing_a_training_can_be_stopped_all_along() {
    let mut random = Random::new(21);
    let counts = random_counts(&mut random);
    let least = counts.len() / 16;
    for algorithm in ["bpe", "wordpiece", "unigram", "wordlevel", "character"] {
        for alphabet in ["characters", "bytes"] {
            if alphabet == "bytes" && !["bpe", "character"].contains(&algorithm) {
                continue;
            }
            let options = options(&json!({"algorithm": algorithm, "alphabet": alphabet, "vocab_size": 600}));
            let prepare = |stop: Stop<'_>| {
                let mut trainer = Trainer::prepared(options.clone(), counts.clone(), stop)?;
                trainer.measure(counts.clone(), stop).map(|()| trainer)
            };
            let (whole, looks) = stopping_at(usize::MAX, prepare);
            let whole = whole.expect("nobody stopped it");
            // The words are walked through twice at least but for those of WordLevel.
            assert!(looks >= if algorithm == "wordlevel" { 1 } else { least }, "{algorithm}: {looks} looks");
            for look in 0..looks {
                let (stopped, last) = stopping_at(look, prepare);
                assert_eq!((stopped.map(|_| ()), last), (Err(TrainError::Stopped), look + 1), "{algorithm}");
            }
            let stored = whole.checkpoint().expect("bytes");
            let stopped = Trainer::resume_until(&stored, &AtomicBool::new(true)).map(|_| ());
            assert_eq!(stopped, Err(TrainError::Stopped), "{algorithm}");
        }
    }
}

#[test]
fn training_goes_on_from_the_first_merges_as_if_it_had_made_them() {
    let texts = ["low lower lowest newer newest wider, wildest low low", "aaaaabaaab aabaaab é語é語"];
    for base in [
        json!({"min_frequency": 1, "pre_tokenizer": split("\\s?\\w+")}),
        json!({"min_frequency": 1, "pre_tokenizer": {"type": "WhitespaceSplit"}, "alphabet": "characters", "special_tokens": ["<s>"]}),
        json!({"min_frequency": 1, "pre_tokenizer": {"type": "WhitespaceSplit"}, "alphabet": "characters", "end_suffix": "</w>"}),
    ] {
        let mut json = base.clone();
        json["vocab_size"] = json!(1 << 20);
        let all = trained(&json, &texts);
        let merges = crate::definition::document(all.options(), &all.model())["model"]["merges"].clone();
        let count = merges.as_array().expect("a list").len();
        assert!(count > 20, "{json}");
        for first in [0, 1, 7, count - 1, count] {
            json["initial_merges"] = json!(merges.as_array().expect("a list")[..first]);
            let mut rest = trained(&json, &texts);
            assert_eq!(rest.model(), all.model(), "{first} of {count} merges, {json}");
            assert_eq!((rest.state().done, rest.state().total), (count - first, count - first));
            rest.set_held_out(counts_of(&[("lowest", 3), ("aab", 1)])).expect("small");
            let mut whole = all.clone();
            whole.set_held_out(counts_of(&[("lowest", 3), ("aab", 1)])).expect("small");
            assert_eq!(rest.state().held_out, whole.state().held_out);
            let again = Trainer::resume(&rest.checkpoint().expect("small")).expect("whole");
            assert_eq!(again.model(), rest.model());
        }
    }
}

#[test]
fn first_merges_that_cannot_be_are_refused() {
    let start = |merges: Value, size: usize| {
        let json = json!({"vocab_size": size, "initial_merges": merges});
        Trainer::new(options(&json), counts_of(&[("abc", 2)])).map(|_| ()).expect_err("refused").to_string()
    };
    assert_eq!(
        start(json!([["ab", "c"], ["a", "b"]]), 300),
        "initial_merges is \"ab\" \"c\", whose part \"ab\" at 0 no merge before it makes; put the merges that make its parts \
         before it"
    );
    assert_eq!(
        start(json!([["a", "b"], ["ab", "c"]]), 257),
        "vocab_size is 257, but alphabet, special tokens and first merges make 258 tokens; give 258 or more"
    );
}
