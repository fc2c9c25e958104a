//! Pretokenizers against what the reference gave.

use super::*;
use crate::matching::Expression;
use metaspace::Prepend;

fn pretokens(pretokenizer: &Pretokenizer, text: &str) -> Vec<(String, std::ops::Range<usize>)> {
    let mut pretokens = Pretokens::new(text, 0);
    pretokenizer.pretokenize(&mut pretokens).unwrap_or_else(|error| panic!("{error}"));
    let shown = pretokens.iter().map(|pretoken| {
        let text = pretoken.text.text();
        (text.to_owned(), pretoken.text.span(0..text.len()).range())
    });
    shown.collect()
}

fn texts(pretokenizer: &Pretokenizer, text: &str) -> String {
    pretokens(pretokenizer, text).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join("|")
}

fn split(expression: Expression, behavior: Behavior, invert: bool) -> Pretokenizer {
    Pretokenizer::Split(Split::new(expression, behavior, invert).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn pieces_are_those_of_the_reference() {
    use Pretokenizer::{CharDelimiter, Digits, FixedLength, Punctuation, UnicodeScripts, Whitespace, WhitespaceSplit};
    for (pretokenizer, text, expected) in [
        (Whitespace, "don't ½_é\u{200d}!?\u{301} ", "don|'|t|½|_é\u{200d}|!?|\u{301}"),
        (WhitespaceSplit, " a\u{3000}b!\n", "a|b!"),
        (Punctuation(Behavior::Isolated), "Hi!? $5", "Hi|!|?| |$|5"),
        (Punctuation(Behavior::Contiguous), "Hi!? $5", "Hi|!?| |$|5"),
        (Punctuation(Behavior::MergedWithPrevious), "Hi!?x", "Hi!|?|x"),
        (Digits { individual: true }, "a12Ⅷ", "a|1|2|Ⅷ"),
        (Digits { individual: false }, "a12Ⅷ", "a|12Ⅷ"),
        (CharDelimiter('-'), "-a--b", "a|b"),
        (FixedLength(2), "日本語", "日本|語"),
        (FixedLength(0), "ab", "ab"),
        (UnicodeScripts, " ab жы ab!カな", "ab |жы |ab|!|カな"),
        (UnicodeScripts, "  ", ""),
    ] {
        assert_eq!(texts(&pretokenizer, text), expected, "{pretokenizer:?} on {text:?}");
    }
}

#[test]
fn splits_do_what_their_behaviour_says() {
    let text = "a--b-";
    for (behavior, plain, inverted) in [
        (Behavior::Removed, "a|b", "-|-|-"),
        (Behavior::Isolated, "a|-|-|b|-", "a|-|-|b|-"),
        (Behavior::MergedWithPrevious, "a-|-|b-", "a|-|-b|-"),
        (Behavior::MergedWithNext, "a|-|-b|-", "a-|-|b-"),
        (Behavior::Contiguous, "a|--|b|-", "a|--|b|-"),
    ] {
        let dash = || Expression::Text("-".into());
        assert_eq!(texts(&split(dash(), behavior, false), text), plain, "{behavior:?}");
        assert_eq!(texts(&split(dash(), behavior, true), text), inverted, "{behavior:?} inverted");
    }
}

#[test]
fn metaspace_follows_its_settings() {
    let text = " Hey  you";
    for (prepend, split, expected) in [(Prepend::Always, true, "▁Hey|▁|▁you"), (Prepend::Never, false, "▁Hey▁▁you")]
    {
        let metaspace = Pretokenizer::Metaspace(Metaspace { replacement: '▁', prepend, split });
        assert_eq!(texts(&metaspace, text), expected);
    }
    // Only the pretoken at the start of the text is given one.
    let first = Metaspace { replacement: '▁', prepend: Prepend::First, split: true };
    let words = Pretokenizer::Sequence(vec![Pretokenizer::WhitespaceSplit, Pretokenizer::Metaspace(first)]);
    assert_eq!(pretokens(&words, "a b"), [("▁a".to_owned(), 0..1), ("b".to_owned(), 2..3)]);
    assert_eq!(texts(&words, " a"), "a");
}

#[test]
fn known_patterns_are_scanned() {
    for pattern in Pattern::ALL {
        let spelling = pattern.oniguruma();
        let fast = split(Expression::Regex(spelling.into()), Behavior::Isolated, false);
        // In a group, the same pattern is not recognized.
        let slow = split(Expression::Regex(format!("(?:{spelling})")), Behavior::Isolated, false);
        assert!(matches!((&fast, &slow), (Pretokenizer::Split(fast), Pretokenizer::Split(slow))
            if fast.scanner() == Some(pattern) && slow.scanner().is_none()));
        for text in
            ["It's  2048\n\n ok", "ÉCOLE iPhone'S \t\n x", "日本語 ½\u{301} …\r\n", " ", "a  ", "a \n\t ", "'ſ 'LL"]
        {
            assert_eq!(pretokens(&fast, text), pretokens(&slow, text), "{pattern:?} on {text:?}");
        }
    }
}

#[test]
fn a_pattern_that_gives_up_is_an_error() {
    let pretokenizer = split(Expression::Regex(r"(a*)*\1c".into()), Behavior::Isolated, false);
    let mut pretokens = Pretokens::new(&("a".repeat(60) + "b"), 0);
    assert!(
        matches!(pretokenizer.pretokenize(&mut pretokens), Err(EncodeError::PatternLimit(error)) if error.pattern == r"(a*)*\1c")
    );
}

#[test]
fn example_of_pretokenizer_pretokenize() -> Result<(), crate::error::EncodeError> {
    use crate::{pretokenizers::Pretokenizer, pretokens::Pretokens};
    let mut pretokens = Pretokens::new("Hi, you 42", 0);
    let words = Pretokenizer::Sequence(vec![Pretokenizer::Whitespace, Pretokenizer::Digits { individual: true }]);
    words.pretokenize(&mut pretokens)?;
    assert_eq!(pretokens.iter().map(|pretoken| pretoken.text.text()).collect::<Vec<_>>(), ["Hi", ",", "you", "4", "2"]);
    Ok(())
}
