//! WordPiece: the longest entry that a word starts with, then the longest that its rest starts with, to the end.
//!
//! Entries that continue a word carry a prefix in the vocabulary, `##` as a rule. A word that cannot be split to its
//! end, or that is longer than `max_chars`, is one unknown token.
//! Not here: what a word is ([`crate::pretokenizers::bert`]), a memory of words seen ([`crate::fast::wordpiece`]).
//!
//! Source: Schuster and Nakajima 2012, Japanese and Korean voice search; `WordpieceTokenizer` in google-research/bert.

pub(crate) mod tries;

use super::trie::{self, Trie};
use crate::ids::Id;
use crate::vocab::Vocab;

/// What the model needs to know beside the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The token for words that cannot be split.
    pub unknown: Id,
    /// What entries that continue a word start with.
    pub prefix: String,
    /// Longer words are unknown; in characters of the normalized text.
    pub max_chars: usize,
    /// The unknown token's spelling where the vocabulary lacks it. `unknown` is no token then, and a word that would be it
    /// cannot be encoded.
    pub missing_unknown: Option<String>,
}

impl Settings {
    /// BERT's settings: `##` and 100 characters.
    pub fn bert(unknown: Id) -> Self {
        Self { unknown, prefix: "##".to_owned(), max_chars: 100, missing_unknown: None }
    }
}

/// The model. Holds its own copy of the vocabulary, as a trie.
#[derive(Clone, Debug)]
pub struct WordPiece {
    trie: Trie,
    /// Where the entries that continue a word hang in the trie; `None` where there are none.
    inside: Option<trie::State>,
    settings: Settings,
    id_bound: usize,
}

impl WordPiece {
    /// Builds the trie; entries that are not UTF-8 can match no word and are left out.
    pub(crate) fn new(vocab: &Vocab, settings: Settings) -> Self {
        let entries = vocab.iter().filter(|(_, token)| std::str::from_utf8(token).is_ok());
        let trie = Trie::new(entries.map(|(id, token)| (token, id)).collect());
        Self { inside: trie.walk(settings.prefix.as_bytes()), trie, settings, id_bound: vocab.id_bound() }
    }

    /// One more than the largest id of its vocabulary.
    pub(crate) fn id_bound(&self) -> usize {
        self.id_bound
    }

    /// The settings it was built with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Appends the tokens of a word that is not empty: ids, and for each the byte of the word where it ends. A word
    /// that cannot be split is one unknown token.
    ///
    /// Every byte of the word is looked at once per token that starts before it and reaches it, so at most
    /// as often as the longest token has bytes, or `max_chars` times.
    pub(crate) fn encode(&self, word: &str, out: &mut Vec<(Id, u32)>) {
        if !self.segment(word.as_bytes(), out) {
            out.push((self.settings.unknown, word.len() as u32));
        }
    }

    /// Appends the tokens of a word in UTF-8 and returns true, or leaves `out` as it is and returns false where the word
    /// is unknown.
    pub(crate) fn segment(&self, word: &[u8], out: &mut Vec<(Id, u32)>) -> bool {
        let before = out.len();
        if word.len() > self.settings.max_chars && char_count(word) > self.settings.max_chars {
            return false;
        }
        let (mut at, mut state) = (0, Some(Trie::ROOT));
        while at < word.len() {
            let Some((id, len)) = state.and_then(|state| self.trie.longest(state, &word[at..])) else {
                out.truncate(before);
                return false;
            };
            at += len;
            out.push((id, at as u32));
            state = self.inside;
        }
        true
    }
}

fn char_count(utf8: &[u8]) -> usize {
    utf8.iter().filter(|&byte| byte & 0xc0 != 0x80).count()
}

