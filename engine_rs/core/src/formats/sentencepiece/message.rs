//! A message that is kept as it is and asked for single fields.

use super::wire::{Reader, Value, put_bytes, put_number};

/// The fields of a message, as they stand in the file, known to be well formed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// Takes over fields that were read once; of one given several times the last one counts.
    pub(super) fn append(&mut self, fields: &[u8]) {
        self.0.extend_from_slice(fields);
    }

    /// The same with a number appended.
    #[must_use]
    pub(crate) fn with_number(mut self, number: u32, value: u64) -> Self {
        put_number(number, value, &mut self.0);
        self
    }

    /// The same with a string or bytes appended.
    #[must_use]
    pub(crate) fn with_bytes(mut self, number: u32, value: &[u8]) -> Self {
        put_bytes(number, value, &mut self.0);
        self
    }

    /// As in the file.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// A number, where the message has it.
    pub(crate) fn number(&self, number: u32) -> Option<u64> {
        match self.last(number) {
            Some(Value::Varint(value)) => Some(value),
            _ => None,
        }
    }

    /// A switch, or its default.
    pub(crate) fn switch(&self, number: u32, default: bool) -> bool {
        self.number(number).map_or(default, |value| value != 0)
    }

    /// Bytes, where the message has them.
    pub(crate) fn bytes(&self, number: u32) -> Option<&[u8]> {
        match self.last(number) {
            Some(Value::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
    }

    fn last(&self, number: u32) -> Option<Value<'_>> {
        let mut reader = Reader::new("", "", &self.0, 0);
        let mut found = None;
        while let Ok(Some(field)) = reader.next() {
            if field.number == number {
                found = Some(field.value);
            }
        }
        found
    }
}
