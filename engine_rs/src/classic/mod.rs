//! The textbook encoders of byte-pair encoding, with their steps counted: lessons for people, oracles for the tests.
//!
//! All but [`Algorithm::Naive`] and [`Algorithm::Integers`] give the ids of the tokenizer they are run on. Those two do
//! not split the text first, so they also merge across the places where the tokenizer splits.
//! Not here: the encoders that people use ([`crate::models::bpe`]), training for real vocabularies.

mod chain;
pub mod integers;
pub mod linked_list;
pub mod naive;
pub mod ordered_set;
#[cfg(test)]
mod tests;

use thiserror::Error;

use crate::added_tokens::{Segment, Specials};
use crate::encoding::{IdsAndEnds, Sink};
use crate::error::EncodeError;
use crate::ids::Id;
use crate::offsets::Span;
use crate::pipelines::byte_level::ByteLevelBpe;
use crate::tokenizer::{Pipeline, Tokenizer};

/// Symbols that a quadratic algorithm takes at once: 32,768 of them are half a billion look-ups at worst.
pub const MAX_SYMBOLS: usize = 32_768;

/// One of the textbook encoders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The merge loop over the whole text.
    Naive,
    /// The merge loop over each pretoken.
    NaiveSplit,
    /// A priority queue that is an ordered set, over each pretoken.
    OrderedSet,
    /// A priority queue over a linked list in a vector, with lazy validation, over each pretoken.
    LinkedList,
    /// Integers: the pair that was learnt first merges everywhere at once, over the whole text.
    Integers,
}

/// What an encoder did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Merges made.
    pub merges: u64,
    /// Times that the table of merges was asked for the rank of a pair.
    pub lookups: u64,
    /// Symbols moved because one before them went.
    pub moves: u64,
    /// Entries put into the queue.
    pub pushes: u64,
    /// Entries taken from its front.
    pub pops: u64,
    /// Those of them whose pair was gone.
    pub stale: u64,
    /// Entries taken out of its middle.
    pub removals: u64,
}

impl Steps {
    /// Names and values, in the order above.
    pub fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("merges", self.merges),
            ("lookups", self.lookups),
            ("moves", self.moves),
            ("pushes", self.pushes),
            ("pops", self.pops),
            ("stale", self.stale),
            ("removals", self.removals),
        ]
    }
}

/// Why a text cannot be encoded this way.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ClassicError {
    /// The tokenizer is of another kind.
    #[error("the classic encoders merge bytes, and this tokenizer is {model}; choose a byte-level BPE tokenizer")]
    NotByteLevel {
        /// What it is.
        model: String,
    },
    /// The time would grow with the square of the length.
    #[error(
        "{algorithm} takes up to {MAX_SYMBOLS} bytes at once and got {bytes}; take a shorter text, or an encoder with a queue"
    )]
    TooLong {
        /// Name of the encoder.
        algorithm: &'static str,
        /// Length of the text, or of a pretoken.
        bytes: usize,
    },
    /// As with any encoder.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl Algorithm {
    /// All of them, the simplest first.
    pub const ALL: [Self; 5] = [Self::Naive, Self::NaiveSplit, Self::OrderedSet, Self::LinkedList, Self::Integers];

    /// What programs call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::NaiveSplit => "naive-split",
            Self::OrderedSet => "ordered-set",
            Self::LinkedList => "linked-list",
            Self::Integers => "integers",
        }
    }

    /// In a few words, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Naive => "merge loop over the whole text",
            Self::NaiveSplit => "merge loop over each pretoken",
            Self::OrderedSet => "ordered set of pairs, over each pretoken",
            Self::LinkedList => "heap of pairs over a linked list, over each pretoken",
            Self::Integers => "every occurrence of the first-learnt pair at once, over the whole text",
        }
    }

    /// The encoder of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Whether it works on pretokens, so that its ids are those of the tokenizer.
    pub fn splits(self) -> bool {
        !matches!(self, Self::Naive | Self::Integers)
    }

    /// Whether its time grows with the square of the length.
    fn is_quadratic(self) -> bool {
        matches!(self, Self::Naive | Self::NaiveSplit | Self::Integers)
    }
}

