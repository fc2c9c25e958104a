//! A pair of files: `vocab.json` (or `encoder.json`), tokens and ids, and `merges.txt` (or `vocab.bpe`), merges by falling
//! priority. GPT-2 and its descendants spell tokens in the [byte alphabet](crate::byte_alphabet); GPT-1 and CLIP mark
//! tokens that end a word by `</w>`.
//!
//! Not here: the stages of a class of tokenizers ([`super::transformers_folder::class`]).
//!
//! The files do not mark special tokens. An entry in angle brackets that no merge makes is one, unless the caller says
//! which are: `<|endoftext|>`, `<s>`.
//!
//! Source: github.com/openai/gpt-2 `encoder.py`; `BPE.from_file` of Hugging Face tokenizers.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::byte_level;
use super::definition::{Definition, ModelDefinition, byte_ids};
use super::tokenizer_json::json::Json;
use crate::added_tokens::AddedToken;
use crate::byte_alphabet;
use crate::decoders::Decoder;
use crate::error::{LoadError, Place, SaveError};
use crate::ids::Id;
use crate::models::bpe::characters::Settings;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::scanners::Pattern;
use crate::vocab::Vocab;

/// One of the two files: its name, for errors, and what it holds.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// As the caller gave it.
    pub name: &'a str,
    /// All of it.
    pub content: &'a [u8],
}

/// What the two files hold.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Tokens as the file spells them.
    pub(crate) vocab: Vocab,
    /// Left, right and what they make, by rank.
    pub(crate) merges: Vec<[Id; 3]>,
    /// Entries in angle brackets that no merge makes.
    pub(crate) bracketed: Vec<(String, Id)>,
}

/// How the entries of a `vocab.json` are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// In the byte alphabet: `Ġthe`.
    Bytes,
    /// Tokens that end a word end in `</w>`: CLIP, GPT-1, XLM.
    WordEnds,
    /// Tokens that do not end a word end in `@@`: CTRL.
    Continued,
    /// Tokens inside of words start with `##`: WordPiece.
    WordPiece,
    /// Tokens that start a word start with `▁`: SentencePiece, Marian.
    Marks,
    /// None of these.
    Other,
}

impl Spelling {
    /// The spelling of a vocabulary. A mark counts from a twentieth of the entries on.
    pub(crate) fn of<'a>(tokens: impl Iterator<Item = &'a str> + Clone) -> Self {
        let often = |has: fn(&str) -> bool| {
            let (all, with) =
                tokens.clone().fold((0, 0), |(all, with), token| (all + 1, with + usize::from(has(token))));
            with * 20 >= all && with > 0
        };
        let is_marked = |token: &str| token.starts_with('▁');
        // A byte that is spelled by another character: white space, a control character, part of a longer one.
        let in_alphabet = |token: &str| token.chars().any(|c| ('\u{100}'..'\u{144}').contains(&c));
        if often(|token| token.ends_with("</w>")) {
            Self::WordEnds
        } else if often(|token| token.ends_with("@@")) {
            Self::Continued
        } else if often(|token| token.starts_with("##")) {
            Self::WordPiece
        } else if often(is_marked) {
            Self::Marks
        } else if often(in_alphabet) {
            Self::Bytes
        } else {
            Self::Other
        }
    }
}

impl Pair {
    /// Reads the two files.
    ///
    /// Errors: what is not JSON or not UTF-8, ids that are no numbers or used twice, merges of or into what is not in the
    /// vocabulary, each with its line or JSON path.
    pub fn read(vocab: File, merges: File) -> Result<Self, LoadError> {
        let entries = entries(vocab)?;
        let table = table(vocab.name, &entries)?;
        let pairs = pairs(merges, &table)?;
        let bracketed = bracketed(&entries, &table, &pairs);
        Ok(Self { vocab: table, merges: pairs, bracketed })
    }

    /// How the entries are spelled. A vocabulary with all 256 bytes of the byte alphabet is byte-level.
    pub(crate) fn spelling(&self) -> Spelling {
        let is_token = |byte| self.vocab.id(byte_alphabet::from_bytes(&[byte]).as_bytes()).is_some();
        let found = Spelling::of(self.vocab.iter().map(|(_, token)| std::str::from_utf8(token).unwrap_or_default()));
        if found == Spelling::Other && (0..=255).all(is_token) { Spelling::Bytes } else { found }
    }

    /// A byte-level tokenizer. `special_tokens` are those of the caller; `None` takes the entries that look like some. Bytes
    /// without a token are left out of the text, as in the reference.
    pub(crate) fn byte_level(self, pattern: Pretokenizer, special_tokens: Option<&[(String, Id)]>) -> Definition {
        let special_tokens = special_tokens.map_or(self.bracketed, <[_]>::to_vec);
        Definition {
            added_tokens: special_tokens.into_iter().map(|(text, id)| AddedToken::special(text, id)).collect(),
            pretokenizer: Some(pattern.then_bytes()),
            decoder: Some(Decoder::ByteLevel),
            ..Definition::new(ModelDefinition::Bpe {
                vocab: self.vocab,
                merges: self.merges,
                settings: Settings::default(),
            })
        }
    }
}

