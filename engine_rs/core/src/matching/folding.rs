//! Characters that are equal to several where case is ignored: `ß` is `ss`.
//!
//! Source: the mappings with status F in Unicode's `CaseFolding.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The most characters that one folds to.
const LONGEST: usize = 3;

/// A character for each string that it is equal to where case is ignored: `ß` for `ss`.
static FOLDS: LazyLock<HashMap<String, char>> =
    LazyLock::new(|| ('\0'..='\u{FFFF}').rev().filter_map(|c| folds_to_several(c).map(|folded| (folded, c))).collect());

/// What a character folds to if that is several. Source: the mappings with status F in Unicode's CaseFolding.txt, which are the
/// small letters of the capital ones of its small letters.
pub(super) fn folds_to_several(c: char) -> Option<String> {
    let small = c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let folded: String = small.collect();
    (folded.chars().count() > 1).then_some(folded)
}

/// The first part of some characters that is equal to one other, and that one.
pub(super) fn folded_part(run: &[char]) -> Option<(String, char)> {
    (0..run.len()).find_map(|start| {
        (2..=LONGEST.min(run.len() - start)).find_map(|len| {
            let folded: String = run[start..start + len].iter().flat_map(|c| c.to_lowercase()).collect();
            FOLDS.get(&folded).map(|&c| (folded, c))
        })
    })
}
