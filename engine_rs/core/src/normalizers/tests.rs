//! Normalizers against what the reference gave: the text, and the span of every character in code points.

use super::charsmap::TooLong;
use super::*;
use crate::matching::{Expression, Matcher};
use crate::testing::stages::{charsmap_of, charsmap_of_characters, charsmap_of_rule, charsmap_of_rules};

fn normalized(normalizer: &Normalizer, text: &str) -> (String, Vec<std::ops::Range<usize>>) {
    let mut aligned = AlignedText::new(text, 0);
    normalizer.normalize(&mut aligned).unwrap_or_else(|error| panic!("{error}"));
    let new = aligned.text().to_owned();
    let spans = new.char_indices().map(|(at, c)| aligned.span(at..at + c.len_utf8()).range()).collect();
    (new, spans)
}

fn replace(expression: Expression, content: &str) -> Normalizer {
    let matcher = Matcher::new(expression).unwrap_or_else(|error| panic!("{error}"));
    Normalizer::Replace(Replace { matcher, content: content.into() })
}

#[test]
fn texts_are_those_of_the_reference() {
    let regex = |pattern: &str| Expression::Regex(pattern.into());
    for (normalizer, text, expected) in [
        (Normalizer::Lowercase, "ΑΣ İI ẞ", "ασ i\u{307}i ß".to_owned()),
        (Normalizer::Strip { left: true, right: true }, "\u{2003}a \n", "a".to_owned()),
        (Normalizer::Strip { left: false, right: true }, " a ", " a".to_owned()),
        (Normalizer::Strip { left: true, right: true }, " \t", String::new()),
        (Normalizer::StripAccents, "e\u{301}é\u{20dd}", "eé".to_owned()),
        (replace(Expression::Text(" ".into()), "▁"), "a b ", "a▁b▁".to_owned()),
        (replace(regex(r"\s+"), ""), "a  b ", "ab".to_owned()),
        (replace(regex("x*"), "-"), "abx", "-a-b-".to_owned()),
        (Normalizer::Prepend("▁".into()), "", String::new()),
        (Normalizer::Nmt, "a\u{feff}b\u{7f}c\u{85}", "a bc\u{85}".to_owned()),
        (Normalizer::ByteLevel, "é ", "Ã©Ġ".to_owned()),
        (Normalizer::CollapseWhitespace, " a \t\u{a0}b\n", " a b ".to_owned()),
        (Normalizer::RemoveControls, "\u{feff}a\0\tb", "a\tb".to_owned()),
    ] {
        assert_eq!(normalized(&normalizer, text).0, expected, "{normalizer:?} on {text:?}");
    }
}

#[test]
fn spans_go_through_several_steps() {
    let normalizer = Normalizer::Sequence(vec![
        Normalizer::Strip { left: true, right: false },
        replace(Expression::Regex("[aä]+".into()), "xyz"),
        Normalizer::Form(Form::Nfkd),
        Normalizer::Prepend("▁".into()),
    ]);
    let (text, spans) = normalized(&normalizer, " äa\u{fb01}é");
    assert_eq!(text, "▁xyzfie\u{301}");
    assert_eq!(spans, [3..4, 3..4, 3..4, 3..4, 4..7, 4..7, 7..9, 7..9]);
}

#[test]
fn what_is_put_in_at_the_very_start_has_an_empty_span() {
    let (text, spans) = normalized(&replace(Expression::Regex(r"\A".into()), "▁"), "ab");
    assert_eq!((text.as_str(), spans), ("▁ab", vec![0..0, 0..1, 1..2]));
}

/// A charsmap with the rules `a` to `bc` and `x` to nothing.
fn charsmap() -> Vec<u8> {
    charsmap_of_characters(&[(b'a', 0), (b'x', 3)], b"bc\0\0")
}

