//! Which format a file is, by its content, and the tokenizer in it.
//!
//! A file of a pair (vocabulary and merges) finds the other beside it; a folder is searched for what is known.

use std::path::{Path, PathBuf};

use super::tokenizer_json::json::Json;
use super::vocab_merges::{self, File};
use super::vocab_txt::{self, Casing};
use super::{definition::Definition, patterns, sentencepiece, tiktoken, tokenizer_json};
use crate::error::{LoadError, Place};
use crate::ids::Id;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::scanners::Pattern;
use crate::tokenizer::Tokenizer;

/// What files leave unsaid and the caller may know.
#[derive(Clone, Debug, Default)]
pub struct Unsaid {
    /// The split pattern of a rank file or a merge list.
    pub pattern: Option<Pretokenizer>,
    /// Spelling and id of the special tokens; `None` leaves it to the format.
    pub special_tokens: Option<Vec<(String, Id)>>,
}

/// Names that the two files of a pair go by.
const VOCAB_NAMES: [&str; 2] = ["vocab.json", "encoder.json"];
const MERGES_NAMES: [&str; 2] = ["merges.txt", "vocab.bpe"];

const KNOWN: &str = "known are tokenizer.json of Hugging Face, SentencePiece models, tiktoken rank files, GPT-2's vocab.json with merges.txt, and BERT's vocab.txt";

/// Reads the tokenizer in a file or folder.
///
/// Errors: what cannot be read, what is no known format, and whatever the format's reader finds wrong.
pub fn load(path: &Path, unsaid: &Unsaid) -> Result<Tokenizer, LoadError> {
    let (definition, name) = load_definition(path, unsaid)?;
    definition.build(&name)
}

/// Reads the definition of the tokenizer in a file or folder, with the name of the file it starts from.
pub fn load_definition(path: &Path, unsaid: &Unsaid) -> Result<(Definition, String), LoadError> {
    let path = if path.is_dir() { &in_folder(path)? } else { path };
    let name = name(path);
    let content = read(path)?;
    let definition = match kind(&content) {
        Kind::Ranks => {
            let pattern = unsaid.pattern.clone().ok_or_else(|| {
                LoadError::new(&name, Place::File, "a rank file does not say how text is split before its merges apply")
                    .hint(format!("name the pattern, one of {}, or give it as a regular expression", patterns::list()))
            })?;
            tiktoken::read(&name, &content, pattern, unsaid.special_tokens.as_deref().unwrap_or_default())?
        }
        Kind::VocabJson => pair(path, &content, beside(path, &MERGES_NAMES)?, unsaid, Given::Vocab)?,
        Kind::Merges => pair(path, &content, beside(path, &VOCAB_NAMES)?, unsaid, Given::Merges)?,
        Kind::TokenizerJson => tokenizer_json::read(&name, &content)?,
        Kind::SentencePiece => sentencepiece::read(&name, &content)?,
        Kind::VocabTxt => Definition::from(vocab_txt::read(&name, &content, Casing::Guess)?),
    };
    Ok((definition, name))
}

enum Kind {
    Ranks,
    VocabJson,
    Merges,
    TokenizerJson,
    SentencePiece,
    /// Or nothing known: the reader of vocab.txt says what the content is instead.
    VocabTxt,
}

fn kind(content: &[u8]) -> Kind {
    if content.trim_ascii_start().first() == Some(&b'{') {
        // A vocabulary has numbers for values, a tokenizer.json has "model".
        let is_definition = match Json::read("", content) {
            Ok(Json::Object(fields)) => {
                fields.iter().any(|(name, value)| name == "model" && matches!(value, Json::Object(_)))
            }
            Ok(_) => false,
            // Damaged: its reader says where.
            Err(_) => content.windows(14).any(|window| window == b"\"added_tokens\""),
        };
        return if is_definition { Kind::TokenizerJson } else { Kind::VocabJson };
    }
    if sentencepiece::looks_like(content) {
        Kind::SentencePiece
    } else if tiktoken::looks_like(content) {
        Kind::Ranks
    } else if !vocab_txt::looks_like(content) && vocab_merges::looks_like_merges(content) {
        Kind::Merges
    } else {
        Kind::VocabTxt
    }
}

/// Which of the two files the caller named.
#[derive(PartialEq, Eq)]
enum Given {
    Vocab,
    Merges,
}

