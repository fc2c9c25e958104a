//! Which format a file is, by its content, and the tokenizer in it.
//!
//! A file of a pair (vocabulary and merges) finds the other beside it; a folder is searched for what is known.

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use super::beside::{Beside, class};
use super::tokenizer_json::json::Json;
use super::vocab_merges::{self, File};
use super::{clip, definition::Definition, gguf, patterns, sentencepiece, tekken, tiktoken, tokenizer_json, vocab_txt};
use crate::error::{LoadError, Place};
use crate::ids::Id;
use crate::pretokenizers::Pretokenizer;
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

const KNOWN: &str = "known are tokenizer.json of Hugging Face, SentencePiece models, tiktoken rank files, Mistral's tekken.json, GGUF, GPT-2's vocab.json with merges.txt, CLIP's merges, and BERT's vocab.txt";

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
    let mut file = std::fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    let size = file.metadata().map_err(|error| unreadable(path, &error))?.len();
    if is_gguf(&mut file).map_err(|error| unreadable(path, &error))? {
        let definition = gguf::read(&name, std::io::BufReader::new(file), size)?;
        return Ok((definition, name));
    }
    if size > LARGEST {
        let problem = format!("the file has {size} bytes, files of tokenizers have {LARGEST} at most");
        return Err(LoadError::new(name, Place::File, problem).hint("of files that hold a whole model GGUF is known"));
    }
    let content = read(path)?;
    let format = format_of(&content);
    let definition = (format.read)(&Source { path, name: &name, content: &content }, unsaid)?;
    Ok((definition, name))
}

/// Files of this size are read as a whole; more are no tokenizers.
const LARGEST: u64 = 1 << 30;

/// Whether the file starts like a GGUF; the next read is from its start again.
fn is_gguf(file: &mut std::fs::File) -> std::io::Result<bool> {
    let mut start = vec![];
    file.take(4).read_to_end(&mut start)?;
    file.rewind()?;
    Ok(start == gguf::container::MAGIC)
}

/// A file that is read.
struct Source<'a> {
    path: &'a Path,
    name: &'a str,
    content: &'a [u8],
}

/// How a format is known, and its reader.
struct Format {
    name: &'static str,
    is: fn(&Sniffed<'_>) -> bool,
    read: fn(&Source<'_>, &Unsaid) -> Result<Definition, LoadError>,
}

/// The first that fits counts. The last one fits everything: its reader says what the content is instead.
const FORMATS: [Format; 8] = [
    Format {
        name: "tokenizer.json",
        is: |it| it.json.as_ref().map_or(it.names_added_tokens(), |fields| it.has_model(fields)),
        read: |file, _| document(file),
    },
    Format {
        name: "tekken.json",
        is: |it| it.json.as_ref().is_some_and(|fields| tekken::looks_like(fields)),
        read: |file, _| tekken::read(file.name, file.content),
    },
    Format {
        name: "vocab.json",
        is: |it| it.is_object,
        read: |file, unsaid| pair(file, beside(file.path, &MERGES_NAMES)?, unsaid, Given::Vocab),
    },
    Format {
        name: "SentencePiece model",
        is: |it| sentencepiece::looks_like(it.content),
        read: |file, _| sentencepiece::read(file.name, file.content),
    },
    Format { name: "rank file", is: |it| tiktoken::looks_like(it.content), read: ranks },
    Format {
        name: "CLIP",
        is: |it| clip::is_gzip(it.content) || clip::looks_like(it.content),
        read: |file, _| clip::read(file.name, file.content),
    },
    Format {
        name: "merges.txt",
        is: |it| !vocab_txt::looks_like(it.content) && vocab_merges::looks_like_merges(it.content),
        read: |file, unsaid| pair(file, beside(file.path, &VOCAB_NAMES)?, unsaid, Given::Merges),
    },
    Format {
        name: "vocab.txt",
        is: |_| true,
        read: |file, _| class::vocab_txt(&beside_files(file.path)?, file.name, file.content),
    },
];

/// What formats are known by.
struct Sniffed<'a> {
    content: &'a [u8],
    /// Whether it starts as a JSON object does.
    is_object: bool,
    /// The fields of the object, if it is whole.
    json: Option<Vec<(String, Json)>>,
}

impl Sniffed<'_> {
    /// A vocabulary has numbers for values, a tokenizer.json has "model".
    fn has_model(&self, fields: &[(String, Json)]) -> bool {
        fields.iter().any(|(name, value)| name == "model" && matches!(value, Json::Object(_)))
    }

    /// Damaged JSON: the reader says where.
    fn names_added_tokens(&self) -> bool {
        self.is_object && self.content.windows(14).any(|window| window == b"\"added_tokens\"")
    }
}

