//! All segmentations of a text at once: the best few of them, and random ones.
//!
//! Sums are rounded as the model's policy says; rounding and the order of equal sums are those of the n-best of
//! `sentencepiece`. Not here: the best one alone ([`Unigram::encode`], which needs no lattice).
//!
//! Source: Kudo 2018, Subword Regularization; the search is A* from the end of the text, where the best path from the start
//! to a place is known (Nagata 1994). A segmentation is drawn with a probability in proportion to
//! `exp(sum of scores / temperature)`, as in the paper; `tokenizers` 0.23 applies the temperature once more per token.

use std::ops::Range;

use super::{Scratch, Unigram, UserDefined, user_defined_score, weights};
use crate::call::{self, Cancelled, Checks, LATTICE_TOKENS};
use crate::ids::Id;
use crate::models::UnknownSymbol;
use crate::random::Random;
use crate::vocab::Kind;

/// A token that may occur at a place of the text.
#[derive(Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// `None` for an unknown character.
    id: Option<Id>,
    score: f64,
    /// Sum of the best path from the start of the text to the end of this token.
    until: f64,
}

/// All tokens that may occur anywhere in a text.
pub struct Lattice<'a> {
    model: &'a Unigram,
    text: &'a str,
    /// By rising start; all that start before a place come before all that start there.
    nodes: Vec<Node>,
    /// The nodes by the byte at which they end, those of one byte by rising start.
    by_end: Vec<u32>,
    /// By byte of the text: where in `by_end` those that end there begin; one more than there are bytes and ends.
    ends: Vec<u32>,
}

/// Why there is no lattice, or no segmentation of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LatticeError {
    /// An unknown character where there is no unknown token.
    Unknown(UnknownSymbol),
    /// More tokens than [`call::LATTICE_TOKENS`], or more paths or tokens of segmentations than that.
    TooLarge,
    /// The call was cancelled.
    Cancelled(Cancelled),
}

impl From<UnknownSymbol> for LatticeError {
    fn from(unknown: UnknownSymbol) -> Self {
        Self::Unknown(unknown)
    }
}

impl From<Cancelled> for LatticeError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

/// Whether there may be one more than `len` nodes, paths or tokens.
fn may_grow(len: usize) -> Result<(), LatticeError> {
    if len < LATTICE_TOKENS { Ok(()) } else { Err(LatticeError::TooLarge) }
}

/// A segmentation: tokens with the bytes of the text they stand for, and the sum of their scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Segmentation {
    /// Ids and bytes.
    pub tokens: Vec<(Id, Range<usize>)>,
    /// Natural logarithm of the probability.
    pub score: f64,
    /// The same, added from the left: scores of several paths are added in different orders, so that they round differently.
    pub sum: f64,
}

/// A segmentation from a node to the end of the text.
#[derive(Clone, Copy)]
struct Partial {
    node: At,
    /// The one that it goes on with; index into all partial segmentations ever queued.
    next: u32,
    /// Sum of its scores, added from the end.
    after: f64,
}

/// Where a partial segmentation starts.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Start,
    Node(u32),
    End,
}

/// The queue is shortened to [`KEPT`] when it is as long as this; results beyond the first may then be missed. The limit of
/// `sentencepiece`, for its models, and a larger one.
const MAX_QUEUE_OF_MODEL: usize = 10_000;
const MAX_QUEUE: usize = 100_000;
const KEPT: usize = 512;

