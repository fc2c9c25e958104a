//! What BERT's normalizer and pretokenizer do to each character, in one look-up.
//!
//! Both work character by character, but for marks that change places when accents are stripped: where a mark that moves
//! stays in the text ([`Kind::Moves`]), the stages have to be gone through ([`super`]).
//! Not here: what the stages are, which this table is computed from ([`crate::normalizers::bert`]).
//!
//! Two stages: the code point without its last six bits gives a block of 64 entries. These six bits are the last byte of
//! the character's UTF-8.

use std::collections::HashMap;

use crate::normalizers::bert::BertNormalizer;
use crate::pretokenizers::bert::split;
use crate::unicode::{
    combining_class, decompose, for_each_run, is_control, is_ideograph, is_nonspacing, is_space, lower,
};

/// What becomes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Part of a word, as it is.
    Keep,
    /// Part of a word, as the bytes of [`Entry::text`].
    Put,
    /// Nothing.
    Gone,
    /// White space: ends a word.
    Space,
    /// A pretoken of its own, as it is or as the bytes of [`Entry::text`].
    Alone,
    /// A syllable of Hangul: part of a word, as its two or three letters.
    Hangul,
    /// A mark that stays, or a character that ends in one: it may change places with marks around it.
    Moves,
}

/// What becomes of a character: kind in bits 0 to 2, mark in bit 3, number of bytes in bits 4 to 7, and in the rest the
/// bytes themselves, or above three bytes where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry(u32);

const MARK: u32 = 8;

impl Entry {
    fn new(kind: Kind, mark: bool) -> Self {
        Self(kind as u32 | u32::from(mark) * MARK)
    }

    /// What becomes of the character.
    #[inline(always)]
    pub fn kind(self) -> Kind {
        match self.0 & 7 {
            0 => Kind::Keep,
            1 => Kind::Put,
            2 => Kind::Gone,
            3 => Kind::Space,
            4 => Kind::Alone,
            5 => Kind::Hangul,
            _ => Kind::Moves,
        }
    }

    /// Whether a mark next to this character may change places with it or with a part of it.
    #[inline(always)]
    pub fn is_mark(self) -> bool {
        self.0 & MARK != 0
    }

    /// Whether a mark that moves is nothing but itself: then it is part of a word as it is where no mark is beside it.
    #[inline(always)]
    pub fn is_single(self) -> bool {
        self.len() != 0
    }

    /// How many bytes the character becomes; 0 where it stays as it is.
    #[inline(always)]
    pub fn len(self) -> usize {
        (self.0 >> 4 & 15) as usize
    }

    /// The bytes it becomes, if they are at most three.
    #[inline(always)]
    pub fn bytes(self) -> [u8; 4] {
        (self.0 >> 8).to_le_bytes()
    }
}

const BLOCK: usize = 64;

/// The table.
#[derive(Clone, Debug)]
pub struct Chars {
    block_of: Vec<u16>,
    /// Blocks of entries; those of ASCII come first, so that a byte below 128 is its own index.
    entries: Vec<Entry>,
    /// Texts longer than three bytes that characters become.
    texts: Vec<u8>,
}

