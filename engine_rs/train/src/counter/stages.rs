//! From a text to its words: what the stages of a tokenizer do, and the short cuts where they allow one.

use std::iter::Peekable;

use token_engine::internals::added_tokens::{AddedTokens, Segment};
use token_engine::internals::alignment::Part;
use token_engine::internals::fast::byte_level::Splitter;
use token_engine::internals::stages::{EachInput, ModelInput, Run};
use token_engine::internals::{byte_alphabet, call};
use token_engine::normalizers::Normalizer;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::pretokenizers::byte_level::ByteLevel;
use token_engine::pretokenizers::metaspace::Prepend;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::pretokenizers::split::Split;
use token_engine::{EncodeError, Specials};

use super::{Fronts, Tables};
use crate::bert::BertWords;
use crate::definition;
use crate::error::TrainError;
use crate::followers::{self, LINE_END};
use crate::options::Options;
use crate::shards::{Adder, Shards};
use crate::table::{self, MAX_WORD_BYTES, Table};
/// What happens to a text before its words are counted.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    added: AddedTokens,
    normalizer: Option<Normalizer>,
    pretokenizer: Option<Pretokenizer>,
    is_bytes: bool,
    /// Finds the words in the text itself, where these stages allow it.
    pub(super) splitter: Option<Splitter>,
    /// Finds them so by a regular expression that the splitter does not know.
    pub(super) split: Option<Split>,
    /// Whether a text may be divided before a byte: each part between two such places has its words for itself.
    pub(super) splits_before: Option<Box<[bool; 256]>>,
    /// What BERT's stages do with each character.
    pub(super) bert: Option<BertWords>,
    /// Whether each counted word has what follows it at its end ([`followers`]).
    pub(super) follows: bool,
    /// Whether every character is a word.
    pub(super) characters: bool,
    /// Tells counts of other options apart.
    pub(super) fingerprint: String,
}

/// Longer parts are not kept: they hardly come again.
const MAX_PART_BYTES: usize = 64;
/// Parts are settled when those of a shard take so much memory.
const MAX_SHARD_BYTES: usize = (24 << 20) / Shards::COUNT;

impl Stages {
    /// Errors: stages that cannot be read.
    pub(super) fn new(options: &Options) -> Result<Self, TrainError> {
        let definition = definition::stages(options)?;
        let follows = options.follows_words();
        let pattern = pattern(definition.normalizer.as_ref(), definition.pretokenizer.as_ref(), options.is_bytes());
        let split = plain_split(definition.normalizer.as_ref(), definition.pretokenizer.as_ref(), options.is_bytes());
        let splits_before = splits_before(definition.normalizer.as_ref(), definition.pretokenizer.as_ref());
        let bert = BertWords::new(definition.normalizer.as_ref(), definition.pretokenizer.as_ref());
        Ok(Self {
            added: AddedTokens::new(definition.added_tokens, definition.normalizer.as_ref()),
            normalizer: definition.normalizer,
            pretokenizer: definition.pretokenizer,
            is_bytes: options.is_bytes(),
            splitter: pattern.filter(|_| !follows).map(Splitter::new),
            split,
            splits_before,
            bert: bert.filter(|_| !options.is_bytes() && !follows),
            follows,
            characters: options.counts_characters(),
            fingerprint: fingerprint(options),
        })
    }

