use std::sync::atomic::{AtomicBool, Ordering};

use token_engine::internals::random::Random;

use super::naive::{self, Vocab};
use super::*;
use crate::progress::IterationRow;

fn options(json: &str) -> Options {
    Options::from_json(json).expect("good options")
}

fn counts(words: &[(&str, u64)]) -> WordCounts {
    WordCounts::new(words.iter().map(|(word, count)| (word.as_bytes(), *count)), 100).expect("small counts")
}

/// Words of few letters, with counts that make ties unlikely.
fn random_words(random: &mut Random, unique: usize, longest: usize, letters: &str) -> Vec<(String, u64)> {
    let letters: Vec<char> = letters.chars().collect();
    let mut words = std::collections::BTreeMap::new();
    for _ in 0..unique {
        let length = 1 + (random.next_unit() * longest as f64) as usize;
        let word: String = (0..length).map(|_| letters[(random.next_unit() * letters.len() as f64) as usize]).collect();
        words.insert(word, 1 + (random.next_unit().powi(3) * 1000.0) as u64);
    }
    words.into_iter().collect()
}

/// Random words as a counter of running text leaves them.
fn followed(random: &mut Random, owned: &[(String, u64)]) -> WordCounts {
    let next = [Follower::One(b'\n'), Follower::One(0xE2), Follower::One(b'a'), Follower::Many];
    let words = owned.iter().map(|(word, count)| (word.as_bytes(), next[(random.next_unit() * 4.0) as usize], *count));
    WordCounts::with_followers(words.collect(), 100).expect("small counts")
}

/// The words of counts as the naive twin takes them.
fn naive_words(counts: &WordCounts) -> Vec<(&str, u64, Follower)> {
    let followers = counts.followers().iter().copied().chain(std::iter::repeat(Follower::None));
    let words = counts.iter().zip(followers);
    words.map(|((word, count), next)| (std::str::from_utf8(word).expect("text"), count, next)).collect()
}

fn by_ids(training: &Training) -> Vocab {
    training.saved().tokens.into_iter().map(|(token, bits)| (token, f64::from_bits(bits))).collect()
}

fn step(training: &mut Training) -> Option<IterationRow> {
    training.next(Stop::never(), None).expect("nobody stops it")
}

fn assert_same(found: &Vocab, expected: &Vocab, what: &str) {
    let texts = |vocab: &Vocab| vocab.iter().map(|(token, _)| token.clone()).collect::<Vec<_>>();
    assert_eq!(texts(found), texts(expected), "{what}");
    for ((token, score), (_, expected)) in found.iter().zip(expected) {
        assert!((score - expected).abs() < 1e-8, "{what}: {token:?} has {score}, not {expected}");
    }
}

#[test]
fn every_step_equals_the_naive_twin() {
    for variant in [Variant::Words, Variant::SentencePiece] {
        let (prunings, absent) = steps_that_equal_the_naive_ones(variant);
        assert!(prunings > 60, "{prunings} rounds of pruning were compared");
        assert!((absent > 20) == (variant == Variant::SentencePiece), "{absent} steps had characters that left");
    }
}

