//! Which characters or bytes a vocabulary begins with.
//!
//! Bytes come in the order of their characters in GPT-2's alphabet (`!` first, the space late), as in GPT-2's own
//! vocabulary; characters by code point. Both are the orders of `tokenizers`, whose ties of pairs depend on ids.

use rustc_hash::FxHashMap;
use token_engine::internals::byte_alphabet;

use crate::options::Options;
use crate::stop::{Stop, Stopped};
use crate::words::WordCounts;

/// A character and how often it occurs in the corpus.
pub(crate) type Occurring = (char, u64);

/// The characters of the alphabet by code point, with their counts. Characters of `initial_alphabet` are always in it; of
/// the others the most frequent ones, as `limit_alphabet` and `character_coverage` allow. Among equally frequent ones the
/// lower code point is kept. The zero byte is in no alphabet of a tokenizer of whole texts.
///
/// Errors: [`Stopped`], as all functions here.
pub(crate) fn characters(options: &Options, counts: &WordCounts, stop: Stop<'_>) -> Result<Vec<Occurring>, Stopped> {
    let mut occurrences: FxHashMap<char, u64> = FxHashMap::default();
    for (at, (word, count)) in counts.iter().enumerate() {
        stop.check_at(at)?;
        for c in String::from_utf8_lossy(word).chars() {
            // No overflow: `WordCounts` checked the sum of all characters.
            *occurrences.entry(c).or_default() += count;
        }
    }
    let initial = options.initial_alphabet.iter().flat_map(|entry| entry.chars());
    let mut kept: FxHashMap<char, u64> =
        initial.map(|c| (c, occurrences.get(&c).copied().unwrap_or_default())).collect();
    if options.whole_text {
        // SentencePiece, whose file such a tokenizer may become, reads no piece with it.
        occurrences.remove(&'\0');
    }
    let mut by_count: Vec<Occurring> = occurrences.into_iter().collect();
    by_count.sort_unstable_by_key(|&(c, count)| (std::cmp::Reverse(count), c));
    let total: u64 = by_count.iter().map(|(_, count)| count).sum();
    let limit = options.limit_alphabet.unwrap_or(usize::MAX);
    let mut covered = 0;
    for (c, count) in by_count {
        let enough = covered as f64 >= options.character_coverage * total as f64;
        if !kept.contains_key(&c) && (enough || kept.len() >= limit) {
            continue;
        }
        covered += count;
        kept.insert(c, count);
    }
    let mut kept: Vec<Occurring> = kept.into_iter().collect();
    kept.sort_unstable();
    Ok(kept)
}

/// The entries of the alphabet in the order of their ids: bytes of fallback, characters, characters with prefix or suffix
/// as the words have them.
pub(crate) fn entries(options: &Options, counts: &WordCounts, stop: Stop<'_>) -> Result<Vec<Vec<u8>>, Stopped> {
    if options.is_bytes() {
        let mut bytes: Vec<u8> = (0..=255).collect();
        bytes.sort_by_key(|&byte| byte_alphabet::char_of(byte));
        return Ok(bytes.into_iter().map(|byte| vec![byte]).collect());
    }
    let mut entries = fallback(options);
    let kept = characters(options, counts, stop)?;
    entries.extend(kept.iter().map(|(c, _)| c.to_string().into_bytes()));
    if !options.prefix().is_empty() || !options.suffix().is_empty() {
        entries.extend(forms(options, counts, &kept, stop)?);
    }
    Ok(entries)
}

/// Tokens of the bytes of characters outside the alphabet, if there are such tokens.
pub(crate) fn fallback(options: &Options) -> Vec<Vec<u8>> {
    let bytes = if options.byte_fallback { 0..256 } else { 0..0 };
    bytes.map(|byte| format!("<0x{byte:02X}>").into_bytes()).collect()
}

/// Characters with prefix, suffix or both that words have: by prefix and suffix, then by code point.
fn forms(options: &Options, counts: &WordCounts, kept: &[Occurring], stop: Stop<'_>) -> Result<Vec<Vec<u8>>, Stopped> {
    let mut seen: FxHashMap<char, [bool; 4]> = kept.iter().map(|&(c, _)| (c, [false; 4])).collect();
    for (at, (word, _)) in counts.iter().enumerate() {
        stop.check_at(at)?;
        let word = String::from_utf8_lossy(word);
        let last = word.char_indices().next_back().map_or(0, |(at, _)| at);
        for (at, c) in word.char_indices() {
            if let Some(seen) = seen.get_mut(&c) {
                seen[usize::from(at > 0) + 2 * usize::from(at == last)] = true;
            }
        }
    }
    let mut forms = vec![];
    for form in 0..4 {
        let prefix = if form & 1 == 1 { options.prefix() } else { "" };
        let suffix = if form & 2 == 2 { options.suffix() } else { "" };
        let of_form = kept.iter().filter(|(c, _)| seen.get(c).is_some_and(|seen| seen[form]));
        forms.extend(of_form.map(|(c, _)| format!("{prefix}{c}{suffix}").into_bytes()));
    }
    Ok(forms)
}
