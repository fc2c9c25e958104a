//! All segmentations of a text at once: the best few of them, and random ones.
//!
//! Not here: the best one alone ([`Unigram::encode`], which needs no lattice).
//!
//! Source: Kudo 2018, Subword Regularization; the search is A* from the end of the text, where the best way from the start
//! to a place is known (Nagata 1994). A segmentation is drawn with a probability in proportion to
//! `exp(sum of scores / temperature)`, as in the paper; `tokenizers` 0.23 applies the temperature once more per token.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::Unigram;
use crate::ids::Id;
use crate::models::NotEncoded;
use crate::random::Random;

/// A token that may stand at a place of the text.
#[derive(Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// `None` for an unknown character.
    id: Option<Id>,
    score: f64,
}

/// All tokens that may stand anywhere in a text.
pub struct Lattice<'a> {
    model: &'a Unigram,
    text: &'a str,
    /// By rising start; all that start before a place come before all that start there.
    nodes: Vec<Node>,
    /// By byte of the text: the nodes that end there.
    ends: Vec<Vec<u32>>,
}

/// A segmentation: tokens with the bytes of the text they stand for, and the sum of their scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Segmentation {
    /// Ids and bytes.
    pub tokens: Vec<(Id, Range<usize>)>,
    /// Natural logarithm of the probability.
    pub score: f64,
}

/// A segmentation from a node to the end of the text.
struct Partial {
    node: Option<u32>,
    /// The one that it goes on with; index into all partial segmentations ever queued.
    next: Option<u32>,
    /// Its own score.
    after: f64,
}

/// What is looked at next: the largest score that can come of it, then what was queued first.
#[derive(PartialEq)]
struct Candidate {
    reachable: f64,
    partial: u32,
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.reachable.total_cmp(&other.reachable).then_with(|| other.partial.cmp(&self.partial))
    }
}

/// The queue is shortened to [`KEPT`] when it is longer than this; results beyond the first may then be missed.
const MAX_QUEUE: usize = 100_000;
const KEPT: usize = 512;

impl<'a> Lattice<'a> {
    /// The lattice of a text.
    pub fn new(model: &'a Unigram, text: &'a str) -> Self {
        let mut nodes = vec![];
        for (at, c) in text.char_indices() {
            let single = at + c.len_utf8();
            let mut has_single = false;
            model.trie.prefixes(&text.as_bytes()[at..], |id, len| {
                has_single |= at + len == single;
                nodes.push(Node {
                    start: at as u32,
                    end: (at + len) as u32,
                    id: Some(id),
                    score: model.scores[id as usize],
                });
            });
            if !has_single {
                nodes.push(Node { start: at as u32, end: single as u32, id: None, score: model.unknown_score });
            }
        }
        let mut ends = vec![vec![]; text.len() + 1];
        for (at, node) in nodes.iter().enumerate() {
            ends[node.end as usize].push(at as u32);
        }
        Self { model, text, nodes, ends }
    }

    /// The segmentations with the largest scores, at most `count`, the best first.
    ///
    /// Errors: an unknown character where there is no unknown token.
    ///
    /// ```
    /// # use token_engine::models::unigram::{Settings, Unigram, lattice::Lattice};
    /// # use token_engine::vocab::Vocab;
    /// let mut vocab = Vocab::default();
    /// for (id, token) in ["a", "b", "ab"].into_iter().enumerate() {
    ///     vocab.insert(id as u32, token.as_bytes()).unwrap();
    /// }
    /// let model = Unigram::new(vocab, vec![-1.0, -1.0, -1.5], Settings::default());
    /// let best = Lattice::new(&model, "ab").n_best(3).unwrap();
    /// assert_eq!(best.iter().map(|one| one.score).collect::<Vec<_>>(), [-1.5, -2.0]);
    /// assert_eq!(best[1].tokens, [(0, 0..1), (1, 1..2)]);
    /// ```
    pub fn n_best(&self, count: usize) -> Result<Vec<Segmentation>, NotEncoded> {
        let best = self.best_until();
        let mut partials = vec![Partial { node: None, next: None, after: 0.0 }];
        let mut queue = BinaryHeap::from([Candidate { reachable: best[self.text.len()], partial: 0 }]);
        let mut found = vec![];
        // Ends: a candidate is replaced by longer ones, and no segmentation is longer than the text.
        while found.len() < count
            && let Some(Candidate { partial, .. }) = queue.pop()
        {
            let Partial { node, after, .. } = partials[partial as usize];
            let start = node.map_or(self.text.len(), |node| self.nodes[node as usize].start as usize);
            if start == 0 {
                found.push(self.segmentation(&partials, partial)?);
                continue;
            }
            for &before in &self.ends[start] {
                let node = self.nodes[before as usize];
                let after = after + node.score;
                queue.push(Candidate { reachable: best[node.start as usize] + after, partial: partials.len() as u32 });
                partials.push(Partial { node: Some(before), next: Some(partial), after });
            }
            if queue.len() > MAX_QUEUE {
                queue = (0..KEPT.min(count.saturating_mul(10))).filter_map(|_| queue.pop()).collect();
            }
        }
        Ok(found)
    }

