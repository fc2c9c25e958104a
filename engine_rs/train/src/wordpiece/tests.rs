//! The fast trainer makes the merges of the definition.

use std::sync::atomic::AtomicBool;

use super::fast::Fast;
use super::naive::Naive;
use crate::bpe::Rules;
use crate::options::{Algorithm, Options};
use crate::steps::Steps;
use crate::stop::Stop;
use crate::symbols::Symbols;
use crate::testing::{Random, counts_of};
use crate::tokens::Tokens;
use crate::words::WordCounts;

fn options(vocab_size: usize) -> Options {
    Options { algorithm: Algorithm::WordPiece, vocab_size, min_frequency: 1, ..Options::default() }
}

/// The tokens that merges make, and the scores of the merges.
fn trained(options: &Options, counts: &WordCounts, is_fast: bool) -> Vec<(String, f64)> {
    let mut tokens = Tokens::new(options, counts, Stop::never()).expect("an alphabet");
    let symbols = Symbols::new(&tokens, counts, Stop::never()).expect("a small corpus");
    let rules = Rules::new(options);
    let (mut steps, never) = (Steps::default(), AtomicBool::new(false));
    let mut naive = Naive::new(&symbols, rules);
    let mut fast = Fast::new(symbols, rules, Stop::never()).expect("not stopped");
    let mut made = vec![];
    while tokens.len() < options.vocab_size {
        let merge = match is_fast {
            true => fast.next(&mut tokens, &mut steps, &never).expect("nobody stops it"),
            false => {
                let best = naive.pairs(&tokens, &mut steps).first().copied();
                best.and_then(|best| naive.0.merge(best, &mut tokens, &mut steps))
            }
        };
        let Some(merge) = merge else { break };
        made.push((tokens.text(merge.new), merge.score.unwrap_or_default()));
    }
    made
}

#[test]
fn the_example_of_the_course() {
    // Hugging Face course, chapter 6.6: "##g"+"##s" with 5/(20*5) comes first. "b", "h" and "p" before "##u" have 1/36 each:
    // "b" has the lowest id. Then "bu"+"##n" has 4/(4*16).
    let counts = counts_of(&[("hug", 10), ("pug", 5), ("pun", 12), ("bun", 4), ("hugs", 5)]);
    let options = options(7 + 4 + 3);
    let expected = [("##gs", 1.0 / 20.0), ("bu", 1.0 / 36.0), ("bun", 1.0 / 16.0)];
    for is_fast in [false, true] {
        let made = trained(&options, &counts, is_fast);
        assert_eq!(made.len(), 3);
        for ((token, score), (expected_token, expected_score)) in made.iter().zip(expected) {
            assert_eq!(token, expected_token);
            assert!((score - expected_score).abs() < 1e-15, "{token}: {score}");
        }
    }
}

#[test]
fn both_make_the_same_merges() {
    let mut random = Random::new(8);
    for round in 0..500 {
        let letters = 1 + random.below(5);
        let words: Vec<(String, u64)> = (0..1 + random.below(40))
            .map(|_| {
                let len = 1 + random.below(if round % 7 == 0 { 40 } else { 8 });
                let word = (0..len).map(|_| ["a", "b", "é", "語", "d"][random.below(letters)]).collect();
                (word, 1 + random.below(1 + round % 6) as u64)
            })
            .collect();
        let words: Vec<_> = words.iter().map(|(word, count)| (word.as_str(), *count)).collect();
        let counts = counts_of(&words);
        let options = Options {
            min_frequency: random.below(4) as u64,
            max_token_length: [None, Some(4)][round % 2],
            continuing_prefix: [None, Some(String::new())][round / 2 % 2].clone(),
            limit_alphabet: [None, Some(3)][round / 4 % 2],
            ..options(12 + random.below(150))
        };
        assert_eq!(trained(&options, &counts, true), trained(&options, &counts, false), "round {round} {words:?}");
    }
}
