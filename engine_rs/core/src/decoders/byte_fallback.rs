//! Tokens like `<0xE2>` back to the bytes they name.
//!
//! A run of them that is UTF-8 becomes its text; one that is not becomes U+FFFD, one for every token of it.
//!
//! Source: `ByteFallback` among the decoders of the tokenizer.json format.

/// The tokens with every run of bytes as one token, or one U+FFFD per byte.
pub(crate) fn parts(tokens: Vec<String>) -> Vec<String> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut run: Vec<u8> = vec![];
    for token in tokens {
        match byte(&token) {
            Some(byte) => run.push(byte),
            None => {
                flush(&mut run, &mut out);
                out.push(token);
            }
        }
    }
    flush(&mut run, &mut out);
    out
}

/// The byte that a token names, read as leniently as the reference does: `<0x+A>` is 10.
fn byte(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() == 2 { u8::from_str_radix(digits, 16).ok() } else { None }
}

fn flush(run: &mut Vec<u8>, out: &mut Vec<String>) {
    match String::from_utf8(std::mem::take(run)) {
        Ok(text) if text.is_empty() => {}
        Ok(text) => out.push(text),
        Err(error) => out.extend(std::iter::repeat_n("\u{fffd}".to_owned(), error.as_bytes().len())),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_parts() {
        use crate::decoders::byte_fallback::parts;
        let tokens = |tokens: &[&str]| parts(tokens.iter().map(|token| token.to_string()).collect());
        assert_eq!(tokens(&["a", "<0xE5>", "<0x8f>", "<0xab>", "b"]), ["a", "叫", "b"]);
        assert_eq!(tokens(&["<0xE5>", "<0x8f>", "b"]), ["\u{fffd}", "\u{fffd}", "b"]);
    }
}
