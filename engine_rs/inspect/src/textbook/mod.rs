//! The textbook algorithms of byte-pair encoding, which count their steps: for lessons, and to test the fast encoder.
//!
//! All but [`Algorithm::Naive`] and [`Algorithm::Integers`] return the ids of the tokenizer. Those two do not split the
//! text into pretokens, so they also merge across pretokens.
//!
//! Not here: the fast encoder ([`token_engine::models::bpe`]), training of real vocabularies (`token-train`).

mod chain;
pub mod integers;
pub(crate) mod linked_list;
pub mod naive;
pub(crate) mod ordered_set;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use serde::Serialize;
use thiserror::Error;

use token_engine::internals::alignment::Part;
use token_engine::internals::call;
use token_engine::internals::encoding::Sink;
use token_engine::internals::pretokens::AddedTokenMatch;
use token_engine::internals::stages::{Observe, Run, Stages};
use token_engine::models::Model;
use token_engine::models::bpe::ByteBpe;
use token_engine::models::bpe::merges::{Merges, Rank};
use token_engine::{EncodeError, Id, IdsAndEnds, Span, Specials, Tokenizer};

/// The most symbols that a quadratic algorithm accepts: 32,768 take half a billion look-ups at worst.
pub(crate) const MAX_SYMBOLS: usize = 32_768;

/// What a tokenizer is called that merges bytes, or characters in their place.
const BYTE_LEVEL: &str = "byte-level BPE";

/// A textbook algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The merge loop over the whole text.
    Naive,
    /// The merge loop over each pretoken.
    NaiveSplit,
    /// An ordered set of pairs, over each pretoken.
    OrderedSet,
    /// A heap of pairs over a linked list, with lazy validation, over each pretoken.
    LinkedList,
    /// All occurrences of the pair that was learnt first at once, over the whole text.
    Integers,
}

/// The steps of an algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Steps {
    /// Merges.
    pub merges: u64,
    /// Look-ups of a pair in the table of merges.
    pub lookups: u64,
    /// Symbols moved because one before them was removed.
    pub moves: u64,
    /// Entries added to the queue.
    pub pushes: u64,
    /// Entries taken from the front of the queue.
    pub pops: u64,
    /// Popped entries whose pair no longer existed.
    pub stale: u64,
    /// Entries removed from the middle of the queue.
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

/// What an encoder has in hand before the first merge of a pretoken and after each one; [`Algorithm::Integers`] shows nothing.
pub(crate) struct Seen<'a> {
    /// Its rank, and the place of its left part: in the row before it, or of a list, which never moves.
    pub(crate) merge: Option<(Rank, usize)>,
    /// The symbols before any merge, of those that keep them in a row.
    pub(crate) row: &'a [Id],
    pub(crate) queue: Queue<'a>,
    pub(crate) steps: &'a Steps,
}

/// Is told what an encoder does.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(&Seen<'_>);

/// The pairs that an encoder keeps.
pub(crate) enum Queue<'a> {
    None,
    /// Those that left an ordered set since it was seen last, and those that came.
    Set {
        gone: &'a [(Rank, usize)],
        new: &'a [(Rank, usize)],
    },
    /// All of a heap, as they lie in it.
    Heap {
        pairs: &'a [Reverse<(Rank, usize)>],
        chain: &'a chain::Chain,
        merges: &'a Merges,
    },
}

/// Why an algorithm cannot encode a text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TextbookError {
    /// The tokenizer is not byte-level BPE.
    #[error(
        "the textbook encoders merge bytes, and this tokenizer {}; choose a byte-level BPE tokenizer",
        if model == BYTE_LEVEL { "merges characters in the place of bytes".to_owned() } else { format!("is {model}") }
    )]
    NotByteLevel {
        /// Its model.
        model: String,
    },
    /// The text is too long for an algorithm of quadratic time.
    #[error(
        "{algorithm} takes up to {MAX_SYMBOLS} bytes at once and got {bytes}; take a shorter text, or an encoder with a queue"
    )]
    TooLong {
        /// Name of the algorithm.
        algorithm: &'static str,
        /// Length of the text or of a pretoken.
        bytes: usize,
    },
    /// The error of any encoder.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl Algorithm {
    /// All of them, the simplest first.
    pub const ALL: [Self; 5] = [Self::Naive, Self::NaiveSplit, Self::OrderedSet, Self::LinkedList, Self::Integers];

    /// Its name in programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::NaiveSplit => "naive-split",
            Self::OrderedSet => "ordered-set",
            Self::LinkedList => "linked-list",
            Self::Integers => "integers",
        }
    }

    /// A short description for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Naive => "merge loop over the whole text",
            Self::NaiveSplit => "merge loop over each pretoken",
            Self::OrderedSet => "ordered set of pairs, over each pretoken",
            Self::LinkedList => "heap of pairs over a linked list, over each pretoken",
            Self::Integers => "every occurrence of the first-learnt pair at once, over the whole text",
        }
    }

    /// The algorithm with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Whether it splits the text into pretokens, so that its ids are those of the tokenizer.
    pub(crate) fn splits(self) -> bool {
        !matches!(self, Self::Naive | Self::Integers)
    }

    /// Whether its time grows with the square of the length.
    fn is_quadratic(self) -> bool {
        matches!(self, Self::Naive | Self::NaiveSplit | Self::Integers)
    }
}

