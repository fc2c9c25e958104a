//! The four algorithms on the same words, with the steps that each needs.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::fast::Fast;
use super::heap::Heap;
use super::incremental::Incremental;
use super::naive::Naive;
use super::{Merge, Rules};
use crate::error::TrainError;
use crate::options::Options;
use crate::steps::Steps;
use crate::stop::Stop;
use crate::symbols::Symbols;
use crate::tokens::Tokens;
use crate::words::WordCounts;

/// A way to train BPE. All of them make the same merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Racer {
    /// All pairs are counted for every merge.
    Naive,
    /// Counts and places of pairs are kept.
    Incremental,
    /// The best pair comes from a heap.
    Heap,
    /// The one that is used.
    Fast,
}

impl Racer {
    /// All of them, the slowest first.
    pub const ALL: [Self; 4] = [Self::Naive, Self::Incremental, Self::Heap, Self::Fast];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Incremental => "incremental",
            Self::Heap => "heap",
            Self::Fast => "fast",
        }
    }

    /// The one with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|racer| racer.name() == name)
    }
}

/// What one of them did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Race {
    /// The algorithm.
    pub algorithm: Racer,
    /// Ids of left and right, by rank.
    pub merges: Vec<(u32, u32)>,
    /// What it did, by name.
    pub steps: Steps,
}

/// Makes up to `merges` merges by one of the algorithms.
///
/// Errors: as [`crate::Trainer::new`].
///
/// ```
/// # use token_train::{Options, WordCounts, bpe::race::{Racer, race}};
/// let counts = WordCounts::new([(&b"aaabdaaabac"[..], 1)], 11)?;
/// let options = Options { vocab_size: 259, min_frequency: 1, ..Options::default() };
/// let naive = race(&options, &counts, Racer::Naive, 3)?;
/// assert_eq!(race(&options, &counts, Racer::Fast, 3)?.merges, naive.merges);
/// # Ok::<(), token_train::TrainError>(())
/// ```
pub fn race(options: &Options, counts: &WordCounts, algorithm: Racer, merges: usize) -> Result<Race, TrainError> {
    options.check()?;
    if let Some(from) = options.superwords_from {
        let problem = "which only the training itself can do, not a race";
        return Err(TrainError::option("superwords_from", from, problem, "remove it"));
    }
    let mut tokens = Tokens::new(options, counts, Stop::never())?;
    let symbols = Symbols::new(&tokens, counts, Stop::never())?;
    let rules = Rules::new(options);
    let mut steps = Steps::default();
    let mut made = vec![];
    let mut run = |next: &mut dyn FnMut(&mut Tokens, &mut Steps) -> Option<Merge>| {
        while made.len() < merges
            && tokens.len() < options.vocab_size
            && let Some(merge) = next(&mut tokens, &mut steps)
        {
            made.push((merge.left, merge.right));
        }
    };
    match algorithm {
        Racer::Naive => {
            let mut naive = Naive::new(&symbols, rules);
            run(&mut |tokens, steps| naive.next(tokens, steps));
        }
        Racer::Incremental => {
            let mut incremental = Incremental::new(&symbols, rules);
            run(&mut |tokens, steps| incremental.next(tokens, steps));
        }
        Racer::Heap => {
            let mut heap = Heap::new(&symbols, rules);
            run(&mut |tokens, steps| heap.next(tokens, steps, &mut |_| {}));
        }
        Racer::Fast => {
            let never = AtomicBool::new(false);
            let mut fast = Fast::new(symbols, rules, options.vocab_size, Stop::never())?;
            run(&mut |tokens, steps| fast.next(tokens, steps, &never).unwrap_or_default());
        }
    }
    Ok(Race { algorithm, merges: made, steps })
}
