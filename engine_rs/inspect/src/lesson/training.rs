//! Merges learnt from the words of a text: counted pairs, the best of them merged everywhere, again and again.
//!
//! The definition of the trainers of `token-train` does each step and keeps the heap beside it; nothing is counted here but
//! tokens.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::frames::Frames;
use super::list::List;
use super::words::{Made, Words};
use super::{LessonError, Named};
use crate::trace::{Token, Trace};
use token_engine::models::Model;
use token_engine::{Id, Tokenizer};
use token_train::watched::Watched;
use token_train::{Algorithm, Alphabet, Options, Score};

/// Pairs that are shown, and as many of the heap: the first ones.
const SHOWN: usize = 24;

/// A word as it is now.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Word {
    /// As it is spelled.
    text: String,
    count: u64,
    symbols: Vec<Id>,
}

/// A pair that may be merged.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Pair {
    pair: [Id; 2],
    count: u64,
    score: Option<f64>,
    /// Places that it rose by the last step; `None` if it is new.
    rose: Option<i64>,
}

/// A token that is known now.
#[derive(Clone, Debug, Serialize)]
struct Entry {
    id: Id,
    /// How often it occurred when it came into the vocabulary.
    count: u64,
    parts: Option<[Id; 2]>,
}

/// A pair in the heap; a stale one if the two counts differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Waiting {
    pair: [Id; 2],
    stored: u64,
    count: u64,
}

/// Sizes after a step.
#[derive(Serialize)]
struct Totals {
    /// Symbols of all words, repetitions included.
    symbols: u64,
    /// Pairs that may be merged.
    pairs: usize,
    /// Pairs in the heap, and the stale ones of them.
    waiting: usize,
    stale: usize,
}

impl Totals {
    fn of(watched: &Watched) -> Self {
        let (waiting, stale) = watched.heap_sizes();
        let symbols = watched.words().iter().map(|(word, count)| word.len() as u64 * count).sum();
        Self { symbols, pairs: watched.pairs().len(), waiting, stale }
    }
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now {
    Start {
        #[serde(flatten)]
        totals: Totals,
    },
    Merge {
        rank: usize,
        pair: [Id; 2],
        id: Id,
        count: u64,
        score: Option<f64>,
        #[serde(flatten)]
        totals: Totals,
        /// What was taken from the heap, the merged pair last.
        taken: Vec<Waiting>,
    },
    Done {
        #[serde(flatten)]
        totals: Totals,
        /// Whether no pair was left.
        dry: bool,
    },
}

/// What was learnt.
pub(super) struct Learnt {
    pub(super) frames: Frames,
    /// The tokens of the text.
    pub(super) tokens: Vec<Token>,
    pub(super) named: BTreeMap<Id, Named>,
}

#[derive(Default)]
struct Row {
    words: List<Word>,
    pairs: List<Pair>,
    vocabulary: List<Entry>,
    heap: List<Waiting>,
    /// Where each pair was in the order of all.
    order: FxHashMap<[Id; 2], usize>,
}

/// A step for each merge, `learn` at most.
pub(super) fn learn(tokenizer: &Tokenizer, trace: &Trace, learn: usize) -> Result<Learnt, LessonError> {
    let words = &Words::of(tokenizer, trace)?;
    let options = &options(&tokenizer.as_stages().model, words.made);
    let (mut frames, mut row) = (Frames::default(), Row::default());
    let mut watched = Watched::new(options, &words.counts).map_err(LessonError::of_training)?;
    if watched.pairs().is_empty() {
        return Err(LessonError::NothingRepeats { words: words.counts.len() });
    }
    row.start(words, &watched);
    row.add(&mut frames, &Now::Start { totals: Totals::of(&watched) })?;
    let mut rank = 0;
    while rank < learn
        && let Some((merge, taken)) = watched.merge()
    {
        let (pair, totals) = ([merge.left, merge.right], Totals::of(&watched));
        row.vocabulary.push(Entry { id: merge.new, count: merge.count, parts: Some(pair) });
        row.follow(&watched);
        let taken = taken.into_iter().map(Waiting::of).collect();
        let now = Now::Merge { rank, pair, id: merge.new, count: merge.count, score: merge.score, totals, taken };
        row.add(&mut frames, &now)?;
        rank += 1;
    }
    row.add(&mut frames, &Now::Done { totals: Totals::of(&watched), dry: watched.pairs().is_empty() })?;
    let tokens = words.tokens(|word| {
        let ids = &row.words[word].symbols;
        let len = |at: usize| watched.len_in_word(ids[at], at == 0, at + 1 == ids.len());
        ids.iter().enumerate().map(|(at, &id)| (id, len(at))).collect()
    });
    let name = |entry: &Entry| {
        let text = watched.bytes(entry.id);
        (entry.id, Named::new(watched.spelled(entry.id), text))
    };
    let named = row.vocabulary.iter().map(name).collect();
    Ok(Learnt { frames, tokens, named })
}

/// How the training of such a model goes.
pub(super) fn options(model: &Model, made: Made) -> Options {
    let (algorithm, score, prefix, suffix) = match model {
        Model::WordPiece(model) => (Algorithm::WordPiece, Score::Likelihood, Some(&model.settings().prefix), None),
        Model::Bpe(model) if made == Made::Characters => {
            let settings = model.settings();
            let (prefix, suffix) = (&settings.continuing_subword_prefix, &settings.end_of_word_suffix);
            (Algorithm::Bpe, Score::Frequency, Some(prefix), Some(suffix))
        }
        _ => (Algorithm::Bpe, Score::Frequency, None, None),
    };
    Options {
        algorithm,
        score,
        // The lesson ends after a number of merges.
        vocab_size: 1 << 30,
        alphabet: Some(if made == Made::Characters { Alphabet::Characters } else { Alphabet::Bytes }),
        continuing_prefix: prefix.cloned(),
        end_suffix: suffix.cloned(),
        ..Options::default()
    }
}

impl Row {
    fn add(&mut self, frames: &mut Frames, now: &Now) -> Result<(), LessonError> {
        let lists: &mut [(&str, &mut dyn super::frames::Recorded)] = &mut [
            ("words", &mut self.words),
            ("pairs", &mut self.pairs),
            ("vocabulary", &mut self.vocabulary),
            ("heap", &mut self.heap),
        ];
        token_engine::internals::call::check().map_err(token_engine::EncodeError::from)?;
        frames.add(now, lists)
    }

