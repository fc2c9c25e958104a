//! Unigram training the obvious way: every substring is counted, every division of a word is written out.
//!
//! Takes time exponential in the length of a word. The tests prove [`super::Training`] equal to it on small corpora.

use std::collections::{BTreeMap, BTreeSet};

use crate::followers::{Follower, first_byte};
use crate::options::Variant;

use super::em::{LEAST_EXPECTED, digamma};
use super::seeds::SeedRules;
use super::tokens::UNKNOWN_PENALTY;

/// Tokens in the order of their ids, with scores.
pub type Vocab = Vec<(String, f64)>;

/// Words with counts and what follows them.
pub type Words<'a> = [(&'a str, u64, Follower)];

/// Characters that left the vocabulary. They are in it, as unknown ones.
pub(crate) type Absent = BTreeSet<String>;

fn length(token: &str) -> usize {
    token.chars().count()
}

/// Characters by count, then substrings by count times length, each with the logarithm of its share.
pub fn seeds(words: &Words<'_>, rules: SeedRules) -> Vocab {
    let SeedRules { size, max_length, least, variant } = rules;
    let mut found: BTreeMap<&str, (u64, BTreeSet<Option<char>>, Follower)> = BTreeMap::new();
    for &(word, count, follower) in words {
        let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        for &start in &starts {
            for end in starts.iter().copied().skip_while(|&end| end <= start).chain([word.len()]) {
                let entry = found.entry(&word[start..end]).or_default();
                entry.0 += count;
                let next = word[end..].chars().next();
                entry.1.insert(next);
                entry.2 = entry.2.or(next.map_or(follower, |next| Follower::One(first_byte(next))));
            }
        }
    }
    let is_seed = |text: &str, count: u64, next: &BTreeSet<Option<char>>, follower: Follower| {
        let goes_on = match variant {
            Variant::Words => next.len() > 1 || next.contains(&None),
            Variant::SentencePiece => follower == Follower::Many,
        };
        length(text) == 1 || (length(text) <= max_length && count >= least && goes_on)
    };
    let mut seeds: Vec<(bool, u64, &str)> = found
        .iter()
        .filter(|(text, (count, next, follower))| is_seed(text, *count, next, *follower))
        .map(|(text, (count, ..))| (length(text) > 1, count * length(text) as u64, *text))
        .collect();
    seeds.sort_by(|left, right| left.0.cmp(&right.0).then(right.1.cmp(&left.1)).then(left.2.cmp(right.2)));
    let characters = seeds.iter().filter(|seed| !seed.0).count();
    seeds.truncate(size.max(characters));
    let all = seeds.iter().map(|seed| seed.1 as f64).sum::<f64>().ln();
    seeds.into_iter().map(|(_, gain, text)| (text.to_owned(), (gain as f64).ln() - all)).collect()
}

/// All ways to divide a text into tokens, as ids, with the sum of scores of each.
pub(crate) fn divisions(text: &str, vocab: &Vocab) -> Vec<(Vec<usize>, f64)> {
    if text.is_empty() {
        return vec![(vec![], 0.0)];
    }
    let mut all = vec![];
    for (id, (token, score)) in vocab.iter().enumerate() {
        let Some(rest) = text.strip_prefix(token.as_str()) else { continue };
        for (mut ids, sum) in divisions(rest, vocab) {
            ids.insert(0, id);
            all.push((ids, sum + score));
        }
    }
    all
}

/// The scores, with those of characters that left below all others.
fn punished(mut vocab: Vocab, absent: &Absent) -> Vocab {
    let present = vocab.iter().filter(|(token, _)| !absent.contains(token));
    let lowest = present.map(|(_, score)| *score).fold(0.0, f64::min);
    for (_, score) in vocab.iter_mut().filter(|(token, _)| absent.contains(token)) {
        *score = lowest - UNKNOWN_PENALTY;
    }
    vocab
}

