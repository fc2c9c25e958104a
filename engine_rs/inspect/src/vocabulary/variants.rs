//! Variants of a token: with and without a space, in lower and upper case.

use super::Index;
use token_engine::{Id, Tokenizer};

/// The tokens that differ from this one only in case or in the mark of its position in a word, itself included, by id.
///
/// Case: as it is, lower, upper, capitalized. Marks: none, a space, `▁`, and the prefix and suffix of the vocabulary.
pub fn variants(tokenizer: &Tokenizer, index: &Index, id: Id) -> Vec<Id> {
    let Some(row) = index.row(id) else { return vec![] };
    let Ok(text) = std::str::from_utf8(index.bytes(row)) else { return vec![id] };
    let marks = index.marks();
    let (core, _) = marks.core(text);
    let small = core.to_lowercase();
    let first: String = core.chars().take(1).flat_map(char::to_uppercase).collect();
    let rest: String = core.chars().skip(1).flat_map(char::to_lowercase).collect();
    let mut found = vec![id];
    for cased in [core.to_owned(), small, core.to_uppercase(), first + &rest] {
        for (before, after) in
            [("", ""), (" ", ""), ("▁", ""), (marks.prefix.as_str(), ""), ("", marks.suffix.as_str())]
        {
            found.extend(tokenizer.id_of(format!("{before}{cased}{after}").as_bytes()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
