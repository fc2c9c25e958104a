//! Parts of texts against the whole: whatever is taken out, what is told of it is what the whole has there.

use super::{boundary, byte_level, text, tokenizers};
use crate::added_tokens::Specials;
use crate::divergence::Divergences;
use crate::editing::{Document, Excerpt, Packed, Part};
use crate::error::EncodeError;
use crate::pretokenizers::scanners::Pattern;
use crate::testing::Random;
use crate::tokenizer::{EncodeOptions, Tokenizer};

/// Id, flags but for how the place is written, and the place in bytes and in units, by token with a place in `range`.
fn tokens(packed: &Packed, moved: [u32; 4], range: std::ops::Range<u32>) -> Vec<(u32, u8, [u32; 4])> {
    let own = packed.ids.iter().zip(&packed.flags).zip(packed.places());
    own.filter(|((_, flags), _)| **flags & crate::encoding::flags::TEMPLATE == 0)
        .map(|((&id, &flags), place)| (id, flags & 31, std::array::from_fn(|n| place[n] + moved[n])))
        .filter(|(_, _, place)| range.contains(&place[0]))
        .collect()
}

/// Start, end, kind and counts of the divergences that start in `range`.
fn differences(found: &Divergences, lanes: usize, moved: [u32; 2], range: std::ops::Range<u32>) -> Vec<[Vec<u32>; 4]> {
    (0..found.kind.len())
        .map(|n| {
            [
                vec![found.start_utf8[n] + moved[0], found.end_utf8[n] + moved[0]],
                vec![found.start_utf16[n] + moved[1], found.end_utf16[n] + moved[1]],
                vec![found.kind[n].into()],
                found.counts[n * lanes..(n + 1) * lanes].to_vec(),
            ]
        })
        .filter(|found| range.contains(&found[0][0]))
        .collect()
}

/// Compares a part with the whole; returns the bytes that are told of.
fn check(tokenizers: &[&Tokenizer], whole: &Document, excerpt: std::ops::Range<usize>, ignore: Option<bool>) -> usize {
    let (text, lanes) = (whole.text(), tokenizers.len());
    let excerpt_alone =
        Excerpt { text: &text[excerpt.clone()], starts: excerpt.start == 0, ends: excerpt.end == text.len() };
    let Some(part) = Part::new(tokenizers, excerpt_alone, whole.options, ignore).expect("the whole was encoded") else {
        return 0;
    };
    let what = format!("{excerpt:?} of {text:?}, known {:?}, {ignore:?}", part.known);
    let base = excerpt.start as u32;
    let unit = whole.unit_of_byte(excerpt.start).expect("a boundary");
    let known = base + part.known.start as u32..base + part.known.end as u32;
    // What is known up to the end of the text holds tokens without width there as well.
    let range = known.start..known.end + u32::from(known.end as usize == text.len());
    assert_eq!(whole.unit_of_byte(known.start as usize), Some(unit + part.known_units.start), "{what}");
    assert_eq!(whole.unit_of_byte(known.end as usize), Some(unit + part.known_units.end), "{what}");
    let moved = [base, base, unit as u32, unit as u32];
    for (n, packed) in part.lanes.iter().enumerate() {
        let all = whole.packed(n, None);
        let (told, there) = (tokens(packed, moved, 0..u32::MAX), tokens(&all, [0; 4], range.clone()));
        assert_eq!(told, there, "tokenizer {n} of {lanes}, {what}");
        let lane = &whole.lanes()[n];
        let leading = if known.start == 0 { lane.leading() } else { &[] };
        assert_eq!(&packed.ids[..leading.len()], leading, "{what}");
        let trailing = if known.end as usize == text.len() { lane.trailing().len() } else { 0 };
        assert_eq!(packed.ids.len(), leading.len() + told.len() + trailing, "{what}");
    }
    assert_eq!(part.divergences.is_some(), ignore.is_some());
    if let Some((found, ignore)) = part.divergences.zip(ignore) {
        let all = whole.divergences(0..text.len(), ignore);
        let there = differences(&all, lanes, [0; 2], known);
        assert_eq!(differences(&found, lanes, [base, unit as u32], 0..u32::MAX), there, "{what}");
    }
    part.known.len()
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
    assert!(alone > 50_000 && together > 5_000, "{alone} and {together} bytes were told of");
}

#[test]
fn a_spelling_that_may_reach_out_of_the_excerpt_is_not_split() {
    let tokenizer = byte_level(Pattern::R50k);
    let options = EncodeOptions { specials: Specials::Parse, ..EncodeOptions::default() };
    let known = |text| {
        let part = Part::new(&[&tokenizer], Excerpt { text, starts: false, ends: false }, options, None);
        part.expect("fits").map(|part| part.known)
    };
    // "<|end|>" has seven bytes: a split point nearer than that to an end could stand inside of one.
    assert_eq!(known("x a b c d e f g h i x"), Some(7..13));
    assert_eq!(known("a b c d e"), None);
}

#[test]
fn what_may_be_refused_elsewhere_is_not_told() {
    let tokenizer = byte_level(Pattern::R50k);
    let options = EncodeOptions { specials: Specials::Reject, ..EncodeOptions::default() };
    let part = |options| Part::new(&[&tokenizer], Excerpt { text: "the ab", starts: true, ends: true }, options, None);
    assert!(matches!(part(options), Ok::<_, EncodeError>(None)));
    assert!(matches!(part(EncodeOptions::default()), Ok(Some(_))));
}

#[test]
fn all_that_is_told_of_a_text_is_what_its_parts_are() {
    let all = tokenizers();
    let some: Vec<&Tokenizer> = all.iter().take(4).collect();
    let document = Document::new(&some, text(&mut Random::new(5), 300), EncodeOptions::default()).expect("fits");
    let (packed, found) = document.told(Some(true));
    assert_eq!(packed, (0..4).map(|lane| document.packed(lane, None)).collect::<Vec<_>>());
    assert_eq!(found, Some(document.divergences(0..document.text().len(), true)));
    assert_eq!(document.told(None).1, None);
}
