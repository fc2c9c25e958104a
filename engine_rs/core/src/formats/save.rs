//! A definition as the files of a format, by the format's name.
//!
//! Not here: what each format looks like (its own file, beside its reader).

#[cfg(feature = "fs")]
use std::path::Path;

use super::definition::Definition;
use super::{sentencepiece, tiktoken, tokenizer_json, vocab_merges, vocab_txt};
use crate::error::SaveError;

/// Names of the formats, in the order they are shown.
pub const NAMES: [&str; 5] = ["tokenizer.json", "tiktoken", "sentencepiece", "vocab.txt", "vocab+merges"];

/// The files of a tokenizer in one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Files {
    /// One file, whatever its name.
    One(Vec<u8>),
    /// Several of these names, in one folder.
    Folder(Vec<(&'static str, Vec<u8>)>),
}

impl Files {
    /// Writes the file to `path`, or the files into the folder `path`, which is made where it is not there.
    #[cfg(feature = "fs")]
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        match self {
            Self::One(content) => std::fs::write(path, content),
            Self::Folder(files) => {
                std::fs::create_dir_all(path)?;
                files.iter().try_for_each(|(name, content)| std::fs::write(path.join(name), content))
            }
        }
    }
}

/// The files of the format called `format`; `None` where none is called so.
///
/// Errors: what the format cannot say.
///
/// ```
/// # use token_engine::formats::save::{Files, save};
/// # use token_engine::formats::vocab_txt::{read, Casing};
/// let content = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n";
/// let definition = read("vocab.txt", content.as_bytes(), Casing::Guess).unwrap().into();
/// assert_eq!(save(&definition, "vocab.txt"), Some(Ok(Files::One(content.into()))));
/// let error = save(&definition, "tiktoken").unwrap().unwrap_err().to_string();
/// assert!(error.starts_with("tiktoken cannot hold the normalizer"), "{error}");
/// assert!(save(&definition, "vocab.doc").is_none());
/// ```
pub fn save(definition: &Definition, format: &str) -> Option<Result<Files, SaveError>> {
    Some(match format {
        "tokenizer.json" => tokenizer_json::write(definition).map(|text| Files::One(text.into_bytes())),
        "tiktoken" => tiktoken::write(definition).map(Files::One),
        "sentencepiece" => sentencepiece::write(definition).map(Files::One),
        "vocab.txt" => vocab_txt::write(definition).map(Files::One),
        "vocab+merges" => vocab_merges::write(definition)
            .map(|(vocab, merges)| Files::Folder(vec![("vocab.json", vocab), ("merges.txt", merges)])),
        _ => return None,
    })
}
