//! How a text falls into parts at the matches of a pattern, and with which neighbour a match goes.
//!
//! Not here: the places of the parts in the original ([`super::Part`]).

use std::ops::Range;

/// What becomes of a match when a text is split at matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    /// It is dropped.
    Removed,
    /// It is a part of its own.
    Isolated,
    /// It belongs to the part before it; one that follows another match stands alone.
    MergedWithPrevious,
    /// It belongs to the part after it; one before another match stands alone.
    MergedWithNext,
    /// Matches that touch are one part.
    Contiguous,
}

/// Calls `each` with the ranges of the parts of a text of `len` bytes, see [`super::Part::split`]; `inverted`, what is between the
/// matches counts as matched. Keeps no more than one part at a time.
pub(crate) fn for_each_part<E>(
    len: usize,
    matches: impl IntoIterator<Item = Result<Range<usize>, E>>,
    inverted: bool,
    behavior: Behavior,
    each: impl FnMut(Range<usize>) -> Result<(), E>,
) -> Result<(), E> {
    let mut joiner = Joiner { behavior, waiting: None, each };
    let mut at = 0;
    // Text and matches in order, covering everything. Empty matches count: they keep their neighbours apart.
    for found in matches {
        let found = found?;
        if at < found.start {
            joiner.push(at..found.start, inverted)?;
        }
        at = found.end;
        joiner.push(found, !inverted)?;
    }
    if at < len {
        joiner.push(at..len, inverted)?;
    }
    joiner.finish()
}

/// Puts neighbouring stretches together, as a [`Behavior`] says.
struct Joiner<F> {
    behavior: Behavior,
    /// What the next stretch may be joined to, and whether it counts as a match.
    waiting: Option<(Range<usize>, bool)>,
    each: F,
}

impl<E, F: FnMut(Range<usize>) -> Result<(), E>> Joiner<F> {
    fn push(&mut self, stretch: Range<usize>, is_match: bool) -> Result<(), E> {
        let joins = |before: bool| match self.behavior {
            Behavior::Removed | Behavior::Isolated => false,
            Behavior::Contiguous => before == is_match,
            Behavior::MergedWithPrevious => is_match && !before,
            Behavior::MergedWithNext => before && !is_match,
        };
        if self.behavior == Behavior::Removed && is_match {
            return Ok(());
        }
        match &mut self.waiting {
            Some((waiting, before)) if joins(*before) => {
                waiting.end = stretch.end;
                *before = is_match;
                Ok(())
            }
            waiting => match waiting.replace((stretch, is_match)) {
                Some((done, _)) => (self.each)(done),
                None => Ok(()),
            },
        }
    }

    fn finish(mut self) -> Result<(), E> {
        self.waiting.take().map_or(Ok(()), |(last, _)| (self.each)(last))
    }
}