/// Encodes `text` without the postprocessor. Returns ids and ends in bytes, and the steps it took.
///
/// ```
/// # use token_engine::Specials;
/// # use token_inspect::textbook::{self, Algorithm};
/// # use token_engine::formats::tiktoken;
/// # use token_engine::pretokenizers::scanners::Pattern;
/// # use token_engine::Vocab;
/// let mut vocab = Vocab::default();
/// for byte in 0..=255u8 {
///     vocab.insert(byte.into(), &[byte]).unwrap();
/// }
/// vocab.insert(256, b"aa").unwrap();
/// let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
/// let (tokens, steps) = textbook::encode(&tokenizer, "aaa", Specials::Text, Algorithm::Naive).unwrap();
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
) -> Result<(IdsAndEnds, Steps), TextbookError> {
    run(tokenizer, text, specials, algorithm, naive::encode, &mut |_, _| {})
}

/// The steps alone, in less time.
///
/// Errors: as [`encode`].
pub(crate) fn count(tokenizer: &Tokenizer, text: &str, algorithm: Algorithm) -> Result<Steps, TextbookError> {
    watched(tokenizer, text, Specials::Text, algorithm, &mut |_, _| {})
}

/// The steps. Calls `watch` with what the encoder does, and with the byte of the text where its pretoken starts.
///
/// Errors: as [`encode`].
pub(crate) fn watched(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
    algorithm: Algorithm,
    watch: &mut dyn FnMut(u32, &Seen<'_>),
) -> Result<Steps, TextbookError> {
    Ok(run(tokenizer, text, specials, algorithm, naive::encode_and_count, watch)?.1)
}

/// The merge loop.
type Loop = fn(&Merges, Vec<Id>, &mut Steps, Watch<'_>) -> Vec<Id>;

fn run(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
    algorithm: Algorithm,
    merge_loop: Loop,
    watch: &mut dyn FnMut(u32, &Seen<'_>),
) -> Result<(IdsAndEnds, Steps), TextbookError> {
    let stages @ Stages { model: Model::ByteBpe(model), .. } = tokenizer.as_stages() else {
        return Err(TextbookError::NotByteLevel { model: tokenizer.model_name().to_owned() });
    };
    tokenizer.check(text)?;
    let pretokenizer = stages.pretokenizer.as_ref().filter(|_| algorithm.splits());
    let run = Run::new(&tokenizer.parts().added, specials, None, pretokenizer);
    let (out, steps) = (IdsAndEnds::default(), Steps::default());
    let mut encoder = Encoder { model, algorithm, merge_loop, out, steps, too_long: None, watch };
    run.over(text, 0, &mut encoder)?;
    match encoder.too_long {
        Some(bytes) => Err(TextbookError::TooLong { algorithm: algorithm.name(), bytes }),
        None => Ok((encoder.out, encoder.steps)),
    }
}

/// Encodes the pretokens of one text.
struct Encoder<'a> {
    model: &'a ByteBpe,
    algorithm: Algorithm,
    merge_loop: Loop,
    out: IdsAndEnds,
    steps: Steps,
    /// Bytes of the first pretoken that is too long.
    too_long: Option<usize>,
    watch: &'a mut dyn FnMut(u32, &Seen<'_>),
}

impl Observe for Encoder<'_> {
    fn added_token(&mut self, found: AddedTokenMatch, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        self.out.push_added(found.id, pretoken.span(0..pretoken.text().len()), found.special);
        Ok(())
    }

    fn pretoken(&mut self, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        let text = pretoken.text();
        let whole = || self.model.whole(text.as_bytes()).filter(|_| self.algorithm.splits());
        if let Some(id) = whole() {
            self.out.push(id, pretoken.span(0..text.len()));
        } else if self.algorithm.is_quadratic() && text.len() > MAX_SYMBOLS {
            self.too_long = self.too_long.or(Some(text.len()));
        } else if self.too_long.is_none() {
            call::check()?;
            self.merge(text, pretoken.span(0..text.len()).start);
        }
        Ok(())
    }
}

impl Encoder<'_> {
    /// Merges the bytes of `part`, which starts at byte `start` of the original text.
    fn merge(&mut self, part: &str, start: u32) {
        let bpe = self.model.bpe();
        let symbols: Vec<Id> = part.bytes().map(|byte| bpe.byte_ids()[usize::from(byte)]).collect();
        let (merges, steps) = (bpe.merges(), &mut self.steps);
        let watch: Watch<'_> = &mut |seen| (self.watch)(start, seen);
        let merged = match self.algorithm {
            Algorithm::Naive | Algorithm::NaiveSplit => (self.merge_loop)(merges, symbols, steps, watch),
            Algorithm::OrderedSet => ordered_set::encode(merges, symbols, steps, watch),
            Algorithm::LinkedList => linked_list::encode(merges, symbols, steps, watch),
            Algorithm::Integers => integers::encode(merges, symbols, steps),
        };
        let mut at = start;
        for id in merged {
            let end = at + self.model.vocab().token(id).map_or(0, <[u8]>::len) as u32;
            self.out.push(id, Span { start: at, end });
            at = end;
        }
    }
}
