//! Classes of 64 bytes at a time, as bit masks: bit n stands for byte n.
//!
//! Any set of ASCII characters is a bit per high half-byte in a table by low half-byte; a shuffle looks sixteen or more
//! bytes up at once. Other bytes are in no set. Other work that some processors have instructions for is here, too
//! ([`Classify`]).
//!
//! Not here: which characters are in which set (`bert::chars`, `byte_level::boundaries`), and those beyond ASCII
//! ([`super::beyond_ascii`]).
//!
//! Source: Mula and Lemire 2018, Faster Base64 encoding and decoding using AVX2 instructions, for look-ups by shuffle.

use super::beyond_ascii::{Numbers, Tables};
use super::processor::Work;

/// How many bytes are classified at once.
pub const BLOCK: usize = 64;

/// Up to eight sets of ASCII characters, which may overlap.
#[derive(Clone, Debug)]
pub struct Sets<const N: usize> {
    /// For each set, by low half-byte: bit n is set where the character with high half-byte n is in the set.
    low: [[u8; 16]; N],
    /// By byte: bit n is set where the byte is in set n.
    bits: [u8; 256],
}

impl<const N: usize> Sets<N> {
    /// Makes the tables from the sets each byte of ASCII is in, set n being bit n.
    pub fn new(sets_of: impl Fn(u8) -> u8) -> Self {
        const { assert!(N <= 8) };
        let mut sets = Self { low: [[0; 16]; N], bits: [0; 256] };
        for byte in 0..128u8 {
            let bits = sets_of(byte);
            sets.bits[usize::from(byte)] = bits;
            for (set, low) in sets.low.iter_mut().enumerate() {
                low[usize::from(byte & 15)] |= (bits >> set & 1) << (byte >> 4);
            }
        }
        sets
    }
}

/// A way to compute the masks, and to do what else some processors have instructions for.
pub trait Classify: Copy {
    /// Which bytes of a block are in which set.
    fn masks<const N: usize>(self, sets: &Sets<N>, block: &[u8; BLOCK]) -> [u64; N];

    /// Whether [`Self::numbers`] finds most of them: else it does nothing, and to look characters up one by one is quicker.
    const HAS_NUMBERS: bool = false;

    /// Numbers characters of a block that start at `leads` and end in it.
    #[inline(always)]
    fn numbers(self, _: &Tables, _: &[u8; BLOCK], _leads: u64) -> Numbers {
        Numbers::default()
    }

    /// The bytes that have the second highest bit, and those that have the highest.
    #[inline(always)]
    fn highest_bits(self, block: &[u8; BLOCK]) -> [u64; 2] {
        let mut masks = [0; 2];
        for (at, eight) in block.as_chunks().0.iter().enumerate() {
            let bits = u64::from_le_bytes(*eight);
            masks[0] |= lowest_bits(bits >> 6) << (8 * at);
            masks[1] |= lowest_bits(bits >> 7) << (8 * at);
        }
        masks
    }

    /// Writes the places of the bits of a mask, counted from `at` on, to the start of a list, which has room for all 64. Numbers behind
    /// them there may change.
    #[inline(always)]
    fn write_places(self, at: u32, mut bits: u64, to: &mut [u32]) {
        debug_assert!(to.len() >= BLOCK, "there is room for all");
        let count = bits.count_ones() as usize;
        let mut done = 0;
        // Eight at a time: a loop of few lengths has few surprises.
        while done < count {
            for place in &mut to[done..done + 8] {
                *place = at + bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            done += 8;
        }
    }

    /// Does work in a function of its own, compiled for the processor that has this way.
    #[inline(never)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.on(self)
    }
}

/// The block at byte `at`. What follows the text is as unknown as what is not ASCII; `padded` is the room for that.
#[inline(always)]
pub(crate) fn block_at<'a>(text: &'a [u8], at: usize, padded: &'a mut [u8; BLOCK]) -> &'a [u8; BLOCK] {
    match text[at..].first_chunk() {
        Some(block) => block,
        None => {
            *padded = [0xff; BLOCK];
            padded[..text.len() - at].copy_from_slice(&text[at..]);
            padded
        }
    }
}

/// Byte by byte: for any processor, and what the others are tested against.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Classify for Portable {
    #[inline(always)]
    fn masks<const N: usize>(self, sets: &Sets<N>, block: &[u8; BLOCK]) -> [u64; N] {
        let mut masks = [0; N];
        for (at, eight) in block.chunks_exact(8).enumerate() {
            let bits = u64::from_le_bytes(std::array::from_fn(|n| sets.bits[usize::from(eight[n])]));
            for (set, mask) in masks.iter_mut().enumerate() {
                *mask |= lowest_bits(bits >> set) << (8 * at);
            }
        }
        masks
    }
}

