use std::convert::Infallible;

use super::*;
use crate::testing::Random;

/// The definition of [`Behavior`]: all stretches at once, joined one after the other, for the next one from the end.
fn parts(len: usize, matches: &[Range<usize>], inverted: bool, behavior: Behavior) -> Vec<Range<usize>> {
    let mut stretches: Vec<(Range<usize>, bool)> = vec![];
    let mut at = 0;
    for found in matches {
        if at < found.start {
            stretches.push((at..found.start, inverted));
        }
        stretches.push((found.clone(), !inverted));
        at = found.end;
    }
    if at < len {
        stretches.push((at..len, inverted));
    }
    if behavior == Behavior::Removed {
        stretches.retain(|(_, is_match)| !is_match);
    }
    if behavior == Behavior::MergedWithNext {
        stretches.reverse();
    }
    let mut parts: Vec<Range<usize>> = vec![];
    let mut previous = false;
    for (range, is_match) in stretches {
        let joins = match behavior {
            Behavior::Removed | Behavior::Isolated => false,
            Behavior::Contiguous => is_match == previous,
            Behavior::MergedWithPrevious | Behavior::MergedWithNext => is_match && !previous,
        };
        previous = is_match;
        match parts.last_mut() {
            Some(last) if joins => *last = last.start.min(range.start)..last.end.max(range.end),
            _ => parts.push(range),
        }
    }
    if behavior == Behavior::MergedWithNext {
        parts.reverse();
    }
    parts
}

#[test]
fn parts_one_after_the_other_are_those_of_the_definition() {
    let mut random = Random::new(3);
    let behaviors = [
        Behavior::Removed,
        Behavior::Isolated,
        Behavior::Contiguous,
        Behavior::MergedWithPrevious,
        Behavior::MergedWithNext,
    ];
    for _ in 0..3000 {
        let len = random.below(12);
        let mut ends: Vec<usize> = (0..2 * random.below(5)).map(|_| random.below(len + 1)).collect();
        ends.sort_unstable();
        let matches: Vec<Range<usize>> = ends.chunks_exact(2).map(|two| two[0]..two[1]).collect();
        for (behavior, inverted) in behaviors.into_iter().flat_map(|one| [(one, false), (one, true)]) {
            let mut found = vec![];
            let given = matches.iter().cloned().map(Ok::<_, Infallible>);
            for_each_part(len, given, inverted, behavior, |part| {
                found.push(part);
                Ok(())
            })
            .expect("infallible");
            let expected = parts(len, &matches, inverted, behavior);
            assert_eq!(found, expected, "{matches:?} of {len} bytes, {behavior:?}, inverted: {inverted}");
        }
    }
}

#[test]
fn a_list_of_spans_changes_nothing() {
    let mut random = Random::new(4);
    for _ in 0..2000 {
        let text: String = (0..1 + random.below(8)).map(|_| *random.pick(&['a', 'B', 'é', '語', '😀'])).collect();
        let base = random.below(3);
        let without = AlignedText::new(&text, base);
        let mut spans = Spans::default();
        without.push_spans(0..text.len(), &mut spans);
        let with = AlignedText { places: Places::ByByte(spans), ..without.clone() };
        let boundaries: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        let mut ends = [*random.pick(&boundaries), *random.pick(&boundaries)];
        ends.sort_unstable();
        let range = ends[0]..ends[1];
        let changes: [&dyn Fn(&mut AlignedText); 8] = [
            &|it| *it = it.slice(range.clone()),
            &|it| it.replace(std::slice::from_ref(&range), "xyz"),
            &|it| it.prepend("é"),
            &|it| it.map_bytes(|byte| char::from(b'a' + byte % 26)),
            &|it| it.make_ascii_lowercase(),
            &|it| it.filter(|c| c != 'é'),
            &|it| it.expand(|c| [c, 'z'].into_iter()),
            &|it| it.rewrite_parts([(range.clone(), vec![Change::Insert('q'), Change::Drop])]),
        ];
        for (number, change) in changes.iter().enumerate() {
            let (mut one, mut other) = (without.clone(), with.clone());
            change(&mut one);
            change(&mut other);
            assert_eq!(one, other, "{text:?}, {range:?}, change {number}");
            assert_eq!(one.spans().count(), one.text().len());
        }
    }
}

fn characters(aligned: &AlignedText) -> Vec<(char, Range<usize>)> {
    let spans = aligned.text.char_indices().map(|(at, c)| (c, aligned.span(at..at + c.len_utf8()).range()));
    spans.collect()
}

#[test]
fn follows_what_is_put_in_and_taken_away() {
    let mut aligned = AlignedText::new("aé語b", 10);
    aligned.filter(|c| c != 'a');
    assert_eq!(characters(&aligned), [('é', 11..13), ('語', 13..16), ('b', 16..17)]);
    aligned.expand(|c| [' ', c].into_iter().filter(|c| c.is_ascii()));
    assert_eq!(characters(&aligned), [(' ', 11..13), (' ', 13..16), (' ', 16..17), ('b', 16..17)]);
    aligned.filter(|_| false);
    assert_eq!((aligned.text(), characters(&aligned)), ("", vec![]));
}

