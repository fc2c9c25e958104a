//! Which format a file is, by its content, and the tokenizer in it.
//!
//! A file of a pair (vocabulary and merges) finds the other one in its folder. A folder is searched for known files.

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use super::published::Published;
use super::tokenizer_json::json::Json;
use super::transformers_folder::{FolderFiles, class, letters};
use super::unrecognized::{self, KNOWN};
use super::vocab_merges::{self, File, Pair, Spelling};
use super::{
    clip, definition::Definition, gguf, patterns, rwkv, sentencepiece, tekken, tiktoken, tokenizer_json, vocab_txt,
};
use crate::error::{LoadError, Place};
use crate::ids::Id;
use crate::pretokenizers::Pretokenizer;
use crate::tokenizer::Tokenizer;

/// Settings that some formats lack, so that the caller has to supply them.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The split pattern of a rank file or a list of merges; `None` if the file is published or has a class beside it.
    pub pattern: Option<Pretokenizer>,
    /// Spelling and id of each special token; `None` for those of the format.
    pub special_tokens: Option<Vec<(String, Id)>>,
}

impl LoadOptions {
    /// Returns an error for a setting that `format` contains itself, because it would have no effect.
    fn refused_by(&self, name: &str, format: &str) -> Result<(), LoadError> {
        let is_given = self.pattern.is_some() || self.special_tokens.is_some();
        if !is_given || ["rank file", "vocab.json", "merges.txt"].contains(&format) {
            return Ok(());
        }
        let problem = format!("the file ({format}) has its own split pattern and special tokens");
        Err(LoadError::new(name, Place::File, problem).hint("leave out the pattern and the special tokens"))
    }
}

/// Usual names of the two files of a pair.
const VOCAB_NAMES: [&str; 2] = ["vocab.json", "encoder.json"];
const MERGES_NAMES: [&str; 2] = ["merges.txt", "vocab.bpe"];
/// What fairseq calls its SentencePiece models, and Marian its two.
const FAIRSEQ_NAME: &str = "sentencepiece.bpe.model";
const MARIAN_NAMES: [&str; 2] = ["source.spm", "target.spm"];

/// Loads the tokenizer in a file or folder, whatever its format: `tokenizer.json`, a model folder, SentencePiece `.model`,
/// GGUF and others.
///
/// ```
/// let tokenizer = token_engine::load("tests/tokenizer.json")?;
/// assert_eq!(tokenizer.vocab().len(), 8);
/// # Ok::<(), token_engine::LoadError>(())
/// ```
///
/// Errors: a path that cannot be read; an unknown format; the errors of the format's reader, with the place in the file.
pub fn load(path: impl AsRef<Path>) -> Result<Tokenizer, LoadError> {
    load_with(path, &LoadOptions::default())
}

/// The same with settings that the file lacks.
///
/// Errors: as [`load`]; a setting that the format contains itself.
pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Tokenizer, LoadError> {
    let (definition, name) = load_definition(path.as_ref(), options)?;
    definition.build(&name)
}

/// Reads the definition of the tokenizer in a file or folder, and the name of its main file.
///
/// Errors: as [`load_with`].
pub fn load_definition(path: &Path, options: &LoadOptions) -> Result<(Definition, String), LoadError> {
    let path = if path.is_dir() { &in_folder(path)? } else { path };
    let name = name(path);
    let mut file = std::fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    let size = file.metadata().map_err(|error| unreadable(path, &error))?.len();
    if is_gguf(&mut file).map_err(|error| unreadable(path, &error))? {
        options.refused_by(&name, "GGUF")?;
        let definition = gguf::read(&name, std::io::BufReader::new(file), size)?;
        return Ok((definition, name));
    }
    if size > LARGEST {
        let problem = format!("the file has {size} bytes, files of tokenizers have {LARGEST} at most");
        return Err(LoadError::new(name, Place::File, problem).hint("of files that hold a whole model GGUF is known"));
    }
    let content = read(path)?;
    let format = match format_of(&content) {
        Some(format) => format,
        None if is_vocab_txt(path, &name, &content)? => &VOCAB_TXT,
        None => return Err(unrecognized::error(&name, &content)),
    };
    options.refused_by(&name, format.name)?;
    let definition = (format.read)(&Source { path, name: &name, content: &content }, options)?;
    Ok((definition, name))
}

