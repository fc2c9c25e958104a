//! Times a training, stage by stage: `cargo run --release -p token-train --example measure -- FILE VOCAB [OPTIONS [OUT]]`.
//!
//! OPTIONS is the JSON of options; without it, byte-level BPE with the pattern of cl100k is trained. OUT is where the
//! tokenizer.json is written.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use token_engine::pretokenizers::scanners::Pattern;
use token_train::{Options, Trainer, WordCounter, definition};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, vocab_size, rest @ ..] = &arguments[..] else { return Err("FILE VOCAB [OPTIONS [OUT]]".into()) };
    let text = std::fs::read_to_string(file)?;
    let mut options = match rest.first() {
        Some(json) => Options::from_json(json)?,
        None => Options {
            pre_tokenizer: Some(serde_json::json!({
                "type": "Split", "pattern": {"Regex": Pattern::Cl100k.oniguruma()}, "behavior": "Isolated", "invert": false,
            })),
            min_frequency: 0,
            ..Options::default()
        },
    };
    options.vocab_size = vocab_size.parse()?;
    let loaded = peak_bytes();
    let start = Instant::now();
    let mut counter = WordCounter::new(&options)?;
    counter.add(&text)?;
    let counted = start.elapsed();
    let counts = counter.into_counts()?;
    let sorted = start.elapsed();
    let (unique, unique_bytes) = (counts.len(), counts.unique_bytes());
    let mut trainer = Trainer::new(options, counts)?;
    let ready = start.elapsed();
    let never = AtomicBool::new(false);
    while !trainer.run(1000, &never)?.finished {}
    let done = start.elapsed();
    println!(
        "{:.2} MB, {unique} words of {unique_bytes} bytes: count {counted:.3?}, sort {:.3?}, index {:.3?}, merge {:.3?}, all {done:.3?}; {} tokens, {:.1} MB over the text",
        text.len() as f64 / 1e6,
        sorted - counted,
        ready - sorted,
        done - ready,
        trainer.state().vocab_size,
        (peak_bytes() - loaded) as f64 / 1e6,
    );
    if let Some(out) = rest.get(1) {
        std::fs::write(out, definition::document(trainer.options(), &trainer.model()).to_string())?;
    }
    Ok(())
}

/// The most memory that the process had so far, in bytes; 0 where the system does not say.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes * 1024)
}
