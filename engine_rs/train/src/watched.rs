//! A training by its definition, merge by merge, with all that it looks at: for lessons.
//!
//! Makes the merges of [`crate::Trainer`]; every merge reads all words.

use crate::bpe::heap::{Heap, Waiting};
use crate::bpe::{Candidate, Merge, Rules, naive};
use crate::error::TrainError;
use crate::options::{Algorithm, Options};
use crate::steps::Steps;
use crate::stop::Stop;
use crate::symbols::Symbols;
use crate::tokens::Tokens;
use crate::wordpiece;
use crate::words::WordCounts;

/// A training of BPE, or of WordPiece by its score.
///
/// ```
/// # use token_train::{Options, WordCounts, watched::Watched};
/// let counts = WordCounts::new([(&b"low"[..], 3), (b"lot", 2)], 15)?;
/// let mut watched = Watched::new(&Options { vocab_size: 257, ..Options::default() }, &counts)?;
/// assert_eq!(watched.pairs()[0].count, 5, "l and o");
/// let (merge, taken) = watched.merge().expect("a pair");
/// assert_eq!((watched.spelled(merge.new), taken.len(), watched.merge()), ("lo".to_owned(), 1, None));
/// # Ok::<(), token_train::TrainError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Watched {
    definition: Definition,
    tokens: Tokens,
    /// The pairs that may be merged now, the best first.
    pairs: Vec<Candidate>,
    /// The same training with a heap, and its tokens.
    heap: Option<(Heap, Tokens)>,
    vocab_size: usize,
}

#[derive(Clone, Debug)]
enum Definition {
    Bpe(naive::Naive),
    WordPiece(wordpiece::naive::Naive),
}

impl Watched {
    /// A training before its first merge. WordPiece goes by its score, whatever the options say.
    ///
    /// Errors: as [`crate::Trainer::new`].
    pub fn new(options: &Options, counts: &WordCounts) -> Result<Self, TrainError> {
        options.check()?;
        if counts.is_empty() {
            return Err(TrainError::EmptyCorpus { bytes: counts.text_bytes() });
        }
        let tokens = Tokens::new(options, counts, Stop::never())?;
        let symbols = Symbols::new(&tokens, counts, Stop::never())?;
        let rules = Rules::new(options);
        let (definition, heap) = match options.algorithm {
            Algorithm::WordPiece => (Definition::WordPiece(wordpiece::naive::Naive::new(&symbols, rules)), None),
            _ => {
                let heap = (Heap::new(&symbols, rules), tokens.clone());
                (Definition::Bpe(naive::Naive::new(&symbols, rules)), Some(heap))
            }
        };
        let mut watched = Self { definition, tokens, pairs: vec![], heap, vocab_size: options.vocab_size };
        watched.count();
        Ok(watched)
    }

    fn count(&mut self) {
        let steps = &mut Steps::default();
        self.pairs = match &self.definition {
            Definition::Bpe(naive) => naive.pairs(&self.tokens, steps),
            Definition::WordPiece(naive) => naive.pairs(&self.tokens, steps),
        };
    }

    /// Makes the next merge; `None` if no pair may be merged or the vocabulary is full. With it comes what the training
    /// with a heap took from it, the merged pair last.
    pub fn merge(&mut self) -> Option<(Merge, Vec<Waiting>)> {
        let best = *self.pairs.first().filter(|_| self.tokens.len() < self.vocab_size)?;
        let (steps, mut taken) = (&mut Steps::default(), vec![]);
        let naive = match &mut self.definition {
            Definition::Bpe(naive) => naive,
            Definition::WordPiece(naive) => &mut naive.0,
        };
        let merge = naive.merge(best, &mut self.tokens, steps)?;
        if let Some((heap, tokens)) = &mut self.heap {
            heap.next(tokens, steps, &mut |waiting| taken.push(waiting));
        }
        self.count();
        Some((merge, taken))
    }