/// Whether a file of no known content is a vocab.txt by its name or by the files beside it.
fn is_vocab_txt(path: &Path, name: &str, content: &[u8]) -> Result<bool, LoadError> {
    let folder = folder_files(path)?;
    // The class says more of counts than their lines do.
    let is_named = name == VOCAB_TXT.name && (!unrecognized::are_counts(content) || class::name_in(&folder)?.is_some());
    Ok(is_named || class::is_vocab_txt(&folder, content)?)
}

/// The bytes of a small GGUF file with the vocabulary of the one at `path`, of any size; `None` if that is no GGUF.
///
/// Errors: what cannot be read, a head that is damaged.
pub fn gguf_without_tensors(path: &Path) -> Result<Option<Vec<u8>>, LoadError> {
    let unreadable = |error| unreadable(path, &error);
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    if !is_gguf(&mut file).map_err(unreadable)? {
        return Ok(None);
    }
    gguf::container::without_tensors(&name(path), std::io::BufReader::new(file), size).map(Some)
}

/// The chat templates in a GGUF file; `None` if it is none.
///
/// Errors: as [`gguf_without_tensors`].
pub fn gguf_chat(path: &Path) -> Result<Option<gguf::Chat>, LoadError> {
    let unreadable = |error| unreadable(path, &error);
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    if !is_gguf(&mut file).map_err(unreadable)? {
        return Ok(None);
    }
    gguf::chat(&name(path), std::io::BufReader::new(file), size).map(Some)
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
    read: fn(&Source<'_>, &LoadOptions) -> Result<Definition, LoadError>,
}

/// BERT's vocabulary.
const VOCAB_TXT: Format = Format {
    name: "vocab.txt",
    is: |it| vocab_txt::looks_like(it.content),
    read: |file, _| class::vocab_txt(&folder_files(file.path)?, file.name, file.content),
};

/// The first that fits counts.
const FORMATS: [Format; 10] = [
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
        is: |it| it.json.as_ref().is_some_and(|fields| is_vocabulary(fields)),
        read: |file, options| match letters(file)? {
            Some(read) => Ok(read),
            None => pair(file, neighbour(file, &MERGES_NAMES)?, options, Given::Vocab),
        },
    },
    Format {
        name: "SentencePiece model",
        is: |it| sentencepiece::looks_like(it.content),
        read: |file, _| pieces(file),
    },
    Format {
        name: "RWKV vocabulary",
        is: |it| rwkv::looks_like(it.content),
        read: |file, _| rwkv::read(file.name, file.content),
    },
    Format { name: "rank file", is: |it| tiktoken::looks_like(it.content), read: ranks },
    Format {
        name: "CLIP",
        is: |it| clip::is_gzip(it.content) || clip::looks_like(it.content),
        read: |file, _| clip::read(file.name, file.content),
    },
    Format { name: "rank file", is: |it| tiktoken::resembles(it.content), read: ranks },
    Format {
        name: "merges.txt",
        is: |it| {
            let is_other = vocab_txt::looks_like(it.content) || unrecognized::are_counts(it.content);
            !is_other && vocab_merges::looks_like_merges(it.content)
        },
        read: |file, options| pair(file, neighbour(file, &VOCAB_NAMES)?, options, Given::Merges),
    },
    VOCAB_TXT,
];

/// Whether the fields of an object are tokens with ids, most of them at least.
fn is_vocabulary(fields: &[(String, Json)]) -> bool {
    let numbers =
        fields.iter().filter(|(_, value)| matches!(value, Json::Unsigned(_) | Json::Negative(_) | Json::Float(_)));
    numbers.count() * 2 > fields.len()
}

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

/// Name of the format that a content is read as, if it is one.
pub fn format_name(content: &[u8]) -> Option<&'static str> {
    if content.starts_with(gguf::container::MAGIC) {
        return Some("GGUF");
    }
    format_of(content).map(|format| format.name)
}

fn format_of(content: &[u8]) -> Option<&'static Format> {
    if unrecognized::is_foreign(content) {
        return None;
    }
    let is_object = content.trim_ascii_start().first() == Some(&b'{');
    let json = match is_object.then(|| Json::read("", content)) {
        Some(Ok(Json::Object(fields))) => Some(fields),
        _ => None,
    };
    let sniffed = Sniffed { content, is_object, json };
    FORMATS.iter().find(|format| (format.is)(&sniffed))
}

