//! The compact form in which tokens are sent to the page: six or seven bytes for most, instead of 21 for id, flags and
//! spans in two units.
//!
//! Most tokens start where the token before them ends and are short, so a length suffices. Flags announce anything
//! else, which a reader takes from `extra` (bytes) or `wide` (numbers):
//! * [`GAP`]: two bytes of `extra`, read before that of [`UNITS`]: the distance from the end of the token before, in
//!   bytes and in UTF-16 units, each plus 128.
//! * [`UNITS`]: one byte of `extra`, the length in UTF-16 units. Without it, that equals the length in bytes.
//! * [`WIDE`]: four numbers of `wide` instead of all this: start and end in bytes, start and end in UTF-16 units.
//!
//! Tokens of the postprocessor have no position. The token before the first one ends at 0.

use std::ops::Range;

use super::EncodedText;
use token_engine::flags::{SPECIAL, TEMPLATE, UNKNOWN};
use token_engine::internals::offsets::{boundary_before, boundary_behind, units_of_bytes};
use token_engine::{Id, Span};

/// The token starts inside a character.
pub const STARTS_INSIDE: u8 = 8;
/// The token ends inside a character.
pub const ENDS_INSIDE: u8 = 16;
/// Its length in UTF-16 units follows in `extra`.
pub const UNITS: u8 = 32;
/// It does not start where the token before it ends; the distance follows in `extra`.
pub const GAP: u8 = 64;
/// Its position follows in `wide`.
pub const WIDE: u8 = 128;

/// Tokens in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// One per token.
    pub ids: Vec<Id>,
    /// Flags of the token, and how its position is stored.
    pub flags: Vec<u8>,
    /// Lengths in bytes of the text; 0 with [`WIDE`] and for tokens of the postprocessor.
    pub lengths: Vec<u8>,
    /// The bytes that [`GAP`] and [`UNITS`] announce.
    pub extra: Vec<u8>,
    /// The numbers that [`WIDE`] announces.
    pub wide: Vec<u32>,
}

/// Start and end of a token in both units.
#[derive(Clone, Copy, Default)]
struct Place {
    bytes: Span,
    units: Span,
}

impl Packed {
    pub(super) fn new(text: &str, encoded: &EncodedText, range: Option<Range<usize>>) -> Self {
        let none = &[][..];
        let (before, behind) = if range.is_none() { (encoded.leading(), encoded.trailing()) } else { (none, none) };
        let range = range.unwrap_or(0..encoded.ids().len());
        let all = before.len() + range.len() + behind.len();
        let mut packed = Self {
            ids: Vec::with_capacity(all),
            flags: Vec::with_capacity(all),
            lengths: Vec::with_capacity(all),
            ..Self::default()
        };
        packed.template(before);
        packed.ids.extend_from_slice(&encoded.ids()[range.clone()]);
        let mut units = Units { text, byte: 0, unit: 0 };
        let mut last = Place::default();
        for (&bytes, flags) in encoded.spans()[range.clone()].iter().zip(encoded.flags(range)) {
            let place = Place { bytes, units: units.span(bytes) };
            packed.push(text, place, last, flags & (SPECIAL | TEMPLATE | UNKNOWN));
            last = place;
        }
        packed.template(behind);
        packed
    }

    /// Unpacks start and end of every token, in bytes and in UTF-16 units.
    ///
    /// # Panics
    /// If `extra` or `wide` is shorter than the flags announce.
    pub fn places(&self) -> Vec<[u32; 4]> {
        let (mut extra, mut wide) = (self.extra.iter(), self.wide.chunks(4));
        let mut byte = || u32::from(*extra.next().expect("announced"));
        let (mut end8, mut end16) = (0, 0);
        let places = self.flags.iter().zip(&self.lengths).map(|(flags, &length)| {
            if flags & TEMPLATE != 0 {
                return [0; 4];
            }
            if flags & WIDE != 0 {
                let all: [u32; 4] = wide.next().and_then(|four| four.try_into().ok()).expect("announced");
                (end8, end16) = (all[1], all[3]);
                return all;
            }
            let (gap8, gap16) = if flags & GAP != 0 { (byte(), byte()) } else { (128, 128) };
            let units = if flags & UNITS != 0 { byte() } else { length.into() };
            let (start8, start16) = (end8 + gap8 - 128, end16 + gap16 - 128);
            (end8, end16) = (start8 + u32::from(length), start16 + units);
            [start8, end8, start16, end16]
        });
        places.collect()
    }

    fn template(&mut self, ids: &[Id]) {
        self.ids.extend_from_slice(ids);
        self.flags.extend(ids.iter().map(|_| SPECIAL | TEMPLATE));
        self.lengths.extend(ids.iter().map(|_| 0));
    }

