//! Search in a vocabulary: by text, expression, bytes or ids, filtered by facets, sorted.
//!
//! A search visits every token once, in parallel; regular expressions run in linear time. The counts of a facet ignore
//! the facet's own filter, so each count says how many tokens choosing it would show.

use std::ops::RangeInclusive;

use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

use super::audit::Verdict;
use super::kinds::Kind;
use super::scripts::SCRIPTS;
use super::{Index, Row};
use token_engine::Id;
use token_engine::internals::error::PatternError;
use token_engine::internals::parallel;

/// The part of a query that looks at a token's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Needle {
    /// Everything.
    #[default]
    All,
    /// A text inside the token; a space also matches `▁`.
    Text {
        /// The text.
        text: String,
        /// Whether case is ignored.
        ignore_case: bool,
    },
    /// A regular expression that matches inside the token.
    Regex {
        /// In the syntax of the crate `regex`.
        pattern: String,
        /// Whether case is ignored.
        ignore_case: bool,
    },
    /// Bytes inside the token.
    Bytes(Vec<u8>),
    /// Ids from the first to the last.
    Ids(RangeInclusive<Id>),
}

/// The sort key of the results; ties are sorted by id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Id.
    #[default]
    Id,
    /// Length in bytes.
    Length,
    /// Length in characters; tokens of incomplete characters come last.
    Characters,
    /// Rank of the merge, or score; tokens without either come last.
    Rank,
    /// How many tokens it is merged into.
    PartOf,
    /// Whole words first; bytes, special and unused tokens last.
    Words,
}

/// A search.
#[derive(Clone, Debug)]
pub struct Query {
    /// The content to look for.
    pub needle: Needle,
    /// Kinds to keep; empty keeps all.
    pub kinds: Vec<Kind>,
    /// Scripts to keep, as indices into [`SCRIPTS`]; empty keeps all.
    pub scripts: Vec<u8>,
    /// Lengths to keep, in bytes.
    pub length: RangeInclusive<u32>,
    /// Verdicts of the audit to keep; empty keeps all.
    pub verdicts: Vec<Verdict>,
    /// The sort key.
    pub order: Order,
    /// Whether the largest comes first.
    pub descending: bool,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            needle: Needle::All,
            kinds: vec![],
            scripts: vec![],
            length: 0..=u32::MAX,
            verdicts: vec![],
            order: Order::Id,
            descending: false,
        }
    }
}

/// The last bucket of lengths, which also counts longer tokens.
pub(crate) const LONGEST: usize = 32;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The tokens, in order.
    pub ids: Vec<Id>,
    /// Number of tokens per kind in the order of [`Kind::ALL`], ignoring the filter by kind.
    pub kinds: Vec<u32>,
    /// Number of tokens per script in the order of [`SCRIPTS`], ignoring the filter by script.
    pub scripts: Vec<u32>,
    /// Number of tokens per verdict in the order of [`Verdict::ALL`], ignoring the filter by verdict; empty without an
    /// audit.
    pub verdicts: Vec<u32>,
    /// Number of found tokens per length in bytes; the last entry counts [`LONGEST`] and more.
    pub lengths: Vec<u32>,
}

/// The three choices that a token can fail.
const KIND: u8 = 1;
const SCRIPT: u8 = 2;
const VERDICT: u8 = 4;

impl Index {
    /// Searches. `verdicts` are those of the audit by row, if there was one.
    ///
    /// Errors: an invalid regular expression, or one that needs too much memory.
    ///
    /// ```
    /// # use token_engine::formats::tiktoken;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// # use token_engine::Vocab;
    /// # use token_inspect::vocabulary::{Index, search::{Needle, Query}};
    /// let mut vocab = Vocab::default();
    /// for byte in 0..=255u8 {
    ///     vocab.insert(byte.into(), &[byte]).unwrap();
    /// }
    /// vocab.insert(256, b"to").unwrap();
    /// vocab.insert(257, b" To").unwrap();
    /// let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
    /// let needle = Needle::Text { text: "to".into(), ignore_case: true };
    /// let found = Index::new(&tokenizer).search(&Query { needle, ..Query::default() }, None).unwrap();
    /// assert_eq!(found.ids, [256, 257]);
    /// ```
    pub fn search(&self, query: &Query, verdicts: Option<&[Verdict]>) -> Result<Found, PatternError> {
        let matcher = Matcher::new(&query.needle)?;
        let (kinds, scripts) = (mask(query.kinds.iter().map(|&kind| kind as u8)), mask(query.scripts.iter().copied()));
        let wanted = mask(query.verdicts.iter().map(|&verdict| verdict as u8));
        let fails_of = |(at, row): (usize, &Row)| {
            let basic = query.length.contains(&row.length) && matcher.matches(self, row);
            let misses = |mask: u64, value: u8, bit: u8| if mask >> value & 1 == 1 { 0 } else { bit };
            basic.then(|| {
                misses(kinds, row.kind as u8, KIND)
                    | misses(scripts, row.script, SCRIPT)
                    | verdicts.map_or(0, |all| misses(wanted, all[at] as u8, VERDICT))
            })
        };
        let fails: Vec<Option<u8>> =
            parallel::run(|| self.rows.par_iter().enumerate().with_min_len(4096).map(fails_of).collect());
        let mut found = Found {
            ids: vec![],
            kinds: vec![0; Kind::ALL.len()],
            scripts: vec![0; SCRIPTS.len()],
            verdicts: vec![0; verdicts.map_or(0, |_| Verdict::ALL.len())],
            lengths: vec![0; LONGEST + 1],
        };
        let mut rows: Vec<&Row> = vec![];
        for (at, (row, fails)) in self.rows.iter().zip(fails).enumerate() {
            let Some(fails) = fails else { continue };
            let alone = |bit: u8| u32::from(fails & !bit == 0);
            found.kinds[row.kind as usize] += alone(KIND);
            found.scripts[usize::from(row.script)] += alone(SCRIPT);
            if let Some(verdicts) = verdicts {
                found.verdicts[verdicts[at] as usize] += alone(VERDICT);
            }
            if fails == 0 {
                found.lengths[(row.length as usize).min(LONGEST)] += 1;
                rows.push(row);
            }
        }
        self.sort(&mut rows, query.order, query.descending);
        found.ids = rows.into_iter().map(|row| row.id).collect();
        Ok(found)
    }

