//! Where pretokens start in 64 bytes, by algebra on bit masks: bit n stands for byte n, and all bytes of a character are in
//! its sets.
//!
//! Every block starts where a pretoken starts, and patterns do not look back, so no state is carried from one to the
//! next. What starts within a block is decided by characters before and at most one after it; two things may reach further:
//! white space that touches the end of what is known, which is left to the next block, and contractions, which are read
//! from the text. What is known ends before numbers and white space beyond ASCII, which are rare, and before two kinds of
//! characters that depend on what is farther away in o200k: marks that no letter precedes, and capitals after letters without case.
//! Not here: the patterns ([`crate::pretokenizers::scanners`]), which decide whatever this leaves open.
//!
//! Source: own derivation; arithmetic that carries along runs of bits: Langdale and Lemire 2019, Parsing gigabytes of
//! JSON per second.

use std::sync::LazyLock;

use crate::fast::beyond_ascii::{Others, Tables, number_others};
use crate::fast::blocks::{BLOCK, Classify, Sets, block_at};
use crate::fast::processor::Work;
use crate::pretokenizers::characters::{
    BLANK, Classes, LETTER, LOWER, MARK, Mask, NEWLINE, NUMBER, OTHER, UNCASED, UPPER,
};
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

/// The sets of ASCII that the patterns tell apart, in the order that [`Boundaries::known`] has them.
fn sets(rules: Rules) -> Sets<8> {
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

/// Classes as numbers: a set of classes is a set of numbers, too.
fn number(class: Mask) -> u8 {
    class.trailing_zeros() as u8
}

static OTHERS: LazyLock<Tables> = LazyLock::new(|| {
    let classes = Classes::get();
    Tables::new(|c| number(classes.of(c)))
});

static DEEPSEEK_OTHERS: LazyLock<Tables> = LazyLock::new(|| Tables::new(|c| number(deepseek::class_beyond_ascii(c))));

/// Finds the pretokens of texts.
#[derive(Clone, Debug)]
pub(crate) struct Boundaries {
    rules: Rules,
    sets: Sets<8>,
}

/// The pretokens that a block shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where they start, counted from the start of the block. One ends where the next one starts.
    pub(crate) starts: u64,
    /// Where the last one ends, in the text.
    pub(crate) end: usize,
    /// Whether a block from there on is likely to show more.
    pub(crate) goes_on: bool,
    /// Whether Chinese or Japanese characters may be among them.
    pub(crate) has_ideographs: bool,
}

impl Boundaries {
    /// Those that rules set.
    pub(crate) fn new(rules: Rules) -> Self {
        Self { rules, sets: sets(rules) }
    }

    /// The rules.
    #[inline(always)]
    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// The pretokens that the block from byte `at` of `text` on shows, if any. A pretoken starts there.
    #[inline(always)]
    pub(crate) fn find<P: Classify>(&self, processor: P, text: &str, at: usize) -> Found {
        let mut padded = [0; BLOCK];
        let block = block_at(text.as_bytes(), at, &mut padded);
        let masks = processor.masks(&self.sets, block);
        let is_ascii = masks.iter().fold(0, |all, mask| all | mask) == u64::MAX;
        if is_ascii || !P::HAS_NUMBERS {
            return self.known(text, at, masks, Others::default());
        }
        processor.run(BeyondAscii { boundaries: self, text, at, block, masks })
    }

    /// Whether marks belong to words.
    #[inline(always)]
    fn marks_are_letters(&self) -> bool {
        matches!(self.rules, Rules::Pattern(Pattern::O200k | Pattern::Tekken))
    }

    /// The pretokens of a block, given which bytes are in which set.
    #[inline(always)]
    fn known(&self, text: &str, at: usize, masks: [u64; 8], others: Others) -> Found {
        let [upper, lower, digit, other, blank, newline, space, apostrophe] = masks;
        let mut block = Block {
            upper,
            lower,
            beyond: 0,
            digit,
            other: other | others.bytes::<OTHER>(),
            blank,
            newline,
            space,
            apostrophe,
            continuation: others.continuation,
        };
        let mut open = 0;
        if self.marks_are_letters() {
            block.upper |= others.bytes::<UPPER>();
            block.lower |= others.bytes::<LOWER>();
            block.beyond = others.bytes::<{ UNCASED | MARK }>();
            open = first_of_run(block.letter()) & others.firsts::<MARK>() | block.upper & block.beyond << 1;
        } else {
            block.beyond = others.bytes::<LETTER>();
            block.other |= others.bytes::<MARK>();
            if self.rules == Rules::Deepseek {
                open = block.letters_after_symbol();
            }
        }
        let unknown = !(block.letter() | digit | block.other | blank | newline) | open;
        let len = unknown.trailing_zeros();
        let block = block.first(len);
        // A run of white space that touches the end may go on: nothing is known from its second byte on.
        let white = block.blank | block.newline;
        let tail = (white << (63 - len.wrapping_sub(1) % 64)).leading_ones().min(len);
        let keep = below(len - tail + u32::from(tail > 0));
        let starts = match self.rules {
            Rules::Pattern(Pattern::R50k) => block.r50k(text, at),
            // They differ where white space ends the text, which is left open.
            Rules::Pattern(Pattern::Cl100k | Pattern::Llama3) => block.cl100k(text, at, block.digits()),
            Rules::Pattern(Pattern::Qwen2) => block.cl100k(text, at, block.digit),
            Rules::Pattern(Pattern::O200k) => block.o200k(text, at, block.digits(), block.apostrophe),
            Rules::Pattern(Pattern::Tekken) => block.o200k(text, at, block.digit, 0),
            Rules::Deepseek => block.deepseek(),
        };
        let starts = starts & keep;
        let last = 63 - (starts | 1).leading_zeros();
        Found {
            starts: starts & !(1 << last),
            end: at + last as usize,
            goes_on: last != 0 && (len == 64 || others.broken >> len == 1),
            has_ideographs: others.has_ideographs(),
        }
    }
}

