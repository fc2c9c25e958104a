//! Truncating encodings down to a length; what is dropped is kept as parts left over.
//!
//! Not here: the tokens of the postprocessor, for which the caller leaves room ([`crate::tokenizer`]), and how parts of two
//! texts are put together ([`crate::postprocessors`]).
//!
//! Source: `truncation` of the tokenizer.json format, `truncate_encodings` in `tokenizers`.

use std::ops::Range;

use crate::call::{self, Adds};
use crate::encoding::Encoding;
use crate::error::EncodeError;

/// Which of two texts gives way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// The longer one, then both alike.
    #[default]
    LongestFirst,
    /// The first.
    OnlyFirst,
    /// The second.
    OnlySecond,
}

impl Strategy {
    /// Names and what they stand for.
    pub const NAMES: [(&str, Self); 3] =
        [("longest_first", Self::LongestFirst), ("only_first", Self::OnlyFirst), ("only_second", Self::OnlySecond)];
}

/// Left or right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Where the text starts.
    Left,
    /// Where it ends.
    #[default]
    Right,
}

impl Side {
    /// Names and what they stand for.
    pub const NAMES: [(&str, Self); 2] = [("left", Self::Left), ("right", Self::Right)];
}

/// How far to truncate, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncation {
    /// Number of tokens that are left, those of the postprocessor among them.
    pub max_length: usize,
    /// Which text gives way.
    pub strategy: Strategy,
    /// Number of tokens that a part has in common with the one before it.
    pub stride: usize,
    /// The end that is dropped.
    pub side: Side,
}

impl Truncation {
    /// The same with room for `added` tokens of the postprocessor.
    ///
    /// Errors: a length that those tokens alone exceed; a stride that leaves a part no token of its own.
    pub(crate) fn with_room(self, added: usize) -> Result<Self, EncodeError> {
        let Self { max_length, stride, .. } = self;
        let room = max_length.checked_sub(added).ok_or(EncodeError::NoRoom { max_length, added })?;
        if stride > 0 && stride >= room {
            return Err(EncodeError::Stride { stride, room });
        }
        Ok(Self { max_length: room, ..self })
    }

    /// Truncates one text, or two that are no longer than `max_length` together then. Of a long text the parts left
    /// over are many times as large as what is left: they are made only if `keep_overflow`.
    ///
    /// Errors: a text to truncate that is not there, or that has too few tokens to give; a stride as long as what is
    /// left of one of two texts; parts that repeat more tokens than a call may add.
    pub(crate) fn truncate(
        self,
        text: &mut Encoding,
        pair: Option<&mut Encoding>,
        keep_overflow: bool,
    ) -> Result<(), EncodeError> {
        let pair_len = pair.as_ref().map_or(0, |pair| pair.len());
        let excess = (text.len() + pair_len).saturating_sub(self.max_length);
        if excess == 0 {
            return Ok(());
        }
        let one = |target: &mut Encoding| {
            let left = target.len().checked_sub(excess).filter(|&left| left > 0);
            let left = left.ok_or(EncodeError::TooShort { length: target.len(), excess })?;
            self.truncate_one(target, left, keep_overflow)
        };
        match (self.strategy, pair) {
            // Nothing is left of either, whoever gives way.
            (_, pair) if self.max_length == 0 => {
                self.truncate_one(text, 0, keep_overflow)?;
                pair.map_or(Ok(()), |pair| self.truncate_one(pair, 0, keep_overflow))
            }
            (Strategy::LongestFirst, Some(pair)) => {
                let (first, second) = shares(text.len(), pair.len(), self.max_length);
                self.truncate_one(text, first, keep_overflow)?;
                self.truncate_one(pair, second, keep_overflow)
            }
            (Strategy::LongestFirst, None) => self.truncate_one(text, self.max_length, keep_overflow),
            (Strategy::OnlyFirst, _) => one(text),
            (Strategy::OnlySecond, Some(pair)) => one(pair),
            (Strategy::OnlySecond, None) => Err(EncodeError::NoPair),
        }
    }

    fn truncate_one(self, encoding: &mut Encoding, length: usize, keep_overflow: bool) -> Result<(), EncodeError> {
        if length >= encoding.len() {
            return Ok(());
        }
        if length == 0 {
            let whole = std::mem::take(encoding);
            encoding.overflowing.extend(keep_overflow.then_some(whole));
            encoding.is_truncated = true;
            return Ok(());
        }
        if self.stride >= length {
            return Err(EncodeError::Stride { stride: self.stride, room: length });
        }
        let ranges = || ranges(encoding.len(), length, length - self.stride, self.side);
        if keep_overflow {
            let (count, all) = ranges().fold((0, 0), |(count, all), part| (count + 1, all + part.len()));
            let tokens = all - encoding.len() + PART_TOKENS * count;
            call::may_add(Adds::Overlap, tokens, encoding.len())?;
        }
        let mut parts = ranges().map(|part| encoding.slice(part));
        let mut first = parts.next().unwrap_or_default();
        first.overflowing = if keep_overflow { parts.collect() } else { vec![] };
        first.is_truncated = true;
        *encoding = first;
        Ok(())
    }
}

