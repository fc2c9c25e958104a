//! White space behind a word: the split points of all stages for which each part is proved ([`super`]). There may be more
//! between characters of text without spaces ([`super::characters`]) and of ASCII ([`super::ascii_pairs`]).

use super::ascii_pairs::{InAscii, between_pretokens};
use super::characters::{Characters, LEAST_FIRST_BYTE, LINE_END};
use super::model::{carries_sums, has_dropout, splits_at_marks};
use super::normalizer::{goes_on, is_local, keeps_line_ends, keeps_white_space, makes_marks, normalized, stays};
use super::pretokenizer::{drops, keeps_together, splits_at};
use crate::added_tokens::{AddedTokens, Specials};
use crate::char_set::CharSet;
use crate::models::space_mark::MARK;
use crate::pretokenizers::characters::{Classes, LETTER, NUMBER};
use crate::stages::Stages;
use crate::unicode::is_punctuation;

/// Tells split points by the two characters beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhiteSpace {
    /// The characters that may stand before a split point.
    before: CharSet,
    /// Those beyond ASCII that the normalizer leaves as they are beside all others of these.
    unchanged: CharSet,
    /// Whether a line end may stand behind a split point, as a space may.
    newline: bool,
    /// Whether both sides are in one pretoken.
    pub in_pretoken: bool,
    /// Whether white space belongs to no pretoken and no added token, so that any run of it before a word is like the last
    /// character of it.
    pub drops_runs: bool,
    /// Which white space before a word is like a space.
    like_space: LikeSpace,
    /// More split points, where both sides are in one pretoken.
    characters: Option<Box<Characters>>,
    /// More split points between two characters of ASCII, where a pretoken starts there.
    between_pretokens: Option<InAscii>,
    /// Whether the sum of the scores before a split point must be known behind it, so that it is none for anybody else.
    pub carries_sums: bool,
}

impl WhiteSpace {
    /// How stages are split in texts with these added tokens; `None` where they are not.
    pub fn of(stages: &Stages, added: &AddedTokens) -> Option<Self> {
        let normalizer = stages.normalizer.as_ref();
        if normalizer.is_some() && !added.end_in_symbols(Specials::Parse) {
            return None;
        }
        if normalizer.is_some_and(|normalizer| !is_local(normalizer)) || has_dropout(&stages.model) {
            return None;
        }
        let how = |runs: &[&str]| {
            let mut each = runs.iter().map(|run| how_split(stages, normalized(normalizer, run)?.chars().next()?));
            let first = each.next()??;
            each.all(|other| other == Some(first)).then_some(first)
        };
        let in_pretoken = how(&[" ", "  ", "   ", " \n"])?;
        // A spelling that ends at a symbol may take the space behind it, or be a pretoken of its own.
        let symbols = !(added.takes_what_follows() || (in_pretoken && added.has_normalized()));
        let fits = |c: char| is_word(c) || (symbols && is_symbol(c));
        let may_stand = |c: char| fits(c) && stays(normalizer, c).is_some_and(|now| fits(now) && now != MARK);
        // Where spaces become marks one by one and nothing asks for runs of white space, it may be before a split
        // point, too.
        let white = symbols && in_pretoken && makes_marks(normalizer);
        let before = CharSet::new(|c| if matches!(c, '\t' | '\n' | '\r') { white } else { may_stand(c) });
        let unchanged = CharSet::new(|c| !c.is_ascii() && before.has(c) && stays(normalizer, c) == Some(c));
        let carries_sums = in_pretoken && carries_sums(&stages.model);
        let newline = how(&["\n", "\n ", "\n\n", "\n  "]) == Some(in_pretoken)
            && !keeps_line_ends(normalizer)
            && !(carries_sums && goes_on(normalizer, '\n'));
        let drops_runs = !in_pretoken && !added.takes_white_space() && drops_runs(stages);
        let is_like_space = |white: &str| {
            let (now, space) = (normalized(normalizer, white), normalized(normalizer, " "));
            newline && now.is_some() && (drops_runs || !in_pretoken && now == space)
        };
        Some(Self {
            before,
            unchanged,
            newline,
            in_pretoken,
            drops_runs,
            like_space: LikeSpace {
                line_end: is_like_space("\n"),
                runs: ["\n", "\n ", "\n\n", "\n  ", "  ", "   ", " \n"].into_iter().all(is_like_space),
                wide: is_like_space("\n\u{3000}"),
            },
            characters: in_pretoken.then(|| Characters::of(stages, added)).flatten().map(Box::new),
            between_pretokens: if in_pretoken { None } else { between_pretokens(stages, added) },
            carries_sums,
        })
    }

