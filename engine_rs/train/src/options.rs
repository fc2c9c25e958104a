//! The options of a training: one struct for all algorithms, read from JSON.
//!
//! Stages (normalizer, pretokenizer, postprocessor, decoder) are written as in a tokenizer.json. Not here: how they become
//! a tokenizer ([`crate::definition`]).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::definition;
use crate::error::TrainError;

/// What is trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Merges of the most frequent pair.
    #[default]
    Bpe,
    /// Merges of the most frequent pair, or of that with the best likelihood score; greedy longest match when encoding.
    WordPiece,
    /// Probabilities of tokens by EM, pruned by loss.
    Unigram,
    /// The most frequent words.
    WordLevel,
    /// The most frequent characters, or all bytes.
    Character,
}

impl Algorithm {
    /// Its name in the options.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bpe => "bpe",
            Self::WordPiece => "wordpiece",
            Self::Unigram => "unigram",
            Self::WordLevel => "wordlevel",
            Self::Character => "character",
        }
    }
}

/// What words are made of before the first merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet {
    /// The 256 bytes. All of them are in the vocabulary, so there is no unknown text.
    Bytes,
    /// The characters of the corpus.
    Characters,
}

/// Which pair WordPiece merges next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// The most frequent pair, as in Hugging Face's `tokenizers`.
    #[default]
    Frequency,
    /// The pair with the highest `count(pair) / (count(left) * count(right))`. Rare pairs win, so words fall into many tokens.
    Likelihood,
}

/// How Unigram chooses its seeds and ends its rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Every word and every end of a word is a seed, characters stay through all rounds, and EM follows the last pruning.
    /// Makes fewer tokens of a text than the other.
    #[default]
    Words,
    /// As SentencePiece. Seeds are those of running text, characters that are hardly used leave until the end, and pruning
    /// comes last.
    SentencePiece,
}