#[test]
fn bytes_of_characters_that_came_of_one_have_its_span() {
    // A Hangul syllable and its two letters take three bytes each.
    let mut aligned = AlignedText::new("가나", 0);
    aligned.expand(|c| if c == '가' { "\u{1100}\u{1161}".chars() } else { "나".chars() });
    aligned.map_bytes(|byte| char::from(b'a' + byte % 26));
    assert_eq!((aligned.span(2..4).range(), aligned.span(5..7).range()), (0..3, 0..4));
}

#[test]
fn what_is_put_in_first_has_an_empty_span() {
    let mut aligned = AlignedText::new("x", 4);
    aligned.rewrite([Change::Insert('▁'), Change::Become('y')]);
    assert_eq!(characters(&aligned), [('▁', 4..4), ('y', 4..5)]);
}

#[test]
fn every_byte_of_the_untouched_text_has_the_span_of_its_character() {
    let text = "a\u{300}ß語😀";
    let mut aligned = AlignedText::new(text, 0);
    aligned.expand(std::iter::once);
    assert_eq!(aligned, AlignedText::new(text, 0));
    for (at, c) in text.char_indices() {
        assert_eq!(aligned.span(at..at + c.len_utf8()).range(), at..at + c.len_utf8());
    }
}

#[test]
fn example_of_part_split() {
    use crate::alignment::{AlignedText, Behavior};
    use std::convert::Infallible;
    let parts = |behavior| {
        let mut parts = vec![];
        let text = AlignedText::new("the-final--countdown", 0);
        let matches = [3..4, 9..10, 10..11].map(Ok::<_, Infallible>);
        text.whole()
            .split(matches, behavior, |part| {
                parts.push(part.text().to_owned());
                Ok(())
            })
            .unwrap();
        parts.join("|")
    };
    assert_eq!(parts(Behavior::Removed), "the|final|countdown");
    assert_eq!(parts(Behavior::Isolated), "the|-|final|-|-|countdown");
    assert_eq!(parts(Behavior::MergedWithPrevious), "the-|final-|-|countdown");
    assert_eq!(parts(Behavior::MergedWithNext), "the|-final|-|-countdown");
    assert_eq!(parts(Behavior::Contiguous), "the|-|final|--|countdown");
}

#[test]
fn example_of_part_split_inverted() {
    use crate::alignment::{AlignedText, Behavior};
    use std::convert::Infallible;
    let (text, mut words) = (AlignedText::new("a  b", 0), vec![]);
    let matches = [0..1, 3..4].map(Ok::<_, Infallible>);
    text.whole()
        .split_inverted(matches, Behavior::Removed, |part| {
            words.push(part.text());
            Ok(())
        })
        .unwrap();
    assert_eq!(words, ["a", "b"]);
}

#[test]
fn example_of_aligned_ignore_lost_start() {
    use crate::alignment::AlignedText;
    let mut aligned = AlignedText::new("-a", 0);
    let before = aligned.span(0..1);
    aligned.filter(|c| c != '-');
    assert_eq!(aligned.slice(0..1).origin(), 1);
    aligned.ignore_lost_start(before);
    assert_eq!((aligned.slice(0..1).origin(), aligned.span(0..1).range()), (0, 1..2));
}

#[test]
fn example_of_aligned_span() {
    use crate::alignment::{AlignedText, Change};
    let mut aligned = AlignedText::new("é!", 0);
    aligned.rewrite(vec![Change::Become('e'), Change::Insert('\u{301}'), Change::Become('!')]);
    assert_eq!(aligned.text(), "e\u{301}!");
    assert_eq!(aligned.span(1..4).range(), 0..3); // the accent and the exclamation mark
}

#[test]
fn example_of_aligned_replace_all() {
    use crate::alignment::AlignedText;
    let mut aligned = AlignedText::new("a  b", 0);
    aligned.replace_all("a b".into(), vec![0, 1, 3, 4]);
    assert_eq!((aligned.text(), aligned.span(1..2).range()), ("a b", 1..3));
}

#[test]
fn example_of_aligned_replace() {
    use crate::alignment::AlignedText;
    let mut aligned = AlignedText::new("a--b", 0);
    aligned.replace(std::slice::from_ref(&(1..3)), "+");
    assert_eq!((aligned.text(), aligned.span(1..2).range()), ("a+b", 2..3));
}

#[test]
fn example_of_aligned_rewrite_parts() {
    use crate::alignment::{AlignedText, Change};
    let mut aligned = AlignedText::new("a-b-c", 0);
    aligned.rewrite_parts([(1..2, vec![Change::Drop]), (4..5, vec![Change::Become('x'), Change::Insert('y')])]);
    assert_eq!(aligned.text(), "ab-xy");
    assert_eq!((aligned.span(1..2).range(), aligned.span(4..5).range()), (2..3, 4..5));
}

#[test]
fn example_of_aligned_prepend() {
    use crate::alignment::AlignedText;
    let mut aligned = AlignedText::new("Hi", 0);
    aligned.prepend("▁");
    assert_eq!((aligned.text(), aligned.span(0..3).range()), ("▁Hi", 0..1));
}
