//! Trainers that merge pairs: BPE and WordPiece.

use std::sync::atomic::{AtomicBool, Ordering};

use token_engine::models::bpe::merges::Merges;

use crate::bpe::fast::Fast;
use crate::bpe::{Rules, Stopped, slots};
use crate::definition::Model;
use crate::error::TrainError;
use crate::held_out::HeldOut;
use crate::options::{Algorithm, Options, Score};
use crate::progress::{MergeRow, Row, Shown, State};
use crate::steps::Steps;
use crate::stop::Stop;
use crate::superwords;
use crate::symbols::Symbols;
use crate::tokens::Tokens;
use crate::wordpiece;
use crate::words::WordCounts;

/// A training that merges pairs.
#[derive(Clone, Debug)]
pub struct Merging {
    algorithm: Algorithm,
    tokens: Tokens,
    merges: Vec<(u32, u32)>,
    /// Number of merges that were there before training.
    initial: usize,
    learner: Learner,
    steps: Steps,
    held_out: Option<HeldOut>,
    vocab_size: usize,
    /// Number of tokens before the first merge.
    first: usize,
    min_frequency: u64,
    /// The size from which on merges join words, until it is reached.
    superwords_from: Option<usize>,
    /// Whether no pair is left.
    is_dry: bool,
    /// Memory that a finished training gave up, in bytes.
    freed_bytes: usize,
}

/// Finds the next merge.
#[derive(Clone, Debug)]
enum Learner {
    Frequency(Fast),
    Likelihood(wordpiece::fast::Fast),
    /// No merge is left, so nothing is kept.
    Finished,
}

impl Learner {
    /// Memory of the learner, in bytes.
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Frequency(fast) => fast.heap_bytes(),
            Self::Likelihood(fast) => fast.heap_bytes(),
            Self::Finished => 0,
        }
    }
}

impl Merging {
    /// A training before its first merge.
    ///
    /// Errors: as [`Tokens::new`] and [`Symbols::new`].
    pub(crate) fn new(options: &Options, counts: &WordCounts, stop: Stop<'_>) -> Result<Self, TrainError> {
        let mut tokens = Tokens::new(options, counts, stop)?;
        let within = superwords::words_within(options, counts, stop)?;
        let mut symbols = Symbols::new(&tokens, within.as_ref().unwrap_or(counts), stop)?;
        drop(within);
        let initial = tokens.add_initial(&options.initial_merges)?;
        if tokens.len() > options.vocab_size {
            let problem = format!("but alphabet, special tokens and first merges make {} tokens", tokens.len());
            let hint = format!("give {} or more", tokens.len());
            return Err(TrainError::option("vocab_size", options.vocab_size, problem, hint));
        }
        if !initial.is_empty() {
            slots::merge_first(&mut symbols, &Merges::of(&initial), &tokens, stop)?;
        }
        let rules = Rules::new(options);
        let by_score = options.algorithm == Algorithm::WordPiece && options.score == Score::Likelihood;
        let learner = match by_score {
            true => Learner::Likelihood(wordpiece::fast::Fast::new(symbols, rules, stop)?),
            false => Learner::Frequency(Fast::new(symbols, rules, options.vocab_size, stop)?),
        };
        Ok(Self {
            algorithm: options.algorithm,
            initial: initial.len(),
            merges: initial.iter().map(|&[left, right, _]| (left, right)).collect(),
            learner,
            steps: Steps::default(),
            held_out: None,
            vocab_size: options.vocab_size,
            first: tokens.len(),
            min_frequency: options.min_frequency,
            superwords_from: options.superwords_from,
            is_dry: false,
            freed_bytes: 0,
            tokens,
        })
    }

