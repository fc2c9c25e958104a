//! Any bytes as the format `rwkv`: an error that names the file, or a tokenizer that encodes.

#![no_main]

libfuzzer_sys::fuzz_target!(|content: &[u8]| token_engine_fuzz::read("rwkv", content));
