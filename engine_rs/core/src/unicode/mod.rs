//! Properties of characters as BERT's reference library has them: class, lower case, canonical decomposition.
//!
//! The tables are generated from what the library does (`tools/unicode_tables.py`), because it mixes versions of
//! Unicode: a character newer than Unicode 9 has no category and no decomposition, but may have a lower case.
//! Not here: the classes that split patterns speak of ([`crate::pretokenizers::characters`]), which follow another
//! reference; a table by code point for the hot path ([`crate::fast::wordpiece`]). Look-ups here are binary searches.
//!
//! Source: `tokenizers` 0.23; UAX #15 for decomposition and canonical order.

mod forms;
mod scripts;
mod tables;

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// Whether clean-up removes `c`: control, format and private characters, U+0000 and U+FFFD. Tab and line ends stay.
///
/// ```
/// # use token_engine::internals::unicode::is_control;
/// assert!(is_control('\u{200d}') && is_control('\u{b}') && !is_control('\n'));
/// ```
pub fn is_control(c: char) -> bool {
    among(tables::CONTROL, c)
}

/// Whether `c` is white space, which separates pretokens.
pub fn is_space(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, '\t'..='\r' | ' ');
    }
    among(tables::SPACE, c)
}

/// Whether `c` is punctuation: of general category P, or one of ASCII's symbols.
///
/// ```
/// # use token_engine::internals::unicode::is_punctuation;
/// assert!(is_punctuation('$') && is_punctuation('。') && !is_punctuation('€'));
/// ```
pub fn is_punctuation(c: char) -> bool {
    among(tables::PUNCTUATION, c)
}

/// Whether `c` is an ideograph that stands alone; kana and Hangul are none.
pub fn is_ideograph(c: char) -> bool {
    among(tables::IDEOGRAPH, c)
}

/// Whether `c` is a nonspacing mark (Mn), which accent stripping removes.
pub fn is_nonspacing(c: char) -> bool {
    among(tables::NONSPACING, c)
}

/// Whether `c` is a mark of any kind (M).
pub fn is_mark(c: char) -> bool {
    // The first one is U+0300; from kana to the letters of Yi there is none.
    c >= '\u{300}' && !matches!(c, '\u{309b}'..='\u{a66e}') && among(forms::MARK, c)
}

/// Whether `c` is a number of any kind (N): a digit, a fraction, a Roman numeral.
///
/// ```
/// # use token_engine::internals::unicode::is_numeric;
/// assert!(is_numeric('7') && is_numeric('½') && is_numeric('٣') && !is_numeric('x'));
/// ```
pub fn is_numeric(c: char) -> bool {
    among(forms::NUMERIC, c)
}

/// The script of `c` as a number; 0 for characters newer than the tables, which go with any script. Kana and Han are one.
pub(crate) fn script(c: char) -> u8 {
    find(scripts::SCRIPT, c, |&(first, last, _)| (first, last)).map_or(0, |&(_, _, script)| script)
}

/// Canonical combining class; 0 for everything that is not reordered.
pub fn combining_class(c: char) -> u8 {
    find(tables::COMBINING, c, |&(first, last, _)| (first, last)).map_or(0, |&(_, _, class)| class)
}

/// The characters of the lower case of `c`: one, or two for `İ`.
///
/// ```
/// # use token_engine::internals::unicode::lower;
/// assert_eq!(lower('Σ').collect::<String>(), "σ");
/// assert_eq!(lower('İ').collect::<String>(), "i\u{307}");
/// ```
pub fn lower(c: char) -> impl Iterator<Item = char> + Clone {
    // Of characters of Chinese and Japanese, and up to the letters of Yi, none has another.
    if matches!(c, '\u{2e80}'..='\u{a63f}') {
        return [c].into_iter().chain(None);
    }
    let small = match find(tables::LOWER, c, |&(first, last, ..)| (first, last)) {
        Some(&(first, _, step, delta)) if (c as u32 - first).is_multiple_of(step) => {
            char::from_u32((c as u32).wrapping_add_signed(delta)).unwrap_or(c)
        }
        _ if c == 'İ' => 'i',
        _ => c,
    };
    [small].into_iter().chain((c == 'İ').then_some('\u{307}'))
}