impl<'a> Lattice<'a> {
    /// The lattice of a text.
    ///
    /// Errors: more tokens than [`call::LATTICE_TOKENS`]; the call was cancelled.
    pub fn new(model: &'a Unigram, text: &'a str, user_defined: UserDefined) -> Result<Self, LatticeError> {
        may_grow(text.len())?;
        let mut nodes: Vec<Node> = vec![];
        // By byte: the largest sum of the paths to there, and the number of nodes that end there.
        let mut best: Vec<(f64, u32)> = vec![(0.0, 0); text.len() + 1];
        let mut checks = Checks::default();
        for (start, c) in text.char_indices() {
            checks.step()?;
            may_grow(nodes.len())?;
            let here = best[start].0;
            let mut push = |id: Option<Id>, len: usize, score: f64| {
                let until = model.add(here, score);
                let (sum, count) = &mut best[start + len];
                if *count == 0 || until > *sum {
                    *sum = until;
                }
                *count += 1;
                nodes.push(Node { start: start as u32, end: (start + len) as u32, id, score, until });
            };
            let mut has_single = false;
            model.trie.prefixes(&text.as_bytes()[start..], |id, len| {
                has_single |= len == c.len_utf8();
                let score = match &model.kinds {
                    Some(kinds) if user_defined == UserDefined::ByCharacters && kinds.of(id) == Kind::UserDefined => {
                        user_defined_score(text[start..start + len].chars().count()).into()
                    }
                    _ => model.weight(id),
                };
                push(Some(id), len, score);
            });
            if !has_single {
                push(None, c.len_utf8(), model.unknown_weight());
            }
        }
        let mut ends: Vec<u32> = Vec::with_capacity(text.len() + 2);
        ends.push(0);
        best.iter().for_each(|(_, count)| ends.push(ends[ends.len() - 1] + count));
        let mut next = ends.clone();
        let mut by_end = vec![0; nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            let next = &mut next[node.end as usize];
            by_end[*next as usize] = number as u32;
            *next += 1;
        }
        Ok(Self { model, text, nodes, by_end, ends })
    }

    /// The nodes that end at byte `end`.
    fn ending_at(&self, end: usize) -> &[u32] {
        &self.by_end[self.ends[end] as usize..self.ends[end + 1] as usize]
    }

    /// The largest sum of the paths from the start to byte `end`.
    fn best_until(&self, end: usize) -> f64 {
        let paths = self.ending_at(end).iter().map(|&node| self.nodes[node as usize].until);
        paths.reduce(|best, path| if path > best { path } else { best }).unwrap_or_default()
    }

    /// The segmentations with the largest scores, at most `count`, the best first.
    ///
    /// Errors: an unknown character where there is no unknown token; more paths to follow, or tokens in the segmentations, than
    /// [`call::LATTICE_TOKENS`]; the call was cancelled.
    pub fn n_best(&self, count: usize) -> Result<Vec<Segmentation>, LatticeError> {
        let max_queue = if self.model.kinds.is_some() { MAX_QUEUE_OF_MODEL } else { MAX_QUEUE };
        let mut partials = vec![Partial { node: At::End, next: 0, after: 0.0 }];
        let mut queue = Queue::default();
        queue.push((self.best_until(self.text.len()), 0));
        let mut found = vec![];
        let (mut checks, mut tokens) = (Checks::default(), 0);
        // Ends: a candidate is replaced by longer ones, and no segmentation is longer than the text.
        while found.len() < count
            && let Some((score, top)) = queue.pop()
        {
            checks.step()?;
            may_grow(partials.len())?;
            let Partial { node, after, .. } = partials[top as usize];
            let start = match node {
                At::Start => {
                    let segmentation = self.segmentation(&partials, top, score)?;
                    tokens += segmentation.tokens.len();
                    may_grow(tokens)?;
                    found.push(segmentation);
                    continue;
                }
                At::Node(node) => self.nodes[node as usize].start as usize,
                At::End => self.text.len(),
            };
            let mut expand = |node: At, until: f64, own: f64| {
                queue.push((self.model.add(until, after), partials.len() as u32));
                partials.push(Partial { node, next: top, after: self.model.add(own, after) });
            };
            if start == 0 {
                expand(At::Start, 0.0, 0.0);
            }
            for &before in self.ending_at(start) {
                let Node { until, score, .. } = self.nodes[before as usize];
                expand(At::Node(before), until, score);
            }
            if queue.0.len() >= max_queue {
                let mut kept = Queue::default();
                (0..KEPT.min(count.saturating_mul(10))).filter_map(|_| queue.pop()).for_each(|one| kept.push(one));
                queue = kept;
            }
        }
        Ok(found)
    }

