//! Writes the tokens of an encoding as JSON, without a Python object for each. Not here: the rest of an answer
//! (`lab_app/services/text/results.py`).

use std::ops::Range;

use token_engine::internals::offsets::Converter;
use token_engine::{Encoding, NO_SEQUENCE, Span, Tokenizer, flags};

/// Bytes of one token as JSON, on average: a guess that spares growing the buffer.
const TOKEN_BYTES: usize = 160;
const HEX: &[u8; 16] = b"0123456789abcdef";

/// The texts an encoding came from, with their offsets in other units.
pub struct Texts<'a> {
    first: Converter<'a>,
    second: Option<Converter<'a>>,
}

impl<'a> Texts<'a> {
    /// One text, or two.
    pub fn new(text: &'a str, pair: Option<&'a str>) -> Self {
        Self { first: Converter::new(text), second: pair.map(Converter::new) }
    }
}

/// Appends `numbers`, separated by commas.
pub fn numbers(numbers: impl IntoIterator<Item = u32>, out: &mut Vec<u8>) {
    for (position, number) in numbers.into_iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        push_number(number, out);
    }
}

/// Appends the tokens of `range` as JSON objects, separated by commas.
pub fn tokens(encoding: &Encoding, tokenizer: &Tokenizer, texts: &Texts<'_>, range: Range<usize>, out: &mut Vec<u8>) {
    out.reserve(range.len() * TOKEN_BYTES);
    for at in range.clone() {
        if at > range.start {
            out.push(b',');
        }
        let (id, span, sequence) = (encoding.ids[at], encoding.spans[at], encoding.sequence_ids[at]);
        out.extend_from_slice(b"{\"id\":");
        push_number(id, out);
        push_spelling(&tokenizer.token_bytes(id).unwrap_or_default(), out);
        let (char, utf16) = match (sequence, &texts.second) {
            (NO_SEQUENCE, _) => (span, span),
            (1, Some(second)) => (second.char_span(span), second.utf16_span(span)),
            _ => (texts.first.char_span(span), texts.first.utf16_span(span)),
        };
        push_span(b",\"span_utf8\":[", span, out);
        push_span(b",\"span_char\":[", char, out);
        push_span(b",\"span_utf16\":[", utf16, out);
        let special: &[u8] = if encoding.flags[at] & flags::SPECIAL == 0 { b"false" } else { b"true" };
        out.extend_from_slice(b",\"special\":");
        out.extend_from_slice(special);
        out.extend_from_slice(b",\"sequence\":");
        if sequence == NO_SEQUENCE {
            out.extend_from_slice(b"null}");
        } else {
            out.extend_from_slice(&[b'0' + sequence, b'}']);
        }
    }
}

/// The fields `text`, null if the bytes are not whole characters, and `bytes`, in hex.
fn push_spelling(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"text\":");
    match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::to_writer(&mut *out, text).expect("a string can be written to memory"),
        Err(_) => out.extend_from_slice(b"null"),
    }
    out.extend_from_slice(b",\"bytes\":\"");
    out.extend(bytes.iter().flat_map(|byte| [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]));
    out.push(b'"');
}

fn push_span(name: &[u8], span: Span, out: &mut Vec<u8>) {
    out.extend_from_slice(name);
    push_number(span.start, out);
    out.push(b',');
    push_number(span.end, out);
    out.push(b']');
}

fn push_number(number: u32, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &number).expect("a number can be written to memory");
}
