//! Describes a tokenizer in words: what each stage does, and why decoding may not return the text.
//!
//! The words are for people. No code depends on them.

use token_engine::decoders::Decoder;
use token_engine::models::Model;
use token_engine::normalizers::Normalizer;
use token_engine::normalizers::bert::BertNormalizer;
use token_engine::normalizers::language::Rule;
use token_engine::normalizers::sentencepiece::SentencePieceNormalizer;
use token_engine::postprocessors::Postprocessor;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::{Behavior, Expression, Replace, Tokenizer};

/// A short description of each stage; "none" for a missing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Changes the text.
    pub normalizer: String,
    /// Splits it into pretokens.
    pub pretokenizer: String,
    /// Makes tokens of the pretokens.
    pub model: String,
    /// Adds tokens around them.
    pub postprocessor: String,
    /// Turns tokens back into text.
    pub decoder: String,
}

/// Describes the stages of a tokenizer.
pub fn describe(tokenizer: &Tokenizer) -> Description {
    let parts = tokenizer.parts();
    let stages = tokenizer.as_stages();
    let normalizer = stages.normalizer.as_ref().map(self::normalizer);
    let pretokenizer = stages.pretokenizer.as_ref().map(self::pretokenizer);
    let none = || "none".to_owned();
    Description {
        normalizer: normalizer.unwrap_or_else(none),
        pretokenizer: pretokenizer.unwrap_or_else(none),
        model: tokenizer.model_name().to_owned(),
        postprocessor: parts.postprocessor.as_ref().map_or_else(none, postprocessor),
        decoder: parts.decoder.as_ref().map_or_else(|| "spaces between tokens".to_owned(), decoder),
    }
}

/// Why decoding may not return the text, or `None` if it always does.
pub fn lossy(tokenizer: &Tokenizer) -> Option<&'static str> {
    let parts = tokenizer.parts();
    let by_added = || parts.added.takes_spaces().then_some("an added token takes the white space beside it");
    let stages = tokenizer.as_stages();
    match (&stages.normalizer, &stages.pretokenizer, &stages.model) {
        (None, _, Model::ByteBpe(_)) => by_added(),
        (Some(Normalizer::Bert(bert)), Some(Pretokenizer::Bert), Model::WordPiece(_)) if bert.lowercase => {
            Some("lower case and stripped accents stay that way, white space is one space, unknown words are gone")
        }
        (Some(Normalizer::Bert(_)), Some(Pretokenizer::Bert), Model::WordPiece(_)) => {
            Some("white space is one space, unknown words are gone")
        }
        (Some(Normalizer::SentencePiece(normalizer)), _, model) => Some(lossy_model(normalizer, model)),
        (Some(_), ..) => Some("the normalizer changes the text"),
        (_, _, model) if model.unknown().is_some() => Some("what is unknown is gone"),
        (_, Some(pretokenizer), _) if leaves_out(pretokenizer) => Some("what the pattern does not match is left out"),
        (_, pretokenizer, model) if parts.decoder == Some(Decoder::ByteLevel) => {
            let lacks = matches!(model, Model::Bpe(bpe) if bpe.leaves_out(true));
            if lacks {
                Some("what the vocabulary lacks is left out")
            } else if pretokenizer.as_ref().is_some_and(takes_separators) {
                Some("what separates the pretokens is left out")
            } else if matches!(model, Model::WordPiece(model) if !model.settings().prefix.is_empty()) {
                Some("the prefix of tokens inside words stays")
            } else if pretokenizer.as_ref().is_some_and(puts_space) {
                Some("a space is put before the text")
            } else {
                by_added()
            }
        }
        (_, None, Model::Bpe(_)) if parts.decoder == Some(Decoder::Fuse) && has_all_characters(tokenizer) => by_added(),
        _ => Some("the decoder need not put white space back where it was"),
    }
}

/// Whether each character is a token.
fn has_all_characters(tokenizer: &Tokenizer) -> bool {
    let mut buffer = [0; 4];
    ('\0'..=char::MAX).all(|character| tokenizer.vocab().id(character.encode_utf8(&mut buffer).as_bytes()).is_some())
}

/// Why decoding the tokens of a `.model` may not return the text.
fn lossy_model(normalizer: &SentencePieceNormalizer, model: &Model) -> &'static str {
    if normalizer.charsmap.is_some() || normalizer.remove_extra_whitespaces {
        "the normalizer changes the text"
    } else if model.kinds().is_none_or(|kinds| kinds.bytes().is_none()) {
        "what is unknown is gone"
    } else {
        "▁ in the text is read as a space"
    }
}

