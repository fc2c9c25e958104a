//! Which tokens no text gives.
//!
//! A token is *reachable* where some text, encoded without a template and with special tokens read as such, has it among
//! its ids. Each reachable one comes with such a text, which was encoded to make sure. A token is *unreachable* where one
//! of the [`Reason`]s holds, each of which is proved from the tokenizer's stages; all others are *undecided*: a limited
//! number of texts was tried.
//! Not here: the proofs ([`proofs`]), the texts that are tried ([`texts`]).

mod pattern;
mod proofs;
mod texts;

use rayon::prelude::*;

use super::{Index, Row};
use proofs::Proofs;
use token_engine::internals::call::{self, Cancelled};
use token_engine::internals::parallel;
use token_engine::{Id, Specials, Tokenizer};

/// Whether a token can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Verdict {
    /// Some text gives it.
    Reachable,
    /// No text gives it.
    Unreachable,
    /// Neither is known.
    Undecided,
}

impl Verdict {
    /// All verdicts, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Reachable, Self::Unreachable, Self::Undecided];

    /// Its name, the same in Python, JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reachable => "reachable",
            Self::Unreachable => "unreachable",
            Self::Undecided => "undecided",
        }
    }
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Its own text gives it.
    OwnText,
    /// A longer text, or another one, gives it.
    OtherText,
    /// Merges make other tokens of its symbols, and inside a text they would do the same.
    NotBuilt,
    /// Its bytes are in no UTF-8 text.
    NotUtf8,
    /// The pretokenizer splits inside it wherever it is.
    AlwaysSplit,
    /// It has a character that the normalizer never leaves.
    NormalizedAway,
    /// A better segmentation of its text is always there.
    BetterSegmentation,
    /// It is longer than any word that the model looks at.
    TooLong,
    /// Another token has the same spelling and is found in its place.
    Twin,
    /// It stands for a byte, and all characters with that byte are in the vocabulary.
    ByteHasToken,
    /// All that is unknown becomes bytes.
    NeverUnknown,
    /// It controls the model, and no text spells it.
    Unspelled,
    /// No text that was tried gives it.
    NotFound,
    /// Merges are left out at random.
    Chance,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 14] = [
        Self::OwnText,
        Self::OtherText,
        Self::NotBuilt,
        Self::NotUtf8,
        Self::AlwaysSplit,
        Self::NormalizedAway,
        Self::BetterSegmentation,
        Self::TooLong,
        Self::Twin,
        Self::ByteHasToken,
        Self::NeverUnknown,
        Self::Unspelled,
        Self::NotFound,
        Self::Chance,
    ];

    /// The verdict it leads to.
    pub fn verdict(self) -> Verdict {
        match self {
            Self::OwnText | Self::OtherText => Verdict::Reachable,
            Self::NotFound | Self::Chance => Verdict::Undecided,
            _ => Verdict::Unreachable,
        }
    }

    /// Its name, the same in Python and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::OwnText => "own_text",
            Self::OtherText => "other_text",
            Self::NotBuilt => "not_built",
            Self::NotUtf8 => "not_utf8",
            Self::AlwaysSplit => "always_split",
            Self::NormalizedAway => "normalized_away",
            Self::BetterSegmentation => "better_segmentation",
            Self::TooLong => "too_long",
            Self::Twin => "twin",
            Self::ByteHasToken => "byte_has_token",
            Self::NeverUnknown => "never_unknown",
            Self::Unspelled => "unspelled",
            Self::NotFound => "not_found",
            Self::Chance => "chance",
        }
    }

    /// The reason in words, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::OwnText => "its own text gives it",
            Self::OtherText => "a text gives it",
            Self::NotBuilt => "merges make other tokens of its symbols",
            Self::NotUtf8 => "its bytes are in no UTF-8 text",
            Self::AlwaysSplit => "the pretokenizer always splits inside it",
            Self::NormalizedAway => "the normalizer never leaves one of its characters",
            Self::BetterSegmentation => "a better segmentation of its text is always there",
            Self::TooLong => "it is longer than any word that the model looks at",
            Self::Twin => "another token has the same spelling and is found in its place",
            Self::ByteHasToken => "all characters with this byte are in the vocabulary, so it never stands in for one",
            Self::NeverUnknown => "all that is unknown becomes bytes",
            Self::Unspelled => "it controls the model, and no text spells it",
            Self::NotFound => "none of the texts that were tried gives it, and nothing proves that none does",
            Self::Chance => "merges are left out at random, so no text decides it",
        }
    }
}

/// What a verdict rests on, and a text that gives the token where there is one.
type Finding = (Reason, Option<Box<str>>);

/// The verdicts on all tokens, by row of the index.
pub struct Audit {
    verdicts: Vec<Verdict>,
    findings: Vec<Finding>,
}

