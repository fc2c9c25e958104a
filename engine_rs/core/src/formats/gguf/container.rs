//! The head of a GGUF file: names and values, before the tensors.
//!
//! Read as a stream: files may have a hundred gigabytes, and none of the tensors is touched. A length that the file claims
//! is checked against what is left of it before memory is taken; what does not concern tokenizers is read over.
//!
//! Source: `docs/gguf.md` of ggml, versions 2 and 3.

use std::io::{self, Read};

use rustc_hash::FxHashMap;

use crate::error::{LoadError, Place};

/// What every file starts with.
pub(crate) const MAGIC: &[u8; 4] = b"GGUF";

/// A value that may concern a tokenizer; numbers are widened.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Any whole number.
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// A string.
    String(String),
    /// Strings.
    Strings(Vec<String>),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Other numbers.
    Floats(Vec<f64>),
    /// An array of anything else.
    Other,
}

/// The values under `tokenizer.` by their names, and `general.architecture`.
pub(crate) type Values = FxHashMap<String, Value>;

const UINT8: u32 = 0;
const FLOAT32: u32 = 6;
const BOOL: u32 = 7;
const STRING: u32 = 8;
const ARRAY: u32 = 9;
const FLOAT64: u32 = 12;
/// Bytes of the kinds of values, by number; strings and arrays have none of their own.
const SIZES: [u64; 13] = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];

/// The most bytes that a head may have: ten times as many as the largest vocabularies take. The size of a file bounds nothing,
/// as a file may be one large hole.
const MOST_HEAD: u64 = 1 << 28;

/// Reads the head of a file of `size` bytes. `file` is its name for errors.
///
/// Errors: what is no GGUF of version 2 or 3, lengths beyond the end of the file or 256 MiB, a name twice; each with its
/// byte.
pub fn read(file: &str, source: impl Read, size: u64) -> Result<Values, LoadError> {
    let mut values = Values::default();
    each_value(&mut Reader { file, source, at: 0, size }, |reader, name_at, name, kind| {
        if !(name.starts_with("tokenizer.") || name == "general.architecture") {
            return reader.skip(kind, 0);
        }
        let value = reader.value(kind)?;
        match values.insert(name.to_owned(), value) {
            None => Ok(()),
            Some(_) => Err(reader.error(name_at, format!("{name:?} stands there twice"))),
        }
    })?;
    Ok(values)
}

/// A file with the values under `tokenizer.` and `general.` of another one, as they are there, and nothing else: a model file
/// of any size without its tensors.
///
/// Errors: as [`read`].
pub(crate) fn without_tensors(file: &str, source: impl Read, size: u64) -> Result<Vec<u8>, LoadError> {
    let mut reader = Reader { file, source: Recorder { source, bytes: None }, at: 0, size };
    let (mut kept, mut count) = (vec![], 0u64);
    each_value(&mut reader, |reader, _, name, kind| {
        let is_kept = name.starts_with("tokenizer.") || name.starts_with("general.");
        reader.source.bytes = is_kept.then(Vec::new);
        reader.skip(kind, 0)?;
        if let Some(value) = reader.source.bytes.take() {
            kept.extend((name.len() as u64).to_le_bytes());
            kept.extend(name.as_bytes());
            kept.extend(kind.to_le_bytes());
            kept.extend(value);
            count += 1;
        }
        Ok(())
    })?;
    // The values are the same in versions 2 and 3.
    let version = 3u32.to_le_bytes();
    let tensors = 0u64;
    Ok([&MAGIC[..], &version, &tensors.to_le_bytes(), &count.to_le_bytes(), &kept].concat())
}

/// Keeps what is read while it has a place for it.
struct Recorder<R> {
    source: R,
    bytes: Option<Vec<u8>>,
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        if let Some(bytes) = &mut self.bytes {
            bytes.extend_from_slice(&buffer[..read]);
        }
        Ok(read)
    }
}

/// Calls `each` with the place, the name and the kind of every value; it reads the value.
fn each_value<R: Read>(
    reader: &mut Reader<'_, R>,
    mut each: impl FnMut(&mut Reader<'_, R>, u64, &str, u32) -> Result<(), LoadError>,
) -> Result<(), LoadError> {
    let magic: [u8; 4] = reader.bytes()?;
    if &magic != MAGIC {
        return Err(reader.error(0, format!("{magic:?} are not the four bytes GGUF")));
    }
    let version = reader.u32()?;
    if !matches!(version, 2 | 3) {
        let hint = if version.swap_bytes() < 100 { "the file is big-endian" } else { "versions 2 and 3 are known" };
        return Err(reader.error(4, format!("the version is {version}")).hint(hint));
    }
    let _tensors = reader.u64()?;
    let count_at = reader.at;
    let count = reader.u64()?;
    // A name, a kind and a value have 13 bytes at least.
    reader.check(count_at, count, 13, "values")?;
    for _ in 0..count {
        let name_at = reader.at;
        let name = reader.string()?;
        let kind = reader.u32()?;
        each(reader, name_at, &name, kind)?;
    }
    Ok(())
}

struct Reader<'a, R> {
    file: &'a str,
    source: R,
    /// The next byte of the file.
    at: u64,
    size: u64,
}