/// How to train. `null` and a missing field mean the default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// What is trained.
    pub algorithm: Algorithm,
    /// Number of tokens, special tokens and alphabet included.
    pub vocab_size: usize,
    /// A pair (BPE, WordPiece) or word (WordLevel) or character (Character) must occur that often to become a token.
    pub min_frequency: u64,
    /// Tokens that get the first ids in this order. They are never split and not counted in texts.
    pub special_tokens: Vec<String>,
    /// What changes the text, as in a tokenizer.json.
    pub normalizer: Option<Value>,
    /// What splits it. With [`Alphabet::Bytes`] a `ByteLevel` step is added if there is none.
    pub pre_tokenizer: Option<Value>,
    /// What is put around the tokens.
    pub post_processor: Option<Value>,
    /// How tokens become text again. `null`: the decoder that undoes the other stages.
    pub decoder: Option<Value>,
    /// `null`: bytes for BPE and Character without byte fallback, characters otherwise.
    pub alphabet: Option<Alphabet>,
    /// Characters that are in the alphabet even if the corpus lacks them.
    pub initial_alphabet: Vec<String>,
    /// The most characters of the corpus that the alphabet may have.
    pub limit_alphabet: Option<usize>,
    /// The share of all characters of the corpus that the alphabet must cover; rarer characters are left out.
    pub character_coverage: f64,
    /// Put before each token inside of a word. `null` means `##` for WordPiece.
    pub continuing_prefix: Option<String>,
    /// Put after the last token of a word.
    pub end_suffix: Option<String>,
    /// The most characters (bytes, with [`Alphabet::Bytes`]) of a token, without prefix and suffix.
    pub max_token_length: Option<usize>,
    /// BPE of bytes: a merge joins bytes of one character, or whole characters, never a part of one with another.
    pub whole_characters: bool,
    /// BPE of bytes: the size of the vocabulary from which on merges may join words to superwords. The tokenizer splits texts
    /// into phrases then, and the pretokenizer divides the words of the first merges alone.
    pub superwords_from: Option<usize>,
    /// The most words of a superword.
    pub superword_words: usize,
    /// Whether superwords may hold digits. If not, numbers fall into groups of three digits.
    pub superword_digits: bool,
    /// Whether superwords may hold the marks that end a sentence.
    pub superword_marks: bool,
    /// Whether characters outside the alphabet become tokens of their bytes, `<0xE6>`.
    pub byte_fallback: bool,
    /// BPE and Unigram: the tokenizer sees whole texts, as SentencePiece does. The pretokenizer splits texts for training
    /// alone, the normalizer puts `▁` in the place of spaces, and BPE merges every pair of tokens that spells a token. A
    /// pretokenizer `Metaspace` that puts nothing before a text is needed.
    pub whole_text: bool,
    /// The token for what the vocabulary lacks. It is put before the special tokens unless it is one of them.
    pub unknown_token: Option<String>,
    /// Unigram: the share of tokens that one round of pruning keeps.
    pub shrinking_factor: f64,
    /// Unigram: EM iterations before each round of pruning.
    pub em_iterations: usize,
    /// Unigram: the most tokens to begin with.
    pub seed_size: usize,
    /// Unigram: how it chooses its seeds and ends its rounds.
    pub variant: Variant,
    /// WordPiece: which pair is merged next.
    pub score: Score,
    /// BPE: merges that are there before training, left and right as a tokenizer.json spells them. They are made in all
    /// words first, and those that are learned follow them.
    pub initial_merges: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Bpe,
            vocab_size: 4096,
            min_frequency: 2,
            special_tokens: vec![],
            normalizer: None,
            pre_tokenizer: None,
            post_processor: None,
            decoder: None,
            alphabet: None,
            initial_alphabet: vec![],
            limit_alphabet: None,
            character_coverage: 1.0,
            continuing_prefix: None,
            end_suffix: None,
            max_token_length: None,
            whole_characters: false,
            superwords_from: None,
            superword_words: 4,
            superword_digits: false,
            superword_marks: false,
            byte_fallback: false,
            whole_text: false,
            unknown_token: None,
            shrinking_factor: 0.75,
            em_iterations: 2,
            seed_size: 1_000_000,
            variant: Variant::Words,
            score: Score::Frequency,
            initial_merges: vec![],
        }
    }
}

impl Options {
    /// Reads and checks options.
    ///
    /// Errors: JSON that cannot be read, an unknown field, a value out of range, a special token given twice.
    ///
    /// ```
    /// # use token_train::{Algorithm, Options};
    /// let options = Options::from_json(r#"{"algorithm": "wordpiece", "vocab_size": 100}"#)?;
    /// assert_eq!((options.algorithm, options.prefix()), (Algorithm::WordPiece, "##"));
    /// let error = Options::from_json(r#"{"vocab": 100}"#).unwrap_err().to_string();
    /// assert!(error.starts_with("training options: unknown field `vocab`"));
    /// # Ok::<(), token_train::TrainError>(())
    /// ```
    pub fn from_json(json: &str) -> Result<Self, TrainError> {
        let options: Self = serde_json::from_str(json).map_err(|problem| TrainError::Json {
            problem: problem.to_string().replace("; ", ", "),
            hint: "correct or remove it".to_owned(),
        })?;
        options.check()?;
        Ok(options)
    }

    /// The options as JSON, all fields included.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Checks the values.
    ///
    /// Errors: as [`Self::from_json`].
    pub(crate) fn check(&self) -> Result<(), TrainError> {
        let range = |option, value: f64, ok: bool, problem: &str, hint: &str| {
            if ok { Ok(()) } else { Err(TrainError::option(option, value, problem, hint)) }
        };
        let coverage = self.character_coverage;
        let is_share = coverage > 0.0 && coverage <= 1.0;
        range("character_coverage", coverage, is_share, "not a share above 0 up to 1", "give 0.9995 for instance")?;
        let shrink = self.shrinking_factor;
        range(
            "shrinking_factor",
            shrink,
            shrink > 0.0 && shrink < 1.0,
            "not between 0 and 1",
            "give 0.75 for instance",
        )?;
        self.check_counts()?;
        self.check_algorithm()?;
        self.check_alphabet()?;
        self.check_superwords()?;
        self.check_whole_text()?;
        self.check_special_tokens()
    }

