//! Superwords: BPE in two phases, the first within words, the second across them.
//!
//! The counter splits texts by [`split`] alone, into phrases, and counts these as it counts words. So equal phrases are kept
//! once, with their count. The first phase learns from the words of the phrases ([`words_within`]), the second from the
//! phrases as the merges so far encode them ([`symbols`]). As the tokenizer splits a text into phrases, too, it makes the
//! merges that the training made: merges of the first phase also join words where they fit.
//!
//! Source: Liu et al. 2025, SuperBPE: space travel for language models; Tanner, Schmidt, Pinter 2026, Faster superword
//! tokenization, counts phrases.

use serde_json::{Value, json};
use token_engine::{Expression, Specials};

use crate::counter::WordCounter;
use crate::definition::{self, Model};
use crate::error::TrainError;
use crate::options::Options;
use crate::stop::Stop;
use crate::symbols::{END, Symbols, check_room};
use crate::words::WordCounts;

/// Up to three digits, with the space before them.
const DIGITS: &str = r" ?\p{N}{1,3}";
/// Marks that end a sentence, with the quotes and brackets beside them. Those of scripts with spaces have white space behind.
const MARKS: &str = r#"["'”’)\]}]*(?:[.!?…؟]+["'”’)\]}]*(?!\S)|[。！？।॥]+[」』”’）]*)"#;
/// White space up to the space before a word: a token of many spaces would take that from the word.
const SPACES: &str = r"\s+(?!\S)";
/// No superword reaches over the end of a line. Before [`SPACES`], which would take a line end from those behind it.
const LINE_ENDS: &str = r"[\r\n]+";
/// Matches nothing: the engine's pass over bytes wants a pattern.
const NOWHERE: &str = r"[^\s\S]";
/// Phrases that are encoded between two looks at the stop flag.
const PHRASES_AT_ONCE: usize = if cfg!(test) { 9 } else { 1 << 18 };

/// The pretokenizer that splits texts into phrases.
pub(crate) fn split(options: &Options) -> Option<Value> {
    let digits = (!options.superword_digits).then_some(DIGITS);
    let marks = (!options.superword_marks).then_some(MARKS);
    let pattern = [digits, marks, Some(LINE_ENDS), Some(SPACES)].into_iter().flatten().collect::<Vec<_>>().join("|");
    Some(split_by(&pattern))
}

/// Whether an expression is that of [`split`], with any limits.
pub(crate) fn are_phrases(expression: &Expression) -> bool {
    let end = format!("{LINE_ENDS}|{SPACES}");
    matches!(expression, Expression::Regex(regex) | Expression::FancyRegex(regex) if regex.ends_with(&end))
}

fn split_by(pattern: &str) -> Value {
    json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false})
}

/// The words of phrases; `None` for options without superwords.
///
/// Errors: a pretokenizer that does more than split; as [`WordCounter::add`].
pub(crate) fn words_within(
    options: &Options,
    phrases: &WordCounts,
    stop: Stop<'_>,
) -> Result<Option<WordCounts>, TrainError> {
    if options.superwords_from.is_none() {
        return Ok(None);
    }
    let mut counter =
        WordCounter::new(&Options { pre_tokenizer: options.pre_tokenizer.clone(), ..Options::default() })?;
    counter.add_counted(phrases, stop)?;
    let words = counter.into_counts()?;
    let bytes = |counts: &WordCounts| counts.iter().map(|(word, count)| word.len() as u64 * count).sum::<u64>();
    if bytes(&words) != bytes(phrases) {
        let hint = "give one that only splits, such as that of the preset gpt2";
        let problem = "which adds or removes characters, with `superwords_from`";
        return Err(TrainError::option("pre_tokenizer", json!(options.pre_tokenizer), problem, hint));
    }
    Ok(Some(words))
}