/// Name of the format that a content is read as: the last one's where it is none.
pub fn format_name(content: &[u8]) -> &'static str {
    if content.starts_with(gguf::container::MAGIC) { "GGUF" } else { format_of(content).name }
}

fn format_of(content: &[u8]) -> &'static Format {
    let is_object = content.trim_ascii_start().first() == Some(&b'{');
    let json = match is_object.then(|| Json::read("", content)) {
        Some(Ok(Json::Object(fields))) => Some(fields),
        _ => None,
    };
    let sniffed = Sniffed { content, is_object, json };
    FORMATS.iter().find(|format| (format.is)(&sniffed)).unwrap_or(&FORMATS[FORMATS.len() - 1])
}

fn ranks(file: &Source<'_>, unsaid: &Unsaid) -> Result<Definition, LoadError> {
    let pattern = unsaid.pattern.clone().ok_or_else(|| {
        LoadError::new(file.name, Place::File, "a rank file does not say how text is split before its merges apply")
            .hint(format!("name the pattern, one of {}, or give it as a regular expression", patterns::list()))
    })?;
    tiktoken::read(file.name, file.content, pattern, unsaid.special_tokens.as_deref().unwrap_or_default())
}

/// Which of the two files the caller named.
#[derive(PartialEq, Eq)]
enum Given {
    Vocab,
    Merges,
}

fn pair(file: &Source<'_>, other: PathBuf, unsaid: &Unsaid, given: Given) -> Result<Definition, LoadError> {
    let Source { path, content, .. } = *file;
    let (given_name, other_name, other_content) = (name(path), name(&other), read(&other)?);
    let (given_file, other_file) =
        (File { name: &given_name, content }, File { name: &other_name, content: &other_content });
    let (vocab, merges) = if given == Given::Vocab { (given_file, other_file) } else { (other_file, given_file) };
    if let Some(pattern) = &unsaid.pattern {
        return vocab_merges::read(vocab, merges, pattern.clone(), unsaid.special_tokens.as_deref());
    }
    let files = beside_files(path)?;
    let class = class::Merging::of(&files)?;
    let mut read = vocab_merges::read(vocab, merges, class.pattern().into(), unsaid.special_tokens.as_deref())?;
    let given = unsaid.special_tokens.is_some().then(|| read.added_tokens.clone());
    class.complete(&files, &mut read, vocab.name)?;
    read.added_tokens = given.unwrap_or(read.added_tokens);
    Ok(read)
}

/// A tokenizer.json; with what stands beside it where it has that name, so that it is the tokenizer of its folder.
fn document(file: &Source<'_>) -> Result<Definition, LoadError> {
    let mut read = tokenizer_json::read(file.name, file.content)?;
    if file.name == "tokenizer.json" {
        class::refine(&beside_files(file.path)?, &mut read, file.name)?;
    }
    Ok(read)
}

/// What the files beside a tokenizer say.
fn beside_files(path: &Path) -> Result<Beside, LoadError> {
    Beside::read(|name| {
        Some(path.with_file_name(name)).filter(|file| file.is_file()).map(|file| read(&file)).transpose()
    })
}

/// The file to start from in a folder.
fn in_folder(folder: &Path) -> Result<PathBuf, LoadError> {
    let first = |names: &[&str]| names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    if let Some(found) = first(&["tokenizer.json", "tekken.json"]) {
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
        .filter(|path| path.extension().is_some_and(|it| it == "tiktoken" || it == "model" || it == "gguf"))
        .collect();
    match (ranks.pop(), ranks.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => {
            Err(LoadError::new(name(folder), Place::File, "more than one rank file, .model or .gguf is in this folder")
                .hint("name one of them"))
        }
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
            ("{\"config\": {}, \"vocab\": []}", "tekken.json"),
            ("{\"config\": 0, \"vocab\": 1}", "vocab.json"),
            ("\u{1f}\u{8b}", "vocab.txt"), // as UTF-8, not the two bytes of gzip
            ("\"bpe_simple_vocab_16e6.txt#version: 0.2\nh e", "CLIP"),
            ("IQ== 0\nIg== 1", "rank file"),
            ("#version: 0.2\nh e", "merges.txt"),
            ("h e\nhe l", "merges.txt"),
            ("[PAD]\n[UNK]", "vocab.txt"),
            ("\n\u{5}\n\u{3}abc", "SentencePiece model"),
            ("\n\n\n[UNK]", "vocab.txt"),
            ("\u{89}PNG", "vocab.txt"),
            ("", "vocab.txt"),
            ("GGUF\u{3}", "GGUF"),
        ];
        for (content, expected) in cases {
            let found = format_name(content.as_bytes());
            assert_eq!(found, *expected, "{content:?}");
        }
    }
}
