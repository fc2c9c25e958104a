//! `vocab.txt` of BERT: one token per line, the line's number from 0 is the id.
//!
//! The file does not say whether texts are lower-cased first; the caller does, or the entries tell ([`Casing::Guess`]).
//! Not here: what the rules are ([`crate::normalizers::bert`]).
//!
//! Source: `load_vocab` in google-research/bert; as `WordPiece::read_file` in `tokenizers` does, white space at the ends
//! of lines is no part of a token, and of two equal lines the later one counts.

use super::definition::{Definition, ModelDefinition};
use crate::added_tokens::AddedToken;
use crate::decoders::Decoder;
use crate::decoders::wordpiece::WordPieceDecoder;
use crate::error::{LoadError, Place, SaveError};
use crate::ids::Id;
use crate::models::wordpiece::Settings;
use crate::normalizers::Normalizer;
use crate::normalizers::bert::BertNormalizer;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::bert::BertProcessing;
use crate::pretokenizers::Pretokenizer;
use crate::unicode::lower;
use crate::vocab::{InsertError, Vocab};

/// Whether texts are lower-cased and stripped of accents before the vocabulary is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Casing {
    /// Cased where an entry could never come out of lower-casing, uncased otherwise. Right for BERT's own files.
    #[default]
    Guess,
    /// They are not.
    Cased,
    /// They are.
    Uncased,
}

/// What the file says.
#[derive(Clone, Debug)]
pub struct VocabTxt {
    /// The tokens. Blank lines and lines that stand there again later leave holes in the ids.
    pub(crate) vocab: Vocab,
    /// The rules for texts.
    pub(crate) normalizer: BertNormalizer,
    /// `[UNK]`.
    pub(crate) unknown: Id,
    /// `[CLS]`.
    pub(crate) cls: Id,
    /// `[SEP]`.
    pub(crate) sep: Id,
    /// Those of `[UNK] [SEP] [CLS] [PAD] [MASK]` that the file has, by rising id.
    pub(crate) special_tokens: Vec<(String, Id)>,
}

impl From<VocabTxt> for Definition {
    fn from(read: VocabTxt) -> Self {
        let VocabTxt { vocab, normalizer, unknown, cls, sep, special_tokens } = read;
        Self {
            added_tokens: special_tokens.into_iter().map(|(text, id)| AddedToken::special(text, id)).collect(),
            normalizer: Some(Normalizer::Bert(normalizer)),
            pretokenizer: Some(Pretokenizer::Bert),
            postprocessor: Some(Postprocessor::Bert(BertProcessing::new(cls, sep))),
            decoder: Some(Decoder::WordPiece(WordPieceDecoder::bert())),
            ..Self::new(ModelDefinition::WordPiece { vocab, settings: Settings::bert(unknown) })
        }
    }
}

/// What the special tokens are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Stands for words that cannot be made.
    pub(crate) unknown: String,
    /// Stands before a text.
    pub(crate) cls: String,
    /// Stands after a text.
    pub(crate) sep: String,
    /// Fills up.
    pub(crate) pad: String,
    /// Stands for a word to be guessed.
    pub(crate) mask: String,
}

impl Default for Names {
    /// BERT's.
    fn default() -> Self {
        let [unknown, cls, sep, pad, mask] = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"].map(str::to_owned);
        Self { unknown, cls, sep, pad, mask }
    }
}

const EXPECTED: &str = "a vocab.txt has one token per line, in UTF-8, [UNK], [CLS] and [SEP] among them";

/// Reads a vocabulary. `file` is its name for error messages.
///
/// Errors: not UTF-8 or binary (with the byte), no tokens, no `[UNK]`, `[CLS]` or `[SEP]`.
pub fn read(file: &str, content: &[u8], casing: Casing) -> Result<VocabTxt, LoadError> {
    read_named(file, content, casing, &Names::default())
}

