//! CLIP's `bpe_simple_vocab_16e6.txt.gz`: merges alone, from which the vocabulary follows.
//!
//! Ids go on from bytes to bytes that end a word to what the merges make to the two special tokens. Of the file's merges the
//! first 48,894 count. The stages are those of CLIP's tokenizer.json; the original mends broken text (`ftfy`) and
//! HTML entities first, which is not done here.
//!
//! Source: `SimpleTokenizer` of openai/CLIP; tokenizer.json of openai/clip-vit-large-patch14.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::definition::{Definition, ModelDefinition};
use crate::added_tokens::AddedToken;
use crate::alignment::Behavior;
use crate::byte_alphabet;
use crate::decoders::Decoder;
use crate::error::{LoadError, Place};
use crate::ids::Id;
use crate::matching::{Expression, Matcher, Replace};
use crate::models::Unknown;
use crate::models::bpe::characters::Settings;
use crate::normalizers::Normalizer;
use crate::normalizers::forms::Form;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::roberta::RobertaProcessing;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::pretokenizers::split::Split;
use crate::vocab::Vocab;

/// Put before a text.
pub(super) const START: &str = "<|startoftext|>";
/// Put after a text.
pub(super) const END: &str = "<|endoftext|>";
/// Ends tokens that end a word.
pub(super) const WORD_END: &str = "</w>";
/// 49,152 ids, less two for each byte and the special tokens.
const MERGES: usize = 49_152 - 256 - 2;
/// The file has 3 MB; a small file can claim a thousand times its size.
const LARGEST: u64 = 64 << 20;
const WORDS: &str = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+";

/// Whether the content is compressed by gzip.
pub(crate) fn is_gzip(content: &[u8]) -> bool {
    content.starts_with(b"\x1f\x8b")
}

/// Reads the file, compressed or not.
///
/// Errors: what gzip cannot read, what is not UTF-8 or not two tokens per line, merges of what is not made before; each with
/// its line.
pub fn read(file: &str, content: &[u8]) -> Result<Definition, LoadError> {
    let mut text = String::new();
    let unpacked = if is_gzip(content) {
        MultiGzDecoder::new(content).take(LARGEST + 1).read_to_string(&mut text)
    } else {
        content.take(LARGEST + 1).read_to_string(&mut text)
    };
    unpacked.map_err(|error| {
        LoadError::new(file, Place::File, format!("cannot be unpacked as text: {error}")).hint("is the file complete?")
    })?;
    if text.len() as u64 > LARGEST {
        return Err(LoadError::new(file, Place::File, format!("unpacks to more than {LARGEST} bytes")));
    }
    if !looks_like(text.as_bytes()) {
        let found = text.lines().next().unwrap_or_default().chars().take(60).collect::<String>();
        return Err(LoadError::new(file, Place::Line(1), format!("{found:?} is not the first line of a merge list"))
            .hint("of packed files CLIP's bpe_simple_vocab_16e6.txt.gz is known; unpack others first"));
    }
    let (mut vocab, merges) = read_merges(file, &text)?;
    let (start, end) = (vocab.id_bound() as Id, vocab.id_bound() as Id + 1);
    for (id, token) in [(start, START), (end, END)] {
        vocab
            .insert(id, token.as_bytes())
            .map_err(|refused| LoadError::new(file, Place::File, format!("{token}: {refused}")))?;
    }
    let added_tokens =
        vec![AddedToken { normalized: true, ..AddedToken::special(START, start) }, AddedToken::special(END, end)];
    definition(file, vocab, merges, Special { start, end, unknown: Unknown::Token(end), added_tokens })
}

/// Whether the content, unpacked, has the first line of such a file.
pub fn looks_like(content: &[u8]) -> bool {
    let line = content.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"\"bpe_simple_vocab") && line.ends_with(b"#version: 0.2")
}

/// The vocabulary that the merges stand for, without special tokens.
fn read_merges(file: &str, text: &str) -> Result<(Vocab, Vec<[Id; 3]>), LoadError> {
    let mut vocab = Vocab::with_capacity(MERGES + 514);
    // Printable bytes come first, as in the alphabet's own table.
    let printable = |byte: &u8| byte_alphabet::char_of(*byte) as u32 == u32::from(*byte);
    let bytes = (0..=255u8).filter(printable).chain((0..=255u8).filter(|byte| !printable(byte)));
    let bytes: Vec<String> = bytes.map(|byte| byte_alphabet::from_bytes(&[byte])).collect();
    let ends = bytes.iter().map(|byte| format!("{byte}{WORD_END}"));
    for (id, token) in (0..).zip(bytes.iter().cloned().chain(ends)) {
        vocab.insert(id, token.as_bytes()).map_err(|refused| LoadError::new(file, Place::File, refused.to_string()))?;
    }
    let mut merges = Vec::with_capacity(MERGES);
    for (number, line) in text.lines().enumerate().skip(1).take(MERGES) {
        let error = |problem: String| LoadError::new(file, Place::Line(number + 1), problem);
        let mut parts = line.split(' ');
        let (Some(left), Some(right), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(error(format!("{:?} is not two tokens", line.chars().take(60).collect::<String>())));
        };
        let find = |token: &str| {
            vocab.id(token.as_bytes()).ok_or_else(|| error(format!("{token:?} is no byte and made by no merge before")))
        };
        let (left_id, right_id) = (find(left)?, find(right)?);
        let id = vocab.id_bound() as Id;
        vocab.insert(id, [left, right].concat().as_bytes()).map_err(|refused| error(refused.to_string()))?;
        merges.push([left_id, right_id, id]);
    }
    Ok((vocab, merges))
}

