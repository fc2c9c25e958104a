//! Against `fancy-regex`, by itself and with failures remembered from the first step on.

use super::*;
use crate::matching::{self, Expression, Matcher};
use crate::testing::Random;

const PIECES: [&str; 41] = [
    "a", "b", "é", "a+", "a*", "b?", "[ab]+", "[^a]*", r"\p{L}+", r"\s+", r"\s*", ".", ".*", "(", "(?:", ")", ")*",
    ")+", ")?", ")++", ")*?", "|", "|", "(?=", "(?!", "(?<=", "(?<!", "(?>", "a++", "a{2}", "a{1,3}", "b{2,}", "a+?",
    "(?i:A)", r"\n", r"\b", r"\A", r"\z", r"\Z", "(a|ab)", r"\S",
];
const TEXTS: [&str; 10] = ["a", "b", "ab", "aab", " ", "  ", "\n", "é", "z", "A"];

fn found(mut search: impl FnMut(usize) -> Result<Option<Range<usize>>, String>, text: &str) -> Vec<Range<usize>> {
    matching::matches(text, &mut search).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}: {text:?}"))
}

#[test]
fn matches_are_those_of_fancy_regex() {
    let mut random = Random::new(5);
    let mut compared = 0;
    for _ in 0..8000 {
        let mut pattern: String = (0..1 + random.below(8)).map(|_| *random.pick(&PIECES)).collect();
        let open = pattern.matches('(').count();
        let missing = open.saturating_sub(pattern.matches(')').count());
        pattern.extend(std::iter::repeat_n(')', missing));
        let (Ok(regex), Some(ours)) = (matching::build(&pattern), Backtracking::new(&pattern)) else { continue };
        for _ in 0..6 {
            let text: String = (0..random.below(9)).map(|_| *random.pick(&TEXTS)).collect();
            let expected = matching::matches(&text, |from| matching::search(&regex, &text, from));
            let Ok(expected) = expected.collect::<Result<Vec<_>, _>>() else { continue };
            for patience in [usize::MAX, 0] {
                let mut search = ours.begin(&text, patience, 10_000_000);
                let found = found(|from| search.next(from).map_err(|error| error.to_string()), &text);
                assert_eq!(found, expected, "{pattern} in {text:?}, patience {patience}");
            }
            compared += 1;
        }
    }
    assert!(compared > 5000, "{compared}");
}

fn steps_of(pattern: &str, text: &str) -> u64 {
    let matcher = Matcher::new(Expression::Regex(pattern.into())).expect("a pattern");
    assert!(matches!(
        matching::Runner::new(matcher.regex.as_ref().expect("no text")),
        matching::Runner::Backtracking(_)
    ));
    crate::steps::of(|| matcher.find_all(text).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn work_grows_with_the_text_and_not_with_its_square() {
    for (pattern, unit, end) in [
        (r"\p{L}+(?=z)", "a", "b"),
        (r"(a|a)*(?=c)", "a", "b"),
        (r"(?:a+)+(?=c)", "a", "b"),
        (r"(?>a+b)|a", "a", ""),
        (r"\p{L}+(?!\p{L})|\s+(?!\S)|\s+", " ", "x"),
        (r"(?<=\d)(?=[a-z])", "abc ", ""),
        (r"(?!x)\d+", "abc ", ""),
        (r"[^\r\n\p{L}\p{N}]?+\p{L}++|\s+(?!\S)", "the cat ", ""),
    ] {
        let text = |times: usize| unit.repeat(times) + end;
        let (once, twice) = (steps_of(pattern, &text(2000)), steps_of(pattern, &text(4000)));
        assert!(twice <= 2 * once + once / 5 + 100, "{pattern}: {once} steps, then {twice}");
    }
}

#[test]
fn a_long_run_is_one_match() {
    let matcher = Matcher::new(Expression::Regex(r"\p{L}+(?!\p{L})|\s+(?!\S)|\s+".into())).expect("a pattern");
    let text = " ".repeat(1_200_000) + "x";
    let expected = [0..1_199_999, 1_199_999..1_200_000, 1_200_000..1_200_001];
    assert_eq!(matcher.find_all(&text).expect("few steps"), expected);
}

#[test]
fn what_takes_too_many_steps_is_an_error() {
    // Every position looks to the end of the text, with success.
    let ours = Backtracking::new("a(?=a*b)").expect("has a look-ahead");
    let text = "a".repeat(2000) + "b";
    let mut search = ours.begin(&text, 0, 100_000);
    let found = matching::matches(&text, |from| search.next(from).map_err(|error| error.to_string()));
    let error: Result<Vec<_>, _> = found.collect();
    assert_eq!(error, Err("needs more than 100000 steps for this text".to_owned()));
}

#[test]
fn an_expression_of_many_instructions_remembers_no_failures() {
    let text = "a".repeat(1_000_000);
    for (pattern, remembers) in [("a{0,1000}(?=z)", false), ("a{0,100}(?=z)", true)] {
        let ours = Backtracking::new(pattern).expect("has a look-ahead");
        let mut search = ours.begin(&text, 0, 10_000);
        assert!(search.next(0).is_err(), "{pattern}");
        assert_eq!(!search.failed.is_empty(), remembers, "{pattern}");
    }
}
