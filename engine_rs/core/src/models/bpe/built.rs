//! Says which tokens the merges build from their own bytes alone. For most tokens, the pair that makes them says it, and nothing is
//! merged.
//!
//! Let `left` and `right` merge into a token, both built, each by merges of rising ranks that end below that of the pair. Side
//! by side, their symbols merge as they do alone, lowest rank first, unless a merge crosses the seam between them. What stands
//! at the seam is known at each rank: on its left the last symbol of `left`, on its right the first of `right`. The pair of
//! both merges if its rank is below that of the merge which takes one of them away, or if the ranks are the same and that merge is to
//! the right of the seam, since the leftmost comes first. So the token is built if no pair at the seam merges before both parts are
//! whole, and then by merges of rising ranks, too. A token whose ranks do not rise is merged.

use super::merges::{Merges, NO_RANK, Rank};
use crate::ids::Id;
use crate::vocab::Vocab;

/// What is known of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// No merge looked at so far builds it; in the end: none does.
    NotYet,
    /// It is a byte, or its pair builds it by merges of rising ranks.
    Rising,
    /// It was merged: whether that built it.
    Merged(bool),
}

/// The last merge that builds a token.
#[derive(Clone, Copy, Debug)]
struct Last {
    left: Id,
    right: Id,
    /// Its rank plus 1; 0 for a byte.
    time: u32,
}

/// Says of each token, by id, whether merges build it from its bytes, which are the tokens `byte_ids`. `merge` says so by merging.
pub(super) fn built(
    vocab: &Vocab,
    byte_ids: &[Id; 256],
    merges: &Merges,
    mut merge: impl FnMut(Id) -> bool,
) -> Vec<bool> {
    by_pairs(vocab, byte_ids, merges, &mut merge).unwrap_or_else(|| (0..vocab.id_bound() as Id).map(merge).collect())
}

/// [`built`] by the pairs; `None` where they do not say it.
fn by_pairs(
    vocab: &Vocab,
    byte_ids: &[Id; 256],
    merges: &Merges,
    mut merge: impl FnMut(Id) -> bool,
) -> Option<Vec<bool>> {
    let pairs = pairs_by_rank(merges)?;
    let last_ranks = last_ranks(vocab, merges, &pairs)?;
    let mut how = vec![How::NotYet; vocab.id_bound()];
    let mut lasts = vec![Last { left: 0, right: 0, time: 0 }; vocab.id_bound()];
    for (byte, &id) in (0..=u8::MAX).zip(byte_ids) {
        if vocab.token(id) == Some(&[byte]) {
            how[id as usize] = How::Rising;
        }
    }
    for (rank, pair) in pairs.into_iter().enumerate() {
        let Some([left, right]) = pair else { continue };
        let (rank, made) = (rank as Rank, merges.result(rank as Rank));
        if how[made as usize] != How::NotYet {
            continue;
        }
        let of_part = |part: Id| match how[part as usize] {
            How::NotYet => last_ranks[part as usize].is_none_or(|last| last < rank).then_some(false),
            How::Rising => Some(true),
            How::Merged(is_built) => (!is_built).then_some(false),
        };
        match [left, right].map(of_part) {
            [Some(true), Some(true)] if !crosses(merges, &lasts, left, right) => {
                how[made as usize] = How::Rising;
                lasts[made as usize] = Last { left, right, time: rank + 1 };
            }
            [Some(true), Some(true)] | [Some(false), _] | [_, Some(false)] => (),
            _ => how[made as usize] = How::Merged(merge(made)),
        }
    }
    Some(how.into_iter().map(|how| matches!(how, How::Rising | How::Merged(true))).collect())
}

/// The pair of each rank. `None` where several pairs have one rank.
fn pairs_by_rank(merges: &Merges) -> Option<Vec<Option<[Id; 2]>>> {
    let mut pairs = vec![None; merges.len()];
    let is_only = |(left, right, rank)| pairs[rank as usize].replace([left, right]).is_none();
    merges.iter().all(is_only).then_some(pairs)
}

/// The last rank that makes a token, by id. `None` where a merge does not make what its two tokens spell, or names a token that is not
/// there.
fn last_ranks(vocab: &Vocab, merges: &Merges, pairs: &[Option<[Id; 2]>]) -> Option<Vec<Option<Rank>>> {
    let mut last = vec![None; vocab.id_bound()];
    for (rank, pair) in (0..).zip(pairs) {
        let &Some([left, right]) = pair else { continue };
        let made = merges.result(rank);
        if vocab.token(made)?.strip_prefix(vocab.token(left)?)? != vocab.token(right)? {
            return None;
        }
        last[made as usize] = Some(rank);
    }
    Some(last)
}

/// Whether a merge crosses the seam between two tokens before both are whole.
fn crosses(merges: &Merges, lasts: &[Last], mut left: Id, mut right: Id) -> bool {
    // From both tokens back to the bytes at the seam. Ends: each step goes to a shorter token.
    loop {
        let [of_left, of_right] = [left, right].map(|id| lasts[id as usize]);
        let time = of_left.time.max(of_right.time);
        if time == 0 {
            return false;
        }
        let is_right = of_right.time == time;
        (left, right) = if is_right { (left, of_right.left) } else { (of_left.right, right) };
        let rank = merges.rank(left, right);
        if rank != NO_RANK && rank + u32::from(!is_right) < time {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_bpe;
    use super::super::{Scratch, merge_symbols};
    use super::*;
    use crate::testing::Random;

    #[test]
    fn says_what_merging_says() {
        let (mut built_ones, mut others, mut merged) = (0, 0, 0);
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let (vocab, bpe) = random_bpe(seed, 1 + random.below(4), 5 + random.below(60));
            // As they come, and sorted by the length of what they make: then most ranks rise.
            let mut pairs: Vec<_> = bpe.merges().iter().collect();
            pairs.sort_unstable_by_key(|pair| pair.2);
            let mut sorted = pairs.clone();
            let len = |&(_, _, rank): &(Id, Id, Rank)| vocab.token(bpe.merges().result(rank)).map(<[u8]>::len);
            sorted.sort_by_key(len);
            for pairs in [pairs, sorted] {
                let made = |rank| bpe.merges().result(rank);
                let list: Vec<_> = pairs.iter().map(|&(left, right, rank)| [left, right, made(rank)]).collect();
                let merges = Merges::of(&list);
                let mut scratch = Scratch::default();
                let mut by_merging = |id: Id| {
                    merge_symbols(&merges, bpe.byte_ids(), vocab.token(id).expect("known"), &mut scratch);
                    scratch.symbols == [id]
                };
                let expected: Vec<bool> = (0..vocab.id_bound() as Id).map(&mut by_merging).collect();
                let found = built(&vocab, bpe.byte_ids(), &merges, |id| {
                    merged += 1;
                    by_merging(id)
                });
                assert_eq!(found, expected, "seed {seed}, {merges:?}");
                built_ones += expected[256..].iter().filter(|is_built| **is_built).count();
                others += expected.iter().filter(|is_built| !**is_built).count();
            }
        }
        assert!(built_ones > 2000 && others > 2000 && merged > 300, "{built_ones} {others} {merged}");
        assert!(merged * 2 < built_ones + others, "{merged} tokens were merged, most should not be");
    }
}
