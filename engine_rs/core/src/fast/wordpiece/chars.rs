//! What BERT's normalizer and pretokenizer do to each character, in one look-up.
//!
//! Both work character by character, but for marks that change places when accents are stripped: where a mark that moves
//! stays in the text ([`Kind::Moves`]), the stages have to be gone through ([`super`]).
//! Not here: what the stages are, which this table is computed from ([`crate::normalizers::bert`]).
//!
//! Two stages: the code point without its last six bits gives a block of 64 entries. These six bits are the last byte of
//! the character's UTF-8.

use std::collections::HashMap;

use crate::ids::Id;
use crate::models::wordpiece::WordPiece;
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
    /// Part of a word, as [`Entry::bytes`].
    Put,
    /// Part of a word, as [`Chars::text`].
    PutText,
    /// Nothing.
    Gone,
    /// White space: ends a word.
    Space,
    /// A pretoken of its own, which is the token [`Entry::id`].
    Alone,
    /// A syllable of Hangul: part of a word, as its two or three letters.
    Hangul,
    /// A mark that stays, or a character that ends in one: it may change places with marks around it.
    Moves,
}

/// What becomes of a character: kind in bits 0 to 2, mark in bit 3, number of bytes in bits 4 to 7, and above the bytes,
/// or where they are, or the id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry(u32);

const MARK: u32 = 8;

impl Entry {
    fn new(kind: Kind, mark: bool) -> Self {
        Self::with(kind, mark, 0, 0)
    }

    fn with(kind: Kind, mark: bool, len: usize, payload: u32) -> Self {
        debug_assert!(len < 16);
        Self(kind as u32 | if mark { MARK } else { 0 } | (len as u32) << 4 | payload << 8)
    }

    /// Whether the character is [`Kind::Keep`] or [`Kind::Put`].
    #[inline(always)]
    pub(crate) fn is_letter(self) -> bool {
        self.0 & 7 <= Kind::Put as u32
    }

    /// What becomes of the character.
    #[inline(always)]
    pub(crate) fn kind(self) -> Kind {
        match self.0 & 7 {
            0 => Kind::Keep,
            1 => Kind::Put,
            2 => Kind::PutText,
            3 => Kind::Gone,
            4 => Kind::Space,
            5 => Kind::Alone,
            6 => Kind::Hangul,
            _ => Kind::Moves,
        }
    }

    /// Whether a mark next to this character may change places with it or with a part of it.
    #[inline(always)]
    pub(crate) fn is_mark(self) -> bool {
        self.0 & MARK != 0
    }

    /// Whether a mark that moves is nothing but itself: then it is part of a word as it is where no mark is beside it.
    #[inline(always)]
    pub(crate) fn is_single(self) -> bool {
        self.len() != 0
    }

    /// How many bytes the character becomes; 0 where it stays as it is.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.0 >> 4 & 15) as usize
    }

    /// The bytes it becomes, if they are at most three.
    #[inline(always)]
    pub(crate) fn bytes(self) -> [u8; 4] {
        (self.0 >> 8).to_le_bytes()
    }

    /// The token of a character that stands alone.
    #[inline(always)]
    pub(crate) fn id(self) -> Id {
        self.0 >> 8
    }
}

const BLOCK: usize = 64;
/// Ids below this fit into an entry.
pub(crate) const MAX_IDS: usize = 1 << 24;
/// The most bytes that a character becomes, Hangul aside: four letters of Greek, or one of four bytes and its marks.
const MAX_BYTES: usize = 12;

/// The table.
#[derive(Clone, Debug)]
pub(crate) struct Chars {
    block_of: Vec<u16>,
    /// Blocks of entries; those of ASCII come first, so that a byte below 128 is its own index.
    entries: Vec<Entry>,
    /// Texts longer than three bytes that characters become.
    texts: Vec<[u8; MAX_BYTES]>,
}

impl Chars {
    /// Computes the table, a few milliseconds' work. Ids that are not below [`MAX_IDS`] come out wrong.
    pub(crate) fn new(normalizer: BertNormalizer, model: &WordPiece) -> Self {
        let mut chars = Self { block_of: vec![], entries: vec![], texts: vec![] };
        // Blocks that are all one entry, and other blocks: most are the same as another.
        let mut plain: HashMap<Entry, u16> = HashMap::new();
        let mut known: HashMap<[Entry; BLOCK], u16> = HashMap::new();
        for (at, coverage) in coverage().into_iter().enumerate() {
            let next = (chars.entries.len() / BLOCK) as u16;
            let (block, number) = match chars.block(normalizer, model, at, coverage) {
                Block::Plain(entry) => ([entry; BLOCK], *plain.entry(entry).or_insert(next)),
                Block::Mixed(block) => (*block, *known.entry(*block).or_insert(next)),
            };
            if number == next {
                chars.entries.extend_from_slice(&block);
            }
            chars.block_of.push(number);
        }
        chars
    }

