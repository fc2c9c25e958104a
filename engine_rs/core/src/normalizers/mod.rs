//! What changes a text before it is split: one file per idea, each works on an [`AlignedText`] text.

pub mod bert;
pub mod charsmap;
pub mod cleanup;
pub mod forms;
pub mod language;
pub(crate) mod nmt;
pub mod quick_check;
pub mod sentencepiece;

use crate::alignment::{AlignedText, Change};
use crate::byte_alphabet;
use crate::call;
use crate::error::EncodeError;
use crate::matching::{Expression, Replace};
use crate::unicode::{is_mark, lower};
use bert::BertNormalizer;
use charsmap::Charsmap;
use forms::Form;
use language::Rule;
use sentencepiece::SentencePieceNormalizer;

/// A normalizer of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Normalizer {
    /// BERT's clean-up.
    Bert(BertNormalizer),
    /// One of Unicode's normalization forms.
    Form(Form),
    /// Lower case, character by character: a final sigma is a sigma.
    Lowercase,
    /// White space at the start or the end is dropped.
    Strip {
        /// At the start.
        left: bool,
        /// At the end.
        right: bool,
    },
    /// All marks are dropped; letters with an accent of their own stay, so NFD goes before.
    StripAccents,
    /// Matches replaced by a text.
    Replace(Replace),
    /// A text put before a text that is not empty.
    Prepend(String),
    /// Control characters and kinds of white space, as in machine translation.
    Nmt,
    /// Rules of a SentencePiece model.
    Charsmap(Charsmap),
    /// All that a SentencePiece model does with a text.
    SentencePiece(Box<SentencePieceNormalizer>),
    /// Every byte spelled as a character of the byte alphabet.
    ByteLevel,
    /// Runs of white space become one space.
    CollapseWhitespace,
    /// Control and format characters are dropped.
    RemoveControls,
    /// A rule of one language or script.
    Language(Rule),
    /// One after the other.
    Sequence(Vec<Normalizer>),
}

impl Normalizer {
    /// The normalizers of a sequence in order, sequences within it included; else this one.
    pub(crate) fn steps(&self) -> Vec<&Self> {
        match self {
            Self::Sequence(all) => all.iter().flat_map(Self::steps).collect(),
            one => vec![one],
        }
    }

    /// The first charsmap among its steps.
    pub(crate) fn charsmap(&self) -> Option<&Charsmap> {
        match self {
            Self::Charsmap(charsmap) => Some(charsmap),
            Self::SentencePiece(all) => all.charsmap.as_ref(),
            Self::Sequence(all) => all.iter().find_map(Self::charsmap),
            _ => None,
        }
    }

    /// Whether it runs a regular expression.
    pub(crate) fn runs_regex(&self) -> bool {
        match self {
            Self::Replace(replace) => replace.matcher.is_regex(),
            Self::Sequence(all) => all.iter().any(Self::runs_regex),
            _ => false,
        }
    }

    /// Changes the text in place.
    ///
    /// Errors: a pattern that needs too many steps; a result that is longer than [`longest`].
    pub(crate) fn normalize(&self, text: &mut AlignedText) -> Result<(), EncodeError> {
        let bytes = text.text().len();
        self.normalize_within(text, bytes, &mut 0)?;
        call::may_normalize(text.text().len(), bytes)
    }

