//! What can go wrong, typed, each with the value, the place and the way out.
//!
//! A message is "problem; hint", and the hint holds no other "; " ([`parts`]). Everybody reads it: a Python programmer, a
//! person in the window, a person at a terminal. So it names an option as `` `max_length` ``, in backquotes, and never as a
//! call of Python or an option of the command line; whoever shows the message may spell such a name in the reader's way.
//!
//! Not here: how these become Python exceptions (`engine_rs/python/src/errors.rs`).

use std::fmt;

use thiserror::Error;

use crate::call::{Adds, Cancelled};
use crate::ids::Id;

/// Problem and hint of a message of this module. The problem may quote a text with any characters, the hint quotes none.
///
/// ```
/// # use token_engine::internals::error::parts;
/// assert_eq!(parts("\"a; b\" is too long; take less"), ("\"a; b\" is too long", "take less"));
/// assert_eq!(parts("no hint"), ("no hint", ""));
/// ```
#[must_use]
pub fn parts(message: &str) -> (&str, &str) {
    message.rsplit_once("; ").unwrap_or((message, ""))
}

/// Where in a file something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
    /// A path into a JSON document, `model.vocab` for instance.
    Path(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, " line {line}"),
            Self::Byte(byte) => write!(f, " byte {byte}"),
            Self::Path(path) => write!(f, " at {path}"),
        }
    }
}

/// A file that is no tokenizer, or not the one that was asked for.
///
/// ```
/// # use token_engine::{LoadError, Place};
/// let error = LoadError::new("merges.txt", Place::Line(812), "right part \"foo\" is not in the vocabulary")
///     .hint("the two files may come from different tokenizers");
/// assert_eq!(
///     error.to_string(),
///     "merges.txt line 812: right part \"foo\" is not in the vocabulary; the two files may come from different tokenizers"
/// );
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}{place}: {problem}{}{hint}", if hint.is_empty() { "" } else { "; " })]
pub struct LoadError {
    /// Name of the file, as the caller gave it.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is wrong, with the value.
    pub problem: String,
    /// What to do about it; empty where there is nothing to say.
    pub hint: String,
}

impl LoadError {
    /// An error without a hint.
    pub fn new(file: impl Into<String>, place: Place, problem: impl Into<String>) -> Self {
        Self { file: file.into(), place, problem: problem.into(), hint: String::new() }
    }

