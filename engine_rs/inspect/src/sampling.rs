//! Other segmentations of a text than the one that `encode` takes: the next best ones, and random ones.
//!
//! Everything random follows from a seed. Nothing here adds special tokens; those that the text spells stay one token.
//! Not here: the algorithms ([`token_engine::models::unigram::lattice`], [`token_engine::models::bpe`]).
//!
//! Source: Kudo 2018, Subword Regularization; Provilkov et al. 2020, BPE-Dropout.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use token_engine::internals::random::Random;
use token_engine::internals::stages::{EachInput, ModelInput, no_lattice, no_unknown};
use token_engine::internals::{call, steps};
use token_engine::models::unigram::lattice::Lattice;
use token_engine::models::unigram::{Unigram, UserDefined};
use token_engine::models::{Model, Scratch};
use token_engine::{EncodeError, Id, Specials, Tokenizer};

/// Ids of a text and the natural logarithm of their probability, added tokens not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The ids.
    pub ids: Vec<Id>,
    /// Sum of the scores.
    pub score: f64,
}

/// Probability of leaving a merge out that the tokenizer has of itself, where it has one.
pub fn dropout(tokenizer: &Tokenizer) -> Option<f32> {
    match tokenizer.model() {
        Model::Bpe(bpe) => bpe.settings().dropout,
        _ => None,
    }
}

/// Ids of a text, each merge left out with probability `dropout`; with 0 those of `encode_ids`.
///
/// Errors: a model that merges nothing; those of `encode_ids`.
pub fn encode_ids_with_dropout(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
    dropout: f32,
    seed: u64,
) -> Result<Vec<Id>, EncodeError> {
    if tokenizer.model().kinds().is_some() {
        return Err(EncodeError::AllMerges { model: tokenizer.model_name().to_owned() });
    }
    let model = match tokenizer.model() {
        Model::ByteBpe(_) if dropout == 0.0 => return tokenizer.encode_ids(text, specials),
        model @ (Model::Bpe(_) | Model::ByteBpe(_)) => model,
        _ => return Err(EncodeError::NoDropout { model: tokenizer.model_name().to_owned() }),
    };
    let mut ids = vec![];
    let mut tokens = vec![];
    let mut random = Random::new(seed);
    let mut scratch = Scratch::new(seed).with_dropout(dropout);
    let each = |input: ModelInput<'_>| {
        match (input, model) {
            (ModelInput::Added(found), _) => ids.push(found.id),
            (ModelInput::Pretoken(pretoken), Model::ByteBpe(bpe)) => {
                bpe.bpe().segment_with_dropout(pretoken.text().as_bytes(), dropout, &mut random, &mut ids);
            }
            (ModelInput::Pretoken(pretoken), model) => {
                let encoded = model.encode(pretoken.text(), &mut scratch, &mut tokens);
                encoded.map_err(|refused| no_unknown(text, 0, pretoken, refused))?;
                ids.extend(tokens.drain(..).map(|(id, _)| id));
            }
        }
        Ok(())
    };
    tokenizer.observe(text, specials, &mut EachInput(each))?;
    Ok(ids)
}

/// The `count` most probable segmentations of a text, the best first; fewer where there are no more. The best one
/// is that of `encode_ids`, except in a `.model` that is asked for several ([`Unigram::n_best`]).
///
/// Errors: a model without scores; more than [`MAX_IDS`] ids; those of `encode_ids`.
pub fn n_best(tokenizer: &Tokenizer, text: &str, specials: Specials, count: usize) -> Result<Vec<Scored>, EncodeError> {
    let mut paths = Paths::new(count);
    each_unigram_input(tokenizer, text, specials, |input, model| {
        let next = match input {
            ModelInput::Added(found) => vec![Scored { ids: vec![found.id], score: 0.0 }],
            ModelInput::Pretoken(pretoken) => {
                let found = model.n_best(pretoken.text(), count);
                let found = found.map_err(|error| no_lattice(text, pretoken, error))?.into_iter();
                let ids = |tokens: Vec<(Id, _)>| tokens.into_iter().map(|(id, _)| id).collect();
                found.map(|one| Scored { ids: ids(one.tokens), score: one.score }).collect()
            }
        };
        paths.extend(next)
    })?;
    Ok(paths.into_scored())
}