    /// All tokens that may stand anywhere: the bytes they stand for, their id (`None` for an unknown character) and score.
    pub fn nodes(&self) -> impl Iterator<Item = (Range<usize>, Option<Id>, f64)> {
        self.nodes.iter().map(|node| (node.start as usize..node.end as usize, node.id, node.score))
    }

    /// The nodes as all segmentations are weighed by ([`weights::Weights`]).
    pub fn weighed(&self) -> Vec<weights::Node> {
        let joins = self.model.joins_unknown();
        let is_unknown = |id: Option<Id>| joins && (id.is_none() || id == self.model.settings().unknown);
        let node = |(range, id, score)| weights::Node { range, score, is_unknown: is_unknown(id) };
        self.nodes().map(node).collect()
    }

    /// By node: the sum of the scores of the best path from the start of the text to its end.
    pub fn sums(&self) -> impl Iterator<Item = f64> {
        self.nodes.iter().map(|node| node.until)
    }

    /// The segmentation with the largest score of those that do not split the text at byte `boundary`; `None` where all
    /// do.
    ///
    /// Errors: an unknown character where there is no unknown token; the call was cancelled.
    pub fn best_without(&self, boundary: usize) -> Result<Option<Segmentation>, LatticeError> {
        call::check()?;
        let mut best: Vec<(f64, Option<u32>)> = vec![(f64::NEG_INFINITY, None); self.text.len() + 1];
        best[0].0 = 0.0;
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.end as usize != boundary) {
            let path = self.model.add(best[node.start as usize].0, node.score);
            if path > best[node.end as usize].0 {
                best[node.end as usize] = (path, Some(at as u32));
            }
        }
        let (mut path, mut end) = (vec![], self.text.len());
        while end > 0 {
            let Some(node) = best[end].1.map(|node| self.nodes[node as usize]) else { return Ok(None) };
            path.push((node.id, node.start as usize..end));
            end = node.start as usize;
        }
        let mut tokens = vec![];
        self.model.push_path(self.text, path.into_iter().rev(), &mut |id, range| tokens.push((id, range)))?;
        let sum = best[self.text.len()].0;
        Ok(Some(Segmentation { tokens, score: sum, sum }))
    }

    /// A random segmentation: the lower the temperature, the nearer to the best one. At 1 probabilities are the model's.
    ///
    /// Errors: an unknown character where there is no unknown token; the call was cancelled.
    pub fn sample(&self, temperature: f64, random: &mut Random) -> Result<Segmentation, LatticeError> {
        self.draws(temperature)?.next(random)
    }

    /// What random segmentations are drawn from, as by [`sample`](Self::sample).
    ///
    /// Errors: the call was cancelled.
    pub fn draws(&self, temperature: f64) -> Result<Draws<'_>, LatticeError> {
        // Below this only equal sums are left to chance; a sum over a long text must not overflow.
        let temperature = temperature.max(1e-6);
        let mut sums = vec![f64::NEG_INFINITY; self.text.len() + 1];
        sums[0] = 0.0;
        let mut checks = Checks::default();
        for node in &self.nodes {
            checks.step()?;
            let path = sums[node.start as usize] + node.score / temperature;
            let sum = &mut sums[node.end as usize];
            *sum = log_sum(*sum, path);
        }
        Ok(Draws { lattice: self, temperature, sums })
    }

    /// The same as [`Unigram::n_best`] of more than one.
    ///
    /// Errors: as [`Self::n_best`].
    pub fn n_best_as_encoded(&self, count: usize) -> Result<Vec<Segmentation>, LatticeError> {
        let mut found = self.n_best(count)?;
        if self.model.kinds.is_some() || found.is_empty() {
            return Ok(found);
        }
        let encoded = self.model.encoded(self.text)?;
        let first = Segmentation { score: found[0].score, ..encoded };
        let same =
            |one: &Segmentation| one.tokens.iter().map(|token| token.0).eq(first.tokens.iter().map(|token| token.0));
        let place = found.iter().position(same).unwrap_or(found.len() - 1);
        found.remove(place);
        found.insert(0, first);
        Ok(found)
    }

    fn segmentation(&self, partials: &[Partial], first: u32, score: f64) -> Result<Segmentation, UnknownSymbol> {
        let mut path = vec![];
        let mut partial = partials[first as usize];
        while partial.node != At::End {
            if let At::Node(node) = partial.node {
                path.push(self.nodes[node as usize]);
            }
            partial = partials[partial.next as usize];
        }
        let sum = path.iter().fold(0.0, |sum, node| self.model.add(sum, node.score));
        let mut tokens = vec![];
        let path = path.into_iter().map(|node| (node.id, node.start as usize..node.end as usize));
        self.model.push_path(self.text, path, &mut |id, range| tokens.push((id, range)))?;
        Ok(Segmentation { tokens, score, sum })
    }
}

