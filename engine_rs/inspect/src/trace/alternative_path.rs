//! The best path without a boundary, described by where it leaves the best path of all and where it meets it again.
//!
//! Kept whole, such paths would take memory with the square of the text. Not here: how the paths are found
//! ([`token_engine::models`]).

use std::ops::Range;

use serde::Serialize;

use super::{Bytes, Token};
use token_engine::Id;

/// Of a path no more tokens are given.
pub(crate) const MOST_TOKENS: usize = 64;

/// A path that leaves the best one for a stretch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct AlternativePath {
    /// Its tokens in the stretch: those next to the boundary where there are more than [`MOST_TOKENS`].
    pub(crate) tokens: Vec<Token>,
    /// Natural logarithm of the probability of the whole path.
    pub(crate) score: f64,
    /// The stretch: before and after it the tokens are those of the best path.
    pub(crate) span: Bytes,
    /// How many tokens of the stretch are left out.
    pub(crate) left_out: usize,
}

/// A token and the bytes of the pretoken that it stands for.
type Placed = (Id, Range<usize>);

impl AlternativePath {
    /// What `other` does at byte `boundary`, where `best` splits and it does not; both are segmentations of the same
    /// `len` bytes.
    pub(crate) fn new(
        best: &[Placed],
        other: &[Placed],
        score: f64,
        boundary: usize,
        len: usize,
        place: &dyn Fn(Range<usize>) -> Bytes,
    ) -> Self {
        let stretch = stretch(best, other, boundary, len);
        let inside = starts_before(other, stretch.start)..starts_before(other, stretch.end);
        let over = starts_before(other, boundary).saturating_sub(1);
        let first = over.saturating_sub(MOST_TOKENS / 2).min(inside.end.saturating_sub(MOST_TOKENS)).max(inside.start);
        let shown = &other[first..inside.end.min(first + MOST_TOKENS)];
        Self {
            tokens: shown.iter().map(|(id, range)| Token { id: *id, span: Some(place(range.clone())) }).collect(),
            score,
            span: place(stretch),
            left_out: inside.len() - shown.len(),
        }
    }
}

/// How many tokens start before a byte.
fn starts_before(tokens: &[Placed], byte: usize) -> usize {
    tokens.partition_point(|(_, range)| range.start < byte)
}

/// From the last place before `boundary` at which both paths split to the first one after it.
fn stretch(best: &[Placed], other: &[Placed], boundary: usize, len: usize) -> Range<usize> {
    let start = |path: &[Placed], at: usize| path.get(at).map_or(len, |(_, range)| range.start);
    let before = |path: &[Placed], byte: usize| start(path, starts_before(path, byte).saturating_sub(1));
    let after = |path: &[Placed], byte: usize| start(path, starts_before(path, byte + 1));
    let (mut from, mut to) = (before(best, boundary), after(best, boundary));
    // Ends: `from` falls to the start at the latest, and `to` rises to `len`.
    while from > start(best, 0) && before(other, from + 1) != from {
        from = before(best, from);
    }
    while to < len && before(other, to + 1) != to {
        to = after(best, to);
    }
    from..to
}

#[cfg(test)]
mod tests {
    use super::*;
    use token_engine::internals::testing::Random;

    fn path(random: &mut Random, len: usize, without: Option<usize>) -> Vec<Placed> {
        let inner = (1..len).filter(|&at| Some(at) != without && random.below(3) == 0);
        let places: Vec<usize> = [0].into_iter().chain(inner).chain([len]).collect();
        places.windows(2).map(|pair| (0, pair[0]..pair[1])).collect()
    }

    #[test]
    fn the_stretch_is_between_the_nearest_common_places() {
        let mut random = Random::new(5);
        for _ in 0..2000 {
            let len = 2 + random.below(12);
            let best = path(&mut random, len, None);
            for boundary in best.iter().skip(1).map(|(_, range)| range.start) {
                let other = path(&mut random, len, Some(boundary));
                // The definition: all places of both, the ends among them.
                let of = |path: &[Placed]| path.iter().map(|(_, range)| range.start).chain([len]).collect::<Vec<_>>();
                let common: Vec<usize> = of(&best).into_iter().filter(|at| of(&other).contains(at)).collect();
                let from = *common.iter().rfind(|&&at| at < boundary).expect("the start");
                let to = *common.iter().find(|&&at| at > boundary).expect("the end");
                assert_eq!(stretch(&best, &other, boundary, len), from..to, "{best:?} {other:?} {boundary}");
                let shown = AlternativePath::new(&best, &other, -1.0, boundary, len, &|range| {
                    [range.start as u32, range.end as u32]
                });
                let inside = other.iter().filter(|(_, range)| range.start >= from && range.end <= to);
                let spans: Vec<_> = inside.map(|(_, range)| Some([range.start as u32, range.end as u32])).collect();
                assert_eq!(shown.tokens.iter().map(|token| token.span).collect::<Vec<_>>(), spans);
                assert_eq!((shown.span, shown.left_out), ([from as u32, to as u32], 0));
            }
        }
    }

    #[test]
    fn a_long_path_is_told_around_the_boundary() {
        // out of step with the best path from one end to the other.
        let len = 2001;
        let best: Vec<Placed> = (0..1000).map(|at| (1, 2 * at..2 * at + 2)).chain([(0, 2000..2001)]).collect();
        let other: Vec<Placed> =
            [(0, 0..1)].into_iter().chain((0..1000).map(|at| (1, 2 * at + 1..2 * at + 3))).collect();
        for boundary in best.iter().skip(1).map(|(_, range)| range.start) {
            let shown = AlternativePath::new(&best, &other, -1.0, boundary, len, &|range| {
                [range.start as u32, range.end as u32]
            });
            assert_eq!((shown.span, shown.tokens.len(), shown.left_out), ([0, 2001], MOST_TOKENS, 1001 - MOST_TOKENS));
            let over =
                |token: &Token| token.span.is_some_and(|[from, to]| from < boundary as u32 && (boundary as u32) < to);
            assert!(shown.tokens.iter().any(over), "{boundary}");
        }
    }
}