impl Audit {
    /// Judges every token. Takes some 100 ms for 200,000 tokens on a fused pipeline.
    ///
    /// Errors: the call was cancelled.
    ///
    /// ```
    /// # use token_engine::formats::tiktoken;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// # use token_engine::Vocab;
    /// # use token_inspect::vocabulary::{Index, audit::{Audit, Reason}};
    /// let mut vocab = Vocab::default();
    /// for byte in 0..=255u8 {
    ///     vocab.insert(byte.into(), &[byte]).unwrap();
    /// }
    /// for (id, token) in [(256, "ab"), (257, "a b")] {
    ///     vocab.insert(id, token.as_bytes()).unwrap();
    /// }
    /// let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
    /// let index = Index::new(&tokenizer);
    /// let audit = Audit::new(&tokenizer, &index)?;
    /// assert_eq!(audit.finding(256), (Reason::OwnText, Some("ab")));
    /// assert_eq!(audit.finding(257).0, Reason::NotBuilt);
    /// assert_eq!(audit.finding(0xFF).0, Reason::NotUtf8);
    /// # Ok::<(), token_engine::internals::call::Cancelled>(())
    /// ```
    pub fn new(tokenizer: &Tokenizer, index: &Index) -> Result<Self, Cancelled> {
        let call = call::current();
        let goes_on = || !call.as_ref().is_some_and(|call| call.is_cancelled());
        let audit = {
            let _alone = call::enter(None);
            parallel::run(|| Self::of(tokenizer, index, &goes_on))
        };
        // A cancelled audit looks for no more texts, so it is wrong.
        call::check().map(|()| audit)
    }

    /// A text that is refused counts as one without the token, so no text is refused for what a call may make. Threads may
    /// be in the middle of other calls: each judges for none.
    fn of(tokenizer: &Tokenizer, index: &Index, goes_on: &(dyn Fn() -> bool + Sync)) -> Self {
        let proofs = Proofs::new(tokenizer, index);
        let mut findings: Vec<Option<Finding>> = index
            .rows()
            .par_iter()
            .with_min_len(256)
            .map(|row| {
                let _alone = call::enter(None);
                let text =
                    goes_on().then(|| first_that_gives(tokenizer, row.id, texts::own(tokenizer, index, row))).flatten();
                text.map(|text| (Reason::OwnText, Some(text)))
                    .or_else(|| proofs.unreachable(row).map(|reason| (reason, None)))
            })
            .collect();
        sweep(tokenizer, index, &mut findings, goes_on);
        let contexts = texts::Contexts::new(tokenizer, index);
        findings.par_iter_mut().zip(index.rows()).filter(|(finding, _)| finding.is_none()).for_each(
            |(finding, row)| {
                let _alone = call::enter(None);
                let text = goes_on().then(|| first_that_gives(tokenizer, row.id, contexts.around(row))).flatten();
                *finding = text.map(|text| (Reason::OtherText, Some(text)));
            },
        );
        let undecided = || (if proofs.left_to_chance() { Reason::Chance } else { Reason::NotFound }, None);
        let findings: Vec<_> = findings.into_iter().map(|finding| finding.unwrap_or_else(undecided)).collect();
        Self { verdicts: findings.iter().map(|(reason, _)| reason.verdict()).collect(), findings }
    }

    /// The verdicts by row.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// What the verdict on a row rests on, and a text that gives the token where there is one.
    pub fn finding(&self, row: usize) -> (Reason, Option<&str>) {
        let (reason, text) = &self.findings[row];
        (*reason, text.as_deref())
    }
}

/// The first of some texts whose ids have the token among them.
fn first_that_gives(tokenizer: &Tokenizer, id: Id, texts: impl IntoIterator<Item = String>) -> Option<Box<str>> {
    texts.into_iter().find(|text| gives(tokenizer, id, text)).map(String::into_boxed_str)
}

fn gives(tokenizer: &Tokenizer, id: Id, text: &str) -> bool {
    tokenizer.encode_ids(text, Specials::Parse).is_ok_and(|ids| ids.contains(&id))
}

/// Encodes single characters, alone and after a space, until no token is left.
fn sweep(tokenizer: &Tokenizer, index: &Index, findings: &mut [Option<Finding>], goes_on: &dyn Fn() -> bool) {
    let characters: Vec<char> = texts::characters().collect();
    for some in characters.chunks(1 << 15) {
        if !goes_on() || findings.iter().all(Option::is_some) {
            return;
        }
        sweep_some(tokenizer, index, findings, some);
    }
}

fn sweep_some(tokenizer: &Tokenizer, index: &Index, findings: &mut [Option<Finding>], characters: &[char]) {
    let wanted: Vec<bool> = findings.iter().map(Option::is_none).collect();
    let row_of = |id: Id| index.row_number(id).filter(|&row| wanted[row]);
    let seen: Vec<(usize, Box<str>)> = characters
        .par_chunks(2048)
        .flat_map_iter(|chunk| {
            let _alone = call::enter(None);
            let mut seen = rustc_hash::FxHashMap::<usize, Box<str>>::default();
            for &c in chunk {
                for text in [c.to_string(), format!(" {c}")] {
                    for id in tokenizer.encode_ids(&text, Specials::Parse).unwrap_or_default() {
                        if let Some(row) = row_of(id) {
                            seen.entry(row).or_insert_with(|| text.as_str().into());
                        }
                    }
                }
            }
            seen
        })
        .collect();
    for (row, text) in seen {
        let before = findings[row].take();
        findings[row] = before.or(Some((Reason::OtherText, Some(text))));
    }
}

/// Whether the row's token is found by its spelling, before any model sees the text.
fn is_added(row: &Row) -> bool {
    matches!(row.kind, super::kinds::Kind::Special | super::kinds::Kind::Added)
}

#[cfg(test)]
mod tests;
