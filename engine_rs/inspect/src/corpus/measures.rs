//! What is counted: the measures and the sums of each. **These are the definitions.**
//!
//! A *boundary* of a document is a byte offset inside it, so neither 0 nor its length, at which a token that holds bytes of
//! the document starts or ends. A token *overlaps* a range of the document if both have a byte in common. Tokens need not
//! be contiguous (BERT drops white space) and several may hold one character (byte fallback): spans say what they hold. A
//! token that holds no byte of the document, such as a space that a normalizer puts in, counts as a token and overlaps
//! nothing. Spans are those of the model: what a postprocessor takes out of them is still in them. White space is the property `White_Space` of Unicode, a digit is one of `0` to `9`.

use super::errors::CorpusError;

/// Names of the measures, in the order of [`Measure`]. `tokens` is always counted.
pub const NAMES: [&str; 8] = ["tokens", "words", "unknown", "utf8", "digits", "spaces", "round_trip", "agreement"];

/// One measure. Each costs time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Measure {
    /// Tokens, occurrences of each id, documents by length.
    Tokens,
    /// How words are split.
    Words,
    /// What the vocabulary lacks.
    Unknown,
    /// Tokens and characters.
    Utf8,
    /// How numbers are split.
    Digits,
    /// Boundaries next to white space.
    Spaces,
    /// What decoding gives back.
    RoundTrip,
    /// Boundaries that pairs of tokenizers share.
    Agreement,
}

/// A set of measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measures(u8);

impl Measures {
    /// All there are.
    pub const ALL: Self = Self(u8::MAX);

    /// The measures of these names, and `tokens`.
    ///
    /// Errors: a name that no measure has.
    ///
    /// ```
    /// # use token_inspect::corpus::measures::{Measure, Measures};
    /// let measures = Measures::named(["words"]).unwrap();
    /// assert!(measures.has(Measure::Tokens) && measures.has(Measure::Words) && !measures.has(Measure::Utf8));
    /// assert!(Measures::named(["wrods"]).is_err());
    /// ```
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, CorpusError> {
        names.into_iter().try_fold(Self(1), |set, name| match NAMES.iter().position(|known| *known == name) {
            Some(at) => Ok(Self(set.0 | 1 << at)),
            None => Err(CorpusError::Measure { name: name.to_owned() }),
        })
    }

    /// Whether a measure is in the set.
    pub fn has(self, measure: Measure) -> bool {
        self.0 >> measure as u8 & 1 == 1
    }

    /// Names of those in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.into_iter().enumerate().filter(move |&(at, _)| self.0 >> at & 1 == 1).map(|(_, name)| name)
    }

    pub(super) fn bits(self) -> u8 {
        self.0
    }

    pub(super) fn of_bits(bits: u8) -> Self {
        Self(bits | 1)
    }

    /// Whether a measure needs the span of each token.
    pub(super) fn need_spans(self) -> bool {
        [Measure::Unknown, Measure::Utf8].iter().any(|&measure| self.has(measure)) || self.need_marks()
    }

    /// Whether a measure asks which offsets are boundaries.
    pub(super) fn need_marks(self) -> bool {
        [Measure::Words, Measure::Digits, Measure::Spaces, Measure::Agreement].iter().any(|&measure| self.has(measure))
    }
}

/// Declares sums with their measure, their name for others, and their definition.
macro_rules! sums {
    ($(#[$meta:meta])* $name:ident: $($(#[doc = $doc:expr])+ $variant:ident = $key:literal of $measure:ident,)+) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $name {
            /// All of them, in their order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
            /// How many there are.
            pub(crate) const COUNT: usize = Self::ALL.len();

            /// The name that others use.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key),+
                }
            }

            /// The measure it belongs to: without that it is not counted.
            pub fn measure(self) -> Measure {
                match self {
                    $(Self::$variant => Measure::$measure),+
                }
            }
        }
    };
}

sums! {
    /// A sum over the documents of a group under one tokenizer.
    Sum:
    /// Tokens.
    Tokens = "tokens" of Tokens,
    /// Sum over the words of the tokens that overlap each. A word is a maximal run of characters that are not white space.
    WordTokens = "word_tokens" of Words,
    /// Words that two or more tokens overlap.
    ContinuedWords = "continued_words" of Words,
    /// As `word_tokens` for the words of UAX 29 that hold a letter or a number (`Alphabetic` or `N*`).
    WordTokensUnicode = "word_tokens_unicode" of Words,
    /// As `continued_words` for the same words.
    ContinuedWordsUnicode = "continued_words_unicode" of Words,
    /// Tokens whose id is the unknown token's. 0 for a tokenizer that has none: see `unknown_characters`.
    UnknownTokens = "unknown_tokens" of Unknown,
    /// Code points that overlap the span of an unknown token, each counted once. BPE without an unknown token leaves out
    /// what its vocabulary lacks: there, code points other than white space with a byte that no token holds.
    UnknownCharacters = "unknown_characters" of Unknown,
    /// Tokens that hold whole characters: the span is not empty, starts and ends between characters, and does not overlap
    /// the spans of the neighbouring tokens.
    WholeCharacterTokens = "whole_character_tokens" of Utf8,
    /// Tokens that overlap two or more characters and start or end inside one.
    CrossingTokens = "crossing_tokens" of Utf8,
    /// Characters that two or more tokens hold: a token starts inside, or two spans overlap there.
    SplitCharacters = "split_characters" of Utf8,
    /// Offsets that count both as `digit_predicted` and as `digit_expected`.
    DigitTrue = "digit_true" of Digits,
    /// Boundaries inside maximal runs of digits.
    DigitPredicted = "digit_predicted" of Digits,
    /// Offsets inside maximal runs of digits with a multiple of three digits from there to the end of the run.
    DigitExpected = "digit_expected" of Digits,
    /// Maximal runs of white space with other text of the document on both sides.
    SpaceRuns = "space_runs" of Spaces,
    /// Those of the runs with a boundary at the start, inside or at the end. In the others a token bridges two words.
    SpaceBoundaries = "space_boundaries" of Spaces,
    /// Those of the runs with a boundary at the start.
    SpaceBoundariesBefore = "space_boundaries_before" of Spaces,
    /// Those of the runs with a boundary at the end.
    SpaceBoundariesAfter = "space_boundaries_after" of Spaces,
    /// Documents that decoding their ids gives back, special tokens not skipped.
    ExactDocuments = "exact_documents" of RoundTrip,
    /// Documents that decoding gives back up to NFC: both texts have the same NFC.
    NfcDocuments = "nfc_documents" of RoundTrip,
    /// Documents whose decoded text has the same ids again.
    StableDocuments = "stable_documents" of RoundTrip,
}

sums! {
    /// A sum over the documents of a group, whatever the tokenizer.
    TextSum:
    /// Documents.
    Documents = "documents" of Tokens,
    /// Bytes of UTF-8.
    Bytes = "bytes" of Tokens,
    /// Code points.
    Characters = "characters" of Tokens,
    /// Code points of two bytes and more.
    MultibyteCharacters = "multibyte_characters" of Tokens,
    /// Line ends (U+000A), and the last line of each document where it has text and no line end.
    Lines = "lines" of Tokens,
    /// Maximal runs of characters that are not white space.
    Words = "words" of Words,
    /// Words of UAX 29 that hold a letter or a number.
    WordsUnicode = "words_unicode" of Words,
}

/// Sums of one group.
pub type Sums = [u64; Sum::COUNT];
/// Sums of the texts of one group.
pub(crate) type TextSums = [u64; TextSum::COUNT];
