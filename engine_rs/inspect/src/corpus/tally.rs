//! The counts themselves: how they grow, merge and are read.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::documents::Documents;
use super::errors::CorpusError;
use super::measures::{Measure, Measures, Sum, Sums, TextSum, TextSums};
use super::round_trip::Decoding;
use super::tokenizer_pass::{Row, Scratch, TokenizerPass, leaves_out};
use token_engine::internals::parallel;
use token_engine::{Id, Tokenizer};

/// Documents are counted in shares of at most so many bytes, or one document: so much text stays in the cache of a core
/// while one tokenizer after the other reads it.
const SHARE_BYTES: usize = 256 << 10;

/// Counts over documents, for several tokenizers.
///
/// ```
/// # use token_inspect::corpus::{documents::Documents, measures::{Measures, Sum}, tally::Tally};
/// # use token_engine::formats::tiktoken;
/// # use token_engine::pretokenizers::scanners::Pattern;
/// # use token_engine::Vocab;
/// # let mut vocab = Vocab::default();
/// # (0..=255u8).for_each(|byte| vocab.insert(byte.into(), &[byte]).unwrap());
/// # let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("bytes").unwrap();
/// let tokenizers = [&tokenizer];
/// let count = |text: &str, ends: &[u64]| {
///     let mut tally = Tally::new(&tokenizers, 1, Measures::ALL);
///     tally.add(&tokenizers, &Documents::new(text.as_bytes(), ends, None, 1).unwrap(), 1).unwrap();
///     tally
/// };
/// let mut merged = count("one", &[3]);
/// merged.merge(&count("two!", &[3, 4])).unwrap();
/// assert_eq!(merged, count("onetwo!", &[3, 6, 7]));
/// assert_eq!(merged.sum(0, 0, Sum::Tokens), 7);
/// ```
#[derive(Debug)]
pub struct Tally {
    pub(super) measures: Measures,
    /// Says which tokenizers they are, by tokenizer.
    pub(super) digests: Vec<u64>,
    pub(super) counts: Counts,
    /// Zeroed counts for the threads of the next calls.
    spare: Vec<Counts>,
    /// By tokenizer, made by the first call that needs them.
    decodings: Arc<[OnceLock<Decoding>]>,
}

/// Counts documents apart from their tally, which others may use meanwhile: [`Tally::counter`] makes it, and
/// [`Tally::take`] adds what it counted.
#[derive(Debug)]
pub struct Counter {
    measures: Measures,
    vocab_sizes: Vec<usize>,
    groups: usize,
    /// As many as the call has threads, at most.
    spare: Vec<Counts>,
    decodings: Arc<[OnceLock<Decoding>]>,
}

/// What a [`Counter`] counted.
#[derive(Debug)]
pub struct Counted {
    workers: Vec<Counts>,
    rows: Result<DocumentCounts, CorpusError>,
}

/// All integers of a tally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// By group.
    pub(crate) texts: Vec<TextSums>,
    pub(crate) tokenizers: Vec<TokenizerCounts>,
    /// Boundaries that both tokenizers of a pair have: by row, then by column, from the diagonal on.
    pub(crate) shared: Vec<u64>,
}

/// The counts of one tokenizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TokenizerCounts {
    /// Occurrences of each id.
    pub(crate) ids: Vec<u64>,
    /// The ids with occurrences, in any order, of counts that [`Counts::take`] adds to others; empty in those.
    pub(crate) seen: Vec<Id>,
    /// Documents by their number of tokens.
    pub(crate) lengths: FxHashMap<u32, u64>,
    /// By group.
    pub(crate) sums: Vec<Sums>,
}

/// What is known of each document that was added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentCounts {
    /// By tokenizer, then by document.
    pub tokens: Vec<u32>,
    /// Likewise; 0 without the measure `unknown`.
    pub unknown_characters: Vec<u32>,
    /// Code points, by document.
    pub characters: Vec<u32>,
}

