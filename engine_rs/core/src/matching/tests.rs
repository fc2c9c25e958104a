use super::*;

fn matches(pattern: &str, text: &str) -> Vec<String> {
    let matcher = Matcher::new(Expression::Regex(pattern.into())).unwrap_or_else(|error| panic!("{error}"));
    let found = matcher.find_all(text).unwrap_or_else(|error| panic!("{error}"));
    found.into_iter().map(|range| text[range].to_owned()).collect()
}

#[test]
fn means_what_oniguruma_means() {
    let cases: &[(&str, &str, &[&str])] = &[
        (r"\p{N}{1,3}+", "1234567 8", &["1234567", "8"]),
        (r"\p{N}{1,3}", "1234567 8", &["123", "456", "7", "8"]),
        (r"a{2}?", "aaaaa", &["aa", "aa", ""]),
        (r"a{1,2}?", "aaa", &["a", "a", "a"]),
        (r"a{,2}b", "aaab", &["aab"]),
        (r"x{a}", "x{a}", &["x{a}"]),
        (r"^.", "a\nb\n", &["a", "b"]),
        (r".$", "a\nb", &["a", "b"]),
        (r"(?m).+", "a\nb", &["a\nb"]),
        (r"(?i)a|b", "AB", &["A", "B"]),
        (r"a(?i)b|c", "aBaC", &["aB", "aC"]),
        (r"(?i:'S)", "'s'ſ", &["'s", "'ſ"]),
        (r"(?i:\p{Ll}+)", "aAbBB", &["a", "b"]),
        (r"(?i:[\p{Ll}]+)", "aAbBB", &["aAbBB"]),
        (r"(?i)\P{^Lu}+x", "aBBX", &["BBX"]),
        (r"(?i:a)\p{Lower}\w", "AbB", &["AbB"]),
        (r"\pL", "pL", &["pL"]),
        (r"\w+", "½\u{200d}ⓐ⑨", &["½", "ⓐ"]),
        (r"[\w]+", "½\u{200d}ⓐ⑨", &["ⓐ"]),
        (r"\W", "½a⑨", &["⑨"]),
        (r"\h+", "xAf0g", &["Af0"]),
        (r"[[:punct:]]+", "a+!b", &["+!"]),
        (r"\p{Punct}+", "a+!b", &["!"]),
        (r"\p{^L}+", "a12b", &["12"]),
        (r"[a-c&&[^b]]+", "abca", &["a", "ca"]),
        (r"[]a]+", "a]b", &["a]"]),
        (r"[^\s\p{L}\p{N}]?+\p{L}++", "!ab c", &["!ab", "c"]),
        (r"\s+(?!\S)|\s+", "a   b ", &["  ", " ", " "]),
        (r"\bé\b", "é ée", &["é"]),
        (r"(a)\1", "aaa", &["aa"]),
        (r"(a)?(?(1)b|c)", "abc c ab b|cad", &["ab", "c", "c", "ab", "c"]),
        (r"(?<x>a)?(?(<x>)[b|]|c)", "a|c", &["a|", "c"]),
        (r"(a)(?(1)(?i:B)|c)*", "aBbca", &["aBb", "a"]),
        (r"(?x) a b # comment", "ab", &["ab"]),
        (r"(?#comment)a", "a", &["a"]),
        (r"\u0041\x42\x{43}\012", "ABC\n", &["ABC\n"]),
        (r"", "ab", &["", "", ""]),
        // Not `[ab]+(?:[ab]+|.*)`.
        (r"[ab]+[ab]+|[ab]+.*", "aabb ab", &["aabb", "ab"]),
        (r"(?:a+b?){2}|(?:a+b?)[^a]*", "aa b", &["aa"]),
    ];
    for &(pattern, text, expected) in cases {
        assert_eq!(matches(pattern, text), expected, "{pattern}");
    }
}

