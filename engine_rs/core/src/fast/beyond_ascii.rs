//! What the characters beyond ASCII in a block of 64 bytes are: a number from 0 to 7 each, as three bit masks.
//!
//! A table of a bit for each of 2048 characters has 256 bytes, which AVX-512 looks up 64 at a time. Three such tables, for the three
//! bits of a number, cover 32 rows; a row is the 64 characters that differ in their last byte alone. The rows of two-byte
//! characters have tables of their own, and so have the scripts of India and South-East Asia (first byte E0). A third group has
//! punctuation, kana, Vietnamese letters and full-width forms. Most other rows are of one kind, as all their neighbours:
//! Chinese, Korean, symbols. What is left is looked up one by one.
//! Not here: what the numbers mean (`byte_level::boundaries`), masks of ASCII ([`super::blocks`]).
//!
//! Source: own derivation.

use super::blocks::{BLOCK, Classify};

/// A group of 32 rows: for each bit of the number, a bit per character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group([[u8; 256]; 3]);

/// The numbers of all characters of up to three bytes, as far as tables have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Numbers by the first byte and two bits of the second, of rows that are of one kind.
    kinds: [u8; 64],
    /// A bit for each row that is of the kind of its neighbours.
    of_kind: [u8; 128],
    /// A bit for each row of [`Self::mixed`].
    is_mixed: [u8; 128],
    two_bytes: Group,
    /// U+0800 to U+0FFF.
    indic: Group,
    mixed: Group,
}

/// Where the rows of the third group begin, by the lowest four bits of the first byte.
const MIXED_FROM: [u8; 16] = [0, 28, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24];
/// The bits of the second byte that tell these rows apart.
const MIXED_BITS: [u8; 16] = [0, 3, 15, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3];

/// Whether a row, as first and second byte of three, is in the third group.
fn is_mixed(first: u8, second: u8) -> bool {
    match first {
        0xe1 => (0xb8..=0xbb).contains(&second),
        0xe2 => second <= 0x8f,
        0xe3 => second <= 0x87,
        0xef => second >= 0xbc,
        _ => false,
    }
}

impl Tables {
    /// Tables of a function from characters to numbers below 8.
    pub fn new(number: impl Fn(char) -> u8) -> Self {
        let row = |row: u32| -> [Option<u8>; 64] {
            std::array::from_fn(|at| char::from_u32(row * 64 + at as u32).map(&number))
        };
        let kind_of = |row: [Option<u8>; 64]| row[0].filter(|&kind| row.iter().all(|&number| number == Some(kind)));
        let group = |rows: &dyn Fn(u32) -> Option<u32>| {
            let mut group = Group([[0; 256]; 3]);
            for (at, number) in (0..32).flat_map(|at| rows(at).map_or([None; 64], row)).enumerate() {
                for (bit, table) in group.0.iter_mut().enumerate() {
                    table[at / 8] |= (number.unwrap_or(0) >> bit & 1) << (at % 8);
                }
            }
            group
        };
        let mixed_row = |at: u32| {
            let rows = (32..1024u32).map(|row| (0xe0 | (row >> 6) as u8, 0x80 | (row & 63) as u8));
            rows.filter(|&(first, second)| is_mixed(first, second))
                .find(|&(first, second)| {
                    let low = usize::from(first & 15);
                    u32::from(MIXED_FROM[low] + (second & MIXED_BITS[low])) == at
                })
                .map(|(first, second)| u32::from(first & 15) << 6 | u32::from(second & 63))
        };
        let mut tables = Self {
            kinds: [0; 64],
            of_kind: [0; 128],
            is_mixed: [0; 128],
            two_bytes: group(&Some),
            indic: group(&|at| Some(32 + at)),
            mixed: group(&mixed_row),
        };
        for (neighbours, kind) in tables.kinds.iter_mut().enumerate() {
            let rows = neighbours as u32 * 16..neighbours as u32 * 16 + 16;
            let kinds: Vec<_> = rows.clone().map(|at| if at < 64 { None } else { kind_of(row(at)) }).collect();
            let count = |of: u8| kinds.iter().filter(|&&kind| kind == Some(of)).count();
            *kind = (0..8).max_by_key(|&of| count(of)).unwrap_or(0);
            for (row, _) in rows.zip(&kinds).filter(|(_, found)| **found == Some(*kind)) {
                tables.of_kind[row as usize / 8] |= 1 << (row % 8);
            }
        }
        for row in 64..1024u32 {
            let is_in = is_mixed(0xe0 | (row >> 6) as u8, 0x80 | (row & 63) as u8);
            tables.is_mixed[row as usize / 8] |= u8::from(is_in) << (row % 8);
        }
        tables
    }
}