impl Counts {
    pub(crate) fn new(vocab_sizes: impl IntoIterator<Item = usize>, groups: usize) -> Self {
        let tokenizer = |size| TokenizerCounts {
            ids: vec![0; size],
            seen: vec![],
            lengths: FxHashMap::default(),
            sums: vec![[0; Sum::COUNT]; groups],
        };
        let tokenizers: Vec<_> = vocab_sizes.into_iter().map(tokenizer).collect();
        Self {
            texts: vec![[0; TextSum::COUNT]; groups],
            shared: vec![0; tokenizers.len() * tokenizers.len()],
            tokenizers,
        }
    }

    fn add(&mut self, other: &Self) {
        self.add_sums(other);
        for (tokenizer, other) in self.tokenizers.iter_mut().zip(&other.tokenizers) {
            add_all(&mut tokenizer.ids, &other.ids);
        }
    }

    /// Adds the counts of a thread: of its ids only those that it has seen, which are few.
    fn take(&mut self, worker: &Self) {
        self.add_sums(worker);
        for (tokenizer, worker) in self.tokenizers.iter_mut().zip(&worker.tokenizers) {
            for &id in &worker.seen {
                tokenizer.ids[id as usize] += worker.ids[id as usize];
            }
        }
    }

    fn add_sums(&mut self, other: &Self) {
        add_all(self.texts.as_flattened_mut(), other.texts.as_flattened());
        add_all(&mut self.shared, &other.shared);
        for (tokenizer, other) in self.tokenizers.iter_mut().zip(&other.tokenizers) {
            add_all(tokenizer.sums.as_flattened_mut(), other.sums.as_flattened());
            for (&length, &documents) in &other.lengths {
                *tokenizer.lengths.entry(length).or_default() += documents;
            }
        }
    }

    /// Makes zeros of the counts of a thread.
    fn clear(&mut self) {
        self.texts.as_flattened_mut().fill(0);
        self.shared.fill(0);
        for tokenizer in &mut self.tokenizers {
            for id in tokenizer.seen.drain(..) {
                tokenizer.ids[id as usize] = 0;
            }
            tokenizer.sums.as_flattened_mut().fill(0);
            tokenizer.lengths.clear();
        }
    }
}

fn add_all(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to += from);
}

/// Equal if every integer is.
impl PartialEq for Tally {
    fn eq(&self, other: &Self) -> bool {
        self.measures == other.measures && self.digests == other.digests && self.counts == other.counts
    }
}

impl Tally {
    /// An empty tally. `groups` is the number of groups of documents, at least 1.
    pub fn new(tokenizers: &[&Tokenizer], groups: usize, measures: Measures) -> Self {
        let sizes = tokenizers.iter().map(|tokenizer| tokenizer.vocab().id_bound());
        Self {
            measures,
            digests: tokenizers.iter().map(|tokenizer| super::stored::digest(tokenizer)).collect(),
            counts: Counts::new(sizes, groups),
            spare: vec![],
            decodings: tokenizers.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Counts documents with the tokenizers the tally was made with, on so many threads ([`parallel::workers`]). The result
    /// does not depend on their number.
    ///
    /// Errors: a document that a tokenizer cannot encode; then nothing of these documents is counted.
    pub fn add(
        &mut self,
        tokenizers: &[&Tokenizer],
        documents: &Documents<'_>,
        threads: usize,
    ) -> Result<DocumentCounts, CorpusError> {
        let counted = self.counter(threads).count(tokenizers, documents, threads);
        self.take(counted)
    }

    /// What counts one set of documents on so many threads.
    pub fn counter(&mut self, threads: usize) -> Counter {
        let kept = self.spare.len().saturating_sub(parallel::workers(threads));
        Counter {
            measures: self.measures,
            vocab_sizes: self.counts.tokenizers.iter().map(|tokenizer| tokenizer.ids.len()).collect(),
            groups: self.groups(),
            spare: self.spare.split_off(kept),
            decodings: Arc::clone(&self.decodings),
        }
    }

    /// Adds what a counter of this tally counted, and gives what is known of each document.
    ///
    /// Errors: what the counter met; then nothing is added.
    pub fn take(&mut self, counted: Counted) -> Result<DocumentCounts, CorpusError> {
        for mut worker in counted.workers {
            if counted.rows.is_ok() {
                self.counts.take(&worker);
            }
            worker.clear();
            self.spare.push(worker);
        }
        counted.rows
    }
    /// Adds the counts of `other`.
    ///
    /// Errors: tallies of other tokenizers, groups or measures; nothing is added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), CorpusError> {
        let same = [
            (self.digests == other.digests, "tokenizers"),
            (self.counts.texts.len() == other.counts.texts.len(), "number of groups"),
            (self.measures == other.measures, "measures"),
        ];
        if let Some((_, what)) = same.into_iter().find(|(is_same, _)| !is_same) {
            return Err(CorpusError::Different { what });
        }
        self.counts.add(&other.counts);
        Ok(())
    }

    /// The same counts, to be merged into others.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let Self { measures, digests, counts, decodings, .. } = self;
        let decodings = Arc::clone(decodings);
        Self { measures: *measures, digests: digests.clone(), counts: counts.clone(), spare: vec![], decodings }
    }

