//! What WordPiece tries, step by step: the definition as code, for those who show it.

use super::WordPiece;
use crate::ids::Id;
use crate::models::trie::Trie;

/// One token's worth of trying.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Try {
    /// Byte of the word where it starts.
    pub start: usize,
    /// What was looked up, from the longest on, as the vocabulary would spell it; at most [`SHOWN`] of them.
    pub candidates: Vec<String>,
    /// How many were looked up.
    pub tried: usize,
    /// The entry that was found, and the byte of the word where it ends.
    pub found: Option<(Id, usize)>,
}

/// How many candidates are kept.
pub(crate) const SHOWN: usize = 20;

impl WordPiece {
    /// What is tried for a word; nothing where it is too long to be split. The last one finds nothing where the word is
    /// unknown.
    pub fn tries(&self, word: &str) -> Vec<Try> {
        let mut tries: Vec<Try> = vec![];
        if word.chars().count() > self.settings.max_chars {
            return tries;
        }
        let mut start = 0;
        while start < word.len() {
            let prefix = if start > 0 { self.settings.prefix.as_str() } else { "" };
            let mut next = Try { start, candidates: vec![], tried: 0, found: None };
            for end in (start + 1..=word.len()).rev().filter(|&end| word.is_char_boundary(end)) {
                let entry = format!("{prefix}{}", &word[start..end]);
                let longest = self.trie.longest(Trie::ROOT, entry.as_bytes());
                next.tried += 1;
                if next.candidates.len() < SHOWN {
                    next.candidates.push(entry.clone());
                }
                if let Some((id, _)) = longest.filter(|&(_, len)| len == entry.len()) {
                    next.found = Some((id, end));
                    break;
                }
            }
            let found = next.found;
            tries.push(next);
            let Some((_, end)) = found else { break };
            start = end;
        }
        tries
    }
}
