//! Which of a set of strings stands at a place of a text: the longest one that starts there.
//!
//! Not here: where in a text the next one is ([`crate::added_tokens`]).

use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Anchored, Input, MatchKind};

/// The strings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prefixes {
    automaton: Option<NFA>,
    /// Whether one of them starts with this byte.
    first: Vec<bool>,
    /// As given.
    strings: Vec<Box<[u8]>>,
}

/// The same strings.
impl PartialEq for Prefixes {
    fn eq(&self, other: &Self) -> bool {
        self.strings == other.strings
    }
}

impl Prefixes {
    /// `strings` as bytes; empty ones are left out.
    ///
    /// Errors: what is too large for an automaton, in words.
    pub(crate) fn new<'a>(strings: impl IntoIterator<Item = &'a [u8]>) -> Result<Self, String> {
        let strings: Vec<_> = strings.into_iter().filter(|string| !string.is_empty()).collect();
        if strings.is_empty() {
            return Ok(Self::default());
        }
        let mut first = vec![false; 256];
        strings.iter().for_each(|string| first[usize::from(string[0])] = true);
        let automaton =
            NFA::builder().match_kind(MatchKind::LeftmostLongest).build(&strings).map_err(|error| error.to_string())?;
        Ok(Self { automaton: Some(automaton), first, strings: strings.into_iter().map(Box::from).collect() })
    }

    /// The strings, without empty ones.
    pub(crate) fn strings(&self) -> impl Iterator<Item = &[u8]> {
        self.strings.iter().map(|string| &**string)
    }

    /// Whether one of them starts with a byte.
    #[inline]
    pub(crate) fn may_start(&self, byte: u8) -> bool {
        self.first.get(usize::from(byte)).is_some_and(|&starts| starts)
    }

    /// Length in bytes of the longest one that `text` starts with, 0 where there is none.
    #[inline]
    pub(crate) fn longest(&self, text: &[u8]) -> usize {
        let Some(automaton) = &self.automaton else { return 0 };
        if !text.first().is_some_and(|&byte| self.first[usize::from(byte)]) {
            return 0;
        }
        let input = Input::new(text).anchored(Anchored::Yes);
        automaton.try_find(&input).ok().flatten().map_or(0, |found| found.end())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_prefixes_longest() {
        use crate::matching::prefixes::Prefixes;
        let prefixes = Prefixes::new([&b"ab"[..], b"abcd"]).unwrap();
        assert_eq!(["abc", "abcde", "xab"].map(|text| prefixes.longest(text.as_bytes())), [2, 4, 0]);
    }
}
