//! The pretokenizer at a split point.
//!
//! **White space behind a word.** Either the pretokenizer splits there, looks at each side alone, and every later one works one
//! pretoken at a time, so that the model sees the same pretokens; or it splits at no space, and both sides are in one
//! pretoken.
//!
//! **Patterns of byte-level BPE.** A scanner finds each pretoken from the text behind its start alone, so the right part is
//! encoded as it stands if a pretoken starts at the split point, and the left part if none of its pretokens reads on and
//! decides otherwise where the text ends. Take `a|b`, the characters beside the split point.
//! * `b` is a blank (white space, no newline) and `a` is no white space. No alternative of the patterns has a blank
//!   but at its start or in a run of white space, so a pretoken ends at the split point. Those before it end with no
//!   run of white space, so they read at most the one character that stops a run, or the letters of a contraction; a
//!   blank is neither more nor less than the end of the text to both.
//! * `a` is a letter or a number, `b` is white space or of the class "other" and no apostrophe. Letters and numbers are in
//!   runs of their own kind, or in a contraction, and nothing of `b`'s kind may follow them in the same pretoken. They are
//!   stopped by `b` as by the end of the text.
//!
//! **BERT.** White space and punctuation of ASCII end a word, before a split point as well as behind it; the same holds of
//! ideographs where the normalizer sets them apart.
//!
//! Pretokenizers that are not named here have not been proved.

use super::normalizer::marks_all_spaces;
use crate::alignment::Behavior;
use crate::matching::Expression;
use crate::models::space_mark::MARK;
use crate::normalizers::Normalizer;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::characters::{BLANK, Classes, LETTER, NUMBER, OTHER, SPACE};
use crate::pretokenizers::metaspace::Prepend;
use crate::pretokenizers::scanners::{Pattern, deepseek};

/// Whether a pattern has a pretoken start between two characters, whatever is around them.
pub(super) fn starts_between(classes: Classes, before: char, behind: char) -> bool {
    let (a, b) = (classes.of(before), classes.of(behind));
    (b & BLANK != 0 && a & SPACE == 0) || (a & (LETTER | NUMBER) != 0 && b & (SPACE | OTHER) != 0 && behind != '\'')
}

/// Whether a character ends a word of BERT and what is before it.
pub(super) fn ends_bert_word(c: char, ideographs: bool) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
        || c.is_ascii_punctuation()
        || (ideographs && matches!(c, '\u{4e00}'..='\u{9fff}'))
}

/// Whether the reasons above hold for a pattern.
pub(super) fn is_proved(pattern: Pattern) -> bool {
    match pattern {
        Pattern::R50k | Pattern::Cl100k | Pattern::O200k | Pattern::Llama3 | Pattern::Qwen2 | Pattern::Tekken => true,
    }
}

/// Whether white space behind a word, normalized to `white`, and both sides of it are in one pretoken.
pub(super) fn keeps_together(
    pretokenizer: Option<&Pretokenizer>,
    normalizer: Option<&Normalizer>,
    white: char,
) -> bool {
    match pretokenizer {
        None => white == MARK,
        Some(Pretokenizer::Metaspace(metaspace)) => {
            !metaspace.split && metaspace.replacement == MARK && matches!(white, ' ' | MARK)
        }
        // Gemma's, which finds nothing where all spaces are marks.
        Some(Pretokenizer::Split(split)) => {
            let spaces = Expression::Text(" ".into());
            let keeps_text = !(split.is_inverted() && split.behavior() == Behavior::Removed);
            white == MARK && *split.expression() == spaces && keeps_text && normalizer.is_some_and(marks_all_spaces)
        }
        Some(_) => false,
    }
}

/// Whether a pretokenizer splits at what white space behind a word became, and looks at each side alone.
pub(super) fn splits_at(pretokenizer: &Pretokenizer, white: char) -> bool {
    match pretokenizer {
        Pretokenizer::Bert | Pretokenizer::Whitespace | Pretokenizer::WhitespaceSplit => matches!(white, ' ' | '\n'),
        Pretokenizer::Pattern(_) => white == ' ',
        Pretokenizer::ByteLevel(byte_level) => white == ' ' && byte_level.use_regex,
        Pretokenizer::Split(split) => white == ' ' && (split.scanner().is_some() || split.drops_spaces()),
        Pretokenizer::CharDelimiter(delimiter) => white == *delimiter,
        Pretokenizer::Metaspace(metaspace) => metaspace.split && (white == ' ' || white == metaspace.replacement),
        // No match of the third begins inside of white space that follows another character, or holds a space behind one.
        Pretokenizer::Sequence(_) if deepseek::are_splits(&pretokenizer.steps()) => {
            let later = &pretokenizer.steps()[deepseek::REGEXES.len()..];
            white == ' ' && matches!(later, [] | [Pretokenizer::ByteLevel(_)])
        }
        // Later ones see one pretoken at a time, but for this one, which asks where in the text it is.
        Pretokenizer::Sequence(all) => all.split_first().is_some_and(|(first, later)| {
            let asks = |each: &Pretokenizer| match each {
                Pretokenizer::Metaspace(metaspace) => metaspace.prepend == Prepend::First,
                Pretokenizer::Sequence(_) => true,
                _ => false,
            };
            splits_at(first, white) && !later.iter().any(asks)
        }),
        Pretokenizer::Punctuation(_)
        | Pretokenizer::Digits { .. }
        | Pretokenizer::UnicodeScripts
        | Pretokenizer::FixedLength(_) => false,
    }
}

/// Whether a space or line end belongs to no pretoken.
pub(super) fn drops(pretokenizer: &Pretokenizer, white: char) -> bool {
    match pretokenizer {
        Pretokenizer::Bert | Pretokenizer::Whitespace | Pretokenizer::WhitespaceSplit => matches!(white, ' ' | '\n'),
        Pretokenizer::Split(split) => white == ' ' && split.drops_spaces(),
        // Later ones see one pretoken at a time.
        Pretokenizer::Sequence(all) => all.first().is_some_and(|first| drops(first, white)),
        _ => false,
    }
}