/// Compares trainings step by step. Returns the number of prunings, and of steps after which characters had left.
fn steps_that_equal_the_naive_ones(variant: Variant) -> (usize, usize) {
    let mut random = Random::new(23);
    let (mut prunings, mut absent_steps) = (0, 0);
    for round in 0..60 {
        let letters = ["ab", "abc", "aбe\u{1F600}"][round % 3];
        let mut owned = random_words(&mut random, 5 + round, 9, letters);
        // A letter that is hardly used alone.
        owned.extend([("qa".to_owned(), 70), ("qaa".to_owned(), 9), ("qab".to_owned(), 20)]);
        owned.sort();
        let counts = followed(&mut random, &owned);
        let words = naive_words(&counts);
        // The order of the words decides the order in which sums are rounded, nothing else.
        let options = Options { variant, ..options(r#"{"algorithm": "unigram", "vocab_size": 12}"#) };
        let mut training = Training::new(&options, &counts).expect("valid");
        let mut vocab = naive::seeds(&words, training.rules.seeds);
        let mut absent = naive::Absent::new();
        while let Some(row) = step(&mut training) {
            let what = format!("round {round}, step {}", row.iteration);
            match row.stage {
                "em" => {
                    let (next, loss) = naive::em(&words, &vocab, &mut absent, variant);
                    assert!((row.loss.expect("of EM") - loss).abs() < 1e-8, "{what}");
                    vocab = next;
                }
                "prune" => {
                    let present = vocab.len() - absent.len();
                    let size = ((0.75 * present as f64) as usize).max(13);
                    vocab = naive::prune(&words, &vocab, size, &mut absent, variant);
                    prunings += 1;
                }
                _ => {
                    assert!(training.vocab().len() <= 12 && training.is_finished(), "{what}");
                    assert_eq!(training.tokens.present(), training.tokens.len(), "characters came back");
                    continue;
                }
            }
            assert_same(&by_ids(&training), &vocab, &what);
            let left = (0..training.tokens.len()).filter(|&id| training.tokens.absent[id]);
            let left: naive::Absent = left.map(|id| training.alphabet.spell(training.tokens.get(id))).collect();
            assert_eq!(left, absent, "{what}");
            absent_steps += usize::from(!absent.is_empty());
        }
    }
    (prunings, absent_steps)
}

#[test]
fn seeds_equal_the_naive_ones_under_limits() {
    let mut random = Random::new(7);
    let limits = [(10, 16, 2), (1_000_000, 3, 2), (25, 4, 50), (1, 16, 2)];
    for ((size, max_length, least), variant) in
        limits.into_iter().flat_map(|each| [(each, "words"), (each, "sentencepiece")])
    {
        for letters in ["abcd", "aбв字学\u{1F600}"] {
            let owned = random_words(&mut random, 60, 14, letters);
            let counts = followed(&mut random, &owned);
            let json = format!(
                r#"{{"algorithm": "unigram", "vocab_size": 9, "seed_size": {size}, "max_token_length": {max_length}, "min_frequency": {least}, "variant": "{variant}"}}"#
            );
            let training = Training::new(&options(&json), &counts).expect("valid");
            let found = seeds::seeds(&training.text, &training.alphabet, training.rules.seeds, Stop::never())
                .expect("not stopped");
            let found: Vocab =
                (0..found.len()).map(|id| (training.alphabet.spell(found.get(id)), found.scores[id])).collect();
            assert_same(&found, &naive::seeds(&naive_words(&counts), training.rules.seeds), &json);
        }
    }
}

#[test]
fn the_search_for_seeds_can_be_stopped_all_along() {
    let owned = random_words(&mut Random::new(11), 40, 12, "abc");
    let words: Vec<(&str, u64)> = owned.iter().map(|(word, count)| (word.as_str(), *count)).collect();
    let json = r#"{"algorithm": "unigram", "vocab_size": 60}"#;
    let mut training = Training::new(&options(json), &counts(&words)).expect("valid");
    let symbols = training.text.symbols.len();
    let search = |training: &Training, stop: Stop<'_>| {
        let found = seeds::seeds(&training.text, &training.alphabet, training.rules.seeds, stop)?;
        tokens::Lexicon::new(&found, stop).map(|_| found)
    };
    let (whole, looks) = crate::stop::tests::stopping_at(usize::MAX, |stop| search(&training, stop));
    let whole = whole.expect("nobody stopped it");
    // Types, two orders, ranks, common prefixes, counts, intervals, ends of words: each pass looks all along.
    assert!(looks > 8 * (symbols / 16), "{looks} looks at {symbols} symbols");
    for look in 0..looks {
        let (stopped, last) = crate::stop::tests::stopping_at(look, |stop| search(&training, stop));
        assert_eq!((stopped, last), (Err(crate::stop::Stopped), look + 1), "it ends with the look that sees the wish");
    }
    assert_eq!(search(&training, Stop::never()), Ok(whole.clone()));
    // A step that was stopped has changed nothing.
    assert_eq!(training.step(&AtomicBool::new(true)), Ok(None));
    assert_eq!((training.stage, training.tokens.len()), (Stage::Seeds, 0));
    while step(&mut training).is_some() {}
}

#[test]
fn a_long_word_leaves_no_range() {
    // e^-17000 is no double. Equal halves must give twice the loss of one.
    let words: String = (0..3000).map(|at| char::from(b'a' + (at * at % 26) as u8)).collect();
    let half = counts(&[(&words, 1)]);
    let json = r#"{"algorithm": "unigram", "vocab_size": 200, "max_token_length": 1}"#;
    let mut training = Training::new(&options(json), &half).expect("valid");
    let mut tokens = vec![];
    while let Some(row) = step(&mut training) {
        tokens.push(row.loss);
    }
    // With characters alone the probability of each is known.
    let mut expected = 0.0;
    let shares: Vec<f64> = training.alphabet.characters.iter().map(|&(_, count)| count as f64 / 3000.0).collect();
    for (&(_, count), share) in training.alphabet.characters.iter().zip(&shares) {
        expected -= count as f64 * share.ln();
    }
    assert!((tokens[0].expect("of EM") - expected).abs() < 1e-6 * expected, "{tokens:?}, {expected}");
}

#[test]
fn scaled_sums_equal_those_of_short_words() {
    // One word of many repetitions of a rare text, and long tokens that bridge places where sums are scaled.
    let text = "qxzjkvwq".repeat(400);
    let words = [(text.as_str(), 3), ("eeee", 1 << 40), ("qx", 5), ("zj", 9)];
    let mut training = Training::new(
        &options(r#"{"algorithm": "unigram", "vocab_size": 20, "max_token_length": 40}"#),
        &counts(&words),
    )
    .expect("valid");
    while let Some(row) = step(&mut training) {
        assert!(row.loss.is_none_or(f64::is_finite), "{row:?}");
        let expected = em::expect(&training.lattice, &training.tokens, Stop::never()).expect("not stopped");
        // The lengths of the expected tokens of a word are its length.
        let symbols: f64 = words.iter().map(|(word, count)| word.len() as f64 * *count as f64).sum();
        let found: f64 =
            expected.counts.iter().enumerate().map(|(id, count)| count * training.tokens.get(id).len() as f64).sum();
        assert!((found - symbols).abs() < 1e-9 * symbols, "{found} of {symbols}");
    }
}

#[test]
fn the_same_for_any_number_of_threads_and_after_a_stop() {
    let mut random = Random::new(1);
    let owned = random_words(&mut random, 3000, 12, "abcdefghijkl");
    let words: Vec<(&str, u64)> = owned.iter().map(|(word, count)| (word.as_str(), *count)).collect();
    let counts = counts(&words);
    for variant in ["words", "sentencepiece"] {
        let json = format!(r#"{{"algorithm": "unigram", "vocab_size": 500, "variant": "{variant}"}}"#);
        same_for_threads_and_stops(&counts, &options(&json));
    }
}

fn same_for_threads_and_stops(counts: &WordCounts, options: &Options) {
    let run = |threads: usize, interrupt: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut training = Training::new(options, counts).expect("valid");
            training.set_held_out(counts, Stop::never()).expect("valid");
            let mut rows = vec![];
            loop {
                if interrupt {
                    assert_eq!(training.step(&AtomicBool::new(true)), Ok(None));
                    let saved = serde_json::to_string(&training.saved()).expect("plain data");
                    let saved = serde_json::from_str(&saved).expect("plain data");
                    training = Training::resume(options, counts, &saved, Stop::never()).expect("the same words");
                    training.set_held_out(counts, Stop::never()).expect("valid");
                }
                assert!(training.is_finished() || training.state().total > rows.len());
                match step(&mut training) {
                    Some(row) => rows.push(row),
                    None => break,
                }
                assert!(training.lattice.parts.len() > 1, "the sums of several parts are added");
            }
            assert_eq!(training.state().ended, Some("vocab_size"));
            (rows, training.vocab())
        })
    };
    let one = run(1, false);
    assert_eq!(one.1.len(), 500);
    assert!(one.0.iter().all(|row| row.held_out_tokens.is_some_and(|tokens| tokens > 0)));
    assert_eq!(one, run(3, false));
    assert_eq!(one, run(2, true));
}

