//! Hand-written scanners for the split patterns that tokenizers in use have.
//!
//! A scanner walks from one pretoken to the next and decides by character classes what the alternatives of the
//! pattern would have matched, in linear time and without a regular-expression engine. The tests run each against its
//! pattern in a regular-expression engine on generated text.
//!
//! Source: the patterns are those of tiktoken (`tiktoken_ext/openai_public.py`), Llama 3 (`llama/tokenizer.py`), Qwen2
//! (its tokenizer.json) and Mistral (`tekken.json`).

mod cl100k;
pub(crate) mod deepseek;
mod llama3;
mod o200k;
mod r50k;

use super::Each;
use super::characters::{BLANK, Classes, NEWLINE, SPACE};
use crate::alignment::Part;
use crate::error::EncodeError;

/// A split pattern by the name of the encoding that made it known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pattern {
    /// GPT-2 and GPT-3: contractions, letters, numbers, the rest; one space goes with the word after it.
    R50k,
    /// GPT-3.5 and GPT-4: contractions in any case, numbers of at most three digits.
    Cl100k,
    /// GPT-4o: as above, and words end where lower case turns to upper.
    O200k,
    /// Llama 3: as GPT-4, but for blanks that end the text.
    Llama3,
    /// Qwen2: as Llama 3, and every digit is a number of its own.
    Qwen2,
    /// Mistral's Tekken: as GPT-4o, with every digit for itself and no contractions.
    Tekken,
}

impl Pattern {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::R50k, Self::Cl100k, Self::O200k, Self::Llama3, Self::Qwen2, Self::Tekken];

    /// Names and what they stand for. `gpt2`, `p50k_base`, `p50k_edit` and `whisper` share a pattern with `r50k_base`.
    pub(crate) const NAMES: [(&str, Self); 10] = [
        ("gpt2", Self::R50k),
        ("r50k_base", Self::R50k),
        ("p50k_base", Self::R50k),
        ("p50k_edit", Self::R50k),
        ("cl100k_base", Self::Cl100k),
        ("o200k_base", Self::O200k),
        ("llama3", Self::Llama3),
        ("qwen2", Self::Qwen2),
        ("tekken", Self::Tekken),
        ("whisper", Self::R50k),
    ];

    /// The pattern known by this name.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, pattern)| pattern)
    }

    /// The first of its names.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, pattern)| *pattern == self).map_or("", |(name, _)| name)
    }

    /// The pattern that a tokenizer.json file spells so, in the syntax of Oniguruma.
    pub(crate) fn by_regex(regex: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pattern| pattern.oniguruma() == regex)
    }

    /// The pattern that tiktoken spells so; the spellings of tokenizer.json mean the same there.
    pub(crate) fn by_tiktoken_regex(regex: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pattern| pattern.regex() == regex).or_else(|| Self::by_regex(regex))
    }

    /// The pattern as a regular expression with look-ahead and possessive quantifiers, as tiktoken has it.
    pub fn regex(self) -> &'static str {
        match self {
            Self::R50k => r50k::REGEX,
            Self::Cl100k => cl100k::REGEX,
            Self::O200k => o200k::REGEX,
            Self::Llama3 => llama3::REGEX,
            Self::Qwen2 => llama3::QWEN2,
            Self::Tekken => o200k::TEKKEN,
        }
    }

    /// The same in the syntax of Oniguruma, where `$` is the end of a line and `{1,3}+` repeats the repetition.
    pub fn oniguruma(self) -> &'static str {
        match self {
            Self::R50k => r50k::ONIGURUMA,
            Self::Cl100k => cl100k::ONIGURUMA,
            Self::O200k | Self::Llama3 | Self::Qwen2 | Self::Tekken => self.regex(),
        }
    }

    /// In a few words, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::R50k => "GPT-2 pattern",
            Self::Cl100k => "cl100k pattern",
            Self::O200k => "o200k pattern",
            Self::Llama3 => "Llama 3 pattern",
            Self::Qwen2 => "Qwen2 pattern",
            Self::Tekken => "Tekken pattern",
        }
    }

    /// Calls `each` with the end of every pretoken of `text`; each starts where the one before ended.
    ///
    /// ```
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// let mut ends = vec![];
    /// Pattern::Cl100k.split("It's 2048  ok", |end| ends.push(end));
    /// assert_eq!(ends, [2, 4, 5, 8, 9, 10, 13]); // It 's ␣ 204 8 ␣ ␣ok
    /// ```
    #[inline(always)]
    pub fn split(self, text: &str, each: impl FnMut(usize)) {
        match self {
            Self::R50k => walk(text, r50k::next, each),
            Self::Cl100k => walk(text, cl100k::next, each),
            Self::O200k => walk(text, o200k::next::<false>, each),
            Self::Llama3 => walk(text, llama3::next::<3>, each),
            Self::Qwen2 => walk(text, llama3::next::<1>, each),
            Self::Tekken => walk(text, o200k::next::<true>, each),
        }
    }

    /// End of the pretoken that starts at byte `at`, which is not the end of `text`.
    #[inline(always)]
    pub(crate) fn next(self, classes: Classes, text: &str, at: usize) -> usize {
        match self {
            Self::R50k => r50k::next(classes, text, at),
            Self::Cl100k => cl100k::next(classes, text, at),
            Self::O200k => o200k::next::<false>(classes, text, at),
            Self::Llama3 => llama3::next::<3>(classes, text, at),
            Self::Qwen2 => llama3::next::<1>(classes, text, at),
            Self::Tekken => o200k::next::<true>(classes, text, at),
        }
    }

    /// Length of the contraction that starts with the apostrophe at byte `at`, or 0.
    #[inline(always)]
    pub fn contraction(self, text: &str, at: usize) -> usize {
        contraction(text, at, if self == Self::R50k { Case::Exact } else { Case::Folded })
    }
}

