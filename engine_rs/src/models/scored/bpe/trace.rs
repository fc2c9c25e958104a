//! The merges of a text one by one, by the definition: for people who ask, and as the twin of the quick way.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{ALONE, Kind, Scored, Tables};
use crate::ids::Id;
use crate::models::bpe::merges::NO_RANK;
use crate::models::bpe::naive::{self, Traced};

/// What became of the symbols of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Merging {
    /// The characters and user-defined tokens at first; the unknown token for what is no token.
    pub symbols: Vec<(Id, Range<usize>)>,
    /// The merges and those that came to nothing. Ranks are the order of the scores: equal scores have equal ranks.
    pub traced: Traced,
    /// What is left, tokens no longer used split again.
    pub tokens: Vec<(Id, Range<usize>)>,
}

impl Scored {
    /// What merging does with a normalized text, where the model is BPE. Takes time in the square of its length.
    pub fn merging(&self, text: &str) -> Option<Merging> {
        self.bpe.as_ref().map(|tables| tables.merging(self, text))
    }

    /// A symbol as a token: characters that are in tokens but are none themselves are unknown.
    fn token_of(&self, symbol: Id) -> Id {
        if (symbol as usize) < self.kinds.len() { symbol } else { self.unknown }
    }
}

impl Tables {
    fn merging(&self, model: &Scored, text: &str) -> Merging {
        let mut ranges = vec![];
        let mut symbols = vec![];
        model.symbols(text, |range, is_user_defined| {
            let c = text[range.clone()].chars().next().filter(|_| !is_user_defined);
            symbols.push(c.and_then(|c| self.characters.get(&c).copied()).unwrap_or(ALONE));
            ranges.push(range);
        });
        // By symbol: how it was last seen to be made, and its characters.
        let mut made: FxHashMap<Id, ([Id; 2], usize)> = FxHashMap::default();
        let mut traced = naive::trace(&symbols, |left, right| {
            let rank = self.merges.rank(left, right);
            if rank == NO_RANK {
                return (NO_RANK, 0);
            }
            let result = self.merges.result(rank);
            let characters = |symbol: Id| made.get(&symbol).map_or(1, |made| made.1);
            let characters = characters(left) + characters(right);
            made.insert(result, ([left, right], characters));
            (self.order[rank as usize], result)
        });
        let (mut tokens, mut at) = (vec![], 0);
        let mut work: Vec<Id> = traced.tokens.iter().rev().map(|token| token.0).collect();
        // Ends: both parts of a symbol are shorter than it.
        while let Some(symbol) = work.pop() {
            match made.get(&symbol) {
                Some(([left, right], _)) if model.kind(symbol) == Kind::Unused => work.extend([*right, *left]),
                made => {
                    let end = at + made.map_or(1, |made| made.1);
                    let range = ranges[at].start..ranges[end - 1].end;
                    tokens.push((model.id_of(&text[range.clone()]), range));
                    at = end;
                }
            }
        }
        let known = |pair: [Id; 2]| pair.map(|symbol| model.token_of(symbol));
        traced.steps.iter_mut().for_each(|step| step.pair = known(step.pair));
        traced.blocked.iter_mut().for_each(|blocked| blocked.pair = known(blocked.pair));
        let symbols = ranges.into_iter().map(|range| (model.id_of(&text[range.clone()]), range)).collect();
        Merging { symbols, traced, tokens }
    }
}