    /// All tokens that may stand anywhere: the bytes they stand for, their id (`None` for an unknown character) and score.
    pub fn nodes(&self) -> impl Iterator<Item = (Range<usize>, Option<Id>, f64)> {
        self.nodes.iter().map(|node| (node.start as usize..node.end as usize, node.id, node.score))
    }

    /// The segmentation with the largest score of those that do not split the text at byte `boundary`; `None` where all
    /// do.
    ///
    /// Errors: an unknown character where there is no unknown token.
    pub fn best_without(&self, boundary: usize) -> Result<Option<Segmentation>, NotEncoded> {
        let mut best: Vec<(f64, Option<u32>)> = vec![(f64::NEG_INFINITY, None); self.text.len() + 1];
        best[0].0 = 0.0;
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.end as usize != boundary) {
            let way = best[node.start as usize].0 + node.score;
            if way > best[node.end as usize].0 {
                best[node.end as usize] = (way, Some(at as u32));
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
        Ok(Some(Segmentation { tokens, score: best[self.text.len()].0 }))
    }

    /// A random segmentation: the lower the temperature, the nearer to the best one. At 1 probabilities are the model's.
    ///
    /// Errors: an unknown character where there is no unknown token.
    pub fn sample(&self, temperature: f64, random: &mut Random) -> Result<Segmentation, NotEncoded> {
        let nodes: Vec<_> = self.nodes().map(|(range, _, score)| (range, score)).collect();
        let drawn = draw(&nodes, &self.ends, temperature, random);
        let score = drawn.iter().rev().map(|&node| nodes[node as usize].1).sum();
        let path = drawn.iter().map(|&node| (self.nodes[node as usize].id, nodes[node as usize].0.clone()));
        let mut tokens = vec![];
        self.model.push_path(self.text, path, &mut |id, range| tokens.push((id, range)))?;
        Ok(Segmentation { tokens, score })
    }

    /// By place: the largest score of a way there.
    fn best_until(&self) -> Vec<f64> {
        let mut best = vec![f64::NEG_INFINITY; self.text.len() + 1];
        best[0] = 0.0;
        for node in &self.nodes {
            let way = best[node.start as usize] + node.score;
            best[node.end as usize] = best[node.end as usize].max(way);
        }
        best
    }

    fn segmentation(&self, partials: &[Partial], first: u32) -> Result<Segmentation, NotEncoded> {
        let mut path = vec![];
        let mut at = Some(first);
        while let Some(Partial { node, next, .. }) = at.map(|at| &partials[at as usize]) {
            path.extend(node.map(|node| self.nodes[node as usize]));
            at = *next;
        }
        let mut tokens = vec![];
        let path = path.into_iter().map(|node| (node.id, node.start as usize..node.end as usize));
        self.model.push_path(self.text, path, &mut |id, range| tokens.push((id, range)))?;
        Ok(Segmentation { tokens, score: partials[first as usize].after })
    }
}

/// A random way through a lattice, as indices of nodes in the order of the text. Nodes are the bytes they stand for and their
/// score, by rising start; `ends` has those that end at each byte.
pub fn draw(nodes: &[(Range<usize>, f64)], ends: &[Vec<u32>], temperature: f64, random: &mut Random) -> Vec<u32> {
    // Below this only equal sums are left to chance; a sum over a long text must not overflow.
    let warm = |score: f64| score / temperature.max(1e-6);
    // By place: the logarithm of the sum over all ways there.
    let mut sums = vec![f64::NEG_INFINITY; ends.len()];
    sums[0] = 0.0;
    for (range, score) in nodes {
        let way = sums[range.start] + warm(*score);
        sums[range.end] = log_sum(sums[range.end], way);
    }
    let (mut path, mut end) = (vec![], ends.len() - 1);
    while end > 0 {
        let mut rest = random.next_unit();
        let ways = &ends[end];
        // Rounding may leave a little after the last one.
        let chosen = ways.iter().copied().find(|&node| {
            let (range, score) = &nodes[node as usize];
            rest -= (sums[range.start] + warm(*score) - sums[end]).exp();
            rest < 0.0
        });
        let Some(node) = chosen.or(ways.last().copied()) else { break };
        path.push(node);
        end = nodes[node as usize].0.start;
    }
    path.reverse();
    path
}

/// `ln(exp(a) + exp(b))`.
pub(super) fn log_sum(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY { large } else { large + (small - large).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::unigram::{Scratch, Settings, naive};
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
                let found = Lattice::new(&model, text).n_best(count).expect("there is an unknown token");
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
            let lattice = Lattice::new(&model, text);
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
        let lattice = Lattice::new(&model, text);
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
}
