//! How well the growing vocabulary encodes words it does not learn from.
//!
//! Keeps the held-out words as ids and makes every merge in them, too. An index says which words may hold a pair, so a merge
//! looks at these alone.

use rustc_hash::FxHashMap;

use crate::error::TrainError;
use crate::progress::HeldOutState;
use crate::stop::Stop;
use crate::symbols::WordWriter;
use crate::tokens::Tokens;
use crate::words::WordCounts;

/// The held-out words as ids. Characters outside the alphabet count as one token each.
#[derive(Clone, Debug)]
pub struct HeldOut {
    words: Vec<(Vec<u32>, u64)>,
    /// Words that hold a pair of neighbours, or held it before a merge. Each is named at least once.
    places: FxHashMap<(u32, u32), Vec<u32>>,
    bytes: u64,
    tokens: u64,
}

impl HeldOut {
    /// The words before the first merge.
    pub(crate) fn new(tokens: &Tokens, counts: &WordCounts, stop: Stop<'_>) -> Result<Self, TrainError> {
        let mut writer = WordWriter::new(tokens);
        let words = Vec::with_capacity(counts.len());
        let mut held_out = Self { words, places: FxHashMap::default(), bytes: 0, tokens: 0 };
        for (at, (word, count)) in counts.iter().enumerate() {
            stop.check_at(at)?;
            let mut ids = vec![];
            writer.write(word, &mut ids);
            ids.pop();
            held_out.bytes += word.len() as u64 * count;
            held_out.tokens += ids.len() as u64 * count;
            for pair in ids.windows(2) {
                place(&mut held_out.places, (pair[0], pair[1]), held_out.words.len());
            }
            held_out.words.push((ids, count));
        }
        Ok(held_out)
    }

    /// Makes a merge, from the left in every word; returns the change of the number of tokens.
    pub(crate) fn merge(&mut self, left: u32, right: u32, new: u32) -> i64 {
        let before = self.tokens;
        for number in self.places.remove(&(left, right)).unwrap_or_default() {
            let (word, count) = &mut self.words[number as usize];
            let mut kept = 0;
            let mut at = 0;
            while at < word.len() {
                let is_pair = word[at] == left && word.get(at + 1) == Some(&right);
                word[kept] = if is_pair { new } else { word[at] };
                at += if is_pair { 2 } else { 1 };
                kept += 1;
            }
            self.tokens -= *count * (word.len() - kept) as u64;
            word.truncate(kept);
            for pair in word.windows(2).filter(|pair| pair.contains(&new)) {
                place(&mut self.places, (pair[0], pair[1]), number as usize);
            }
        }
        -i64::try_from(before - self.tokens).unwrap_or(i64::MAX)
    }

    /// Bytes and tokens.
    pub(crate) fn state(&self) -> HeldOutState {
        let bytes_per_token = (self.tokens > 0).then(|| self.bytes as f64 / self.tokens as f64);
        HeldOutState { bytes: self.bytes, tokens: self.tokens, bytes_per_token }
    }
}

fn place(places: &mut FxHashMap<(u32, u32), Vec<u32>>, pair: (u32, u32), word: usize) {
    let words = places.entry(pair).or_default();
    if words.last() != Some(&(word as u32)) {
        words.push(word as u32);
    }
}

#[cfg(test)]
mod tests {
    use token_engine::internals::random::Random;

    use super::*;
    use crate::options::Options;

    /// The number of tokens after a merge in every word.
    fn naive(words: &mut [(Vec<u32>, u64)], left: u32, right: u32, new: u32) -> u64 {
        for (word, _) in &mut *words {
            let mut at = 0;
            while at + 1 < word.len() {
                if (word[at], word[at + 1]) == (left, right) {
                    word.splice(at..at + 2, [new]);
                }
                at += 1;
            }
        }
        words.iter().map(|(word, count)| word.len() as u64 * count).sum()
    }

    #[test]
    fn equals_a_search_of_all_words() {
        let mut random = Random::new(9);
        let mut below = |limit: usize| (random.next_unit() * limit as f64) as usize;
        for _ in 0..40 {
            let words: Vec<(Vec<u8>, u64)> = (0..30)
                .map(|_| ((0..below(12)).map(|_| b'a' + below(3) as u8).collect(), 1 + below(9) as u64))
                .collect();
            let counts = WordCounts::new(words.iter().map(|(word, count)| (&word[..], *count)), 0).expect("small");
            let tokens = Tokens::new(&Options::default(), &counts, Stop::never()).expect("bytes");
            let mut held_out = HeldOut::new(&tokens, &counts, Stop::never()).expect("bytes");
            let mut twin = held_out.words.clone();
            let first = tokens.id(b"a").expect("a byte");
            let mut ids: Vec<u32> = (first..first + 3).collect();
            for new in 300..330 {
                let (left, right) = (ids[below(ids.len())], ids[below(ids.len())]);
                let before = held_out.state().tokens as i64;
                let change = held_out.merge(left, right, new);
                let expected = naive(&mut twin, left, right, new) as i64;
                assert_eq!((before + change, held_out.state().tokens as i64), (expected, expected));
                ids.push(new);
            }
            assert_eq!(held_out.words, twin);
        }
    }
}
