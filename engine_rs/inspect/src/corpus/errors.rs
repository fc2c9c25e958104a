//! What can go wrong while documents are counted, each with the value, the place and the way out.

use thiserror::Error;

use token_engine::EncodeError;

/// Documents that cannot be counted, or tallies that do not belong together. The message is "problem; hint".
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CorpusError {
    /// A document ends before it starts.
    #[error(
        "document {document} ends at byte {end}, before its start at byte {start}; give the end byte of each document in the order of the text"
    )]
    EndsFall {
        /// Index of the document.
        document: usize,
        /// Where the document before it ends.
        start: u64,
        /// Its own end.
        end: u64,
    },
    /// The documents do not cover the text.
    #[error(
        "the {documents} documents end at byte {end}, but the text has {bytes} bytes; give ends that cover all of the text"
    )]
    NotCovered {
        /// Number of documents.
        documents: usize,
        /// End of the last document.
        end: u64,
        /// Length of the text.
        bytes: usize,
    },
    /// Not one group per document.
    #[error("{groups} groups are given for {documents} documents; give one for each document")]
    GroupCount {
        /// Number of groups given.
        groups: usize,
        /// Number of documents.
        documents: usize,
    },
    /// A group that the tally does not have.
    #[error(
        "document {document} is of group {group}, but the tally has {groups} groups, numbered from 0; make it with more"
    )]
    Group {
        /// Index of the document.
        document: usize,
        /// Its group.
        group: u16,
        /// Number of groups of the tally.
        groups: usize,
    },
    /// A document that is not UTF-8.
    #[error("document {document} is not UTF-8: byte 0x{byte:02X} at {at}; replace such bytes by U+FFFD first")]
    NotUtf8 {
        /// Index of the document.
        document: usize,
        /// The first byte that is not UTF-8.
        byte: u8,
        /// Its index in the document.
        at: usize,
    },
    /// A document that a tokenizer cannot encode.
    #[error("document {document}, tokenizer {tokenizer}: {error}")]
    Document {
        /// Index of the document.
        document: usize,
        /// Index of the tokenizer.
        tokenizer: usize,
        /// Why.
        error: EncodeError,
    },
    /// Tallies of different shape.
    #[error("the tallies differ in their {what}; merge tallies made with the same tokenizers, groups and measures")]
    Different {
        /// What differs.
        what: &'static str,
    },
    /// A name that no measure has.
    #[error("there is no measure {name:?}; the measures are {}", super::measures::NAMES.join(", "))]
    Measure {
        /// The name.
        name: String,
    },
    /// Bytes that no tally wrote.
    #[error("the bytes are not a stored tally: {problem}; count this part of the corpus again")]
    Damaged {
        /// What is wrong with them.
        problem: &'static str,
    },
    /// A stored tally of other tokenizers.
    #[error("the stored tally was made with other tokenizers; load it with the same tokenizers in the same order")]
    OtherTokenizers,
}
