//! A set of characters, a bit for each.

/// Characters beyond are in no set: what is asked of so many is rare there.
const BOUND: usize = 0x1_0000;
const BITS: usize = u64::BITS as usize;

/// A set of characters up to U+FFFF, in 8 kB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CharSet {
    words: Box<[u64; BOUND / BITS]>,
}

impl CharSet {
    /// Those for which `has` says so.
    pub(crate) fn new(has: impl Fn(char) -> bool) -> Self {
        let bit = |n: usize| u64::from(char::from_u32(n as u32).is_some_and(&has)) << (n % BITS);
        let word = |at: usize| (at * BITS..(at + 1) * BITS).fold(0, |word, n| word | bit(n));
        let words: Box<[u64]> = (0..BOUND / BITS).map(word).collect();
        Self { words: words.try_into().expect("as many as there are") }
    }

    /// Whether a character is in it, if it is one up to U+FFFF.
    #[inline(always)]
    pub(crate) fn get(&self, c: char) -> Option<bool> {
        self.words.get(c as usize / BITS).map(|word| word >> (c as usize % BITS) & 1 == 1)
    }

    /// Whether a character is in it.
    #[inline(always)]
    pub(crate) fn has(&self, c: char) -> bool {
        self.get(c).unwrap_or(false)
    }

    /// Takes a character out.
    pub(crate) fn remove(&mut self, c: char) {
        if let Some(word) = self.words.get_mut(c as usize / BITS) {
            *word &= !(1 << (c as usize % BITS));
        }
    }

    /// Bit n: whether U+n is in it, for those of ASCII.
    pub(crate) fn ascii(&self) -> u128 {
        u128::from(self.words[0]) | u128::from(self.words[1]) << BITS
    }

    /// Whether no character is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_the_characters_it_was_made_of() {
        let is_in = |c: char| c.is_alphabetic() && c != 'x';
        let mut set = CharSet::new(is_in);
        for c in '\0'..=char::MAX {
            let expected = (c as usize <= 0xffff).then(|| is_in(c));
            assert_eq!((set.get(c), set.has(c)), (expected, expected == Some(true)), "{c:?}");
            assert!(!c.is_ascii() || is_in(c) == (set.ascii() >> (c as u32) & 1 == 1), "{c:?}");
        }
        for c in ['y', 'é', '語', '𝒳'] {
            set.remove(c);
            assert!(!set.has(c), "{c}");
        }
        assert!(set.has('z') && !set.is_empty());
        assert!(CharSet::new(|_| false).is_empty());
    }
}