#[test]
fn refuses_what_it_cannot_follow() {
    for pattern in [
        "(",
        ")",
        "(?",
        "(?z)",
        "(?(",
        "(?(a)b)",
        "(a)(?(1)b|c|d)",
        "[",
        "[a",
        "[]",
        "*",
        "a|*",
        "[b-a]",
        r"\X",
        r"\p{Nonsense}",
        r"\p{",
        r"\x{110000}",
        "\\",
        r"\xFF",
        "(?<n>a",
        "{2}",
    ] {
        assert!(Matcher::new(Expression::Regex(pattern.into())).is_err(), "{pattern}");
    }
    let deep = "(".repeat(100_000) + &")".repeat(100_000);
    assert!(Matcher::new(Expression::Regex(deep)).is_err());
    assert!(Matcher::new(Expression::Regex("[".repeat(100_000))).is_err());
}

#[test]
fn patterns_full_of_braces_are_read_once() {
    let translated = |unit: &str, len: usize| {
        let pattern = format!("a{}", unit.repeat(len));
        crate::steps::of(|| oniguruma::translate(&pattern).map(drop))
    };
    // Each of the digits after a brace is read twice: as an interval, then as itself.
    for unit in ["{", "{1,", "{2}"] {
        assert!(translated(unit, 100_000) <= 300_000, "{unit}: {} steps", translated(unit, 100_000));
    }
    let error = oniguruma::translate(&format!("a{}", "{2}".repeat(200))).expect_err("too many");
    assert_eq!(error, "more than 100 quantifiers follow each other at character 303");
}

#[test]
fn catastrophic_patterns_end() {
    let text = "a".repeat(5000) + "b";
    for pattern in [r"(a|a)*$", r"(a+)+\Z", r"(?:a*)*(?=c)", r"(a*)*\1c"] {
        let matcher = Matcher::new(Expression::Regex(pattern.into())).unwrap_or_else(|error| panic!("{error}"));
        // An answer or an error, but soon.
        if let Err(error) = matcher.find_all(&text) {
            assert_eq!(error.pattern, pattern);
        }
    }
}

#[test]
fn any_text_is_a_pattern_or_an_error() {
    let mut random = crate::testing::Random::new(3);
    let pieces = [
        "a",
        "b",
        "é",
        "(",
        ")",
        "[",
        "]",
        "^",
        "$",
        "*",
        "+",
        "?",
        "{1,2}",
        "{",
        "}",
        "|",
        "\\",
        "\\p{L}",
        "\\P{^N}",
        "(?i:",
        "(?i)",
        "(?=",
        "(?<!",
        "(?>",
        "-",
        "&&",
        "[:alpha:]",
        "\\1",
        "\\k<n>",
        "(?<n>",
        ".",
        "\\b",
        "\\x",
        ":",
        "#",
        " ",
    ];
    for _ in 0..3000 {
        let pattern: String = (0..random.below(9)).map(|_| *random.pick(&pieces)).collect();
        if let Ok(matcher) = Matcher::new(Expression::Regex(pattern)) {
            for found in matcher.find_all("aéb ab-\n a1]").unwrap_or_default() {
                assert!("aéb ab-\n a1]".get(found).is_some());
            }
        }
    }
}

#[test]
fn what_folds_to_several_characters_is_refused_where_case_is_ignored() {
    for (pattern, what) in [
        ("(?i)ss", "ß"),
        ("(?i:class)", "ß"),
        ("(?i)(?:a|STOP)", "ﬅ"),
        (r"(?i)o\x{66}f", "ff"),
        ("(?i)ß", "ss"),
        ("(?i:[aß])", "ss"),
        ("(?i)ẞ", "ss"),
        ("(?i)i\u{307}", "İ"),
        ("(?i)ffix", "ff"),
        ("(?-i)a(?i:x(?:s)ss)", "ß"),
        ("(?i)s(?:s)", "ß"),
        ("(?i)(?:s)s", "ß"),
    ] {
        let error = oniguruma::translate(pattern).expect_err(pattern);
        assert!(error.starts_with("under (?i)") && error.contains(what), "{pattern}: {error}");
    }
    for pattern in [
        "ss|ß|st",
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)class",
        "(?i)s(s)",
        "(?i)s|s",
        "(?i)(?:x|s)s",
        "(?i)s(?:s)+",
        "(?i)ss*",
        "(?i)s+s",
        "(?i)(?-i:ss)",
        "(?i:a)ss",
        r"(?i)s\p{L}s",
        "(?i)[st]",
        "a(?:(?i)b)ss",
    ] {
        oniguruma::translate(pattern).expect(pattern);
    }
}

