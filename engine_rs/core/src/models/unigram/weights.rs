//! What all segmentations of a text say together: how probable a boundary is at each place, and where each of them
//! splits the text.
//!
//! A segmentation has the probability `exp(sum of scores)`, divided by the sum of that over all of them; the sums are taken
//! forward and backward over the nodes of a lattice. Unknown neighbours become one token, so that between them is no
//! boundary. Not here: the segmentations themselves ([`super::lattice`]).
//!
//! Source: Kudo 2018, Subword Regularization; forward-backward as in Rabiner 1989.

use std::ops::Range;

use super::lattice::log_sum;

/// A token that may stand somewhere in a text.
#[derive(Clone, Debug)]
pub struct Node {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Natural logarithm of its probability.
    pub score: f64,
    /// Whether it becomes one token with neighbours of its kind.
    pub is_unknown: bool,
}

/// Logarithms of the sums over all paths, by place.
#[derive(Clone, Debug)]
pub struct Weights {
    /// From the start to the place.
    forward: Vec<f64>,
    /// From the place to the end.
    backward: Vec<f64>,
    /// The part of `forward` whose last node is unknown.
    unknown_before: Vec<f64>,
    /// The part of `backward` whose first node is unknown.
    unknown_behind: Vec<f64>,
}

impl Weights {
    /// The sums over a text of `len` bytes; `nodes` are all that may stand in it, by rising start.
    ///
    /// ```
    /// # use token_engine::models::unigram::weights::{Node, Weights};
    /// let node = |range, probability: f64| Node { range, score: probability.ln(), is_unknown: false };
    /// // Split, the text has a quarter of the probability that it has whole.
    /// let weights = Weights::new(&[node(0..1, 0.2), node(0..2, 0.4), node(1..2, 0.5)], 2);
    /// assert!((weights.boundary(1) - 0.2).abs() < 1e-12);
    /// assert!((weights.of_path(0.4_f64.ln(), 0..2) - 0.8).abs() < 1e-12);
    /// ```
    pub fn new(nodes: &[Node], len: usize) -> Self {
        let nowhere = || vec![f64::NEG_INFINITY; len + 1];
        let mut all =
            Self { forward: nowhere(), backward: nowhere(), unknown_before: nowhere(), unknown_behind: nowhere() };
        (all.forward[0], all.backward[len]) = (0.0, 0.0);
        let add = |sum: &mut f64, path: f64| *sum = log_sum(*sum, path);
        for Node { range, score, is_unknown } in nodes {
            let path = all.forward[range.start] + score;
            add(&mut all.forward[range.end], path);
            if *is_unknown {
                add(&mut all.unknown_before[range.end], path);
            }
        }
        for Node { range, score, is_unknown } in nodes.iter().rev() {
            let path = all.backward[range.end] + score;
            add(&mut all.backward[range.start], path);
            if *is_unknown {
                add(&mut all.unknown_behind[range.start], path);
            }
        }
        all
    }

    /// The probability that the text is split at byte `at`.
    pub fn boundary(&self, at: usize) -> f64 {
        let share = |before: f64, behind: f64| (before + behind - self.backward[0]).exp();
        let joined = share(self.unknown_before[at], self.unknown_behind[at]);
        (share(self.forward[at], self.backward[at]) - joined).clamp(0.0, 1.0)
    }

    /// The probability of a path with this sum of scores to split a stretch, over whose ends no node reaches.
    pub fn of_path(&self, score: f64, stretch: Range<usize>) -> f64 {
        (score - (self.forward[stretch.end] - self.forward[stretch.start])).exp().min(1.0)
    }
}

/// The stretches between the places at which every segmentation splits the text.
pub fn units(nodes: &[Node], len: usize) -> Vec<Range<usize>> {
    let mut unknown_ends = vec![false; len + 1];
    nodes.iter().filter(|node| node.is_unknown).for_each(|node| unknown_ends[node.range.end] = true);
    let (mut units, mut start, mut reach) = (vec![], 0, 0);
    for here in nodes.chunk_by(|a, b| a.range.start == b.range.start) {
        let at = here[0].range.start;
        let joins = unknown_ends[at] && here.iter().any(|node| node.is_unknown);
        if at > start && reach <= at && !joins {
            units.push(start..at);
            start = at;
        }
        reach = here.iter().map(|node| node.range.end).fold(reach, usize::max);
    }
    if start < len {
        units.push(start..len);
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// The definition: every path from byte `at` on, as the ends of its tokens and the product of their probabilities.
    fn all(nodes: &[Node], at: usize, len: usize) -> Vec<(Vec<Node>, f64)> {
        if at == len {
            return vec![(vec![], 1.0)];
        }
        let here = nodes.iter().filter(|node| node.range.start == at);
        here.flat_map(|node| {
            let rest = all(nodes, node.range.end, len).into_iter();
            rest.map(|(path, product)| ([vec![node.clone()], path].concat(), product * node.score.exp()))
        })
        .collect()
    }

    /// Where a path splits: between its nodes, but not between two unknown ones.
    fn boundaries(path: &[Node]) -> Vec<usize> {
        let boundary = |pair: &[Node]| (!(pair[0].is_unknown && pair[1].is_unknown)).then_some(pair[1].range.start);
        path.windows(2).filter_map(boundary).collect()
    }

    #[test]
    fn the_same_as_counting_all_paths() {
        let mut random = Random::new(3);
        for _ in 0..400 {
            let len = 1 + random.below(8);
            let mut nodes: Vec<Node> = vec![];
            for start in 0..len {
                let single = Node { range: start..start + 1, score: -4.0, is_unknown: random.below(3) == 0 };
                nodes.push(single);
                for end in start + 2..=len.min(start + 4) {
                    if random.below(3) == 0 {
                        let score = -(random.below(60) as f64) / 10.0;
                        nodes.push(Node { range: start..end, score, is_unknown: random.below(9) == 0 });
                    }
                }
            }
            let weights = Weights::new(&nodes, len);
            let paths = all(&nodes, 0, len);
            let total: f64 = paths.iter().map(|path| path.1).sum();
            for at in 1..len {
                let here = paths.iter().filter(|(path, _)| boundaries(path).contains(&at));
                let expected = here.map(|path| path.1).sum::<f64>() / total;
                assert!((weights.boundary(at) - expected).abs() < 1e-9, "{at} of {nodes:?}");
            }
            let ends: Vec<usize> = units(&nodes, len).iter().map(|unit| unit.end).collect();
            let everywhere = (1..len).filter(|at| paths.iter().all(|(path, _)| boundaries(path).contains(at)));
            assert_eq!(ends, everywhere.chain([len]).collect::<Vec<_>>(), "{nodes:?}");
            for (path, product) in &paths {
                let score = path.iter().map(|node| node.score).sum();
                assert!((weights.of_path(score, 0..len) - product / total).abs() < 1e-9, "{nodes:?}");
            }
        }
    }

    #[test]
    fn a_long_text_is_no_matter() {
        let nodes = |at: usize| [at..at + 1, at..at + 2].map(|range| Node { range, score: -9.0, is_unknown: false });
        let len = 20_000;
        let nodes: Vec<Node> = (0..len).flat_map(nodes).filter(|node| node.range.end <= len).collect();
        let weights = Weights::new(&nodes, len);
        // In the middle as far from the ends as can be measured: the same at every place.
        assert!((weights.boundary(len / 2) - weights.boundary(len / 2 + 1)).abs() < 1e-9);
        assert_eq!(units(&nodes, len), vec![0..len]);
        assert!(units(&[], 0).is_empty());
    }
}