fn sentencepiece_normalizer(normalizer: &SentencePieceNormalizer) -> String {
    let parts = [
        (normalizer.charsmap.is_some(), "SentencePiece rules"),
        (normalizer.remove_extra_whitespaces, "single spaces"),
        (normalizer.add_dummy_prefix && !normalizer.whitespace_is_suffix, "a space at the start"),
        (normalizer.add_dummy_prefix && normalizer.whitespace_is_suffix, "a space at the end"),
        (normalizer.escape_whitespaces, "▁ for spaces"),
    ];
    let parts: Vec<_> = parts.iter().filter(|(is_on, _)| *is_on).map(|(_, words)| *words).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// Whether a pattern may drop text.
fn leaves_out(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::Split(split) => split.behavior() == Behavior::Removed && split.scanner().is_none(),
        Pretokenizer::Sequence(all) => all.iter().any(leaves_out),
        _ => false,
    }
}

/// Whether white space or another separator is dropped between pretokens.
fn takes_separators(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::Bert
        | Pretokenizer::Whitespace
        | Pretokenizer::WhitespaceSplit
        | Pretokenizer::CharDelimiter(_)
        | Pretokenizer::Punctuation(Behavior::Removed) => true,
        Pretokenizer::Sequence(all) => all.iter().any(takes_separators),
        _ => false,
    }
}

/// Whether a space is added before the text. A byte-level decoder keeps it.
fn puts_space(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::ByteLevel(bytes) => bytes.add_prefix_space,
        Pretokenizer::Sequence(all) => all.iter().any(puts_space),
        _ => false,
    }
}

/// Describes a normalizer.
pub(crate) fn normalizer(normalizer: &Normalizer) -> String {
    match normalizer {
        Normalizer::Bert(bert) => bert_normalizer(*bert),
        Normalizer::Form(form) => format!("{form:?}").to_uppercase(),
        Normalizer::Lowercase => "lower case".to_owned(),
        Normalizer::Strip { left, right } => match (left, right) {
            (true, true) => "no white space at the ends",
            (true, false) => "no white space at the start",
            (false, true) => "no white space at the end",
            (false, false) => "no change",
        }
        .to_owned(),
        Normalizer::StripAccents => "no accents".to_owned(),
        Normalizer::Replace(replace) => self::replace(replace),
        Normalizer::Prepend(prefix) => format!("{prefix:?} at the start"),
        Normalizer::Nmt => "NMT white space".to_owned(),
        Normalizer::Charsmap(_) => "SentencePiece rules".to_owned(),
        Normalizer::SentencePiece(all) => sentencepiece_normalizer(all),
        Normalizer::ByteLevel => "bytes".to_owned(),
        Normalizer::CollapseWhitespace => "single spaces".to_owned(),
        Normalizer::RemoveControls => "no control characters".to_owned(),
        Normalizer::Language(rule) => match rule {
            Rule::TurkishLowercase => "Turkish lower case",
            Rule::GermanSharpS => "ß as ss",
            Rule::ArabicDiacritics => "no Arabic diacritics",
            Rule::ArabicTatweel => "no tatweel",
            Rule::HindiNukta => "no nukta",
            Rule::FullWidth => "no full-width forms",
        }
        .to_owned(),
        Normalizer::Sequence(all) => list(all, self::normalizer),
    }
}

fn replace(replace: &Replace) -> String {
    format!("{} becomes {:?}", expression(replace.matcher.expression()), replace.content)
}

fn expression(expression: &Expression) -> String {
    match expression {
        Expression::Text(text) => format!("{text:?}"),
        Expression::Regex(pattern) | Expression::FancyRegex(pattern) => format!("/{pattern}/"),
    }
}

fn bert_normalizer(bert: BertNormalizer) -> String {
    if bert.lowercase { "BERT uncased" } else { "BERT cased" }.to_owned()
}