fn ranks(file: &Source<'_>, options: &LoadOptions) -> Result<Definition, LoadError> {
    let error = |problem: String| LoadError::new(file.name, Place::File, problem);
    let published = if options.pattern.is_none() { Published::of(file.content) } else { None };
    let pattern = match (&options.pattern, published) {
        (Some(pattern), _) => pattern.clone(),
        (None, Some(published)) => patterns::read(published.pattern).map_err(|refused| error(refused.to_string()))?,
        (None, None) => {
            let problem = "a rank file does not say how text is split before its merges apply, and this is no published one that is known";
            let hint = format!("name the pattern, one of {}, or give it as a regular expression", patterns::list());
            return Err(error(problem.to_owned()).hint(hint));
        }
    };
    let special_tokens = options.special_tokens.clone().or_else(|| published.map(Published::special_tokens));
    tiktoken::read(file.name, file.content, pattern, &special_tokens.unwrap_or_default())
}

/// Which of the two files the caller named.
#[derive(PartialEq, Eq)]
enum Given {
    Vocab,
    Merges,
}

fn pair(file: &Source<'_>, other: PathBuf, options: &LoadOptions, given: Given) -> Result<Definition, LoadError> {
    let Source { path, content, .. } = *file;
    let (given_name, other_name, other_content) = (name(path), name(&other), read(&other)?);
    let (given_file, other_file) =
        (File { name: &given_name, content }, File { name: &other_name, content: &other_content });
    let (vocab, merges) = if given == Given::Vocab { (given_file, other_file) } else { (other_file, given_file) };
    let pair = Pair::read(vocab, merges)?;
    if let Some(pattern) = &options.pattern {
        return match pair.spelling() {
            Spelling::WordEnds | Spelling::Continued => Err(LoadError::new(
                vocab.name,
                Place::File,
                "the vocabulary marks where words end, so it is not byte-level and has no split pattern",
            )
            .hint("leave the pattern out")),
            _ => Ok(pair.byte_level(pattern.clone(), options.special_tokens.as_deref())),
        };
    }
    let files = folder_files(path)?;
    let class = class::Merging::of(&files, &pair, vocab.name)?;
    let mut read = class.definition(&files, pair, options.special_tokens.as_deref(), vocab.name)?;
    let given = options.special_tokens.is_some().then(|| read.added_tokens.clone());
    class.complete(&files, &mut read, vocab.name)?;
    read.added_tokens = given.unwrap_or(read.added_tokens);
    Ok(read)
}

/// A SentencePiece model with its own IDs, and a note where the model that it belongs to has others.
fn pieces(file: &Source<'_>) -> Result<Definition, LoadError> {
    let read = sentencepiece::read(file.name, file.content)?;
    let class = class::name_in(&folder_files(file.path)?)?;
    let of_fairseq = class.as_deref().map_or(file.name == FAIRSEQ_NAME, |name| class::FAIRSEQ.contains(&name));
    let of_marian = MARIAN_NAMES.contains(&file.name) && file.path.with_file_name(VOCAB_NAMES[0]).is_file();
    let note = if of_fairseq {
        "the IDs are those of this file; the model's own differ: fairseq puts <s>, <pad> and </s> first and moves the others up. Its tokenizer.json has the model's IDs"
    } else if of_marian {
        "the IDs are those of this file; Marian's own are in the vocab.json beside it, which is not read with it"
    } else {
        return Ok(read);
    };
    Ok(Definition { note: Some(note.to_owned()), ..read })
}

/// The tokenizer of a `vocab.json` of letters, which has no merges.
fn letters(file: &Source<'_>) -> Result<Option<Definition>, LoadError> {
    if MERGES_NAMES.iter().any(|name| file.path.with_file_name(name).is_file()) {
        return Ok(None);
    }
    let (folder, vocab) =
        (folder_files(file.path)?, vocab_merges::vocab(File { name: file.name, content: file.content })?);
    let tokens = vocab.iter().map(|(_, token)| std::str::from_utf8(token).unwrap_or_default());
    let are_letters = letters::is_letters(&folder, tokens)?;
    are_letters.then(|| letters::letters(&folder, file.name, vocab)).transpose()
}

/// A tokenizer.json. If it has that name, it is the tokenizer of its folder, so the folder's other files are read with it.
fn document(file: &Source<'_>) -> Result<Definition, LoadError> {
    let mut read = tokenizer_json::read(file.name, file.content)?;
    if file.name == "tokenizer.json" {
        class::refine(&folder_files(file.path)?, &mut read, file.name)?;
    }
    Ok(read)
}

