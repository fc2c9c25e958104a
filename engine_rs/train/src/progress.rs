//! What a training reports: one row per step, and where it is.

use serde::Serialize;

use crate::tokens::Tokens;

/// One step of a training.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Row {
    /// A merge of BPE or WordPiece.
    Merge(Box<MergeRow>),
    /// An iteration of Unigram.
    Iteration(IterationRow),
    /// A token of WordLevel or Character.
    Token(TokenRow),
}

/// A merge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MergeRow {
    /// Its rank: 0 for the first merge.
    pub(crate) rank: usize,
    /// The left part.
    pub(crate) left: Shown,
    /// The right part.
    pub(crate) right: Shown,
    /// The token that it makes.
    pub(crate) token: Shown,
    /// Id of that token.
    pub(crate) id: u32,
    /// How often the pair occurred.
    pub(crate) count: u64,
    /// Its likelihood score, of WordPiece.
    pub(crate) score: Option<f64>,
    /// Change of the number of tokens of the held-out words; `None` without them.
    pub(crate) held_out_tokens: Option<i64>,
}

/// An iteration of Unigram.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IterationRow {
    /// Its number from 0 on.
    pub(crate) iteration: usize,
    /// `em`, `prune` or `final`.
    pub stage: &'static str,
    /// Number of tokens after it.
    pub tokens: usize,
    /// Mean negative log-likelihood of a word before the iteration, in nats; `None` for other stages than `em`.
    pub loss: Option<f64>,
    /// Number of tokens of the held-out words; `None` without them.
    pub(crate) held_out_tokens: Option<u64>,
}

/// A token that is a word or a character.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TokenRow {
    /// Its rank: 0 for the most frequent.
    pub(crate) rank: usize,
    /// The token.
    pub(crate) token: Shown,
    /// Its id.
    pub(crate) id: u32,
    /// How often it occurs.
    pub(crate) count: u64,
}

/// A token for people and for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Shown {
    /// Its text, with U+FFFD for bytes that are not UTF-8.
    pub(crate) text: String,
    /// Its bytes in hexadecimal digits.
    pub(crate) bytes: String,
}

impl Shown {
    /// The token with these bytes.
    pub(crate) fn new(token: &[u8]) -> Self {
        let digit = |number: u8| char::from(b"0123456789abcdef"[usize::from(number)]);
        let bytes = token.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        Self { text: String::from_utf8_lossy(token).into_owned(), bytes }
    }

    /// A token of a vocabulary.
    pub(crate) fn of(tokens: &Tokens, id: u32) -> Self {
        Self::new(tokens.get(id))
    }
}

/// Where a training is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// Name of the algorithm.
    pub(crate) algorithm: &'static str,
    /// How many steps are done.
    pub(crate) done: usize,
    /// How many there will be at most.
    pub(crate) total: usize,
    /// `merges`, `tokens` or `iterations`.
    pub(crate) unit: &'static str,
    /// Number of tokens of the vocabulary, special tokens included.
    pub vocab_size: usize,
    /// `pairs`, `merge`, `seeds`, `em`, `prune` or `finish`.
    pub(crate) stage: &'static str,
    /// How the held-out words are encoded; `None` without them.
    pub(crate) held_out: Option<HeldOutState>,
    /// Memory that the training holds, or held before its end.
    pub(crate) memory_bytes: usize,
    /// Whether no step is left.
    pub(crate) finished: bool,
    /// Why it ended: `vocab_size`, `min_frequency` or `no_pairs`.
    pub(crate) ended: Option<&'static str>,
}

impl State {
    /// A state before the first step.
    pub(crate) fn new(algorithm: &'static str, unit: &'static str) -> Self {
        Self {
            algorithm,
            done: 0,
            total: 0,
            unit,
            vocab_size: 0,
            stage: "pairs",
            held_out: None,
            memory_bytes: 0,
            finished: false,
            ended: None,
        }
    }
}

/// How the held-out words are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct HeldOutState {
    /// Bytes of the held-out words, repetitions included.
    pub(crate) bytes: u64,
    /// Their tokens.
    pub(crate) tokens: u64,
    /// Bytes per token; `None` without tokens.
    pub(crate) bytes_per_token: Option<f64>,
}

/// Steps that one call made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Batch {
    /// One row per step.
    pub rows: Vec<Row>,
    /// Whether no step is left.
    pub finished: bool,
}
