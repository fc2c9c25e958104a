//! The estimate of memory against the bytes that a training really holds, counted by the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};
use token_engine::internals::random::Random;
use token_train::{Algorithm, Estimate, Options, Score, Trainer, WordCounter};

/// The estimate, and what a training says of itself, may differ from the measured peak by this factor.
const FACTOR: f64 = 1.6;

/// Counts the bytes in use, and the most there ever were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn count(more: usize, less: usize) {
    let before = IN_USE.fetch_add(more, Ordering::Relaxed);
    PEAK.fetch_max(before + more, Ordering::Relaxed);
    IN_USE.fetch_sub(less, Ordering::Relaxed);
}

// SAFETY: every call goes to the allocator of the system as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Large blocks are moved page by page, so the old and the new one are not in use together.
        count(size.saturating_sub(layout.size()), layout.size().saturating_sub(size));
        // SAFETY: as the caller promises.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A text of so many bytes whose words are as frequent as those of a language: word n about 1/n of the time, made of
/// syllables, with endings.
fn text(bytes: usize, syllables: &[&str]) -> String {
    let mut random = Random::new(5);
    let mut below = |limit: usize| ((random.next_unit() * limit as f64) as usize).min(limit - 1);
    let mut text = String::new();
    while text.len() < bytes {
        let number = (60_000f64.powf(below(1 << 20) as f64 / f64::from(1 << 20))) as usize;
        // The same number gives the same word.
        let mut rest = number * 7919 + 13;
        while rest > 0 {
            text.push_str(syllables[rest % syllables.len()]);
            rest /= syllables.len();
        }
        text.push_str(["", "", "s", "ed"][below(4)]);
        text.push_str([" ", " ", " ", ", ", ".\n"][below(5)]);
    }
    text
}

fn options(algorithm: Algorithm, vocab_size: usize) -> Options {
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true});
    let metaspace = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true});
    let pre_tokenizer: Value = match algorithm {
        Algorithm::Bpe => bytes,
        Algorithm::Unigram => metaspace,
        _ => json!({"type": "BertPreTokenizer"}),
    };
    let special_tokens = vec!["<unk>".to_owned()];
    let unknown_token = (algorithm != Algorithm::Bpe).then(|| "<unk>".to_owned());
    Options {
        algorithm,
        vocab_size,
        pre_tokenizer: Some(pre_tokenizer),
        special_tokens,
        unknown_token,
        min_frequency: 2,
        ..Options::default()
    }
}

/// Bytes of a training from its words to its tokenizer, those of the words included.
#[derive(Debug)]
struct Memory {
    estimated: f64,
    /// What the training says it holds at most.
    reported: f64,
    /// The most in use at once.
    measured: f64,
    /// The same before the tokenizer is built.
    measured_in_training: f64,
}

fn memory(options: &Options, text: &str) -> Memory {
    let mut counter = WordCounter::new(options).expect("stages");
    counter.add(text).expect("counts");
    let counts = counter.into_counts().expect("counts");
    let estimate = Estimate::new(options, &counts, 1.0);
    let before = IN_USE.load(Ordering::Relaxed) - counts.heap_bytes();
    PEAK.store(before, Ordering::Relaxed);
    let mut trainer = Trainer::new(options.clone(), counts).expect("words");
    let (never, mut reported) = (AtomicBool::new(false), 0);
    while !trainer.run(100, &never).expect("steps").finished {
        reported = reported.max(trainer.memory_bytes());
    }
    let reported = reported.max(trainer.memory_bytes()) as f64;
    let measured = || (PEAK.load(Ordering::Relaxed) - before) as f64;
    let measured_in_training = measured();
    trainer.tokenizer().expect("a tokenizer");
    Memory { estimated: estimate.memory_bytes as f64, reported, measured: measured(), measured_in_training }
}

#[test]
fn the_estimate_of_memory_is_near_what_a_training_takes() {
    let latin = ["ta", "re", "mi", "son", "gu", "el", "pa", "ko", "ni", "ver", "as", "tu", "lo", "ri", "en", "di"];
    let mut cases = vec![];
    for size in [5_000, 50_000, 500_000] {
        for algorithm in
            [Algorithm::Bpe, Algorithm::WordPiece, Algorithm::Unigram, Algorithm::WordLevel, Algorithm::Character]
        {
            for vocab_size in [400, 4000] {
                // The largest one takes Unigram too long without optimizations.
                if size < 100_000 || algorithm != Algorithm::Unigram {
                    cases.push((size, options(algorithm, vocab_size)));
                }
                if algorithm == Algorithm::WordPiece {
                    cases.push((size, Options { score: Score::Likelihood, ..options(algorithm, vocab_size) }));
                }
            }
        }
    }
    let mut far = vec![];
    for (size, options) in cases {
        let found = memory(&options, &text(size, &latin));
        let Options { algorithm, vocab_size, score, .. } = options;
        let mut ratios = vec![found.estimated / found.measured];
        // Of words and characters, only the building of the tokenizer takes memory worth a report.
        if !matches!(algorithm, Algorithm::WordLevel | Algorithm::Character) {
            ratios.push(found.reported / found.measured_in_training);
        }
        let range = 1.0 / FACTOR..FACTOR;
        if !ratios.iter().all(|ratio| range.contains(ratio)) {
            far.push(format!("{algorithm:?} {score:?} {vocab_size} on {size} bytes: {found:?}"));
        }
    }
    assert!(far.is_empty(), "{far:#?}");
}
