//! Scores as fractions of counts.

use std::cmp::Ordering;

/// `count / (left * right)`.
#[derive(Clone, Copy, Debug)]
pub struct Score {
    /// How often the pair occurs.
    pub(crate) count: u64,
    /// How often its left part occurs.
    pub(crate) left: u64,
    /// How often its right part occurs.
    pub(crate) right: u64,
}

impl Score {
    /// The nearest number.
    pub(crate) fn value(self) -> f64 {
        self.count as f64 / (self.left as f64 * self.right as f64)
    }

    /// Compares exactly: by cross products of up to 192 bits.
    #[inline]
    pub(crate) fn compare(self, other: Self) -> Ordering {
        product(self.count, other.left, other.right).cmp(&product(other.count, self.left, self.right))
    }
}

/// The high 64 bits and the low 128 bits of a product.
#[inline]
fn product(a: u64, b: u64, c: u64) -> (u64, u128) {
    let two = u128::from(a) * u128::from(b);
    let (low, high) = ((two as u64) as u128 * u128::from(c), (two >> 64) * u128::from(c));
    let (sum, carry) = low.overflowing_add(high << 64);
    ((high >> 64) as u64 + u64::from(carry), sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn comparison_is_exact_in_64_bits() {
        // (2^64 - 1)^3 = (2^64 - 3) 2^128 + 3 2^64 - 1
        assert_eq!(product(u64::MAX, u64::MAX, u64::MAX), (u64::MAX - 2, (3 << 64) - 1));
        let mut random = Random::new(7);
        for _ in 0..2000 {
            let mut small = || 1 + random.below(1 << 20) as u64;
            let (a, b) = (
                Score { count: small(), left: small(), right: small() },
                Score { count: small(), left: small(), right: small() },
            );
            let by_product = (u128::from(a.count) * u128::from(b.left) * u128::from(b.right))
                .cmp(&(u128::from(b.count) * u128::from(a.left) * u128::from(a.right)));
            assert_eq!(a.compare(b), by_product);
            // The same fractions with all counts times 2^43 and nearly 2^43.
            let large =
                |score: Score| Score { count: score.count << 43, left: score.left << 43, right: score.right << 43 };
            assert_eq!(large(a).compare(large(b)), by_product);
            let above = Score { count: (a.count << 43) + 1, ..large(a) };
            assert_eq!(above.compare(large(a)), Ordering::Greater);
        }
    }
}
