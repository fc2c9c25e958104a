//! The pattern of GPT-4o, and that of Mistral's Tekken: the same with every digit for itself and no contractions.

use super::{Case, contraction, lines_then_blanks};
use crate::pretokenizers::characters::{Classes, LETTER, LOWER, MARK, Mask, NEWLINE, NUMBER, OTHER, UNCASED, UPPER};

pub(super) const REGEX: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

pub(super) const TEKKEN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

/// What the first half of a word is made of, and the second.
const HEAD: Mask = UPPER | UNCASED | MARK;
const TAIL: Mask = LOWER | UNCASED | MARK;

/// End of the pretoken that starts at `at`; `TEKKEN` where the pattern is that one.
#[inline(always)]
pub(super) fn next<const TEKKEN: bool>(classes: Classes, text: &str, at: usize) -> usize {
    let with_contraction = |text, end| if TEKKEN { end } else { with_contraction(text, end) };
    let first = text.as_bytes()[at];
    let (class, len) = classes.at(text, at);
    if class & LETTER != 0 {
        return with_contraction(text, word(classes, text, at).unwrap_or_else(|upper_end| upper_end));
    }
    if class & NUMBER != 0 {
        return classes.run_at_most(text, at + len, NUMBER, if TEKKEN { 0 } else { 2 });
    }
    let second = classes.at(text, at + len);
    if class & NEWLINE == 0 && second.0 & (LETTER | MARK) != 0 {
        // This character opens the word. Only where that leaves the first alternative without its second half may a
        // mark be that half itself, before the second alternative gets its turn.
        match word(classes, text, at + len) {
            Ok(end) => return with_contraction(text, end),
            Err(_) if class & MARK != 0 => return with_contraction(text, at + len),
            Err(end) => return with_contraction(text, end),
        }
    }
    if class & MARK != 0 {
        return with_contraction(text, at + len);
    }
    let symbols = OTHER | MARK;
    if class & OTHER != 0 || (first == b' ' && second.0 & symbols != 0) {
        let mut end = classes.run(text, at + len, symbols);
        while let Some(b'\r' | b'\n' | b'/') = text.as_bytes().get(end) {
            end += 1;
        }
        return end;
    }
    lines_then_blanks(classes, text, at)
}

/// The word that starts at `at`, without a character that opens it: `Ok` is where `HEAD* TAIL+` ends, `Err`
/// where it does not match and `HEAD+ TAIL*` ends instead.
#[inline(always)]
fn word(classes: Classes, text: &str, at: usize) -> Result<usize, usize> {
    let mut end = at;
    // `HEAD*` gives back down to its last character that may also be the tail.
    let mut last_shared = None;
    loop {
        let (class, len) = classes.at(text, end);
        if class & HEAD == 0 {
            break;
        }
        end += len;
        if class & TAIL != 0 {
            last_shared = Some(end);
        }
    }
    let tail_end = classes.run(text, end, TAIL);
    if tail_end > end { Ok(tail_end) } else { last_shared.ok_or(end) }
}

#[inline(always)]
fn with_contraction(text: &str, end: usize) -> usize {
    if text.as_bytes().get(end) == Some(&b'\'') { end + contraction(text, end, Case::Folded) } else { end }
}
