//! The merge loop of the paper: look at all pairs of neighbours, merge the best one, repeat.
//!
//! n symbols take n²/2 look-ups at worst, and every merge moves all symbols after it.
//!
//! Source: Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units (2016).

use super::{Queue, Seen, Steps, Watch, linked_list};
use token_engine::Id;
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
        watch(&Seen { merge: Some((rank, at)), row: &[], queue: Queue::None, steps });
    }
}

/// The same merges and counts in less time: a heap finds the merges, and what the loop would have done is counted. For lessons,
/// which show many steps; a benchmark takes [`encode`].
pub(crate) fn encode_and_count(merges: &Merges, symbols: Vec<Id>, steps: &mut Steps, watch: Watch<'_>) -> Vec<Id> {
    watch(&Seen { merge: None, row: &symbols, queue: Queue::None, steps });
    let (mut len, mut removed) = (symbols.len(), Removed(vec![0; symbols.len() + 1]));
    let merged = linked_list::encode(merges, symbols, &mut Steps::default(), &mut |seen| {
        let Some((rank, place)) = seen.merge else { return };
        let at = place - removed.before(place);
        removed.add_after(place);
        steps.lookups += len as u64 - 1;
        len -= 1;
        steps.merges += 1;
        steps.moves += (len - (at + 1)) as u64;
        watch(&Seen { merge: Some((rank, at)), row: &[], queue: Queue::None, steps });
    });
    steps.lookups += len.saturating_sub(1) as u64;
    merged
}

/// How many symbols were removed before a place that still has one: a binary indexed tree.
///
/// Source: Fenwick: A New Data Structure for Cumulative Frequency Tables (1994).
struct Removed(Vec<usize>);

impl Removed {
    /// Counts the symbol that was removed after `place`, before the next one that is left.
    fn add_after(&mut self, place: usize) {
        let mut node = place + 1;
        while node < self.0.len() {
            self.0[node] += 1;
            node += node & node.wrapping_neg();
        }
    }

    fn before(&self, place: usize) -> usize {
        let (mut node, mut sum) = (place, 0);
        while node > 0 {
            sum += self.0[node];
            node &= node - 1;
        }
        sum
    }
}