/// The same where the special tokens have other names.
pub(crate) fn read_named(file: &str, content: &[u8], casing: Casing, names: &Names) -> Result<VocabTxt, LoadError> {
    let tokens = tokens(text(file, content)?);
    let vocab = by_line(file, &tokens)?;
    let find = |token: &str| {
        vocab.id(token.as_bytes()).ok_or_else(|| {
            let found = format!("none of the {} lines is {token}", tokens.len());
            LoadError::new(file, Place::File, found).hint(hint(content))
        })
    };
    let (unknown, cls, sep) = (find(&names.unknown)?, find(&names.cls)?, find(&names.sep)?);
    if tokens.iter().all(|token| token.is_empty() || bracketed(token)) {
        let found = format!("the {} lines hold special tokens alone", tokens.len());
        return Err(LoadError::new(file, Place::File, found).hint("is the file complete?"));
    }
    let special = [&names.unknown, &names.sep, &names.cls, &names.pad, &names.mask];
    let mut special_tokens: Vec<_> =
        special.into_iter().filter_map(|token| Some((token.clone(), vocab.id(token.as_bytes())?))).collect();
    special_tokens.sort_unstable_by_key(|(_, id)| *id);
    special_tokens.dedup();
    let cased = match casing {
        Casing::Cased => true,
        Casing::Uncased => false,
        Casing::Guess => tokens.iter().any(|token| !bracketed(token) && changed_by_lower_case(token)),
    };
    let normalizer = if cased { BertNormalizer::CASED } else { BertNormalizer::UNCASED };
    Ok(VocabTxt { vocab, normalizer, unknown, cls, sep, special_tokens })
}

/// Writes a vocabulary. Ids without a token become blank lines.
///
/// Errors: what is not BERT's WordPiece; rules for texts that the entries do not tell; tokens that a line cannot hold.
pub fn write(definition: &Definition) -> Result<Vec<u8>, SaveError> {
    let error = |what: &str, problem: &str| SaveError::new("vocab.txt", what, problem);
    let ModelDefinition::WordPiece { vocab, .. } = &definition.model else {
        return Err(error("the model", "it holds WordPiece alone"));
    };
    let mut content = Vec::with_capacity(vocab.len() * 8);
    for id in 0..vocab.id_bound() as Id {
        content.extend_from_slice(vocab.token(id).unwrap_or_default());
        content.push(b'\n');
    }
    let back = read("vocab.txt", &content, Casing::Guess).map(Definition::from);
    let back = back.map_err(|problem| error("the tokens", &problem.to_string()))?;
    let bert = back.postprocessor.as_ref().and_then(Postprocessor::as_bert);
    let mut added = definition.added_tokens.clone();
    added.sort_by_key(|token| token.id);
    let same: [(&str, bool); 6] = [
        ("the model", back.model == definition.model),
        ("the normalizer", back.normalizer == definition.normalizer),
        ("the pretokenizer", back.pretokenizer == definition.pretokenizer),
        ("the postprocessor", definition.postprocessor.as_ref().and_then(Postprocessor::as_bert) == bert),
        ("the decoder", back.decoder == definition.decoder),
        ("the added tokens", back.added_tokens == added),
    ];
    match same.into_iter().find(|(_, same)| !same) {
        None => Ok(content),
        Some((what, _)) => {
            Err(error(what, "the file does not say it, and a reader would take BERT's for these tokens"))
        }
    }
}

/// Whether the content may be a vocabulary: it has a line `[UNK]`.
pub fn looks_like(content: &[u8]) -> bool {
    content.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_end() == b"[UNK]")
}

fn text<'a>(file: &str, content: &'a [u8]) -> Result<&'a str, LoadError> {
    let binary = |at: usize| {
        let byte = content[at];
        let found = match kind(content) {
            Some(kind) => format!("this is {kind}, byte {byte:#04x} is not text"),
            None => format!("byte {byte:#04x} is not UTF-8 text"),
        };
        LoadError::new(file, Place::Byte(at), found).hint(EXPECTED)
    };
    if content.trim_ascii().is_empty() {
        let found = if content.is_empty() { "the file is empty" } else { "the file is blank" };
        return Err(LoadError::new(file, Place::File, found).hint(EXPECTED));
    }
    let text = std::str::from_utf8(content).map_err(|error| binary(error.valid_up_to()))?;
    content.iter().position(|&byte| byte == 0).map_or(Ok(text), |at| Err(binary(at)))
}

/// What a file that is no text is, going by its first bytes.
pub(super) fn kind(content: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 8] = [
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"%PDF", "a PDF file"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip file"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
    ];
    KINDS.iter().find(|(start, _)| content.starts_with(start)).map(|(_, kind)| *kind)
}

fn hint(content: &[u8]) -> String {
    match content.trim_ascii_start().first() {
        Some(b'{' | b'[') if serde_json::from_slice::<serde_json::Value>(content).is_ok() => {
            format!("this is JSON; {EXPECTED}")
        }
        _ => EXPECTED.to_owned(),
    }
}

/// The tokens by line, as the reference reads them.
fn tokens(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).collect()
}