    fn check_counts(&self) -> Result<(), TrainError> {
        let max = 1 << 30;
        if self.vocab_size == 0 || self.vocab_size > max {
            let problem = format!("not between 1 and {max}");
            return Err(TrainError::option("vocab_size", self.vocab_size, problem, "give 8192 for instance"));
        }
        for (option, value) in [("em_iterations", self.em_iterations), ("seed_size", self.seed_size)] {
            if value == 0 {
                return Err(TrainError::option(option, value, "not positive", "give 1 or more"));
            }
        }
        if self.max_token_length == Some(0) {
            return Err(TrainError::option(
                "max_token_length",
                0,
                "not positive",
                "give 1 or more, or null for no limit",
            ));
        }
        Ok(())
    }

    /// Refuses what the algorithm does not use: nobody sets it to see nothing change.
    fn check_algorithm(&self) -> Result<(), TrainError> {
        use Algorithm::{Bpe, Character, Unigram, WordPiece};
        let Self {
            algorithm,
            initial_alphabet,
            limit_alphabet,
            character_coverage,
            continuing_prefix,
            end_suffix,
            max_token_length,
            whole_characters,
            superwords_from,
            superword_words,
            superword_digits,
            superword_marks,
            byte_fallback,
            shrinking_factor,
            em_iterations,
            seed_size,
            variant,
            score,
            initial_merges,
            ..
        } = self;
        let text = |text: &Option<String>| text.as_ref().filter(|text| !text.is_empty()).map(|text| json!(text));
        let changed = |value: Value, default: Value| Some(value.clone()).filter(|value| *value != default);
        let usual = Self::default();
        let with_alphabet: &[Algorithm] = &[Bpe, WordPiece, Unigram, Character];
        let set = [
            ("initial_alphabet", changed(json!(initial_alphabet), json!([])), with_alphabet),
            ("limit_alphabet", limit_alphabet.map(|limit| json!(limit)), with_alphabet),
            ("character_coverage", changed(json!(character_coverage), json!(1.0)), with_alphabet),
            ("continuing_prefix", text(continuing_prefix), &[Bpe, WordPiece]),
            ("end_suffix", text(end_suffix), &[Bpe]),
            ("max_token_length", max_token_length.map(|length| json!(length)), &[Bpe, WordPiece, Unigram]),
            ("whole_characters", changed(json!(whole_characters), json!(false)), &[Bpe]),
            ("superwords_from", superwords_from.map(|size| json!(size)), &[Bpe]),
            ("superword_words", changed(json!(superword_words), json!(usual.superword_words)), &[Bpe]),
            ("superword_digits", changed(json!(superword_digits), json!(false)), &[Bpe]),
            ("superword_marks", changed(json!(superword_marks), json!(false)), &[Bpe]),
            ("byte_fallback", changed(json!(byte_fallback), json!(false)), &[Bpe, Unigram, Character]),
            ("shrinking_factor", changed(json!(shrinking_factor), json!(usual.shrinking_factor)), &[Unigram]),
            ("em_iterations", changed(json!(em_iterations), json!(usual.em_iterations)), &[Unigram]),
            ("seed_size", changed(json!(seed_size), json!(usual.seed_size)), &[Unigram]),
            ("variant", changed(json!(variant), json!(usual.variant)), &[Unigram]),
            ("score", changed(json!(score), json!(usual.score)), &[WordPiece]),
            ("initial_merges", initial_merges.first().map(|first| json!(first)), &[Bpe]),
        ];
        for (option, value, users) in set {
            if let Some(value) = value.filter(|_| !users.contains(algorithm)) {
                let users: Vec<&str> = users.iter().map(|user| user.name()).collect();
                let problem = format!("which {} does not use", algorithm.name());
                return Err(TrainError::option(
                    option,
                    value,
                    problem,
                    format!("remove it (it is for {})", users.join(", ")),
                ));
            }
        }
        Ok(())
    }

