//! Character: the characters of the corpus, or all bytes, are the vocabulary.

use std::cmp::Reverse;

use crate::alphabet;
use crate::error::TrainError;
use crate::options::Options;
use crate::ranked::Entry;
use crate::stop::{Stop, Stopped};
use crate::tokens::Tokens;
use crate::words::WordCounts;

/// The special tokens and the characters or bytes to take. Bytes come in the order of their alphabet, and all of them;
/// characters by count.
///
/// Errors: a special token that is spelled like a character; no room for all bytes, or for a character.
pub(crate) fn entries(
    options: &Options,
    counts: &WordCounts,
    stop: Stop<'_>,
) -> Result<(Tokens, Vec<Entry>), TrainError> {
    let mut tokens = Tokens::special_alone(options);
    let special = tokens.len();
    if options.is_bytes() {
        let entries = bytes(options, counts, stop)?;
        check(options, &tokens, special, &entries, entries.len())?;
        return Ok((tokens, entries));
    }
    for byte in alphabet::fallback(options) {
        tokens.push(&byte, 1);
    }
    let mut characters = alphabet::characters(options, counts, stop)?;
    characters.sort_by_key(|&(c, count)| (Reverse(count), c));
    let initial = |c: char| options.initial_alphabet.iter().any(|entry| entry.chars().eq([c]));
    characters.retain(|&(c, count)| count >= options.min_frequency || initial(c));
    let entries: Vec<Entry> =
        characters.into_iter().map(|(c, count)| Entry { token: c.to_string().into_bytes(), count }).collect();
    check(options, &tokens, special, &entries, tokens.len() - special + 1)?;
    Ok((tokens, entries))
}

fn bytes(options: &Options, counts: &WordCounts, stop: Stop<'_>) -> Result<Vec<Entry>, Stopped> {
    let mut occurrences = [0u64; 256];
    for (at, (word, count)) in counts.iter().enumerate() {
        stop.check_at(at)?;
        for &byte in word {
            occurrences[usize::from(byte)] += count;
        }
    }
    let bytes = alphabet::entries(options, counts, stop)?;
    Ok(bytes.into_iter().map(|token| Entry { count: occurrences[usize::from(token[0])], token }).collect())
}

/// Refuses special tokens that are spelled like an entry, and a vocabulary without room for `least` entries.
fn check(
    options: &Options,
    tokens: &Tokens,
    special: usize,
    entries: &[Entry],
    least: usize,
) -> Result<(), TrainError> {
    if let Some(entry) = entries.iter().find(|entry| tokens.is_taken(&entry.token)) {
        return Err(TrainError::SpecialInAlphabet { token: tokens.spell(&entry.token) });
    }
    if special + least > options.vocab_size {
        return Err(TrainError::VocabTooSmall {
            asked: options.vocab_size,
            special,
            alphabet: least,
            is_bytes: options.is_bytes(),
        });
    }
    Ok(())
}