/// The lowest bit of each of eight bytes.
#[inline(always)]
fn lowest_bits(bytes: u64) -> u64 {
    // Collects them in the highest byte: the products do not carry into each other.
    (bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The way that every processor of this architecture has.
#[cfg(not(target_arch = "aarch64"))]
pub use Portable as Baseline;
/// The way that every processor of this architecture has.
#[cfg(target_arch = "aarch64")]
pub use neon::{Neon, Neon as Baseline};

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Classify, Sets, Work};

    /// Thirty-two bytes at a time.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        /// `None` where the processor cannot.
        pub(crate) fn new() -> Option<Self> {
            let can = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt");
            can.then_some(Self(()))
        }
    }

    impl Classify for Avx2 {
        #[inline(always)]
        fn masks<const N: usize>(self, sets: &Sets<N>, block: &[u8; BLOCK]) -> [u64; N] {
            // SAFETY: a value of this type exists only where the processor has AVX2.
            unsafe { masks(sets, block) }
        }

        #[inline(always)]
        fn run<W: Work>(self, work: W) -> W::Output {
            #[inline(never)]
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
            fn compiled<W: Work>(processor: Avx2, work: W) -> W::Output {
                work.on(processor)
            }
            // SAFETY: a value of this type exists only if the processor has all of this.
            unsafe { compiled(self, work) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn masks<const N: usize>(sets: &Sets<N>, block: &[u8; BLOCK]) -> [u64; N] {
        // SAFETY: unaligned loads of the 16 bytes there are.
        let table = |bytes: &[u8; 16]| _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) });
        // Bit n for high half-byte n; none from 8 on, so bytes that are not ASCII are in no set.
        let high = table(&[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]);
        let half = |at: usize| {
            // SAFETY: an unaligned load of 32 bytes at 0 or 32 of the block's 64.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(at).cast()) };
            let bit = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15)));
            (bytes, bit)
        };
        let (first, second) = (half(0), half(32));
        sets.low.each_ref().map(|low| {
            let low = table(low);
            let mask = |(bytes, bit): (__m256i, __m256i)| {
                let in_set = _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), bit);
                u64::from(!_mm256_movemask_epi8(_mm256_cmpeq_epi8(in_set, _mm256_setzero_si256())) as u32)
            };
            mask(first) | mask(second) << 32
        })
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Classify, Sets, Work};
    use crate::fast::beyond_ascii::{self, Numbers, Tables};

    /// Sixty-four bytes at a time: one look-up finds all sets of a byte.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(());

    impl Avx512 {
        /// `None` if the processor lacks any of the instructions.
        pub(crate) fn new() -> Option<Self> {
            let can = super::Avx2::new().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2");
            can.then_some(Self(()))
        }
    }

    impl Classify for Avx512 {
        #[inline(always)]
        fn masks<const N: usize>(self, sets: &Sets<N>, block: &[u8; BLOCK]) -> [u64; N] {
            // SAFETY: a value of this type exists only if the processor has these instructions.
            unsafe { masks(sets, block) }
        }

        const HAS_NUMBERS: bool = true;

        #[inline(always)]
        fn numbers(self, tables: &Tables, block: &[u8; BLOCK], leads: u64) -> Numbers {
            // SAFETY: a value of this type exists only if the processor has these instructions.
            unsafe { beyond_ascii::avx512::numbers(tables, block, leads) }
        }

        #[inline(always)]
        fn highest_bits(self, block: &[u8; BLOCK]) -> [u64; 2] {
            // SAFETY: a value of this type exists only if the processor has these instructions.
            unsafe { highest_bits(block) }
        }

        #[inline(always)]
        fn write_places(self, at: u32, bits: u64, to: &mut [u32]) {
            // SAFETY: a value of this type exists only if the processor has these instructions.
            unsafe { write_places(at, bits, to) }
        }

        #[inline(always)]
        fn run<W: Work>(self, work: W) -> W::Output {
            #[inline(never)]
            #[target_feature(
                enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,popcnt,lzcnt"
            )]
            fn compiled<W: Work>(processor: Avx512, work: W) -> W::Output {
                work.on(processor)
            }
            // SAFETY: a value of this type exists only if the processor has all of this.
            unsafe { compiled(self, work) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn masks<const N: usize>(sets: &Sets<N>, block: &[u8; BLOCK]) -> [u64; N] {
        // SAFETY: unaligned loads of 64 bytes: the block, and both halves of the first 128 of 256.
        let load = |bytes: &[u8], at: usize| unsafe { _mm512_loadu_si512(bytes.as_ptr().add(at).cast()) };
        let bytes = load(block, 0);
        let ascii = !_mm512_movepi8_mask(bytes);
        let looked_up = _mm512_permutex2var_epi8(load(&sets.bits, 0), bytes, load(&sets.bits, 64));
        let bits = _mm512_maskz_mov_epi8(ascii, looked_up);
        std::array::from_fn(|set| _mm512_test_epi8_mask(bits, _mm512_set1_epi8(1 << set)))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
    fn write_places(at: u32, bits: u64, to: &mut [u32]) {
        // SAFETY: an unaligned load of 64 bytes.
        let numbers = unsafe { _mm512_loadu_si512(beyond_ascii::avx512::PLACES.as_ptr().cast()) };
        let places = _mm512_maskz_compress_epi8(bits, numbers);
        let at = _mm512_set1_epi32(at as i32);
        let count = bits.count_ones() as usize;
        let to: &mut [u32; BLOCK] = to.first_chunk_mut().expect("there is room for all");
        let mut write = |from: usize, sixteen| {
            let places = _mm512_add_epi32(at, _mm512_cvtepu8_epi32(sixteen));
            // SAFETY: an unaligned store of 16 numbers of 32 bits, from number 0, 16, 32 or 48 of 64 on.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().add(from).cast(), places) };
        };
        write(0, _mm512_castsi512_si128(places));
        if count > 16 {
            write(16, _mm512_extracti32x4_epi32::<1>(places));
        }
        if count > 32 {
            write(32, _mm512_extracti32x4_epi32::<2>(places));
            write(48, _mm512_extracti32x4_epi32::<3>(places));
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn highest_bits(block: &[u8; BLOCK]) -> [u64; 2] {
        // SAFETY: an unaligned load of the 64 bytes.
        let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        [_mm512_test_epi8_mask(bytes, _mm512_set1_epi8(0x40)), _mm512_movepi8_mask(bytes)]
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use std::arch::aarch64::*;

    use super::{BLOCK, Classify, Sets};

    /// Sixteen bytes at a time. Every 64-bit ARM processor has these instructions.
    #[derive(Clone, Copy, Debug)]
    pub struct Neon;

    impl Classify for Neon {
        #[inline(always)]
        fn masks<const N: usize>(self, sets: &Sets<N>, block: &[u8; BLOCK]) -> [u64; N] {
            // SAFETY: loads of 16 bytes, at 0, 16, 32 and 48 of the block's 64 and of tables of 16.
            let load = |bytes: &[u8], at: usize| unsafe { vld1q_u8(bytes.as_ptr().add(at)) };
            // SAFETY: NEON belongs to the architecture.
            unsafe { masks(sets, block, load) }
        }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn masks<const N: usize>(
        sets: &Sets<N>,
        block: &[u8; BLOCK],
        load: impl Fn(&[u8], usize) -> uint8x16_t,
    ) -> [u64; N] {
        // Bit n for high half-byte n; none from 8 on, so bytes that are not ASCII are in no set.
        let high = load(&[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0], 0);
        // The bit of a byte among the eight that make one byte of the mask.
        let weight = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128], 0);
        let quarters = [0, 16, 32, 48].map(|at| {
            let bytes = load(block, at);
            (vandq_u8(bytes, vdupq_n_u8(15)), vqtbl1q_u8(high, vshrq_n_u8::<4>(bytes)))
        });
        sets.low.each_ref().map(|low| {
            let low = load(low, 0);
            let [a, b, c, d] = quarters.map(|(half, bit)| vandq_u8(vtstq_u8(vqtbl1q_u8(low, half), bit), weight));
            // Three sums of neighbours put the eight weights of each byte of the mask together.
            let pairs = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn sets() -> Sets<3> {
        Sets::new(|byte| {
            let word = byte.is_ascii_alphanumeric();
            let vowel = b"aeiou".contains(&byte);
            let space = matches!(byte, b'\t' | b'\n' | b' ');
            u8::from(word) | u8::from(vowel) << 1 | u8::from(space) << 2
        })
    }

    /// Calls a macro with every way that this processor has, and its name.
    macro_rules! for_each_way {
        ($check:ident) => {
            $check(Portable, "portable");
            $check(Baseline, "baseline");
            #[cfg(target_arch = "x86_64")]
            if let Some(avx2) = Avx2::new() {
                $check(avx2, "AVX2");
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(avx512) = Avx512::new() {
                $check(avx512, "AVX-512");
            }
        };
    }

    #[test]
    fn all_ways_write_the_places_of_bits() {
        fn check(way: impl Classify, name: &str) {
            let mut random = Random::new(5);
            for round in 0..400 {
                let bits = (0..round % 5).fold(u64::MAX, |bits, _| bits & random.next());
                let bits = if round < 64 { (1 << round) - 1 } else { bits };
                let mut to = [7; BLOCK + 8];
                way.write_places(1000, bits, &mut to[..BLOCK]);
                let expected: Vec<u32> = (0..64).filter(|n| bits >> n & 1 == 1).map(|n| 1000 + n).collect();
                assert_eq!(to[..expected.len()], expected, "{name}, {bits:b}");
                assert_eq!(to[BLOCK..], [7; 8], "{name}");
            }
        }
        for_each_way!(check);
    }

    #[test]
    fn all_ways_give_the_same_masks() {
        fn check(way: impl Classify, name: &str) {
            let (sets, mut random) = (sets(), Random::new(3));
            for round in 0..2000 {
                let block: [u8; BLOCK] = std::array::from_fn(|_| (random.next() >> 40) as u8 >> (round % 2));
                let expected = [0, 1, 2].map(|set: u8| {
                    let in_set = |&at: &usize| sets.bits[usize::from(block[at])] >> set & 1 == 1;
                    (0..BLOCK).filter(in_set).fold(0, |mask, at| mask | 1 << at)
                });
                assert_eq!(way.masks(&sets, &block), expected, "{name}, {block:?}");
            }
        }
        for_each_way!(check);
    }
}
