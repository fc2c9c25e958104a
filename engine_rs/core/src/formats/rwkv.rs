//! RWKV's World vocabulary: the longest token that the rest of the text starts with, byte for byte.
//!
//! One token per line: its ID, the token as a literal of Python, the number of its bytes. `1 '\x00' 1`, `300 b'\xe4\xb8' 2`.
//! Greedy over bytes is WordPiece without a prefix on the byte alphabet, with the whole text as one word.
//!
//! Source: `rwkv_tokenizer.py` of BlinkDL/ChatRWKV.

use super::definition::{Definition, ModelDefinition};
use crate::byte_alphabet;
use crate::decoders::Decoder;
use crate::error::{LoadError, Place};
use crate::ids::Id;
use crate::models::wordpiece::Settings;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::vocab::{InsertError, Vocab};

/// How a model without an unknown token spells one.
const NO_TOKEN: &str = "<unk>";

/// Reads a vocabulary. `file` is its name for error messages.
///
/// Errors, with the line: what is not an ID, a literal and a number of bytes, or another number than the literal has; an ID or a
/// token twice; a byte that is no token.
pub fn read(file: &str, content: &[u8]) -> Result<Definition, LoadError> {
    let text = std::str::from_utf8(content)
        .map_err(|problem| LoadError::new(file, Place::Byte(problem.valid_up_to()), "not UTF-8"))?;
    let mut vocab = Vocab::with_capacity(content.len() / 16);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let error = |problem: String| LoadError::new(file, Place::Line(number + 1), problem);
        let (id, literal, bytes) = parts(line)
            .ok_or_else(|| error("not an ID, a token as Python writes it, and the number of its bytes".to_owned()))?;
        let token = unquoted(literal).ok_or_else(|| error(format!("{literal:.60} is no string or bytes of Python")))?;
        if token.len() != bytes {
            return Err(error(format!("the token has {} bytes, but the line says {bytes}", token.len())));
        }
        if token.len() > LONGEST {
            return Err(error(format!("a token of {} bytes, and the longest may have {LONGEST}", token.len())));
        }
        insert(&mut vocab, id, &token).map_err(|refused| error(refused.to_string()))?;
    }
    definition(vocab).ok_or_else(|| {
        LoadError::new(file, Place::File, "not every byte is a token, so some texts would have none")
            .hint("is the file complete?")
    })
}

/// Whether the first line is a token of such a vocabulary.
#[cfg_attr(not(feature = "fs"), allow(dead_code, reason = "only `load` asks which format a file is"))]
pub(super) fn looks_like(content: &[u8]) -> bool {
    let line = content.split(|&byte| byte == b'\n').next().and_then(|line| std::str::from_utf8(line).ok());
    line.and_then(parts).is_some_and(|(_, literal, _)| unquoted(literal).is_some())
}

/// The most bytes of a token: a text takes as many steps for each byte in the worst case.
pub(super) const LONGEST: usize = 4096;

/// Puts a token in as the byte alphabet spells it.
pub(super) fn insert(vocab: &mut Vocab, id: Id, token: &[u8]) -> Result<(), InsertError> {
    vocab.insert(id, byte_alphabet::from_bytes(token).as_bytes())
}

/// The tokenizer of a vocabulary that [`insert`] filled; `None` where a byte has no token.
pub(super) fn definition(vocab: Vocab) -> Option<Definition> {
    let spelled = |byte: u8| vocab.id(byte_alphabet::from_bytes(&[byte]).as_bytes());
    if !(0..=255).all(|byte| spelled(byte).is_some()) {
        return None;
    }
    let settings = Settings {
        unknown: vocab.id_bound() as Id,
        prefix: String::new(),
        max_chars: usize::MAX,
        missing_unknown: Some(NO_TOKEN.to_owned()),
    };
    Some(Definition {
        pretokenizer: Some(Pretokenizer::ByteLevel(ByteLevel::ALONE)),
        decoder: Some(Decoder::ByteLevel),
        ..Definition::new(ModelDefinition::WordPiece { vocab, settings })
    })
}

