//! The definition of byte-pair encoding as code: the twin that the fast encoder is tested against.

use super::merges::{Merges, NO_RANK};
use crate::ids::Id;

/// Merges the pair of neighbours with the lowest rank, the leftmost of several, until no pair merges.
///
/// `symbols` are the ids of the single bytes. Cubic at worst; for tests.
///
/// Source: Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units (2016).
pub fn encode(merges: &Merges, mut symbols: Vec<Id>) -> Vec<Id> {
    loop {
        let best =
            symbols.windows(2).map(|pair| merges.rank(pair[0], pair[1])).enumerate().min_by_key(|&(_, rank)| rank);
        match best {
            Some((at, rank)) if rank != NO_RANK => {
                symbols[at] = merges.result(rank);
                symbols.remove(at + 1);
            }
            _ => return symbols,
        }
    }
}
