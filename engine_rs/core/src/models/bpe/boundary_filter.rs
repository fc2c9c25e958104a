//! Where in a long pretoken no token can reach across, so that it falls into independent parts.
//!
//! A token that reaches across a place between two characters holds the bytes just before and just after it. The
//! filter remembers those bytes, at most three on each side, for every such place inside every token. Where the bytes
//! around a place in a text are not in it, no merge ever joins the two sides, and each side is encoded on its own:
//! Chinese and Japanese runs of dozens of characters become parts that the word cache knows.
//!
//! Asking for all these contexts takes long, so another filter is asked first: for the two characters, or what a token
//! that starts or ends inside of one has of them. It alone rules out most places in Chinese and Japanese.
//!
//! A bit may be set by chance for bytes that no token has; then the text is simply not split there.

use crate::vocab::Vocab;

/// Bytes looked at on each side.
const REACH: usize = 3;
const BITS: u32 = 23;
const PAIR_BITS: u32 = 20;

/// The filter.
#[derive(Clone, Debug)]
pub(crate) struct BoundaryFilter {
    bits: Vec<u64>,
    /// Pairs of characters, or of a character's last or first byte where a token holds a part of it.
    pairs: PairFilter,
    /// How many bytes tokens have on the left and on the right of a place, as far as they occur.
    shapes: Vec<(usize, usize)>,
}

impl BoundaryFilter {
    /// Reads the inside of every token.
    pub(crate) fn new(vocab: &Vocab) -> Self {
        let mut filter = Self { bits: vec![0; 1 << (BITS - 6)], pairs: PairFilter::default(), shapes: vec![] };
        let mut seen = [[false; REACH + 1]; REACH + 1];
        for (_, token) in vocab.iter() {
            for at in (1..token.len()).filter(|&at| !is_continuation(token[at])) {
                let (left, right) = (at.min(REACH), (token.len() - at).min(REACH));
                let (word, bit) = place(token, at, left, right);
                filter.bits[word] |= bit;
                seen[left][right] = true;
                let start = (0..at).rev().find(|&start| !is_continuation(token[start]));
                let before = start.map_or(u32::from(token[at - 1]), |start| character(&token[start..at]));
                let whole = token.get(at..at + length(token[at]));
                filter.pairs.insert(before, whole.map_or(u32::from(token[at]), character));
            }
        }
        // Whole contexts first: most places that are joined at all are joined by a long token.
        for left in (1..=REACH).rev() {
            filter.shapes.extend((1..=REACH).rev().filter(|&right| seen[left][right]).map(|right| (left, right)));
        }
        filter
    }

    /// Calls `each` with the start and end of every part of `word`, which is UTF-8 and not empty, in order.
    #[inline(always)]
    pub(crate) fn parts(&self, word: &[u8], mut each: impl FnMut(usize, usize)) {
        let (mut start, mut at) = (0, length(word[0]));
        let mut before = character(&word[..at]);
        while at < word.len() {
            let len = length(word[at]);
            let after = character(&word[at..at + len]);
            let pair = self.may_pair(before, u32::from(word[at - 1]), after, u32::from(word[at]));
            if !pair || !self.may_merge_across(word, at) {
                each(start, at);
                start = at;
            }
            before = after;
            at += len;
        }
        each(start, word.len());
    }

    /// Whether some token may hold the two characters, or the last byte of one or the first of the other.
    #[inline(always)]
    fn may_pair(&self, before: u32, last: u32, after: u32, first: u32) -> bool {
        let may_hold = |before, after| self.pairs.may_hold(before, after);
        may_hold(before, after) | may_hold(last, after) | may_hold(before, first) | may_hold(last, first)
    }

    /// Whether some token may hold the bytes on both sides of `at`.
    #[inline]
    fn may_merge_across(&self, word: &[u8], at: usize) -> bool {
        self.shapes.iter().any(|&(left, right)| {
            left <= at && right <= word.len() - at && {
                let (word, bit) = place(word, at, left, right);
                self.bits[word] & bit != 0
            }
        })
    }
}

/// Pairs of numbers that stand for characters. It may hold more pairs than were put in, never fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PairFilter {
    bits: Box<[u64]>,
}

impl Default for PairFilter {
    fn default() -> Self {
        Self { bits: vec![0; 1 << (PAIR_BITS - 6)].into() }
    }
}

impl PairFilter {
    /// Puts a pair in.
    #[inline(always)]
    pub(crate) fn insert(&mut self, before: u32, after: u32) {
        let (word, bit) = pair(before, after);
        self.bits[word] |= bit;
    }

    /// Whether the pair may have been put in.
    #[inline(always)]
    pub(crate) fn may_hold(&self, before: u32, after: u32) -> bool {
        let (word, bit) = pair(before, after);
        self.bits[word] & bit != 0
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Bytes of the character that starts with this one.
#[inline(always)]
fn length(first: u8) -> usize {
    if first < 0x80 { 1 } else { (first.leading_ones() as usize).clamp(1, 4) }
}

/// The bytes of a character, at most four, as a number. No character is as low as a single byte of a longer one.
#[inline(always)]
fn character(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// The bit for two characters or parts of them.
#[inline(always)]
fn pair(before: u32, after: u32) -> (usize, u64) {
    let hash = (u64::from(before) << 32 | u64::from(after)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (64 - PAIR_BITS);
    ((hash >> 6) as usize, 1 << (hash & 63))
}

/// The bit for `left` bytes before and `right` bytes after `at`.
#[inline(always)]
fn place(bytes: &[u8], at: usize, left: usize, right: usize) -> (usize, u64) {
    let mut key = (left * 4 + right) as u64;
    for &byte in &bytes[at - left..at + right] {
        key = key << 8 | u64::from(byte);
    }
    let hash = (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS);
    ((hash >> 6) as usize, 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_only_where_no_token_reaches_across() {
        let mut vocab = Vocab::default();
        // The last one starts inside a character: the second and third byte of 日.
        for (id, token) in ["ab".as_bytes(), "日本".as_bytes(), "bcd".as_bytes(), b"\x97\xA5x"].into_iter().enumerate()
        {
            vocab.insert(id as u32, token).expect("all differ");
        }
        let filter = BoundaryFilter::new(&vocab);
        let cases = [
            ("ab", "ab"),
            ("abcd", "abcd"),
            ("ba", "b a"),
            ("cab", "c ab"),
            ("日本語日x本", "日本 語 日x 本"),
            ("a", "a"),
        ];
        for (word, expected) in cases {
            let mut parts = vec![];
            filter.parts(word.as_bytes(), |start, end| parts.push(&word[start..end]));
            assert_eq!(parts.join(" "), expected, "{word}");
        }
    }
}