impl Unigram {
    /// The best segmentations of a pretoken, at most `count`, the best first.
    ///
    /// In a tokenizer.json that of encoding comes first of equal ones. For one, a `.model` returns that of encoding; for
    /// several those of the library's n-best, whose first need not be the same: user-defined tokens are scored in another path
    /// there, and of equal sums another one may come first.
    ///
    /// Errors: as [`Lattice::new`] and [`Lattice::n_best`].
    pub fn n_best(&self, pretoken: &str, count: usize) -> Result<Vec<Segmentation>, LatticeError> {
        if self.kinds.is_some() && count == 1 {
            return Ok(vec![self.encoded(pretoken)?]);
        }
        Lattice::new(self, pretoken, UserDefined::ByCharacters)?.n_best_as_encoded(count)
    }

    /// The segmentation of encoding.
    ///
    /// Errors: an unknown character where there is no unknown token.
    pub fn encoded(&self, pretoken: &str) -> Result<Segmentation, LatticeError> {
        let path = self.best_path(pretoken, &mut Scratch::default())?;
        let weight = |id: &Option<Id>| id.map_or(self.unknown_weight(), |id| self.weight(id));
        let sum = path.iter().fold(0.0, |sum, (id, _)| self.add(sum, weight(id)));
        let mut tokens = vec![];
        self.push_path(pretoken, path.into_iter(), &mut |id, range| tokens.push((id, range)))?;
        Ok(Segmentation { tokens, score: sum, sum })
    }
}

/// Random segmentations of a text.
pub struct Draws<'a> {
    lattice: &'a Lattice<'a>,
    temperature: f64,
    /// By place: the logarithm of the sum over all paths there.
    sums: Vec<f64>,
}

impl Draws<'_> {
    /// The next one.
    ///
    /// Errors: an unknown character where there is no unknown token.
    pub fn next(&self, random: &mut Random) -> Result<Segmentation, LatticeError> {
        let Lattice { model, text, nodes, .. } = self.lattice;
        let (mut path, mut end) = (vec![], text.len());
        while end > 0 {
            let mut rest = random.next_unit();
            let mut paths = self.lattice.ending_at(end).iter().map(|&node| nodes[node as usize]);
            // Rounding may leave a little after the last one.
            let chosen = paths.clone().find(|node| {
                rest -= (self.sums[node.start as usize] + node.score / self.temperature - self.sums[end]).exp();
                rest < 0.0
            });
            let Some(node) = chosen.or(paths.next_back()) else { break };
            path.push(node);
            end = node.start as usize;
        }
        let sum = path.iter().map(|node| node.score).sum();
        let path = path.iter().rev().map(|node| (node.id, node.start as usize..node.end as usize));
        let mut tokens = vec![];
        model.push_path(text, path, &mut |id, range| tokens.push((id, range)))?;
        Ok(Segmentation { tokens, score: sum, sum })
    }
}