/// A random segmentation of a text: the lower the temperature, the nearer to the best one. At 1 probabilities are
/// the model's.
///
/// Errors: a model without scores; those of `encode_ids`.
pub fn sample(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
    temperature: f64,
    seed: u64,
) -> Result<Vec<Id>, EncodeError> {
    if temperature == 0.0 && is_unigram(tokenizer) {
        return tokenizer.encode_ids(text, specials);
    }
    let mut random = Random::new(seed);
    let mut ids = vec![];
    each_unigram_input(tokenizer, text, specials, |input, model| {
        match input {
            ModelInput::Added(found) => ids.push(found.id),
            ModelInput::Pretoken(pretoken) => {
                let drawn = Lattice::new(model, pretoken.text(), UserDefined::ByCharacters)
                    .and_then(|lattice| lattice.sample(temperature, &mut random))
                    .map_err(|error| no_lattice(text, pretoken, error))?;
                ids.extend(drawn.tokens.into_iter().map(|(id, _)| id));
            }
        }
        Ok(())
    })?;
    Ok(ids)
}

fn is_unigram(tokenizer: &Tokenizer) -> bool {
    matches!(tokenizer.model(), Model::Unigram(_))
}

fn no_scores(tokenizer: &Tokenizer) -> EncodeError {
    EncodeError::NoScores { model: tokenizer.model_name().to_owned() }
}

