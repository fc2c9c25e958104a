//! Pipelines for which a space behind a word is a cut: everything of SentencePiece's kind, and stages of a tokenizer.json.
//!
//! Take `a| b`, where `a` is a letter or a number and a space is behind it. It is a cut if
//! * *no spelling of an added token* stands across it or ends there, so that both sides belong to one section of the text;
//! * *the normalizer* works on characters, or on what is between them without reaching over a space behind a word, and
//!   neither takes `a` away nor makes white space of it. What is put before a text or taken from its start is the first
//!   part's affair: the second one is encoded as going on ([`Tokenizer::encode_part`]);
//! * and either *the pretokenizer* cuts there and every later one works piece by piece, so that the model sees the same
//!   pretokens; or there is one pretoken, in which no merge reaches from a character to the space mark behind it
//!   ([`crate::models::units`]).
//!
//! Unigram without such a pretokenizer has no cuts: its best path is a sum over the whole text, and sums of numbers of a
//! fixed size depend in their last digits on all that is before. Which path wins a near tie may change far from the edit.
//! Dropout has none: the numbers it draws are counted from the start. Normalizers and pretokenizers that are not named
//! below have not been proved. In all these cases the whole text is encoded again.

use crate::added_tokens::Specials;
use crate::alignment::Aligned;
use crate::matching::Expression;
use crate::models::Model;
use crate::models::scored::{Algorithm, Kind};
use crate::models::units::MARK;
use crate::normalizers::Normalizer;
use crate::normalizers::forms::Form;
use crate::pipelines::sentencepiece::SentencePiece;
use crate::pipelines::staged::Staged;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::metaspace::Prepend;
use crate::tokenizer::{Pipeline, Tokenizer};

/// How spaces are cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spaces {
    /// Only behind letters and digits of ASCII: what becomes of others is not known.
    pub ascii: bool,
    /// Whether both sides are in one pretoken.
    pub in_pretoken: bool,
}

/// How spaces are cuts for a tokenizer; `None` where they are none.
pub fn of(tokenizer: &Tokenizer, specials: Specials) -> Option<Spaces> {
    let parts = tokenizer.parts();
    match &parts.pipeline {
        Pipeline::SentencePiece(fused) => of_sentencepiece(fused, tokenizer),
        Pipeline::Staged(staged) => {
            of_staged(staged).filter(|_| staged.normalizer.is_none() || parts.added.end_in_symbols(specials))
        }
        Pipeline::ByteLevelBpe(_) | Pipeline::Bert(_) => None,
    }
}

fn of_sentencepiece(fused: &SentencePiece, tokenizer: &Tokenizer) -> Option<Spaces> {
    let (normalizer, model) = (fused.normalizer(), fused.model());
    // A mark that is no token could be in a run of what is unknown.
    let mark = tokenizer.vocab().id(MARK.encode_utf8(&mut [0; 4]).as_bytes());
    let is_cut = model.algorithm() == Algorithm::Bpe
        && model.falls_into_units()
        && mark.is_some_and(|mark| model.kind(mark) == Kind::Normal)
        && normalizer.escape_whitespaces
        && !normalizer.whitespace_is_suffix
        && normalizer.charsmap.is_none();
    is_cut.then_some(Spaces { ascii: false, in_pretoken: true })
}

fn of_staged(staged: &Staged) -> Option<Spaces> {
    let ascii = staged.normalizer.as_ref().map_or(Some(false), only_ascii)?;
    let normalized = normalized_space(staged.normalizer.as_ref())?;
    if let Model::Bpe(bpe) = &staged.model
        && bpe.settings().dropout.is_some_and(|share| share > 0.0)
    {
        return None;
    }
    if staged.pretokenizer.as_ref().is_some_and(|pretokenizer| cuts_at(pretokenizer, normalized)) {
        return Some(Spaces { ascii, in_pretoken: false });
    }
    let marked = match &staged.pretokenizer {
        None => normalized == MARK,
        Some(Pretokenizer::Metaspace(metaspace)) => !metaspace.split && metaspace.replacement == MARK,
        Some(_) => false,
    };
    let in_units = matches!(&staged.model, Model::Bpe(bpe) if bpe.falls_into_units());
    (marked && in_units).then_some(Spaces { ascii, in_pretoken: true })
}