/// [`Boundaries::find`] in a block with characters beyond ASCII, in a function of its own.
struct BeyondAscii<'a> {
    boundaries: &'a Boundaries,
    text: &'a str,
    at: usize,
    block: &'a [u8; BLOCK],
    masks: [u64; 8],
}

impl Work for BeyondAscii<'_> {
    type Output = Found;

    #[inline(always)]
    fn on<P: Classify>(self, processor: P) -> Found {
        let Self { boundaries, text, at, block, masks } = self;
        let others = match boundaries.rules {
            Rules::Pattern(_) => {
                let classes = Classes::get();
                number_others(processor, &OTHERS, (text, at, block), |at| number(classes.at(text, at).0))
            }
            Rules::Deepseek => {
                let of = |c: Option<char>| c.map_or(0, |c| number(deepseek::class_beyond_ascii(c)));
                number_others(processor, &DEEPSEEK_OTHERS, (text, at, block), |at| of(text[at..].chars().next()))
            }
        };
        boundaries.known(text, at, masks, others)
    }
}

/// The bytes of a block, by set.
#[derive(Clone, Copy)]
struct Block {
    upper: u64,
    lower: u64,
    /// Letters beyond ASCII that are not in the first two: all of them, or where case counts those without it, and marks.
    beyond: u64,
    digit: u64,
    other: u64,
    blank: u64,
    newline: u64,
    space: u64,
    apostrophe: u64,
    /// Second and later bytes of characters.
    continuation: u64,
}

impl Block {
    /// The first `count` bytes of it.
    #[inline(always)]
    fn first(self, count: u32) -> Self {
        let below = below(count);
        Self {
            upper: self.upper & below,
            lower: self.lower & below,
            beyond: self.beyond & below,
            digit: self.digit & below,
            other: self.other & below,
            blank: self.blank & below,
            newline: self.newline & below,
            space: self.space & below,
            apostrophe: self.apostrophe & below,
            continuation: self.continuation & below,
        }
    }

    #[inline(always)]
    fn letter(self) -> u64 {
        self.upper | self.lower | self.beyond
    }

    /// Contractions that start a pretoken; else runs, each with the one space before it; all white space but its last
    /// character.
    #[inline(always)]
    fn r50k(self, text: &str, at: usize) -> u64 {
        let white = self.blank | self.newline;
        let run = |mask: u64| mask & !(mask << 1) & !(self.space << 1);
        let free = run(self.other);
        let starts = run(self.letter()) | run(self.digit) | free | first_of_run(white) | white & !(white >> 1);
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
    /// that the text ends there. A symbol begins a word only if both are ASCII.
    #[inline(always)]
    fn deepseek(self) -> u64 {
        let last_before_number = self.blank & self.digit >> 1 & self.blank << 1;
        let white = self.white(self.eaten()) & !last_before_number;
        let words = first_of_run(self.letter()) & !(self.blank << 1 | self.after_symbol());
        words | self.free() | self.digits() | white
    }

    /// Letters of ASCII that follow a symbol of ASCII which begins a pretoken.
    #[inline(always)]
    fn after_symbol(self) -> u64 {
        // Behind a longer symbol is one of its own bytes.
        self.free() << 1 & (self.upper | self.lower)
    }

    /// Letters beyond ASCII after letters of ASCII that a symbol begins: DeepSeek's word ends before them.
    #[inline(always)]
    fn letters_after_symbol(self) -> u64 {
        let ascii = self.upper | self.lower;
        // Adding the first of a run carries to its end.
        ascii.wrapping_add(self.after_symbol()) & !ascii & self.beyond
    }

    /// Starts of letters that have no one character before them to begin the pretoken.
    #[inline(always)]
    fn words(self) -> u64 {
        first_of_run(self.letter()) & !(self.blank << 1 | self.next(self.free()))
    }

    /// The first byte of the character after each of `firsts`. Adding to a second byte carries over the rest of its character.
    #[inline(always)]
    fn next(self, firsts: u64) -> u64 {
        self.continuation.wrapping_add(firsts << 1) & !self.continuation
    }

    /// As cl100k, but words end before capitals after small letters, contractions belong to the word before, and
    /// slashes are eaten like newlines. Contractions start at `apostrophes` alone.
    #[inline(always)]
    fn o200k(self, text: &str, at: usize, digits: u64, apostrophes: u64) -> u64 {
        let eaten = self.eaten();
        let words = self.words() | self.upper & self.lower << 1;
        let mut starts = words | self.free() | digits | self.white(eaten);
        let mut after_word = apostrophes & self.letter() << 1;
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
