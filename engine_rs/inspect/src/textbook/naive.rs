//! The merge loop of the paper: look at all pairs of neighbours, merge the best one, repeat.
//!
//! n symbols take n²/2 look-ups at worst, and every merge moves all symbols after it.
//!
//! Source: Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units (2016).

use super::{Queue, Seen, Steps, Watch};
use token_engine::ids::Id;
use token_engine::models::bpe::merges::{Merges, NO_RANK};

/// Merges the pair of neighbours with the lowest rank, the leftmost of equals, until no pair can merge.
pub(crate) fn encode(merges: &Merges, mut symbols: Vec<Id>, steps: &mut Steps, watch: Watch<'_>) -> Vec<Id> {
    watch(&Seen { merge: None, row: &symbols, queue: Queue::None, steps });
    loop {
        let mut best = (NO_RANK, 0);
        for at in 1..symbols.len() {
            steps.lookups += 1;
            best = best.min((merges.rank(symbols[at - 1], symbols[at]), at - 1));
        }
        let (rank, at) = best;
        if rank == NO_RANK {
            return symbols;
        }
        symbols[at] = merges.result(rank);
        symbols.remove(at + 1);
        steps.merges += 1;
        steps.moves += (symbols.len() - (at + 1)) as u64;
        watch(&Seen { merge: Some((rank, at)), row: &symbols, queue: Queue::None, steps });
    }
}
