//! Where in a long pretoken no token can reach across, so that it falls into independent units.
//!
//! A token that reaches across a place between two characters holds the bytes just before and just after it. The
//! filter remembers those bytes, at most three on each side, for every such place inside every token. Where the bytes
//! around a place in a text are not in it, no merge ever joins the two sides, and each side is encoded on its own:
//! Chinese and Japanese runs of dozens of characters become units that the word cache knows.
//!
//! A bit may be set by chance for bytes that no token has; then the text is simply not cut there.

use crate::vocab::Vocab;

/// Bytes looked at on each side.
const REACH: usize = 3;
const BITS: u32 = 23;

/// The filter.
#[derive(Clone, Debug)]
pub struct Joints {
    bits: Vec<u64>,
    /// How many bytes tokens have on the left and on the right of a place, as far as they occur.
    shapes: Vec<(usize, usize)>,
}

impl Joints {
    /// Reads the inside of every token.
    pub fn new(vocab: &Vocab) -> Self {
        let mut joints = Self { bits: vec![0; 1 << (BITS - 6)], shapes: vec![] };
        let mut seen = [[false; REACH + 1]; REACH + 1];
        for (_, token) in vocab.iter() {
            for at in (1..token.len()).filter(|&at| !is_continuation(token[at])) {
                let (left, right) = (at.min(REACH), (token.len() - at).min(REACH));
                let (word, bit) = place(token, at, left, right);
                joints.bits[word] |= bit;
                seen[left][right] = true;
            }
        }
        // Whole contexts first: most places that are joined at all are joined by a long token.
        for left in (1..=REACH).rev() {
            joints.shapes.extend((1..=REACH).rev().filter(|&right| seen[left][right]).map(|right| (left, right)));
        }
        joints
    }

    /// Calls `each` with the start and end of every unit of `word`, in order.
    pub fn units(&self, word: &[u8], mut each: impl FnMut(usize, usize)) {
        let mut start = 0;
        for at in 1..word.len() {
            if !is_continuation(word[at]) && !self.may_join(word, at) {
                each(start, at);
                start = at;
            }
        }
        each(start, word.len());
    }

    /// Whether some token may hold the bytes on both sides of `at`.
    #[inline]
    fn may_join(&self, word: &[u8], at: usize) -> bool {
        self.shapes.iter().any(|&(left, right)| {
            left <= at && right <= word.len() - at && {
                let (word, bit) = place(word, at, left, right);
                self.bits[word] & bit != 0
            }
        })
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
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
    fn cuts_only_where_no_token_reaches_across() {
        let mut vocab = Vocab::default();
        // The last one starts inside a character: the second and third byte of 日.
        for (id, token) in ["ab".as_bytes(), "日本".as_bytes(), "bcd".as_bytes(), b"\x97\xA5x"].into_iter().enumerate() {
            vocab.insert(id as u32, token).expect("all differ");
        }
        let joints = Joints::new(&vocab);
        let cases = [("ab", "ab"), ("abcd", "abcd"), ("ba", "b a"), ("cab", "c ab"), ("日本語日x本", "日本 語 日x 本"), ("a", "a")];
        for (word, expected) in cases {
            let mut units = vec![];
            joints.units(word.as_bytes(), |start, end| units.push(&word[start..end]));
            assert_eq!(units.join(" "), expected, "{word}");
        }
    }
}
