//! From text to pretokens: the slices that a model sees one at a time. One file per pretokenizer.

pub mod bert;
pub mod byte_level;
pub mod characters;
pub mod metaspace;
pub mod scanners;
pub(crate) mod simple;
pub mod split;
pub(crate) mod unicode_scripts;

use crate::alignment::{Behavior, Part};
use crate::error::EncodeError;
use crate::pretokens::Pretokens;
use byte_level::ByteLevel;
use metaspace::{Metaspace, Prepend};
use scanners::Pattern;
use split::Split;

/// A pretokenizer of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Pretokenizer {
    /// BERT's words and punctuation.
    Bert,
    /// A pattern known by name; the pretokens are its matches.
    Pattern(Pattern),
    /// GPT-2's pattern, then bytes spelled in the byte alphabet.
    ByteLevel(ByteLevel),
    /// Splits at the matches of an expression.
    Split(Split),
    /// Runs of word characters and runs of everything else; white space is dropped.
    Whitespace,
    /// Splits at white space, which is dropped.
    WhitespaceSplit,
    /// Splits at punctuation.
    Punctuation(Behavior),
    /// Splits numbers off.
    Digits {
        /// Every digit for itself, not runs of them.
        individual: bool,
    },
    /// Spaces written as a visible character, each the start of a word.
    Metaspace(Metaspace),
    /// Splits at a character, which is dropped.
    CharDelimiter(char),
    /// Splits where the script changes.
    UnicodeScripts,
    /// Pretokens of so many characters; 0 does nothing.
    FixedLength(usize),
    /// One after the other.
    Sequence(Vec<Pretokenizer>),
}

/// Takes the parts of a text one by one.
pub type Each<'a> = dyn FnMut(Part<'_>) -> Result<(), EncodeError> + 'a;

impl From<Pattern> for Pretokenizer {
    fn from(pattern: Pattern) -> Self {
        Self::Pattern(pattern)
    }
}

impl Pretokenizer {
    /// Splits, and where it is part of the kind changes, every pretoken that is no added token.
    ///
    /// Errors: a pattern that tries too many ways to match.
    pub(crate) fn pretokenize(&self, pretokens: &mut Pretokens) -> Result<(), EncodeError> {
        pretokens.try_split(|pretoken, each| self.split(&pretoken, each))
    }

    /// Calls `each` with the pretokens of a part of a text, one after the other: none is kept, so a long text takes no more
    /// memory than a short one. No pretoken is empty.
    ///
    /// Errors: a pattern that tries too many ways to match; those of `each`, the first of which ends it.
    pub(crate) fn split(&self, part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
        match self {
            Self::Bert => bert::split_part(part, each),
            Self::Pattern(pattern) => scanners::split(*pattern, part, each),
            Self::ByteLevel(byte_level) => byte_level.split(part, each),
            Self::Split(split) => split.split(part, each),
            Self::Whitespace => simple::whitespace(part, each),
            Self::WhitespaceSplit => simple::whitespace_split(part, each),
            Self::Punctuation(behavior) => simple::punctuation(part, *behavior, each),
            Self::Digits { individual } => simple::digits(part, *individual, each),
            Self::Metaspace(metaspace) => metaspace.split(part, each),
            Self::CharDelimiter(delimiter) => simple::delimiter(part, *delimiter, each),
            Self::UnicodeScripts => unicode_scripts::split(part, each),
            Self::FixedLength(length) => simple::fixed_length(part, *length, each),
            Self::Sequence(all) => one_after_the_other(all, part, each),
        }
    }

    /// The pretokenizers of a sequence in order, sequences within it included; else this one.
    pub fn steps(&self) -> Vec<&Self> {
        match self {
            Self::Sequence(all) => all.iter().flat_map(Self::steps).collect(),
            one => vec![one],
        }
    }

    /// This one, then every byte spelled in the byte alphabet; GPT-2's pattern is a part of that step. Sequences are not
    /// nested.
    #[must_use]
    pub(crate) fn then_bytes(self) -> Self {
        let bytes = Self::ByteLevel(ByteLevel::ALONE);
        match self {
            Self::Pattern(Pattern::R50k) => Self::ByteLevel(ByteLevel { use_regex: true, ..ByteLevel::ALONE }),
            Self::Sequence(all) => Self::Sequence(all.into_iter().chain([bytes]).collect()),
            one => Self::Sequence(vec![one, bytes]),
        }
    }

    /// Whether it runs a regular expression that no scanner knows.
    pub(crate) fn runs_regex(&self) -> bool {
        match self {
            Self::Split(split) => split.runs_regex(),
            Self::Sequence(all) => all.iter().any(Self::runs_regex),
            _ => false,
        }
    }

    /// The same pretokenizer for a text that continues another one: it puts nothing before it.
    #[must_use]
    pub(crate) fn inside(&self) -> Self {
        match self {
            Self::Metaspace(metaspace) => Self::Metaspace(Metaspace { prepend: Prepend::Never, ..*metaspace }),
            Self::ByteLevel(bytes) => Self::ByteLevel(ByteLevel { add_prefix_space: false, ..*bytes }),
            Self::Sequence(all) => Self::Sequence(all.iter().map(Self::inside).collect()),
            other => other.clone(),
        }
    }
}

/// Every part goes through all of them before the next one is looked for.
fn one_after_the_other(all: &[Pretokenizer], part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
    match all {
        [] => each(part.clone()),
        [first, others @ ..] => first.split(part, &mut |part| one_after_the_other(others, &part, each)),
    }
}

#[cfg(test)]
mod tests;
