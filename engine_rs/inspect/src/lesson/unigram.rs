//! The best path: the best sum of scores to each place from left to right, then the path read back from the end. Beside it other
//! paths, and how often each is drawn.
//!
//! Source: Kudo 2018, Subword Regularization; the search is that of Viterbi 1967.

use std::rc::Rc;

use serde::Serialize;

use super::LessonError;
use super::frames::Frames;
use super::list::List;
use super::paths::{DRAWS, MOST_CHARACTERS, Path, Paths};
use crate::trace::{Bytes, LatticeNode, Pretoken, Steps, Trace};
use token_engine::Id;

/// A token that could end at a place.
#[derive(Clone, Debug, Serialize)]
struct Node {
    /// `None` for an unknown character.
    id: Option<Id>,
    span: Bytes,
    /// Natural logarithm of its probability.
    score: f64,
    /// That and the best sum to where it starts.
    sum: f64,
    /// Index of the place where it starts, and of the one where it ends.
    from: usize,
    to: usize,
}

/// A place between two characters.
#[derive(Clone, Debug, Serialize)]
struct Place {
    /// Byte of the text.
    byte: u32,
    pretoken: usize,
    /// The best sum of scores up to here.
    best: f64,
    /// Index of the node that it comes from; `None` at the start of a pretoken.
    node: Option<usize>,
}

/// A token of the path.
#[derive(Clone, Debug, Serialize)]
struct Placed {
    id: Option<Id>,
    span: Option<Bytes>,
    pretoken: usize,
    /// Its node; `None` for what stands for unknown characters.
    node: Option<usize>,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now {
    Start,
    /// The nodes that end at a place were added; the best of them is kept.
    Place {
        at: usize,
        pretoken: usize,
        /// Indices of the nodes.
        nodes: [usize; 2],
    },
    /// The path goes through a node, read from the end.
    Back {
        node: usize,
        pretoken: usize,
    },
    /// The path became these tokens: bytes, or one unknown token, for characters that are no token.
    Tokens {
        pretoken: usize,
    },
    /// The most probable paths are listed.
    Paths {
        pretoken: usize,
        count: usize,
    },
    /// Paths were drawn; `count` as before.
    Draws {
        pretoken: usize,
        count: usize,
        draws: usize,
    },
    /// The pretoken has too many characters for other paths.
    Unlisted {
        pretoken: usize,
        /// Characters that a pretoken may have.
        most: usize,
    },
    /// An added token, which no model sees.
    Added {
        pretoken: usize,
    },
    Done,
}

#[derive(Default)]
struct Row {
    places: List<Place>,
    nodes: List<Node>,
    tokens: List<Placed>,
    /// Other paths of the present pretoken.
    paths: List<Path>,
}

/// A step for each place, for each token of the path, for the most probable paths and for those that are drawn.
pub(super) fn frames(trace: &Trace, paths: &[Option<Rc<Paths>>]) -> Result<Frames, LessonError> {
    let (mut frames, mut row) = (Frames::default(), Row::default());
    row.add(&mut frames, &Now::Start)?;
    for (number, (pretoken, paths)) in trace.pretokens.iter().zip(paths).enumerate() {
        let first = row.tokens.len();
        let Steps::Unigram { nodes, .. } = &pretoken.steps else {
            row.finish(first, number, pretoken);
            row.add(&mut frames, &Now::Added { pretoken: number })?;
            continue;
        };
        row.forward(&mut frames, (number, pretoken), nodes)?;
        row.back(&mut frames, number)?;
        let ids = row.tokens.iter_from(first).map(|token| token.id);
        if !ids.eq(pretoken.tokens.iter().map(|token| Some(token.id))) {
            row.finish(first, number, pretoken);
            row.add(&mut frames, &Now::Tokens { pretoken: number })?;
        }
        row.others(&mut frames, number, paths.as_deref())?;
    }
    row.add(&mut frames, &Now::Done)?;
    Ok(frames)
}

impl Row {
    fn add(&mut self, frames: &mut Frames, now: &Now) -> Result<(), LessonError> {
        let lists: &mut [(&str, &mut dyn super::frames::Recorded)] = &mut [
            ("places", &mut self.places),
            ("nodes", &mut self.nodes),
            ("tokens", &mut self.tokens),
            ("paths", &mut self.paths),
        ];
        frames.add(now, lists)
    }

    /// The other paths of a pretoken, which leave the list again.
    fn others(&mut self, frames: &mut Frames, pretoken: usize, paths: Option<&Paths>) -> Result<(), LessonError> {
        let Some(paths) = paths.filter(|paths| paths.can_differ()) else { return Ok(()) };
        if paths.is_too_long() {
            return self.add(frames, &Now::Unlisted { pretoken, most: MOST_CHARACTERS });
        }
        self.paths.extend(paths.listed());
        let count = self.paths.len();
        self.add(frames, &Now::Paths { pretoken, count })?;
        self.paths.replace(paths.drawn());
        self.add(frames, &Now::Draws { pretoken, count, draws: DRAWS })?;
        self.paths.clear();
        Ok(())
    }

    /// The best sum to each place of a pretoken.
    fn forward(
        &mut self,
        frames: &mut Frames,
        (number, pretoken): (usize, &Pretoken),
        nodes: &[LatticeNode],
    ) -> Result<(), LessonError> {
        let start = self.places.len();
        self.places.push(Place { byte: pretoken.span[0], pretoken: number, best: 0.0, node: None });
        let starts: Vec<u32> = pretoken.text.char_indices().map(|(at, _)| at as u32).collect();
        let mut by_end: Vec<&LatticeNode> = nodes.iter().collect();
        // Stable: of one end those that start first come first, as the definition meets them.
        by_end.sort_by_key(|node| node.range[1]);
        for here in by_end.chunk_by(|a, b| a.range[1] == b.range[1]) {
            let (first, to) = (self.nodes.len(), self.places.len());
            let node = |node: &&LatticeNode| {
                let from = start + starts.binary_search(&node.range[0]).unwrap_or_default();
                Node { id: node.id, span: node.span, score: node.score, sum: node.until, from, to }
            };
            self.nodes.extend(here.iter().map(node).collect());
            let mut best = 0;
            for (at, node) in here.iter().enumerate() {
                if node.until > here[best].until {
                    best = at;
                }
            }
            let byte = here[best].span[1];
            self.places.push(Place { byte, pretoken: number, best: here[best].until, node: Some(first + best) });
            let nodes = [first, first + here.len()];
            self.add(frames, &Now::Place { at: to, pretoken: number, nodes })?;
        }
        Ok(())
    }

    /// The path of a pretoken, from its end to its start.
    fn back(&mut self, frames: &mut Frames, pretoken: usize) -> Result<(), LessonError> {
        let (first, mut at) = (self.tokens.len(), self.places.len() - 1);
        // Ends: a node starts before it ends.
        while let Some(node) = self.places[at].node {
            let Node { id, span, from, .. } = self.nodes[node];
            self.tokens.splice(first, 0, vec![Placed { id, span: Some(span), pretoken, node: Some(node) }]);
            self.add(frames, &Now::Back { node, pretoken })?;
            at = from;
        }
        Ok(())
    }

    /// Puts the tokens of a pretoken in the place of its path.
    fn finish(&mut self, first: usize, number: usize, pretoken: &Pretoken) {
        let placed = pretoken.tokens.iter().map(|token| Placed {
            id: Some(token.id),
            span: token.span,
            pretoken: number,
            node: None,
        });
        self.tokens.splice(first, self.tokens.len() - first, placed.collect());
    }
}
