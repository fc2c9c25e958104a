//! The merges that a vocabulary of ranks stands for.
//!
//! With ranks alone, any two neighbours whose bytes joined are a token may merge. Of the many ways to cut a token in
//! two only one can ever come up: as long as no merge has crossed the token's ends, what happens inside it is what
//! happens to its bytes alone, and that passes through one last pair. So a token needs one entry in the table, found by
//! encoding its bytes with the merges of lower rank. Where those leave more than a pair (the token's parts rank above
//! it) every cut of the token is put in, which is never wrong, only larger.

use super::merges::{Merges, NO_RANK, Rank};
use super::{Scratch, merge_symbols};
use crate::ids::Id;
use crate::vocab::Vocab;

/// The merges of a vocabulary whose ids are ranks. `byte_ids` are the tokens of single bytes.
pub fn merges_from_ranks(vocab: &Vocab, byte_ids: &[Id; 256]) -> Merges {
    table(vocab, byte_ids, |_| ())
}

/// The same as a list by rank, left, right and what they make: one pair per token, the last that its bytes pass through.
/// Tokens that merges never make are not in it.
pub fn pairs_from_ranks(vocab: &Vocab, byte_ids: &[Id; 256]) -> Vec<[Id; 3]> {
    let mut pairs: Vec<[Id; 3]> = Vec::with_capacity(vocab.len());
    let merges = table(vocab, byte_ids, |pair| {
        if pairs.last().is_none_or(|last| last[2] != pair[2]) {
            pairs.push(pair);
        }
    });
    pairs.retain_mut(|pair| {
        let token = vocab.token(pair[2]).unwrap_or_default();
        let last = last_pair(&merges, token.iter().map(|&byte| byte_ids[usize::from(byte)]).collect());
        last.inspect(|&[left, right]| (pair[0], pair[1]) = (left, right)).is_some()
    });
    pairs
}

/// The two symbols that are left before the last merge, if merges get so far. By the definition, step by step: tokens are
/// short.
fn last_pair(merges: &Merges, mut symbols: Vec<Id>) -> Option<[Id; 2]> {
    while symbols.len() > 2 {
        let ranks = symbols.windows(2).map(|two| merges.rank(two[0], two[1])).enumerate();
        let (at, rank) = ranks.filter(|&(_, rank)| rank != NO_RANK).min_by_key(|&(_, rank)| rank)?;
        symbols[at] = merges.result(rank);
        symbols.remove(at + 1);
    }
    symbols.try_into().ok()
}

fn table(vocab: &Vocab, byte_ids: &[Id; 256], mut each: impl FnMut([Id; 3])) -> Merges {
    let mut merges = Merges::new((0..vocab.id_bound() as Id).collect());
    let mut scratch = Scratch::default();
    for (id, token) in vocab.iter().filter(|(_, token)| token.len() > 1) {
        merge_symbols(&merges, byte_ids, token, &mut scratch);
        let mut insert = |left, right| {
            merges.insert(left, right, id as Rank);
            each([left, right, id]);
        };
        if let [left, right] = scratch.symbols[..] {
            insert(left, right);
        } else {
            for cut in 1..token.len() {
                if let (Some(left), Some(right)) = (vocab.id(&token[..cut]), vocab.id(&token[cut..])) {
                    insert(left, right);
                }
            }
        }
    }
    merges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::bpe::naive;
    use crate::testing::Random;

    /// Merges the neighbours whose joined bytes have the lowest rank, as rank files define it.
    fn by_definition(vocab: &Vocab, word: &[u8]) -> Vec<Id> {
        let mut parts: Vec<Vec<u8>> = word.iter().map(|&byte| vec![byte]).collect();
        while let Some((_, at)) =
            (1..parts.len()).filter_map(|at| Some((vocab.id(&[&parts[at - 1][..], &parts[at]].concat())?, at))).min()
        {
            let right = parts.remove(at);
            parts[at - 1].extend(right);
        }
        parts.iter().map(|part| vocab.id(part).expect("all bytes are tokens")).collect()
    }

    #[test]
    fn one_pair_per_token_is_enough_even_for_vocabularies_nobody_trained() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut vocab = Vocab::default();
            for byte in 0..=255u8 {
                vocab.insert(Id::from(byte), &[byte]).expect("all bytes differ");
            }
            // Random strings, so that many tokens rank below their parts or cannot be built at all.
            for _ in 0..60 {
                let token: Vec<u8> = (0..2 + random.below(5)).map(|_| b'a' + random.below(3) as u8).collect();
                let id = vocab.id_bound() as Id;
                let _taken = vocab.insert(id, &token);
            }
            let byte_ids = std::array::from_fn(|byte| byte as Id);
            let merges = merges_from_ranks(&vocab, &byte_ids);
            let pairs = pairs_from_ranks(&vocab, &byte_ids);
            let mut listed = Merges::new(pairs.iter().map(|pair| pair[2]).collect());
            for (rank, &[left, right, _]) in pairs.iter().enumerate() {
                listed.insert(left, right, rank as Rank);
            }
            for _ in 0..60 {
                let word: Vec<u8> = (0..1 + random.below(30)).map(|_| b'a' + random.below(3) as u8).collect();
                let symbols: Vec<Id> = word.iter().map(|&byte| Id::from(byte)).collect();
                let expected = by_definition(&vocab, &word);
                assert_eq!(naive::encode(&merges, Vec::clone(&symbols)), expected, "seed {seed}, {word:?}");
                assert_eq!(naive::encode(&listed, symbols), expected, "as a list, seed {seed}, {word:?}");
            }
        }
    }
}