    /// Rows are in the order of their ids and the sort is stable, so ties stay sorted by id.
    fn sort(&self, rows: &mut [&Row], order: Order, descending: bool) {
        let by = |key: &dyn Fn(&Row) -> f64, rows: &mut [&Row]| {
            // What has no number is last either way.
            let sign = if descending { -1.0 } else { 1.0 };
            let place = |row: &Row| {
                let key = key(row);
                if key.is_nan() { f64::INFINITY } else { sign * key }
            };
            rows.sort_by(|a, b| place(a).total_cmp(&place(b)));
        };
        match order {
            Order::Id => by(&|row| f64::from(row.id), rows),
            Order::Length => by(&|row| f64::from(row.length), rows),
            Order::Characters => by(&|row| row.characters.map_or(f64::NAN, f64::from), rows),
            Order::Rank => by(&|row| row.score.or(row.rank.map(f64::from)).unwrap_or(f64::NAN), rows),
            Order::PartOf => by(&|row| f64::from(row.part_of), rows),
            Order::Words => {
                rows.sort_by_cached_key(|row| {
                    let place = self.place_in_words(row);
                    if descending { u8::MAX - place } else { place }
                });
            }
        }
    }

    /// The rank of a token's kind in [`Order::Words`].
    fn place_in_words(&self, row: &Row) -> u8 {
        let text = std::str::from_utf8(self.bytes(row)).unwrap_or_default();
        place_of(row.kind, self.marks().core(text).0.chars().nth(1).is_some())
    }
}

/// A bit set of numbers below 64; all bits if `values` is empty.
fn mask(values: impl Iterator<Item = u8>) -> u64 {
    match values.fold(0, |mask, value| mask | 1 << value) {
        0 => u64::MAX,
        some => some,
    }
}

/// The rank of a kind in [`Order::Words`]; `is_long` means two letters or more.
fn place_of(kind: Kind, is_long: bool) -> u8 {
    match kind {
        Kind::WordStart | Kind::WordEnd if is_long => 0,
        Kind::WordStart | Kind::WordEnd | Kind::WordInside | Kind::Continuation => 1,
        Kind::Digits => 2,
        Kind::Punctuation => 3,
        Kind::Mixed => 4,
        Kind::Space | Kind::Part | Kind::Byte | Kind::Control => 5,
        Kind::Special | Kind::Added => 6,
        Kind::Unused => 7,
    }
}

/// A prepared needle.
enum Matcher {
    All,
    Regex(Box<Regex>),
    Ids(RangeInclusive<Id>),
}

impl Matcher {
    fn new(needle: &Needle) -> Result<Self, PatternError> {
        let spelled = match needle {
            Needle::All => return Ok(Self::All),
            Needle::Ids(ids) => return Ok(Self::Ids(ids.clone())),
            Needle::Text { text, .. } | Needle::Regex { pattern: text, .. } if text.is_empty() => return Ok(Self::All),
            Needle::Bytes(bytes) if bytes.is_empty() => return Ok(Self::All),
            Needle::Text { text, .. } => regex::escape(text).replace(' ', "[ ▁]"),
            Needle::Regex { pattern, .. } => pattern.clone(),
            Needle::Bytes(bytes) => bytes.iter().map(|byte| format!(r"\x{byte:02X}")).collect(),
        };
        let ignore_case =
            matches!(needle, Needle::Text { ignore_case: true, .. } | Needle::Regex { ignore_case: true, .. });
        let regex = RegexBuilder::new(&spelled)
            .unicode(!matches!(needle, Needle::Bytes(_)))
            .case_insensitive(ignore_case)
            .build()
            .map_err(|error| PatternError { pattern: spelled.clone(), problem: problem(&error) })?;
        Ok(Self::Regex(Box::new(regex)))
    }

    fn matches(&self, index: &Index, row: &Row) -> bool {
        match self {
            Self::All => true,
            Self::Regex(regex) => regex.is_match(index.bytes(row)),
            Self::Ids(ids) => ids.contains(&row.id),
        }
    }
}

/// The last line of the crate's message; the lines before it draw the pattern.
fn problem(error: &regex::Error) -> String {
    let words = error.to_string();
    let last = words.lines().last().unwrap_or_default();
    last.trim().trim_start_matches("error: ").to_owned()
}