impl Chars {
    /// Computes the table, a few milliseconds' work.
    pub fn new(normalizer: BertNormalizer) -> Self {
        const BLOCKS: usize = 0x11_0000 / BLOCK;
        // Blocks that one run of characters covers are alike all through; most are covered by none.
        #[derive(Clone, Copy, PartialEq)]
        enum Block {
            Plain,
            Covered,
            Mixed,
        }
        let mut blocks = vec![Block::Plain; BLOCKS];
        for_each_run(|first, last| {
            for (at, block) in
                blocks.iter_mut().enumerate().take(last as usize / BLOCK + 1).skip(first as usize / BLOCK)
            {
                let covers = first as usize <= at * BLOCK && at * BLOCK + BLOCK - 1 <= last as usize;
                *block = if covers && *block == Block::Plain { Block::Covered } else { Block::Mixed };
            }
        });
        blocks[..2].fill(Block::Mixed);
        let mut chars = Self { block_of: vec![], entries: vec![], texts: vec![] };
        let mut alike = HashMap::new();
        for (at, block) in blocks.into_iter().enumerate() {
            let mut entry_of = |cp: usize| match char::from_u32(cp as u32) {
                Some(c) => chars.compute(normalizer, c),
                None => Entry::new(Kind::Keep, false), // surrogates, which no text has
            };
            let first = entry_of(at * BLOCK);
            let uniform = block == Block::Plain || block == Block::Covered && first.len() == 0;
            let number = chars.entries.len() / BLOCK;
            let number = if uniform { *alike.entry(first).or_insert(number) } else { number };
            if number == chars.entries.len() / BLOCK {
                for cp in at * BLOCK..at * BLOCK + BLOCK {
                    let entry = match char::from_u32(cp as u32) {
                        Some(c) if !uniform => chars.compute(normalizer, c),
                        _ => first,
                    };
                    chars.entries.push(entry);
                }
            }
            chars.block_of.push(number as u16);
        }
        chars
    }

    /// The entry of a byte of ASCII.
    #[inline(always)]
    pub fn ascii(&self, byte: u8) -> Entry {
        debug_assert!(byte < 128);
        self.entries[usize::from(byte)]
    }

    /// The entry of the character that four bytes start with, and its length.
    #[inline(always)]
    pub fn at(&self, [lead, second, third, fourth]: [u8; 4]) -> (Entry, usize) {
        let low = |byte: u8| usize::from(byte & 0x3f);
        if lead < 0x80 {
            return (self.ascii(lead), 1);
        }
        let (block, last, len) = if lead < 0xe0 {
            (usize::from(lead & 0x1f), second, 2)
        } else if lead < 0xf0 {
            (usize::from(lead & 0xf) << 6 | low(second), third, 3)
        } else {
            (usize::from(lead & 7) << 12 | low(second) << 6 | low(third), fourth, 4)
        };
        (self.entries[usize::from(self.block_of[block]) * BLOCK + low(last)], len)
    }

    /// The text that a character becomes, of more than three bytes.
    #[inline]
    pub fn text(&self, entry: Entry) -> &[u8] {
        let at = (entry.0 >> 8) as usize;
        &self.texts[at..at + entry.len()]
    }

    /// Sends one character through the stages.
    fn compute(&mut self, normalizer: BertNormalizer, c: char) -> Entry {
        let strip = normalizer.strips_accents();
        let moves = |c: char| combining_class(c) != 0;
        let mark = strip && (decompose(c).any(moves) || normalizer.clean_text && is_control(c));
        if strip && decompose(c).any(|part| moves(part) && !is_nonspacing(part)) {
            let same = String::from(c);
            let single = normalized(normalizer, c) == same && is_word(&same);
            return self.entry(Kind::Moves, mark, usize::from(single), 0);
        }
        if strip && ('가'..='힣').contains(&c) {
            return Entry::new(Kind::Hangul, mark);
        }
        let text = normalized(normalizer, c);
        let mut words = vec![];
        split(&text, &mut words);
        let alone = !is_word(&text);
        let (kind, text) = match &words[..] {
            [] if text.is_empty() => (Kind::Gone, ""),
            [] => (Kind::Space, ""),
            [word] => (if alone { Kind::Alone } else { Kind::Put }, &text[word.clone()]),
            _ => return Entry::new(Kind::Moves, true),
        };
        let same = text == c.encode_utf8(&mut [0; 4]);
        match (kind, text.len()) {
            (_, 0) => Entry::new(kind, mark),
            (Kind::Put, _) if same => Entry::new(Kind::Keep, mark),
            (Kind::Alone, _) if same => Entry::new(Kind::Alone, mark),
            (_, len @ 1..=3) => {
                let mut bytes = [0; 4];
                bytes[..len].copy_from_slice(text.as_bytes());
                self.entry(kind, mark, len, u32::from_le_bytes(bytes))
            }
            (_, len @ 4..=15) => {
                let at = self.texts.len() as u32;
                self.texts.extend_from_slice(text.as_bytes());
                self.entry(kind, mark, len, at)
            }
            _ => Entry::new(Kind::Moves, true),
        }
    }

