//! The classes of characters that split patterns speak of, one bit each, in one table look-up.
//!
//! The table is computed once from the Unicode tables of `regex-syntax`, the ones the regular expressions of the
//! reference (tiktoken) are compiled with, so that `\p{L}` means the same here and there.
//! Not here: BERT's classes, which come from older tables ([`crate::normalizers::bert`]).

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};
use rustc_hash::FxHashMap;

/// A set of classes; a character is in exactly one.
pub(crate) type Mask = u8;

/// `\p{Lu}` and `\p{Lt}`.
pub(crate) const UPPER: Mask = 1;
/// `\p{Ll}`.
pub(crate) const LOWER: Mask = 2;
/// `\p{Lm}` and `\p{Lo}`: letters without case.
pub(crate) const UNCASED: Mask = 4;
/// `\p{M}`.
pub const MARK: Mask = 8;
/// `\p{N}`.
pub const NUMBER: Mask = 16;
/// `\s` without the next one.
pub(crate) const BLANK: Mask = 32;
/// `[\r\n]`.
pub const NEWLINE: Mask = 64;
/// Everything else: punctuation, symbols, control characters, unassigned code points.
pub(crate) const OTHER: Mask = 128;

/// `\p{L}`.
pub const LETTER: Mask = UPPER | LOWER | UNCASED;
/// `\s`.
pub const SPACE: Mask = BLANK | NEWLINE;

const BLOCK: usize = 64;

/// A number for each character, in two stages: a block of 64 code points is what one last byte of UTF-8 tells apart.
pub struct Table {
    ascii: [u8; 128],
    block_of: Box<[u16; 0x11_0000 / BLOCK]>,
    blocks: Vec<[u8; BLOCK]>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    // The order matters for \r and \n alone.
    let classes = [
        (r"[\p{Lu}\p{Lt}]", UPPER),
        (r"\p{Ll}", LOWER),
        (r"[\p{Lm}\p{Lo}]", UNCASED),
        (r"\p{M}", MARK),
        (r"\p{N}", NUMBER),
        (r"\s", BLANK),
        (r"[\r\n]", NEWLINE),
    ];
    Table::new(OTHER, &classes)
});

impl Table {
    /// `otherwise` for all characters, but for those of a class of regular expressions its number: the last such class's.
    ///
    /// # Panics
    /// Where one is no class of characters: they are constants.
    pub fn new(otherwise: u8, classes: &[(&str, u8)]) -> Self {
        let mut all = vec![otherwise; 0x11_0000];
        for &(class, number) in classes {
            for (start, end) in ranges(class) {
                all[start as usize..=end as usize].fill(number);
            }
        }
        let mut blocks: Vec<[u8; BLOCK]> = vec![];
        let mut known = FxHashMap::default();
        let block_of = all
            .chunks_exact(BLOCK)
            .map(|chunk| {
                *known.entry(chunk).or_insert_with(|| {
                    blocks.push(std::array::from_fn(|at| chunk[at]));
                    (blocks.len() - 1) as u16
                })
            })
            .collect::<Box<[u16]>>()
            .try_into()
            .expect("a number for each block");
        Self { ascii: std::array::from_fn(|at| all[at]), block_of, blocks }
    }

    /// The number of a character.
    #[inline]
    pub fn of(&self, c: char) -> u8 {
        let c = c as usize;
        if c < 128 { self.ascii[c] } else { self.blocks[usize::from(self.block_of[c / BLOCK])][c % BLOCK] }
    }

    /// The number of the character that starts at byte `at`, and its length; 0 and 0 at the end of the text.
    #[inline(always)]
    pub(crate) fn at(&self, text: &str, at: usize) -> (u8, usize) {
        let Some(&first) = text.as_bytes().get(at) else { return (0, 0) };
        if first < 128 {
            return (self.ascii[usize::from(first)], 1);
        }
        // A block is what the last byte of a character tells apart, so the others are its number.
        match (first, text.as_bytes()[at + 1..].first_chunk()) {
            (0xe0..0xf0, Some(&[second, third])) => (self.of_three(first, second, third), 3),
            (..0xe0, Some(&[second, _])) => (self.in_block(usize::from(first & 31), second), 2),
            _ => self.at_any(text, at),
        }
    }