/// A heap of sums and partial segmentations, the largest sum first. Of equal sums the order is the one in which the heap of
/// the GNU C++ library returns them, which the n-best of the reference depend on: a value taken from the top leaves a hole
/// that goes all the path down, to the right where children are equal, and the last value rises from there.
#[derive(Default)]
struct Queue(Vec<(f64, u32)>);

impl Queue {
    fn push(&mut self, value: (f64, u32)) {
        self.0.push(value);
        self.rise(self.0.len() - 1, value);
    }

    fn rise(&mut self, mut hole: usize, value: (f64, u32)) {
        while hole > 0 && self.0[(hole - 1) / 2].0 < value.0 {
            self.0[hole] = self.0[(hole - 1) / 2];
            hole = (hole - 1) / 2;
        }
        self.0[hole] = value;
    }

    fn pop(&mut self) -> Option<(f64, u32)> {
        let last = self.0.pop()?;
        let Some(&top) = self.0.first() else { return Some(last) };
        let (len, mut hole) = (self.0.len(), 0);
        while 2 * hole + 1 < len {
            let (left, right) = (2 * hole + 1, 2 * hole + 2);
            let child = if right < len && self.0[right].0 >= self.0[left].0 { right } else { left };
            self.0[hole] = self.0[child];
            hole = child;
        }
        self.rise(hole, last);
        Some(top)
    }
}