    fn check_alphabet(&self) -> Result<(), TrainError> {
        for entry in &self.initial_alphabet {
            if entry.chars().count() != 1 {
                let value = format!("{entry:?} in one entry");
                return Err(TrainError::option(
                    "initial_alphabet",
                    value,
                    "not one character",
                    "give one character per entry",
                ));
            }
        }
        if !self.is_bytes() {
            if self.whole_characters {
                let hint = "remove it, for all tokens are whole characters, or set `alphabet` to \"bytes\"";
                return Err(TrainError::option("whole_characters", true, "not of use without bytes", hint));
            }
            return Ok(());
        }
        let bytes = "not possible with the alphabet \"bytes\"";
        let hint = "remove it, or set `alphabet` to \"characters\"";
        match self.algorithm {
            Algorithm::Bpe | Algorithm::Character => {}
            other => {
                let hint = "set `alphabet` to \"characters\"";
                return Err(TrainError::option("algorithm", other.name(), bytes, hint));
            }
        }
        if let Some(limit) = self.limit_alphabet {
            return Err(TrainError::option("limit_alphabet", limit, bytes, hint));
        }
        if self.character_coverage < 1.0 {
            return Err(TrainError::option("character_coverage", self.character_coverage, bytes, hint));
        }
        if self.byte_fallback {
            return Err(TrainError::option("byte_fallback", true, bytes, hint));
        }
        for (option, value) in [("continuing_prefix", &self.continuing_prefix), ("end_suffix", &self.end_suffix)] {
            if let Some(value) = value.as_ref().filter(|value| !value.is_empty()) {
                return Err(TrainError::option(option, format!("{value:?}"), bytes, hint));
            }
        }
        Ok(())
    }

    fn check_superwords(&self) -> Result<(), TrainError> {
        let Some(from) = self.superwords_from else {
            let usual = Self::default();
            let changed = [
                ("superword_words", self.superword_words != usual.superword_words),
                ("superword_digits", self.superword_digits),
                ("superword_marks", self.superword_marks),
            ];
            return match changed.into_iter().find(|(_, is_changed)| *is_changed) {
                Some((option, _)) => {
                    let hint = "give `superwords_from`, or remove it";
                    Err(TrainError::option(option, "set", "without superwords", hint))
                }
                None => Ok(()),
            };
        };
        let refuse = |option, value, problem: &str, hint: &str| Err(TrainError::option(option, value, problem, hint));
        if !self.is_bytes() {
            return refuse("superwords_from", from, "not possible without bytes", "set `alphabet` to \"bytes\"");
        }
        if from > self.vocab_size {
            return refuse("superwords_from", from, "more than `vocab_size`", "give a size that training reaches");
        }
        if self.superword_words < 2 {
            return refuse("superword_words", self.superword_words, "not two or more", "give 4 for instance");
        }
        Ok(())
    }

    fn check_whole_text(&self) -> Result<(), TrainError> {
        if !self.whole_text {
            return Ok(());
        }
        let refuse = |problem: &str, hint: &str| Err(TrainError::option("whole_text", true, problem, hint));
        if !matches!(self.algorithm, Algorithm::Bpe | Algorithm::Unigram) || self.is_bytes() {
            return refuse("not possible but for Unigram and BPE of characters", "remove it");
        }
        if !self.prefix().is_empty() || !self.suffix().is_empty() {
            return refuse("not possible with a prefix or suffix", "remove it, or the prefix and the suffix");
        }
        let marks = self.pre_tokenizer.as_ref().and_then(definition::metaspace);
        if marks.is_none_or(|marks| marks["prepend_scheme"] != "never" || marks["replacement"] != definition::SPACE) {
            return refuse(
                "but no step of the pretokenizer is Metaspace with `prepend_scheme` \"never\"",
                "add that step, or remove `whole_text`",
            );
        }
        Ok(())
    }