    /// The entries of block number `at`.
    fn block(&mut self, normalizer: BertNormalizer, model: &WordPiece, at: usize, coverage: Coverage) -> Block {
        let char_at = |n: usize| char::from_u32((at * BLOCK + n) as u32);
        let keep = Entry::new(Kind::Keep, false);
        // Surrogates are in no text.
        let first = match (coverage, char_at(0)) {
            (Coverage::None, _) | (_, None) => return Block::Plain(keep),
            (_, Some(first)) => self.compute(normalizer, model, first),
        };
        match (coverage, first.kind()) {
            (Coverage::OneRun, Kind::Keep | Kind::Gone | Kind::Hangul) => Block::Plain(first),
            // Ideographs stay as they are, but each is another token.
            (Coverage::OneRun, Kind::Alone) => Block::Mixed(Box::new(std::array::from_fn(|n| {
                char_at(n).map_or(keep, |c| alone(model, c.encode_utf8(&mut [0; 4]), false))
            }))),
            _ => Block::Mixed(Box::new(std::array::from_fn(|n| {
                char_at(n).map_or(keep, |c| self.compute(normalizer, model, c)) //
            }))),
        }
    }

    /// The entry of a byte of ASCII.
    #[inline(always)]
    pub(crate) fn ascii(&self, byte: u8) -> Entry {
        debug_assert!(byte < 128);
        self.entries[usize::from(byte)]
    }

