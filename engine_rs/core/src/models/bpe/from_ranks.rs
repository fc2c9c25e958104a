//! The merges that a vocabulary of ranks stands for.
//!
//! With ranks alone, any two neighbours whose bytes joined are a token may merge. Of the many segmentations of a token
//! in two only one can ever come up: as long as no merge has crossed the token's ends, what happens inside it is what
//! happens to its bytes alone, and that passes through one last pair. So a token needs one entry in the table, found by
//! encoding its bytes with the merges of lower rank. Where those leave more than a pair (the token's parts rank above
//! it) every split of the token is put in, which is never wrong, only larger.
//!
//! Who keeps a vocabulary can keep the pairs as well: then nothing is encoded or looked up.

use super::merges::{Merges, NO_RANK, Rank};
use super::{Bpe, Scratch, WholeTokens, merge_symbols};
use crate::ids::Id;
use crate::vocab::Vocab;

/// How many pairs are put in at once, after the memory for them was asked for.
const AT_ONCE: usize = 16;

/// The pair that makes a token, where the caller knows it; else it is found by encoding the token.
pub type KnownPair<'a> = &'a dyn Fn(Id) -> Option<[Id; 2]>;

/// The merges of a vocabulary whose ids are ranks. `byte_ids` are the tokens of single bytes.
///
/// The rank of a merge is its place in [`pairs_from_ranks`], not the id of its token, so that a merge has the same rank as in
/// a file that lists the merges.
pub(crate) fn merges_from_ranks(vocab: &Vocab, byte_ids: &[Id; 256]) -> Merges {
    listed(vocab, byte_ids, &|_| None).1
}

/// The same as a list by rank, left, right and what they make: one pair per token, the last that its bytes pass through.
/// Tokens that merges never make are not in it.
pub(crate) fn pairs_from_ranks(vocab: &Vocab, byte_ids: &[Id; 256]) -> Vec<[Id; 3]> {
    listed(vocab, byte_ids, &|_| None).0
}

impl Bpe {
    /// The model of a vocabulary whose ids are ranks.
    pub(crate) fn from_ranks(vocab: &Vocab, byte_ids: [Id; 256], known: KnownPair<'_>) -> Self {
        let (pairs, merges) = listed(vocab, &byte_ids, known);
        let mut built = vec![false; vocab.id_bound()];
        byte_ids.iter().chain(pairs.iter().map(|pair| &pair[2])).for_each(|&id| built[id as usize] = true);
        Self::with_built(vocab, byte_ids, merges.into(), WholeTokens::Always, built)
    }
}

/// The list of merges, and the same as a table.
fn listed(vocab: &Vocab, byte_ids: &[Id; 256], known: KnownPair<'_>) -> (Vec<[Id; 3]>, Merges) {
    let mut pairs: Vec<[Id; 3]> = Vec::with_capacity(vocab.len());
    let (table, unsettled) = table(vocab, byte_ids, known, |pair| {
        if pairs.last().is_none_or(|last| last[2] != pair[2]) {
            pairs.push(pair);
        }
    });
    if unsettled.is_empty() {
        return (pairs, table);
    }
    pairs.retain_mut(|pair| {
        // In the order of ids, as the pairs are.
        if unsettled.binary_search(&pair[2]).is_err() {
            return true;
        }
        let token = vocab.token(pair[2]).unwrap_or_default();
        let last = last_pair(&table, token.iter().map(|&byte| byte_ids[usize::from(byte)]).collect());
        last.inspect(|&[left, right]| (pair[0], pair[1]) = (left, right)).is_some()
    });
    let merges = Merges::of(&pairs);
    (pairs, merges)
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

/// The merges, ranked by the tokens of several bytes that they make, and those of these tokens for which no single pair is
/// enough.
fn table(
    vocab: &Vocab,
    byte_ids: &[Id; 256],
    known: KnownPair<'_>,
    mut each: impl FnMut([Id; 3]),
) -> (Merges, Vec<Id>) {
    let several = || vocab.iter().filter(|(_, token)| token.len() > 1);
    let mut merges = Merges::new(several().map(|(id, _)| id).collect());
    let mut unsettled = vec![];
    let mut scratch = Scratch::default();
    let pair = |(left, right): (&[u8], &[u8])| Some([vocab.id(left)?, vocab.id(right)?]);
    let mut waiting = Vec::with_capacity(AT_ONCE);
    for (rank, (id, token)) in several().enumerate() {
        let rank = rank as Rank;
        if let Some([left, right]) = known(id) {
            each([left, right, id]);
            merges.prefetch(left, right);
            waiting.push((left, right, rank));
            if waiting.len() == AT_ONCE {
                put_all(&mut merges, &mut waiting);
            }
            continue;
        }
        put_all(&mut merges, &mut waiting);
        merge_symbols(&merges, byte_ids, token, &mut scratch);
        let mut insert = |[left, right]: [Id; 2]| {
            merges.insert(left, right, rank);
            each([left, right, id]);
        };
        match scratch.symbols[..] {
            [left, right] => insert([left, right]),
            _ => {
                unsettled.push(id);
                (1..token.len()).filter_map(|at| pair(token.split_at(at))).for_each(insert);
            }
        }
    }
    put_all(&mut merges, &mut waiting);
    (merges, unsettled)
}

/// Puts pairs in, in the order of their ranks.
fn put_all(merges: &mut Merges, pairs: &mut Vec<(Id, Id, Rank)>) {
    pairs.drain(..).for_each(|(left, right, rank)| merges.insert(left, right, rank));
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
            if seed % 2 == 0 {
                vocab.insert_or_empty(vocab.id_bound() as Id, b"").expect("the only one");
            }
            let byte_ids = std::array::from_fn(|byte| byte as Id);
            let merges = merges_from_ranks(&vocab, &byte_ids);
            let pairs = pairs_from_ranks(&vocab, &byte_ids);
            let (all_splits, _) = table(&vocab, &byte_ids, &|_| None, |_| ());
            for (rank, &[left, right, made]) in pairs.iter().enumerate() {
                assert_eq!(merges.join(left, right), (rank as Rank, made), "seed {seed}");
            }
            // Half of the pairs are given, those of the other half are found.
            let known = |id: Id| {
                let pair = pairs.iter().find(|pair| pair[2] == id && id.is_multiple_of(2))?;
                Some([pair[0], pair[1]])
            };
            let [found, given] =
                [&|_| None, &known as KnownPair<'_>].map(|known| Bpe::from_ranks(&vocab, byte_ids, known));
            let by_merging = Bpe::new(&vocab, byte_ids, merges.clone(), WholeTokens::Always);
            for id in 0..vocab.id_bound() as Id {
                assert_eq!(found.is_built(id), by_merging.is_built(id), "seed {seed}, token {id}");
                assert_eq!(given.is_built(id), by_merging.is_built(id), "pairs given, seed {seed}, token {id}");
            }
            for _ in 0..60 {
                let word: Vec<u8> = (0..1 + random.below(30)).map(|_| b'a' + random.below(3) as u8).collect();
                let symbols: Vec<Id> = word.iter().map(|&byte| Id::from(byte)).collect();
                let expected = by_definition(&vocab, &word);
                assert_eq!(naive::encode(&merges, Vec::clone(&symbols)), expected, "seed {seed}, {word:?}");
                assert_eq!(
                    naive::encode(given.merges(), Vec::clone(&symbols)),
                    expected,
                    "pairs given, seed {seed}, {word:?}"
                );
                assert_eq!(naive::encode(&all_splits, symbols), expected, "all splits, seed {seed}, {word:?}");
            }
        }
    }
}
