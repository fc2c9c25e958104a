//! Merges: symbols in a row, what neighbours merge to, the lowest rank first.

use serde::Serialize;

use super::LessonError;
use super::frames::Frames;
use super::list::List;
use crate::trace::{Blocked, Bytes, Join, Merge, Pretoken, Steps, Token, Trace};
use token_engine::Id;

/// A symbol of the row.
#[derive(Clone, Debug, Serialize)]
struct Symbol {
    id: Id,
    span: Option<Bytes>,
    pretoken: usize,
    /// Its node in the trees.
    node: usize,
    /// Index of the symbol where it starts, of those of its pretoken before any merge.
    #[serde(skip)]
    first: usize,
}

/// What a symbol and the next one merge to.
#[derive(Clone, Copy, Debug, Serialize)]
struct Pair {
    #[serde(flatten)]
    join: Option<Join>,
    /// Whether the next one belongs to another pretoken, so that they never merge.
    split: bool,
}

/// A node of the trees: a symbol at first, or what two nodes merged to.
#[derive(Clone, Debug, Serialize)]
struct Node {
    id: Id,
    span: Option<Bytes>,
    parts: Option<[usize; 2]>,
    rank: Option<u32>,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now<'a> {
    Start,
    /// Two symbols merged; the new one is at `at`.
    Merge {
        at: usize,
        pretoken: usize,
        rank: u32,
        pair: [Id; 2],
        id: Id,
        score: Option<f32>,
        /// Merges that can no longer be made, for this one took a symbol of them.
        blocked: Vec<&'a Blocked>,
    },
    /// No pair of a pretoken merges; its symbols became these tokens: bytes, or the unknown token, for what is no token.
    Tokens {
        at: usize,
        count: usize,
        pretoken: usize,
    },
    Done,
}

#[derive(Default)]
struct Row {
    symbols: List<Symbol>,
    pairs: List<Pair>,
    nodes: List<Node>,
}

/// A step for each merge.
pub(super) fn frames(trace: &Trace) -> Result<Frames, LessonError> {
    let mut frames = Frames::default();
    let mut row = Row::default();
    for (number, pretoken) in trace.pretokens.iter().enumerate() {
        row.start(number, pretoken);
    }
    row.add(&mut frames, &Now::Start)?;
    // Where the symbols of the pretoken start.
    let mut at = 0;
    for (number, pretoken) in trace.pretokens.iter().enumerate() {
        if let Steps::Bpe { merges, boundaries, .. } = pretoken.steps.merged() {
            let mut blocked: Vec<&Blocked> = boundaries.iter().flat_map(|boundary| &boundary.blocked).collect();
            // Those of one merge stay in the order of the text.
            blocked.sort_by_key(|blocked| blocked.by);
            let mut blocked = blocked.into_iter().peekable();
            for (step, merge) in merges.iter().enumerate() {
                let here = row.merge(at, merge);
                let blocked = std::iter::from_fn(|| blocked.next_if(|blocked| blocked.by == step)).collect();
                let Merge { rank, pair, id, score, .. } = *merge;
                row.add(&mut frames, &Now::Merge { at: here, pretoken: number, rank, pair, id, score, blocked })?;
            }
        }
        let len = row.symbols.iter_from(at).take_while(|symbol| symbol.pretoken == number).count();
        let ids = row.symbols.iter_from(at).take(len).map(|symbol| symbol.id);
        if !ids.eq(pretoken.tokens.iter().map(|token| token.id)) {
            row.replace(at, len, number, &pretoken.tokens);
            row.add(&mut frames, &Now::Tokens { at, count: pretoken.tokens.len(), pretoken: number })?;
            at += pretoken.tokens.len();
        } else {
            at += len;
        }
    }
    row.add(&mut frames, &Now::Done)?;
    Ok(frames)
}

impl Row {
    fn add(&mut self, frames: &mut Frames, now: &Now<'_>) -> Result<(), LessonError> {
        let lists: &mut [(&str, &mut dyn super::frames::Recorded)] =
            &mut [("symbols", &mut self.symbols), ("pairs", &mut self.pairs), ("nodes", &mut self.nodes)];
        frames.add(now, lists)
    }

    /// Appends the symbols of a pretoken before any merge.
    fn start(&mut self, number: usize, pretoken: &Pretoken) {
        match pretoken.steps.merged() {
            Steps::Bpe { whole: false, symbols, pairs, .. } => self.append(number, symbols, pairs),
            _ => self.append(number, &pretoken.tokens, &[]),
        }
    }

    fn append(&mut self, pretoken: usize, tokens: &[Token], joins: &[Option<Join>]) {
        let (symbols, pairs) = self.made(pretoken, tokens, joins);
        self.symbols.extend(symbols);
        self.pairs.extend(pairs);
    }

    /// Symbols of tokens, with a node for each, and what they merge to.
    fn made(&mut self, pretoken: usize, tokens: &[Token], joins: &[Option<Join>]) -> (Vec<Symbol>, Vec<Pair>) {
        let start = self.nodes.len();
        let node = |token: &Token| Node { id: token.id, span: token.span, parts: None, rank: None };
        self.nodes.extend(tokens.iter().map(node).collect());
        let symbol = |(first, token): (usize, &Token)| Symbol {
            id: token.id,
            span: token.span,
            pretoken,
            node: start + first,
            first,
        };
        let pair = |at: usize| Pair { join: joins.get(at).copied().flatten(), split: at + 1 == tokens.len() };
        (tokens.iter().enumerate().map(symbol).collect(), (0..tokens.len()).map(pair).collect())
    }

    /// Makes a merge of the pretoken whose symbols start at `start`; returns where.
    fn merge(&mut self, start: usize, merge: &Merge) -> usize {
        let pretoken = self.symbols[start].pretoken;
        let is_before = |symbol: &Symbol| symbol.pretoken == pretoken && symbol.first < merge.at;
        let at = self.symbols.end_of(start, is_before);
        let parts = [self.symbols[at].node, self.symbols[at + 1].node];
        let (id, span) = (merge.id, Some(merge.span));
        let symbol = Symbol { id, span, pretoken, node: self.nodes.len(), first: merge.at };
        let split = self.pairs[at + 1].split;
        self.nodes.push(Node { id, span, parts: Some(parts), rank: Some(merge.rank) });
        self.symbols.splice(at, 2, vec![symbol]);
        self.pairs.splice(at, 2, vec![Pair { join: merge.beside[1], split }]);
        if at > start {
            self.pairs.splice(at - 1, 1, vec![Pair { join: merge.beside[0], split: false }]);
        }
        at
    }

    /// Puts the tokens of a pretoken in the place of its symbols.
    fn replace(&mut self, at: usize, len: usize, pretoken: usize, tokens: &[Token]) {
        let (symbols, pairs) = self.made(pretoken, tokens, &[]);
        self.symbols.splice(at, len, symbols);
        self.pairs.splice(at, len, pairs);
    }
}
