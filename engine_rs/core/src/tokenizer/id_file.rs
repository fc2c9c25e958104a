//! Writes ids in one of the forms of [`IdFormat`]: to a stream, or to a file beside the output that takes its place when all of
//! them are there. Not here: where the ids come from ([`super::file`]).

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::file::FileError;
use crate::ids::Id;

/// Bytes of the header of a numpy file.
const HEADER: usize = 128;

/// How ids lie in a file. Numbers have 32 bits each, the lowest byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdFormat {
    /// As `numpy.load` reads them.
    Npy,
    /// Nothing but the ids.
    Raw,
    /// In decimal digits, with spaces between them and a line end behind all.
    Text,
}

impl IdFormat {
    /// All by name.
    pub const NAMES: [(&'static str, Self); 3] = [("npy", Self::Npy), ("raw", Self::Raw), ("text", Self::Text)];
}

/// All ids of a text, in a file beside the output. Goes with the value if [`Self::keep`] is not called.
#[derive(Debug)]
pub struct WrittenIds {
    temporary: PathBuf,
    output: PathBuf,
    /// How many ids there are.
    pub count: u64,
}

impl WrittenIds {
    /// Puts the file in the place of the output.
    ///
    /// Errors: [`FileError::Io`].
    pub fn keep(self) -> Result<u64, FileError> {
        std::fs::rename(&self.temporary, &self.output)
            .map_err(|error| FileError::Io { path: self.output.clone(), error })?;
        Ok(self.count)
    }
}

impl Drop for WrittenIds {
    fn drop(&mut self) {
        // `keep` has moved the file away: there is nothing to remove then.
        let _ = std::fs::remove_file(&self.temporary);
    }
}

/// Writes ids in one of the formats. `path` is what errors call the place.
pub(super) struct IdWriter<'a, W> {
    path: &'a Path,
    output: W,
    format: IdFormat,
    pub(super) count: u64,
    bytes: Vec<u8>,
}

impl<'a, W: Write> IdWriter<'a, W> {
    pub(super) fn new(path: &'a Path, output: W, format: IdFormat) -> Self {
        Self { path, output, format, count: 0, bytes: vec![] }
    }

    fn refused(&self, error: io::Error) -> FileError {
        FileError::Io { path: self.path.to_owned(), error }
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.output.write_all(bytes).map_err(|error| self.refused(error))
    }

    pub(super) fn write(&mut self, ids: &[Id]) -> Result<(), FileError> {
        let mut bytes = std::mem::take(&mut self.bytes);
        for ids in ids.chunks(1 << 16) {
            bytes.clear();
            if self.format == IdFormat::Text {
                for &id in ids {
                    if self.count > 0 {
                        bytes.push(b' ');
                    }
                    push_digits(&mut bytes, id);
                    self.count += 1;
                }
            } else {
                bytes.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
                self.count += ids.len() as u64;
            }
            self.write_bytes(&bytes)?;
        }
        self.bytes = bytes;
        Ok(())
    }

    /// Writes what is behind all ids.
    pub(super) fn end(&mut self) -> Result<(), FileError> {
        if self.format == IdFormat::Text {
            self.write_bytes(b"\n")?;
        }
        self.output.flush().map_err(|error| self.refused(error))
    }
}

/// The decimal digits of an id.
fn push_digits(bytes: &mut Vec<u8>, mut id: Id) {
    let start = bytes.len();
    loop {
        bytes.push(b'0' + (id % 10) as u8);
        id /= 10;
        if id == 0 {
            break;
        }
    }
    bytes[start..].reverse();
}

/// The file that ids are written to.
pub(super) struct IdFile<'a> {
    pub(super) writer: IdWriter<'a, File>,
    written: WrittenIds,
}

impl<'a> IdFile<'a> {
    pub(super) fn create(output: &'a Path, format: IdFormat) -> Result<Self, FileError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let refused = |error| FileError::Io { path: output.to_owned(), error };
        if output.is_dir() || output.file_name().is_none() {
            return Err(refused(io::ErrorKind::IsADirectory.into()));
        }
        let (temporary, file) = loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = output.with_file_name(format!(".tokenlab-{}-{number}.ids", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => break (path, file),
                // One of a program that was killed, or of another machine.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refused(error)),
            }
        };
        if let Ok(old) = std::fs::metadata(output) {
            file.set_permissions(old.permissions()).map_err(refused)?;
        }
        let written = WrittenIds { temporary, output: output.to_owned(), count: 0 };
        let mut new = Self { writer: IdWriter::new(output, file, format), written };
        if format == IdFormat::Npy {
            // Its length is not known yet.
            new.writer.write_bytes(&[b' '; HEADER])?;
        }
        Ok(new)
    }

    pub(super) fn finish(mut self) -> Result<WrittenIds, FileError> {
        self.writer.end()?;
        self.written.count = self.writer.count;
        if self.writer.format == IdFormat::Npy {
            self.writer.output.rewind().map_err(|error| self.writer.refused(error))?;
            self.writer.write_bytes(&npy_header(self.written.count))?;
        }
        Ok(self.written)
    }
}

/// The header of a numpy file of `count` ids: version 1.0, of [`HEADER`] bytes.
fn npy_header(count: u64) -> [u8; HEADER] {
    let mut header = [b' '; HEADER];
    let shape = format!("{{'descr': '<u4', 'fortran_order': False, 'shape': ({count},), }}");
    header[..8].copy_from_slice(b"\x93NUMPY\x01\x00");
    header[8..10].copy_from_slice(&((HEADER - 10) as u16).to_le_bytes());
    header[10..10 + shape.len()].copy_from_slice(shape.as_bytes());
    header[HEADER - 1] = b'\n';
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_number() {
        for id in [0, 1, 9, 10, 99, 100, 50_256, 128_000, Id::MAX] {
            let mut bytes = b"x".to_vec();
            push_digits(&mut bytes, id);
            assert_eq!(String::from_utf8(bytes), Ok(format!("x{id}")));
        }
    }

    #[test]
    fn the_header_is_that_of_numpy() {
        let header = npy_header(u64::MAX);
        assert!(header.starts_with(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<u4', 'fortran_order': False, "));
        assert!(header.ends_with(b" \n"));
    }
}
