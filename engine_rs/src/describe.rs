//! A tokenizer in words: what each stage does, and why decoding may not give the text back.
//!
//! For people, on screens and in tables; nothing decides by these words.

use crate::alignment::Behavior;
use crate::decoders::Decoder;
use crate::matching::{Expression, Replace};
use crate::models::Model;
use crate::models::scored::Algorithm;
use crate::normalizers::Normalizer;
use crate::normalizers::bert::BertNormalizer;
use crate::normalizers::language::Rule;
use crate::normalizers::sentencepiece::SentencePieceNormalizer;
use crate::postprocessors::Postprocessor;
use crate::pretokenizers::Pretokenizer;
use crate::tokenizer::{Pipeline, Tokenizer};

/// The stages in a few words each; "none" where there is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// What changes the text.
    pub normalizer: String,
    /// What splits it.
    pub pretokenizer: String,
    /// What makes tokens of the pretokens.
    pub model: String,
    /// What is put around the tokens.
    pub postprocessor: String,
    /// How tokens become text again.
    pub decoder: String,
}

impl Tokenizer {
    /// The stages in a few words.
    pub fn stages(&self) -> Stages {
        let parts = self.parts();
        let (normalizer, pretokenizer, model) = match &parts.pipeline {
            Pipeline::ByteLevelBpe(fused) => (None, Some(fused.pattern().describe().to_owned()), "byte-level BPE"),
            Pipeline::Bert(bert) => {
                (Some(bert_normalizer(bert.normalizer())), Some(self::pretokenizer(&Pretokenizer::Bert)), "WordPiece")
            }
            Pipeline::SentencePiece(fused) => (
                Some(sentencepiece_normalizer(fused.normalizer())),
                None,
                match fused.model().algorithm() {
                    Algorithm::Unigram => "Unigram",
                    Algorithm::Bpe => "BPE",
                    Algorithm::Word => "WordLevel",
                    Algorithm::Character => "Character",
                },
            ),
            Pipeline::Staged(staged) => (
                staged.normalizer.as_ref().map(self::normalizer),
                staged.pretokenizer.as_ref().map(self::pretokenizer),
                self::model(&staged.model, parts.decoder.as_ref()),
            ),
        };
        let none = || "none".to_owned();
        Stages {
            normalizer: normalizer.unwrap_or_else(none),
            pretokenizer: pretokenizer.unwrap_or_else(none),
            model: model.to_owned(),
            postprocessor: parts.postprocessor.as_ref().map_or_else(none, postprocessor),
            decoder: match &parts.pipeline {
                Pipeline::SentencePiece(_) => "▁ becomes a space".to_owned(),
                _ => parts.decoder.as_ref().map_or_else(|| "spaces between tokens".to_owned(), decoder),
            },
        }
    }

    /// Why decoding need not give the text back, or `None` where it always does.
    pub fn lossy(&self) -> Option<&'static str> {
        let parts = self.parts();
        let by_added = || parts.added.takes_spaces().then_some("an added token takes the white space beside it");
        match &parts.pipeline {
            Pipeline::ByteLevelBpe(_) => by_added(),
            Pipeline::Bert(bert) if bert.normalizer().lowercase => {
                Some("lower case and stripped accents stay that way, white space is one space, unknown words are gone")
            }
            Pipeline::Bert(_) => Some("white space is one space, unknown words are gone"),
            Pipeline::SentencePiece(fused) => fused.lossy(),
            Pipeline::Staged(staged) if staged.normalizer.is_some() => Some("the normalizer changes the text"),
            Pipeline::Staged(staged) if staged.model.unknown().is_some() => Some("what is unknown is gone"),
            Pipeline::Staged(staged) if staged.pretokenizer.as_ref().is_some_and(leaves_out) => {
                Some("what the pattern does not match is left out")
            }
            Pipeline::Staged(staged) if parts.decoder == Some(Decoder::ByteLevel) => {
                let lacks = matches!(&staged.model, Model::Bpe(bpe) if bpe.leaves_out(true));
                if lacks {
                    Some("what the vocabulary lacks is left out")
                } else if staged.pretokenizer.as_ref().is_some_and(puts_space) {
                    Some("a space is put before the text")
                } else {
                    by_added()
                }
            }
            Pipeline::Staged(_) => Some("the decoder need not put white space back where it was"),
        }
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

/// Whether a pattern may leave text out.
fn leaves_out(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::Split(split) => split.behavior() == Behavior::Removed && split.scanner().is_none(),
        Pretokenizer::Sequence(all) => all.iter().any(leaves_out),
        _ => false,
    }
}

/// Whether a space is put before the text, which a byte-level decoder keeps.
fn puts_space(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::ByteLevel(bytes) => bytes.add_prefix_space,
        Pretokenizer::Sequence(all) => all.iter().any(puts_space),
        _ => false,
    }
}

/// A normalizer in a few words.
pub fn normalizer(normalizer: &Normalizer) -> String {
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

/// A pretokenizer in a few words.
pub fn pretokenizer(pretokenizer: &Pretokenizer) -> String {
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

fn model(model: &Model, decoder: Option<&Decoder>) -> &'static str {
    match model {
        Model::Bpe(_) if decoder == Some(&Decoder::ByteLevel) => "byte-level BPE",
        Model::Bpe(_) => "BPE",
        Model::Unigram(_) => "Unigram",
        Model::WordLevel(_) => "WordLevel",
        Model::WordPiece(_) => "WordPiece",
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
        Decoder::Sequence(all) => list(all, self::decoder),
    }
}

fn list<T>(all: &[T], describe: impl Fn(&T) -> String) -> String {
    all.iter().map(describe).collect::<Vec<_>>().join(", ")
}