    /// The words, and the symbols that they are made of.
    fn start(&mut self, words: &Words, watched: &Watched) {
        let mut counts: BTreeMap<Id, u64> = BTreeMap::new();
        for (symbols, count) in watched.words() {
            symbols.iter().for_each(|&id| *counts.entry(id).or_default() += count);
        }
        self.vocabulary.extend(counts.into_iter().map(|(id, count)| Entry { id, count, parts: None }).collect());
        let texts = words.texts().zip(watched.words());
        self.words.extend(
            texts.map(|(text, (symbols, count))| Word { text, count: *count, symbols: symbols.clone() }).collect(),
        );
        self.follow(watched);
    }

    /// Takes over what the training made of words, pairs and heap.
    fn follow(&mut self, watched: &Watched) {
        for (at, (symbols, _)) in watched.words().iter().enumerate() {
            let word = &self.words[at];
            if word.symbols != *symbols {
                let word = Word { symbols: symbols.clone(), ..word.clone() };
                self.words.splice(at, 1, vec![word]);
            }
        }
        let order: FxHashMap<[Id; 2], usize> =
            watched.pairs().iter().enumerate().map(|(at, pair)| ([pair.left, pair.right], at)).collect();
        let pair = |(at, pair): (usize, &token_train::bpe::Candidate)| {
            let ids = [pair.left, pair.right];
            let rose = self.order.get(&ids).map(|&before| before as i64 - at as i64);
            Pair { pair: ids, count: pair.count, score: pair.score, rose }
        };
        let pairs = watched.pairs().iter().enumerate().take(SHOWN).map(pair).collect();
        self.pairs.replace(pairs);
        self.order = order;
        self.heap.replace(watched.heap(SHOWN).into_iter().map(Waiting::of).collect());
    }
}

impl Waiting {
    fn of(waiting: token_train::bpe::heap::Waiting) -> Self {
        let token_train::bpe::heap::Waiting { pair: (left, right), stored, count } = waiting;
        Self { pair: [left, right], stored, count }
    }
}
