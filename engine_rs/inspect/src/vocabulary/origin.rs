//! The merges of a token: the tree of merges that builds it from its symbols, and the tokens that it is merged into.
//!
//! The tree comes from encoding the token's symbols by the definition of byte-pair encoding, so it also shows when the
//! merges of a vocabulary never build a token.
//! Not here: encoding texts ([`token_engine::models::bpe`]).

use crate::vocabulary::merges;
use token_engine::models::Model;
use token_engine::models::bpe::merges::{Merges, NO_RANK, Rank};
use token_engine::{Id, Tokenizer};

/// The longest token, in symbols, that gets a tree: the time is quadratic.
pub(crate) const LONGEST: usize = 1024;

/// One token of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The token.
    pub id: Id,
    /// The rank of the merge that makes it and the indices of its two parts in the tree; `None` for a symbol.
    pub merge: Option<(Rank, usize, usize)>,
}

/// How merges build a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is a symbol that merges start from.
    Symbol,
    /// Merges build it from its symbols. The last node is the token.
    Merged(Vec<Node>),
    /// Merges build these tokens from its symbols instead.
    NotMerged(Vec<Id>),
    /// An added token, or a token whose characters are not symbols.
    NotInMerges,
    /// Its model has no merges.
    NoMerges,
    /// Too long for a tree.
    TooLong,
}

/// Finds how merges build a token.
pub fn origin(tokenizer: &Tokenizer, id: Id) -> Origin {
    let Some(merges) = merges(tokenizer) else { return Origin::NoMerges };
    let mut others = None;
    for symbols in symbols(tokenizer, id) {
        if symbols == [id] {
            return Origin::Symbol;
        }
        if symbols.len() > LONGEST {
            return Origin::TooLong;
        }
        let (nodes, roots) = merge(merges, &symbols);
        match roots[..] {
            [root] if nodes[root].id == id => return Origin::Merged(nodes),
            _ => others = others.or(Some(roots.into_iter().map(|root| nodes[root].id).collect())),
        }
    }
    others.map_or(Origin::NotInMerges, Origin::NotMerged)
}

/// The sequences of symbols that a token can be built from: one for each way to mark its position in a word.
pub(crate) fn symbols(tokenizer: &Tokenizer, id: Id) -> Vec<Vec<Id>> {
    let Some(token) = tokenizer.vocab().token(id) else { return vec![] };
    match (tokenizer.model(), std::str::from_utf8(token)) {
        (Model::ByteBpe(_), _) if tokenizer.added_tokens().iter().any(|added| added.id == id) => vec![],
        (Model::ByteBpe(bpe), _) => {
            vec![token.iter().map(|&byte| bpe.bpe().byte_ids()[usize::from(byte)]).collect()]
        }
        (Model::Bpe(bpe), Ok(token)) if bpe.kinds().is_none() => bpe.symbols_of_token(token),
        _ => vec![],
    }
}

/// Merges by the definition. Returns all nodes and the roots that remain.
fn merge(merges: &Merges, symbols: &[Id]) -> (Vec<Node>, Vec<usize>) {
    let mut nodes: Vec<Node> = symbols.iter().map(|&id| Node { id, merge: None }).collect();
    let mut left: Vec<usize> = (0..nodes.len()).collect();
    // Ends: each step leaves one node fewer.
    loop {
        let rank = |pair: &[usize]| merges.rank(nodes[pair[0]].id, nodes[pair[1]].id);
        let best = left.windows(2).map(rank).enumerate().min_by_key(|&(_, rank)| rank);
        let Some((at, rank)) = best.filter(|&(_, rank)| rank != NO_RANK) else { return (nodes, left) };
        nodes.push(Node { id: merges.result(rank), merge: Some((rank, left[at], left[at + 1])) });
        left[at] = nodes.len() - 1;
        left.remove(at + 1);
    }
}

/// The merges that use this token, by rank: rank, left, right and the token they make.
pub fn merged_into(tokenizer: &Tokenizer, id: Id) -> Vec<(Rank, Id, Id, Id)> {
    let Some(merges) = merges(tokenizer) else { return vec![] };
    let mut found: Vec<_> = merges
        .iter()
        .filter(|&(left, right, _)| left == id || right == id)
        .map(|(left, right, rank)| (rank, left, right, merges.result(rank)))
        .collect();
    found.sort_unstable();
    found.dedup_by_key(|&mut (.., made)| made);
    found
}

/// The best segmentation of a token's text without the token, in a Unigram vocabulary: ids (`None` for an unknown
/// character) and the sum of their scores. `None` for other models, and if only the token itself covers the text.
pub fn without(tokenizer: &Tokenizer, id: Id) -> Option<(Vec<Option<Id>>, f64)> {
    let Model::Unigram(unigram) = tokenizer.model() else { return None };
    if unigram.kinds().is_some() {
        return None;
    }
    let text = std::str::from_utf8(tokenizer.vocab().token(id)?).ok()?;
    (text.len() <= LONGEST && !text.is_empty()).then(|| unigram.best_without(text, id))
}