/// Reads the two files of a byte-level tokenizer; see [`Pair::read`] for the errors and [`Pair::byte_level`] for the rest.
pub fn read(
    vocab: File,
    merges: File,
    pattern: Pretokenizer,
    special_tokens: Option<&[(String, Id)]>,
) -> Result<Definition, LoadError> {
    Ok(Pair::read(vocab, merges)?.byte_level(pattern, special_tokens))
}

/// Writes the two files as GPT-2 has them: vocabulary, then merges.
///
/// Errors: what is no byte-level BPE with GPT-2's pattern; tokens that no merge makes where they are looked up at once;
/// special tokens that a reader would not take for some.
pub fn write(definition: &Definition) -> Result<(Vec<u8>, Vec<u8>), SaveError> {
    const FORMAT: &str = "vocab+merges";
    let parts = byte_level::parts(definition, FORMAT)?;
    if parts.pattern != Some(Pretokenizer::Pattern(Pattern::R50k)) {
        return Err(SaveError::new(FORMAT, "the split pattern", "the files do not say it, and readers take GPT-2's"));
    }
    let byte_ids = byte_ids(&parts.vocab).unwrap_or([0; 256]);
    if parts.ignore_merges && !parts.all_built(&byte_ids) {
        let problem = "some are made by no merge, and there a text that is one of them would not become it";
        return Err(SaveError::new(FORMAT, "the tokens", problem));
    }
    let plain = parts.vocab.iter().map(|(id, _)| (id, parts.spelled(id)));
    let special = parts.special.iter().map(|token| (token.id, token.content.clone()));
    let mut entries: Vec<(Id, String)> = plain.chain(special).collect();
    entries.sort_unstable();
    let vocab = Json::Object(entries.iter().map(|(id, token)| (token.clone(), (*id).into())).collect());
    let lines = parts.merges.iter().map(|pair| format!("{} {}\n", parts.spelled(pair[0]), parts.spelled(pair[1])));
    let written =
        (vocab.to_string().into_bytes(), format!("#version: 0.2\n{}", lines.collect::<String>()).into_bytes());
    let (name_of_vocab, name_of_merges) = ("vocab.json", "merges.txt");
    let back = read(
        File { name: name_of_vocab, content: &written.0 },
        File { name: name_of_merges, content: &written.1 },
        Pretokenizer::Pattern(Pattern::R50k),
        None,
    )
    .map_err(|error| SaveError::new(FORMAT, "the tokens", error.to_string()))?;
    let spellings = |tokens: &[AddedToken]| {
        let mut all: Vec<_> = tokens.iter().map(|token| (token.id, token.content.clone())).collect();
        all.sort_unstable();
        all
    };
    if spellings(&back.added_tokens) != spellings(&parts.special) {
        let problem = "the files do not mark them, and readers take entries in angle brackets that no merge makes";
        return Err(SaveError::new(FORMAT, "the special tokens", problem));
    }
    Ok(written)
}

/// Whether the content is a merge list: its version line, or two parts with one space between them.
pub(crate) fn looks_like_merges(content: &[u8]) -> bool {
    let line = content.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"#version")
        || std::str::from_utf8(line).is_ok_and(|line| split_merge(line.trim_end_matches('\r')).is_some())
            && content.split(|&byte| byte == b'\n').nth(1).is_some_and(|line| line.contains(&b' '))
}

fn entries(file: File) -> Result<Vec<(String, Id)>, LoadError> {
    let map: Map<String, Value> = serde_json::from_slice(file.content).map_err(|problem| {
        LoadError::new(file.name, Place::Line(problem.line()), format!("not a JSON object: {problem}"))
            .hint("expected {\"token\": id, ...}")
    })?;
    map.into_iter()
        .map(|(token, id)| match id.as_u64().and_then(|id| Id::try_from(id).ok()) {
            Some(id) => Ok((token, id)),
            None => Err(LoadError::new(file.name, Place::Path(format!("[{token:?}]")), format!("{id} is not an id"))
                .hint("expected {\"token\": id, ...}")),
        })
        .collect()
}

/// The tokens of a `vocab.json`.
///
/// Errors: as [`Pair::read`].
pub(crate) fn vocab(file: File) -> Result<Vocab, LoadError> {
    table(file.name, &entries(file)?)
}

fn table(file: &str, entries: &[(String, Id)]) -> Result<Vocab, LoadError> {
    let mut table = Vocab::with_capacity(entries.len());
    for (token, id) in entries {
        table
            .insert_or_empty(*id, token.as_bytes())
            .map_err(|refused| LoadError::new(file, Place::Path(format!("[{token:?}]")), refused.to_string()))?;
    }
    Ok(table)
}

