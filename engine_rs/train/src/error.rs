//! What can go wrong in training, each with the value, the place and what to do.
//!
//! Messages are "problem; hint", as in `token_engine::internals::error`.

use thiserror::Error;
use token_engine::{EncodeError, LoadError};

use crate::stop::Stopped;

/// A training that cannot start or go on.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TrainError {
    /// The options are not JSON, have an unknown field or a value of the wrong type.
    #[error("training options: {problem}; {hint}")]
    Json {
        /// What is wrong, with the line and column.
        problem: String,
        /// What to do about it.
        hint: String,
    },
    /// An option with a value that makes no sense.
    #[error("{option} is {value}, {problem}; {hint}")]
    Option {
        /// Name of the option.
        option: &'static str,
        /// The value given.
        value: String,
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        hint: String,
    },
    /// A normalizer, pretokenizer, postprocessor or decoder that cannot be read.
    #[error(transparent)]
    Stage(#[from] LoadError),
    /// A text that a stage cannot read.
    #[error(transparent)]
    Text(#[from] EncodeError),
    /// A step of the counter panicked.
    #[error("an earlier call failed inside of the engine and lost counts; count the texts again with a new counter")]
    CountsLost,
    /// Nothing to learn from.
    #[error(
        "the corpus has no words after {bytes} bytes of text; add text, or check the normalizer and the pretokenizer"
    )]
    EmptyCorpus {
        /// Bytes of text that were counted.
        bytes: u64,
    },
    /// The vocabulary cannot hold what it must hold.
    #[error(
        "vocab_size is {asked}, but {special} special {} and an alphabet of {alphabet} need {}; raise `vocab_size`{}",
        if *special == 1 { "token" } else { "tokens" },
        special + alphabet,
        if *is_bytes { "" } else { ", or lower `limit_alphabet` or `character_coverage`" }
    )]
    VocabTooSmall {
        /// The size asked for.
        asked: usize,
        /// Number of special tokens.
        special: usize,
        /// Number of bytes or characters.
        alphabet: usize,
        /// Whether they are bytes.
        is_bytes: bool,
    },
    /// A special token that is given twice.
    #[error("special_tokens has {token:?} twice, at {first} and {second}; remove one of them")]
    DuplicateSpecial {
        /// The token.
        token: String,
        /// Index of the first.
        first: usize,
        /// Index of the second.
        second: usize,
    },
    /// A special token that is spelled like an entry of the alphabet.
    #[error(
        "the special token {token:?} is spelled like an entry of the alphabet; spell it in another way, \"<{token}>\" for instance"
    )]
    SpecialInAlphabet {
        /// The token.
        token: String,
    },
    /// More occurrences than 64 bits count.
    #[error("the count of {what} passes 2^64 - 1; train on fewer texts")]
    Overflow {
        /// What is counted.
        what: String,
    },
    /// More distinct text than 32-bit positions can name.
    #[error(
        "the distinct words have {symbols} characters or bytes in all, more than {max}; raise `min_frequency` of the words or train on fewer texts"
    )]
    TooManySymbols {
        /// How many there are.
        symbols: u64,
        /// How many there may be.
        max: u64,
    },
    /// Stored counts or a checkpoint that cannot be read.
    #[error("the stored {what} cannot be read: {problem}; make it again with this version and these options")]
    Stored {
        /// Word counts or a checkpoint.
        what: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// Two things that belong to different options.
    #[error("the word counts were made with other options: {problem}; count again with the same ones")]
    OtherOptions {
        /// The difference.
        problem: String,
    },
    /// The caller asked to stop while the training was prepared.
    #[error("the training was stopped before its first step; start it again")]
    Stopped,
    /// A trainer that is not part of this build.
    #[error("the trainer of {algorithm} is not built into this version; choose another algorithm")]
    NotBuilt {
        /// Name of the algorithm.
        algorithm: &'static str,
    },
}

impl From<Stopped> for TrainError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl TrainError {
    /// An option with a bad value.
    pub(crate) fn option(
        option: &'static str,
        value: impl ToString,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::Option { option, value: value.to_string(), problem: problem.into(), hint: hint.into() }
    }

    /// Stored bytes that cannot be read.
    pub(crate) fn stored(what: &'static str, problem: impl Into<String>) -> Self {
        Self::Stored { what, problem: problem.into() }
    }
}