    fn check_special_tokens(&self) -> Result<(), TrainError> {
        for (second, token) in self.special_tokens.iter().enumerate() {
            if token.is_empty() {
                let value = format!("\"\" at {second}");
                return Err(TrainError::option("special_tokens", value, "an empty token", "remove it"));
            }
            if let Some(first) = self.special_tokens[..second].iter().position(|other| other == token) {
                return Err(TrainError::DuplicateSpecial { token: token.clone(), first, second });
            }
        }
        if self.unknown_token.as_deref() == Some("") {
            return Err(TrainError::option(
                "unknown_token",
                "\"\"",
                "an empty token",
                "give \"[UNK]\", or null for none",
            ));
        }
        Ok(())
    }

    /// Whether the counter has to keep what follows each word.
    pub(crate) fn follows_words(&self) -> bool {
        self.algorithm == Algorithm::Unigram && self.variant == Variant::SentencePiece
    }

    /// Whether the counter counts characters in the place of words: nothing splits the text, and only characters matter.
    pub(crate) fn counts_characters(&self) -> bool {
        self.algorithm == Algorithm::Character && !self.is_bytes() && self.pre_tokenizer.is_none()
    }

    /// Whether words are bytes.
    pub fn is_bytes(&self) -> bool {
        let default = matches!(self.algorithm, Algorithm::Bpe | Algorithm::Character) && !self.byte_fallback;
        self.alphabet.map_or(default, |alphabet| alphabet == Alphabet::Bytes)
    }

    /// What is put before tokens inside of words; empty for nothing.
    pub fn prefix(&self) -> &str {
        let default = if self.algorithm == Algorithm::WordPiece { "##" } else { "" };
        self.continuing_prefix.as_deref().unwrap_or(default)
    }

    /// What is put after the last token of a word; empty for nothing.
    pub fn suffix(&self) -> &str {
        self.end_suffix.as_deref().unwrap_or_default()
    }

