//! The merge loop of the paper: look at all pairs of neighbours, merge the best one, repeat.
//!
//! n symbols take n²/2 look-ups at worst, and every merge moves all symbols after it.
//!
//! Source: Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units (2016).

use super::{Queue, Seen, Steps, Watch};
use token_engine::ids::Id;
use token_engine::models::bpe::merges::{Merges, NO_RANK, Rank};

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

/// The same merges and counts in less time: what was looked up is kept, and counted as if it were looked up again. For lessons,
/// which show many steps; a benchmark takes [`encode`].
pub(crate) fn encode_and_count(merges: &Merges, mut symbols: Vec<Id>, steps: &mut Steps, watch: Watch<'_>) -> Vec<Id> {
    watch(&Seen { merge: None, row: &symbols, queue: Queue::None, steps });
    // Invariant: the rank of each symbol and the next one.
    let mut ranks: Vec<Rank> = symbols.windows(2).map(|pair| merges.rank(pair[0], pair[1])).collect();
    // Ends: every round removes a symbol.
    loop {
        steps.lookups += ranks.len() as u64;
        let best = ranks.iter().copied().fold(NO_RANK, Rank::min);
        let Some(at) = ranks.iter().position(|&rank| rank == best).filter(|_| best != NO_RANK) else { return symbols };
        symbols[at] = merges.result(best);
        symbols.remove(at + 1);
        ranks.remove(at);
        for left in at.saturating_sub(1)..ranks.len().min(at + 1) {
            ranks[left] = merges.rank(symbols[left], symbols[left + 1]);
        }
        steps.merges += 1;
        steps.moves += (symbols.len() - (at + 1)) as u64;
        watch(&Seen { merge: Some((best, at)), row: &symbols, queue: Queue::None, steps });
    }
}