    /// The same for a step of a normalizer whose text had `bytes` bytes before the first step. `worked` counts the bytes of
    /// all results: many steps that each make a little are as slow as one that makes too much.
    fn normalize_within(&self, text: &mut AlignedText, bytes: usize, worked: &mut usize) -> Result<(), EncodeError> {
        call::check()?;
        let max = longest(bytes);
        let too_long = || EncodeError::NormalizedTooLong { normalizer: self.name(), bytes, max };
        let check = |len: usize| if len <= max { Ok(()) } else { Err(too_long()) };
        match self {
            Self::Bert(bert) => bert.normalize(text),
            Self::Form(form) => form.normalize(text),
            Self::Lowercase => lowercase(text),
            Self::Strip { left, right } => cleanup::strip(text, *left, *right),
            Self::StripAccents if !text.text().contains(is_mark) => {}
            Self::StripAccents => text.filter(|c| !is_mark(c)),
            Self::Replace(replace) => {
                let matches = replace.matches(text.text())?;
                // Before anything is made: one step may multiply the text by the length of what it puts in.
                let gone: usize = matches.iter().map(ExactSizeIterator::len).sum();
                check(text.text().len() - gone + matches.len().saturating_mul(replace.content.len()))?;
                replace.apply(&matches, text);
            }
            Self::Prepend(prefix) => text.prepend(prefix),
            Self::Nmt => nmt::normalize(text),
            Self::Charsmap(charsmap) => charsmap.normalize(text, max).map_err(|_| too_long())?,
            Self::SentencePiece(all) => all.normalize(text, max).map_err(|_| too_long())?,
            Self::ByteLevel => text.map_bytes(byte_alphabet::char_of),
            Self::CollapseWhitespace => cleanup::collapse_whitespace(text),
            Self::RemoveControls => cleanup::remove_controls(text),
            Self::Language(rule) => rule.normalize(text),
            Self::Sequence(all) => {
                for normalizer in all {
                    normalizer.normalize_within(text, bytes, worked)?;
                }
            }
        }
        call::check()?;
        *worked = worked.saturating_add(text.text().len());
        if *worked > max.saturating_mul(MOST_STEPS) {
            return Err(too_long());
        }
        check(text.text().len())
    }

    /// The factor by which a text may become longer, but for what is put before it. Unicode's forms and lower case do the same
    /// again to what another one made, and so does a charsmap to what they made, as those of published models: the largest of
    /// their factors counts once. What comes after a charsmap may change all it made.
    pub(crate) fn growth(&self) -> usize {
        let (mut all, mut row, mut has_charsmap) = (1_usize, 1, false);
        for step in self.steps() {
            let factor = step.own_growth();
            let is_charsmap = matches!(step, Self::Charsmap(_) | Self::SentencePiece(_));
            let is_form = matches!(step, Self::Form(_) | Self::Bert(_) | Self::Lowercase);
            if has_charsmap && (is_charsmap || is_form) {
                (all, row, has_charsmap) = (all.saturating_mul(row), 1, false);
            }
            if is_charsmap || is_form {
                row = factor.max(row);
                has_charsmap |= is_charsmap;
            } else {
                all = all.saturating_mul(factor);
            }
        }
        all.saturating_mul(row)
    }

    /// The factor of a step that is no sequence.
    fn own_growth(&self) -> usize {
        match self {
            Self::Form(Form::Nfkc | Form::Nfkd) => 11,
            Self::Form(_) | Self::Bert(_) | Self::Lowercase => 3,
            Self::Charsmap(charsmap) => charsmap.growth(),
            Self::SentencePiece(all) => all.growth(),
            Self::ByteLevel => 2,
            Self::Replace(replace) => {
                let (made, gone) = (replace.content.len(), replace.matcher.text().map_or(0, str::len));
                // An expression may match where nothing is.
                if gone == 0 { made + 1 } else { made.div_ceil(gone).max(1) }
            }
            Self::Language(_) => 4,
            Self::Strip { .. }
            | Self::StripAccents
            | Self::Prepend(_)
            | Self::Nmt
            | Self::CollapseWhitespace
            | Self::RemoveControls
            | Self::Sequence(_) => 1,
        }
    }

    /// Whether every text but the longest stays within [`longest`], and near it: then nobody need look at what it becomes.
    pub(crate) fn stays_small(&self) -> bool {
        let put_before = |step: &&Self| if let Self::Prepend(prefix) = step { prefix.len() } else { 0 };
        let put_before: usize = self.steps().iter().map(put_before).sum();
        self.growth() <= MOST_GROWTH && put_before <= MOST_PUT_BEFORE
    }