    /// Adds the words of a text.
    pub(super) fn count(&self, text: &str, tables: &Tables, fronts: &mut Fronts) -> Result<(), TrainError> {
        call::check().map_err(EncodeError::from)?;
        // A text is counted as a whole: stages that end in the middle would leave out parts of earlier ones, too.
        let _whole = call::enter(None);
        if text.len() > u32::MAX as usize {
            return Err(EncodeError::TooLong { bytes: text.len() }.into());
        }
        let words = &mut Adder::new(&tables.words, &mut fronts.words);
        match (&self.splitter, &self.split, &self.splits_before) {
            (Some(splitter), ..) => self.count_matches(splitter, text, words),
            (None, Some(split), _) => self.count_ranges(split, text, words),
            (None, None, Some(splits_before)) => {
                let parts = &mut Adder::new(&tables.parts, &mut fronts.parts);
                self.count_parts(splits_before, text, words, parts)?;
                for shard in fronts.parts.take_flushed() {
                    if let Some(parts) = tables.parts.take_large(shard, MAX_SHARD_BYTES) {
                        self.settle(parts, tables, fronts)?;
                    }
                }
                Ok(())
            }
            (None, None, None) => self.count_stages(text, LINE_END, 1, words),
        }
    }

    /// Equal parts have equal words, so each part goes through the stages once.
    fn count_parts(
        &self,
        splits_before: &[bool; 256],
        text: &str,
        words: &mut Adder<'_>,
        parts: &mut Adder<'_>,
    ) -> Result<(), TrainError> {
        for segment in self.added.raw_segments(text, Specials::Parse)? {
            let Segment::Text(span) = segment else { continue };
            let (segment, mut start) = (&text[span.range()], 0);
            // Ends, as every part has a byte.
            while start < segment.len() {
                let rest = segment.as_bytes()[start + 1..].iter().position(|&byte| splits_before[usize::from(byte)]);
                let end = rest.map_or(segment.len(), |len| start + 1 + len);
                let part = &segment[start..end];
                let next = if self.follows { followers::after(&segment[end..], LINE_END) } else { LINE_END };
                if part.len() > MAX_PART_BYTES {
                    self.count_part(part, next, 1, &mut vec![], words)?;
                } else if self.follows {
                    parts.add(&followers::counted(part.as_bytes(), next), 1)?;
                } else {
                    parts.add(part.as_bytes(), 1)?;
                }
                start = end;
            }
        }
        Ok(())
    }

    /// Counts the words of parts.
    pub(super) fn settle(&self, parts: Table, tables: &Tables, fronts: &mut Fronts) -> Result<(), TrainError> {
        if parts.len() == 0 {
            return Ok(());
        }
        let (mut word, words) = (vec![], &mut Adder::new(&tables.words, &mut fronts.words));
        parts.iter().try_for_each(|(part, count)| {
            let (part, next) = if self.follows { followers::split(part) } else { (part, LINE_END) };
            // Nothing is replaced: a part of a text is UTF-8.
            self.count_part(&String::from_utf8_lossy(part), next, count, &mut word, words)
        })
    }

    /// Counts the words of a part that occurs `count` times. `next` follows it; `word` is a buffer.
    fn count_part(
        &self,
        part: &str,
        next: u8,
        count: u64,
        word: &mut Vec<u8>,
        words: &mut Adder<'_>,
    ) -> Result<(), TrainError> {
        match &self.bert {
            Some(bert) if bert.is_clear(part) => bert.split(part, word, |word| words.add(word, count)),
            _ => self.count_stages(part, next, count, words),
        }
    }

    /// The words are slices of the text between special tokens.
    fn count_matches(&self, splitter: &Splitter, text: &str, words: &mut Adder<'_>) -> Result<(), TrainError> {
        for segment in self.added.raw_segments(text, Specials::Parse)? {
            let Segment::Text(span) = segment else { continue };
            let segment = &text[span.range()];
            let mut result = Ok(());
            splitter.split(segment, |bounds| {
                if result.is_ok() {
                    result = words.add_all(segment.as_bytes(), bounds);
                }
            });
            result?;
        }
        Ok(())
    }

    /// The same where a regular expression finds the words.
    fn count_ranges(&self, split: &Split, text: &str, words: &mut Adder<'_>) -> Result<(), TrainError> {
        for segment in self.added.raw_segments(text, Specials::Parse)? {
            let Segment::Text(span) = segment else { continue };
            let segment = &text[span.range()];
            let mut result = Ok(());
            split.for_each_range(segment, &mut |range| {
                if result.is_ok() {
                    result = words.add(&segment.as_bytes()[range], 1);
                }
                Ok(())
            })?;
            result?;
        }
        Ok(())
    }

