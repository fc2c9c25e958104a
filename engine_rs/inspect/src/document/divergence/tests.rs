//! The walk along the marks against the definition in words.

use std::collections::BTreeSet;

use super::kinds::{KINDS, kind_of};
use super::*;
use token_engine::internals::testing::Random;

const PIECES: [&str; 14] =
    ["a", "Bc", " ", "  ", "\n", "\u{3000}", "語", "é", "👩🏽", "42", "'s", "\u{85}", "س", "ſ\u{301}"];

fn random_text(random: &mut Random) -> String {
    (0..random.below(30)).map(|_| *random.pick(&PIECES)).collect()
}

/// Tokens in order, which may leave bytes out and start or end inside a character; some overlap by a character.
fn random_spans(random: &mut Random, text: &str) -> Vec<Span> {
    let (mut spans, mut at) = (vec![], 0);
    while at < text.len() {
        let last = spans.last().map_or(0, |span: &Span| span.end as usize);
        let end = (at + 1 + random.below(4)).min(text.len()).max(last);
        spans.push(Span::new(at, end));
        at = match random.below(8) {
            0 => end + random.below(3),
            1 => boundary_before(text, end.saturating_sub(1)).max(at),
            _ => end,
        };
        if spans.len() > 200 {
            break;
        }
    }
    spans
}

/// The boundaries of a tokenizer in `part`, as a set.
fn boundaries(comparison: &Comparison<'_>, tokenizer: usize, part: &Range<usize>) -> BTreeSet<usize> {
    let text = &comparison.text[part.clone()];
    let in_part = comparison.spans[tokenizer].iter().filter(|span| span.end as usize > part.start);
    let in_part = in_part.filter(|span| (span.start as usize) < part.end);
    let ends = in_part.flat_map(|span| [span.start as usize, span.end as usize]);
    let places = ends.map(|at| at.clamp(part.start, part.end) - part.start).chain([0, text.len()]);
    let space: Vec<Range<usize>> =
        text.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, c)| at..at + c.len_utf8()).collect();
    let moved = places.map(|mut at| {
        while let Some(before) = space.iter().find(|one| comparison.ignore_spaces && one.start < at && at <= one.end) {
            at = before.start;
        }
        at + part.start
    });
    moved.collect()
}

/// All but the marks, from sets.
fn naive(comparison: &Comparison<'_>, part: Range<usize>) -> Divergences {
    let (text, tokenizers) = (comparison.text, comparison.spans.len());
    let sets: Vec<_> = (0..tokenizers).map(|tokenizer| boundaries(comparison, tokenizer, &part)).collect();
    let shared: Vec<usize> = (part.start..=part.end).filter(|at| sets.iter().all(|set| set.contains(at))).collect();
    let mut found = Divergences::default();
    for pair in shared.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        if !sets.iter().any(|set| set.range(start + 1..end).next().is_some()) {
            continue;
        }
        let (first, last) = (boundary_before(text, start), boundary_behind(text, end));
        found.start_utf8.push(start as u32);
        found.end_utf8.push(end as u32);
        found.start_utf16.push(text[..first].encode_utf16().count() as u32);
        found.end_utf16.push(text[..last].encode_utf16().count() as u32);
        found.kind.push(kind_of(&text[first..last]));
        for spans in comparison.spans {
            let touches = |span: &&Span| (span.start as usize) < end && span.end as usize > start;
            found.counts.push(spans.iter().filter(touches).count() as u32);
        }
    }
    let inner = |set: &BTreeSet<usize>| -> BTreeSet<usize> {
        set.iter().copied().filter(|&at| at > part.start && at < part.end).collect()
    };
    for (a, b) in sets.iter().flat_map(|a| sets.iter().map(move |b| (inner(a), inner(b)))) {
        found.shared.push(a.intersection(&b).count() as u64);
        found.either.push(a.union(&b).count() as u64);
    }
    found
}

#[test]
fn walks_find_what_the_definition_says() {
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let text = random_text(&mut random);
        let spans: Vec<_> = (0..1 + random.below(MAX_TOKENIZERS)).map(|_| random_spans(&mut random, &text)).collect();
        let views: Vec<&[Span]> = spans.iter().map(Vec::as_slice).collect();
        let comparison = Comparison { text: &text, spans: &views, ignore_spaces: seed % 2 == 0 };
        let places: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        let (a, b) = (*random.pick(&places), *random.pick(&places));
        for part in [0..text.len(), a.min(b)..a.max(b)] {
            let found = comparison.divergences(part.clone()).expect("nobody cancels");
            let sets: Vec<_> = (0..views.len()).map(|tokenizer| boundaries(&comparison, tokenizer, &part)).collect();
            for (at, mark) in found.marks.iter().enumerate() {
                let has: u8 = (0..views.len()).map(|n| u8::from(sets[n].contains(&(at + part.start))) << n).sum();
                assert_eq!(*mark, has, "seed {seed}, {text:?} {part:?}, byte {at}");
            }
            let found = Divergences { marks: vec![], ..found };
            assert_eq!(found, naive(&comparison, part.clone()), "seed {seed}, {text:?} {part:?} {views:?}");
        }
    }
}

#[test]
fn kinds_of_known_stretches() {
    for (text, expected) in [
        ("", "spaces"),
        ("x2", "numbers"),
        ("𝟘", "numbers"),
        ("½", "numbers"),
        (" 日", "non-Latin"),
        ("\u{94d}", "non-Latin"),
        ("\u{64b}", "non-Latin"),
        ("👩‍🔬", "non-Latin"),
        ("\u{200d}", "non-Latin"),
        ("\u{e0067}\u{e0062}\u{e007f}", "non-Latin"),
        ("\u{200b}", "spaces"),
        ("\u{e000}", "non-Latin"),
        ("'t", "punctuation"),
        ("€", "punctuation"),
        (" Straßenb", "capitals"),
        (" naïve", "words"),
        ("\u{301}", "words"),
        ("\u{ad}\n", "spaces"),
    ] {
        assert_eq!(KINDS[usize::from(kind_of(text))], expected, "{text:?}");
    }
}
