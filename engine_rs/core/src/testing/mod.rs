//! Random numbers for tests, small, and the same on every machine; the smallest byte-level model.

pub mod stages;
pub(crate) mod steps;

use crate::fast::byte_level::ByteLevelBpe;
use crate::ids::Id;
use crate::models::bpe::merges::Merges;
use crate::models::bpe::{Bpe, WholeTokens};
use crate::pretokenizers::scanners::Pattern;
use crate::vocab::Vocab;

/// A token for every byte, its id, and no merges.
pub fn bytes_alone() -> (Vocab, ByteLevelBpe) {
    let mut vocab = Vocab::default();
    for byte in 0..=255u8 {
        vocab.insert(Id::from(byte), &[byte]).expect("all bytes differ");
    }
    let bpe = Bpe::new(&vocab, std::array::from_fn(|byte| byte as Id), Merges::new(vec![]), WholeTokens::IfMerged);
    (vocab, ByteLevelBpe::new(bpe, Pattern::R50k))
}

/// How many texts or rounds to try where `make test` tries `count`: `LAB_TEXTS` times as many, as `tests/scale.py` has it.
pub fn scaled(count: usize) -> usize {
    count * std::env::var("LAB_TEXTS").map_or(1, |times| times.parse().expect("LAB_TEXTS is a number"))
}

/// xorshift64*.
pub struct Random(u64);

#[allow(clippy::should_implement_trait, reason = "an iterator of numbers without an end is of no use here")]
impl Random {
    /// Any seed will do.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    /// One of `choices`, which are not empty.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
