//! Unigram training: how often each token is expected, the scores that follow, and the tokens that the corpus needs least.
//!
//! The trainer of `token-train` does each step; nothing is counted here.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::frames::Frames;
use super::list::List;
use super::training::Learnt;
use super::words::Words;
use super::{LessonError, Named};
use crate::trace::Trace;
use token_engine::{EncodeError, EncodeOptions, Id, Specials, Tokenizer};
use token_train::definition::{self, Model};
use token_train::unigram::{Seen, Training};
use token_train::{Algorithm, Alphabet, Options};

/// Tokens to begin with, beside characters.
const SEEDS: usize = 1000;

/// A token of the vocabulary.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Entry {
    /// Its number among the seeds.
    id: Id,
    /// Natural logarithm of its probability.
    score: f64,
    /// How often it was expected in the last EM iteration.
    expected: Option<f64>,
    /// What the corpus would lose without it, in the last round of pruning.
    loss: Option<f64>,
    /// Whether it stays in the next step.
    stays: bool,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now {
    Start {
        tokens: usize,
    },
    /// Each token was counted over all divisions of the words, by their probabilities.
    Expect {
        tokens: usize,
        /// Mean of the negative logarithms of the probabilities of the words.
        loss: f64,
    },
    /// The scores are what the counts call for, and what was hardly expected is gone.
    Maximize {
        tokens: usize,
        removed: Vec<Id>,
    },
    /// Each token has what the corpus would lose without it.
    Losses {
        tokens: usize,
    },
    /// The tokens with the smallest losses are gone.
    Prune {
        tokens: usize,
        removed: Vec<Id>,
    },
    /// The tokens with the lowest scores are gone.
    Final {
        tokens: usize,
        removed: Vec<Id>,
    },
    Done {
        tokens: usize,
        /// Tokens of all words, repetitions included.
        symbols: usize,
    },
}

/// How the training goes, but for the size of the vocabulary.
pub(super) fn options() -> Options {
    Options {
        algorithm: Algorithm::Unigram,
        alphabet: Some(Alphabet::Characters),
        seed_size: SEEDS,
        ..Options::default()
    }
}

/// A step for each half of an EM iteration and of a round of pruning.
pub(super) fn learn(tokenizer: &Tokenizer, trace: &Trace, learn: usize) -> Result<Learnt, LessonError> {
    let words = &Words::of(tokenizer, trace)?;
    let options = Options { vocab_size: words.characters() + learn, ..options() };
    let mut training = Training::new(&options, &words.counts).map_err(LessonError::of_training)?;
    let (mut frames, mut entries, mut named) = (Frames::default(), List::default(), BTreeMap::default());
    while let Some((row, seen)) = training.watch() {
        token_engine::internals::call::check().map_err(EncodeError::from)?;
        if named.is_empty() {
            if seen.iter().all(|one| one.token.chars().count() == 1) {
                return Err(LessonError::NothingRepeats { words: words.counts.len() });
            }
            named =
                (0..).zip(&seen).map(|(id, one)| (id, Named::new(one.token.clone(), one.token.as_bytes()))).collect();
            entries.extend((0..).zip(&seen).map(|(id, one)| Entry::seed(id, one)).collect());
            add(&mut frames, &Now::Start { tokens: seen.len() }, &mut entries)?;
        }
        let all: Vec<Entry> = entries.iter().zip(&seen).map(|(entry, one)| entry.counted(one)).collect();
        entries.match_places(&all);
        let (tokens, is_em) = (all.len(), row.stage == "em");
        match row.loss {
            Some(loss) => add(&mut frames, &Now::Expect { tokens, loss }, &mut entries)?,
            None if row.stage == "prune" => add(&mut frames, &Now::Losses { tokens }, &mut entries)?,
            None => {}
        }
        let mut removed = vec![];
        for at in (0..all.len()).rev().filter(|&at| !all[at].stays) {
            removed.push(all[at].id);
            entries.splice(at, 1, vec![]);
        }
        removed.reverse();
        let scored = entries.iter().zip(training.scores());
        entries.match_places(&scored.map(|(entry, &score)| Entry { score, ..entry.clone() }).collect::<Vec<_>>());
        let tokens = entries.len();
        let now = match row.stage {
            _ if is_em => Now::Maximize { tokens, removed },
            "prune" => Now::Prune { tokens, removed },
            _ => Now::Final { tokens, removed },
        };
        add(&mut frames, &now, &mut entries)?;
    }
    let ids = named.iter().map(|(&id, named)| (named.token.as_str(), id)).collect();
    let divided = divided(&options, &training, words, &ids)?;
    let tokens = words.tokens(|word| divided[word].clone());
    add(&mut frames, &Now::Done { tokens: entries.len(), symbols: tokens.len() }, &mut entries)?;
    Ok(Learnt { frames, tokens, named })
}

fn add(frames: &mut Frames, now: &Now, entries: &mut List<Entry>) -> Result<(), LessonError> {
    frames.add(now, &mut [("tokens", entries)])
}

/// The tokens of each word, and their lengths: what the trained tokenizer makes of it.
fn divided(
    options: &Options,
    training: &Training,
    words: &Words,
    ids: &FxHashMap<&str, Id>,
) -> Result<Vec<Vec<(Id, usize)>>, LessonError> {
    let definition = definition::definition(options, &Model::Unigram { tokens: training.vocab() });
    let definition = definition.map_err(LessonError::of_training)?;
    let trained = definition.build("what was learnt").map_err(|error| LessonError::of_training(error.into()))?;
    let options = EncodeOptions { add_special_tokens: false, specials: Specials::Text, ..EncodeOptions::default() };
    let divide = |word: String| {
        let tokens = trained.encode(&word, None, options)?.ids.into_iter();
        let token = |id: Id| {
            let token = trained.id_to_token(id)?;
            Some((*ids.get(&*token)?, token.len()))
        };
        Ok(tokens.filter_map(token).collect())
    };
    words.texts().map(divide).collect()
}

impl Entry {
    fn seed(id: Id, seen: &Seen) -> Self {
        Self { id, score: seen.score, expected: None, loss: None, stays: true }
    }

    /// With what a step found.
    fn counted(&self, seen: &Seen) -> Self {
        let Seen { expected, loss, stays, .. } = *seen;
        Self { expected: expected.or(self.expected), loss, stays, ..self.clone() }
    }
}
