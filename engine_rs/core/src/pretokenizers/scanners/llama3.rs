//! The patterns of Llama 3 and of Qwen2: cl100k's in the spelling it had at first, where blanks that end the text do not stay
//! with the newlines before them. Qwen2 has every digit for itself.

use super::cl100k::words_digits_symbols;
use super::lines_then_blanks;
use crate::pretokenizers::characters::Classes;

pub(super) const REGEX: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
);

pub(super) const QWEN2: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
);

/// End of the pretoken that starts at `at`; numbers have at most `DIGITS` digits.
#[inline(always)]
pub(super) fn next<const DIGITS: usize>(classes: Classes, text: &str, at: usize) -> usize {
    words_digits_symbols::<DIGITS>(classes, text, at).unwrap_or_else(|| lines_then_blanks(classes, text, at))
}
