//! All segmentations of a text at once, with sums of 32-bit floats: the best few of them, and random ones.
//!
//! Sums, their rounding and the order of equal ones are those of the reference's n best, which scores user-defined tokens in
//! another way than its encoding does: [`Sums`]. Not here: the best one alone ([`super::Tables::encode`]), 64-bit scores
//! ([`crate::models::unigram::lattice`]).
//!
//! Source: Kudo 2018, Subword Regularization; the search is A* from the end (Nagata 1994), as in `sentencepiece` 0.2.

use std::ops::Range;

use super::{Kind, Scored, Tables, user_defined_score};
use crate::ids::Id;
use crate::models::unigram::lattice::draw;
use crate::random::Random;

/// How user-defined tokens are scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    /// As in encoding.
    Encoding,
    /// As in the n best and in sampling: by their characters, not their bytes.
    Ways,
}

/// A token that may stand at a place of the text.
#[derive(Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    id: Id,
    score: f32,
    /// Sum of the best way from the start of the text to the end of this token.
    until: f32,
}

/// All tokens that may stand anywhere in a text.
pub struct Lattice {
    len: usize,
    /// By rising start.
    nodes: Vec<Node>,
    /// By byte of the text: the nodes that end there.
    ends: Vec<Vec<u32>>,
}

/// A segmentation: tokens with the bytes of the text they stand for, and the sum of their scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Segmentation {
    /// Ids and bytes, unknown characters one by one.
    pub tokens: Vec<(Id, Range<usize>)>,
    /// Natural logarithm of the probability.
    pub score: f32,
}

/// A segmentation from a node to the end of the text.
#[derive(Clone, Copy)]
struct Partial {
    node: At,
    /// The one that it goes on with; index into all partial segmentations ever queued.
    next: u32,
    /// Sum of its scores, added from the end.
    after: f32,
}

/// Where a partial segmentation starts.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Start,
    Node(u32),
    End,
}

/// The queue is shortened to [`KEPT`] when it is as long as this; results beyond the first may then be missed.
const MAX_QUEUE: usize = 10_000;
const KEPT: usize = 512;

impl Scored {
    /// The lattice of a normalized text, where the model is Unigram.
    pub fn lattice(&self, text: &str, sums: Sums) -> Option<Lattice> {
        self.unigram.as_ref().map(|tables| tables.lattice(self, text, sums))
    }
}

impl Tables {
    fn lattice(&self, model: &Scored, text: &str, sums: Sums) -> Lattice {
        let mut nodes: Vec<Node> = vec![];
        let mut ends: Vec<Vec<u32>> = vec![vec![]; text.len() + 1];
        for (start, c) in text.char_indices() {
            let of_ways = ends[start].iter().map(|&node| nodes[node as usize].until);
            let here = of_ways.reduce(|best, way| if way > best { way } else { best }).unwrap_or_default();
            let mut push = |id: Id, len: usize, score: f32| {
                ends[start + len].push(nodes.len() as u32);
                let (start, end) = (start as u32, (start + len) as u32);
                nodes.push(Node { start, end, id, score, until: here + score });
            };
            let mut is_known = false;
            self.trie.prefixes(&text.as_bytes()[start..], |id, len| {
                is_known |= len == c.len_utf8();
                let score = match (model.kinds[id as usize], sums) {
                    (Kind::UserDefined, Sums::Encoding) => user_defined_score(len),
                    (Kind::UserDefined, Sums::Ways) => user_defined_score(text[start..start + len].chars().count()),
                    _ => model.scores[id as usize],
                };
                push(id, len, score);
            });
            if !is_known {
                push(model.unknown, c.len_utf8(), self.unknown_score);
            }
        }
        Lattice { len: text.len(), nodes, ends }
    }
}