    /// Whether what is between two characters is a split point, whatever added tokens are near: one that takes white
    /// space may be.
    #[inline]
    pub fn is_between(&self, before: char, behind: char) -> bool {
        if behind == ' ' || (behind == '\n' && self.newline) {
            return !before.is_ascii_whitespace() && self.may_stand_before(before);
        }
        if before.is_ascii_graphic() && behind.is_ascii_graphic() {
            return self.in_ascii().is_some_and(|pairs| pairs.is_between(before, behind));
        }
        // An added token may take the line ends before it.
        before != LINE_END && self.characters.as_ref().is_some_and(|characters| characters.is_between(before, behind))
    }

    /// The split points between two visible characters of ASCII.
    pub fn in_ascii(&self) -> Option<&InAscii> {
        match &self.characters {
            Some(characters) => Some(&characters.in_ascii),
            None => self.between_pretokens.as_ref(),
        }
    }

    /// Whether a line end before this text is like a space.
    #[inline]
    pub fn is_line_end_like_space(&self, behind: &str) -> bool {
        self.like_space.line_end && behind.starts_with(|c| self.may_stand_before(c))
    }

    /// The white space at the start of a word, if it is like one space but is not one: the bytes of it, and of its last character.
    #[inline]
    pub fn like_space(&self, word: &str) -> Option<(usize, usize)> {
        let run = word.bytes().take_while(|&byte| byte == b' ' || byte == b'\n').count();
        let LikeSpace { line_end, runs, wide } = self.like_space;
        let (white, last, is_like_space) = match &word.as_bytes()[..run] {
            [b'\n'] if word[1..].starts_with(WIDE_SPACE) => (1 + WIDE_SPACE.len_utf8(), WIDE_SPACE.len_utf8(), wide),
            [b'\n'] => (1, 1, line_end),
            [_, _, ..] => (run, 1, runs),
            _ => return None,
        };
        (is_like_space && word[white..].starts_with(|c| self.may_stand_before(c))).then_some((white, last))
    }

    /// Whether a character beyond ASCII may stand before a split point and is changed by the normalizer.
    pub fn is_changed(&self, c: char) -> bool {
        !c.is_ascii() && self.before.has(c) && !self.unchanged.has(c)
    }

    /// Characters beyond ASCII that may stand before a split point. The normalizer keeps each of them if what is beside it is in the
    /// set, too.
    pub(crate) fn unchanged(&self) -> &CharSet {
        &self.unchanged
    }

    /// Whether a byte is white space that may be behind a split point.
    pub fn starts_at(&self, byte: u8) -> bool {
        byte == b' ' || (byte == b'\n' && self.newline)
    }

    /// Whether a character may be before white space behind a split point.
    #[inline]
    pub fn may_stand_before(&self, c: char) -> bool {
        self.before.has(c)
    }

    /// The first split point of `text` behind byte `from`, which starts a character; the end of the text if there is none. The
    /// text spells no added token that takes white space. Split points between characters of ASCII are not looked for.
    #[inline]
    pub fn next(&self, text: &str, from: usize) -> usize {
        let bytes = text.as_bytes();
        if self.characters.is_none() {
            return self.find::<{ Kinds::SPACES }>(text, from + 1, usize::MAX).unwrap_or(bytes.len());
        }
        // What is behind a line end is looked at where a segment begins with one.
        if bytes[from] == b'\n' && from + 1 < bytes.len() && self.parts_characters(text, from + 1) {
            return from + 1;
        }
        self.find::<{ Kinds::ALL }>(text, from + 1, usize::MAX).unwrap_or(bytes.len())
    }

    /// The first split point behind byte `from` that is a space; in a long stretch one at the end of a line as well, and in a
    /// very long one any.
    #[inline]
    pub fn next_stretch(&self, text: &str, from: usize) -> usize {
        if self.characters.is_none() {
            return self.next(text, from);
        }
        let long = from + LONG;
        self.find::<{ Kinds::SPACES }>(text, from + 1, long).unwrap_or_else(|| self.next_far(text, long))
    }

    /// The end of a stretch that has no space before byte `long`.
    #[inline(never)]
    fn next_far(&self, text: &str, long: usize) -> usize {
        let very_long = long + VERY_LONG;
        self.find::<{ Kinds::LINE_ENDS }>(text, long, very_long)
            .or_else(|| self.find::<{ Kinds::ALL }>(text, very_long, usize::MAX))
            .unwrap_or(text.len())
    }

    /// Whether there are split points other than white space.
    pub fn part_stretches(&self) -> bool {
        self.characters.is_some()
    }