    /// The same error with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// A tokenizer that a format cannot hold.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{format} cannot hold {what}: {problem}")]
pub struct SaveError {
    /// The format.
    pub(crate) format: String,
    /// The part of the tokenizer.
    pub(crate) what: String,
    /// Why.
    pub(crate) problem: String,
}

impl SaveError {
    /// An error.
    pub(crate) fn new(format: impl Into<String>, what: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { format: format.into(), what: what.into(), problem: problem.into() }
    }
}

/// A text that cannot be encoded as asked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The text spells a special token and the caller asked for that to be refused.
    #[error(
        "the text spells the special token {token:?} at byte {byte}; set `specials` to \"text\" to read it as ordinary text, or to \"parse\" to let it stand for the token"
    )]
    SpecialInText {
        /// The special token.
        token: String,
        /// Where it starts, in bytes of the text.
        byte: usize,
    },
    /// The text has what the vocabulary lacks, and there is no unknown token to stand for it.
    #[error(
        "{text:?} at byte {byte} is not in the vocabulary, and the tokenizer has no unknown token to stand for it; add one to the model"
    )]
    NoUnknown {
        /// The part of the text.
        text: String,
        /// Where it starts, in bytes of the text.
        byte: usize,
    },
    /// Bytes that are not UTF-8, of a model that knows characters alone.
    #[error(
        "the byte 0x{byte:02X} at {at} is not UTF-8, and this model ({model}) encodes text alone; decode the bytes to text first, with U+FFFD for those that are not UTF-8"
    )]
    NotUtf8 {
        /// The first byte that is not UTF-8.
        byte: u8,
        /// Its index in the data.
        at: usize,
        /// The model in a few words.
        model: String,
    },
    /// A byte without a token.
    #[error(
        "the byte 0x{byte:02X} at {at} has no token in this vocabulary; decode the bytes to text first, with U+FFFD for those that are not UTF-8"
    )]
    NoByte {
        /// The byte.
        byte: u8,
        /// Its index in the data.
        at: usize,
    },
    /// Spans are 32-bit.
    #[error("the text has {bytes} bytes, more than the {max} that one call can span; encode it in parts", max = u32::MAX)]
    TooLong {
        /// Length of the text in bytes.
        bytes: usize,
    },
    /// The tokens of the postprocessor alone are longer than a text may be.
    #[error(
        "max_length is {max_length}, but the special tokens alone are {added}; set `max_length` to {added} or more, or leave them out"
    )]
    NoRoom {
        /// The length asked for.
        max_length: usize,
        /// Number of tokens that the postprocessor adds.
        added: usize,
    },
    /// Parts that overlap by more than their length.
    #[error(
        "stride is {stride}, but a part has room for {room} tokens of a text; lower `stride` or raise `max_length`"
    )]
    Stride {
        /// The overlap asked for.
        stride: usize,
        /// Number of tokens of the text that a part may have.
        room: usize,
    },
    /// Only the second of two texts may be truncated, and there is one.
    #[error(
        "only the second text may be truncated, and there is none; give a pair, or set `truncation` to \"only_first\" or \"longest_first\""
    )]
    NoPair,
    /// The text that may be truncated has too few tokens.
    #[error(
        "{excess} tokens are too many, but the text that may be truncated has {length} and must keep one; raise `max_length`, or set `truncation` to \"longest_first\""
    )]
    TooShort {
        /// Tokens of the text.
        length: usize,
        /// Tokens that would have to go.
        excess: usize,
    },
    /// Every part of one text goes with every part of the other.
    #[error(
        "truncating both texts makes more than {max} pairs of parts; raise `max_length`, or truncate one of them only"
    )]
    TooManyParts {
        /// How many there may be.
        max: usize,
    },
    /// Padding without a token for it.
    #[error(
        "the tokenizer has no padding token; add a special token for it, \"<pad>\" for instance, or encode without padding"
    )]
    NoPadToken,
    /// The padding token of the file is not in its vocabulary.
    #[error("the file pads with {token:?}, whose id {id} no token has; add it as a special token")]
    PadTokenMissing {
        /// Its spelling.
        token: String,
        /// Its id.
        id: Id,
    },
    /// More tokens than a call may add to those of its texts.
    #[error(
        "{} would add {tokens} tokens, and one call may add {max} beyond those of its texts{}; {}",
        match by { Adds::Padding => "padding", Adds::Overlap => "parts that overlap", Adds::Template => "the template" },
        of_which(*used, "added"),
        match by {
            Adds::Padding => "pad to a shorter length, or encode fewer texts in one call",
            Adds::Overlap => "lower `stride`, raise `max_length`, or encode the text in parts",
            Adds::Template => "encode shorter texts, or mend the template of the tokenizer",
        }
    )]
    TooManyAdded {
        /// What would add them.
        by: Adds,
        /// How many it would add.
        tokens: usize,
        /// The most that a call may add.
        max: usize,
        /// What the call has added.
        used: usize,
    },
    /// A stretch of text with more segmentations than can be kept.
    #[error(
        "{bytes} bytes of text without a split point have segmentations of more than {max} tokens; draw or list fewer, or those of a shorter text"
    )]
    LatticeTooLarge {
        /// Length of the stretch.
        bytes: usize,
        /// The most there may be.
        max: usize,
    },
    /// Dropout of a model that merges nothing.
    #[error("the model is {model}, which merges nothing that could be left out; dropout is for BPE")]
    NoDropout {
        /// The model in a few words.
        model: String,
    },
    /// Merges of a SentencePiece model left out.
    #[error("no merge of a SentencePiece model ({model}) is left out; load a tokenizer.json made from it for dropout")]
    AllMerges {
        /// The model in a few words.
        model: String,
    },
    /// Scores of a model that has none.
    #[error(
        "the model is {model}, whose tokens have no probabilities; only Unigram has more than one segmentation of a text"
    )]
    NoScores {
        /// The model in a few words.
        model: String,
    },
    /// More ids than memory should hold.
    #[error(
        "the {count} best ways have up to {tokens} tokens each, more than {max} together; ask for fewer ways, or for a part of the text"
    )]
    TooManyWays {
        /// How many ways there are.
        count: usize,
        /// Tokens of the longest.
        tokens: usize,
        /// The most ids there may be.
        max: usize,
    },
    /// A normalizer that makes a text much longer.
    #[error(
        "the normalizer {normalizer} makes more than {max} bytes of {bytes} bytes of text; encode a shorter text, or mend the normalizer"
    )]
    NormalizedTooLong {
        /// The normalizer in a few words.
        normalizer: String,
        /// Bytes of the text before the whole normalizer.
        bytes: usize,
        /// The most bytes it may become.
        max: usize,
    },
    /// Many texts that a normalizer makes much longer.
    #[error(
        "the normalizer makes {made} bytes of {bytes} bytes of text, and one call may make {max} beyond 32 for each byte of its texts{}; encode fewer texts in one call, or mend the normalizer",
        of_which(*used, "made")
    )]
    NormalizedTooMuch {
        /// Bytes that the normalizer makes of one text.
        made: usize,
        /// Bytes of that text.
        bytes: usize,
        /// The most that a call may make.
        max: usize,
        /// What the call has made.
        used: usize,
    },
    /// The call was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A trace of a text that is too long.
    #[error(
        "the {what} has {characters} characters, more than the {max} that are traced; trace a part of it",
        what = if *.is_normalized { "normalized text" } else { "text" }
    )]
    TraceTooLong {
        /// Whether the normalized text is too long, and not the text itself.
        is_normalized: bool,
        /// Length in characters.
        characters: usize,
        /// The most that is traced.
        max: usize,
    },
    /// A pattern of a normalizer or pretokenizer.
    #[error(transparent)]
    PatternLimit(#[from] PatternLimit),
}

