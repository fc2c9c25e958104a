//! WordLevel: the most frequent words are the vocabulary.

use crate::error::TrainError;
use crate::options::Options;
use crate::ranked::Entry;
use crate::tokens::Tokens;
use crate::words::WordCounts;

/// The special tokens and the words to take, the most frequent first. A word that is spelled like a special token is left
/// out: the special token stands for it.
///
/// Errors: no room for a word.
pub(crate) fn entries(options: &Options, counts: &WordCounts) -> Result<(Tokens, Vec<Entry>), TrainError> {
    let tokens = Tokens::special_alone(options);
    if tokens.len() >= options.vocab_size {
        return Err(TrainError::VocabTooSmall { asked: options.vocab_size, special: tokens.len(), alphabet: 1 });
    }
    let frequent = counts.iter().take_while(|&(_, count)| count >= options.min_frequency);
    let words = frequent.filter(|(word, _)| !tokens.is_taken(word));
    let entries = words.map(|(word, count)| Entry { token: word.to_vec(), count }).collect();
    Ok((tokens, entries))
}
