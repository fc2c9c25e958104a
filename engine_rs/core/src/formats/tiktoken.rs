//! Rank files: one token per line in base64, a space, its rank, which is also its id.
//!
//! The format says neither the split pattern nor the special tokens; the caller does. Merges follow from the ranks:
//! two neighbours merge where the vocabulary has their bytes joined, and the rank of the result is the rank of the merge.
//!
//! Source: `load_tiktoken_bpe` and `byte_pair_merge` of tiktoken.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::byte_level;
use super::definition::{Definition, ModelDefinition, byte_ids};
use crate::added_tokens::AddedToken;
use crate::decoders::Decoder;
use crate::error::{LoadError, Place, SaveError};
use crate::ids::Id;
use crate::models::bpe::pairs_from_ranks;
use crate::pretokenizers::Pretokenizer;
use crate::vocab::Vocab;

/// Reads a rank file.
///
/// Errors: a line that is not base64 and a number, an id or token that stands there twice, each with its line.
pub fn read(
    file: &str,
    content: &[u8],
    pattern: Pretokenizer,
    special_tokens: &[(String, Id)],
) -> Result<Definition, LoadError> {
    let mut vocab = Vocab::with_capacity(content.len() / 16);
    let mut token = Vec::new();
    for (number, line) in content.split(|&byte| byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        let error = |problem: String| LoadError::new(file, Place::Line(number + 1), problem);
        let (encoded, rank) = parts(line).ok_or_else(|| {
            error(format!("{} is not a token in base64, a space and a rank", quoted(line)))
                .hint("is the file complete, and is it a tiktoken rank file?")
        })?;
        token.clear();
        // Padding alone is the empty token, as Python's base64 reads it: the last line of Whisper's files.
        if !encoded.iter().all(|&byte| byte == b'=') {
            STANDARD.decode_vec(encoded, &mut token).map_err(|problem| {
                error(format!("{} is not base64: {problem}", quoted(encoded))).hint("is the file complete?")
            })?;
        }
        vocab.insert_or_empty(rank, &token).map_err(|refused| error(refused.to_string()))?;
    }
    Ok(from_ranks(vocab, pattern, special_tokens))
}

/// The definition that a vocabulary of ranks stands for, wherever it comes from.
pub fn from_ranks(vocab: Vocab, pattern: impl Into<Pretokenizer>, special_tokens: &[(String, Id)]) -> Definition {
    Definition {
        added_tokens: special_tokens.iter().map(|(text, id)| AddedToken::special(text, *id)).collect(),
        pretokenizer: Some(pattern.into()),
        decoder: Some(Decoder::ByteLevel),
        ..Definition::new(ModelDefinition::Ranks { vocab })
    }
}

/// Writes a rank file. The format says neither the split pattern nor the special tokens; whoever reads it gives them.
///
/// Errors: what is no byte-level BPE; merges that do not follow from the ids, which are the ranks.
pub fn write(definition: &Definition) -> Result<Vec<u8>, SaveError> {
    let parts = byte_level::parts(definition, "tiktoken")?;
    if let ModelDefinition::Bpe { .. } = definition.model {
        let byte_ids = byte_ids(&parts.vocab).unwrap_or([0; 256]);
        let by_rank = pairs_from_ranks(&parts.vocab, &byte_ids);
        let other = by_rank.iter().zip(&parts.merges).position(|(rank, merge)| rank != merge);
        if let Some(at) =
            other.or((by_rank.len() != parts.merges.len()).then_some(by_rank.len().min(parts.merges.len())))
        {
            let problem = "ids are ranks there, and by these ids other tokens would merge, or in another order";
            return Err(SaveError::new("tiktoken", format!("merge {at}"), problem));
        }
        if !parts.ignore_merges && !parts.all_built(&byte_ids) {
            let problem = "some are made by no merge, but a text that is one of them would become it there";
            return Err(SaveError::new("tiktoken", "the tokens", problem));
        }
    }
    let encoded = |token: &[u8]| if token.is_empty() { "=".to_owned() } else { STANDARD.encode(token) };
    let lines = parts.vocab.iter().map(|(rank, token)| format!("{} {rank}\n", encoded(token)));
    Ok(lines.collect::<String>().into_bytes())
}

/// Whether the first two lines are meant as those of a rank file: what may be base64, perhaps a space, and a number. The
/// reader says what is wrong with them.
pub(crate) fn resembles(content: &[u8]) -> bool {
    let mut lines = content.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let first = lines.next().unwrap_or_default();
    line_resembles(first) && lines.next().is_none_or(|second| second.is_empty() || line_resembles(second))
}

fn line_resembles(line: &[u8]) -> bool {
    let digits = line.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let start = &line[..line.len() - digits];
    let (space, token) = start.strip_suffix(b" ").map_or((false, start), |token| (true, token));
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    digits > 0 && !token.is_empty() && token.iter().all(is_base64) && (space || token.ends_with(b"="))
}

