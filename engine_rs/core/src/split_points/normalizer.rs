//! The normalizer at a split point: white space behind a word.
//!
//! Take `a| b`. Each step of the normalizer works on characters, or on what is between them without reaching over a space
//! behind a word, and neither takes `a` away nor makes white space of it. So it makes the same of each side as of the
//! whole. What is put before a text or removed from its start belongs to the first part; the second one is encoded as
//! going on ([`Normalizer::inside`]).
//!
//! Which characters `a` may be is asked of each: a letter or punctuation stays so by itself, whatever is before it. Charsmaps look at
//! grapheme clusters of fewer than six bytes, so a letter may not be part of one with a rule: letters of Hangul that join are
//! left out, and signs that stand before a letter of their cluster must have no rule.
//!
//! BERT's clean-up works character by character, but for decomposition, which lets marks change places among those that
//! follow one base. White space, punctuation of ASCII and ideographs are bases, so a text may be split behind them, too.
//!
//! Normalizers that are not named here have not been proved.

use super::white_space::{is_symbol, is_word};
use crate::alignment::AlignedText;
use crate::matching::Expression;
use crate::models::space_mark::MARK;
use crate::normalizers::Normalizer;
use crate::normalizers::charsmap::Charsmap;
use crate::normalizers::quick_check::QuickCheck;
use crate::normalizers::sentencepiece::SentencePieceNormalizer;
use crate::unicode::{is_control, is_mark, lower};

/// Whether no space is left in what a normalizer gives.
pub(super) fn marks_all_spaces(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::Replace(replace) => {
            *replace.matcher.expression() == Expression::Text(" ".into()) && !replace.content.contains(' ')
        }
        Normalizer::Sequence(all) => all.last().is_some_and(marks_all_spaces),
        _ => false,
    }
}

/// Whether a normalizer does nothing but put marks before texts and in the place of spaces.
pub(crate) fn makes_marks(normalizer: Option<&Normalizer>) -> bool {
    match normalizer {
        None | Some(Normalizer::Prepend(_)) => true,
        Some(Normalizer::Replace(replace)) => *replace.matcher.expression() == Expression::Text(" ".into()),
        Some(Normalizer::Sequence(all)) => all.iter().all(|normalizer| makes_marks(Some(normalizer))),
        Some(_) => false,
    }
}

/// Whether a normalizer leaves a character that is no white space where it is, whatever is beside it; one of ASCII, whatever of
/// ASCII is beside it.
pub(super) fn leaves_alone(normalizer: Option<&Normalizer>, c: char) -> bool {
    // Marks are taken away as spaces are, at the ends of a text and beside others.
    c != MARK
        && match normalizer {
            Some(Normalizer::SentencePiece(all)) => {
                let has_rule =
                    |rules: &Charsmap| rules.rule_of(c).is_some() || (c.is_ascii() && rules.has_rule_in_ascii(c as u8));
                all.charsmap.as_ref().is_none_or(|rules| !has_rule(rules) && !rules.has_inside(c))
            }
            other => makes_marks(other),
        }
}

/// Whether a character that a normalizer leaves alone may become another one with what is behind it.
pub(super) fn goes_on_after(normalizer: Option<&Normalizer>, c: char) -> bool {
    matches!(normalizer, Some(Normalizer::SentencePiece(all))
        if all.charsmap.as_ref().is_some_and(|rules| rules.goes_on_after(c)))
}

/// Whether a symbol that a normalizer keeps, or a rule of it, has a line end behind another character: it need not be white space
/// then.
pub(super) fn keeps_line_ends(normalizer: Option<&Normalizer>) -> bool {
    matches!(normalizer, Some(Normalizer::SentencePiece(all))
        if all.kept.strings().any(|kept| kept.iter().skip(1).any(|&byte| byte == b'\n'))
            || all.charsmap.as_ref().is_some_and(|rules| rules.has_inside('\n')))
}

/// Whether a symbol that a normalizer of a `.model` keeps begins with a character, or a rule of it does and goes on: what becomes of
/// the character depends on what is behind it.
pub(crate) fn goes_on(normalizer: Option<&Normalizer>, c: char) -> bool {
    goes_on_after(normalizer, c)
        || matches!(normalizer, Some(Normalizer::SentencePiece(all))
            if all.kept.strings().any(|kept| kept.starts_with(c.encode_utf8(&mut [0; 4]).as_bytes())))
}