    /// The number of the character of these three bytes.
    #[inline(always)]
    fn of_three(&self, first: u8, second: u8, third: u8) -> u8 {
        self.in_block(usize::from(first & 15) << 6 | usize::from(second & 63), third)
    }

    /// The number of the character in a block that has this last byte.
    #[inline(always)]
    fn in_block(&self, block: usize, last: u8) -> u8 {
        self.blocks[usize::from(self.block_of[block])][usize::from(last & 63)]
    }

    /// As [`Self::at`], by the definition.
    #[inline(never)]
    fn at_any(&self, text: &str, at: usize) -> (u8, usize) {
        text[at..].chars().next().map_or((0, 0), |c| (self.of(c), c.len_utf8()))
    }
}

/// Code points of a character class, as inclusive ranges.
fn ranges(class: &str) -> Vec<(u32, u32)> {
    let hir = regex_syntax::parse(class).expect("the classes above are valid");
    match hir.kind() {
        HirKind::Class(Class::Unicode(set)) => {
            set.ranges().iter().map(|range| (range.start() as u32, range.end() as u32)).collect()
        }
        HirKind::Class(Class::Bytes(set)) => {
            set.ranges().iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect()
        }
        _ => unreachable!("{class} is a character class"),
    }
}

/// The classes of all characters; cheap to copy, get it once per text.
#[derive(Clone, Copy)]
pub struct Classes(&'static Table);

impl Classes {
    /// The table, computed on first use, which takes a few milliseconds.
    pub fn get() -> Self {
        Self(&TABLE)
    }

    /// The class of a character.
    #[inline]
    pub fn of(self, c: char) -> Mask {
        self.0.of(c)
    }

    /// The class of the character that starts at byte `at`, and its length; class 0 at the end of the text.
    #[inline(always)]
    pub(crate) fn at(self, text: &str, at: usize) -> (Mask, usize) {
        self.0.at(text, at)
    }

    /// Where the run of characters of the classes `mask` that starts at byte `at` ends.
    #[inline(always)]
    pub(crate) fn run(self, text: &str, mut at: usize, mask: Mask) -> usize {
        loop {
            // Most long runs are of characters of three bytes.
            while let Some(&[first, second, third]) = text.as_bytes()[at..].first_chunk()
                && first & 0xf0 == 0xe0
            {
                if self.0.of_three(first, second, third) & mask == 0 {
                    return at;
                }
                at += 3;
            }
            let (class, len) = self.at(text, at);
            if class & mask == 0 {
                return at;
            }
            at += len;
        }
    }

    /// The same, but at most `max` characters long.
    #[inline(always)]
    pub(crate) fn run_at_most(self, text: &str, mut at: usize, mask: Mask, max: usize) -> usize {
        for _ in 0..max {
            let (class, len) = self.at(text, at);
            if class & mask == 0 {
                break;
            }
            at += len;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_class_at_a_byte_is_that_of_the_character() {
        let classes = super::Classes::get();
        for c in '\0'..=char::MAX {
            for after in ["", "x", "\u{3042}"] {
                let text = format!("é{c}{after}");
                assert_eq!(classes.at(&text, 2), (classes.of(c), c.len_utf8()), "{c:?}");
            }
        }
        assert_eq!(classes.at("é", 2), (0, 0));
    }

    #[test]
    fn example_of_classes_of() {
        use crate::pretokenizers::characters::*;
        let classes = Classes::get();
        assert_eq!(
            "aÉ語́½\t\n!".chars().map(|c| classes.of(c)).collect::<Vec<_>>(),
            [LOWER, UPPER, UNCASED, MARK, NUMBER, BLANK, NEWLINE, OTHER]
        );
    }
}
