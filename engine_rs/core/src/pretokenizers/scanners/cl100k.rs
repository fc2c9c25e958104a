//! The pattern of GPT-3.5 and GPT-4.

use super::{Case, contraction, lines_then_blanks};
use crate::pretokenizers::characters::{Classes, LETTER, MARK, NEWLINE, NUMBER, OTHER, SPACE};

pub(super) const REGEX: &str = concat!(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+",
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
);

pub(super) const ONIGURUMA: &str = concat!(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"|\s+\z|\s*[\r\n]|\s+(?!\S)|\s"
);

/// End of the pretoken that starts at `at`.
#[inline(always)]
pub(super) fn next(classes: Classes, text: &str, at: usize) -> usize {
    words_digits_symbols::<3>(classes, text, at).unwrap_or_else(|| {
        // `\s++$` comes before the alternative with the newline: blanks that end the text stay with it.
        let end = classes.run(text, at, SPACE);
        if end == text.len() { end } else { lines_then_blanks(classes, text, at) }
    })
}

/// End of the pretoken that starts at `at` if it is anything but white space, with numbers of at most `DIGITS` digits.
#[inline(always)]
pub(super) fn words_digits_symbols<const DIGITS: usize>(classes: Classes, text: &str, at: usize) -> Option<usize> {
    let first = text.as_bytes()[at];
    if first == b'\'' {
        let len = contraction(text, at, Case::Folded);
        if len > 0 {
            return Some(at + len);
        }
    }
    let (class, len) = classes.at(text, at);
    if class & LETTER != 0 {
        return Some(classes.run(text, at + len, LETTER));
    }
    if class & NUMBER != 0 {
        return Some(classes.run_at_most(text, at + len, NUMBER, DIGITS - 1));
    }
    let second = classes.at(text, at + len);
    if class & NEWLINE == 0 && second.0 & LETTER != 0 {
        return Some(classes.run(text, at + len + second.1, LETTER));
    }
    let symbols = OTHER | MARK;
    if class & symbols != 0 || (first == b' ' && second.0 & symbols != 0) {
        let end = classes.run(text, at + len, symbols);
        return Some(classes.run(text, end, NEWLINE));
    }
    None
}
