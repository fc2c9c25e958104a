//! Counts over many documents, for several tokenizers at once.
//!
//! A [`tally::Tally`] holds integers only: occurrences of each id, documents by length, and sums per group of documents
//! (a language, say). Tallies of parts of a corpus merge to exactly the tally of the whole, in any order, so parts can be
//! counted on threads, processes and machines. [`measures`] defines every number, [`concordance`] finds the places.
//!
//! Texts are encoded as [`token_engine::Tokenizer::encode_ids`] does it, special tokens read as text, nothing added:
//! what counts is the text.
//!
//! Not here: ratios, percentiles and fits, which are made from the integers (`lab_app/analysis/corpus`).

pub mod concordance;
pub mod documents;
pub mod errors;
mod features;
mod marks;
pub mod measures;
mod round_trip;
mod runs;
mod stored;
pub mod tally;
#[cfg(test)]
mod tests;
mod tokenizer_pass;
mod tokens;
mod uax29;
