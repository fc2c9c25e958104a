//! All algorithms make the merges of the definition.

use super::race::{Racer, race};
use crate::options::{Alphabet, Options};
use crate::stop::Stop;
use crate::testing::{Random, counts_of};
use crate::tokens::Tokens;
use crate::words::WordCounts;

fn options(vocab_size: usize) -> Options {
    Options { vocab_size, min_frequency: 1, alphabet: Some(Alphabet::Characters), ..Options::default() }
}

/// The tokens that merges make, as `left+right`.
fn merges(options: &Options, counts: &WordCounts, algorithm: Racer) -> Vec<String> {
    let race = race(options, counts, algorithm, usize::MAX).expect("a corpus");
    let mut tokens = Tokens::new(options, counts, Stop::never()).expect("an alphabet");
    let spelled = race.merges.iter().map(|&(left, right)| {
        let merge = format!("{}+{}", tokens.text(left), tokens.text(right));
        tokens.merge(left, right).expect("a new token");
        merge
    });
    spelled.collect()
}

#[test]
fn examples_worked_by_hand() {
    /// Words, size of the vocabulary, merges.
    type Case = (&'static [(&'static str, u64)], usize, &'static [&'static str]);
    let cases: &[Case] = &[
        // Wikipedia, Byte-pair encoding. Counts of the second merge are equal: aa+a, a+b and aa+b before d.
        (&[("aaabdaaabac", 1)], 7, &["a+a", "a+b", "aa+ab"]),
        // Sennrich et al. 2016, without the mark for the end of a word.
        (&[("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)], 15, &["e+s", "es+t", "l+o", "lo+w", "e+w"]),
        // A run has more pairs than places to merge; it is merged from the left.
        (&[("aaaaa", 1)], 9, &["a+a", "aa+a", "aa+aaa"]),
        (&[("aaa", 2), ("aa", 1)], 9, &["a+a", "aa+a"]),
        // Ties: the lowest left id, then the lowest right id.
        (&[("ba", 1), ("ab", 1), ("ac", 1)], 9, &["a+b", "a+c", "b+a"]),
        // New neighbours of new tokens.
        (&[("ababab", 3)], 9, &["a+b", "ab+ab", "abab+ab"]),
        (&[("abcabc", 1), ("abab", 1)], 9, &["a+b", "ab+c", "ab+ab", "abc+abc"]),
    ];
    for &(words, vocab_size, expected) in cases {
        let counts = counts_of(words);
        for algorithm in Racer::ALL {
            assert_eq!(merges(&options(vocab_size), &counts, algorithm), expected, "{words:?} {algorithm:?}");
        }
    }
}

#[test]
fn all_algorithms_make_the_merges_of_the_definition() {
    let mut random = Random::new(1);
    for round in 0..400 {
        let letters = 1 + random.below(4);
        let words: Vec<(String, u64)> = (0..1 + random.below(30))
            .map(|_| {
                let len = 1 + random.below(if round % 7 == 0 { 60 } else { 9 });
                let word = (0..len).map(|_| ["a", "b", "é", "語", "d"][random.below(letters + 1)]).collect();
                (word, 1 + random.below(1 + round % 5) as u64)
            })
            .collect();
        let words: Vec<_> = words.iter().map(|(word, count)| (word.as_str(), *count)).collect();
        let counts = counts_of(&words);
        let options = Options {
            min_frequency: random.below(4) as u64,
            max_token_length: [None, Some(3)][round % 2],
            continuing_prefix: [None, Some("##".to_owned())][round / 2 % 2].clone(),
            end_suffix: [None, None, Some("</w>".to_owned())][round % 3].clone(),
            limit_alphabet: [None, Some(2)][round / 8 % 2],
            special_tokens: vec!["ab".to_owned(), "<s>".to_owned()],
            ..options(16 + 8 + random.below(60))
        };
        let expected = merges(&options, &counts, Racer::Naive);
        for algorithm in Racer::ALL {
            assert_eq!(merges(&options, &counts, algorithm), expected, "round {round} {algorithm:?} {words:?}");
        }
    }
}

#[test]
fn no_algorithm_joins_a_part_of_a_character_with_another() {
    let words = [("éèê", 9), ("語語誤", 7), ("aé語", 6), ("ñaé", 5), ("a語a", 4), ("🙂🙃é", 3)];
    let options = Options { alphabet: Some(Alphabet::Bytes), whole_characters: true, ..options(320) };
    let counts = counts_of(&words);
    let expected = race(&options, &counts, Racer::Naive, usize::MAX).expect("a corpus").merges;
    for algorithm in Racer::ALL {
        assert_eq!(race(&options, &counts, algorithm, usize::MAX).expect("a corpus").merges, expected, "{algorithm:?}");
    }
    let mut tokens = Tokens::new(&options, &counts, Stop::never()).expect("bytes");
    for (left, right) in expected {
        let new = tokens.merge(left, right).expect("a new token");
        let token = tokens.get(new);
        let holds = |c: char| c.to_string().as_bytes().windows(token.len()).any(|part| part == token);
        let is_part = words.iter().flat_map(|(word, _)| word.chars()).any(holds);
        assert!(std::str::from_utf8(token).is_ok() || is_part, "{token:02x?}");
    }
}

#[test]
fn later_scans_go_on_where_the_first_threshold_ends() {
    // Frequent words set a high first threshold; all merges below it need more scans.
    let mut random = Random::new(2);
    let mut words: Vec<(String, u64)> = vec![("xyxz".to_owned(), 1 << 40), ("yyx".to_owned(), 1 << 30)];
    words.extend((0..60).map(|_| {
        let word = (0..12).map(|_| char::from(b'a' + random.below(3) as u8)).collect();
        (word, 1 + random.below(1000) as u64)
    }));
    let words: Vec<_> = words.iter().map(|(word, count)| (word.as_str(), *count)).collect();
    let (counts, options) = (counts_of(&words), options(300));
    let fast = race(&options, &counts, Racer::Fast, usize::MAX).expect("a corpus");
    let naive = race(&options, &counts, Racer::Naive, usize::MAX).expect("a corpus");
    assert_eq!(fast.merges, naive.merges);
    assert!(fast.steps.get("scans") > 3, "{:?}", fast.steps);
}

#[test]
fn each_algorithm_needs_fewer_steps_than_the_one_before() {
    let mut random = Random::new(3);
    let words: Vec<String> = (0..300)
        .map(|_| (0..3 + random.below(8)).map(|_| char::from(b'a' + random.below(8) as u8)).collect())
        .collect();
    let words: Vec<_> = words.iter().map(|word| (word.as_str(), 1 + random.below(9) as u64)).collect();
    let (counts, options) = (counts_of(&words), options(200));
    let read = Racer::ALL.map(|algorithm| {
        let steps = race(&options, &counts, algorithm, usize::MAX).expect("a corpus").steps;
        steps.iter().map(|(_, count)| count).sum::<u64>()
    });
    assert!(read.is_sorted_by(|a, b| a > b), "{read:?}");
}

#[test]
fn the_work_for_one_huge_word_is_linear() {
    let work = |len: usize| {
        let mut random = Random::new(4);
        let word: String = (0..len).map(|_| char::from(b'a' + random.below(4) as u8)).collect();
        let counts = counts_of(&[(&word, 1)]);
        let race = race(&options(100), &counts, Racer::Fast, usize::MAX).expect("a corpus");
        race.steps.get("positions_read") + race.steps.get("pairs_updated")
    };
    let (short, long) = (work(20_000), work(80_000));
    assert!(long < 5 * short, "{short} steps for 20,000 letters, {long} for 80,000");
}