impl<R: Read> Reader<'_, R> {
    fn error(&self, at: u64, problem: String) -> LoadError {
        LoadError::new(self.file, Place::Byte(at as usize), problem)
    }

    /// Whether `count` things of at least `bytes` each can follow.
    fn check(&self, at: u64, count: u64, bytes: u64, what: &str) -> Result<(), LoadError> {
        let left = self.size.saturating_sub(self.at);
        let room = MOST_HEAD.saturating_sub(self.at);
        match count.checked_mul(bytes) {
            Some(needed) if needed <= left.min(room) => Ok(()),
            Some(needed) if needed <= left => Err(self
                .error(at, format!("{count} {what} are said to follow, but a head has at most {MOST_HEAD} bytes"))
                .hint("no vocabulary is that large; is the file damaged?")),
            _ => Err(self
                .error(at, format!("{count} {what} are said to follow, but the file has {left} more bytes"))
                .hint("is the file complete?")),
        }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes).map_err(|error| self.ended(&error))?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn ended(&self, error: &io::Error) -> LoadError {
        let problem = match error.kind() {
            io::ErrorKind::UnexpectedEof => "the file ends here".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        self.error(self.at, problem).hint("is the file complete?")
    }

    fn u32(&mut self) -> Result<u32, LoadError> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, LoadError> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn string(&mut self) -> Result<String, LoadError> {
        let at = self.at;
        let len = self.u64()?;
        self.check(at, len, 1, "bytes of a string")?;
        let mut bytes = vec![0; len as usize];
        self.source.read_exact(&mut bytes).map_err(|error| self.ended(&error))?;
        self.at += len;
        String::from_utf8(bytes).map_err(|_| self.error(at, "the string is not UTF-8".into()))
    }

    /// A whole number of this kind, or `None` where the kind is another.
    fn integer(&mut self, kind: u32) -> Result<Option<i128>, LoadError> {
        Ok(Some(match kind {
            UINT8 => self.bytes().map(u8::from_le_bytes)?.into(),
            1 => self.bytes().map(i8::from_le_bytes)?.into(),
            2 => self.bytes().map(u16::from_le_bytes)?.into(),
            3 => self.bytes().map(i16::from_le_bytes)?.into(),
            4 => self.u32()?.into(),
            5 => self.bytes().map(i32::from_le_bytes)?.into(),
            10 => self.u64()?.into(),
            11 => self.bytes().map(i64::from_le_bytes)?.into(),
            _ => return Ok(None),
        }))
    }

    fn float(&mut self, kind: u32) -> Result<f64, LoadError> {
        if kind == FLOAT32 {
            self.bytes().map(|it| f32::from_le_bytes(it).into())
        } else {
            self.bytes().map(f64::from_le_bytes)
        }
    }

    fn value(&mut self, kind: u32) -> Result<Value, LoadError> {
        match kind {
            FLOAT32 | FLOAT64 => self.float(kind).map(Value::Float),
            BOOL => self.bytes::<1>().map(|[byte]| Value::Bool(byte != 0)),
            STRING => self.string().map(Value::String),
            ARRAY => self.array(),
            _ => {
                let at = self.at;
                self.integer(kind)?.map(Value::Integer).ok_or_else(|| self.unknown(at, kind))
            }
        }
    }

    fn unknown(&self, at: u64, kind: u32) -> LoadError {
        self.error(at, format!("no kind of values has the number {kind}"))
    }

    fn array(&mut self) -> Result<Value, LoadError> {
        let (kind, count) = self.array_head()?;
        // Memory grows with what is read, not with what is claimed.
        match kind {
            STRING => (0..count).map(|_| self.string()).collect::<Result<_, _>>().map(Value::Strings),
            FLOAT32 | FLOAT64 => (0..count).map(|_| self.float(kind)).collect::<Result<_, _>>().map(Value::Floats),
            UINT8..=5 | 10 | 11 => {
                let next = |this: &mut Self| Ok(this.integer(kind)?.unwrap_or_default() as i64);
                (0..count).map(|_| next(self)).collect::<Result<_, _>>().map(Value::Integers)
            }
            _ => {
                self.skip_items(kind, count, 1)?;
                Ok(Value::Other)
            }
        }
    }

    fn array_head(&mut self) -> Result<(u32, u64), LoadError> {
        let at = self.at;
        let kind = self.u32()?;
        let count = self.u64()?;
        let size = match SIZES.get(kind as usize) {
            None => return Err(self.unknown(at, kind)),
            Some(0) => 8,
            Some(size) => *size,
        };
        self.check(at, count, size, "values of an array")?;
        Ok((kind, count))
    }

    fn skip(&mut self, kind: u32, depth: usize) -> Result<(), LoadError> {
        match kind {
            ARRAY if depth > 4 => Err(self.error(self.at, "arrays are nested more than 4 deep".into())),
            ARRAY => {
                let (kind, count) = self.array_head()?;
                self.skip_items(kind, count, depth + 1)
            }
            STRING => {
                let at = self.at;
                let len = self.u64()?;
                self.check(at, len, 1, "bytes of a string")?;
                self.skip_bytes(len)
            }
            _ => {
                let size = SIZES.get(kind as usize).copied().ok_or_else(|| self.unknown(self.at, kind))?;
                self.skip_bytes(size)
            }
        }
    }

    fn skip_items(&mut self, kind: u32, count: u64, depth: usize) -> Result<(), LoadError> {
        match kind {
            ARRAY | STRING => (0..count).try_for_each(|_| self.skip(kind, depth)),
            // Checked not to be beyond the end.
            _ => self.skip_bytes(count * SIZES[kind as usize]),
        }
    }

    fn skip_bytes(&mut self, count: u64) -> Result<(), LoadError> {
        let copied = io::copy(&mut (&mut self.source).take(count), &mut io::sink());
        let copied = copied.map_err(|error| self.ended(&error))?;
        self.at += copied;
        if copied == count { Ok(()) } else { Err(self.ended(&io::ErrorKind::UnexpectedEof.into())) }
    }
}
