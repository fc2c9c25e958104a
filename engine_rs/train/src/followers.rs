//! What follows each word in the running text: the end of a line, a space or another character.
//!
//! SentencePiece takes a substring for a seed if it goes on in two ways somewhere in the text. Inside of a word the word
//! itself says how; for the end of a word the counter keeps it here. Two ways differ in their first byte of UTF-8, as in
//! SentencePiece 0.2.3, which searches in bytes: of two different letters of Cyrillic most are one way.
//!
//! While words are counted, each has its first byte after it at its end. So the table needs no place for it. [`Follower`] is
//! what is left of all occurrences.

/// Follows a word if only white space is between it and a newline or the end of the text, or if it ends with a newline.
pub(crate) const LINE_END: u8 = b'\n';
/// Follows a word if white space comes after it: the first byte of U+2581, which stands for a space. Characters outside the
/// alphabet are U+2585 in SentencePiece and have the same first byte.
pub(crate) const SPACE: u8 = 0xE2;

/// What follows a word, or a substring, in all its occurrences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Follower {
    /// It has no occurrence, or nobody asked.
    #[default]
    None,
    /// Always the same first byte.
    One(u8),
    /// Two different bytes, or more.
    Many,
}

impl Follower {
    /// What follows it in these occurrences and those of `other`.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, found) | (found, Self::None) => found,
            (left, right) if left == right => left,
            _ => Self::Many,
        }
    }

    /// As a number, for storing.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::One(byte) => u64::from(byte),
            Self::None => 256,
            Self::Many => 257,
        }
    }

    /// What [`Self::number`] returned; `None` if no follower has this number.
    pub(crate) fn of_number(number: u64) -> Option<Self> {
        match number {
            256 => Some(Self::None),
            257 => Some(Self::Many),
            _ => Some(Self::One(u8::try_from(number).ok()?)),
        }
    }
}

/// What follows a word, of which `rest` is the text after it; `end` is what follows the rest.
pub(crate) fn after(rest: &str, end: u8) -> u8 {
    let next = rest.trim_start();
    let white = &rest[..rest.len() - next.len()];
    if white.contains('\n') {
        return LINE_END;
    }
    match next.as_bytes().first() {
        None => end,
        Some(_) if !white.is_empty() => SPACE,
        Some(&byte) => byte,
    }
}

/// A word with what follows it at its end.
pub(crate) fn counted(word: &[u8], next: u8) -> Vec<u8> {
    [word, &[next]].concat()
}

/// A counted word and what follows it. The empty word if there is nothing.
pub(crate) fn split(counted: &[u8]) -> (&[u8], u8) {
    counted.split_last().map_or((&[], LINE_END), |(&next, word)| (word, next))
}

/// The first byte of a character.
pub(crate) fn first_byte(character: char) -> u8 {
    character.encode_utf8(&mut [0; 4]).as_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_is_a_line_end_a_space_or_a_character() {
        let cases = [
            ("", LINE_END),
            ("  ", LINE_END),
            (" \u{a0}\n x", LINE_END),
            (" x", SPACE),
            ("\u{3000}x\n", SPACE),
            (", x", b','),
            ("字", 0xE5),
        ];
        for (rest, expected) in cases {
            assert_eq!(after(rest, LINE_END), expected, "{rest:?}");
        }
        assert_eq!((after("", SPACE), after("\n", SPACE)), (SPACE, LINE_END));
        assert_eq!((first_byte('\u{2581}'), first_byte('\u{2585}'), first_byte('a')), (SPACE, SPACE, b'a'));
    }

    #[test]
    fn a_counted_word_comes_apart() {
        for (word, next) in [("low", SPACE), ("", 0xE5), ("é", LINE_END)] {
            assert_eq!(split(&counted(word.as_bytes(), next)), (word.as_bytes(), next));
        }
        assert_eq!(split(b""), (&b""[..], LINE_END));
    }

    #[test]
    fn followers_add_up_and_come_back_from_numbers() {
        for follower in [Follower::None, Follower::One(b'a'), Follower::One(SPACE), Follower::Many] {
            assert_eq!(Follower::of_number(follower.number()), Some(follower));
            assert_eq!(follower.or(Follower::None), follower);
            assert_eq!(follower.or(follower), follower);
        }
        assert_eq!(Follower::One(b'a').or(Follower::One(SPACE)), Follower::Many);
        assert_eq!(Follower::of_number(258), None);
    }
}