/// What a space between two letters becomes, where it becomes one character that separates them still.
fn normalized_space(normalizer: Option<&Normalizer>) -> Option<char> {
    let Some(normalizer) = normalizer else { return Some(' ') };
    let mut text = Aligned::new("x y", 0);
    normalizer.inside().normalize(&mut text).ok()?;
    let space = text.text().strip_prefix('x')?.strip_suffix('y')?;
    [' ', MARK].into_iter().find(|c| c.encode_utf8(&mut [0; 4]) == space)
}

/// Whether a normalizer keeps apart what is on both sides of a space behind a word, and for which words: those of ASCII
/// alone, or all.
fn only_ascii(normalizer: &Normalizer) -> Option<bool> {
    match normalizer {
        Normalizer::Form(Form::Nfc)
        | Normalizer::Lowercase
        | Normalizer::Strip { .. }
        | Normalizer::Prepend(_)
        | Normalizer::CollapseWhitespace => Some(false),
        // A letter may become white space and marks in these forms, and then lose the marks.
        Normalizer::Form(_)
        | Normalizer::StripAccents
        | Normalizer::Nmt
        | Normalizer::RemoveControls
        | Normalizer::Bert(_) => Some(true),
        Normalizer::Charsmap(charsmap) => charsmap.keeps_ascii_words().then_some(true),
        Normalizer::Replace(replace) => {
            let holds_words = |text: &str| text.contains(char::is_alphanumeric);
            let local = match replace.matcher.expression() {
                Expression::Text(text) => {
                    text == " " || !text.contains(|c: char| c.is_whitespace() || c.is_alphanumeric())
                }
                // Runs of white space, or of spaces.
                Expression::Regex(regex) | Expression::FancyRegex(regex) => {
                    [" {2,}", " +", r"\s+", r"\s{2,}"].contains(&regex.as_str())
                }
            };
            (local && !holds_words(&replace.content)).then_some(false)
        }
        Normalizer::Sequence(all) => {
            all.iter().try_fold(false, |ascii, normalizer| Some(ascii | only_ascii(normalizer)?))
        }
        Normalizer::ByteLevel | Normalizer::Language(_) => None,
    }
}

/// Whether a pretokenizer cuts at what a space behind a word became, and looks at each side alone.
fn cuts_at(pretokenizer: &Pretokenizer, space: char) -> bool {
    match pretokenizer {
        Pretokenizer::Bert | Pretokenizer::Whitespace | Pretokenizer::WhitespaceSplit => space == ' ',
        Pretokenizer::Pattern(pattern) => space == ' ' && super::cuts::is_proved(*pattern),
        Pretokenizer::ByteLevel(byte_level) => space == ' ' && byte_level.use_regex,
        Pretokenizer::Split(split) => {
            space == ' ' && (split.scanner().is_some_and(super::cuts::is_proved) || split.drops_spaces())
        }
        Pretokenizer::CharDelimiter(delimiter) => space == *delimiter,
        Pretokenizer::Metaspace(metaspace) => metaspace.split && (space == ' ' || space == metaspace.replacement),
        // Later ones see one piece at a time, but for this one, which asks where in the text it is.
        Pretokenizer::Sequence(all) => all.split_first().is_some_and(|(first, later)| {
            let asks = |each: &Pretokenizer| match each {
                Pretokenizer::Metaspace(metaspace) => metaspace.prepend == Prepend::First,
                Pretokenizer::Sequence(_) => true,
                _ => false,
            };
            cuts_at(first, space) && !later.iter().any(asks)
        }),
        Pretokenizer::Punctuation(_)
        | Pretokenizer::Digits { .. }
        | Pretokenizer::UnicodeScripts
        | Pretokenizer::FixedLength(_) => false,
    }
}