    /// The entry of the character that four bytes start with, and its length.
    #[inline(always)]
    pub(crate) fn at(&self, [lead, second, third, fourth]: [u8; 4]) -> (Entry, usize) {
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

    /// The text that a character becomes, of more than three bytes: as many as the entry says, and whatever follows.
    #[inline]
    pub(crate) fn text(&self, entry: Entry) -> [u8; MAX_BYTES] {
        self.texts[(entry.0 >> 8) as usize]
    }

    /// Sends one character through the stages.
    fn compute(&mut self, normalizer: BertNormalizer, model: &WordPiece, c: char) -> Entry {
        let strip = normalizer.strips_accents();
        let moves = |c: char| combining_class(c) != 0;
        let mark = strip && (decompose(c).any(moves) || normalizer.clean_text && is_control(c));
        let (text, original) = (normalized(normalizer, c), String::from(c));
        if strip && decompose(c).any(|part| moves(part) && !is_nonspacing(part)) {
            let single = text == original && is_word(&text);
            return Entry::with(Kind::Moves, mark, usize::from(single), 0);
        }
        if strip && ('가'..='힣').contains(&c) {
            return Entry::new(Kind::Hangul, mark);
        }
        let mut words = vec![];
        split(&text, &mut words);
        match (&words[..], text.len()) {
            ([], 0) => Entry::new(Kind::Gone, mark),
            ([], _) => Entry::new(Kind::Space, mark),
            ([word], _) if !is_word(&text) => alone(model, &text[word.clone()], mark),
            (_, _) if text == original => Entry::new(Kind::Keep, mark),
            (_, len @ 1..=3) => {
                let mut bytes = [0; 4];
                bytes[..len].copy_from_slice(text.as_bytes());
                Entry::with(Kind::Put, mark, len, u32::from_le_bytes(bytes))
            }
            (_, len) => {
                let mut bytes = [0; MAX_BYTES];
                bytes[..len].copy_from_slice(text.as_bytes());
                self.texts.push(bytes);
                Entry::with(Kind::PutText, mark, len, self.texts.len() as u32 - 1)
            }
        }
    }
}

/// How runs of characters with properties lie on a block.
#[derive(Clone, Copy, PartialEq)]
enum Coverage {
    /// No run touches it: its characters have no property.
    None,
    /// One run covers it and no other touches it: its characters have the same properties.
    OneRun,
    /// Otherwise.
    Several,
}

enum Block {
    /// All characters have this entry.
    Plain(Entry),
    /// The entries of the characters.
    Mixed(Box<[Entry; BLOCK]>),
}

/// The coverage of all blocks.
fn coverage() -> Vec<Coverage> {
    let mut blocks = vec![Coverage::None; 0x11_0000 / BLOCK];
    for_each_run(|first, last| {
        let (first, last) = (first as usize, last as usize);
        for (at, block) in blocks.iter_mut().enumerate().take(last / BLOCK + 1).skip(first / BLOCK) {
            let covers = first <= at * BLOCK && (at + 1) * BLOCK - 1 <= last;
            *block = if covers && *block == Coverage::None { Coverage::OneRun } else { Coverage::Several };
        }
    });
    blocks
}

/// The entry of a character that becomes a pretoken. A pretoken of one character is one token.
fn alone(model: &WordPiece, text: &str, mark: bool) -> Entry {
    let mut tokens = vec![];
    model.encode(text, &mut tokens);
    debug_assert_eq!((text.chars().count(), tokens.len()), (1, 1));
    Entry::with(Kind::Alone, mark, 0, tokens[0].0 & (MAX_IDS as Id - 1))
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
    use crate::models::wordpiece::Settings;
    use crate::vocab::Vocab;

    fn model() -> WordPiece {
        let mut vocab = Vocab::default();
        for (id, token) in ["[UNK]", "!", "中", "<", "豈", "兔"].iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        WordPiece::new(&vocab, Settings::bert(0))
    }

    fn entry(chars: &Chars, c: char) -> Entry {
        let mut bytes = [0; 4];
        c.encode_utf8(&mut bytes);
        chars.at(bytes).0
    }

    #[test]
    fn knows_what_becomes_of_characters() {
        let model = model();
        let (uncased, cased) = (Chars::new(BertNormalizer::UNCASED, &model), Chars::new(BertNormalizer::CASED, &model));
        for (c, kind, text, kind_cased) in [
            ('a', Kind::Keep, "", Kind::Keep),
            ('A', Kind::Put, "a", Kind::Keep),
            ('é', Kind::Put, "e", Kind::Keep),
            ('\u{301}', Kind::Gone, "", Kind::Keep),
            ('\0', Kind::Gone, "", Kind::Gone),
            ('\u{a0}', Kind::Space, "", Kind::Space),
            ('각', Kind::Hangul, "", Kind::Keep),
            ('\u{302e}', Kind::Moves, "", Kind::Keep),
            ('\u{1d15e}', Kind::Moves, "", Kind::Keep),
            ('𐐀', Kind::PutText, "𐐨", Kind::Keep),
        ] {
            let found = entry(&uncased, c);
            let text_of = match kind {
                Kind::Put => found.bytes()[..found.len()].to_vec(),
                Kind::PutText => uncased.text(found)[..found.len()].to_vec(),
                _ => vec![],
            };
            assert_eq!((found.kind(), String::from_utf8_lossy(&text_of).as_ref()), (kind, text), "{c:?}");
            assert_eq!(entry(&cased, c).kind(), kind_cased, "{c:?}");
        }
        for (c, id, id_cased) in [('!', 1, 1), ('?', 0, 0), ('中', 2, 2), ('\u{f900}', 4, 0), ('\u{2f80f}', 5, 0)] {
            assert_eq!((entry(&uncased, c).kind(), entry(&uncased, c).id()), (Kind::Alone, id), "{c:?}");
            assert_eq!((entry(&cased, c).kind(), entry(&cased, c).id()), (Kind::Alone, id_cased), "{c:?}");
        }
        assert_eq!((entry(&uncased, '≮').id(), entry(&cased, '≮').kind()), (3, Kind::Keep));
    }

    #[test]
    fn blocks_taken_to_be_alike_are() {
        let model = model();
        for normalizer in [BertNormalizer::UNCASED, BertNormalizer::CASED] {
            let mut chars = Chars::new(normalizer, &model);
            for c in ('\0'..=char::MAX).step_by(41) {
                let (found, expected) = (entry(&chars, c), chars.compute(normalizer, &model, c));
                if found.kind() == Kind::PutText {
                    // These texts are stored anew at another place.
                    assert_eq!((expected.kind(), chars.text(found)), (Kind::PutText, chars.text(expected)), "{c:?}");
                } else {
                    assert_eq!(found, expected, "{c:?}");
                }
            }
        }
    }
}