/// Whether the first line looks like a rank file's.
pub fn looks_like(content: &[u8]) -> bool {
    let line = content.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    parts(line).is_some_and(|(encoded, _)| !encoded.is_empty() && STANDARD.decode(encoded).is_ok())
}

fn parts(line: &[u8]) -> Option<(&[u8], Id)> {
    let space = line.iter().position(|&byte| byte == b' ').filter(|&space| space > 0)?;
    let rank = std::str::from_utf8(&line[space + 1..]).ok()?.parse().ok()?;
    Some((&line[..space], rank))
}

/// The start of a line, for people.
fn quoted(line: &[u8]) -> String {
    const MAX: usize = 40;
    let text = String::from_utf8_lossy(&line[..line.len().min(MAX)]).into_owned();
    format!("{text:?}{}", if line.len() > MAX { "..." } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::added_tokens::Specials;
    use crate::pretokenizers::scanners::Pattern;

    const R50K: Pretokenizer = Pretokenizer::Pattern(Pattern::R50k);

    #[test]
    fn says_which_line_is_wrong() {
        let cases = [
            ("YQ== 0\n 1", "small line 2: \" 1\" is not a token in base64"),
            ("= 0\n== 1", "small line 2: the token stands there already, with id 0"),
            ("YQ== 0\nYg=", "small line 2: \"Yg=\" is not a token in base64"),
            ("YQ== 0\nYg= 1", "small line 2: \"Yg=\" is not base64"),
            ("YQ== 0\nYg== 0", "small line 2: id 0 is used twice"),
            ("YQ== 0\nYQ== 1", "small line 2: the token stands there already, with id 0"),
            ("YQ== 4294967295", "small line 1: id 4294967295 is far beyond the number of tokens"),
            ("YQ== 4294967296", "small line 1: \"YQ== 4294967296\" is not a token"),
        ];
        for (content, expected) in cases {
            let error = read("small", content.as_bytes(), R50K, &[]).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn refuses_what_no_byte_level_tokenizer_can_be() {
        let cases = [
            ("YQ== 0", None, "small: no token for the single byte 0x00"),
            (&all_bytes(), Some(("<e>", 0)), "small: added token \"<e>\" with id 0: id 0 is used twice"),
            (&all_bytes(), Some(("a", 300)), "small: added token \"a\" with id 300: the token stands there already"),
        ];
        for (content, special_token, expected) in cases {
            let special_tokens = special_token.map(|(text, id)| (text.to_owned(), id));
            let definition = read("small", content.as_bytes(), R50K, special_tokens.as_slice()).expect("well formed");
            let error = definition.build("small").err().expect("cannot be built").to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn merges_follow_from_ranks() {
        // The example of the Wikipedia article on byte-pair encoding: aa is Z, ab is Y, ZY is X.
        let content = all_bytes() + "YWE= 256\nYWI= 257\nYWFhYg== 258\n";
        let tokenizer = read("small", content.as_bytes(), R50K, &[("<e>".into(), 259)])
            .and_then(|definition| definition.build("small"))
            .expect("well formed");
        let ids = tokenizer.encode_ids("aaabdaaabac<e>", Specials::Parse).expect("short");
        assert_eq!(ids, [258, u32::from(b'd'), 258, u32::from(b'a'), u32::from(b'c'), 259]);
        assert_eq!(tokenizer.decode(&ids, false).expect("its own ids"), "aaabdaaabac<e>");
        assert_eq!((tokenizer.vocab().len(), tokenizer.base_vocab_size()), (260, 259));
        let ranks: Vec<_> = [u32::from(b'a'), 256, 257, 258, 259].map(|id| tokenizer.rank(id)).to_vec();
        assert_eq!(ranks, [None, Some(0), Some(1), Some(2), None], "places in the list of merges, not ids");
    }

    #[test]
    fn a_bad_first_line_still_resembles_one() {
        for (line, expected) in [
            ("tet 0", true),
            ("ICAgICAgIA==10", true),
            ("IQ== 18446744073709551616\nIg== 1", true),
            ("tet 0\nIg== 1\n", true),
            ("x 1\ny z", false),
            ("= 0", true),
            ("[UNK]", false),
            ("h e", false),
            ("hello", false),
            ("7", false),
            ("caf\u{e9} 7", false),
        ] {
            assert_eq!(resembles(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn padding_alone_is_the_empty_token() {
        let definition = read("small", (all_bytes() + "= 256\n").as_bytes(), R50K, &[("<e>".into(), 257)]);
        let definition = definition.expect("well formed");
        assert_eq!(write(&definition), Ok((all_bytes() + "= 256\n").into_bytes()));
        for tokenizer in [definition.clone().build("small"), definition.build_without_fast_path("small")] {
            let tokenizer = tokenizer.expect("well formed");
            assert_eq!(tokenizer.decode(&[97, 256, 98], false).expect("its own ids"), "ab");
            assert_eq!(tokenizer.encode_ids("ab", Specials::Parse).expect("short"), [97, 98]);
        }
    }

    fn all_bytes() -> String {
        (0..=255u8).map(|byte| format!("{} {byte}\n", STANDARD.encode([byte]))).collect()
    }
}