/// The token that has the counts of each: of characters that left the first one that is there.
fn by_unknown(vocab: &Vocab, absent: &Absent) -> Vec<usize> {
    let is_absent = |id: usize| absent.contains(&vocab[id].0);
    let unknown = (0..vocab.len()).find(|&id| !is_absent(id)).expect("a token that is there");
    (0..vocab.len()).map(|id| if is_absent(id) { unknown } else { id }).collect()
}

/// One EM iteration: the new vocabulary, and the loss of the old one.
pub(crate) fn em(words: &Words<'_>, vocab: &Vocab, absent: &mut Absent, variant: Variant) -> (Vocab, f64) {
    let mut expected = vec![0.0; vocab.len()];
    let (mut loss, mut total) = (0.0, 0.0);
    let counted = by_unknown(vocab, absent);
    for &(word, count, _) in words {
        let divisions = divisions(word, vocab);
        let all: f64 = divisions.iter().map(|(_, score)| score.exp()).sum();
        for (ids, score) in divisions {
            ids.into_iter().for_each(|id| expected[counted[id]] += count as f64 * score.exp() / all);
        }
        loss -= count as f64 * all.ln();
        total += count as f64;
    }
    let mut kept = vec![];
    for ((token, _), count) in vocab.iter().zip(expected) {
        let is_rare = count < LEAST_EXPECTED;
        if is_rare && length(token) == 1 && variant == Variant::SentencePiece {
            absent.insert(token.clone());
        }
        if !is_rare || length(token) == 1 {
            kept.push((token.clone(), count.max(LEAST_EXPECTED)));
        }
    }
    let present = kept.iter().filter(|(token, _)| !absent.contains(token));
    let sum = digamma(present.map(|(_, count)| count).sum());
    let scored = kept.into_iter().map(|(token, count)| (token, digamma(count) - sum)).collect();
    (punished(scored, absent), loss / total)
}

/// The vocabulary without the tokens whose loss is smallest.
pub(crate) fn prune(words: &Words<'_>, vocab: &Vocab, size: usize, absent: &mut Absent, variant: Variant) -> Vocab {
    let best =
        |divisions: Vec<(Vec<usize>, f64)>| divisions.into_iter().max_by(|left, right| left.1.total_cmp(&right.1));
    let mut counts = vec![0.0; vocab.len()];
    let counted = by_unknown(vocab, absent);
    for &(word, count, _) in words {
        let (ids, _) = best(divisions(word, vocab)).expect("characters are tokens");
        ids.into_iter().for_each(|id| counts[counted[id]] += count as f64);
    }
    let sum: f64 = counts.iter().sum();
    let loss = |id: usize| {
        let (token, score) = &vocab[id];
        let others = divisions(token, vocab).into_iter().filter(|(ids, _)| ids.len() > 1).collect();
        let (parts, other_score) = best(others).expect("characters are tokens");
        let count = counts[id];
        let new_sum = sum + count * (parts.len() as f64 - 1.0);
        let without: f64 = parts.iter().map(|&part| ((counts[counted[part]] + count) / new_sum).ln()).sum();
        (count > 0.0 && other_score <= *score).then(|| count * ((count / sum).ln() - without))
    };
    let is_character = |id: usize| length(&vocab[id].0) == 1;
    let mut losses: Vec<(f64, usize)> =
        (0..vocab.len()).filter(|&id| !is_character(id)).filter_map(|id| Some((loss(id)?, id))).collect();
    losses.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    if variant == Variant::SentencePiece {
        let unused = (0..vocab.len()).filter(|&id| is_character(id) && counts[id] == 0.0);
        absent.extend(unused.map(|id| vocab[id].0.clone()));
    }
    let characters = (0..vocab.len()).filter(|&id| is_character(id) && !absent.contains(&vocab[id].0)).count();
    let kept: BTreeSet<usize> = losses.into_iter().take(size.saturating_sub(characters)).map(|(_, id)| id).collect();
    let kept = (0..vocab.len()).filter(|id| is_character(*id) || kept.contains(id)).map(|id| vocab[id].clone());
    punished(kept.collect(), absent)
}