#[test]
fn a_stop_from_another_thread_ends_a_step() {
    let mut random = Random::new(3);
    let long: String = (0..200_000).map(|_| char::from(b'a' + (random.next_unit() * 20.0) as u8)).collect();
    let options = options(r#"{"algorithm": "unigram", "vocab_size": 30}"#);
    let mut training = Training::new(&options, &counts(&[(&long, 2)])).expect("valid");
    let stop = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let work = scope.spawn(|| training.step(&stop));
        stop.store(true, Ordering::Relaxed);
        work.join().expect("no panic")
    });
    // The step may have ended before it saw the wish.
    assert!(result.is_ok(), "{result:?}");
    assert!(training.step(&AtomicBool::new(false)).is_ok_and(|row| row.is_some()), "it goes on");
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let options = options(r#"{"algorithm": "unigram", "vocab_size": 4, "special_tokens": ["<s>"]}"#);
    let error = |words: &[(&str, u64)]| Training::new(&options, &counts(words)).map(|_| ()).expect_err("refused");
    assert_eq!(error(&[]), TrainError::EmptyCorpus { bytes: 100 });
    assert_eq!(error(&[("abcd", 1)]), TrainError::VocabTooSmall { asked: 4, special: 1, alphabet: 4, is_bytes: false });
    let bytes = WordCounts::new([(&b"\xff"[..], 1)], 1).expect("small");
    assert!(Training::new(&options, &bytes).is_err_and(|error| error.to_string().contains("not text")));
}

