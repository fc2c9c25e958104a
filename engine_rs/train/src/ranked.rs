//! Trainers that take the most frequent entries of a list: WordLevel and Character.

use crate::definition::Model;
use crate::error::TrainError;
use crate::options::{Algorithm, Options};
use crate::progress::{Row, Shown, State, TokenRow};
use crate::stop::Stop;
use crate::tokens::Tokens;
use crate::words::WordCounts;
use crate::{character, wordlevel};

/// An entry that becomes a token, and how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its bytes.
    pub(crate) token: Vec<u8>,
    /// How often it occurs in the corpus.
    pub(crate) count: u64,
}

/// A training that takes one entry after the other.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    algorithm: Algorithm,
    /// Special tokens, bytes of fallback and the entries so far.
    tokens: Tokens,
    entries: Vec<Entry>,
    done: usize,
    is_full: bool,
}

impl Ranked {
    /// A training before its first token.
    ///
    /// Errors: a vocabulary too small for special tokens, bytes and one more token.
    pub(crate) fn new(options: &Options, counts: &WordCounts, stop: Stop<'_>) -> Result<Self, TrainError> {
        let (tokens, mut entries) = match options.algorithm {
            Algorithm::WordLevel => wordlevel::entries(options, counts, stop)?,
            _ => character::entries(options, counts, stop)?,
        };
        let room = options.vocab_size - tokens.len();
        let is_full = entries.len() >= room;
        entries.truncate(room);
        Ok(Self { algorithm: options.algorithm, tokens, entries, done: 0, is_full })
    }

    /// Takes the next entry; `None` if none is left.
    pub(crate) fn step(&mut self) -> Option<Row> {
        let entry = self.entries.get(self.done)?;
        let id = self.tokens.push(&entry.token, 1);
        let rank = self.done;
        self.done += 1;
        Some(Row::Token(TokenRow { rank, token: Shown::new(&entry.token), id, count: entry.count }))
    }

    /// Whether no entry is left.
    pub(crate) fn is_finished(&self) -> bool {
        self.done == self.entries.len()
    }

    /// Number of entries taken.
    pub(crate) fn done(&self) -> usize {
        self.done
    }

    /// The model with the entries so far.
    pub(crate) fn model(&self) -> Model {
        let tokens = self.tokens.spelled();
        match self.algorithm {
            Algorithm::WordLevel => Model::WordLevel { tokens },
            _ => Model::Bpe { tokens, merges: vec![] },
        }
    }

    /// Where the training is.
    pub(crate) fn state(&self) -> State {
        let finished = self.is_finished();
        State {
            done: self.done,
            total: self.entries.len(),
            vocab_size: self.tokens.len(),
            memory_bytes: self.tokens.heap_bytes(),
            stage: if finished { "finish" } else { "merge" },
            finished,
            ended: finished.then_some(if self.is_full { "vocab_size" } else { "min_frequency" }),
            ..State::new(self.algorithm.name(), "tokens")
        }
    }
}
