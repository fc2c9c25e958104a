//! The unique words of a corpus as one text of numbers.
//!
//! Each character of the alphabet has a number from 1 on, in the order of code points; a 0 ends each word. A word is split at
//! characters outside the alphabet: no token has them, so its parts are independent.

use rustc_hash::FxHashMap;

use crate::followers::{Follower, SPACE};
use crate::stop::{Stop, Stopped};

/// The end of a word.
pub(crate) const END: u32 = 0;

/// A word, or a part of one between characters outside the alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it starts in the symbols.
    pub(crate) start: u32,
    /// Where it ends, at the 0.
    pub(crate) end: u32,
    /// How often the corpus has it.
    pub(crate) count: u64,
}

/// The characters that the vocabulary has, each with its count in the corpus.
#[derive(Clone, Debug, Default)]
pub struct Alphabet {
    /// In the order of code points; the number of a character is its place plus one.
    pub(crate) characters: Vec<(char, u64)>,
    numbers: FxHashMap<char, u32>,
}

impl Alphabet {
    /// That of characters in the order of code points.
    pub(crate) fn of(characters: Vec<(char, u64)>) -> Self {
        let numbers = characters.iter().zip(1..).map(|(&(character, _), number)| (character, number)).collect();
        Self { characters, numbers }
    }

    /// The number of a character, if the alphabet has it.
    pub(crate) fn number(&self, character: char) -> Option<u32> {
        self.numbers.get(&character).copied()
    }

    /// The text of symbols, none of them [`END`].
    pub(crate) fn spell(&self, symbols: &[u32]) -> String {
        symbols.iter().map(|&symbol| self.characters[symbol as usize - 1].0).collect()
    }
}

/// Words as numbers.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// All words, each followed by [`END`].
    pub(crate) symbols: Vec<u32>,
    /// Where they are.
    pub(crate) words: Vec<Word>,
    /// What follows each of them in the running text.
    pub(crate) followers: Vec<Follower>,
    /// All counts of words before they were split.
    pub(crate) total: u64,
}

impl Text {
    /// Translates words. Returns `None` if they have 2^31 characters or more, which positions cannot number.
    pub(crate) fn new<'a>(
        words: impl Iterator<Item = (&'a str, u64, Follower)>,
        alphabet: &Alphabet,
        stop: Stop<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let mut text = Self::default();
        for (at, (word, count, follower)) in words.enumerate() {
            stop.check_at(at)?;
            text.total += count;
            for character in word.chars() {
                match alphabet.number(character) {
                    Some(number) => text.symbols.push(number),
                    None => text.end_word(count, Follower::One(SPACE)),
                }
            }
            text.end_word(count, follower);
            if text.symbols.len() >= 1 << 31 {
                return Ok(None);
            }
        }
        Ok(Some(text))
    }

    /// Bytes of memory it takes.
    pub(crate) fn size_bytes(&self) -> usize {
        4 * self.symbols.capacity() + (size_of::<Word>() + size_of::<Follower>()) * self.words.capacity()
    }

    /// What follows the word that ends at this place of the symbols.
    pub(crate) fn follower(&self, end: u32) -> Follower {
        self.words.binary_search_by_key(&end, |word| word.end).map_or(Follower::None, |at| self.followers[at])
    }

    fn end_word(&mut self, count: u64, follower: Follower) {
        let start = self.words.last().map_or(0, |word| word.end + 1);
        let end = self.symbols.len() as u32;
        if start < end {
            self.symbols.push(END);
            self.words.push(Word { start, end, count });
            self.followers.push(follower);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_split_at_characters_outside_the_alphabet() {
        let space = Follower::One(SPACE);
        let words = [("aba", 5, space), ("acb", 1, Follower::Many), ("c", 1, space), ("b", 2, Follower::One(b'x'))];
        let alphabet = Alphabet::of(vec![('a', 11), ('b', 8)]);
        let text = Text::new(words.into_iter(), &alphabet, Stop::never()).expect("not stopped").expect("short");
        assert_eq!(text.symbols, [1, 2, 1, END, 1, END, 2, END, 2, END]);
        let counts: Vec<u64> = text.words.iter().map(|word| word.count).collect();
        assert_eq!((counts, text.total), (vec![5, 1, 1, 2], 9));
        assert_eq!(text.followers, [space, space, Follower::Many, Follower::One(b'x')]);
        assert_eq!((text.follower(3), text.follower(5)), (space, space));
    }
}
