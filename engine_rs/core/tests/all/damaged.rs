//! Files cut short and files with wrong bytes: an error that names the file, or a tokenizer that works. Never a panic.
//!
//! The same with inputs that a fuzzer looks for: `make fuzz`.

use crate::small_files::{FILE, FORMATS, reads};
use token_engine::formats::detect::format_name;
use token_engine::formats::state;
use token_engine::internals::random::Random;
use token_engine::{Place, Specials};

const TRIES: u64 = 40;

fn below(random: &mut Random, bound: usize) -> usize {
    (random.next_bits() % bound as u64) as usize
}

/// The file with its end gone, or with up to four bytes others.
fn damaged(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut content = file.to_vec();
    if below(random, 3) == 0 {
        content.truncate(below(random, file.len()));
        return content;
    }
    for _ in 0..=below(random, 4) {
        let at = below(random, content.len());
        // Bytes that mean something to most formats find more than any byte does.
        let likely = b"0123456789 \n\"{}[]:,-\x00\xff\x80";
        content[at] = match below(random, 3) {
            0 => content[at] ^ 1 << below(random, 8),
            1 => random.next_bits() as u8,
            _ => likely[below(random, likely.len())],
        };
    }
    content
}

#[test]
fn small_files_are_valid() {
    for format in &FORMATS {
        for file in (format.files)() {
            assert_eq!(reads(format, &file), Ok(()), "{}", format.name);
        }
    }
}

#[test]
fn damaged_files_are_errors_or_tokenizers() {
    for format in &FORMATS {
        let (mut refused, mut placed) = (0, 0);
        for (seed, file) in (1..).zip((format.files)()) {
            let mut random = Random::new(seed);
            for _ in 0..TRIES {
                let content = damaged(&file, &mut random);
                let _ = format_name(&content);
                if let Err(error) = reads(format, &content) {
                    assert_eq!(error.file, FILE, "{}: {error}", format.name);
                    assert!(!error.problem.is_empty(), "{}: {error}", format.name);
                    refused += 1;
                    placed += u32::from(error.place != Place::File);
                }
            }
        }
        assert!(refused > 10, "{}: {refused} refused; is the damage any?", format.name);
        // An archive is broken as a whole; so is a vocabulary without one of its bytes.
        assert!(
            placed > 0 && (format.name == "clip" || placed * 3 > refused),
            "{}: {placed} of {refused}",
            format.name
        );
    }
}

#[test]
fn states_come_back() {
    for format in &FORMATS {
        for file in (format.files)() {
            let definition = (format.read)(&file).expect("small files are valid");
            assert_eq!(state::read(&state::write(&definition)).as_ref(), Ok(&definition), "{}", format.name);
        }
    }
}

#[test]
fn damaged_states_are_errors_or_tokenizers() {
    let mut refused = 0;
    for format in &FORMATS {
        for (seed, file) in (1..).zip((format.files)()) {
            let mut random = Random::new(seed);
            let state = state::write(&(format.read)(&file).expect("small files are valid"));
            for _ in 0..TRIES {
                match state::read(&damaged(&state, &mut random)).and_then(|definition| definition.build(FILE)) {
                    Ok(tokenizer) => drop(tokenizer.encode_ids("the cat\u{e9} 12", Specials::Parse)),
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 100, "{refused} refused; is the damage any?");
}