    /// Adds the words of a text that occurs `count` times and holds no special token.
    pub(super) fn count_times(&self, text: &str, count: u64, words: &mut Adder<'_>) -> Result<(), TrainError> {
        let Some(splitter) = &self.splitter else { return self.count_stages(text, LINE_END, count, words) };
        let mut result = Ok(());
        splitter.split(text, |bounds| {
            for bounds in bounds.windows(2) {
                if result.is_ok() {
                    result = words.add(&text.as_bytes()[bounds[0] as usize..bounds[1] as usize], count);
                }
            }
        });
        result
    }

    /// The words are what the stages make, one after the other, `count` times each. `next` follows the text.
    fn count_stages(&self, text: &str, next: u8, count: u64, words: &mut Adder<'_>) -> Result<(), TrainError> {
        let mut buffer = vec![];
        let mut overflow = Ok(());
        let mut ends = self.segment_ends(text)?;
        let mut word = |pretoken: &Part<'_>| {
            let word = pretoken.text();
            buffer.clear();
            if self.follows && !word.is_empty() {
                let at = pretoken.span(0..word.len()).end as usize;
                while ends.next_if(|&end| end < at).is_some() {}
                let end = ends.peek().copied().unwrap_or(text.len());
                let next = if end == text.len() { next } else { LINE_END };
                // So that a text may be split after a newline that is part of a word.
                let next = if text[..at].ends_with('\n') { LINE_END } else { followers::after(&text[at..end], next) };
                if overflow.is_ok() {
                    overflow = add_followed(words, word.as_bytes(), next, count);
                }
                return;
            }
            let bytes = if self.is_bytes {
                // A `ByteLevel` step spelled them, so all characters are in the byte alphabet.
                buffer.extend(word.chars().filter_map(byte_alphabet::byte_of));
                &buffer[..]
            } else {
                word.as_bytes()
            };
            if overflow.is_err() {
                return;
            }
            overflow = if self.characters {
                let mut four = [0; 4];
                word.chars().try_for_each(|c| words.add(c.encode_utf8(&mut four).as_bytes(), count))
            } else {
                words.add(bytes, count)
            };
        };
        let run = Run::new(&self.added, Specials::Parse, self.normalizer.as_ref(), self.pretokenizer.as_ref());
        let mut each = EachInput(|input: ModelInput<'_>| {
            if let ModelInput::Pretoken(pretoken) = input {
                word(pretoken);
            }
            Ok(())
        });
        run.over(text, 0, &mut each)?;
        overflow
    }

    /// Where the stretches of a text between special tokens end. Nothing if words are counted without what follows them.
    fn segment_ends(&self, text: &str) -> Result<Peekable<std::vec::IntoIter<usize>>, TrainError> {
        let mut ends = vec![];
        if self.follows {
            for segment in self.added.raw_segments(text, Specials::Parse)? {
                if let Segment::Text(span) = segment {
                    ends.push(span.end as usize);
                }
            }
        }
        Ok(ends.into_iter().peekable())
    }
}

/// Adds a word, or its parts, with what follows it at its end.
fn add_followed(words: &mut Adder<'_>, word: &[u8], next: u8, count: u64) -> Result<(), TrainError> {
    if word.len() < MAX_WORD_BYTES {
        return words.add(&followers::counted(word, next), count);
    }
    if word.len() > MAX_WORD_BYTES {
        words.count_split_words(count);
    }
    let mut parts = table::parts(word).peekable();
    while let Some(part) = parts.next() {
        let next = parts.peek().and_then(|next| next.first().copied()).unwrap_or(next);
        words.add_whole(&followers::counted(part, next), count)?;
    }
    Ok(())
}