    /// All special tokens in the order of their ids, the unknown token among them.
    pub(crate) fn all_special_tokens(&self) -> Vec<&str> {
        let unknown = self.unknown_token.as_ref().filter(|token| !self.special_tokens.contains(token));
        unknown.into_iter().chain(&self.special_tokens).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_options_are_refused_with_the_value_and_the_way_out() {
        let cases = [
            ("{", "training options: EOF"),
            (r#"{"vocab_size": "x"}"#, "training options: invalid type: string \"x\""),
            (r#"{"algorithm": "gpt"}"#, "training options: unknown variant `gpt`"),
            (r#"{"vocab_size": 0}"#, "vocab_size is 0, not between"),
            (r#"{"character_coverage": 1.5}"#, "character_coverage is 1.5"),
            (r#"{"shrinking_factor": 1}"#, "shrinking_factor is 1"),
            (r#"{"em_iterations": 0}"#, "em_iterations is 0"),
            (r#"{"max_token_length": 0}"#, "max_token_length is 0"),
            (r#"{"special_tokens": ["a", "b", "a"]}"#, "special_tokens has \"a\" twice, at 0 and 2"),
            (r#"{"special_tokens": [""]}"#, "special_tokens is \"\" at 0"),
            (r#"{"unknown_token": ""}"#, "unknown_token is \"\""),
            (r#"{"initial_alphabet": ["ab"]}"#, "initial_alphabet is \"ab\" in one entry"),
            (r#"{"alphabet": "bytes", "algorithm": "wordpiece"}"#, "algorithm is wordpiece"),
            (r#"{"alphabet": "bytes", "limit_alphabet": 9}"#, "limit_alphabet is 9"),
            (r#"{"alphabet": "bytes", "byte_fallback": true}"#, "byte_fallback is true"),
            (r#"{"end_suffix": "</w>"}"#, "end_suffix is \"</w>\""),
            (r#"{"character_coverage": 0.9}"#, "character_coverage is 0.9"),
            (
                r#"{"algorithm": "character", "continuing_prefix": "@"}"#,
                "continuing_prefix is \"@\", which character does",
            ),
            (r#"{"algorithm": "wordpiece", "end_suffix": "@"}"#, "end_suffix is \"@\", which wordpiece does not use"),
            (r#"{"algorithm": "wordpiece", "byte_fallback": true}"#, "byte_fallback is true, which wordpiece"),
            (r#"{"algorithm": "wordlevel", "limit_alphabet": 5}"#, "limit_alphabet is 5, which wordlevel does not use"),
            (r#"{"algorithm": "wordlevel", "initial_alphabet": ["a"]}"#, "initial_alphabet is [\"a\"], which"),
            (r#"{"algorithm": "wordlevel", "character_coverage": 0.9}"#, "character_coverage is 0.9, which"),
            (r#"{"algorithm": "character", "max_token_length": 5}"#, "max_token_length is 5, which character"),
            (
                r#"{"algorithm": "wordpiece", "initial_merges": [["a", "b"]]}"#,
                "initial_merges is [\"a\",\"b\"], which wordpiece does not use",
            ),
            (
                r#"{"whole_characters": true, "algorithm": "character"}"#,
                "whole_characters is true, which character does",
            ),
            (r#"{"whole_characters": true, "alphabet": "characters"}"#, "whole_characters is true, not of use"),
            (
                r#"{"superwords_from": 300, "alphabet": "characters"}"#,
                "superwords_from is 300, not possible without bytes",
            ),
            (
                r#"{"superwords_from": 300, "algorithm": "unigram"}"#,
                "superwords_from is 300, which unigram does not use",
            ),
            (r#"{"superwords_from": 301, "vocab_size": 300}"#, "superwords_from is 301, more than `vocab_size`"),
            (r#"{"superwords_from": 300, "superword_words": 1}"#, "superword_words is 1, not two or more"),
            (r#"{"superword_digits": true}"#, "superword_digits is set, without superwords"),
            (r#"{"score": "likelihood"}"#, "score is \"likelihood\", which bpe does not use"),
            (r#"{"variant": "sentencepiece"}"#, "variant is \"sentencepiece\", which bpe does not use"),
            (r#"{"seed_size": 5}"#, "seed_size is 5, which bpe does not use"),
            (r#"{"em_iterations": 5}"#, "em_iterations is 5, which bpe does not use"),
            (r#"{"shrinking_factor": 0.5}"#, "shrinking_factor is 0.5, which bpe does not use"),
            (r#"{"whole_text": true}"#, "whole_text is true, not possible but for Unigram and BPE of characters"),
            (
                r#"{"whole_text": true, "alphabet": "characters", "end_suffix": "x"}"#,
                "whole_text is true, not possible with",
            ),
            (r#"{"whole_text": true, "alphabet": "characters"}"#, "whole_text is true, but no step"),
        ];
        for (json, expected) in cases {
            let message = Options::from_json(json).expect_err(json).to_string();
            assert!(message.starts_with(expected), "{json}: {message}");
            assert!(message.contains("; "), "a hint: {message}");
        }
    }

    #[test]
    fn options_come_back_from_json() {
        let mut options = Options { min_frequency: 7, unknown_token: Some("?".into()), ..Options::default() };
        options.special_tokens = vec!["<s>".into(), "?".into()];
        assert_eq!(Options::from_json(&options.to_json()), Ok(options.clone()));
        assert_eq!(options.all_special_tokens(), ["<s>", "?"]);
        options.special_tokens.pop();
        assert_eq!(options.all_special_tokens(), ["?", "<s>"]);
    }
}
