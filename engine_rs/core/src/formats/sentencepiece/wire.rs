//! The wire format of protocol buffers: fields with a number and a value, one after the other.
//!
//! Nothing is copied and no length is believed before it is checked, so memory is that of the file. Groups, which the
//! format has given up, are refused: messages are entered only where a field is known to be one, so nothing nests deeper.
//!
//! Source: protobuf.dev/programming-guides/encoding.

use crate::error::{LoadError, Place};

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A number of 1 to 10 bytes.
    Varint(u64),
    /// Eight bytes.
    Fixed64(u64),
    /// A string, bytes or a message.
    Bytes(&'a [u8]),
    /// Four bytes.
    Fixed32(u32),
}

/// A field of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    /// Its number.
    pub(crate) number: u32,
    /// Its value.
    pub(crate) value: Value<'a>,
    /// All of it, number and length included.
    pub(crate) raw: &'a [u8],
    /// Where the value starts in the file.
    pub(crate) at: usize,
}

/// Reads the fields of a message.
pub struct Reader<'a> {
    file: &'a str,
    /// What the message is, for errors: `pieces[7]`, or nothing for the whole file.
    path: String,
    message: &'a [u8],
    /// Where the message starts in the file.
    base: usize,
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader of `message`, which starts at byte `base` of `file` and is called `path` there.
    pub(crate) fn new(file: &'a str, path: impl Into<String>, message: &'a [u8], base: usize) -> Self {
        Self { file, path: path.into(), message, base, at: 0 }
    }

    /// The next field, or `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Field<'a>>, LoadError> {
        let start = self.at;
        if start == self.message.len() {
            return Ok(None);
        }
        let tag = self.varint("the number of a field")?;
        let number = u32::try_from(tag >> 3).ok().filter(|number| (1..1 << 29).contains(number));
        let Some(number) = number else {
            return Err(self.error(start, format!("{} is no number of a field", tag >> 3)));
        };
        let mut at = self.at;
        let value = match tag & 7 {
            0 => Value::Varint(self.varint("a number")?),
            1 => Value::Fixed64(u64::from_le_bytes(self.fixed()?)),
            2 => {
                let len = self.varint("a length")?;
                at = self.at;
                Value::Bytes(self.take(len)?)
            }
            5 => Value::Fixed32(u32::from_le_bytes(self.fixed()?)),
            3 | 4 => return Err(self.error(start, format!("field {number} is a group, which models do not have"))),
            kind => return Err(self.error(start, format!("field {number} has the unknown wire type {kind}"))),
        };
        Ok(Some(Field { number, value, raw: &self.message[start..self.at], at: self.base + at }))
    }

    /// An error at a byte of this message.
    pub(crate) fn error(&self, at: usize, problem: impl AsRef<str>) -> LoadError {
        error(self.file, &self.path, self.base + at, problem)
    }

    /// The name of a field of this message.
    pub(crate) fn name(&self, field: &str) -> String {
        if self.path.is_empty() { field.to_owned() } else { format!("{}.{field}", self.path) }
    }

    fn varint(&mut self, what: &str) -> Result<u64, LoadError> {
        let start = self.at;
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let Some(&byte) = self.message.get(self.at) else {
                return Err(self.error(start, format!("ends within {what}")));
            };
            self.at += 1;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or_default();
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.error(start, format!("{what} has more than 10 bytes")))
    }

    fn take(&mut self, len: u64) -> Result<&'a [u8], LoadError> {
        let left = self.message.len() - self.at;
        if len > left as u64 {
            return Err(self.error(self.at, format!("a field of {len} bytes is announced, but {left} are left")));
        }
        let taken = &self.message[self.at..self.at + len as usize];
        self.at += len as usize;
        Ok(taken)
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N as u64)?);
        Ok(bytes)
    }
}

/// An error in a message of a file.
pub(crate) fn error(file: &str, path: &str, at: usize, problem: impl AsRef<str>) -> LoadError {
    let path = if path.is_empty() { "the message" } else { path };
    LoadError::new(file, Place::Byte(at), format!("{path}: {}", problem.as_ref()))
        .hint("is this a whole SentencePiece model?")
}

/// Appends a number.
pub(crate) fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a field that is a number.
pub(crate) fn put_number(number: u32, value: u64, out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3, out);
    put_varint(value, out);
}

/// Appends a field that is a string, bytes or a message.
pub(crate) fn put_bytes(number: u32, value: &[u8], out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3 | 2, out);
    put_varint(value.len() as u64, out);
    out.extend_from_slice(value);
}

/// Appends a field that is a 32-bit float.
pub(crate) fn put_float(number: u32, value: f32, out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3 | 5, out);
    out.extend_from_slice(&value.to_bits().to_le_bytes());
}