/// Whether runs of spaces and line ends stay white space, all of them.
pub(super) fn keeps_white_space(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::Charsmap(charsmap) => [' ', '\n'].iter().all(|&c| {
            charsmap.rule_of(c).is_none_or(|new| !new.is_empty() && new.chars().all(|c| c == ' ' || c == '\n'))
        }),
        Normalizer::Replace(replace) => {
            let is_run = match replace.matcher.expression() {
                Expression::Text(text) => text == " ",
                Expression::Regex(regex) | Expression::FancyRegex(regex) => RUNS.contains(&regex.as_str()),
            };
            is_run && !replace.content.is_empty() && replace.content.chars().all(|c| c == ' ' || c == '\n')
        }
        Normalizer::Sequence(all) => all.iter().all(keeps_white_space),
        Normalizer::Form(_)
        | Normalizer::Lowercase
        | Normalizer::StripAccents
        | Normalizer::Strip { .. }
        | Normalizer::Nmt
        | Normalizer::CollapseWhitespace
        | Normalizer::RemoveControls => true,
        _ => false,
    }
}

/// Returns what a run of white space between two letters becomes, if it separates them after each step: a later step may join
/// signs that an earlier one makes of spaces with what is before them.
pub(crate) fn normalized(normalizer: Option<&Normalizer>, run: &str) -> Option<String> {
    let mut text = AlignedText::new(&format!("x{run}y"), 0);
    let inside = normalizer.map(Normalizer::inside);
    for step in inside.iter().flat_map(Normalizer::steps) {
        step.normalize(&mut text).ok()?;
        white_space_within(text.text())?;
    }
    white_space_within(text.text()).map(str::to_owned)
}

/// The white space and marks between the two letters of a text that has nothing else.
fn white_space_within(text: &str) -> Option<&str> {
    let white = text.strip_prefix('x')?.strip_suffix('y')?;
    (!white.is_empty() && white.chars().all(|c| matches!(c, ' ' | '\n' | MARK))).then_some(white)
}

/// Whether a normalizer keeps apart what is on both sides of a space behind what it leaves in place ([`stays`]).
pub(super) fn is_local(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::Form(_)
        | Normalizer::Lowercase
        | Normalizer::Strip { .. }
        | Normalizer::Prepend(_)
        | Normalizer::CollapseWhitespace
        | Normalizer::StripAccents
        | Normalizer::Nmt
        | Normalizer::RemoveControls
        | Normalizer::Bert(_) => true,
        Normalizer::SentencePiece(all) => {
            all.escape_whitespaces
                && !all.whitespace_is_suffix
                && !all.kept.strings().any(|kept| kept.contains(&b' '))
                && all.charsmap.as_ref().is_none_or(|rules| !rules.reaches_over_spaces() && !joins_what_follows(rules))
        }
        Normalizer::Charsmap(charsmap) => {
            LEADING_SIGNS.iter().all(|&c| charsmap.is_inert(c)) && !joins_what_follows(charsmap)
        }
        Normalizer::Replace(replace) => {
            let holds_words = |text: &str| text.contains(char::is_alphanumeric);
            let local = match replace.matcher.expression() {
                // A mark may have been a space: marks alone are a run of them, and with another character they reach over it.
                Expression::Text(text) => {
                    text == " "
                        || text.chars().all(|c| c == MARK)
                        || !text.contains(|c: char| c == MARK || c.is_whitespace() || c.is_alphanumeric())
                }
                // Runs of white space, or of spaces.
                Expression::Regex(regex) | Expression::FancyRegex(regex) => RUNS.contains(&regex.as_str()),
            };
            local && !holds_words(&replace.content)
        }
        Normalizer::Sequence(all) => all.iter().all(is_local),
        Normalizer::ByteLevel | Normalizer::Language(_) => false,
    }
}

/// Whether a rule begins with the white space behind a split point and goes on: what is there need not stay white space.
fn joins_what_follows(rules: &Charsmap) -> bool {
    rules.goes_on_after(' ') || rules.goes_on_after('\n')
}

/// Expressions for runs of white space, or of spaces.
const RUNS: [&str; 4] = [" {2,}", " +", r"\s+", r"\s{2,}"];

/// Signs that are in one grapheme cluster with what is behind them, of so few bytes that it can have a rule.
const LEADING_SIGNS: [char; 11] = [
    '\u{600}', '\u{601}', '\u{602}', '\u{603}', '\u{604}', '\u{605}', '\u{6dd}', '\u{70f}', '\u{890}', '\u{891}',
    '\u{8e2}',
];