/// The merges as pairs of ids with the id they make.
fn pairs(file: File, vocab: &Vocab) -> Result<Vec<[Id; 3]>, LoadError> {
    let text = std::str::from_utf8(file.content).map_err(|problem| {
        LoadError::new(file.name, Place::Byte(problem.valid_up_to()), "not UTF-8").hint("expected two tokens per line")
    })?;
    let mut pairs = Vec::with_capacity(file.content.len() / 8);
    for (number, line) in text.split('\n').enumerate() {
        let line = line.trim_end_matches('\r');
        if line.is_empty() || line.starts_with("#version") {
            continue;
        }
        let error = |problem| LoadError::new(file.name, Place::Line(number + 1), problem);
        let (left, right) = split_merge(line)
            .ok_or_else(|| error(format!("{line:?} is not two tokens with one space between them")))?;
        let find = |part, token: &str| {
            vocab.id(token.as_bytes()).ok_or_else(|| {
                error(format!("{part} {token:?} is not in the vocabulary"))
                    .hint("the two files may come from different tokenizers")
            })
        };
        pairs.push([
            find("left part", left)?,
            find("right part", right)?,
            find("what the merge makes,", &[left, right].concat())?,
        ]);
    }
    Ok(pairs)
}

fn split_merge(line: &str) -> Option<(&str, &str)> {
    line.split_once(' ').filter(|(left, right)| !left.is_empty() && !right.is_empty() && !right.contains(' '))
}

fn bracketed(entries: &[(String, Id)], vocab: &Vocab, pairs: &[[Id; 3]]) -> Vec<(String, Id)> {
    let made: FxHashSet<Id> = pairs.iter().map(|pair| pair[2]).collect();
    entries
        .iter()
        .filter(|(token, id)| {
            token.starts_with('<')
                && token.ends_with('>')
                && vocab.token(*id).is_some_and(|bytes| bytes.len() > 1)
                && !made.contains(id)
        })
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::added_tokens::Specials;

    /// All bytes, then `Ġt` and `<|end|>`.
    fn vocab_json() -> String {
        let bytes = (0..=255u8).map(|byte| (byte_alphabet::from_bytes(&[byte]), u32::from(byte)));
        let map: Map<String, Value> =
            bytes.chain([("Ġt".into(), 256), ("<|end|>".into(), 257)]).map(|(token, id)| (token, id.into())).collect();
        serde_json::to_string(&map).expect("strings and numbers")
    }

    fn read_both(vocab: &str, merges: &str) -> Result<Definition, LoadError> {
        read(
            File { name: "vocab.json", content: vocab.as_bytes() },
            File { name: "merges.txt", content: merges.as_bytes() },
            Pretokenizer::Pattern(Pattern::R50k),
            None,
        )
    }

    #[test]
    fn finds_special_tokens_by_their_brackets() {
        let definition = read_both(&vocab_json(), "#version: 0.2\nĠ t\n").expect("valid");
        assert_eq!(definition.added_tokens, [AddedToken::special("<|end|>", 257)]);
        let tokenizer = definition.build("vocab.json").expect("valid");
        assert_eq!((tokenizer.base_vocab_size(), tokenizer.vocab().len()), (257, 258));
        assert_eq!(tokenizer.encode_ids(" t<|end|>", Specials::Parse).expect("short"), [256, 257]);
    }

    #[test]
    fn says_where_the_files_do_not_fit() {
        let cases = [
            ("Ġ t\nĠ foo", "merges.txt line 2: right part \"foo\" is not in the vocabulary; the two files may come"),
            ("#version: 0.2\nt Ġ", "merges.txt line 2: what the merge makes, \"tĠ\" is not in the vocabulary"),
            ("Ġt", "merges.txt line 1: \"Ġt\" is not two tokens"),
            ("a b c", "merges.txt line 1: \"a b c\" is not two tokens"),
        ];
        for (merges, expected) in cases {
            let error = read_both(&vocab_json(), merges).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        for (vocab, expected) in [
            ("{\"a\": 0", "vocab.json line 1: not a JSON object"),
            ("{\"a\": -1}", "vocab.json at [\"a\"]: -1 is not an id"),
            ("{\"a\": 0, \"b\": 0}", "vocab.json at [\"b\"]: id 0 is used twice"),
            ("[]", "vocab.json line 1: not a JSON object"),
        ] {
            let error = read_both(vocab, "").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn example_of_spelling_of() {
        use crate::formats::vocab_merges::Spelling;
        assert_eq!(Spelling::of(["lo", "w</w>"].into_iter()), Spelling::WordEnds);
        assert_eq!(Spelling::of(["lo", "Ġw"].into_iter()), Spelling::Bytes);
        assert_eq!(Spelling::of(["lo", "w"].into_iter()), Spelling::Other);
    }
}