/// The full canonical decomposition of `c`; `c` alone where it has none.
///
/// ```
/// # use token_engine::internals::unicode::decompose;
/// assert_eq!(decompose('ǖ').collect::<String>(), "u\u{308}\u{304}");
/// assert_eq!(decompose('각').collect::<String>(), "\u{1100}\u{1161}\u{11a8}");
/// ```
pub fn decompose(c: char) -> impl Iterator<Item = char> + Clone {
    let at = tables::DECOMPOSITION.binary_search_by_key(&(c as u32), |entry| entry.0);
    let parts = match at {
        Ok(at) => tables::DECOMPOSITION[at].1,
        Err(_) => hangul(c as u32).unwrap_or([c as u32, 0, 0, 0]),
    };
    // U+0000 decomposes to itself, so the first one is taken whatever it is.
    (0..4).take_while(move |&at| at == 0 || parts[at] != 0).filter_map(move |at| char::from_u32(parts[at]))
}

/// The full compatibility decomposition of `c`: the canonical one where it has no other.
pub(crate) fn decompose_compatibly(c: char) -> impl Iterator<Item = char> + Clone {
    let at = forms::COMPATIBILITY.binary_search_by_key(&(c as u32), |entry| entry.0);
    let parts = at.map_or(&[][..], |at| forms::COMPATIBILITY[at].1);
    let canonical = parts.is_empty().then(|| decompose(c)).into_iter().flatten();
    parts.iter().filter_map(|&part| char::from_u32(part)).chain(canonical)
}

/// The character that canonical composition makes of two, if any.
pub(crate) fn compose(first: char, second: char) -> Option<char> {
    let (a, b) = (first as u32, second as u32);
    let at = |start: u32, count: u32, c: u32| c.checked_sub(start).filter(|index| *index < count);
    if let (Some(lead), Some(vowel)) = (at(0x1100, 19, a), at(0x1161, 21, b)) {
        return char::from_u32(0xac00 + (lead * 21 + vowel) * 28);
    }
    if let (Some(syllable), Some(tail)) = (at(0xac00, 11172, a), at(0x11a8, 27, b))
        && syllable % 28 == 0
    {
        return char::from_u32(a + tail + 1);
    }
    let found = forms::COMPOSITION.binary_search_by_key(&(a, b), |&(first, second, _)| (first, second)).ok()?;
    char::from_u32(forms::COMPOSITION[found].2)
}

/// Calls `visit` with every character that is decomposed, composed or reordered by a normalization form, some of them more
/// than once; letters of Hangul among them, its syllables not.
pub(crate) fn for_each_in_forms(mut visit: impl FnMut(char)) {
    let runs = tables::COMBINING.iter().flat_map(|&(first, last, _)| first..=last);
    let decomposed = tables::DECOMPOSITION.iter().map(|&(c, _)| c).chain(forms::COMPATIBILITY.iter().map(|&(c, _)| c));
    let composed = forms::COMPOSITION.iter().flat_map(|&(first, second, both)| [first, second, both]);
    let hangul = (0x1100..=0x1112).chain(0x1161..=0x1175).chain(0x11a8..=0x11c2);
    runs.chain(decomposed).chain(composed).chain(hangul).filter_map(char::from_u32).for_each(&mut visit);
}

/// Whether canonical composition may put `c` together with what is before it.
pub(crate) fn composes_with_what_is_before(c: char) -> bool {
    static SECOND: LazyLock<FxHashSet<u32>> =
        LazyLock::new(|| forms::COMPOSITION.iter().map(|&(_, second, _)| second).collect());
    matches!(c, '\u{1161}'..='\u{1175}' | '\u{11a8}'..='\u{11c2}') || SECOND.contains(&(c as u32))
}