/// Tokens whose memory an encoding without tokens takes.
const PART_TOKENS: usize = 10;

/// How many tokens are left of two texts that have more than `max_length` together: the shorter one stays whole where it
/// is at most half of that.
fn shares(first: usize, second: usize, max_length: usize) -> (usize, usize) {
    let (short, long) = (first.min(second), max_length.saturating_sub(first.min(second)).max(first.min(second)));
    let (short, long) =
        if short + long > max_length { (max_length / 2, max_length.div_ceil(2)) } else { (short, long) };
    if first > second { (long, short) } else { (short, long) }
}

/// Parts of at most `length` tokens, each `step` further from the end that is kept; the last one reaches the other end.
fn ranges(total: usize, length: usize, step: usize, side: Side) -> impl Iterator<Item = Range<usize>> {
    let count = 1 + (total - length).div_ceil(step);
    (0..count).map(move |at| {
        let start = at * step;
        let end = (start + length).min(total);
        match side {
            Side::Right => start..end,
            Side::Left => total - end..total - start,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Sink;
    use crate::offsets::Span;

    #[test]
    fn without_overflow_the_rest_is_the_same() {
        let text = |tokens: u32| {
            let mut text = Encoding::default();
            for id in 0..tokens {
                text.begin_pretoken();
                text.push(id, Span::new(id as usize, id as usize + 1));
            }
            text
        };
        let strategies = Strategy::NAMES.map(|(_, strategy)| strategy);
        let sides = [Side::Left, Side::Right];
        let settings = strategies.into_iter().flat_map(|one| sides.map(|side| (one, side)));
        for (strategy, side) in settings {
            for (first, second, max_length, stride) in
                [(9, None, 4, 1), (9, Some(3), 6, 0), (3, Some(9), 6, 1), (9, Some(9), 0, 0), (9, None, 4, 4)]
            {
                let truncation = Truncation { max_length, strategy, stride, side };
                let [kept, dropped] = [true, false].map(|keep_overflow| {
                    let (mut first, mut second) = (text(first), second.map(text));
                    truncation.truncate(&mut first, second.as_mut(), keep_overflow).map(|()| (first, second))
                });
                let without = |mut encoding: Encoding| {
                    encoding.overflowing.clear();
                    encoding
                };
                let expected = kept.clone().map(|(first, second)| (without(first), second.map(without)));
                assert_eq!(dropped, expected, "{truncation:?}");
                assert!(kept.is_err() || kept != dropped, "{truncation:?} leaves nothing over");
                let is_truncated = |(first, second): (Encoding, Option<Encoding>)| {
                    first.is_truncated || second.is_some_and(|second| second.is_truncated)
                };
                assert!(dropped.map_or(true, is_truncated), "{truncation:?}");
            }
        }
    }

    #[test]
    fn parts_that_repeat_too_much_are_refused() {
        let text = || {
            let mut text = Encoding::default();
            text.begin_pretoken();
            (0..100_000).for_each(|id| text.push(id, Span::default()));
            text
        };
        let truncate = |max_length, stride| {
            let truncation = Truncation { max_length, strategy: Strategy::LongestFirst, stride, side: Side::Right };
            let mut text = text();
            truncation.truncate(&mut text, None, true).map(|()| text.overflowing.len())
        };
        assert_eq!(truncate(5000, 2500), Ok(38));
        let refused = truncate(5000, 4999).expect_err("95,001 parts of 5,000 tokens");
        assert!(matches!(refused, EncodeError::TooManyAdded { by: Adds::Overlap, .. }), "{refused}");
    }

    #[test]
    fn parts_overlap_and_reach_the_end() {
        let shown = |total, length, step, side| format!("{:?}", ranges(total, length, step, side).collect::<Vec<_>>());
        assert_eq!(shown(5, 2, 2, Side::Right), "[0..2, 2..4, 4..5]");
        assert_eq!(shown(5, 3, 1, Side::Right), "[0..3, 1..4, 2..5]");
        assert_eq!(shown(5, 2, 2, Side::Left), "[3..5, 1..3, 0..1]");
    }

    #[test]
    fn the_longer_text_gives_way() {
        for (first, second, max_length, expected) in
            [(2, 9, 8, (2, 6)), (9, 2, 8, (6, 2)), (9, 9, 7, (3, 4)), (10, 9, 7, (4, 3)), (5, 5, 1, (0, 1))]
        {
            assert_eq!(shares(first, second, max_length), expected);
        }
    }

    #[test]
    fn example_of_truncation_truncate() -> Result<(), crate::error::EncodeError> {
        use crate::{
            encoding::{Encoding, Sink},
            offsets::Span,
            truncation::{Side, Strategy, Truncation},
        };
        let mut text = Encoding::default();
        text.begin_pretoken();
        (0..5).for_each(|id| text.push(id, Span::default()));
        let truncation = Truncation { max_length: 3, strategy: Strategy::LongestFirst, stride: 1, side: Side::Right };
        truncation.truncate(&mut text, None, true)?;
        assert_eq!((text.ids, &text.overflowing[0].ids[..]), (vec![0, 1, 2], &[2, 3, 4][..]));
        Ok(())
    }
}
