//! A training of any algorithm, step by step.

use std::sync::atomic::{AtomicBool, Ordering};

use token_engine::Tokenizer;

use crate::definition::{self, Model};
use crate::error::TrainError;
use crate::merging::Merging;
use crate::options::{Algorithm, Options};
use crate::progress::{Batch, Row, State};
use crate::ranked::Ranked;
use crate::stop::Stop;
use crate::unigram;
use crate::words::WordCounts;

/// A training. Equal options and counts give equal rows and tokenizers, however the steps are divided into calls.
///
/// ```
/// # use std::sync::atomic::AtomicBool;
/// # use token_train::{Options, Trainer, WordCounts};
/// let options = Options { vocab_size: 258, min_frequency: 1, ..Options::default() };
/// let counts = WordCounts::new([(&b"aaabdaaabac"[..], 1)], 11)?;
/// let mut trainer = Trainer::new(options, counts)?;
/// let batch = trainer.run(100, &AtomicBool::new(false))?;
/// assert_eq!((batch.rows.len(), batch.finished, trainer.state().vocab_size), (2, true, 258));
/// assert_eq!(trainer.tokenizer()?.id_of(b"aa"), Some(256));
/// # Ok::<(), token_train::TrainError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trainer {
    options: Options,
    counts: WordCounts,
    held_out: Option<WordCounts>,
    learner: Learner,
}

#[derive(Clone, Debug)]
enum Learner {
    Merging(Box<Merging>),
    Ranked(Box<Ranked>),
    Unigram(Box<unigram::Training>),
}

impl Trainer {
    /// A training before its first step.
    ///
    /// Errors: wrong options, an empty corpus, a vocabulary too small for special tokens and alphabet, a special token
    /// spelled like an entry of the alphabet.
    pub fn new(options: Options, counts: WordCounts) -> Result<Self, TrainError> {
        Self::prepared(options, counts, Stop::never())
    }

    /// As [`Self::new`], with words to measure the vocabulary with after every step. WordLevel and Character do not use them.
    ///
    /// Errors: as [`Self::new`]; [`TrainError::Stopped`] soon after `stop` is set.
    pub fn start(
        options: Options,
        counts: WordCounts,
        held_out: Option<WordCounts>,
        stop: &AtomicBool,
    ) -> Result<Self, TrainError> {
        let mut trainer = Self::prepared(options, counts, Stop::new(stop))?;
        held_out.map_or(Ok(()), |held_out| trainer.measure(held_out, Stop::new(stop)))?;
        Ok(trainer)
    }

    pub(crate) fn prepared(options: Options, counts: WordCounts, stop: Stop<'_>) -> Result<Self, TrainError> {
        options.check()?;
        definition::stages(&options)?;
        if counts.is_empty() {
            return Err(TrainError::EmptyCorpus { bytes: counts.text_bytes() });
        }
        let learner = match options.algorithm {
            Algorithm::Bpe | Algorithm::WordPiece => Learner::Merging(Box::new(Merging::new(&options, &counts, stop)?)),
            Algorithm::WordLevel | Algorithm::Character => {
                Learner::Ranked(Box::new(Ranked::new(&options, &counts, stop)?))
            }
            Algorithm::Unigram => Learner::Unigram(Box::new(unigram::Training::prepared(&options, &counts, stop)?)),
        };
        Ok(Self { options, counts, held_out: None, learner })
    }

    /// Makes up to `steps` steps and returns their rows. Returns early if `stop` is set, with the rows so far.
    ///
    /// Errors: those of the algorithm. The steps before the error are kept.
    pub fn run(&mut self, steps: usize, stop: &AtomicBool) -> Result<Batch, TrainError> {
        let mut rows = vec![];
        while rows.len() < steps && !stop.load(Ordering::Relaxed) {
            match self.step(stop)? {
                Some(row) => rows.push(row),
                None => break,
            }
        }
        Ok(Batch { rows, finished: self.is_finished() })
    }

    fn step(&mut self, stop: &AtomicBool) -> Result<Option<Row>, TrainError> {
        match &mut self.learner {
            Learner::Merging(merging) => merging.step(&self.options, &self.counts, stop),
            Learner::Ranked(ranked) => Ok(ranked.step()),
            Learner::Unigram(unigram) => unigram.step(stop),
        }
    }

    /// Whether no step is left.
    pub fn is_finished(&self) -> bool {
        match &self.learner {
            Learner::Merging(merging) => merging.is_finished(),
            Learner::Ranked(ranked) => ranked.is_finished(),
            Learner::Unigram(unigram) => unigram.is_finished(),
        }
    }

    /// How it is trained.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The words it learns from.
    pub(crate) fn counts(&self) -> &WordCounts {
        &self.counts
    }

    /// Where the training is.
    pub fn state(&self) -> State {
        let mut state = match &self.learner {
            Learner::Merging(merging) => merging.state(),
            Learner::Ranked(ranked) => ranked.state(),
            Learner::Unigram(unigram) => unigram.state(),
        };
        state.memory_bytes += self.counts.heap_bytes();
        state
    }

    /// Memory that the training holds, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.state().memory_bytes
    }

    /// Words to measure the vocabulary with after every step. WordLevel and Character do not use them.
    ///
    /// Errors: those of the algorithm.
    pub fn set_held_out(&mut self, counts: WordCounts) -> Result<(), TrainError> {
        self.measure(counts, Stop::never())
    }

    pub(crate) fn measure(&mut self, counts: WordCounts, stop: Stop<'_>) -> Result<(), TrainError> {
        match &mut self.learner {
            Learner::Merging(merging) => merging.set_held_out(&counts, stop)?,
            Learner::Ranked(_) => {}
            Learner::Unigram(unigram) => unigram.set_held_out(&counts, stop)?,
        }
        self.held_out = Some(counts);
        Ok(())
    }

    /// The held-out words.
    pub(crate) fn held_out(&self) -> Option<&WordCounts> {
        self.held_out.as_ref()
    }

    /// The model so far.
    pub fn model(&self) -> Model {
        match &self.learner {
            Learner::Merging(merging) => merging.model(),
            Learner::Ranked(ranked) => ranked.model(),
            Learner::Unigram(unigram) => Model::Unigram { tokens: unigram.vocab() },
        }
    }

    /// A tokenizer of the current state.
    ///
    /// Errors: stages that do not fit the model.
    pub fn tokenizer(&self) -> Result<Tokenizer, TrainError> {
        definition::tokenizer(&self.options, &self.model())
    }

    /// How many steps were made.
    pub(crate) fn done(&self) -> usize {
        match &self.learner {
            Learner::Merging(merging) => merging.done(),
            Learner::Ranked(ranked) => ranked.done(),
            Learner::Unigram(unigram) => unigram.state().done,
        }
    }

    /// The state of Unigram, which a checkpoint keeps.
    pub(crate) fn unigram(&self) -> Option<&unigram::Training> {
        if let Learner::Unigram(unigram) = &self.learner { Some(unigram) } else { None }
    }

    /// Goes on with a stored state of Unigram.
    pub(crate) fn of_unigram(options: Options, counts: WordCounts, unigram: unigram::Training) -> Self {
        Self { options, counts, held_out: None, learner: Learner::Unigram(Box::new(unigram)) }
    }
}