/// Calls `each` with every input of a Unigram model.
fn each_unigram_input(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
    mut each: impl FnMut(ModelInput<'_>, &Unigram) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    let Model::Unigram(model) = tokenizer.model() else { return Err(no_scores(tokenizer)) };
    tokenizer.observe(text, specials, &mut EachInput(|input: ModelInput<'_>| each(input, model)))
}

/// The most ids that [`n_best`] returns, over all paths: 100 MB, and as much again for the choices that lead to them.
pub(crate) const MAX_IDS: usize = 25_000_000;

/// The best paths through a text, one part after the other. A path is a chain of choices back to the start, so that a part
/// costs the same however many come before it.
struct Paths {
    count: usize,
    /// Scores of the best paths so far, the best first.
    scores: Vec<f64>,
    parts: Vec<Part>,
    /// Ids of a longest path.
    longest: usize,
    /// Choices in all parts.
    choices: usize,
}

/// One part of the text.
struct Part {
    /// Its own paths.
    paths: Vec<Vec<Id>>,
    /// By path up to here: the path up to the part before, and the part's own. Empty if the part has one path.
    choices: Vec<(u32, u32)>,
}

impl Paths {
    /// The one path through an empty text; at most `count` later on.
    fn new(count: usize) -> Self {
        Self { count, scores: if count == 0 { vec![] } else { vec![0.0] }, parts: vec![], longest: 0, choices: 0 }
    }

    /// Appends a part, its paths sorted from the best on.
    fn extend(&mut self, next: Vec<Scored>) -> Result<(), EncodeError> {
        let (paths, scores): (Vec<_>, Vec<_>) = next.into_iter().map(|path| (path.ids, path.score)).unzip();
        self.longest += paths.iter().map(Vec::len).max().unwrap_or(0);
        let choices = if let &[score] = &scores[..] {
            self.scores.iter_mut().for_each(|sum| *sum += score);
            vec![]
        } else {
            let (sums, choices) = best_pairs(&self.scores, &scores, self.count);
            self.scores = sums;
            choices
        };
        self.choices += choices.len();
        self.parts.push(Part { paths, choices });
        call::check()?;
        if self.scores.len().saturating_mul(self.longest).max(self.choices) > MAX_IDS {
            return Err(EncodeError::TooManyWays { count: self.scores.len(), tokens: self.longest, max: MAX_IDS });
        }
        Ok(())
    }

    /// The ids of every path.
    fn into_scored(self) -> Vec<Scored> {
        let ids_of = |mut path: usize| {
            let mut chosen = Vec::with_capacity(self.parts.len());
            for part in self.parts.iter().rev() {
                let (before, own) = part.choices.get(path).map_or((path, 0), |&(a, b)| (a as usize, b as usize));
                chosen.push(&part.paths[own]);
                path = before;
            }
            let ids: Vec<Id> = chosen.into_iter().rev().flatten().copied().collect();
            steps::count(self.parts.len() + ids.len());
            ids
        };
        self.scores.iter().enumerate().map(|(path, &score)| Scored { ids: ids_of(path), score }).collect()
    }
}

/// Two parts put together: their sum, and which ones of two sorted lists they are.
#[derive(PartialEq)]
struct Pair(f64, usize, usize);

impl Eq for Pair {}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then_with(|| (other.1, other.2).cmp(&(self.1, self.2)))
    }
}

/// The best sums of one of each of two lists, both sorted from the best on, and the index of each term.
///
/// Every pair enters the queue once: from (a, b) the next are (a + 1, b), and (0, b + 1) where a is 0. The queue is never
/// longer than the second list, the paths of one part.
fn best_pairs(first: &[f64], second: &[f64], count: usize) -> (Vec<f64>, Vec<(u32, u32)>) {
    let pair = |a: usize, b: usize| Some(Pair(first.get(a)? + second.get(b)?, a, b));
    let mut queue: BinaryHeap<Pair> = pair(0, 0).into_iter().collect();
    let (mut sums, mut choices) = (vec![], vec![]);
    while sums.len() < count
        && let Some(Pair(sum, a, b)) = queue.pop()
    {
        steps::count(1);
        sums.push(sum);
        choices.push((a as u32, b as u32));
        queue.extend(pair(a + 1, b));
        if a == 0 {
            queue.extend(pair(0, b + 1));
        }
    }
    (sums, choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best of all paths through parts, by listing them.
    fn all_paths(parts: &[Vec<Scored>]) -> Vec<Scored> {
        let mut all = vec![Scored { ids: vec![], score: 0.0 }];
        for part in parts {
            let pairs = all.iter().flat_map(|a| part.iter().map(move |b| (a, b)));
            let put = |(a, b): (&Scored, &Scored)| Scored {
                ids: [&a.ids[..], &b.ids[..]].concat(),
                score: a.score + b.score,
            };
            all = pairs.map(put).collect();
        }
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        all
    }

    fn paths(parts: Vec<Vec<Scored>>, count: usize) -> Vec<Scored> {
        let mut paths = Paths::new(count);
        parts.into_iter().for_each(|part| paths.extend(part).expect("few ids"));
        paths.into_scored()
    }

    #[test]
    fn paths_are_the_best_of_all() {
        let mut random = token_engine::internals::testing::Random::new(3);
        for _ in 0..200 {
            let parts: Vec<Vec<Scored>> = (0..random.below(5))
                .map(|part| {
                    // Powers of two of their own: no two sums are the same.
                    let score = |path: usize| -f64::from(1 << (part * 3 + path)) * (path > 0) as u8 as f64;
                    let ids = |path: usize| vec![(part * 10 + path) as Id; 1 + path];
                    (0..1 + random.below(3)).map(|path| Scored { ids: ids(path), score: score(path) }).collect()
                })
                .collect();
            let all = all_paths(&parts);
            for count in [0, 1, 2, 5, 1000] {
                assert_eq!(paths(parts.clone(), count), all[..count.min(all.len())], "{count} of {parts:?}");
            }
        }
    }

    #[test]
    fn work_grows_with_the_text_and_not_with_its_square() {
        let part = || (0..3).map(|path| Scored { ids: vec![path; 2], score: -f64::from(path) }).collect::<Vec<_>>();
        for count in [20, 10_000] {
            let work = |len: usize| steps::of(|| paths(vec![part(); len], count));
            let (once, twice) = (work(400), work(800));
            assert!(twice <= 2 * once + once / 10, "{count} paths: {once} steps, then {twice}");
        }
    }

    #[test]
    fn more_ids_than_memory_holds_are_refused() {
        let mut best = Paths::new(10_000);
        best.extend((0..10_000).map(|path| Scored { ids: vec![path], score: -f64::from(path) }).collect())
            .expect("few");
        let refused = (0..10_000).find_map(|_| best.extend(vec![Scored { ids: vec![1; 2], score: 0.0 }]).err());
        assert_eq!(
            refused,
            Some(EncodeError::TooManyWays { count: 10_000, tokens: MAX_IDS / 10_000 + 1, max: MAX_IDS })
        );
    }
}