/// The special tokens of a vocabulary.
pub(super) struct Special {
    /// Put before a text.
    pub(crate) start: Id,
    /// Put after a text.
    pub(crate) end: Id,
    /// Stands for unknown characters.
    pub(crate) unknown: Unknown,
    /// Those found in texts.
    pub(crate) added_tokens: Vec<AddedToken>,
}

/// The stages over a vocabulary whose tokens that end a word end in `</w>`.
pub(super) fn definition(
    file: &str,
    vocab: Vocab,
    merges: Vec<[Id; 3]>,
    special: Special,
) -> Result<Definition, LoadError> {
    let error = |problem: String| LoadError::new(file, Place::File, problem);
    let Special { start, end, unknown, added_tokens } = special;
    let spaces = Matcher::new(Expression::Regex(r"\s+".into())).map_err(|problem| error(problem.to_string()))?;
    let words = Split::new(Expression::Regex(WORDS.into()), Behavior::Removed, true);
    let bytes = ByteLevel { add_prefix_space: false, trim_offsets: true, use_regex: true };
    let settings = Settings { unknown: Some(unknown), end_of_word_suffix: WORD_END.to_owned(), ..Settings::default() };
    Ok(Definition {
        added_tokens,
        normalizer: Some(Normalizer::Sequence(vec![
            Normalizer::Form(Form::Nfc),
            Normalizer::Replace(Replace { matcher: spaces, content: " ".into() }),
            Normalizer::Lowercase,
        ])),
        pretokenizer: Some(Pretokenizer::Sequence(vec![
            Pretokenizer::Split(words.map_err(|problem| error(problem.to_string()))?),
            Pretokenizer::ByteLevel(bytes),
        ])),
        postprocessor: Some(Postprocessor::Roberta(RobertaProcessing { cls: start, sep: end, trim: None })),
        decoder: Some(Decoder::ByteLevel),
        ..Definition::new(ModelDefinition::Bpe { vocab, merges, settings })
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(vec![], Compression::fast());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    const HEAD: &str = "\"bpe_simple_vocab_16e6.txt#version: 0.2\n";

    #[test]
    fn vocabulary_follows_from_merges() {
        let text = format!("{HEAD}h i</w>\na n\n");
        for content in [packed(text.as_bytes()), text.into_bytes()] {
            let tokenizer = read("clip", &content).and_then(|read| read.build("clip")).expect("valid");
            assert_eq!((tokenizer.vocab().len(), tokenizer.base_vocab_size()), (516, 514));
            assert_eq!((tokenizer.vocab().id(b"!"), tokenizer.vocab().id(b"!</w>")), (Some(0), Some(256)));
            let encoding = tokenizer.encode("HI  an", None, Default::default()).expect("short");
            assert_eq!(encoding.ids, [514, 512, u32::from(b'a' - b'!'), 256 + u32::from(b'n' - b'!'), 515]);
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let bomb = packed(&vec![b'a'; (LARGEST + 2) as usize]);
        let whole = packed(format!("{HEAD}h i\n").as_bytes());
        let cases: &[(Vec<u8>, &str)] = &[
            (bomb, "clip: unpacks to more than 67108864 bytes"),
            (whole[..whole.len() - 9].to_vec(), "clip: cannot be unpacked as text"),
            (packed(b"a\tb"), "clip line 1: \"a\\tb\" is not the first line of a merge list; of packed files CLIP's"),
            (packed(b"\xff"), "clip: cannot be unpacked as text"),
            (packed(format!("{HEAD}h  i").as_bytes()), "clip line 2: \"h  i\" is not two tokens"),
            (packed(format!("{HEAD}h foo").as_bytes()), "clip line 2: \"foo\" is no byte and made by no merge before"),
            (packed(format!("{HEAD}h i\nh i").as_bytes()), "clip line 3: the token stands there already, with id 512"),
        ];
        for (content, expected) in cases {
            let error = read("clip", content).expect_err(expected).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
