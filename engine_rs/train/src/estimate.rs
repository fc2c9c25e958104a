//! What a training will take, said before it starts.
//!
//! Time is not estimated here: it depends on the machine. The caller measures steps.

use crate::alphabet;
use crate::options::{Algorithm, Options};
use crate::stop::Stop;
use crate::words::WordCounts;

/// What a training will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Memory at its peak, the word counts included.
    pub memory_bytes: u64,
    /// The most merges, tokens or iterations that it will make.
    pub steps: u64,
}

/// Bytes for each symbol of a unique word in a training that merges: the symbol, its neighbours and the index of its pair.
const MERGING: u64 = 32;
/// Bytes for each token that merges make: its spelling, its entry in the table of spellings, its row.
const MERGED: u64 = 256;
/// The same for Unigram: the suffix array with its ranks, common prefixes and counts; later the lattice.
const UNIGRAM: u64 = 40;
/// Bytes for each seed: its symbols, its score and its sums in every part of the corpus.
const SEED: u64 = 192;
/// A symbol in so many is the start of a seed, at most.
const SYMBOLS_PER_SEED: u64 = 2;

impl Estimate {
    /// The estimate for counted words. Those of a sample give that of a corpus with as many unique words.
    ///
    /// ```
    /// # use token_train::{Estimate, Options, WordCounts};
    /// let options = Options { vocab_size: 300, ..Options::default() };
    /// let counts = WordCounts::new([(&b"low"[..], 5), (b"lower", 2)], 40)?;
    /// assert_eq!(Estimate::new(&options, &counts).steps, 44); // 300 tokens, 256 of them bytes
    /// # Ok::<(), token_train::TrainError>(())
    /// ```
    pub fn new(options: &Options, counts: &WordCounts) -> Self {
        let special = options.all_special_tokens().len();
        let room = |given: usize| options.vocab_size.saturating_sub(special + given) as u64;
        let symbols = counts.unique_bytes() + counts.len() as u64;
        let (steps, memory) = match options.algorithm {
            Algorithm::Bpe | Algorithm::WordPiece => {
                let merges = room(alphabet(options, counts));
                (merges, MERGING * symbols + MERGED * merges)
            }
            Algorithm::Unigram => {
                let seeds = (symbols / SYMBOLS_PER_SEED).min(options.seed_size as u64);
                let size = room(alphabet::fallback(options).len()).max(1);
                let rounds =
                    ((seeds as f64 / size as f64).max(1.0).ln() / -options.shrinking_factor.ln()).ceil() as u64;
                ((rounds + 1) * (options.em_iterations as u64 + 1), UNIGRAM * symbols + SEED * seeds)
            }
            Algorithm::WordLevel => (room(0).min(counts.len() as u64), MERGED * room(0).min(counts.len() as u64)),
            Algorithm::Character => {
                let characters = alphabet(options, counts) as u64;
                (room(0).min(characters), MERGED * characters)
            }
        };
        Self { memory_bytes: memory + counts.heap_bytes() as u64, steps }
    }
}

/// Number of entries of the alphabet.
fn alphabet(options: &Options, counts: &WordCounts) -> usize {
    alphabet::entries(options, counts, Stop::never()).map_or(0, |entries| entries.len())
}