/// The phrases as tokens of a model, without those of one token, in which nothing is left to merge.
///
/// Errors: more tokens than 32-bit positions; [`TrainError::Stopped`].
pub(crate) fn symbols(
    options: &Options,
    model: &Model,
    phrases: &WordCounts,
    stop: Stop<'_>,
) -> Result<Symbols, TrainError> {
    let Options { special_tokens, unknown_token, .. } = options.clone();
    let pre_tokenizer = Some(split_by(NOWHERE));
    let options = Options { special_tokens, unknown_token, pre_tokenizer, ..Options::default() };
    let tokenizer = definition::tokenizer(&options, model)?;
    let mut symbols = Symbols { ids: vec![END], runs: vec![] };
    let mut phrases = phrases.iter().peekable();
    while phrases.peek().is_some() {
        stop.check()?;
        let some = phrases.by_ref().take(PHRASES_AT_ONCE);
        // All phrases are UTF-8: bytes that are not would have changed when they were divided into words.
        let some = some.map(|(phrase, count)| (std::str::from_utf8(phrase).unwrap_or_default(), count));
        let (texts, counts): (Vec<&str>, Vec<u64>) = some.unzip();
        let encoded = tokenizer.encode_ids_batch(&texts, Specials::Text, 0)?;
        check_room((symbols.ids.len() + encoded.ids.len() + texts.len()) as u64)?;
        for (bounds, count) in encoded.row_starts.windows(2).zip(counts) {
            let phrase = &encoded.ids[bounds[0] as usize..bounds[1] as usize];
            if phrase.len() > 1 {
                symbols.ids.extend_from_slice(phrase);
                symbols.ids.push(END);
                symbols.end_word(count);
            }
        }
    }
    Ok(symbols)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::stop::tests::stopping_at;
    use crate::testing::Random;
    use crate::trainer::Trainer;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn options(more: &Value) -> Options {
        let words = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true});
        let mut all =
            json!({"vocab_size": 400, "superwords_from": 270, "pre_tokenizer": words, "special_tokens": ["a b"]});
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more.clone()) {
            all.extend(more);
        }
        Options::from_json(&all.to_string()).expect("options")
    }

    fn text() -> String {
        let mut random = Random::new(7);
        let words = ["of", "the", "a", "sat", "mat", "don't", "on", "12", "3456", "cat,", "end.", "語。", "naïve"];
        (0..3000).map(|_| format!("{} ", words[random.below(words.len()) * random.below(9) / 9])).collect()
    }

    fn start(options: &Options) -> Trainer {
        let mut counter = WordCounter::new(options).expect("stages");
        counter.add(&text()).expect("a text");
        Trainer::new(options.clone(), counter.into_counts().expect("counts")).expect("a corpus")
    }

    fn finished(mut trainer: Trainer) -> Trainer {
        assert!(trainer.run(usize::MAX, &NEVER).expect("steps").finished);
        trainer
    }

    #[test]
    fn line_ends_stay_together() {
        let only = Options { pre_tokenizer: split(&options(&json!({}))), ..Options::default() };
        let mut counter = WordCounter::new(&only).expect("stages");
        counter.add("one of\n\n  two\r\nthree").expect("a text");
        let counts = counter.into_counts().expect("counts");
        let mut words: Vec<_> = counts.iter().map(|(word, _)| String::from_utf8_lossy(word).into_owned()).collect();
        words.sort();
        assert_eq!(words, ["\n\n", "\r\n", " ", " two", "one of", "three"]);
    }

    /// The tokens that training made.
    fn learned(trainer: &Trainer) -> Vec<String> {
        let Model::Bpe { tokens, .. } = trainer.model() else { return vec![] };
        tokens[257..].iter().map(|token| token.replace('Ġ', " ")).collect()
    }

    #[test]
    fn phases_and_limits() {
        let words = |token: &String| token.split_whitespace().count();
        let tokens = learned(&finished(start(&options(&json!({})))));
        assert!(tokens[..13].iter().all(|token| words(token) < 2), "{:?}", &tokens[..13]);
        assert!(tokens[13..].iter().any(|token| words(token) == 4), "{:?}", &tokens[13..]);
        assert!(tokens.iter().all(|token| words(token) <= 4));
        let crosses = |token: &&String, what: &[char]| words(token) > 1 && token.contains(what);
        let digits = ['1', '2', '3', '4', '5', '6'];
        assert!(!tokens.iter().any(|token| crosses(&token, &digits) || crosses(&token, &['.'])), "{tokens:?}");
        let more = json!({"superword_words": 2, "superword_digits": true, "superword_marks": true});
        let tokens = learned(&finished(start(&options(&more))));
        assert!(tokens.iter().all(|token| words(token) <= 2));
        assert!(
            tokens.iter().any(|token| crosses(&token, &digits)) && tokens.iter().any(|token| crosses(&token, &['.']))
        );
    }

    #[test]
    fn the_second_phase_begins_when_the_first_has_no_pairs() {
        let tokens = learned(&finished(start(&options(&json!({"vocab_size": 4000, "superwords_from": 4000})))));
        assert!(tokens.iter().any(|token| token.split_whitespace().count() > 1));
    }

    #[test]
    fn a_training_resumes_in_each_phase_and_at_the_switch() {
        let options = options(&json!({}));
        let whole = finished(start(&options)).model();
        for steps in [6, 12, 13, 14, 60] {
            let mut trainer = start(&options);
            trainer.run(steps, &NEVER).expect("steps");
            let resumed = Trainer::resume(&trainer.checkpoint().expect("bytes")).expect("a checkpoint");
            assert_eq!(finished(resumed).model(), whole, "{steps} steps");
        }
        let mut trainer = start(&options);
        trainer.run(13, &NEVER).expect("steps");
        let model = trainer.model();
        let found = stopping_at(0, |stop| symbols(&options, &model, trainer.counts(), stop)).0;
        assert_eq!(found, Err(TrainError::Stopped));
    }

    #[test]
    fn a_pretokenizer_that_changes_the_text_is_refused() {
        let words = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true});
        for stage in [words, json!({"type": "WhitespaceSplit"})] {
            let options = options(&json!({"pre_tokenizer": stage}));
            let mut counter = WordCounter::new(&options).expect("stages");
            counter.add("one two").expect("a text");
            let error = Trainer::new(options, counter.into_counts().expect("counts")).expect_err("it changes the text");
            assert!(error.to_string().contains("which adds or removes characters"), "{error}");
        }
    }
}
