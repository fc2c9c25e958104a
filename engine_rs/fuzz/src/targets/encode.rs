//! Any text with a small tokenizer of every kind: spans lie in the text, ids in the vocabulary.

#![no_main]

use std::sync::LazyLock;

use token_engine::Tokenizer;
use token_engine_fuzz::small_files;

static TOKENIZERS: LazyLock<Vec<Tokenizer>> = LazyLock::new(token_engine_fuzz::tokenizers);

libfuzzer_sys::fuzz_target!(|text: &str| {
    for tokenizer in TOKENIZERS.iter() {
        small_files::encodes(tokenizer, text);
    }
});