    /// Looks for a split point of these kinds from byte `at` on and returns the first. Gives up after byte `until`.
    #[inline(always)]
    fn find<const KINDS: u8>(&self, text: &str, mut at: usize, until: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let line_ends = KINDS >= Kinds::LINE_ENDS || self.newline;
        // Ends: `at` rises.
        while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let eight = u64::from_le_bytes(*eight);
            let mut found = bytes_equal(eight, b' ') | if line_ends { bytes_equal(eight, b'\n') } else { 0 };
            if KINDS == Kinds::ALL && eight & HIGH != 0 {
                found |= bytes_from_least(eight);
            }
            while found != 0 {
                let place = at + found.trailing_zeros() as usize / 8;
                if self.is_split_point::<KINDS>(text, place) {
                    return Some(place);
                }
                found &= found - 1;
            }
            at += 8;
            if at >= until {
                return None;
            }
        }
        (at..bytes.len()).find(|&at| self.is_split_point::<KINDS>(text, at))
    }

    /// Whether byte `at`, not the first, is a split point. Bytes inside of a character are none.
    #[inline(always)]
    fn is_split_point<const KINDS: u8>(&self, text: &str, at: usize) -> bool {
        match text.as_bytes()[at] {
            b' ' => self.is_after(text, at),
            b'\n' if self.newline => self.is_after(text, at),
            b'\n' => KINDS >= Kinds::LINE_ENDS && self.parts_characters(text, at),
            LEAST_FIRST_BYTE.. => KINDS == Kinds::ALL && self.parts_characters(text, at),
            _ => false,
        }
    }

    /// The same where a character starts at byte `at` that may be one of text without spaces. Not inlined, so that text with
    /// spaces is scanned without it.
    #[inline(never)]
    fn parts_characters(&self, text: &str, at: usize) -> bool {
        self.characters.as_ref().is_some_and(|characters| {
            let sides = (text[..at].chars().next_back(), text[at..].chars().next());
            matches!(sides, (Some(before), Some(behind)) if characters.is_between(before, behind))
        })
    }

    /// Whether the text may be split at byte `at`, where white space is, after what is before it.
    #[inline]
    pub fn is_after(&self, text: &str, at: usize) -> bool {
        let before = text.as_bytes()[at - 1];
        if before.is_ascii() {
            return self.before.has(char::from(before));
        }
        text[..at].chars().next_back().is_some_and(|c| self.may_stand_before(c))
    }
}

/// Split points to look for, each kind with those before it.
struct Kinds;

impl Kinds {
    const SPACES: u8 = 0;
    const LINE_ENDS: u8 = 1;
    const ALL: u8 = 2;
}

/// White space before a word that is like a space: the word has the tokens that it has behind a space, unless it starts with a mark.
/// That joins a space, and no line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LikeSpace {
    /// A line end.
    line_end: bool,
    /// Any run of spaces and line ends.
    runs: bool,
    /// A line end and [`WIDE_SPACE`].
    wide: bool,
}

/// The space that a paragraph of Japanese starts with.
pub const WIDE_SPACE: char = '\u{3000}';

/// From this length on, stretches end at the end of a line.
pub const LONG: usize = 64;
/// After so many bytes more, they end at any split point.
const VERY_LONG: usize = 2048;

/// The high bits of eight bytes.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each of eight bytes that is `byte`.
#[inline]
fn bytes_equal(eight: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differing = eight ^ (u64::from(byte) * 0x0101_0101_0101_0101);
    !(((differing & LOW) + LOW) | differing | LOW)
}

/// The high bit of each of eight bytes that is at least [`LEAST_FIRST_BYTE`].
#[inline]
fn bytes_from_least(eight: u64) -> u64 {
    const { assert!(LEAST_FIRST_BYTE >= 0x80) };
    let step = u64::from(0x100 - u16::from(LEAST_FIRST_BYTE)) * 0x0101_0101_0101_0101;
    // The lower seven bits of a byte and 0x1d make a carry into the high one from 0x63 on, and no byte overflows.
    ((eight & !HIGH) + step) & eight & HIGH
}

/// Whether the stages split at a character, or within a pretoken: `Some(true)` for that. `None` where they do not
/// split.
fn how_split(stages: &Stages, white: char) -> Option<bool> {
    let pretokenizer = stages.pretokenizer.as_ref();
    if pretokenizer.is_some_and(|pretokenizer| splits_at(pretokenizer, white)) {
        return Some(false);
    }
    let together = keeps_together(pretokenizer, stages.normalizer.as_ref(), white);
    (together && (splits_at_marks(&stages.model) || carries_sums(&stages.model))).then_some(true)
}

/// Whether stages that split at white space drop all of it.
fn drops_runs(stages: &Stages) -> bool {
    let normalizer = stages.normalizer.as_ref();
    let is_dropped = |white: &str| {
        let first = normalized(normalizer, white).and_then(|now| now.chars().next());
        stages.pretokenizer.as_ref().zip(first).is_some_and(|(pretokenizer, first)| drops(pretokenizer, first))
    };
    normalizer.is_none_or(keeps_white_space) && [" ", "\n"].into_iter().all(is_dropped)
}

/// Whether a character is punctuation of any script, or another symbol of ASCII or of its full width. None of these is in one
/// grapheme cluster with white space behind it.
pub(super) fn is_symbol(c: char) -> bool {
    c.is_ascii_graphic() || is_punctuation(c) || matches!(c, '\u{ff01}'..='\u{ff5e}')
}

/// Whether a character is a letter or a number.
pub(super) fn is_word(c: char) -> bool {
    Classes::get().of(c) & (LETTER | NUMBER) != 0
}