/// `ln(exp(a) + exp(b))`.
pub(super) fn log_sum(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY { large } else { large + (small - large).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::unigram::tests::naive;
    use crate::models::unigram::{Scratch, Settings};
    use crate::vocab::Vocab;

    fn model() -> Unigram {
        let tokens = [("?", 0.0), ("a", -1.0), ("b", -1.2), ("ab", -1.5), ("ba", -2.1), ("aba", -2.0)];
        let mut vocab = Vocab::default();
        for (id, (token, _)) in tokens.iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        Unigram::new(vocab, tokens.map(|token| token.1).to_vec(), Settings { unknown: Some(0), byte_fallback: false })
    }

    #[test]
    fn n_best_are_the_best_of_all() {
        let model = model();
        for text in ["", "a", "abab", "abaxbab", "xx"] {
            let mut expected: Vec<f64> = naive::all(&model, text).into_iter().map(|path| path.1).collect();
            expected.sort_by(|a, b| b.total_cmp(a));
            for count in [0, 1, 4, 1000] {
                let found = Lattice::new(&model, text, UserDefined::ByBytes)
                    .expect("small")
                    .n_best(count)
                    .expect("there is an unknown token");
                assert_eq!(found.len(), count.min(expected.len()), "{text}");
                assert!(found.iter().zip(&expected).all(|(found, score)| (found.score - score).abs() < 1e-9), "{text}");
                if let Some(best) = found.first() {
                    let mut tokens = vec![];
                    model.encode(text, &mut Scratch::default(), &mut tokens).expect("there is an unknown token");
                    assert_eq!(best.tokens, tokens, "{text}");
                }
            }
        }
    }

    #[test]
    fn the_best_without_a_boundary_is_the_best_of_those_that_have_none_there() {
        let model = model();
        for text in ["abab", "aba", "babaab", "bb"] {
            let lattice = Lattice::new(&model, text, UserDefined::ByBytes).expect("small");
            let all = lattice.n_best(1000).expect("there is an unknown token");
            for boundary in 1..text.len() {
                let found = lattice.best_without(boundary).expect("there is an unknown token");
                let whole = |one: &&Segmentation| !one.tokens.iter().any(|(_, range)| range.start == boundary);
                let expected = all.iter().find(whole);
                assert_eq!(found.map(|one| one.score), expected.map(|one| one.score), "{text} {boundary}");
            }
        }
    }

    #[test]
    fn samples_follow_the_scores() {
        let model = model();
        let (text, temperature) = ("abab", 1.5);
        let lattice = Lattice::new(&model, text, UserDefined::ByBytes).expect("small");
        let all = naive::all(&model, text);
        let total: f64 = all.iter().map(|(_, score)| (score / temperature).exp()).sum();
        let mut random = Random::new(17);
        const DRAWS: usize = 20_000;
        let draws: Vec<_> = (0..DRAWS).map(|_| lattice.sample(temperature, &mut random).expect("known")).collect();
        for (ids, score) in all {
            let drawn =
                draws.iter().filter(|drawn| drawn.tokens.iter().map(|token| Some(token.0)).eq(ids.iter().copied()));
            let (frequency, expected) = (drawn.count() as f64 / DRAWS as f64, (score / temperature).exp() / total);
            assert!((frequency - expected).abs() < 0.02, "{ids:?}: {frequency}, expected {expected}");
        }
        let cold = lattice.sample(0.0, &mut random).expect("known");
        assert_eq!(cold.tokens, lattice.n_best(1).expect("known")[0].tokens);
    }

    #[test]
    fn example_of_lattice_n_best() {
        use crate::models::unigram::{Settings, Unigram, UserDefined, lattice::Lattice};
        use crate::vocab::Vocab;
        let mut vocab = Vocab::default();
        for (id, token) in ["a", "b", "ab"].into_iter().enumerate() {
            vocab.insert(id as u32, token.as_bytes()).unwrap();
        }
        let model = Unigram::new(vocab, vec![-1.0, -1.0, -1.5], Settings::default());
        let best = Lattice::new(&model, "ab", UserDefined::ByBytes).unwrap().n_best(3).unwrap();
        assert_eq!(best.iter().map(|one| one.score).collect::<Vec<_>>(), [-1.5, -2.0]);
        assert_eq!(best[1].tokens, [(0, 0..1), (1, 1..2)]);
    }

    #[test]
    fn memory_is_bounded() {
        let model = model();
        let refused = |text: &str| Lattice::new(&model, text, UserDefined::ByBytes).map(drop);
        assert_eq!(
            refused(&"ab".repeat(LATTICE_TOKENS / 4)),
            Err(LatticeError::TooLarge),
            "five nodes for two characters"
        );
        assert_eq!(refused(&"ab".repeat(1000)), Ok(()));
        let text = "ab".repeat(2000);
        let lattice = Lattice::new(&model, &text, UserDefined::ByBytes).expect("small");
        assert_eq!(lattice.n_best(10_000), Err(LatticeError::TooLarge), "10,000 segmentations of 2,000 tokens");
        let short = Lattice::new(&model, "ababab", UserDefined::ByBytes).expect("small");
        assert_eq!(short.n_best(3).map(|found| found.len()), Ok(3));
    }

    #[test]
    fn a_cancelled_call_ends() {
        let call = std::sync::Arc::new(call::Call::default());
        let _entered = call::enter(Some(std::sync::Arc::clone(&call)));
        let (model, text) = (model(), "ab".repeat(5000));
        let lattice = Lattice::new(&model, &text, UserDefined::ByBytes).expect("small");
        call.cancel();
        let cancelled = LatticeError::Cancelled(Cancelled);
        assert_eq!(Lattice::new(&model, &text, UserDefined::ByBytes).map(drop), Err(cancelled.clone()));
        assert_eq!(lattice.sample(1.0, &mut Random::new(1)).map(drop), Err(cancelled.clone()));
        assert_eq!(lattice.n_best(1000).map(drop), Err(cancelled));
    }
}
