//! Classes of 64 bytes at a time, as bit masks: bit n stands for byte n.
//!
//! Any set of ASCII characters is a bit per high half-byte in a table by low half-byte; a shuffle looks sixteen or more
//! bytes up at once. Other bytes are in no set.
//! Not here: which characters are in which set ([`super::chars`]).
//!
//! Source: Mula and Lemire 2018, Faster Base64 encoding and decoding using AVX2 instructions, for look-ups by shuffle.

/// How many bytes are classified at once.
pub const BLOCK: usize = 64;

/// Three sets of ASCII characters that do not overlap.
#[derive(Clone, Debug)]
pub struct Sets {
    /// For each set, by low half-byte: bit n is set where the character with high half-byte n is in the set.
    low: [[u8; 16]; 3],
    /// By byte: bit n is set where the byte is in set n.
    bits: [u8; 256],
}

/// Which bytes of a block are in which set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// Parts of words.
    pub word: u64,
    /// Pretokens of their own.
    pub alone: u64,
    /// White space.
    pub space: u64,
}

impl Sets {
    /// Makes the tables from the set each byte of ASCII is in: 0 word, 1 alone, 2 space.
    pub fn new(set_of: impl Fn(u8) -> Option<usize>) -> Self {
        let mut sets = Self { low: [[0; 16]; 3], bits: [0; 256] };
        for byte in 0..128u8 {
            if let Some(set) = set_of(byte) {
                sets.low[set][usize::from(byte & 15)] |= 1 << (byte >> 4);
                sets.bits[usize::from(byte)] = 1 << set;
            }
        }
        sets
    }
}

/// A way to compute the masks.
pub trait Classify: Copy {
    /// The masks of a block.
    fn masks(self, sets: &Sets, block: &[u8; BLOCK]) -> Masks;
}

/// Byte by byte: for any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Classify for Portable {
    #[inline(always)]
    fn masks(self, sets: &Sets, block: &[u8; BLOCK]) -> Masks {
        let mut masks = Masks::default();
        for (at, eight) in block.chunks_exact(8).enumerate() {
            let bits = u64::from_le_bytes(std::array::from_fn(|n| sets.bits[usize::from(eight[n])]));
            // Collects the lowest bit of each byte in the highest byte: the products do not carry into each other.
            let gather = |bits: u64| (bits & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            masks.word |= gather(bits) << (8 * at);
            masks.alone |= gather(bits >> 1) << (8 * at);
            masks.space |= gather(bits >> 2) << (8 * at);
        }
        masks
    }
}

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Classify, Masks, Sets};

    /// Thirty-two bytes at a time.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(());

    impl Avx2 {
        /// `None` where the processor cannot.
        pub fn new() -> Option<Self> {
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
        fn masks(self, sets: &Sets, block: &[u8; BLOCK]) -> Masks {
            // SAFETY: a value of this type exists only where the processor has AVX2.
            unsafe { masks(sets, block) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn masks(sets: &Sets, block: &[u8; BLOCK]) -> Masks {
        // SAFETY: unaligned loads of the 16 bytes there are.
        let table = |bytes: &[u8; 16]| _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) });
        let [word, alone, space] = [table(&sets.low[0]), table(&sets.low[1]), table(&sets.low[2])];
        // Bit n for high half-byte n; none from 8 on, so bytes that are not ASCII are in no set.
        let high = table(&[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]);
        let half = |at: usize| {
            // SAFETY: an unaligned load of 32 bytes at 0 or 32 of the block's 64.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(at).cast()) };
            let bit = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15)));
            let mask = |low: __m256i| {
                let in_set = _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), bit);
                u64::from(!_mm256_movemask_epi8(_mm256_cmpeq_epi8(in_set, _mm256_setzero_si256())) as u32)
            };
            Masks { word: mask(word), alone: mask(alone), space: mask(space) }
        };
        let (first, second) = (half(0), half(32));
        Masks {
            word: first.word | second.word << 32,
            alone: first.alone | second.alone << 32,
            space: first.space | second.space << 32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn sets() -> Sets {
        Sets::new(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Some(0),
            b'\t' | b'\n' | b' ' => Some(2),
            byte if byte.is_ascii_punctuation() => Some(1),
            _ => None,
        })
    }

    #[test]
    fn all_ways_give_the_same_masks() {
        let (sets, mut random) = (sets(), Random::new(3));
        for round in 0..2000 {
            let block: [u8; BLOCK] = std::array::from_fn(|_| (random.next() >> 40) as u8 >> (round % 2));
            let expected = |set: u8| {
                (0..BLOCK).filter(|&at| sets.bits[usize::from(block[at])] == set).fold(0, |mask, at| mask | 1 << at)
            };
            let expected = Masks { word: expected(1), alone: expected(2), space: expected(4) };
            assert_eq!(Portable.masks(&sets, &block), expected, "{block:?}");
            #[cfg(target_arch = "x86_64")]
            if let Some(avx2) = Avx2::new() {
                assert_eq!(avx2.masks(&sets, &block), expected, "{block:?}");
            }
        }
    }
}