    #[inline]
    fn push(&mut self, text: &str, at: Place, last: Place, mut flags: u8) {
        flags |= if text.is_char_boundary(at.bytes.start as usize) { 0 } else { STARTS_INSIDE };
        flags |= if text.is_char_boundary(at.bytes.end as usize) { 0 } else { ENDS_INSIDE };
        let length = at.bytes.end - at.bytes.start;
        let units = at.units.end - at.units.start;
        // Most tokens take this branch.
        if at.bytes.start == last.bytes.end && at.units.start == last.units.end && units == length && length < 256 {
            self.flags.push(flags);
            self.lengths.push(length as u8);
            return;
        }
        let gap = |start: u32, end: u32| u8::try_from(i64::from(start) - i64::from(end) + 128).ok();
        let gaps = gap(at.bytes.start, last.bytes.end).zip(gap(at.units.start, last.units.end));
        let (Some(gaps), Ok(length), Ok(units)) = (gaps, u8::try_from(length), u8::try_from(units)) else {
            self.flags.push(flags | WIDE);
            self.lengths.push(0);
            self.wide.extend([at.bytes.start, at.bytes.end, at.units.start, at.units.end]);
            return;
        };
        if gaps != (128, 128) {
            flags |= GAP;
            self.extra.extend([gaps.0, gaps.1]);
        }
        if units != length {
            flags |= UNITS;
            self.extra.push(units);
        }
        self.flags.push(flags);
        self.lengths.push(length);
    }
}

/// A position in the text in both units. It moves from token to token, so packing walks along the text once.
struct Units<'a> {
    text: &'a str,
    byte: usize,
    unit: usize,
}

impl Units<'_> {
    /// A span in UTF-16, whole characters.
    #[inline]
    fn span(&mut self, bytes: Span) -> Span {
        let (mut start, mut end) = (bytes.start as usize, bytes.end as usize);
        if start < end {
            start = boundary_before(self.text, start);
            end = boundary_behind(self.text, end);
        }
        Span { start: self.at(start), end: self.at(end) }
    }

    #[inline]
    fn at(&mut self, byte: usize) -> u32 {
        if byte == self.byte {
            return self.unit as u32;
        }
        let bytes = self.text.as_bytes();
        if byte >= self.byte {
            self.unit += few(bytes, self.byte, byte);
        } else {
            self.unit -= few(bytes, byte, self.byte);
        }
        self.byte = byte;
        self.unit as u32
    }
}

/// [`units_of_bytes`] of `bytes[start..end]`, fast for up to eight bytes, which are counted in one register.
#[inline]
fn few(bytes: &[u8], start: usize, end: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (len, Some(eight)) = (end - start, bytes[start..].first_chunk()) else {
        return units_of_bytes(&bytes[start..end]);
    };
    if len > 8 {
        return units_of_bytes(&bytes[start..end]);
    }
    // Bytes past the end become zeros, which are ASCII and count for nothing here.
    let some = u64::from_le_bytes(*eight) & u64::MAX.unbounded_shr(64 - 8 * len as u32);
    let continuations = some >> 7 & !(some >> 6) & ONES;
    let of_four = some >> 7 & some >> 6 & some >> 5 & some >> 4 & ONES;
    len - continuations.count_ones() as usize + of_four.count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use token_engine::formats::tiktoken;
    use token_engine::internals::testing::Random;
    use token_engine::pretokenizers::scanners::Pattern;
    use token_engine::{EncodeOptions, Specials, Vocab};

    #[test]
    fn what_is_packed_can_be_read() {
        let mut vocab = Vocab::default();
        for byte in 0..=255u8 {
            vocab.insert(byte.into(), &[byte]).expect("all bytes differ");
        }
        let long = " ".repeat(300);
        vocab.insert(256, "é".as_bytes()).expect("new");
        vocab.insert(257, long.as_bytes()).expect("new");
        let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").expect("complete");
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let pieces = ["ab", "é", "語", "👩", " ", &long, "x".repeat(200).as_str()].map(str::to_owned);
            let text: String = (0..random.below(12)).map(|_| random.pick(&pieces).as_str()).collect();
            let options = EncodeOptions { specials: Specials::Text, ..EncodeOptions::default() };
            let document = Document::new(&[&tokenizer], text.clone(), options).expect("all bytes are known");
            let encoded = &document.encoded()[0];
            let first = random.below(encoded.ids().len() + 1);
            for range in [0..encoded.ids().len(), first..encoded.ids().len()] {
                let packed = document.packed(0, Some(range.clone()));
                assert_eq!(packed.ids, encoded.ids()[range.clone()]);
                let units = |at: usize| text[..at].encode_utf16().count() as u32;
                let expected: Vec<[u32; 4]> = encoded.spans()[range]
                    .iter()
                    .map(|&Span { start, end }| {
                        let (first, last) =
                            (boundary_before(&text, start as usize), boundary_behind(&text, end as usize));
                        [start, end, units(first), units(last)]
                    })
                    .collect();
                assert_eq!(packed.places(), expected, "seed {seed}, {text:?}");
                let inside = |at: u32, flag: u8| if text.is_char_boundary(at as usize) { 0 } else { flag };
                for (flags, place) in packed.flags.iter().zip(expected) {
                    let expected = inside(place[0], STARTS_INSIDE) | inside(place[1], ENDS_INSIDE);
                    assert_eq!(flags & !(UNITS | GAP | WIDE), expected, "seed {seed}, {text:?}");
                }
            }
        }
    }
}