/// Ids and ends of `text`, and the steps it took; nothing added.
///
/// ```
/// # use token_engine::added_tokens::Specials;
/// # use token_engine::classic::{self, Algorithm};
/// # use token_engine::{formats::tiktoken, pretokenizers::scanners::Pattern, vocab::Vocab};
/// let mut vocab = Vocab::default();
/// for byte in 0..=255u8 {
///     vocab.insert(byte.into(), &[byte]).unwrap();
/// }
/// vocab.insert(256, b"aa").unwrap();
/// let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
/// let (tokens, steps) = classic::encode(&tokenizer, "aaa", Specials::Text, Algorithm::Naive).unwrap();
/// assert_eq!((tokens.ids, tokens.ends), (vec![256, 97], vec![2, 3]));
/// assert_eq!((steps.merges, steps.lookups, steps.moves), (1, 3, 1));
/// ```
///
/// Errors: a tokenizer that is not byte-level BPE; a text too long for a quadratic encoder; what
/// [`Tokenizer::encode_into`] refuses.
pub fn encode(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
    algorithm: Algorithm,
) -> Result<(IdsAndEnds, Steps), ClassicError> {
    let Pipeline::ByteLevelBpe(pipeline) = &tokenizer.parts().pipeline else {
        return Err(ClassicError::NotByteLevel { model: tokenizer.stages().model });
    };
    let mut run = Run { tokenizer, pipeline, algorithm, out: IdsAndEnds::default(), steps: Steps::default() };
    for segment in tokenizer.segments(text, specials)? {
        match segment {
            Segment::Token(found, span) => run.out.push_added(found.id, span, found.special),
            Segment::Text(span) => run.segment(text, span)?,
        }
    }
    Ok((run.out, run.steps))
}

/// One call of [`encode`].
struct Run<'a> {
    tokenizer: &'a Tokenizer,
    pipeline: &'a ByteLevelBpe,
    algorithm: Algorithm,
    out: IdsAndEnds,
    steps: Steps,
}

impl Run<'_> {
    /// A stretch between special tokens.
    fn segment(&mut self, text: &str, span: Span) -> Result<(), ClassicError> {
        let segment = &text[span.range()];
        if !self.algorithm.splits() {
            return self.symbols(segment, span.start);
        }
        let mut ends = vec![];
        self.pipeline.pattern().split(segment, |end| ends.push(end));
        let mut start = 0;
        for end in ends {
            let (pretoken, at) = (&segment[start..end], span.start + start as u32);
            match self.pipeline.bpe().whole(self.tokenizer.vocab(), pretoken.as_bytes()) {
                Some(id) => self.out.push(id, Span { start: at, end: span.start + end as u32 }),
                None => self.symbols(pretoken, at)?,
            }
            start = end;
        }
        Ok(())
    }

    /// Merges the bytes of `part`, which starts at byte `start` of the original text.
    fn symbols(&mut self, part: &str, start: u32) -> Result<(), ClassicError> {
        if self.algorithm.is_quadratic() && part.len() > MAX_SYMBOLS {
            return Err(ClassicError::TooLong { algorithm: self.algorithm.name(), bytes: part.len() });
        }
        let bpe = self.pipeline.bpe();
        let symbols: Vec<Id> = part.bytes().map(|byte| bpe.byte_ids()[usize::from(byte)]).collect();
        let (merges, steps) = (bpe.merges(), &mut self.steps);
        let merged = match self.algorithm {
            Algorithm::Naive | Algorithm::NaiveSplit => naive::encode(merges, symbols, steps),
            Algorithm::OrderedSet => ordered_set::encode(merges, symbols, steps),
            Algorithm::LinkedList => linked_list::encode(merges, symbols, steps),
            Algorithm::Integers => integers::encode(merges, symbols, steps),
        };
        let mut at = start;
        for id in merged {
            let end = at + self.tokenizer.vocab().token(id).map_or(0, <[u8]>::len) as u32;
            self.out.push(id, Span { start: at, end });
            at = end;
        }
        Ok(())
    }
}