/// Decomposition of a Hangul syllable by arithmetic: Unicode Standard, section 3.12.
fn hangul(c: u32) -> Option<[u32; 4]> {
    let index = c.checked_sub(0xac00).filter(|index| *index < 11172)?;
    let tail = index % 28;
    Some([0x1100 + index / 588, 0x1161 + index % 588 / 28, if tail == 0 { 0 } else { 0x11a7 + tail }, 0])
}

/// Calls `visit` with the first and last code point of every run that has a property of this module.
/// All other characters are letters in BERT's eyes and stay as they are.
pub(crate) fn for_each_run(mut visit: impl FnMut(u32, u32)) {
    let sets = [
        tables::CONTROL,
        tables::SPACE,
        tables::PUNCTUATION,
        tables::IDEOGRAPH,
        tables::NONSPACING,
        &[(0xac00, 0xd7a3)],
    ];
    sets.into_iter().flatten().for_each(|&(first, last)| visit(first, last));
    tables::COMBINING.iter().for_each(|&(first, last, _)| visit(first, last));
    tables::LOWER.iter().for_each(|&(first, last, ..)| visit(first, last));
    tables::DECOMPOSITION.iter().for_each(|&(c, _)| visit(c, c));
    visit('İ' as u32, 'İ' as u32);
}

fn among(set: &[(u32, u32)], c: char) -> bool {
    find(set, c, |&run| run).is_some()
}

/// The run that `c` is in; runs are sorted and do not overlap.
fn find<T>(runs: &[T], c: char, bounds: impl Fn(&T) -> (u32, u32)) -> Option<&T> {
    let after = runs.partition_point(|run| bounds(run).0 <= c as u32);
    runs[..after].last().filter(|run| c as u32 <= bounds(run).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_versions_it_follows() {
        // U+08D4 came with Unicode 9: reordered, but of no category.
        assert_eq!((combining_class('\u{8d4}'), is_nonspacing('\u{8d4}')), (230, false));
        // U+11938 came with Unicode 13: no decomposition.
        assert_eq!(decompose('\u{11938}').collect::<String>(), "\u{11938}");
        // U+1C89 came with Unicode 16 and has a lower case.
        assert_eq!(lower('\u{1c89}').collect::<String>(), "\u{1c8a}");
    }

    #[test]
    fn classes_of_ascii() {
        let of = |holds: fn(char) -> bool| ('\0'..='\x7f').filter(|&c| holds(c)).collect::<String>();
        assert_eq!(of(is_space), "\t\n\u{b}\u{c}\r ");
        assert_eq!(of(is_punctuation), ('\0'..='\x7f').filter(char::is_ascii_punctuation).collect::<String>());
        assert_eq!(of(is_control).chars().count(), 30);
        assert_eq!(of(|c| lower(c).next() != Some(c)), "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    }

    #[test]
    fn lower_case_agrees_with_the_standard_library_where_both_know_the_character() {
        for c in ('\0'..='\u{24f}').chain('\u{370}'..='\u{52f}') {
            assert_eq!(lower(c).collect::<String>(), c.to_lowercase().collect::<String>(), "U+{:04X}", c as u32);
        }
    }

    #[test]
    fn example_of_script() {
        use crate::unicode::script;
        assert_eq!(script('あ'), script('語'));
        assert_ne!(script('a'), script('ж'));
    }

    #[test]
    fn example_of_decompose_compatibly() {
        use crate::unicode::decompose_compatibly;
        assert_eq!(decompose_compatibly('ﬁ').collect::<String>(), "fi");
        assert_eq!(decompose_compatibly('é').collect::<String>(), "e\u{301}");
    }

    #[test]
    fn example_of_compose() {
        use crate::unicode::compose;
        assert_eq!(compose('e', '\u{301}'), Some('é'));
        assert_eq!(compose('가', '\u{11a8}'), Some('각'));
        assert_eq!(compose('e', 'e'), None);
    }
}