impl Lattice {
    /// The segmentations with the largest scores, at most `count`, the best first.
    pub fn n_best(&self, count: usize) -> Vec<Segmentation> {
        let best = self.ends[self.len].iter().map(|&node| self.nodes[node as usize].until);
        let best = best.reduce(|best, way| if way > best { way } else { best }).unwrap_or_default();
        let mut partials = vec![Partial { node: At::End, next: 0, after: 0.0 }];
        let mut queue = Queue::default();
        queue.push((best, 0));
        let mut found = vec![];
        // Ends: a candidate is replaced by longer ones, and no segmentation is longer than the text.
        while found.len() < count
            && let Some((score, top)) = queue.pop()
        {
            let Partial { node, after, .. } = partials[top as usize];
            let start = match node {
                At::Start => {
                    found.push(Segmentation { tokens: self.tokens(&partials, top), score });
                    continue;
                }
                At::Node(node) => self.nodes[node as usize].start as usize,
                At::End => self.len,
            };
            let mut expand = |node: At, until: f32, own: f32| {
                queue.push((until + after, partials.len() as u32));
                partials.push(Partial { node, next: top, after: own + after });
            };
            if start == 0 {
                expand(At::Start, 0.0, 0.0);
            }
            for &before in &self.ends[start] {
                let Node { until, score, .. } = self.nodes[before as usize];
                expand(At::Node(before), until, score);
            }
            if queue.0.len() >= MAX_QUEUE {
                let mut kept = Queue::default();
                (0..KEPT.min(count.saturating_mul(10))).filter_map(|_| queue.pop()).for_each(|one| kept.push(one));
                queue = kept;
            }
        }
        found
    }

    /// All tokens that may stand anywhere: the bytes they stand for, their id and score.
    pub fn nodes(&self) -> impl Iterator<Item = (Range<usize>, Id, f32)> {
        self.nodes.iter().map(|node| (node.start as usize..node.end as usize, node.id, node.score))
    }

    /// The sum of the scores of a way through the lattice, added from the left.
    pub fn score(&self, tokens: &[(Id, Range<usize>)]) -> f32 {
        tokens.iter().fold(0.0, |sum, (id, range)| {
            let of_token = |node: &&u32| {
                let node = self.nodes[**node as usize];
                node.id == *id && node.start as usize == range.start
            };
            sum + self.ends[range.end].iter().find(of_token).map_or(0.0, |&node| self.nodes[node as usize].score)
        })
    }

    /// The segmentation with the largest score of those that do not split the text at byte `boundary`; `None` where all
    /// do.
    pub fn best_without(&self, boundary: usize) -> Option<Segmentation> {
        let mut best: Vec<(f32, Option<Node>)> = vec![(f32::NEG_INFINITY, None); self.len + 1];
        best[0].0 = 0.0;
        for node in self.nodes.iter().filter(|node| node.end as usize != boundary) {
            let way = best[node.start as usize].0 + node.score;
            if way > best[node.end as usize].0 {
                best[node.end as usize] = (way, Some(*node));
            }
        }
        let (mut tokens, mut end) = (vec![], self.len);
        // Ends: every step goes back by at least one character.
        while end > 0 {
            let Node { start, id, .. } = best[end].1?;
            tokens.push((id, start as usize..end));
            end = start as usize;
        }
        tokens.reverse();
        Some(Segmentation { tokens, score: best[self.len].0 })
    }

    /// A random segmentation: the lower the temperature, the nearer to the best one. At 1 probabilities are the model's.
    pub fn sample(&self, temperature: f64, random: &mut Random) -> Vec<(Id, Range<usize>)> {
        let ways: Vec<_> =
            self.nodes.iter().map(|node| (node.start as usize..node.end as usize, f64::from(node.score))).collect();
        let drawn = draw(&ways, &self.ends, temperature, random);
        drawn.into_iter().map(|node| (self.nodes[node as usize].id, ways[node as usize].0.clone())).collect()
    }

    fn tokens(&self, partials: &[Partial], first: u32) -> Vec<(Id, Range<usize>)> {
        let mut tokens = vec![];
        let mut partial = partials[first as usize];
        while partial.node != At::End {
            if let At::Node(node) = partial.node {
                let Node { start, end, id, .. } = self.nodes[node as usize];
                tokens.push((id, start as usize..end as usize));
            }
            partial = partials[partial.next as usize];
        }
        tokens
    }
}

/// A heap of sums and partial segmentations, the largest sum first. Of equal sums the order is the one in which the heap of
/// the GNU C++ library gives them, which the reference's n best depend on: a value taken from the top leaves a hole that
/// goes all the way down, to the right where children are equal, and the last value rises from there.
#[derive(Default)]
struct Queue(Vec<(f32, u32)>);

impl Queue {
    fn push(&mut self, value: (f32, u32)) {
        self.0.push(value);
        self.rise(self.0.len() - 1, value);
    }

    fn rise(&mut self, mut hole: usize, value: (f32, u32)) {
        while hole > 0 && self.0[(hole - 1) / 2].0 < value.0 {
            self.0[hole] = self.0[(hole - 1) / 2];
            hole = (hole - 1) / 2;
        }
        self.0[hole] = value;
    }

    fn pop(&mut self) -> Option<(f32, u32)> {
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