    /// Makes the next merge; `None` if no merge is left or `stop` is set. Options and counts are those of [`Self::new`].
    ///
    /// Errors: superwords of more tokens than 32-bit positions.
    pub(crate) fn step(
        &mut self,
        options: &Options,
        counts: &WordCounts,
        stop: &AtomicBool,
    ) -> Result<Option<Row>, TrainError> {
        if self.is_finished() || stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if self.superwords_from.is_some_and(|from| self.tokens.len() >= from) {
            match self.join_words(options, counts, Stop::new(stop)) {
                Err(TrainError::Stopped) => return Ok(None),
                joined => joined?,
            }
        }
        let Self { learner, tokens, steps, .. } = self;
        let merge = match learner {
            Learner::Frequency(fast) => fast.next(tokens, steps, stop),
            Learner::Likelihood(fast) => fast.next(tokens, steps, stop),
            Learner::Finished => Ok(None),
        };
        let merge = match merge {
            Ok(Some(merge)) => merge,
            Ok(None) if self.superwords_from.is_some() => {
                self.superwords_from = Some(0);
                return self.step(options, counts, stop);
            }
            Ok(None) => {
                self.is_dry = true;
                self.finish();
                return Ok(None);
            }
            Err(Stopped) => return Ok(None),
        };
        let change = self.held_out.as_mut().map(|held_out| held_out.merge(merge.left, merge.right, merge.new));
        self.merges.push((merge.left, merge.right));
        if self.is_finished() {
            self.finish();
        }
        let shown = |id| Shown::of(&self.tokens, id);
        Ok(Some(Row::Merge(Box::new(MergeRow {
            rank: self.merges.len() - 1,
            left: shown(merge.left),
            right: shown(merge.right),
            token: shown(merge.new),
            id: merge.new,
            count: merge.count,
            score: merge.score,
            held_out_tokens: change,
        }))))
    }

    /// From now on merges join words. If it is stopped, a later call begins anew.
    fn join_words(&mut self, options: &Options, counts: &WordCounts, stop: Stop<'_>) -> Result<(), TrainError> {
        // What finds merges within words is needed no more.
        self.learner = Learner::Finished;
        let symbols = superwords::symbols(options, &self.model(), counts, stop)?;
        self.tokens.narrow();
        let fast = Fast::new(symbols, Rules::of_superwords(options), self.vocab_size, stop)?;
        (self.learner, self.superwords_from) = (Learner::Frequency(fast), None);
        Ok(())
    }

    /// Gives up all that only finds merges.
    fn finish(&mut self) {
        self.freed_bytes = self.learner.heap_bytes();
        self.learner = Learner::Finished;
    }

    /// Whether no merge is left.
    pub(crate) fn is_finished(&self) -> bool {
        self.is_dry || self.tokens.len() >= self.vocab_size
    }

    /// Encodes held-out words from now on. The merges so far are made in them.
    ///
    /// Errors: as [`HeldOut::new`].
    pub(crate) fn set_held_out(&mut self, counts: &WordCounts, stop: Stop<'_>) -> Result<(), TrainError> {
        let mut held_out = HeldOut::new(&self.tokens, counts, stop)?;
        for (rank, &(left, right)) in self.merges.iter().enumerate() {
            stop.check_at(rank)?;
            // Two of the first merges may make the same token.
            if let Some(made) = self.tokens.id(&self.tokens.product(left, right)) {
                held_out.merge(left, right, made);
            }
        }
        self.held_out = Some(held_out);
        Ok(())
    }

    /// Number of merges that training made.
    pub(crate) fn done(&self) -> usize {
        self.merges.len() - self.initial
    }

    /// The model with the merges so far.
    pub(crate) fn model(&self) -> Model {
        let tokens = self.tokens.spelled();
        match self.algorithm {
            Algorithm::WordPiece => Model::WordPiece { tokens },
            _ => Model::Bpe { tokens, merges: self.merges.clone() },
        }
    }

    /// Where the training is.
    pub(crate) fn state(&self) -> State {
        let ended = match self.is_dry {
            true if self.min_frequency > 1 => Some("min_frequency"),
            true => Some("no_pairs"),
            false if self.is_finished() => Some("vocab_size"),
            false => None,
        };
        State {
            done: self.done(),
            total: if self.is_dry { self.done() } else { self.vocab_size - self.first },
            vocab_size: self.tokens.len(),
            stage: if self.is_finished() { "finish" } else { "merge" },
            held_out: self.held_out.as_ref().map(HeldOut::state),
            memory_bytes: self.tokens.heap_bytes()
                + self.merges.capacity() * size_of::<(u32, u32)>()
                + self.learner.heap_bytes().max(self.freed_bytes),
            finished: self.is_finished(),
            ended,
            ..State::new(self.algorithm.name(), "merges")
        }
    }
}
