//! `cargo bench --manifest-path engine_rs/bench/Cargo.toml --target-dir target [-- --quick]`: warm encoding per kind of
//! tokenizer, the merges of a word, the scanners, loading.
//!
//! Tokenizers come from the test data beside the checkout and from `lab_app/vendor`; those that are missing are left out.

#![allow(missing_docs)] // criterion_group makes a public function

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::{LoadOptions, Specials, Tokenizer, load, load_with};

const TEXT_BYTES: usize = 1 << 18;

/// Name, file and split pattern of each tokenizer whose file is there.
fn files() -> Vec<(&'static str, PathBuf, Option<Pattern>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = root.ancestors().map(|folder| folder.join("shared/data")).find(|folder| folder.is_dir());
    let mut found = vec![("bert-base-uncased", root.join("../../lab_app/vendor/bert-base-uncased/vocab.txt"), None)];
    if let Some(data) = data {
        let vocab = |path: &str| data.join("vocab").join(path);
        found.extend([
            ("gpt2", vocab("gpt2/tokenizer.json"), None),
            ("cl100k_base", vocab("openai/cl100k_base.tiktoken"), Some(Pattern::Cl100k)),
            ("o200k_base", vocab("openai/o200k_base.tiktoken"), Some(Pattern::O200k)),
            ("t5", vocab("t5/spiece.model"), None),
            ("llama2", vocab("llama2/tokenizer.model"), None),
        ]);
    }
    found.retain(|(_, path, _)| path.is_file());
    found
}

fn loaded(path: &Path, pattern: Option<Pattern>) -> Tokenizer {
    match pattern {
        None => load(path).expect("a tokenizer"),
        Some(pattern) => {
            let options = LoadOptions { pattern: Some(pattern.into()), ..LoadOptions::default() };
            load_with(path, &options).expect("a rank file")
        }
    }
}

/// The code of the engine.
fn text() -> String {
    let mut waiting = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src")];
    let mut text = String::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let mut inside: Vec<_> =
                path.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
            inside.sort();
            waiting.extend(inside);
        } else if text.len() < TEXT_BYTES {
            text.push_str(&std::fs::read_to_string(path).expect("a source file"));
        }
    }
    let end = (0..=TEXT_BYTES.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    text.truncate(end.unwrap_or(0));
    text
}

fn warm(criterion: &mut Criterion) {
    let text = text();
    let mut group = criterion.benchmark_group("warm");
    group.throughput(Throughput::Bytes(text.len() as u64));
    for (name, path, pattern) in files() {
        let tokenizer = loaded(&path, pattern);
        group.bench_function(name, |bencher| {
            bencher.iter(|| tokenizer.encode_ids(black_box(&text), Specials::Text));
        });
    }
}

/// Words of letters that no pattern splits: the merges of one pretoken, which no memo keeps at the longer lengths.
fn merges(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("merges of a word");
    for (name, path, pattern) in files().into_iter().filter(|file| file.2.is_some()) {
        let tokenizer = loaded(&path, pattern);
        for length in [16, 128, 4096] {
            let word: String = (0..length).map(|at| char::from(b'a' + (at * at * 7 + at / 3) as u8 % 26)).collect();
            group.throughput(Throughput::Bytes(length as u64));
            group.bench_function(format!("{name}, {length} letters"), |bencher| {
                bencher.iter(|| tokenizer.encode_ids(black_box(&word), Specials::Text));
            });
        }
    }
}

fn loading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    group.sample_size(10);
    for (name, path, pattern) in files() {
        group.bench_function(name, |bencher| bencher.iter(|| loaded(&path, pattern)));
    }
}

fn scanners(criterion: &mut Criterion) {
    let text = text();
    let mut group = criterion.benchmark_group("scanner");
    group.throughput(Throughput::Bytes(text.len() as u64));
    for pattern in Pattern::ALL {
        group.bench_function(pattern.name(), |bencher| {
            bencher.iter(|| {
                let mut sum = 0;
                pattern.split(black_box(&text), |end| sum ^= end);
                sum
            });
        });
    }
}

criterion_group!(engine, warm, merges, scanners, loading);
criterion_main!(engine);