/// The numbers of some characters, each at its first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The characters that have a number.
    pub found: u64,
    /// For each bit of the number, the characters that have it.
    pub bits: [u64; 3],
    /// The characters from U+3000 to U+9FFF: Chinese and Japanese.
    pub ideographs: u64,
}

/// The characters beyond ASCII of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Others {
    numbers: Numbers,
    /// The second and later bytes of characters.
    pub(crate) continuation: u64,
    /// The first byte of a character that goes on behind the block, which has no number; else no byte.
    pub(crate) broken: u64,
}

impl Others {
    /// The first bytes of the characters with one of some numbers, a bit each.
    #[inline(always)]
    pub(crate) fn firsts<const NUMBERS: u8>(&self) -> u64 {
        let Numbers { found, bits: [low, middle, high], .. } = self.numbers;
        let of = |number: u8| {
            let has = |bit: u64, at: u32| if number >> at & 1 == 1 { bit } else { !bit };
            if NUMBERS >> number & 1 == 1 { has(low, 0) & has(middle, 1) & has(high, 2) } else { 0 }
        };
        found & (of(0) | of(1) | of(2) | of(3) | of(4) | of(5) | of(6) | of(7))
    }

    /// All their bytes.
    #[inline(always)]
    pub(crate) fn bytes<const NUMBERS: u8>(&self) -> u64 {
        let firsts = self.firsts::<NUMBERS>();
        // Adding to the second byte of a character carries to its end.
        firsts | self.continuation & !self.continuation.wrapping_add(firsts << 1)
    }

    /// Whether Chinese or Japanese characters are among them.
    #[inline(always)]
    pub(crate) fn has_ideographs(&self) -> bool {
        self.numbers.ideographs != 0
    }
}

/// Numbers the characters beyond ASCII of the block at byte `at` of `text`, which begins with a character. `number` says that of
/// the character at a byte of the text; `tables` have the same numbers.
#[inline(always)]
pub(crate) fn number_others<P: Classify>(
    processor: P,
    tables: &Tables,
    (text, at, block): (&str, usize, &[u8; BLOCK]),
    number: impl Fn(usize) -> u8,
) -> Others {
    let [second, first] = processor.highest_bits(block);
    let in_text = !u64::MAX.unbounded_shl((text.len() - at).min(BLOCK) as u32);
    let (mut firsts, continuation) = (first & second & in_text, first & !second);
    let mut broken = 0;
    if firsts >> (BLOCK - 3) != 0 {
        let last = 63 - firsts.leading_zeros();
        // The ones at the top of a first byte are the bytes of its character.
        if last + block[last as usize].leading_ones() > BLOCK as u32 {
            broken = 1 << last;
            firsts &= !broken;
        }
    }
    let mut numbers = processor.numbers(tables, block, firsts);
    let mut rest = firsts & !numbers.found;
    numbers.found = firsts;
    while rest != 0 {
        let first = rest.trailing_zeros();
        rest &= rest - 1;
        let number = u64::from(number(at + first as usize));
        for (at, bit) in numbers.bits.iter_mut().enumerate() {
            *bit |= (number >> at & 1) << first;
        }
    }
    Others { numbers, continuation, broken }
}