/// Calls `each` with the matches of a known pattern in a part of a text, which cover it.
///
/// Errors: those of `each`.
pub(crate) fn split(pattern: Pattern, part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
    let classes = Classes::get();
    let mut at = 0;
    // Ends, as every `next` returns a place after the one it was given.
    while at < part.text().len() {
        let end = pattern.next(classes, part.text(), at);
        each(part.slice(at..end))?;
        at = end;
    }
    Ok(())
}

/// Ends, as every `next` returns a place after the one it was given.
#[inline(always)]
fn walk(text: &str, next: impl Fn(Classes, &str, usize) -> usize, mut each: impl FnMut(usize)) {
    let classes = Classes::get();
    let mut at = 0;
    while at < text.len() {
        let end = next(classes, text, at);
        debug_assert!(end > at && text.is_char_boundary(end));
        each(end);
        at = end;
    }
}

/// Whether letters in another case, or their look-alikes under case folding, still make a contraction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Exact,
    Folded,
}

/// Length of the contraction (`'s`, `'t`, `'re`, `'ve`, `'m`, `'ll`, `'d`) that starts with the apostrophe at `at`, or 0.
#[inline(always)]
fn contraction(text: &str, at: usize, case: Case) -> usize {
    let rest = &text.as_bytes()[at + 1..];
    let letter = |n: usize| {
        let byte = rest.get(n).copied().unwrap_or(0);
        // Among ASCII, or-ing 32 maps the upper-case letters onto the lower-case ones and nothing else onto letters.
        if case == Case::Folded { byte | 32 } else { byte }
    };
    match (letter(0), letter(1)) {
        (b's' | b'd' | b'm' | b't', _) => 2,
        (b'l', b'l') | (b'v', b'e') | (b'r', b'e') => 3,
        // U+017F, the long s, folds to s.
        _ if case == Case::Folded && rest.starts_with("ſ".as_bytes()) => 3,
        _ => 0,
    }
}

/// What `\s+(?!\S)|\s+` matches at `at`, where a run of white space ending at `end` starts: all of it at the end
/// of the text, else all but the last character, which is left for the pretoken that follows.
#[inline(always)]
fn blanks(classes: Classes, text: &str, at: usize, end: usize) -> usize {
    if end == text.len() {
        return end;
    }
    let (_, first) = classes.at(text, at);
    if at + first == end {
        return end;
    }
    let last = text[..end].chars().next_back().map_or(1, char::len_utf8);
    end - last
}

/// End of the last `[\r\n]` between `at` and `end`, or `at` where there is none. All newlines are one byte.
#[inline(always)]
fn last_newline(text: &str, at: usize, end: usize) -> usize {
    text.as_bytes()[at..end].iter().rposition(|&byte| byte == b'\n' || byte == b'\r').map_or(at, |found| at + found + 1)
}

/// White space from `at` on: ends after the last newline of the run, else as [`blanks`].
#[inline(always)]
fn lines_then_blanks(classes: Classes, text: &str, at: usize) -> usize {
    let end = classes.run(text, at, SPACE);
    let newline = last_newline(text, at, end);
    if newline > at { newline } else { blanks(classes, text, at, end) }
}

const _: () = assert!(BLANK | NEWLINE == SPACE);

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_pattern_by_name() {
        use crate::pretokenizers::scanners::Pattern;
        assert_eq!(Pattern::by_name("gpt2"), Some(Pattern::R50k));
        assert_eq!(Pattern::by_name("gpt5"), None);
    }

    #[test]
    fn example_of_pattern_by_regex() {
        use crate::pretokenizers::scanners::Pattern;
        let gpt2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";
        assert_eq!(Pattern::by_regex(gpt2), Some(Pattern::R50k));
        assert_eq!(Pattern::by_regex(r"\s+"), None);
    }
}