    fn entry(&self, kind: Kind, mark: bool, len: usize, payload: u32) -> Entry {
        debug_assert!(payload < 1 << 24 && len < 16);
        Entry(Entry::new(kind, mark).0 | (len as u32) << 4 | payload << 8)
    }
}

/// The normalizer's steps for one character without neighbours.
fn normalized(normalizer: BertNormalizer, c: char) -> String {
    let mut chars = vec![c];
    if normalizer.clean_text {
        chars.retain(|&c| !is_control(c));
        chars.iter_mut().filter(|c| is_space(**c)).for_each(|c| *c = ' ');
    }
    if normalizer.handle_chinese_chars && is_ideograph(c) {
        chars = vec![' ', c, ' '];
    }
    if normalizer.strips_accents() {
        chars = chars.into_iter().flat_map(decompose).filter(|&c| !is_nonspacing(c)).collect();
    }
    if normalizer.lowercase {
        chars = chars.into_iter().flat_map(lower).collect();
    }
    chars.into_iter().collect()
}

/// Whether text put on both sides would make one word with it.
fn is_word(text: &str) -> bool {
    let mut words = vec![];
    split(&format!("a{text}a"), &mut words);
    words.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(chars: &Chars, c: char) -> Entry {
        let mut bytes = [0; 4];
        c.encode_utf8(&mut bytes);
        chars.at(bytes).0
    }

    #[test]
    fn knows_what_becomes_of_characters() {
        let (uncased, cased) = (Chars::new(BertNormalizer::UNCASED), Chars::new(BertNormalizer::CASED));
        for (c, kind, text, kind_cased) in [
            ('a', Kind::Keep, "", Kind::Keep),
            ('A', Kind::Put, "a", Kind::Keep),
            ('é', Kind::Put, "e", Kind::Keep),
            ('\u{301}', Kind::Gone, "", Kind::Keep),
            ('\0', Kind::Gone, "", Kind::Gone),
            ('\u{a0}', Kind::Space, "", Kind::Space),
            ('!', Kind::Alone, "", Kind::Alone),
            ('中', Kind::Alone, "", Kind::Alone),
            ('≮', Kind::Alone, "<", Kind::Keep),
            ('\u{f900}', Kind::Alone, "豈", Kind::Alone),
            ('\u{2f80f}', Kind::Alone, "兔", Kind::Alone),
            ('각', Kind::Hangul, "", Kind::Keep),
            ('\u{302e}', Kind::Moves, "", Kind::Keep),
            ('\u{1d15e}', Kind::Moves, "", Kind::Keep),
            ('𐐀', Kind::Put, "𐐨", Kind::Keep),
        ] {
            let found = entry(&uncased, c);
            let bytes = if kind == Kind::Moves {
                vec![]
            } else if found.len() > 3 {
                uncased.text(found).to_vec()
            } else {
                found.bytes()[..found.len()].to_vec()
            };
            assert_eq!((found.kind(), String::from_utf8_lossy(&bytes).as_ref()), (kind, text), "{c:?}");
            assert_eq!(entry(&cased, c).kind(), kind_cased, "{c:?}");
        }
    }

    #[test]
    fn blocks_taken_to_be_alike_are() {
        for normalizer in [BertNormalizer::UNCASED, BertNormalizer::CASED] {
            let mut chars = Chars::new(normalizer);
            for c in ('\0'..=char::MAX).step_by(7) {
                let (found, expected) = (entry(&chars, c), chars.compute(normalizer, c));
                // Texts above three bytes are stored anew at another place.
                let texts =
                    if found.len() > 3 { (chars.text(found), chars.text(expected)) } else { (&[][..], &[][..]) };
                assert_eq!(found.0 & 0xff, expected.0 & 0xff, "{c:?}");
                assert!(texts.0 == texts.1 && (found.len() > 3 || found == expected), "{c:?}");
            }
        }
    }
}
