//! Words as one flat list in which tokens are merged in place.
//!
//! A token of n symbols takes n slots: its id stands in the first and the last of them, [`DEAD`] in those between. So the
//! next token starts n slots further, and the one before ends in the slot before: no links are needed. Words are between
//! slots with [`END`].

use token_engine::models::bpe::merges::{Merges, NO_RANK};

use crate::stop::{Stop, Stopped};
use crate::symbols::{END, Run, Symbols};
use crate::tokens::Tokens;

/// A slot inside of a token.
pub(crate) const DEAD: u32 = u32::MAX - 1;

/// Slots that share an entry of the table of runs.
const BLOCK_BITS: u32 = 6;

/// Makes merges in all words, as the encoder does: the lowest rank first, the leftmost of several.
///
/// Errors: [`Stopped`].
pub(crate) fn merge_first(
    symbols: &mut Symbols,
    merges: &Merges,
    tokens: &Tokens,
    stop: Stop<'_>,
) -> Result<(), Stopped> {
    for (at, word) in symbols.ids.split_mut(|&id| id == END).enumerate() {
        stop.check_at(at)?;
        let mut slot = 0;
        for id in merged(merges, word.to_vec()) {
            let end = slot + tokens.width(id) as usize;
            word[slot..end].fill(DEAD);
            (word[slot], word[end - 1]) = (id, id);
            slot = end;
        }
    }
    Ok(())
}

/// The tokens of a word. Ends: every round joins two of them.
fn merged(merges: &Merges, mut tokens: Vec<u32>) -> Vec<u32> {
    let rank = |pair: &[u32]| merges.rank(pair[0], pair[1]);
    let mut ranks: Vec<u32> = tokens.windows(2).map(rank).collect();
    while let Some((at, &best)) = ranks.iter().enumerate().min_by_key(|&(_, rank)| rank)
        && best != NO_RANK
    {
        tokens[at] = merges.result(best);
        tokens.remove(at + 1);
        ranks.remove(at);
        if at > 0 {
            ranks[at - 1] = rank(&tokens[at - 1..=at]);
        }
        if at < ranks.len() {
            ranks[at] = rank(&tokens[at..=at + 1]);
        }
    }
    tokens
}

/// Words in slots.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    pub(crate) ids: Vec<u32>,
    runs: Vec<Run>,
    /// The run that the first slot of each block is in.
    blocks: Vec<u32>,
}

impl Slots {
    /// The words before the first merge.
    pub(crate) fn new(symbols: Symbols) -> Self {
        let Symbols { ids, runs } = symbols;
        let mut blocks = Vec::with_capacity((ids.len() >> BLOCK_BITS) + 1);
        let mut run = 0;
        for at in (0..ids.len()).step_by(1 << BLOCK_BITS) {
            while runs.get(run).is_some_and(|run| run.end as usize <= at) {
                run += 1;
            }
            blocks.push(run as u32);
        }
        Self { ids, runs, blocks }
    }

    /// How often the word at a slot occurs. `run` is where the search starts: that of a slot before, or 0.
    #[inline]
    pub(crate) fn count(&self, at: usize, run: &mut usize) -> u64 {
        *run = (*run).max(self.blocks[at >> BLOCK_BITS] as usize);
        // Ends, as the last run ends after the last slot.
        while self.runs[*run].end as usize <= at {
            *run += 1;
        }
        self.runs[*run].count
    }

    /// Writes the token `new` over the tokens that start at `at` and `at + left`, of `left` and `right` symbols.
    #[inline]
    pub(crate) fn merge(&mut self, at: usize, left: usize, right: usize, new: u32) {
        self.ids[at + left - 1] = DEAD;
        self.ids[at + left] = DEAD;
        self.ids[at] = new;
        self.ids[at + left + right - 1] = new;
    }

    /// Calls `each` with every pair of neighbours in a range of slots: where it starts, its parts, how often the word
    /// occurs. The range starts where a word ends; the next slot to read is returned, which is at or after its end.
    #[inline]
    pub(crate) fn pairs(
        &self,
        tokens: &Tokens,
        range: std::ops::Range<usize>,
        mut each: impl FnMut(usize, u32, u32, u64),
    ) -> usize {
        let mut run = 0;
        let mut at = range.start;
        let mut id = END;
        // A range ends with a word, for what comes next starts anew.
        while at < self.ids.len() && (at < range.end || id != END) {
            let next = if id == END { at + 1 } else { at + tokens.width(id) as usize };
            let following = self.ids.get(next).copied().unwrap_or(END);
            if id != END && following != END {
                each(at, id, following, self.count(at, &mut run));
            }
            (at, id) = (next, following);
        }
        at
    }

    /// Memory of the list, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        4 * (self.ids.capacity() + self.blocks.capacity()) + self.runs.capacity() * size_of::<Run>()
    }
}