/// The definition, for the tests: what [`WordPiece::encode`] gives, as ids and ranges of the word.
#[cfg(test)]
pub(crate) fn naive(vocab: &Vocab, settings: &Settings, word: &str) -> Vec<(Id, std::ops::Range<usize>)> {
    let unknown = vec![(settings.unknown, 0..word.len())];
    if word.chars().count() > settings.max_chars {
        return unknown;
    }
    let mut tokens = vec![];
    let mut start = 0;
    while start < word.len() {
        let prefix = if start > 0 { settings.prefix.as_str() } else { "" };
        let ends = (start + 1..=word.len()).rev().filter(|&end| word.is_char_boundary(end));
        let found = ends.map(|end| (end, format!("{prefix}{}", &word[start..end]))).find_map(|(end, entry)| {
            vocab.id(entry.as_bytes()).map(|id| (id, end)) //
        });
        let Some((id, end)) = found else { return unknown };
        tokens.push((id, start..end));
        start = end;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn vocab(tokens: &[&str]) -> Vocab {
        let mut vocab = Vocab::default();
        for (id, token) in tokens.iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        vocab
    }

    fn both(vocab: &Vocab, settings: &Settings, word: &str) -> Vec<(Id, Range<usize>)> {
        let expected = naive(vocab, settings, word);
        let mut out = vec![];
        WordPiece::new(vocab, settings.clone()).encode(word, &mut out);
        let starts = std::iter::once(0).chain(out.iter().map(|&(_, end)| end as usize));
        let tokens: Vec<_> = starts.zip(&out).map(|(start, &(id, end))| (id, start..end as usize)).collect();
        assert_eq!(tokens, expected, "{word:?}");
        tokens
    }

    #[test]
    fn segments_greedily() {
        let vocab = vocab(&["[UNK]", "a", "ab", "##c", "##cd", "é", "##é", "abc", "##"]);
        let bert = Settings::bert(0);
        for (word, expected) in [
            ("ab", vec![(2, 0..2)]),
            ("abcd", vec![(0, 0..4)]), // "abc" is taken and "d" is left, though "ab" + "##cd" would do
            ("aé", vec![(1, 0..1), (6, 1..3)]),
            ("##c", vec![(3, 0..3)]), // the entry as such, at the start of a word
            ("a##", vec![(0, 0..3)]),
            ("##", vec![(8, 0..2)]),
            ("x", vec![(0, 0..1)]),
        ] {
            assert_eq!(both(&vocab, &bert, word), expected, "{word:?}");
        }
    }

    #[test]
    fn counts_characters_for_the_limit() {
        let vocab = vocab(&["[UNK]", "é", "##é"]);
        let tokens = |chars: usize| both(&vocab, &Settings::bert(0), &"é".repeat(chars)).len();
        assert_eq!((tokens(99), tokens(100), tokens(101)), (99, 100, 1));
    }

    #[test]
    fn takes_any_prefix() {
        let vocab = vocab(&["[UNK]", "a", "b", "@@b"]);
        let with = |prefix: &str| Settings { prefix: prefix.to_owned(), ..Settings::bert(0) };
        assert_eq!(both(&vocab, &with("@@"), "ab"), [(1, 0..1), (3, 1..2)]);
        assert_eq!(both(&vocab, &with(""), "ab"), [(1, 0..1), (2, 1..2)]);
        assert_eq!(both(&vocab, &with("nowhere"), "ab"), [(0, 0..2)]);
    }

    #[test]
    fn example_of_wordpiece_encode() {
        use crate::{
            models::wordpiece::{Settings, WordPiece},
            vocab::Vocab,
        };
        let mut vocab = Vocab::default();
        for (id, token) in ["[UNK]", "un", "##aff", "##able"].iter().enumerate() {
            vocab.insert(id as u32, token.as_bytes()).unwrap();
        }
        let model = WordPiece::new(&vocab, Settings::bert(0));
        let mut out = vec![];
        model.encode("unaffable", &mut out);
        assert_eq!(out, [(1, 2), (2, 5), (3, 9)]);
        model.encode("unaffordable", &mut out);
        assert_eq!(out[3..], [(0, 12)]);
    }

    #[test]
    fn example_of_naive() {
        use crate::{
            models::wordpiece::{Settings, naive},
            vocab::Vocab,
        };
        let mut vocab = Vocab::default();
        vocab.insert(0, b"[UNK]").unwrap();
        vocab.insert(1, b"ab").unwrap();
        vocab.insert(2, b"##b").unwrap();
        assert_eq!(naive(&vocab, &Settings::bert(0), "abb"), [(1, 0..2), (2, 2..3)]);
        assert_eq!(naive(&vocab, &Settings::bert(0), "ba"), [(0, 0..2)]);
    }
}