#[test]
fn oniguruma_is_translated() {
    use super::oniguruma::translate;
    assert_eq!(translate(r"\p{N}{1,3}+|^a").as_deref(), Ok(r"(?:\p{n}{1,3})+|(?:\A|(?<=\n)(?!\z))a"));
    assert!(translate("(a").is_err());
}

#[test]
fn patterns_that_mean_the_same_in_both_dialects() {
    use super::dialects::means_the_same;
    assert!(means_the_same(r"[^\r\n\p{L}\p{N}]?\p{L}+| ?\S++"));
    assert!(!means_the_same(r"\p{N}{1,3}+") && !means_the_same(r"\s+$") && !means_the_same(r"\w"));
}

#[test]
fn the_longest_prefix_is_found() {
    let prefixes = super::prefixes::Prefixes::new([&b"ab"[..], b"abcd"]).expect("few");
    assert_eq!(["abc", "abcde", "xab"].map(|text| prefixes.longest(text.as_bytes())), [2, 4, 0]);
}

#[test]
fn example_of_matcher_matches() {
    use crate::matching::{Expression, Matcher};
    let matcher = Matcher::new(Expression::Regex(r"\s*".into())).unwrap();
    assert_eq!(matcher.matches("a  b").collect::<Result<Vec<_>, _>>().unwrap(), [0..0, 1..3, 4..4]);
    let bad = Matcher::new(Expression::Regex(r"(a*)*\1c".into())).unwrap();
    assert!(bad.matches(&("a".repeat(40) + "b")).any(|found| found.is_err()));
}

#[test]
fn example_of_replace_replaced() {
    use crate::matching::{Expression, Matcher, Replace};
    let matcher = Matcher::new(Expression::Text("▁".into())).unwrap();
    let replace = Replace { matcher, content: " ".into() };
    assert_eq!(replace.replaced("▁a▁b", 4).unwrap().unwrap(), " a b");
}

#[test]
fn automata_find_what_fancy_regex_finds() {
    const PIECES: [&str; 26] = [
        "a", "b", "é", "a+", "a*", "b?", "[ab]+", "[^a]*", r"\p{L}+", r"\s+", r"\s*", ".", ".*", "(", "(?:", ")", ")*",
        ")+", ")?", "|", "|", "a{2}", "a{1,3}", r"\A", r"\z", "(?i:A)",
    ];
    const TEXTS: [&str; 9] = ["a", "b", "ab", "aab", " ", "\n", "é", "z", "A"];
    let mut random = crate::testing::Random::new(9);
    let mut compared = 0;
    for _ in 0..4000 {
        let mut pattern: String = (0..1 + random.below(8)).map(|_| *random.pick(&PIECES)).collect();
        let open = pattern.matches('(').count();
        let missing = open.saturating_sub(pattern.matches(')').count());
        pattern.extend(std::iter::repeat_n(')', missing));
        let Ok(regex) = build(&pattern) else { continue };
        let Some(ours) = Automata::new(&pattern).filter(|_| backtracking::is_plain(&pattern)) else { continue };
        for _ in 0..6 {
            let text: String = (0..random.below(9)).map(|_| *random.pick(&TEXTS)).collect();
            let expected: Result<Vec<_>, _> = super::matches(&text, |from| search(&regex, &text, from)).collect();
            let mut search = ours.search(&text);
            let found: Result<Vec<_>, _> = super::matches(&text, |from| Ok(search(from))).collect();
            assert_eq!(found, expected, "{pattern} in {text:?}");
            compared += 1;
        }
    }
    assert!(compared > 5000, "{compared}");
}