    /// The words as ids, in the order of their counts.
    pub fn words(&self) -> &[(Vec<u32>, u64)] {
        match &self.definition {
            Definition::Bpe(naive) => &naive.words,
            Definition::WordPiece(naive) => &naive.0.words,
        }
    }

    /// The pairs that may be merged, the best first.
    pub fn pairs(&self) -> &[Candidate] {
        &self.pairs
    }

    /// What would be taken from the heap first; nothing without a heap.
    pub fn heap(&self, most: usize) -> Vec<Waiting> {
        self.heap.as_ref().map_or(vec![], |(heap, _)| heap.first(most))
    }

    /// How many pairs wait in the heap, and how many of them are stale.
    pub fn heap_sizes(&self) -> (usize, usize) {
        self.heap.as_ref().map_or((0, 0), |(heap, _)| heap.sizes())
    }

    /// A token as a tokenizer.json spells it.
    pub fn spelled(&self, id: u32) -> String {
        self.tokens.spell(self.tokens.get(id))
    }

    /// Bytes of a token: of the text, or of its spelling with prefix and suffix.
    pub fn bytes(&self, id: u32) -> &[u8] {
        self.tokens.get(id)
    }

    /// Bytes of a token in a word, without prefix and suffix.
    pub fn len_in_word(&self, id: u32, is_first: bool, is_last: bool) -> usize {
        let prefix = if is_first { 0 } else { self.tokens.prefix().len() };
        let suffix = if is_last { self.tokens.suffix().len() } else { 0 };
        self.tokens.get(id).len() - prefix - suffix
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::definition::Model;
    use crate::options::{Alphabet, Score};
    use crate::testing::{Random, counts_of};
    use crate::trainer::Trainer;

    #[test]
    fn makes_the_tokens_of_the_trainer_and_tells_what_the_heap_does() {
        let mut random = Random::new(5);
        let mut stale = 0;
        for round in 0..200 {
            let words: Vec<(String, u64)> = (0..1 + random.below(30))
                .map(|_| {
                    let word = (0..1 + random.below(9)).map(|_| ["a", "b", "é", "語"][random.below(4)]).collect();
                    (word, 1 + random.below(4) as u64)
                })
                .collect();
            let words: Vec<_> = words.iter().map(|(word, count)| (word.as_str(), *count)).collect();
            let counts = counts_of(&words);
            let is_bpe = round % 2 == 0;
            let options = Options {
                algorithm: if is_bpe { Algorithm::Bpe } else { Algorithm::WordPiece },
                score: if is_bpe { Score::Frequency } else { Score::Likelihood },
                alphabet: Some(Alphabet::Characters),
                end_suffix: (round % 4 == 0).then(|| "</w>".to_owned()),
                vocab_size: 24 + random.below(20),
                ..Options::default()
            };
            let mut watched = Watched::new(&options, &counts).expect("an alphabet");
            while let Some((merge, taken)) = watched.merge() {
                let last = taken.last().map(|waiting| (waiting.pair, waiting.stored, waiting.count));
                assert_eq!(last, is_bpe.then_some(((merge.left, merge.right), merge.count, merge.count)));
                stale += taken.iter().filter(|waiting| waiting.stored != waiting.count).count();
                assert!(watched.heap(9).is_sorted_by(|a, b| a.stored >= b.stored));
            }
            let mut trainer = Trainer::new(options, counts.clone()).expect("an alphabet");
            trainer.run(usize::MAX, &AtomicBool::new(false)).expect("nothing fails");
            let (Model::Bpe { tokens, .. } | Model::WordPiece { tokens }) = trainer.model() else { unreachable!() };
            let made: Vec<String> = (0..tokens.len() as u32).map(|id| watched.spelled(id)).collect();
            assert_eq!(made, tokens, "round {round}");
            for ((ids, _), (word, _)) in watched.words().iter().zip(counts.iter()) {
                let len = |at: usize| watched.len_in_word(ids[at], at == 0, at + 1 == ids.len());
                assert_eq!((0..ids.len()).map(len).sum::<usize>(), word.len());
            }
        }
        assert!(stale > 100, "{stale}");
    }
}