#[test]
fn rare_characters_are_unknown_in_held_out_words() {
    let json = r#"{"algorithm": "unigram", "vocab_size": 300, "character_coverage": 0.9, "byte_fallback": true}"#;
    let mut training = Training::new(&options(json), &counts(&[("aaaab", 20), ("é", 1), ("aéa", 1)])).expect("valid");
    training.set_held_out(&counts(&[("éa", 2), ("字", 5)]), Stop::never()).expect("valid");
    assert_eq!(training.state().held_out, None, "there are no tokens yet");
    let row = step(&mut training).expect("a row");
    assert_eq!(row.held_out_tokens, Some(2 * (2 + 1) + 5 * 3));
    assert_eq!(training.state().held_out.map(|state| (state.bytes, state.tokens)), Some((21, 21)));
}

#[test]
fn no_token_is_spelled_like_a_special_one() {
    let words = [("the", 100), ("them", 50), ("then", 20), ("he", 5)];
    let json = r#"{"algorithm": "unigram", "vocab_size": 9, "special_tokens": ["the", "<s>"], "unknown_token": "?"}"#;
    let mut training = Training::new(&options(json), &counts(&words)).expect("valid");
    while step(&mut training).is_some() {}
    let vocab = training.vocab();
    assert_eq!(vocab.iter().map(|(token, _)| token.as_str()).take(3).collect::<Vec<_>>(), ["?", "the", "<s>"]);
    assert_eq!(vocab.iter().filter(|(token, _)| token == "the").count(), 1);
    let score = |text: &str| vocab.iter().find(|(token, _)| token == text).expect("a character").1;
    assert!(vocab[1].1 < score("t") + score("h") + score("e"), "text is divided into characters");
    let error = Training::new(&options(&json.replace("<s>", "t")), &counts(&words)).map(|_| ()).expect_err("taken");
    assert_eq!(error, TrainError::SpecialInAlphabet { token: "t".to_owned() });
}