#[test]
fn charsmaps_replace_clusters_and_characters() {
    let bytes = charsmap();
    let charsmap = Charsmap::new(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(charsmap.to_bytes(), bytes);
    let normalizer = Normalizer::Charsmap(charsmap);
    for (text, expected, spans) in [
        ("za", "zbc", vec![0..1, 1..2, 1..2]),
        // A short cluster is replaced as a whole by the rule for its beginning.
        ("a\u{301}z", "bcz", vec![0..1, 1..3, 3..4]),
        // A long one is not.
        ("a\u{301}\u{302}\u{303}", "bc\u{301}\u{302}\u{303}", vec![0..1, 0..1, 1..3, 3..5, 5..7]),
        ("zxa", "zbc", vec![0..1, 2..3, 2..3]),
        // What is dropped at the start does not move the spans of the rest.
        ("xz", "z", std::iter::once(1..2).collect()),
        ("x", "", vec![]),
    ] {
        assert_eq!(normalized(&normalizer, text), (expected.to_owned(), spans), "{text:?}");
    }
}

#[test]
fn bytes_inside_of_rules_are_found_where_rules_share_their_ends() {
    // All words of twelve letters `a` and `b`: 4096 rules, two units for each letter.
    let mut units = vec![0u32; 14 * 256];
    units[0] = 256 << 10;
    for level in 1..=12 {
        for label in *b"ab" {
            let node = (256 * level) ^ usize::from(label);
            units[node] = ((node ^ (256 * (level + 1))) as u32) << 10 | u32::from(label);
        }
    }
    let charsmap = Charsmap::new(&charsmap_of(&units, b"")).unwrap_or_else(|error| panic!("{error}"));
    assert!(charsmap.has_inside('a') && charsmap.has_inside('b'));
    assert!(!charsmap.has_inside('c') && !charsmap.reaches_over_spaces());
    assert!(charsmap.goes_on_after('a') && !charsmap.goes_on_after(' '));
}

#[test]
fn characters_inside_of_rules_are_told_from_others_with_the_same_first_byte() {
    let rules = [("か\u{3099}", "が"), ("ä日本", "x"), ("\u{1f1e9}\u{1f1ea}", "DE"), ("。", "."), ("a", "b")];
    let charsmap = Charsmap::new(&charsmap_of_rules(&rules)).expect("valid");
    let inside = ['\u{3099}', '日', '本', '\u{1f1ea}'];
    let others = ['か', '\u{309a}', 'ä', '。', '、', '\u{1f1e9}', 'a', 'b', ' '];
    assert!(inside.iter().all(|&c| charsmap.has_inside(c)));
    assert!(!others.iter().any(|&c| charsmap.has_inside(c)));
    // A rule that ends within a character may have any inside.
    for rule in ["a日".as_bytes(), "日".as_bytes()] {
        let charsmap = Charsmap::new(&charsmap_of_rule(&rule[..rule.len() - 1], "x")).expect("valid");
        assert!(charsmap.has_inside('q'), "{rule:?}");
    }
    // Bytes that are no text are in none.
    let charsmap = Charsmap::new(&charsmap_of_rule(&[b'a', 0xff, b'q'], "x")).expect("valid");
    assert!(!charsmap.has_inside('q'));
}

#[test]
fn charsmaps_are_applied_where_they_change_something() {
    let charsmap = Charsmap::new(&charsmap()).unwrap_or_else(|error| panic!("{error}"));
    let pieces = [
        "a", "x", "b", "é", "\u{301}", "\u{302}", "\u{200d}", "👩", "\u{600}", "क", "\u{94d}", "ᄀ", "ᅡ", "각", "\r",
        "\n", "🇩", " ", "語", "ส", "\u{e33}", "\u{ff9e}",
    ];
    let mut random = crate::testing::Random::new(21);
    for _ in 0..20_000 {
        let text: String = (0..random.below(9)).map(|_| *random.pick(&pieces)).collect();
        let (mut ours, mut whole) = (AlignedText::new(&text, 2), AlignedText::new(&text, 2));
        assert_eq!(charsmap.normalize(&mut ours, usize::MAX), Ok(()));
        let first = whole.spans().next();
        whole.rewrite(charsmap.changes(&text));
        first.into_iter().for_each(|first| whole.ignore_lost_start(first));
        assert_eq!(ours, whole, "{text:?}");
    }
}

#[test]
fn charsmaps_whose_rules_do_not_end_are_refused() {
    // The root's child `a` leads back to the root: a look-up would walk to the end of the text.
    let mut units = vec![0_u32; 128];
    units[0x61] = 0x61 << 10 | 0x61;
    let cyclic = Charsmap::new(&charsmap_of(&units, b"\0")).expect_err("a cycle");
    assert!(cyclic.contains("cycle"), "{cyclic}");
    let rule = |len: usize| Charsmap::new(&charsmap_of_rule(&vec![b'a'; len], "x"));
    assert!(rule(1000).is_ok());
    let long = rule(2000).expect_err("a long rule");
    assert!(long.contains("1024 bytes"), "{long}");
}

#[test]
fn charsmaps_say_how_much_longer_they_make_a_text() {
    let growth = |rules: &[(&str, &str)]| Charsmap::new(&charsmap_of_rules(rules)).expect("valid").growth();
    assert_eq!(growth(&[("a", "b")]), 1);
    assert_eq!(growth(&[("a", "bbbb"), ("ab", "cc")]), 4);
    assert_eq!(growth(&[("ab", "ccccc")]), 3, "five bytes of two");
    assert_eq!(growth(&[("a", "b c")]), 5, "a space may become a space mark");
}

#[test]
fn what_a_charsmap_makes_is_counted_before_it_is_made() {
    let charsmap = Charsmap::new(&charsmap_of_rules(&[("a", &"b".repeat(1000))])).expect("valid");
    let mut text = AlignedText::new("xaax", 0);
    assert_eq!(charsmap.normalize(&mut text, 2001), Err(TooLong));
    assert_eq!(text.text(), "xaax");
    assert_eq!(charsmap.normalize(&mut text, 2002), Ok(()));
    assert_eq!(text.text().len(), 2002);
}

#[test]
fn many_steps_that_each_make_a_little_are_refused() {
    let steps = |count: usize| Normalizer::Sequence(vec![Normalizer::Prepend("x".repeat(1000)); count]);
    let normalize = |normalizer: &Normalizer| normalizer.normalize(&mut AlignedText::new("a", 0));
    assert_eq!(normalize(&steps(300)), Ok(()));
    assert!(matches!(normalize(&steps(1000)), Err(EncodeError::NormalizedTooLong { .. })));
}

#[test]
fn one_call_makes_so_much_of_all_its_texts() {
    let _entered = call::enter(Some(std::sync::Arc::default()));
    let normalizer = replace(Expression::Text("a".into()), &"b".repeat(1 << 20));
    let results: Vec<_> = (0..10).map(|_| normalizer.normalize(&mut AlignedText::new("a", 0))).collect();
    assert!(results[..3].iter().all(Result::is_ok), "{:?}", results[0]);
    let too_much = EncodeError::NormalizedTooMuch {
        made: 1 << 20,
        bytes: 1,
        max: call::NORMALIZED_BYTES,
        used: 4 * ((1 << 20) - 32),
    };
    assert_eq!(results[9], Err(too_much));
}

#[test]
fn growth_bounds_what_a_text_becomes() {
    let replace = |from: &str, to: &str| replace(Expression::Text(from.into()), to);
    let nmt =
        || Normalizer::Charsmap(Charsmap::new(&charsmap_of_rules(&[("ﷺ", "صلى الله عليه وسلم")])).expect("valid"));
    for (normalizer, growth) in [
        (Normalizer::Form(Form::Nfkc), 11),
        (Normalizer::Sequence(vec![replace("``", "\""), Normalizer::Form(Form::Nfkd), nmt()]), 13),
        (Normalizer::Sequence(vec![nmt(), Normalizer::Lowercase, Normalizer::Form(Form::Nfkd)]), 13 * 11),
        (Normalizer::Sequence(vec![nmt(), nmt()]), 13 * 13),
        (Normalizer::Sequence(vec![Normalizer::Prepend("▁".into()), replace(" ", "▁")]), 3),
        (Normalizer::Sequence(vec![replace("a", "aaaaaaaaaa"), replace("a", "aaaaaaaaaa")]), 100),
    ] {
        assert_eq!(normalizer.growth(), growth, "{normalizer:?}");
        assert_eq!(normalizer.stays_small(), growth < 64);
    }
}

#[test]
fn broken_charsmaps_do_no_harm() {
    let bytes = charsmap();
    for len in 0..8 {
        let _ = Charsmap::new(&bytes[..len]);
    }
    let mut random = crate::testing::Random::new(9);
    for _ in 0..300 {
        let mut bytes = bytes.clone();
        for _ in 0..50 {
            let at = 4 + random.below(bytes.len() - 4);
            bytes[at] = random.next() as u8;
        }
        if let Ok(charsmap) = Charsmap::new(&bytes) {
            let mut text = AlignedText::new("xaxz a\u{301}語\0", 0);
            let _ = charsmap.normalize(&mut text, usize::MAX);
        }
    }
}

#[test]
fn a_text_is_not_multiplied_without_end() {
    let double = || replace(Expression::Text("a".into()), "aa");
    let chain = |steps: usize| Normalizer::Sequence((0..steps).map(|_| double()).collect());
    let normalized = |normalizer: &Normalizer, text: &str| {
        let mut text = AlignedText::new(text, 0);
        normalizer.normalize(&mut text).map(|()| text.text().len())
    };
    assert_eq!(normalized(&chain(16), "a"), Ok(1 << 16));
    let refused =
        EncodeError::NormalizedTooLong { normalizer: "Replace \"a\" by \"aa\"".into(), bytes: 1, max: longest(1) };
    assert_eq!(normalized(&chain(40), "a"), Err(refused.clone()));
    let message = "the normalizer Replace \"a\" by \"aa\" makes more than 1048608 bytes of 1 bytes of text";
    assert!(refused.to_string().starts_with(message), "{refused}");
    // The first step alone would make too much.
    let long = replace(Expression::Text("a".into()), &"x".repeat(1000));
    assert!(normalized(&long, &"a".repeat(100_000)).is_err());
    // What Unicode does to a text fits.
    assert_eq!(normalized(&Normalizer::Form(Form::Nfkd), &"\u{fdfa}".repeat(100_000)), Ok(3_300_000));
}

#[test]
fn example_of_normalizer_normalize() -> Result<(), crate::error::EncodeError> {
    use crate::{alignment::AlignedText, normalizers::Normalizer};
    let mut text = AlignedText::new("  Hi ", 0);
    Normalizer::Sequence(vec![Normalizer::Strip { left: true, right: false }, Normalizer::Prepend("▁".into())])
        .normalize(&mut text)?;
    assert_eq!((text.text(), text.span(0..4).range()), ("▁Hi ", 2..3));
    Ok(())
}

#[test]
fn example_of_longest() {
    use crate::normalizers::longest;
    assert_eq!((longest(10), longest(1 << 30)), ((1 << 20) + 320, u32::MAX as usize));
}