/// Puts the tokens in by their line numbers, from the last to the first, so that the later of two equal ones counts.
fn by_line(file: &str, tokens: &[&str]) -> Result<Vocab, LoadError> {
    let mut vocab = Vocab::with_capacity(tokens.len());
    for (line, token) in tokens.iter().enumerate().rev() {
        match vocab.insert(line as Id, token.as_bytes()) {
            Ok(()) | Err(InsertError::Empty | InsertError::TokenTaken(_)) => {}
            Err(refused) => return Err(LoadError::new(file, Place::Line(line + 1), refused.to_string())),
        }
    }
    Ok(vocab)
}

/// `[MASK]`, `[unused7]`, `<S>`: not made from text, so their case says nothing.
fn bracketed(token: &str) -> bool {
    token.starts_with('[') && token.ends_with(']') || token.starts_with('<') && token.ends_with('>')
}

fn changed_by_lower_case(token: &str) -> bool {
    !token.chars().flat_map(lower).eq(token.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n##s\n";

    fn small(content: &str) -> VocabTxt {
        read("vocab.txt", content.as_bytes(), Casing::Guess).expect("a vocabulary")
    }

    fn refusal(content: &[u8]) -> String {
        read("vocab.txt", content, Casing::Guess).expect_err("no vocabulary").to_string()
    }

    #[test]
    fn reads_lines_as_the_reference_does() {
        for content in [SMALL.to_owned(), SMALL.replace('\n', "\r\n"), SMALL.replace('\n', " \t\u{3000}\n")] {
            let read = small(&content);
            assert_eq!((read.vocab.len(), read.vocab.id(b"##s")), (6, Some(5)), "{content:?}");
            assert_eq!((read.unknown, read.cls, read.sep), (1, 2, 3));
            let special: Vec<_> = read.special_tokens.iter().map(|(token, id)| (token.as_str(), *id)).collect();
            assert_eq!(special, [("[PAD]", 0), ("[UNK]", 1), ("[CLS]", 2), ("[SEP]", 3)]);
        }
    }

    #[test]
    fn blank_and_repeated_lines_keep_the_numbers_of_the_others() {
        let read = small(&format!("{SMALL}\nthe\nlast"));
        assert_eq!((read.vocab.id(b"the"), read.vocab.id(b"last")), (Some(7), Some(8)));
        assert_eq!((read.vocab.token(4), read.vocab.token(6)), (None, None));
    }

    #[test]
    fn entries_tell_the_case() {
        for (line, cased) in [("", false), ("ß", false), ("The", true), ("##É", true), ("[X]", false), ("<S>", false)]
        {
            assert_eq!(!small(&format!("{SMALL}{line}")).normalizer.lowercase, cased, "{line}");
        }
        let read = |casing| read("vocab.txt", SMALL.as_bytes(), casing).map(|read| read.normalizer);
        assert_eq!(read(Casing::Cased), Ok(BertNormalizer::CASED));
        assert_eq!(read(Casing::Uncased), Ok(BertNormalizer::UNCASED));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let cases: &[(&[u8], &str)] = &[
            (b"", "vocab.txt: the file is empty; "),
            (b"\n \n", "vocab.txt: the file is blank; "),
            (b"\x89PNG\r\n\x1a\n\0", "vocab.txt byte 0: this is a PNG image, byte 0x89 is not text; "),
            (b"[UNK]\n\xc3(", "vocab.txt byte 6: byte 0xc3 is not UTF-8 text; "),
            (b"[UNK]\na\0b", "vocab.txt byte 7: byte 0x00 is not UTF-8 text; "),
            (b"the\nof\n", "vocab.txt: none of the 2 lines is [UNK]; a vocab.txt has one token per line"),
            (b"{\"model\": {}}", "vocab.txt: none of the 1 lines is [UNK]; this is JSON; "),
            (b"[UNK]\n[CLS]\na", "vocab.txt: none of the 3 lines is [SEP]; "),
            (b"[UNK]\n[CLS]\n[SEP]\n", "vocab.txt: the 3 lines hold special tokens alone; is the file complete?"),
        ];
        for &(content, expected) in cases {
            assert!(refusal(content).starts_with(expected), "{}", refusal(content));
        }
    }

    #[test]
    fn sees_a_vocabulary() {
        assert!(looks_like(SMALL.as_bytes()) && looks_like(b"[UNK]\r\n") && !looks_like(b"\"[UNK]\""));
    }

    #[test]
    fn example_of_read() {
        use crate::formats::vocab_txt::{Casing, read};
        let read = read("vocab.txt", b"[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n##s\n", Casing::Guess).unwrap();
        assert_eq!(read.vocab.id(b"##s"), Some(5));
        assert!(read.normalizer.lowercase);
    }
}
