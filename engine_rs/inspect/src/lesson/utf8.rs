//! Characters as code points and bytes.
//!
//! Source: RFC 3629.

use serde::Serialize;

use super::LessonError;
use super::frames::Frames;
use super::list::List;
use crate::trace::Bytes;

/// A character of the text.
#[derive(Clone, Debug, Serialize)]
struct Character {
    text: char,
    code_point: u32,
    /// The bits of the code point that its bytes hold, the highest first.
    bits: String,
    span: Bytes,
}

/// A byte of a character.
#[derive(Clone, Debug, Serialize)]
struct Byte {
    value: u8,
    /// The first bits: how many bytes there are, or that it goes on.
    mark: String,
    /// The other bits: some of the code point.
    bits: String,
    /// Index of the character.
    character: usize,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now {
    Start,
    Character { at: usize },
    Byte { at: usize },
    Done,
}

/// A step for each character and for each byte of it.
pub(super) fn frames(text: &str) -> Result<Frames, LessonError> {
    let (mut frames, mut characters, mut bytes) = (Frames::default(), List::default(), List::default());
    let mut add = |now: Now, characters: &mut List<Character>, bytes: &mut List<Byte>| {
        frames.add(&now, &mut [("characters", characters), ("bytes", bytes)])
    };
    add(Now::Start, &mut characters, &mut bytes)?;
    for (start, c) in text.char_indices() {
        let mut buffer = [0; 4];
        let encoded = c.encode_utf8(&mut buffer).as_bytes();
        let made: Vec<Byte> = encoded.iter().map(|&byte| Byte::of(byte, characters.len())).collect();
        let bits = made.iter().map(|byte| byte.bits.as_str()).collect();
        let span = [start as u32, (start + encoded.len()) as u32];
        let at = characters.len();
        characters.push(Character { text: c, code_point: c.into(), bits, span });
        add(Now::Character { at }, &mut characters, &mut bytes)?;
        for byte in made {
            let at = bytes.len();
            bytes.push(byte);
            add(Now::Byte { at }, &mut characters, &mut bytes)?;
        }
    }
    add(Now::Done, &mut characters, &mut bytes)?;
    Ok(frames)
}

impl Byte {
    fn of(value: u8, character: usize) -> Self {
        // A zero, or so many ones as there are bytes and a zero; one and a zero in those that follow.
        let (bits, len) = (format!("{value:08b}"), value.leading_ones() as usize + 1);
        Self { value, mark: bits[..len].to_owned(), bits: bits[len..].to_owned(), character }
    }
}