/// The other files of the folder of a tokenizer.
fn folder_files(path: &Path) -> Result<FolderFiles, LoadError> {
    FolderFiles::read(|name| {
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
        .filter(|path| {
            path.extension().is_some_and(|it| it == "tiktoken" || it == "model" || it == "gguf")
                || name(path).starts_with("rwkv_vocab")
        })
        .collect();
    match (ranks.pop().or_else(|| first(&VOCAB_NAMES)), ranks.is_empty()) {
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
///
/// Errors: it is not there; a vocabulary that has no other file.
fn neighbour(file: &Source<'_>, names: &[&str]) -> Result<PathBuf, LoadError> {
    if let Some(found) = names.iter().map(|name| file.path.with_file_name(name)).find(|other| other.is_file()) {
        return Ok(found);
    }
    let error = |problem: String, hint: &str| Err(LoadError::new(file.name, Place::File, problem).hint(hint));
    let missing = names.join(" or ");
    let rename = "a vocabulary and its merges are two files in one folder, called vocab.json and merges.txt, or encoder.json and vocab.bpe; rename them so";
    let ends_words = |content: &[u8]| content.windows(5).any(|window| window == b"</w>\n");
    if names == VOCAB_NAMES && ends_words(file.content) {
        let problem =
            format!("these are merges that end words with </w>, and no vocabulary is beside them: no {missing}");
        return error(
            problem,
            "GPT-1 and CLIP have a vocab.json with them; subword-nmt has no IDs, and what merges make there need not be a token: make a plug-in of it",
        );
    }
    if names == VOCAB_NAMES {
        return error(format!("this is a list of merges, but no vocabulary is beside it: no {missing}"), rename);
    }
    let Ok(Json::Object(fields)) = Json::read(file.name, file.content) else {
        return error(format!("no {missing} is beside it"), rename);
    };
    let count = fields.len();
    match Spelling::of(fields.iter().map(|(token, _)| token.as_str())) {
        Spelling::WordPiece => error(
            format!(
                "this is a vocabulary of {count} tokens, some of which start with ##, as WordPiece has them in a vocab.txt"
            ),
            "use the vocab.txt or the tokenizer.json of the model",
        ),
        Spelling::Marks => error(
            format!(
                "this is a vocabulary of {count} tokens of SentencePiece, whose scores are in a .model or .spm file"
            ),
            "use that file, or the tokenizer.json of the model",
        ),
        _ => {
            error(format!("this is a vocabulary of {count} tokens, but no merges are beside it: no {missing}"), rename)
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let content = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    // Whichever file of a folder it is: without it the others say nothing.
    if unrecognized::is_foreign(&content) { Err(unrecognized::error(&name(path), &content)) } else { Ok(content) }
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
            ("{\"model\": \"x\"}", ""),
            ("{\"added_tokens\": [], ", "tokenizer.json"),
            ("{\"config\": {}, \"vocab\": []}", "tekken.json"),
            ("{\"config\": 0, \"vocab\": 1}", "vocab.json"),
            ("{\"config\": {}, \"vocab\": 1, \"x\": []}", ""),
            ("\u{1f}\u{8b}", ""), // as UTF-8, not the two bytes of gzip
            ("\"bpe_simple_vocab_16e6.txt#version: 0.2\nh e", "CLIP"),
            ("IQ== 0\nIg== 1", "rank file"),
            ("#version: 0.2\nh e", "merges.txt"),
            ("h e\nhe l", "merges.txt"),
            ("[PAD]\n[UNK]", "vocab.txt"),
            ("\n\u{5}\n\u{3}abc", "SentencePiece model"),
            ("\n\n\n[UNK]", "vocab.txt"),
            ("\u{89}PNG", ""),
            ("", ""),
            ("tet 0", "rank file"),
            ("1 '\\x00' 1\n2 '\\x01' 1\n", "RWKV vocabulary"),
            ("256 b'\\xff' 1", "RWKV vocabulary"),
            ("2 'a b'", ""),
            ("của 9\nab@@ 8\n", ""),
            ("của 9\na b\n", "merges.txt"),
            ("hello\nworld", ""),
            ("GGUF\u{3}", "GGUF"),
        ];
        for (content, expected) in cases {
            let found = format_name(content.as_bytes());
            assert_eq!(found.unwrap_or_default(), *expected, "{content:?}");
        }
    }
}