/// ID, literal and number of bytes. The literal may hold spaces.
fn parts(line: &str) -> Option<(Id, &str, usize)> {
    let (id, rest) = line.trim().split_once(' ')?;
    let (literal, bytes) = rest.rsplit_once(' ')?;
    Some((id.parse().ok()?, literal, bytes.parse().ok()?))
}

/// The bytes of a string or of bytes as Python writes them; those of a string in UTF-8.
fn unquoted(literal: &str) -> Option<Vec<u8>> {
    let (text, of_bytes) = literal.strip_prefix('b').map_or((literal, false), |text| (text, true));
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    unescaped(text.strip_prefix(quote)?.strip_suffix(quote)?, of_bytes)
}

/// The bytes that the inside of a literal stands for. `\xNN` is a byte where it is `of_bytes`, else a character.
pub(super) fn unescaped(text: &str, of_bytes: bool) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let number = match character {
            '\\' => match rest.next()? {
                'n' => u32::from(b'\n'),
                'r' => u32::from(b'\r'),
                't' => u32::from(b'\t'),
                same @ ('\\' | '\'' | '"') => same.into(),
                'x' if of_bytes => {
                    bytes.push(u8::try_from(hex(&mut rest, 2)?).ok()?);
                    continue;
                }
                'x' => hex(&mut rest, 2)?,
                'u' if !of_bytes => hex(&mut rest, 4)?,
                'U' if !of_bytes => hex(&mut rest, 8)?,
                _ => return None,
            },
            other => other.into(),
        };
        bytes.extend_from_slice(char::from_u32(number)?.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Some(bytes)
}

/// A number of so many hexadecimal digits.
fn hex(rest: &mut std::str::Chars<'_>, digits: usize) -> Option<u32> {
    let number: String = rest.by_ref().take(digits).collect();
    u32::from_str_radix(&number, 16).ok().filter(|_| number.len() == digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::added_tokens::Specials;

    /// All bytes as Python writes them, from ID 1 on, then longer tokens.
    fn file(more: &str) -> String {
        let of = |byte: u8| match byte {
            b'\'' => "\"'\"".to_owned(),
            b'\\' => r"'\\'".to_owned(),
            b' '..=b'~' => format!("'{}'", char::from(byte)),
            0x80.. => format!("b'\\x{byte:02x}'"),
            _ => format!("'\\x{byte:02x}'"),
        };
        (0..=255u8).map(|byte| format!("{} {} 1\n", u32::from(byte) + 1, of(byte))).chain([more.to_owned()]).collect()
    }

    #[test]
    fn the_longest_token_counts_whatever_follows() {
        let more = "257 ' a b' 4\n258 ' a' 2\n259 '\\u65e5' 3\n260 b'\\xe6\\x97' 2\n261 \"'s\" 2\n262 '\\n\\t' 2\n";
        let tokenizer = read("x", file(more).as_bytes()).and_then(|read| read.build("x")).expect("valid");
        let ids = |text| tokenizer.encode_ids(text, Specials::Text).expect("short");
        let byte = |byte: u8| u32::from(byte) + 1;
        assert_eq!(ids(" a b a c"), [257, 258, byte(b' '), byte(b'c')]);
        // Half a character is a token of its own where the whole is none.
        assert_eq!(ids("日旦it's\n\t\0"), [259, 260, byte(0xA6), byte(b'i'), byte(b't'), 261, 262, byte(0)]);
        assert_eq!(tokenizer.decode(&ids("日旦 a b\u{301}"), false).expect("known"), "日旦 a b\u{301}");
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let cases = [
            (file("257 'ab' 3"), "x line 257: the token has 2 bytes, but the line says 3"),
            (file("257 ab 2"), "x line 257: ab is no string or bytes of Python"),
            (file("257 '\\q' 1"), "x line 257: '\\q' is no string"),
            (file("257 b'\\xf' 1"), "x line 257: b'\\xf' is no string"),
            (file("257 '\\ud800' 3"), "x line 257: '\\ud800' is no string"),
            (file("5 'ab' 2"), "x line 257: id 5 is used twice"),
            (file("a 'ab' 2"), "x line 257: not an ID"),
            ("1 'a' 1\n".to_owned(), "x: not every byte is a token"),
        ];
        for (content, expected) in cases {
            let error = read("x", content.as_bytes()).expect_err(expected).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
