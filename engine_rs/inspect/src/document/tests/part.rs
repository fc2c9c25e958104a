//! Parts of texts against the whole: any excerpt has the tokens of the whole text.

use super::{boundary, byte_level, text, tokenizers};
use crate::document::divergence::Divergences;
use crate::document::{Document, Excerpt, Packed, Part};
use token_engine::internals::testing::Random;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::{EncodeError, EncodeOptions, Specials, Tokenizer};

/// Id, flags but for how the place is written, and the place in bytes and in units, by token with a place in `range`.
fn tokens(packed: &Packed, moved: [u32; 4], range: std::ops::Range<u32>) -> Vec<(u32, u8, [u32; 4])> {
    let own = packed.ids.iter().zip(&packed.flags).zip(packed.places());
    own.filter(|((_, flags), _)| **flags & token_engine::flags::TEMPLATE == 0)
        .map(|((&id, &flags), place)| (id, flags & 31, std::array::from_fn(|n| place[n] + moved[n])))
        .filter(|(_, _, place)| range.contains(&place[0]))
        .collect()
}

/// Start, end, kind and counts of the divergences that start in `range`.
fn differences(
    found: &Divergences,
    tokenizers: usize,
    moved: [u32; 2],
    range: std::ops::Range<u32>,
) -> Vec<[Vec<u32>; 4]> {
    (0..found.kind.len())
        .map(|n| {
            [
                vec![found.start_utf8[n] + moved[0], found.end_utf8[n] + moved[0]],
                vec![found.start_utf16[n] + moved[1], found.end_utf16[n] + moved[1]],
                vec![found.kind[n].into()],
                found.counts[n * tokenizers..(n + 1) * tokenizers].to_vec(),
            ]
        })
        .filter(|found| range.contains(&found[0][0]))
        .collect()
}

/// Compares a part with the whole; returns the bytes that it covers.
fn check(tokenizers: &[&Tokenizer], whole: &Document, excerpt: std::ops::Range<usize>, ignore: Option<bool>) -> usize {
    let (text, count) = (whole.text(), tokenizers.len());
    let excerpt_alone =
        Excerpt { text: &text[excerpt.clone()], starts: excerpt.start == 0, ends: excerpt.end == text.len() };
    let Some(part) = Part::new(tokenizers, excerpt_alone, whole.options, ignore).expect("the whole was encoded") else {
        return 0;
    };
    let what = format!("{excerpt:?} of {text:?}, covered {:?}, {ignore:?}", part.covered);
    let base = excerpt.start as u32;
    let unit = whole.unit_of_byte(excerpt.start).expect("a boundary");
    let covered = base + part.covered.start as u32..base + part.covered.end as u32;
    // What is known up to the end of the text holds tokens without width there as well.
    let range = covered.start..covered.end + u32::from(covered.end as usize == text.len());
    assert_eq!(whole.unit_of_byte(covered.start as usize), Some(unit + part.covered_units.start), "{what}");
    assert_eq!(whole.unit_of_byte(covered.end as usize), Some(unit + part.covered_units.end), "{what}");
    let moved = [base, base, unit as u32, unit as u32];
    for (n, packed) in part.packed.iter().enumerate() {
        let all = whole.packed(n, None);
        let (packed_there, there) = (tokens(packed, moved, 0..u32::MAX), tokens(&all, [0; 4], range.clone()));
        assert_eq!(packed_there, there, "tokenizer {n} of {count}, {what}");
        let encoded = &whole.encoded()[n];
        let leading = if covered.start == 0 { encoded.leading() } else { &[] };
        assert_eq!(&packed.ids[..leading.len()], leading, "{what}");
        let trailing = if covered.end as usize == text.len() { encoded.trailing().len() } else { 0 };
        assert_eq!(packed.ids.len(), leading.len() + packed_there.len() + trailing, "{what}");
    }
    assert_eq!(part.divergences.is_some(), ignore.is_some());
    if let Some((found, ignore)) = part.divergences.zip(ignore) {
        let all = whole.divergences(0..text.len(), ignore).expect("nobody cancels");
        let there = differences(&all, count, [0; 2], covered);
        assert_eq!(differences(&found, count, [base, unit as u32], 0..u32::MAX), there, "{what}");
    }
    part.covered.len()
}

#[test]
fn parts_are_those_of_the_whole() {
    let tokenizers = tokenizers();
    let mut random = Random::new(23);
    let (mut alone, mut together) = (0, 0);
    for specials in [Specials::Text, Specials::Parse] {
        let options = EncodeOptions { specials, ..EncodeOptions::default() };
        for _ in 0..200 {
            let text = text(&mut random, 40);
            let start = if random.below(4) == 0 { 0 } else { boundary(&mut random, &text, 0) };
            let end = if random.below(4) == 0 { text.len() } else { boundary(&mut random, &text, start).max(start) };
            for tokenizer in &tokenizers {
                let whole = Document::new(&[tokenizer], text.clone(), options).expect("fits");
                alone += check(&[tokenizer], &whole, start..end, None);
            }
            let some: Vec<&Tokenizer> = (0..2 + random.below(3)).map(|_| random.pick(&tokenizers)).collect();
            let whole = Document::new(&some, text.clone(), options).expect("fits");
            for ignore in [Some(true), Some(false), None] {
                together += check(&some, &whole, start..end, ignore);
            }
        }
    }
    assert!(alone > 50_000 && together > 5_000, "{alone} and {together} bytes were covered");
}

#[test]
fn a_spelling_that_may_reach_out_of_the_excerpt_is_not_split() {
    let tokenizer = byte_level(Pattern::R50k);
    let options = EncodeOptions { specials: Specials::Parse, ..EncodeOptions::default() };
    let covered = |text| {
        let part = Part::new(&[&tokenizer], Excerpt { text, starts: false, ends: false }, options, None);
        part.expect("fits").map(|part| part.covered)
    };
    // "<|end|>" has seven bytes: a split point nearer than that to an end could stand inside of one.
    assert_eq!(covered("x a b c d e f g h i x"), Some(7..13));
    assert_eq!(covered("a b c d e"), None);
}

#[test]
fn a_text_that_may_be_refused_elsewhere_has_no_part() {
    let tokenizer = byte_level(Pattern::R50k);
    let options = EncodeOptions { specials: Specials::Reject, ..EncodeOptions::default() };
    let part = |options| Part::new(&[&tokenizer], Excerpt { text: "the ab", starts: true, ends: true }, options, None);
    assert!(matches!(part(options), Ok::<_, EncodeError>(None)));
    assert!(matches!(part(EncodeOptions::default()), Ok(Some(_))));
}

#[test]
fn a_snapshot_is_its_parts() {
    let all = tokenizers();
    let some: Vec<&Tokenizer> = all.iter().take(4).collect();
    let document = Document::new(&some, text(&mut Random::new(5), 300), EncodeOptions::default()).expect("fits");
    let (packed, found) = document.snapshot(Some(true)).expect("nobody cancels");
    assert_eq!(packed, (0..4).map(|encoded| document.packed(encoded, None)).collect::<Vec<_>>());
    assert_eq!(found, document.divergences(0..document.text().len(), true).ok());
    assert_eq!(document.snapshot(None).expect("nobody cancels").1, None);
}
