//! Where pretokens start in 64 bytes of ASCII, by algebra on bit masks: bit n stands for byte n.
//!
//! Every block starts where a pretoken starts, and patterns do not look back, so no state is carried from one to the
//! next. What starts within a block is decided by bytes before and at most one after it; two things may reach further:
//! white space that touches the end of what is known, which is left to the next block, and contractions, which are read
//! from the text. Bytes that are not ASCII end what is known.
//! Not here: the patterns ([`crate::pretokenizers::scanners`]), which decide whatever this leaves open.
//!
//! Source: own derivation; arithmetic that carries along runs of bits: Langdale and Lemire 2019, Parsing gigabytes of
//! JSON per second.

use crate::fast::blocks::Sets;
use crate::pretokenizers::characters::{BLANK, Classes, LOWER, NEWLINE, NUMBER, OTHER, UPPER};
use crate::pretokenizers::scanners::{Pattern, deepseek};

/// How a text falls into pretokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// At a known pattern.
    Pattern(Pattern),
    /// At the three splits of DeepSeek.
    Deepseek,
}

impl From<Pattern> for Rules {
    fn from(pattern: Pattern) -> Self {
        Self::Pattern(pattern)
    }
}

impl Rules {
    /// End of the pretoken that starts at byte `at`, which is not the end of `text`.
    #[inline(always)]
    pub(crate) fn next(self, classes: Classes, text: &str, at: usize) -> usize {
        match self {
            Self::Pattern(pattern) => pattern.next(classes, text, at),
            Self::Deepseek => deepseek::next(text, at),
        }
    }
}

/// How many sets of characters there are.
pub(crate) const SETS: usize = 8;

/// The sets that the patterns tell apart, in the order that [`starts`] has them.
pub(crate) fn sets(rules: Rules) -> Sets<SETS> {
    let classes = Classes::get();
    Sets::new(|byte| {
        // DeepSeek leaves control characters between its matches: they are in no set, so that the scanner takes them.
        if rules == Rules::Deepseek && char::from(byte).is_control() && classes.of(char::from(byte)) == OTHER {
            return 0;
        }
        let class = classes.of(char::from(byte));
        let sets = [UPPER, LOWER, NUMBER, OTHER, BLANK, NEWLINE].map(|mask| class & mask != 0);
        let of_class = sets.iter().enumerate().fold(0, |bits, (set, &is_in)| bits | u8::from(is_in) << set);
        of_class | u8::from(byte == b' ') << 6 | u8::from(byte == b'\'') << 7
    })
}

/// What is known of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Where pretokens start. The first bit stands for the start of the block itself; after the last one pretokens may
    /// start that are not known.
    pub(crate) starts: u64,
    /// Whether all bytes of the block are ASCII.
    pub(crate) is_ascii: bool,
}

/// The pretokens of a block that starts at byte `at` of `text`, where a pretoken starts, given which bytes are in
/// which set.
#[inline(always)]
pub(crate) fn starts(rules: Rules, text: &str, at: usize, masks: [u64; SETS]) -> Known {
    let [upper, lower, digit, other, blank, newline, space, apostrophe] = masks;
    let all = upper | lower | digit | other | blank | newline;
    let known = all.trailing_ones();
    let below = below(known);
    // A run of white space that touches the end may go on: nothing is known from its second byte on.
    let white = (blank | newline) & below;
    let tail = (white << (63 - known.wrapping_sub(1) % 64)).leading_ones().min(known);
    let keep = self::below(known - tail + u32::from(tail > 0));
    let block = Block {
        upper: upper & below,
        lower: lower & below,
        digit: digit & below,
        other: other & below,
        blank: blank & below,
        newline: newline & below,
        space: space & below,
        apostrophe: apostrophe & below,
    };
    let starts = match rules {
        Rules::Pattern(Pattern::R50k) => block.r50k(text, at),
        // They differ where white space ends the text, which is left open.
        Rules::Pattern(Pattern::Cl100k | Pattern::Llama3) => block.cl100k(text, at, block.digits()),
        Rules::Pattern(Pattern::Qwen2) => block.cl100k(text, at, block.digit),
        Rules::Pattern(Pattern::O200k) => block.o200k(text, at, block.digits(), block.apostrophe),
        Rules::Pattern(Pattern::Tekken) => block.o200k(text, at, block.digit, 0),
        Rules::Deepseek => block.deepseek(),
    };
    Known { starts: starts & keep, is_ascii: known == 64 }
}

/// The bytes of a block, by set.
#[derive(Clone, Copy)]
struct Block {
    upper: u64,
    lower: u64,
    digit: u64,
    other: u64,
    blank: u64,
    newline: u64,
    space: u64,
    apostrophe: u64,
}

impl Block {
    /// Contractions that start a pretoken; else runs, each with the one space before it; all white space but its last
    /// character.
    #[inline(always)]
    fn r50k(self, text: &str, at: usize) -> u64 {
        let letter = self.upper | self.lower;
        let white = self.blank | self.newline;
        let run = |mask: u64| mask & !(mask << 1) & !(self.space << 1);
        let free = run(self.other);
        let starts = run(letter) | run(self.digit) | free | first_of_run(white) | white & !(white >> 1);
        contractions(Pattern::R50k, text, at, self.apostrophe & free, starts)
    }

