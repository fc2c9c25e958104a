//! A tally as bytes, for files and for the network: compact, the same on every machine, checked when it is read.
//!
//! Integers are LEB128; of ids and lengths only those that occur are written, as distances. In front of them stand a name
//! and the digests of the tokenizers, behind them a checksum of everything before it.

use std::hash::Hasher;

use super::errors::CorpusError;
use super::measures::{Measures, Sum, TextSum};
use super::tally::{Counts, Tally, TokenizerCounts};
use crate::describe::describe;
use token_engine::Tokenizer;

/// Names the format. Another order or number of sums needs another name.
const NAME: &[u8; 8] = b"tally\0\0\x01";

/// FNV-1a of 64 bits: the same on every machine and in every version. Not against those who forge.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Says which tokenizer it is: from its tokens with ids, ranks and scores, and the description of its stages.
pub(super) fn digest(tokenizer: &Tokenizer) -> u64 {
    let mut hash = Fnv::default();
    for (id, token) in tokenizer.vocab().iter() {
        hash.write(&id.to_le_bytes());
        hash.write(&(token.len() as u32).to_le_bytes());
        hash.write(token);
        hash.write(&tokenizer.rank(id).unwrap_or(u32::MAX).to_le_bytes());
        hash.write(&tokenizer.score(id).unwrap_or_default().to_le_bytes());
    }
    for token in tokenizer.added_tokens() {
        hash.write(token.content.as_bytes());
        hash.write(&[0, u8::from(token.special)]);
    }
    let stages = describe(tokenizer);
    for stage in [stages.normalizer, stages.pretokenizer, stages.model, stages.decoder] {
        hash.write(stage.as_bytes());
        hash.write(&[0]);
    }
    hash.finish()
}

pub(super) fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut hash = Fnv::default();
    hash.write(bytes);
    hash.finish().to_le_bytes()
}

impl Tally {
    /// The tally as bytes; [`Self::from_bytes`] reads them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = NAME.to_vec();
        out.push(self.measures.bits());
        write(&mut out, self.groups() as u64);
        write(&mut out, self.tokenizers() as u64);
        for digest in &self.digests {
            out.extend_from_slice(&digest.to_le_bytes());
        }
        let Counts { texts, tokenizers, shared } = &self.counts;
        let all = texts
            .as_flattened()
            .iter()
            .chain(shared)
            .chain(tokenizers.iter().flat_map(|tokenizer| tokenizer.sums.as_flattened()));
        all.for_each(|&number| write(&mut out, number));
        for tokenizer in 0..tokenizers.len() {
            write_sparse(&mut out, self.seen(tokenizer).collect());
            write_sparse(&mut out, self.lengths(tokenizer));
        }
        let end = checksum(&out);
        out.extend_from_slice(&end);
        out
    }

    /// The tally that [`Self::to_bytes`] wrote, made with the same tokenizers.
    ///
    /// Errors: bytes that are damaged or come from another version; other tokenizers.
    pub fn from_bytes(tokenizers: &[&Tokenizer], data: &[u8]) -> Result<Self, CorpusError> {
        let damaged = |problem| CorpusError::Damaged { problem };
        let content = data.strip_prefix(NAME).ok_or(damaged("they do not begin with the name of this format"))?;
        let end = content.len().checked_sub(8).ok_or(damaged("they are too few"))?;
        if checksum(&data[..data.len() - 8]) != content[end..] {
            return Err(damaged("the checksum differs"));
        }
        read_tally(tokenizers, &mut Reader(&content[..end]))
    }
}

fn read_tally(tokenizers: &[&Tokenizer], reader: &mut Reader<'_>) -> Result<Tally, CorpusError> {
    let measures = Measures::of_bits(reader.bytes(1)?[0]);
    let groups = reader.number()?;
    let count = reader.number()?;
    if count != tokenizers.len() as u64 {
        return Err(CorpusError::OtherTokenizers);
    }
    // Every group has numbers of its own below: no more memory is asked for than there are bytes.
    let per_group = (TextSum::COUNT + Sum::COUNT * tokenizers.len()) as u64;
    if groups.saturating_mul(per_group) > reader.0.len() as u64 {
        return Err(CorpusError::Damaged { problem: "numbers are missing" });
    }
    let mut tally = Tally::new(tokenizers, groups as usize, measures);
    for digest in &tally.digests {
        if reader.bytes(8)? != digest.to_le_bytes() {
            return Err(CorpusError::OtherTokenizers);
        }
    }
    let Counts { texts, tokenizers, shared } = &mut tally.counts;
    for number in texts.as_flattened_mut().iter_mut().chain(shared) {
        *number = reader.number()?;
    }
    for number in tokenizers.iter_mut().flat_map(|tokenizer| tokenizer.sums.as_flattened_mut()) {
        *number = reader.number()?;
    }
    for TokenizerCounts { ids, lengths, .. } in tokenizers {
        for (id, occurrences) in reader.sparse()? {
            let place =
                ids.get_mut(id as usize).ok_or(CorpusError::Damaged { problem: "an id is not in the vocabulary" })?;
            *place = occurrences;
        }
        lengths.extend(reader.sparse()?);
    }
    if !reader.0.is_empty() {
        return Err(CorpusError::Damaged { problem: "bytes are left over" });
    }
    Ok(tally)
}

fn write(out: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Keys that rise, each with a number.
fn write_sparse(out: &mut Vec<u8>, entries: Vec<(u32, u64)>) {
    write(out, entries.len() as u64);
    let mut next = 0;
    for (key, number) in entries {
        write(out, u64::from(key) - next);
        write(out, number);
        next = u64::from(key) + 1;
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], CorpusError> {
        let missing = CorpusError::Damaged { problem: "numbers are missing" };
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(missing)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u64, CorpusError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.bytes(1)?[0];
            let part = u64::from(byte & 127);
            if part << shift >> shift != part {
                break;
            }
            number |= part << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(CorpusError::Damaged { problem: "a number is too large" })
    }

    fn sparse(&mut self) -> Result<Vec<(u32, u64)>, CorpusError> {
        let count = self.number()?;
        let mut entries = Vec::with_capacity((count as usize).min(self.0.len()));
        let mut next = 0u64;
        for _ in 0..count {
            let key = next.saturating_add(self.number()?);
            let key = u32::try_from(key).map_err(|_| CorpusError::Damaged { problem: "a key is too large" })?;
            entries.push((key, self.number()?));
            next = u64::from(key) + 1;
        }
        Ok(entries)
    }
}
