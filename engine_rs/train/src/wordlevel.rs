//! WordLevel: the most frequent words are the vocabulary.

use crate::error::TrainError;
use crate::options::Options;
use crate::ranked::Entry;
use crate::stop::Stop;
use crate::tokens::Tokens;
use crate::words::WordCounts;

/// The special tokens and the words to take, the most frequent first. A word that is spelled like a special token is left
/// out: the special token stands for it.
///
/// Errors: no room for a word.
pub(crate) fn entries(
    options: &Options,
    counts: &WordCounts,
    stop: Stop<'_>,
) -> Result<(Tokens, Vec<Entry>), TrainError> {
    let tokens = Tokens::special_alone(options);
    if tokens.len() >= options.vocab_size {
        return Err(TrainError::VocabTooSmall {
            asked: options.vocab_size,
            special: tokens.len(),
            alphabet: 1,
            is_bytes: false,
        });
    }
    let frequent = counts.iter().take_while(|&(_, count)| count >= options.min_frequency);
    let mut entries = vec![];
    for (at, (word, count)) in frequent.enumerate() {
        stop.check_at(at)?;
        if !tokens.is_taken(word) {
            entries.push(Entry { token: word.to_vec(), count });
        }
    }
    Ok((tokens, entries))
}
