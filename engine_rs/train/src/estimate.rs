//! What a training will take, said before it starts.
//!
//! Time is not estimated here: it depends on the machine. The caller measures steps.

use crate::alphabet;
use crate::options::{Algorithm, Options, Score};
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

// Fitted to what `tests/memory.rs` measures, in bytes above the word counts.

/// BPE, for each symbol of a unique word: the symbol, its positions, the table that finds rare pairs.
const BPE_SYMBOL: f64 = 13.0;
/// BPE, for each merge: its token and the pairs that it brings.
const BPE_MERGE: f64 = 250.0;
/// BPE with superwords, for each byte of a unique phrase: its part of a token, and of the positions of that. Fitted to what
/// `examples/measure` says of 30 MB and of 200 MB of text.
const PHRASE_BYTE: f64 = 3.0;
/// WordPiece by likelihood, for each symbol of a unique word.
const WORDPIECE_SYMBOL: f64 = 15.0;
/// WordPiece by likelihood, for each merge: its token, the pairs that it brings and the heaps they are in.
const WORDPIECE_MERGE: f64 = 480.0;
/// WordPiece by likelihood: the owners of the alphabet and the tree over them.
const WORDPIECE_FIXED: f64 = 60_000.0;
/// Symbols for each merge, if only pairs that occur twice are merged.
const SYMBOLS_PER_MERGE: f64 = 16.0;
/// Unigram, for each symbol: the seeds that start there, their sums in each part of the corpus, and the lattice. Texts
/// that repeat long substrings take up to twice as much.
const UNIGRAM_SYMBOL: f64 = 90.0;
/// Unigram: a symbol in so many starts a seed, at most.
const SYMBOLS_PER_SEED: f64 = 2.0;
/// For each token with its merge, while the tokenizer is built.
const BUILT_MERGE: f64 = 480.0;
/// For merges of bytes, while the tokenizer is built: the table of the ranks of two bytes.
const BUILT_BYTES: f64 = 4.0 * 65_536.0;
/// For each token without a merge, while the tokenizer is built.
const BUILT_TOKEN: f64 = 330.0;
/// For empty tables.
const FIXED: f64 = 15_000.0;

impl Estimate {
    /// Estimates a training on these word counts. If they are of a sample, the corpus has `growth` times as many unique words;
    /// otherwise `growth` is 1.
    ///
    /// ```
    /// # use token_train::{Estimate, Options, WordCounts};
    /// let options = Options { vocab_size: 300, ..Options::default() };
    /// let counts = WordCounts::new([(&b"low"[..], 5), (b"lower", 2)], 40)?;
    /// assert_eq!(Estimate::new(&options, &counts, 1.0).steps, 44); // 300 tokens, 256 of them bytes
    /// # Ok::<(), token_train::TrainError>(())
    /// ```
    pub fn new(options: &Options, counts: &WordCounts, growth: f64) -> Self {
        let special = options.all_special_tokens().len();
        let room = |given: usize| options.vocab_size.saturating_sub(special + given) as f64;
        let symbols = counts.symbols(options.is_bytes()) as f64 * growth;
        let merging = |per_symbol: f64, per_merge: f64| {
            let merges = room(alphabet(options, counts));
            let made = merges.min(if options.min_frequency > 1 { symbols / SYMBOLS_PER_MERGE } else { symbols });
            let vocab = options.vocab_size as f64 - merges + made;
            let built = BUILT_MERGE * vocab + if options.is_bytes() { BUILT_BYTES } else { 0.0 };
            (merges, (per_symbol * symbols + per_merge * made).max(built))
        };
        let (steps, memory) = match options.algorithm {
            // By frequency WordPiece is trained as BPE is.
            Algorithm::WordPiece if options.score == Score::Likelihood => {
                let (steps, memory) = merging(WORDPIECE_SYMBOL, WORDPIECE_MERGE);
                (steps, memory + WORDPIECE_FIXED)
            }
            Algorithm::Bpe if options.superwords_from.is_some() => merging(PHRASE_BYTE, BPE_MERGE),
            Algorithm::Bpe | Algorithm::WordPiece => merging(BPE_SYMBOL, BPE_MERGE),
            Algorithm::Unigram => {
                let seeds = (symbols / SYMBOLS_PER_SEED).min(options.seed_size as f64);
                let excess = seeds / room(alphabet::fallback(options).len()).max(1.0);
                let rounds = (excess.max(1.0).ln() / -options.shrinking_factor.ln()).ceil();
                ((rounds + 1.0) * (options.em_iterations as f64 + 1.0), UNIGRAM_SYMBOL * symbols)
            }
            Algorithm::WordLevel => {
                let frequent = counts.iter().take_while(|&(_, count)| count >= options.min_frequency).count();
                let tokens = room(0).min(frequent as f64 * growth);
                (tokens, BUILT_TOKEN * tokens)
            }
            Algorithm::Character => {
                let characters = room(0).min(alphabet(options, counts) as f64);
                (characters, BUILT_TOKEN * characters)
            }
        };
        let memory_bytes = (FIXED + memory + counts.heap_bytes() as f64 * growth) as u64;
        Self { memory_bytes, steps: steps as u64 }
    }
}

/// Number of entries of the alphabet.
fn alphabet(options: &Options, counts: &WordCounts) -> usize {
    alphabet::entries(options, counts, Stop::never()).map_or(0, |entries| entries.len())
}