impl EncodeError {
    /// The same error of a text of which the one that was encoded is the part from byte `by` on.
    #[must_use]
    pub(crate) fn moved(mut self, by: usize) -> Self {
        if let Self::SpecialInText { byte, .. } | Self::NoUnknown { byte, .. } = &mut self {
            *byte += by;
        }
        self
    }
}

/// A pattern that tries too many ways to match a text, as `(a|a)*b` does.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "the pattern {pattern:?} {problem}; write it so that there are fewer ways to match, or encode the text in parts"
)]
pub struct PatternLimit {
    /// The pattern, as its author wrote it.
    pub(crate) pattern: String,
    /// What the matcher says.
    pub(crate) problem: String,
}

/// A text that is no pattern.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the pattern {pattern:?}: {problem}")]
pub struct PatternError {
    /// The pattern, as its author wrote it.
    pub pattern: String,
    /// What is wrong.
    pub problem: String,
}

/// A vocabulary that cannot be truncated.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TruncateError {
    /// WordPiece and WordLevel say nothing of which token came first; a `.model` of SentencePiece is not truncated.
    #[error("this vocabulary cannot be truncated to a size; BPE and Unigram of a tokenizer.json, and rank files, can")]
    NoOrder,
    /// Characters, bytes and added tokens must stay.
    #[error("{asked} tokens are too few: {least} must stay, which are characters, bytes and added tokens")]
    TooSmall {
        /// The size asked for.
        asked: usize,
        /// The smallest that can be.
        least: usize,
    },
}

/// Ids that cannot be decoded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// No token has this id.
    #[error(
        "id {id} at position {position} is {}; were these ids made by another tokenizer?",
        if (*id as usize) < *id_bound {
            "that of no token: the ids of this vocabulary have holes".to_owned()
        } else {
            format!("not in the vocabulary, whose ids are below {id_bound}")
        }
    )]
    UnknownId {
        /// The id.
        id: Id,
        /// Its index in the list of ids.
        position: usize,
        /// One more than the largest id.
        id_bound: usize,
    },
    /// A pattern of the decoder.
    #[error(transparent)]
    PatternLimit(#[from] PatternLimit),
    /// A decoder, or tokens, that make a text much longer than its ids.
    #[error(
        "{ids} ids are {made} bytes or more, and one call may make {max} beyond 32 for each id{}; decode fewer ids in one call, or mend the tokenizer",
        of_which(*used, "made")
    )]
    TooLong {
        /// How many ids there are.
        ids: usize,
        /// Bytes that would be made, at least.
        made: usize,
        /// The most that a call may make.
        max: usize,
        /// What the call has made.
        used: usize,
    },
    /// The call was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// How much of its limit a call has used, for a message.
fn of_which(used: usize, done: &str) -> String {
    if used == 0 { String::new() } else { format!(", {used} of which it has {done}") }
}