fn pair(path: &Path, content: &[u8], other: PathBuf, unsaid: &Unsaid, given: Given) -> Result<Definition, LoadError> {
    let (given_name, other_name, other_content) = (name(path), name(&other), read(&other)?);
    let (given_file, other_file) =
        (File { name: &given_name, content }, File { name: &other_name, content: &other_content });
    let (vocab, merges) = if given == Given::Vocab { (given_file, other_file) } else { (other_file, given_file) };
    let pattern = match &unsaid.pattern {
        Some(pattern) => pattern.clone(),
        None => Pretokenizer::Pattern(pattern_of_class(path)?),
    };
    vocab_merges::read(vocab, merges, pattern, unsaid.special_tokens.as_deref())
}

/// The pattern of the files' tokenizer class: GPT-2's, unless a configuration beside them says they are another's.
fn pattern_of_class(path: &Path) -> Result<Pattern, LoadError> {
    let config = path.with_file_name("tokenizer_config.json");
    let Ok(content) = std::fs::read(&config) else { return Ok(Pattern::R50k) };
    let class = serde_json::from_slice::<serde_json::Value>(&content)
        .ok()
        .and_then(|json| json["tokenizer_class"].as_str().map(str::to_owned))
        .unwrap_or_default();
    match class.trim_end_matches("Fast") {
        "" | "GPT2Tokenizer" | "RobertaTokenizer" => Ok(Pattern::R50k),
        _ => Err(LoadError::new(
            name(&config),
            Place::Path("tokenizer_class".into()),
            format!("the split pattern of {class:?} is not known"),
        )
        .hint(format!("name the pattern, one of {}", patterns::list()))),
    }
}

/// The file to start from in a folder.
fn in_folder(folder: &Path) -> Result<PathBuf, LoadError> {
    let first = |names: &[&str]| names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    if let Some(found) = first(&["tokenizer.json"]) {
        return Ok(found);
    }
    if let Some(found) =
        first(&VOCAB_NAMES).filter(|_| first(&MERGES_NAMES).is_some()).or_else(|| first(&["vocab.txt"]))
    {
        return Ok(found);
    }
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut ranks: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "tiktoken"))
        .collect();
    match (ranks.pop(), ranks.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => Err(LoadError::new(name(folder), Place::File, "more than one rank file is in this folder")
            .hint("name one of them")),
        (None, _) => {
            Err(LoadError::new(name(folder), Place::File, "no tokenizer of a known format is in this folder")
                .hint(KNOWN))
        }
    }
}

/// The other file of a pair, in the same folder.
fn beside(path: &Path, names: &[&str]) -> Result<PathBuf, LoadError> {
    names.iter().map(|name| path.with_file_name(name)).find(|other| other.is_file()).ok_or_else(|| {
        LoadError::new(name(path), Place::File, format!("{} is not beside it", names.join(" or ")))
            .hint("the vocabulary and its merges are two files; put them into one folder")
    })
}

fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    std::fs::read(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
    LoadError::new(path.display().to_string(), Place::File, format!("cannot be read: {error}"))
}

/// The file's own name, for messages.
fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart_by_content() {
        let cases: &[(&str, &str)] = &[
            ("{\"a\": 0}", "vocab.json"),
            (" {\"model\": {\"vocab\": {}}}", "tokenizer.json"),
            ("{\"model\": 0}", "vocab.json"),
            ("{\"added_tokens\": [], ", "tokenizer.json"),
            ("IQ== 0\nIg== 1", "ranks"),
            ("#version: 0.2\nh e", "merges"),
            ("h e\nhe l", "merges"),
            ("[PAD]\n[UNK]", "vocab.txt"),
            ("\n\u{5}\n\u{3}abc", "model"),
            ("\n\n\n[UNK]", "vocab.txt"),
            ("\u{89}PNG", "vocab.txt"),
            ("", "vocab.txt"),
        ];
        for (content, expected) in cases {
            let found = match kind(content.as_bytes()) {
                Kind::Ranks => "ranks",
                Kind::VocabJson => "vocab.json",
                Kind::Merges => "merges",
                Kind::TokenizerJson => "tokenizer.json",
                Kind::SentencePiece => "model",
                Kind::VocabTxt => "vocab.txt",
            };
            assert_eq!(found, *expected, "{content:?}");
        }
    }
}
