//! How a token came about: the tree of merges that its own symbols run through, and the tokens it is merged into.
//!
//! The tree is what the encoder does with the token's symbols alone, by the definition of byte-pair encoding, not what a
//! file says of it: an entry whose merges lead elsewhere is told apart from one that merges build.
//! Not here: encoding texts ([`crate::models::bpe`]).

use crate::ids::Id;
use crate::models::Model;
use crate::models::bpe::merges::{Merges, NO_RANK, Rank};
use crate::tokenizer::{Pipeline, Tokenizer};
use crate::vocabulary_index::merges;

/// Longer tokens get no tree: its time is quadratic.
pub const LONGEST: usize = 1024;

/// One token of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The token.
    pub id: Id,
    /// The merge that makes it, and its two parts as places in the tree; `None` for a symbol that nothing makes.
    pub merge: Option<(Rank, usize, usize)>,
}

/// How a token came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is a symbol that merges start from.
    Symbol,
    /// Merges build it from its own symbols. The last node is the token.
    Merged(Vec<Node>),
    /// Merges make these tokens of its symbols, and not the token itself.
    NotMerged(Vec<Id>),
    /// An added token, or one whose characters are no symbols: no merges lead to it.
    NotInMerges,
    /// Its model has no merges.
    NoMerges,
    /// Too long for a tree.
    TooLong,
}

/// How a token came about.
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

/// The rows of symbols that a token can be built from: one for each way its place in a word can be marked.
pub fn symbols(tokenizer: &Tokenizer, id: Id) -> Vec<Vec<Id>> {
    let Some(token) = tokenizer.vocab().token(id) else { return vec![] };
    match &tokenizer.parts().pipeline {
        Pipeline::ByteLevelBpe(fused) => {
            if tokenizer.added_tokens().iter().any(|added| added.id == id) {
                return vec![];
            }
            vec![token.iter().map(|&byte| fused.bpe().byte_ids()[usize::from(byte)]).collect()]
        }
        Pipeline::Staged(staged) => match (&staged.model, std::str::from_utf8(token)) {
            (Model::Bpe(bpe), Ok(token)) => bpe.symbols_of_token(token),
            _ => vec![],
        },
        Pipeline::Bert(_) | Pipeline::SentencePiece(_) => vec![],
    }
}

/// Merges by the definition and remembers every step: all nodes, and those that are left.
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

/// The tokens that a merge makes of this one and a neighbour, by rank: rank, left, right and what they make.
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

/// The best that a Unigram vocabulary could do for a token's text without the token: ids (`None` for an unknown
/// character) and the sum of their scores. `None` for other models and for texts that only the token covers.
pub fn without(tokenizer: &Tokenizer, id: Id) -> Option<(Vec<Option<Id>>, f64)> {
    let Pipeline::Staged(staged) = &tokenizer.parts().pipeline else { return None };
    let Model::Unigram(unigram) = &staged.model else { return None };
    let text = std::str::from_utf8(tokenizer.vocab().token(id)?).ok()?;
    (text.len() <= LONGEST && !text.is_empty()).then(|| unigram.best_without(text, id))
}
