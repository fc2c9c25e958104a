//! Random numbers from a seed: the same on every machine and in every run.
//!
//! For merges left out and segmentations drawn on purpose ([`crate::models`]); nothing secret may depend on them.
//!
//! Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014), as SplitMix64.

/// A generator of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// Any seed will do; equal seeds give equal numbers.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    /// A number from 0 up to but not including 1, all of them equally likely.
    ///
    /// ```
    /// # use token_engine::internals::random::Random;
    /// let mut random = Random::new(7);
    /// let mean = (0..10_000).map(|_| random.next_unit()).sum::<f64>() / 10_000.0;
    /// assert!((0.49..0.51).contains(&mean));
    /// ```
    pub fn next_unit(&mut self) -> f64 {
        // The 53 bits that a double holds.
        (self.next_bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}
