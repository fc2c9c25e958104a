//! The pattern of GPT-2 and GPT-3.

use super::{Case, blanks, contraction};
use crate::pretokenizers::characters::{Classes, LETTER, MARK, NUMBER, OTHER, SPACE};

pub(super) const REGEX: &str = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s";

pub(super) const ONIGURUMA: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

/// End of the pretoken that starts at `at`.
#[inline(always)]
pub(super) fn next(classes: Classes, text: &str, at: usize) -> usize {
    let first = text.as_bytes()[at];
    if first == b'\'' {
        let len = contraction(text, at, Case::Exact);
        if len > 0 {
            return at + len;
        }
    }
    let word = at + usize::from(first == b' ');
    let (class, len) = classes.at(text, word);
    for mask in [LETTER, NUMBER, OTHER | MARK] {
        if class & mask != 0 {
            return classes.run(text, word + len, mask);
        }
    }
    let end = classes.run(text, at, SPACE);
    blanks(classes, text, at, end)
}