    /// What is counted.
    pub fn measures(&self) -> Measures {
        self.measures
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.counts.texts.len()
    }

    /// Number of tokenizers.
    pub(crate) fn tokenizers(&self) -> usize {
        self.counts.tokenizers.len()
    }

    /// A sum of the texts of a group.
    pub fn text_sum(&self, group: usize, sum: TextSum) -> u64 {
        self.counts.texts[group][sum as usize]
    }

    /// A sum of a group under a tokenizer.
    pub fn sum(&self, tokenizer: usize, group: usize, sum: Sum) -> u64 {
        self.counts.tokenizers[tokenizer].sums[group][sum as usize]
    }

    /// Occurrences of each id.
    pub fn ids(&self, tokenizer: usize) -> &[u64] {
        &self.counts.tokenizers[tokenizer].ids
    }

    /// Documents by their number of tokens, the shortest first.
    pub fn lengths(&self, tokenizer: usize) -> Vec<(u32, u64)> {
        let lengths = &self.counts.tokenizers[tokenizer].lengths;
        let mut lengths: Vec<_> = lengths.iter().map(|(&length, &documents)| (length, documents)).collect();
        lengths.sort_unstable();
        lengths
    }

    /// Boundaries that both of two tokenizers have, and that at least one of them has.
    pub fn pair(&self, one: usize, other: usize) -> (u64, u64) {
        let count = self.tokenizers();
        let at = |row: usize, column: usize| self.counts.shared[row.min(column) * count + row.max(column)];
        let shared = at(one, other);
        (shared, at(one, one) + at(other, other) - shared)
    }
}

impl Counter {
    /// Counts documents with the tokenizers of the tally.
    pub fn count(mut self, tokenizers: &[&Tokenizer], documents: &Documents<'_>, threads: usize) -> Counted {
        let decoding = |at: usize| self.decodings[at].get_or_init(|| Decoding::of(tokenizers[at]));
        let is_decoded = self.measures.has(Measure::RoundTrip) && !documents.is_empty();
        let decodings: Vec<_> = (0..tokenizers.len()).map(|at| is_decoded.then(|| decoding(at))).collect();
        let shares = shares(documents, parallel::workers(threads));
        let workers = Mutex::new(vec![]);
        let spare = Mutex::new(std::mem::take(&mut self.spare));
        let rows = parallel::map(shares.len(), threads, |at| {
            let idle = lock(&workers).pop();
            let mut worker = idle.unwrap_or_else(|| {
                let spare = lock(&spare).pop();
                let zeros = || Counts::new(self.vocab_sizes.iter().copied(), self.groups);
                Worker { counts: spare.unwrap_or_else(zeros), scratch: Scratch::default() }
            });
            let rows = worker.count(tokenizers, &decodings, documents, shares[at].clone(), self.measures);
            lock(&workers).push(worker);
            rows
        });
        let counted = workers.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter();
        let unused = spare.into_inner().unwrap_or_else(PoisonError::into_inner);
        Counted {
            workers: counted.map(|worker| worker.counts).chain(unused).collect(),
            rows: rows.map(|rows| DocumentCounts::joined(&rows, tokenizers.len())),
        }
    }
}

