//! The printable stand-ins that byte-level vocabularies in text files use for bytes: `Ġ` for a space.
//!
//! Only files speak this alphabet; inside the engine tokens are bytes.
//!
//! Source: `bytes_to_unicode` of GPT-2.

/// The character that stands for a byte.
///
/// ```
/// # use token_engine::internals::byte_alphabet::char_of;
/// assert_eq!((char_of(b'a'), char_of(b' ')), ('a', 'Ġ'));
/// ```
#[inline]
pub fn char_of(byte: u8) -> char {
    CHARS[usize::from(byte)]
}

/// The byte that a character stands for, if it is in the alphabet.
#[inline]
pub fn byte_of(c: char) -> Option<u8> {
    BYTES.get(c as usize).copied().flatten()
}

/// Whether a byte stands for itself in the alphabet.
const fn is_printable(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF)
}

/// The character of each byte: itself where it is printable, else the next of those from U+0100 on.
const CHARS: [char; 256] = {
    let mut chars = ['\0'; 256];
    let (mut byte, mut next) = (0, 0x100);
    while byte < 256 {
        chars[byte] = if is_printable(byte as u8) {
            byte as u8 as char
        } else {
            next += 1;
            // All of 0x100..0x144 are characters.
            match char::from_u32(next - 1) {
                Some(c) => c,
                None => unreachable!(),
            }
        };
        byte += 1;
    }
    chars
};

/// The byte of each character below U+0144, or `None`.
const BYTES: [Option<u8>; 0x144] = {
    let mut bytes = [None; 0x144];
    let mut byte = 0;
    while byte < 256 {
        bytes[CHARS[byte] as usize] = Some(byte as u8);
        byte += 1;
    }
    bytes
};

/// The bytes that a token in the alphabet stands for, or `None` where it has a character that is not in it.
///
/// ```
/// # use token_engine::internals::byte_alphabet::to_bytes;
/// assert_eq!(to_bytes("Ġcafé").unwrap(), b" caf\xE9");
/// assert_eq!(to_bytes("a b"), None);
/// ```
pub fn to_bytes(token: &str) -> Option<Vec<u8>> {
    token.chars().map(byte_of).collect()
}

/// The same token in the alphabet.
///
/// ```
/// # use token_engine::internals::byte_alphabet::from_bytes;
/// assert_eq!(from_bytes(" é".as_bytes()), "ĠÃ©");
/// ```
pub fn from_bytes(token: &[u8]) -> String {
    token.iter().copied().map(char_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_own_character() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(to_bytes(&from_bytes(&all)).as_deref(), Some(&all[..]));
        assert_eq!((from_bytes(b" \n\x7f"), from_bytes(b"\xAD").as_str()), ("ĠĊġ".into(), "Ń"));
    }
}
