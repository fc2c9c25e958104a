//! Bytes that another process or a later run reads: lengths in front, a version and a checksum around.
//!
//! Source: the checksum is FNV-1a with 64 bits (Fowler, Noll, Vo), which finds damage, not forgery.

use crate::error::TrainError;
use crate::followers::Follower;
use crate::words::WordCounts;

/// Writes stored bytes.
#[derive(Debug)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// A writer; `what` and `version` are checked by the reader.
    pub(crate) fn new(what: &str, version: u32) -> Self {
        let mut writer = Self(vec![]);
        writer.text(what);
        writer.number(u64::from(version));
        writer
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Adds bytes with their length.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// All bytes, with the checksum.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let sum = checksum(&self.0);
        self.number(sum);
        self.0
    }
}

/// Reads stored bytes.
#[derive(Debug)]
pub struct Reader<'a> {
    what: &'static str,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader after the version.
    ///
    /// Errors: damaged bytes, another version, something else than `what`.
    pub(crate) fn new(what: &'static str, version: u32, data: &'a [u8]) -> Result<Self, TrainError> {
        let damaged = |problem: &str| TrainError::stored(what, problem);
        let (content, sum) = data.split_last_chunk::<8>().ok_or_else(|| damaged("it ends too early"))?;
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(damaged("its checksum is wrong"));
        }
        let mut reader = Self { what, rest: content };
        if reader.bytes()? != what.as_bytes() {
            return Err(damaged("it holds something else"));
        }
        match reader.number()? {
            found if found == u64::from(version) => Ok(reader),
            found => Err(TrainError::stored(what, format!("it has version {found}, and this program reads {version}"))),
        }
    }

    /// The next number.
    pub(crate) fn number(&mut self) -> Result<u64, TrainError> {
        let (number, rest) = self.rest.split_first_chunk::<8>().ok_or_else(|| self.early())?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*number))
    }

    /// The next bytes.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], TrainError> {
        let len = usize::try_from(self.number()?).map_err(|_| self.early())?;
        let (bytes, rest) = self.rest.split_at_checked(len).ok_or_else(|| self.early())?;
        self.rest = rest;
        Ok(bytes)
    }

    /// The next text.
    pub(crate) fn text(&mut self) -> Result<&'a str, TrainError> {
        let bytes = self.bytes()?;
        std::str::from_utf8(bytes).map_err(|_| TrainError::stored(self.what, "a text is not UTF-8"))
    }

    /// Nothing is left.
    pub(crate) fn end(&self) -> Result<(), TrainError> {
        if self.rest.is_empty() { Ok(()) } else { Err(TrainError::stored(self.what, "it goes on after its end")) }
    }

    fn early(&self) -> TrainError {
        self.wrong("it ends too early")
    }

    /// The error for stored bytes that make no sense.
    fn wrong(&self, problem: &str) -> TrainError {
        TrainError::stored(self.what, problem)
    }
}

/// FNV-1a of 64 bits.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

impl WordCounts {
    /// Adds the counts to stored bytes.
    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.number(self.text_bytes());
        writer.number(self.len() as u64);
        for (word, count) in self.iter() {
            writer.bytes(word);
            writer.number(count);
        }
        writer.number(self.followers().len() as u64);
        self.followers().iter().for_each(|follower| writer.number(follower.number()));
    }

    /// Reads what [`Self::write`] wrote.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, TrainError> {
        let text_bytes = reader.number()?;
        let words = (0..reader.number()?).map(|_| Ok((reader.bytes()?, reader.number()?)));
        let words = words.collect::<Result<Vec<_>, TrainError>>()?;
        let followers = reader.number()?;
        if followers == 0 {
            return Self::new(words, text_bytes);
        }
        if followers != words.len() as u64 {
            return Err(reader.wrong("some words have no follower"));
        }
        let mut all = Vec::with_capacity(words.len());
        for (word, count) in words {
            let follower = Follower::of_number(reader.number()?);
            all.push((word, follower.ok_or_else(|| reader.wrong("a follower is no byte"))?, count));
        }
        Self::with_followers(all, text_bytes)
    }
}