    /// Its name in a tokenizer.json, for errors.
    fn name(&self) -> String {
        match self {
            Self::Form(form) => format!("{form:?}").to_uppercase(),
            Self::Replace(replace) => {
                let what = match replace.matcher.expression() {
                    Expression::Text(text) => text,
                    Expression::Regex(pattern) | Expression::FancyRegex(pattern) => pattern,
                };
                let short = |text: &str| text.chars().take(SHOWN).collect::<String>();
                format!("Replace {:?} by {:?}", short(what), short(&replace.content))
            }
            Self::Prepend(_) => "Prepend".to_owned(),
            Self::ByteLevel => "ByteLevel".to_owned(),
            Self::Charsmap(_) => "Precompiled".to_owned(),
            Self::SentencePiece(_) => "of a SentencePiece model".to_owned(),
            Self::Bert(_) => "BertNormalizer".to_owned(),
            Self::Lowercase => "Lowercase".to_owned(),
            Self::Language(_) => "of a language".to_owned(),
            _ => "Sequence".to_owned(),
        }
    }

    /// Whether there is a text that the normalizer puts in, changes or drops something of; to spell bytes is none of these.
    pub fn may_change(&self) -> bool {
        match self {
            Self::ByteLevel => false,
            Self::Bert(bert) => bert.may_change(),
            Self::Strip { left, right } => *left || *right,
            Self::Prepend(prefix) => !prefix.is_empty(),
            Self::SentencePiece(all) => all.may_change(),
            Self::Sequence(all) => all.iter().any(Self::may_change),
            _ => true,
        }
    }

    /// Whether the start of a text becomes something else than the same text would behind another one.
    pub(crate) fn changes_starts(&self) -> bool {
        match self {
            Self::Prepend(_) => true,
            Self::Strip { left, .. } => *left,
            Self::SentencePiece(all) => all.changes_starts(),
            Self::Sequence(all) => all.iter().any(Self::changes_starts),
            _ => false,
        }
    }

    /// The same normalizer for a text that goes on where another one ends.
    pub fn inside(&self) -> Self {
        match self {
            Self::Prepend(_) => Self::Sequence(vec![]),
            Self::Strip { right, .. } => Self::Strip { left: false, right: *right },
            Self::SentencePiece(all) => Self::SentencePiece(Box::new(all.inside())),
            Self::Sequence(all) => Self::Sequence(all.iter().map(Self::inside).collect()),
            other => other.clone(),
        }
    }
}

/// Normalizers of a sequence that each may make the longest text there is; of shorter texts there may be more.
const MOST_STEPS: usize = 64;

/// The largest factor of normalizers that fast paths run. A little more than [`longest`] allows, as the factors are upper
/// bounds: of a charsmap with compatible forms and a space mark it is 44.
pub(crate) const MOST_GROWTH: usize = 64;

/// Most bytes before a text in fast paths.
const MOST_PUT_BEFORE: usize = 4096;

/// Characters of a pattern that an error shows.
const SHOWN: usize = 40;

/// The most bytes that a text of `bytes` bytes may become. Unicode's forms make up to 11 of one; a chain of replacements
/// can make any number, and a file of 2 kB so fill the memory. Never more than a span can hold.
pub(crate) fn longest(bytes: usize) -> usize {
    (1_usize << 20).saturating_add(bytes.saturating_mul(32)).min(u32::MAX as usize)
}

/// Lower case, character by character; letters of ASCII in place.
fn lowercase(text: &mut AlignedText) {
    text.make_ascii_lowercase();
    let changes = |c: &char| !c.is_ascii() && lower(*c).ne([*c]);
    let mut parts = text
        .text()
        .char_indices()
        .filter(|(_, c)| changes(c))
        .map(|(at, c)| {
            let small = lower(c).enumerate();
            let put = small.map(|(n, c)| if n == 0 { Change::Become(c) } else { Change::Insert(c) });
            (at..at + c.len_utf8(), put)
        })
        .peekable();
    if parts.peek().is_some() {
        *text = text.rewritten(parts);
    }
}

#[cfg(test)]
mod tests;