/// A lock whose holder panicked holds counts that nobody reads any more.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Consecutive documents for one thread after the other.
fn shares(documents: &Documents<'_>, workers: usize) -> Vec<Range<usize>> {
    let bytes = documents.start(documents.len());
    let size = if workers == 1 { SHARE_BYTES } else { (bytes / (workers * 4)).clamp(SHARE_BYTES / 16, SHARE_BYTES) };
    let mut shares = vec![];
    let mut first = 0;
    for at in 0..documents.len() {
        let end = documents.start(at + 1);
        if at > first && end - documents.start(first) > size {
            shares.push(first..at);
            first = at;
        }
    }
    if first < documents.len() {
        shares.push(first..documents.len());
    }
    shares
}

/// The rows of a share.
struct ShareRows {
    /// By tokenizer, then by document.
    rows: Vec<Row>,
    characters: Vec<u32>,
}

struct Worker {
    counts: Counts,
    scratch: Scratch,
}

impl Worker {
    fn count(
        &mut self,
        tokenizers: &[&Tokenizer],
        decodings: &[Option<&Decoding>],
        documents: &Documents<'_>,
        share: Range<usize>,
        measures: Measures,
    ) -> Result<ShareRows, CorpusError> {
        let Self { counts, scratch } = self;
        scratch.features.clear();
        scratch.marks.resize_with(tokenizers.len(), Default::default);
        let mut rows = ShareRows { rows: Vec::with_capacity(tokenizers.len() * share.len()), characters: vec![] };
        for at in share.clone() {
            let sums = &mut counts.texts[documents.group(at)];
            let before = sums[TextSum::Characters as usize];
            scratch.features.push(documents.text(at), measures, sums);
            rows.characters.push((sums[TextSum::Characters as usize] - before) as u32);
        }
        for (index, tokenizer) in tokenizers.iter().enumerate() {
            let decoding = decodings[index];
            let tokenizer = TokenizerPass {
                index,
                tokenizer,
                decoding,
                documents,
                share: share.clone(),
                measures,
                leaves_out: leaves_out(tokenizer),
            };
            let counted = tokenizer.count(scratch, counts, |_, row| rows.rows.push(row));
            counted.map_err(|(document, error)| CorpusError::Document { document, tokenizer: index, error })?;
        }
        if measures.has(Measure::Agreement) {
            let marks = &scratch.marks;
            for (row, one) in marks.iter().enumerate() {
                for (column, other) in marks.iter().enumerate().skip(row) {
                    counts.shared[row * marks.len() + column] += one.shared(other);
                }
            }
        }
        Ok(rows)
    }
}

impl DocumentCounts {
    fn joined(shares: &[ShareRows], tokenizers: usize) -> Self {
        let tokenizer = |share: &ShareRows, tokenizer: usize| {
            let len = share.characters.len();
            share.rows[tokenizer * len..(tokenizer + 1) * len].to_vec()
        };
        let rows = || (0..tokenizers).flat_map(|at| shares.iter().flat_map(move |share| tokenizer(share, at)));
        Self {
            tokens: rows().map(|row| row.tokens).collect(),
            unknown_characters: rows().map(|row| row.unknown_characters).collect(),
            characters: shares.iter().flat_map(|share| share.characters.iter().copied()).collect(),
        }
    }
}

/// How often an id occurs at all.
impl Tally {
    /// Ids that occur, each with its occurrences.
    pub(crate) fn seen(&self, tokenizer: usize) -> impl Iterator<Item = (Id, u64)> {
        let ids = self.ids(tokenizer).iter().enumerate();
        ids.filter(|(_, count)| **count > 0).map(|(id, &count)| (id as Id, count))
    }
}
