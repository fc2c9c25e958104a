//! The definition of byte-pair encoding as code: the twin that the fast encoder is tested against.

use super::merges::{Merges, NO_RANK, Rank};
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

/// A merge that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its rank.
    pub rank: Rank,
    /// The tokens that merged.
    pub pair: [Id; 2],
    /// The token they became.
    pub result: Id,
    /// Index of the symbol where the left one starts, of those there were at first.
    pub at: usize,
    /// Index of the symbol where the right one starts.
    pub middle: usize,
    /// What the token merges to with the one before it and with the one after it, and the ranks; [`NO_RANK`] for nothing.
    pub beside: [(Rank, Id); 2],
}

/// A merge that could have been done until another one took one of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Its rank.
    pub rank: Rank,
    /// The tokens that would have merged.
    pub pair: [Id; 2],
    /// Index of the symbol where the right one starts.
    pub middle: usize,
    /// The token they would have become.
    pub result: Id,
    /// Index of the step that took one of them.
    pub by: usize,
}

/// Everything [`encode`] does with some symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traced {
    /// What each symbol merges to with the next one, and the rank, before any merge; [`NO_RANK`] for nothing.
    pub pairs: Vec<(Rank, Id)>,
    /// The merges in their order.
    pub steps: Vec<Step>,
    /// The merges that came to nothing, in the order in which they did.
    pub blocked: Vec<Blocked>,
    /// What is left, each with the index of the symbol where it starts.
    pub tokens: Vec<(Id, usize)>,
}

/// What [`encode`] does, step by step; `join` gives the rank of the merge of two tokens and what they become.
pub fn trace(symbols: &[Id], mut join: impl FnMut(Id, Id) -> (Rank, Id)) -> Traced {
    let mut tokens: Vec<(Id, usize)> = symbols.iter().copied().zip(0..).collect();
    let mut ranks: Vec<(Rank, Id)> = symbols.windows(2).map(|pair| join(pair[0], pair[1])).collect();
    let mut traced = Traced { pairs: ranks.clone(), ..Traced::default() };
    // Ends: every round removes a token.
    while let Some((at, &(best, result))) = ranks.iter().enumerate().min_by_key(|(_, joined)| joined.0)
        && best != NO_RANK
    {
        let ((left, start), (right, middle)) = (tokens[at], tokens[at + 1]);
        let by = traced.steps.len();
        let beside = [at.checked_sub(1), Some(at + 1).filter(|&next| next < ranks.len())];
        for other in beside.into_iter().flatten().filter(|&other| ranks[other].0 != NO_RANK) {
            let ((left, _), (right, middle)) = (tokens[other], tokens[other + 1]);
            let (rank, result) = ranks[other];
            traced.blocked.push(Blocked { rank, pair: [left, right], middle, result, by });
        }
        tokens[at].0 = result;
        tokens.remove(at + 1);
        ranks.remove(at);
        if at > 0 {
            ranks[at - 1] = join(tokens[at - 1].0, result);
        }
        if at < ranks.len() {
            ranks[at] = join(result, tokens[at + 1].0);
        }
        let here = |at: Option<usize>| at.and_then(|at| ranks.get(at)).copied().unwrap_or((NO_RANK, 0));
        let beside = [here(at.checked_sub(1)), here(Some(at))];
        traced.steps.push(Step { rank: best, pair: [left, right], result, at: start, middle, beside });
    }
    traced.tokens = tokens;
    traced
}