    /// Contractions that start a pretoken; letters with any one character before them; numbers, which start where `digits`
    /// says; anything else with a space before it and newlines after it.
    #[inline(always)]
    fn cl100k(self, text: &str, at: usize, digits: u64) -> u64 {
        let starts = self.words() | self.free() | digits | self.white(self.eaten());
        contractions(Pattern::Cl100k, text, at, self.apostrophe & self.free(), starts)
    }

    /// As cl100k without contractions, and white space before a number stays together: the number is taken out first, so
    /// that the text ends there.
    #[inline(always)]
    fn deepseek(self) -> u64 {
        let last_before_number = self.blank & self.digit >> 1 & self.blank << 1;
        let white = self.white(self.eaten()) & !last_before_number;
        self.words() | self.free() | self.digits() | white
    }

    /// Starts of letters that have no one character before them to begin the pretoken.
    #[inline(always)]
    fn words(self) -> u64 {
        first_of_run(self.upper | self.lower) & !((self.blank | self.free()) << 1)
    }

    /// As cl100k, but words end before capitals after small letters, contractions belong to the word before, and
    /// slashes are eaten like newlines. Contractions start at `apostrophes` alone.
    #[inline(always)]
    fn o200k(self, text: &str, at: usize, digits: u64, apostrophes: u64) -> u64 {
        let letter = self.upper | self.lower;
        let (free, eaten) = (self.free(), self.eaten());
        let words = first_of_run(letter) & !((self.blank | free) << 1) | self.upper & self.lower << 1;
        let mut starts = words | free | digits | self.white(eaten);
        let mut after_word = apostrophes & letter << 1;
        let mut done = 0;
        while after_word != 0 {
            let from = after_word.trailing_zeros();
            after_word &= after_word - 1;
            // What precedes must be a word, not a contraction; that one's end is a start already.
            let len = if from == done { 0 } else { self::Pattern::O200k.contraction(text, at + from as usize) };
            if len > 0 {
                let end = 1u64.unbounded_shl(from + len as u32);
                starts = starts & !(end.wrapping_sub(1) & u64::MAX << from) | end;
                done = from + len as u32;
            }
        }
        let mut after_eaten = eaten << 1 & self.other;
        while after_eaten != 0 {
            let from = after_eaten.trailing_zeros();
            after_eaten &= after_eaten - 1;
            if text.as_bytes()[at + from as usize] == b'/' {
                return starts & below(from);
            }
        }
        starts
    }

    /// Starts of runs of other characters that have no space before them.
    #[inline(always)]
    fn free(self) -> u64 {
        first_of_run(self.other) & !(self.space << 1)
    }

    /// Starts of groups of three digits.
    #[inline(always)]
    fn digits(self) -> u64 {
        let digit = self.digit;
        let mut starts = first_of_run(digit);
        let fourth = digit & digit << 1 & digit << 2 & digit << 3;
        let mut next = starts << 3 & fourth;
        while next != 0 {
            starts |= next;
            next = next << 3 & fourth;
        }
        starts
    }

    /// Newlines that follow other characters and belong to them: adding the first of a run carries to its end.
    #[inline(always)]
    fn eaten(self) -> u64 {
        self.newline & !self.newline.wrapping_add(self.newline & self.other << 1)
    }

    /// Starts in white space that is not eaten: that of a run, the one after its last newline, and its last character if
    /// that is no newline.
    #[inline(always)]
    fn white(self, eaten: u64) -> u64 {
        let white = (self.blank | self.newline) & !eaten;
        let last = self.blank & !(white >> 1);
        let mut after_newline = (self.newline & !eaten) << 1 & self.blank;
        // Blanks between two newlines of a run: the carry comes out at a newline.
        let mut between = after_newline.wrapping_add(self.blank) & !self.blank & self.newline;
        while between != 0 {
            let before = below(between.trailing_zeros());
            between &= between - 1;
            after_newline &= !(1 << (63 - (after_newline & before).leading_zeros()));
        }
        first_of_run(white) | last | after_newline
    }
}

/// Marks the ends of contractions as starts, and nothing within them.
#[inline(always)]
fn contractions(pattern: Pattern, text: &str, at: usize, mut apostrophes: u64, mut starts: u64) -> u64 {
    while apostrophes != 0 {
        let from = apostrophes.trailing_zeros();
        apostrophes &= apostrophes - 1;
        let len = pattern.contraction(text, at + from as usize) as u32;
        if len > 0 {
            let end = 1u64.unbounded_shl(from + len);
            starts = starts & !(end.wrapping_sub(1) & (u64::MAX << from) << 1) | end;
        }
    }
    starts
}

#[inline(always)]
fn first_of_run(mask: u64) -> u64 {
    mask & !(mask << 1)
}

/// The lowest `count` bits.
#[inline(always)]
fn below(count: u32) -> u64 {
    !u64::MAX.unbounded_shl(count)
}
