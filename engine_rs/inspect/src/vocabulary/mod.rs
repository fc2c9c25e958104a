//! The tokens of a vocabulary: their kinds, how each one is merged, and whether any text encodes to it.
//!
//! [`Index`] holds the facts of every token, [`search`] finds tokens by them, [`origin`] returns the merges of a token
//! and [`audit`] finds the tokens that no text encodes to.
//! Not here: tokens by id or by bytes ([`token_engine::internals::vocab`]).

pub mod audit;
pub mod kinds;
pub mod origin;
pub mod scripts;
pub mod search;
pub mod variants;

use rustc_hash::FxHashSet;

use kinds::{Kind, Marks};
use scripts::Scripts;
use token_engine::models::Model;
use token_engine::models::bpe::merges::Merges;
use token_engine::{AddedToken, Id, Tokenizer};

/// The facts of all tokens, in the order of their ids.
pub struct Index {
    rows: Vec<Row>,
    /// The bytes of all tokens, concatenated.
    bytes: Vec<u8>,
    /// Row by id; [`HOLE`] if no token has the id.
    by_id: Vec<u32>,
    marks: Marks,
}

const HOLE: u32 = u32::MAX;

/// The facts of one token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Its id.
    pub id: Id,
    /// Where its bytes start.
    start: u32,
    /// Length in bytes.
    pub length: u32,
    /// Length in characters; `None` if its bytes are not whole characters.
    pub characters: Option<u32>,
    /// Its kind.
    pub kind: Kind,
    /// The script of its letters, as an index into [`scripts::SCRIPTS`].
    pub script: u8,
    /// Rank of the merge that makes it.
    pub rank: Option<u32>,
    /// Natural logarithm of its probability, in a Unigram vocabulary.
    pub score: Option<f64>,
    /// How many other tokens are merged from it and a neighbour.
    pub part_of: u32,
}

impl Index {
    /// Indexes the tokens of a tokenizer. Takes some 100 ms for 200,000 tokens.
    pub fn new(tokenizer: &Tokenizer) -> Self {
        let scripts = Scripts::default();
        let marks = marks(tokenizer);
        let special: FxHashSet<Id> =
            tokenizer.added_tokens().iter().filter(|token| token.special).map(|token| token.id).collect();
        let added: FxHashSet<Id> = tokenizer.added_tokens().iter().map(|token: &AddedToken| token.id).collect();
        let part_of = uses(tokenizer);
        let mut index = Self {
            rows: Vec::with_capacity(tokenizer.vocab().len()),
            bytes: vec![],
            by_id: vec![HOLE; tokenizer.vocab().id_bound()],
            marks,
        };
        for (id, spelled) in tokenizer.vocab().iter() {
            let bytes = tokenizer.token_bytes(id).unwrap_or_default();
            let text = std::str::from_utf8(&bytes).ok();
            let kind = match text {
                Some(text) if kinds::is_unused(text) => Kind::Unused,
                _ if special.contains(&id) => Kind::Special,
                _ if added.contains(&id) => Kind::Added,
                // Where bytes stand in for the unknown, the token is its byte.
                _ if bytes.len() == 1 && std::str::from_utf8(spelled).is_ok_and(kinds::is_byte) => Kind::Byte,
                None => Kind::Part,
                Some(text) => index.marks.kind(text),
            };
            index.by_id[id as usize] = index.rows.len() as u32;
            index.rows.push(Row {
                id,
                start: index.bytes.len() as u32,
                length: bytes.len() as u32,
                characters: text.map(|text| text.chars().count() as u32),
                kind,
                script: text.map_or(scripts::NONE, |text| scripts.of(text)),
                rank: tokenizer.rank(id),
                score: tokenizer.score(id),
                part_of: part_of.get(id as usize).copied().unwrap_or(0),
            });
            index.bytes.extend_from_slice(&bytes);
        }
        index
    }

    /// All rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of an id.
    pub fn row(&self, id: Id) -> Option<&Row> {
        let at = *self.by_id.get(id as usize)?;
        self.rows.get(at as usize)
    }

    /// The number of the row of an id.
    pub fn row_number(&self, id: Id) -> Option<usize> {
        self.by_id.get(id as usize).copied().filter(|&row| row != HOLE).map(|row| row as usize)
    }

    /// The bytes of a row's token.
    pub fn bytes(&self, row: &Row) -> &[u8] {
        &self.bytes[row.start as usize..][..row.length as usize]
    }

    /// How the vocabulary marks places in words.
    pub(crate) fn marks(&self) -> &Marks {
        &self.marks
    }
}

/// The merges of a tokenizer that has some.
pub fn merges(tokenizer: &Tokenizer) -> Option<&Merges> {
    match tokenizer.model() {
        Model::ByteBpe(bpe) => Some(bpe.bpe().merges()),
        Model::Bpe(bpe) => bpe.kinds().is_none().then(|| bpe.merges()),
        Model::Unigram(_) | Model::WordLevel(_) | Model::WordPiece(_) => None,
    }
}

/// By id: how many different tokens are merged from it and a neighbour.
fn uses(tokenizer: &Tokenizer) -> Vec<u32> {
    let Some(merges) = merges(tokenizer) else { return vec![] };
    let mut uses: Vec<(Id, Id)> = merges
        .iter()
        .flat_map(|(left, right, rank)| [(left, merges.result(rank)), (right, merges.result(rank))])
        .collect();
    uses.sort_unstable();
    uses.dedup();
    let mut counts = vec![0; tokenizer.vocab().id_bound()];
    for (part, _) in uses {
        counts[part as usize] += 1;
    }
    counts
}

fn marks(tokenizer: &Tokenizer) -> Marks {
    match tokenizer.model() {
        Model::Bpe(bpe) => Marks {
            prefix: bpe.settings().continuing_subword_prefix.clone(),
            suffix: bpe.settings().end_of_word_suffix.clone(),
            bare_starts: !bpe.settings().continuing_subword_prefix.is_empty(),
        },
        Model::WordPiece(model) => {
            Marks { prefix: model.settings().prefix.clone(), bare_starts: true, ..Marks::default() }
        }
        Model::ByteBpe(_) | Model::Unigram(_) | Model::WordLevel(_) => Marks::default(),
    }
}

#[cfg(test)]
mod tests;