/// Looks characters up, 64 at a time.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Group, MIXED_BITS, MIXED_FROM, Numbers, Tables};

    /// The numbers of the bytes of a block.
    pub(in crate::fast) const PLACES: [u8; BLOCK] = {
        let (mut places, mut at) = ([0; BLOCK], 0);
        while at < BLOCK {
            places[at] = at as u8;
            at += 1;
        }
        places
    };

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn load<const N: usize>(bytes: &[u8; N], at: usize) -> __m512i {
        assert!(at + 64 <= N);
        // SAFETY: an unaligned load of 64 bytes, which are there.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().add(at).cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn by_sixteen(bytes: &[u8; 16]) -> __m512i {
        // SAFETY: an unaligned load of 16 bytes.
        _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    /// `bytes & mask` shifted by so many bits, which leaves them in their bytes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn left<const BITS: u32>(bytes: __m512i, mask: u8) -> __m512i {
        _mm512_slli_epi16::<BITS>(_mm512_and_si512(bytes, _mm512_set1_epi8(mask as i8)))
    }

    /// As [`left`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn right<const BITS: u32>(bytes: __m512i, mask: u8) -> __m512i {
        _mm512_srli_epi16::<BITS>(_mm512_and_si512(bytes, _mm512_set1_epi8(mask as i8)))
    }

    /// The bit that the lowest three bits of each byte name.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn bit_of(bytes: __m512i) -> __m512i {
        let bits = by_sixteen(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        _mm512_shuffle_epi8(bits, _mm512_and_si512(bytes, _mm512_set1_epi8(7)))
    }

    /// Which of some characters are in a set of rows.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn is_row(rows: &[u8; 128], eight: __m512i, second: __m512i, of: u64) -> u64 {
        let found = _mm512_permutex2var_epi8(load(rows, 0), eight, load(rows, 64));
        _mm512_mask_test_epi8_mask(of, found, bit_of(second))
    }

    /// The numbers of characters of a group, given their row and last byte.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn in_group(group: &Group, row: __m512i, last: __m512i, of: u64) -> [u64; 3] {
        let eight = _mm512_or_si512(left::<3>(row, 31), right::<3>(last, 0x38));
        let (is_high, bit) = (_mm512_movepi8_mask(eight), bit_of(last));
        group.0.each_ref().map(|table| {
            let half = |at: usize| _mm512_permutex2var_epi8(load(table, at), eight, load(table, at + 64));
            _mm512_mask_test_epi8_mask(of, _mm512_mask_blend_epi8(is_high, half(0), half(128)), bit)
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn numbers(tables: &Tables, block: &[u8; BLOCK], leads: u64) -> Numbers {
        let bytes = load(block, 0);
        let ahead = |by: i8| _mm512_permutexvar_epi8(_mm512_add_epi8(load(&PLACES, 0), _mm512_set1_epi8(by)), bytes);
        let (second, third) = (ahead(1), ahead(2));
        let from = |first: u8| _mm512_mask_cmpge_epu8_mask(leads, bytes, _mm512_set1_epi8(first as i8));
        let three_or_more = from(0xe0);
        let mut numbers = Numbers::default();
        let add = |numbers: &mut Numbers, found: u64, bits: [u64; 3]| {
            numbers.found |= found;
            numbers.bits = std::array::from_fn(|n| numbers.bits[n] | bits[n]);
        };
        let two = leads & !three_or_more;
        if two != 0 {
            add(&mut numbers, two, in_group(&tables.two_bytes, bytes, second, two));
        }
        let three = three_or_more & !from(0xf0);
        if three == 0 {
            return numbers;
        }
        numbers.ideographs = three & from(0xe3) & !from(0xea);
        let eight = _mm512_or_si512(left::<3>(bytes, 15), right::<3>(second, 0x38));
        let of_kind = is_row(&tables.of_kind, eight, second, three);
        let neighbours = _mm512_or_si512(left::<2>(bytes, 15), right::<4>(second, 0x30));
        let kind = _mm512_permutexvar_epi8(neighbours, load(&tables.kinds, 0));
        add(
            &mut numbers,
            of_kind,
            std::array::from_fn(|n| _mm512_mask_test_epi8_mask(of_kind, kind, _mm512_set1_epi8(1 << n))),
        );
        let rest = three & !of_kind;
        if rest == 0 {
            return numbers;
        }
        let indic = rest & !from(0xe1);
        if indic != 0 {
            add(&mut numbers, indic, in_group(&tables.indic, second, third, indic));
        }
        let mixed = is_row(&tables.is_mixed, eight, second, rest);
        if mixed != 0 {
            let low = _mm512_and_si512(bytes, _mm512_set1_epi8(15));
            let bits = _mm512_shuffle_epi8(by_sixteen(&MIXED_BITS), low);
            let first = _mm512_shuffle_epi8(by_sixteen(&MIXED_FROM), low);
            let row = _mm512_add_epi8(first, _mm512_and_si512(second, bits));
            add(&mut numbers, mixed, in_group(&tables.mixed, row, third, mixed));
        }
        numbers
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::fast::blocks::{Avx512, Portable, block_at};
    use crate::pretokenizers::characters::Classes;
    use crate::testing::Random;

    fn number(c: char) -> u8 {
        Classes::get().of(c).trailing_zeros() as u8
    }

    /// The bytes of the characters with each number, the continuation bytes, and the broken character.
    fn all_of(others: Others) -> ([u64; 8], u64, u64) {
        let bytes = [
            others.bytes::<1>(),
            others.bytes::<2>(),
            others.bytes::<4>(),
            others.bytes::<8>(),
            others.bytes::<16>(),
            others.bytes::<32>(),
            others.bytes::<64>(),
            others.bytes::<128>(),
        ];
        (bytes, others.continuation, others.broken)
    }

    /// The same by the definition.
    fn by_characters(text: &str, at: usize) -> ([u64; 8], u64, u64, bool) {
        let (mut bytes, mut continuation, mut broken, mut has_ideographs) = ([0; 8], 0, 0, false);
        for (start, c) in text[at..].char_indices().take_while(|&(start, _)| start < BLOCK) {
            let places = (start..start + c.len_utf8()).map(|at| 1u64.unbounded_shl(at as u32)).collect::<Vec<_>>();
            if c.is_ascii() {
                continue;
            }
            continuation |= places[1..].iter().fold(0, |all, place| all | place);
            if start + c.len_utf8() > BLOCK {
                broken = places[0];
                continue;
            }
            bytes[usize::from(number(c))] |= places.iter().fold(0, |all, place| all | place);
            has_ideographs |= ('\u{3000}'..='\u{9fff}').contains(&c);
        }
        (bytes, continuation, broken, has_ideographs)
    }

    fn assert_same(tables: &Tables, text: &str, at: usize) {
        let (bytes, continuation, broken, has_ideographs) = by_characters(text, at);
        let mut padded = [0; BLOCK];
        let block = block_at(text.as_bytes(), at, &mut padded);
        let of = |at: usize| number(text[at..].chars().next().expect("a character"));
        // One by one on any processor.
        let others = number_others(Portable, tables, (text, at, block), of);
        assert_eq!(all_of(others), (bytes, continuation, broken), "{:?}", &text[at..]);
        if let Some(avx512) = Avx512::new() {
            let others = number_others(avx512, tables, (text, at, block), of);
            assert_eq!(all_of(others), (bytes, continuation, broken), "{:?}", &text[at..]);
            assert_eq!(others.has_ideographs(), has_ideographs, "{:?}", &text[at..]);
        }
    }

    #[test]
    fn every_character_has_its_number() {
        let (tables, mut random) = (Tables::new(number), Random::new(4));
        let text: String = ('\0'..=char::MAX).collect();
        let mut from = 0;
        while from < text.len() {
            assert_same(&tables, &text, from);
            from += 1 + random.below(BLOCK - 4);
            from += text.as_bytes()[from.min(text.len())..].iter().take_while(|&byte| byte & 0xc0 == 0x80).count();
        }
    }

    #[test]
    fn characters_of_all_lengths_side_by_side() {
        let (tables, mut random) = (Tables::new(number), Random::new(5));
        let edges =
            [0x20, 0x7f, 0x80, 0x410, 0x7ff, 0x800, 0x93f, 0x1e00, 0x2019, 0x3042, 0x4dc0, 0x9fff, 0xac00, 0xff21];
        for _ in 0..20_000 {
            let mut any = || match random.below(3) {
                0 => char::from_u32(random.below(0x11_0000) as u32).unwrap_or('a'),
                1 => char::from_u32(*random.pick(&edges)).unwrap_or('a'),
                _ => 'a',
            };
            let text: String = (0..40).map(|_| any()).collect();
            for at in (0..30).filter(|&at| text.is_char_boundary(at)) {
                assert_same(&tables, &text, at);
            }
        }
    }
}