/// What a letter, a number or a symbol becomes, where that is one such character, whatever is before it and a space
/// behind it.
pub(crate) fn stays(normalizer: Option<&Normalizer>, c: char) -> Option<char> {
    let now = match normalizer {
        None => c,
        Some(Normalizer::Form(form)) => QuickCheck::of(*form).is_plain(c).then_some(c)?,
        Some(Normalizer::Lowercase) => {
            let mut small = lower(c);
            small.next().filter(|_| small.next().is_none())?
        }
        Some(Normalizer::StripAccents) => (!is_mark(c)).then_some(c)?,
        Some(Normalizer::RemoveControls) => (!is_control(c)).then_some(c)?,
        Some(Normalizer::Bert(bert)) => {
            c.is_ascii().then(|| if bert.lowercase { c.to_ascii_lowercase() } else { c })?
        }
        Some(Normalizer::Charsmap(charsmap)) => in_charsmap(charsmap, c)?,
        Some(Normalizer::SentencePiece(all)) => in_model(all, c)?,
        Some(Normalizer::Replace(replace)) => match replace.matcher.expression() {
            // One that belongs to what is replaced may be gone, or white space. One that does only beside others may be either.
            Expression::Text(text) if text.contains(c) => {
                let last = replace.content.chars().next_back().filter(char::is_ascii_graphic)?;
                (last == c || text.len() == c.len_utf8()).then_some(last)?
            }
            _ => c,
        },
        Some(Normalizer::Sequence(all)) => {
            let mut is_changed = false;
            let now = all.iter().try_fold(c, |before, normalizer| {
                let now = stays(Some(normalizer), before)?;
                is_changed |= now != before;
                Some(now)
            })?;
            // What ends with the character again need not be that character, as in `last`.
            (now != c || !is_changed).then_some(now)?
        }
        Some(_) => c,
    };
    (is_word(now) || is_symbol(now)).then_some(now)
}

fn in_charsmap(charsmap: &Charsmap, c: char) -> Option<char> {
    // Letters of Hangul join with those before them, the sign of Malayalam with what is behind it.
    let joins = matches!(c, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}' | '\u{d4e}');
    if joins || EXTENDING.contains(&c) {
        return None;
    }
    // A rule that goes on behind the character goes on with a mark: nothing else is in a cluster of fewer than six bytes with it.
    match charsmap.rule_of(c) {
        None => Some(c),
        Some(new) => last(c, new).filter(|_| new.chars().all(|c| is_word(c) || is_symbol(c))),
    }
}

/// Letters that are in one grapheme cluster with the character before them, which may have a rule.
const EXTENDING: [char; 4] = ['\u{e33}', '\u{eb3}', '\u{ff9e}', '\u{ff9f}'];

/// A character that no rule has after its first one is what it becomes by itself, whatever is before it.
fn in_model(all: &SentencePieceNormalizer, c: char) -> Option<char> {
    let Some(rules) = &all.charsmap else { return Some(c) };
    let new = match rules.rule_of(c) {
        None => return (!rules.has_inside(c)).then_some(c),
        Some(new) => new,
    };
    last(c, new).filter(|last| !rules.has_inside(c) && !last.is_whitespace())
}

/// The last character of what another one becomes. `None` if it is that one, which does not stay then for all that.
fn last(c: char, new: &str) -> Option<char> {
    new.chars().next_back().filter(|&last| last != c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::stages::{charsmap_bytes, charsmap_of_rule};

    #[test]
    fn a_rule_that_begins_with_white_space_and_goes_on_has_no_split_points() {
        assert!(is_local(&Normalizer::Charsmap(Charsmap::new(&charsmap_bytes()).expect("valid"))));
        for white in [b' ', b'\n'] {
            let rules = Charsmap::new(&charsmap_of_rule(&[white, b'x'], "")).expect("valid");
            assert_eq!(rules.rule_of('x'), None);
            assert!(!is_local(&Normalizer::Charsmap(rules)), "{white}");
        }
    }

    #[test]
    fn what_a_later_step_makes_of_a_character_again_does_not_stay() {
        let rules = charsmap_of_rule("é".as_bytes(), "xÉ");
        let rules = Normalizer::Charsmap(Charsmap::new(&rules).expect("valid"));
        assert_eq!(stays(Some(&rules), 'é'), Some('É'));
        let both = Normalizer::Sequence(vec![Normalizer::Lowercase, rules]);
        assert_eq!((stays(Some(&both), 'É'), stays(Some(&both), 'a')), (None, Some('a')));
    }
}