/// Describes a pretokenizer.
pub(crate) fn pretokenizer(pretokenizer: &Pretokenizer) -> String {
    match pretokenizer {
        Pretokenizer::Bert => "words and punctuation".to_owned(),
        Pretokenizer::Pattern(pattern) => pattern.describe().to_owned(),
        Pretokenizer::ByteLevel(bytes) if bytes.use_regex => "GPT-2 pattern".to_owned(),
        Pretokenizer::ByteLevel(_) => "bytes".to_owned(),
        Pretokenizer::Split(split) => match split.scanner() {
            Some(pattern) => pattern.describe().to_owned(),
            None => format!("split at {}", expression(split.expression())),
        },
        Pretokenizer::Whitespace => "words and other runs".to_owned(),
        Pretokenizer::WhitespaceSplit => "white space".to_owned(),
        Pretokenizer::Punctuation(_) => "punctuation".to_owned(),
        Pretokenizer::Digits { individual: true } => "single digits".to_owned(),
        Pretokenizer::Digits { individual: false } => "numbers".to_owned(),
        Pretokenizer::Metaspace(metaspace) => format!("words that start with {}", metaspace.replacement),
        Pretokenizer::CharDelimiter(delimiter) => format!("split at {delimiter:?}"),
        Pretokenizer::UnicodeScripts => "scripts".to_owned(),
        Pretokenizer::FixedLength(length) => format!("{length} characters each"),
        Pretokenizer::Sequence(all) => list(all, self::pretokenizer),
    }
}

fn postprocessor(postprocessor: &Postprocessor) -> String {
    match postprocessor {
        Postprocessor::Bert(_) => "[CLS] ... [SEP]".to_owned(),
        Postprocessor::Roberta(_) => "<s> ... </s>".to_owned(),
        Postprocessor::Template(template) => template.describe(),
        Postprocessor::ByteLevel(None) => "none".to_owned(),
        Postprocessor::ByteLevel(Some(_)) => "spans without spaces".to_owned(),
        Postprocessor::Sequence(all) => list(all, self::postprocessor),
    }
}

fn decoder(decoder: &Decoder) -> String {
    match decoder {
        Decoder::ByteLevel => "bytes".to_owned(),
        Decoder::WordPiece(_) => "words and spaces".to_owned(),
        Decoder::Metaspace { replacement, .. } => format!("{replacement} becomes a space"),
        Decoder::Bpe { suffix } => format!("{suffix} becomes a space"),
        Decoder::Ctc(_) => "no repetitions".to_owned(),
        Decoder::Fuse => "one text".to_owned(),
        Decoder::Strip { content, .. } => format!("{content:?} stripped"),
        Decoder::Replace(replace) => self::replace(replace),
        Decoder::ByteFallback => "<0x..> becomes a byte".to_owned(),
        Decoder::SentencePiece(_) => "▁ becomes a space".to_owned(),
        Decoder::Sequence(all) => list(all, self::decoder),
    }
}

fn list<T>(all: &[T], describe: impl Fn(&T) -> String) -> String {
    all.iter().map(describe).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use token_engine::Specials;
    use token_engine::formats::tokenizer_json;
    use token_engine::internals::byte_alphabet::from_bytes;

    use super::*;

    #[test]
    fn byte_level_decoders_do_not_bring_back_what_pretokenizers_and_prefixes_change() {
        let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true});
        let letter = |byte: u8| (from_bytes(&[byte]), Value::from(byte));
        let vocab: serde_json::Map<_, _> = (0..=u8::MAX).map(letter).collect();
        let bpe = json!({"type": "BPE", "merges": [], "vocab": vocab});
        let wordpiece = json!({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": {"a": 0, "##b": 1}});
        let separators = Some("what separates the pretokens is left out");
        let digits = json!({"type": "Digits", "individual_digits": true});
        for (first, model, text, expected) in [
            (digits.clone(), &bpe, "a 1", None),
            (json!({"type": "WhitespaceSplit"}), &bpe, "a b", separators),
            (json!({"type": "Whitespace"}), &bpe, "a b", separators),
            (json!({"type": "BertPreTokenizer"}), &bpe, "a b", separators),
            (json!({"type": "CharDelimiterSplit", "delimiter": "b"}), &bpe, "abc", separators),
            (json!({"type": "Punctuation", "behavior": "Removed"}), &bpe, "a.b", separators),
            (json!({"type": "Punctuation", "behavior": "Isolated"}), &bpe, "a.b", None),
            (digits, &wordpiece, "ab", Some("the prefix of tokens inside words stays")),
        ] {
            let stages = json!({"type": "Sequence", "pretokenizers": [first, bytes]});
            let json = json!({"pre_tokenizer": stages, "model": model, "decoder": bytes});
            let read = tokenizer_json::read("x", json.to_string().as_bytes()).expect("valid");
            let tokenizer = read.build("x").expect("valid");
            let ids = tokenizer.encode_ids(text, Specials::Text).expect("known");
            let comes_back = tokenizer.decode(&ids, false).expect("ids") == text;
            assert_eq!((lossy(&tokenizer), comes_back), (expected, expected.is_none()), "{json}");
        }
    }
}