/// The options that decide how words are made.
pub(super) fn fingerprint(options: &Options) -> String {
    let stages = Options {
        normalizer: options.normalizer.clone(),
        pre_tokenizer: options.pre_tokenizer.clone(),
        superwords_from: options.superwords_from,
        superword_digits: options.superword_digits,
        superword_marks: options.superword_marks,
        special_tokens: options.all_special_tokens().into_iter().map(str::to_owned).collect(),
        ..Options::default()
    };
    let characters = if options.counts_characters() { " characters" } else { "" };
    format!("{} bytes={} follows={}{characters}", stages.to_json(), options.is_bytes(), options.follows_words())
}

/// The pattern whose matches are the words, if nothing else happens to the text.
fn pattern(normalizer: Option<&Normalizer>, pretokenizer: Option<&Pretokenizer>, is_bytes: bool) -> Option<Pattern> {
    if normalizer.is_some() {
        return None;
    }
    let split = |stage: &Pretokenizer| match stage {
        Pretokenizer::Pattern(pattern) => Some(*pattern),
        Pretokenizer::Split(split) => split.scanner(),
        _ => None,
    };
    match pretokenizer? {
        Pretokenizer::ByteLevel(bytes) if is_bytes && bytes.use_regex && !bytes.add_prefix_space => Some(Pattern::R50k),
        Pretokenizer::Sequence(all) => match &all[..] {
            [first, Pretokenizer::ByteLevel(bytes)] if is_bytes && is_spelling(bytes) => split(first),
            _ => None,
        },
        other if !is_bytes => split(other),
        _ => None,
    }
}

/// Whether it spells bytes and does no more.
fn is_spelling(bytes: &ByteLevel) -> bool {
    !bytes.use_regex && !bytes.add_prefix_space
}

/// The regular expression whose parts are the words, if nothing else happens to the text.
fn plain_split(normalizer: Option<&Normalizer>, pretokenizer: Option<&Pretokenizer>, is_bytes: bool) -> Option<Split> {
    let Some(Pretokenizer::Sequence(all)) = pretokenizer.filter(|_| is_bytes && normalizer.is_none()) else {
        return None;
    };
    match &all[..] {
        [Pretokenizer::Split(split), Pretokenizer::ByteLevel(bytes)] if is_spelling(bytes) => Some(split.clone()),
        _ => None,
    }
}

/// The bytes before which a text may be divided, if the stages allow it: white space starts a word or stands between two,
/// and what is on one side of it does not matter to the other.
fn splits_before(normalizer: Option<&Normalizer>, pretokenizer: Option<&Pretokenizer>) -> Option<Box<[bool; 256]>> {
    let white: &[u8] = match pretokenizer? {
        Pretokenizer::Bert | Pretokenizer::Whitespace | Pretokenizer::WhitespaceSplit => b" \n\t\r",
        Pretokenizer::Sequence(all) => match &all[..] {
            [Pretokenizer::Bert | Pretokenizer::Whitespace | Pretokenizer::WhitespaceSplit, ..] => b" \n\t\r",
            _ => return None,
        },
        Pretokenizer::Metaspace(metaspace) if metaspace.split && metaspace.prepend != Prepend::First => b" ",
        _ => return None,
    };
    if normalizer.is_some_and(|normalizer| !keeps_off_spaces(normalizer)) {
        return None;
    }
    let mut splits_before = Box::new([false; 256]);
    white.iter().for_each(|&byte| splits_before[usize::from(byte)] = true);
    Some(splits_before)
}

/// Whether a normalizer leaves white space as it is and changes what is on one side of it as if the other were not there:
/// no character composes with a space, and no mark moves across it.
fn keeps_off_spaces(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::Bert(_) | Normalizer::Form(_) | Normalizer::Lowercase | Normalizer::StripAccents => true,
        Normalizer::Sequence(all) => all.iter().all(keeps_off_spaces),
        _ => false,
    }
}
