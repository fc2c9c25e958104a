//! A doubly linked list of symbols in a vector. Merging moves no symbol, so positions keep their order.

use token_engine::Id;

/// No neighbour.
const NONE: usize = usize::MAX;

struct Node {
    id: Id,
    before: usize,
    after: usize,
    is_there: bool,
}

/// A doubly linked list whose nodes keep their positions.
pub(crate) struct Chain(Vec<Node>);

impl Chain {
    pub(crate) fn new(symbols: Vec<Id>) -> Self {
        let last = symbols.len().wrapping_sub(1);
        let node = |(at, id): (usize, Id)| Node {
            id,
            before: if at == 0 { NONE } else { at - 1 },
            after: if at == last { NONE } else { at + 1 },
            is_there: true,
        };
        Self(symbols.into_iter().enumerate().map(node).collect())
    }

    /// All positions, including those of removed symbols.
    pub(crate) fn places(&self) -> std::ops::Range<usize> {
        0..self.0.len()
    }

    pub(crate) fn id(&self, at: usize) -> Id {
        self.0[at].id
    }

    pub(crate) fn is_there(&self, at: usize) -> bool {
        self.0[at].is_there
    }

    pub(crate) fn before(&self, at: usize) -> Option<usize> {
        Some(self.0[at].before).filter(|&at| at != NONE)
    }

    pub(crate) fn after(&self, at: usize) -> Option<usize> {
        Some(self.0[at].after).filter(|&at| at != NONE)
    }

    /// Replaces the symbol at `at` and the next one by `id`, at `at`.
    pub(crate) fn merge(&mut self, at: usize, id: Id) {
        let gone = self.0[at].after;
        let after = self.0[gone].after;
        self.0[gone].is_there = false;
        self.0[at].id = id;
        self.0[at].after = after;
        if after != NONE {
            self.0[after].before = at;
        }
    }

    /// The remaining symbols, in order.
    pub(crate) fn symbols(self) -> Vec<Id> {
        self.0.into_iter().filter(|node| node.is_there).map(|node| node.id).collect()
    }
}
