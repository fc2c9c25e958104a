#![doc = include_str!("../README.md")]
//!
//! # For readers of the code
//!
//! ```text
//! texts -> counter -> words -> trainer -> definition -> token_engine's Tokenizer
//!          stages,    unique   steps,     tokenizer.json in memory
//!          hash table words    rows
//! ```
//!
//! [`WordCounter`] runs the stages before the model and counts words. [`Trainer`] learns from them, one step at a time, by
//! the algorithm of the [`Options`]: [`bpe`], [`wordpiece`], [`unigram`], whole words or characters.
//!
//! Pure: no Python, network, clock or files. Encoding is in `token-engine`.

mod alphabet;
mod bert;
pub mod bpe;
mod character;
mod checkpoint;
mod chunks;
mod counter;
pub mod definition;
mod error;
mod estimate;
mod followers;
mod held_out;
mod lossy;
mod merging;
mod options;
pub mod progress;
mod ranked;
mod shards;
pub mod steps;
mod stop;
mod stored;
mod superwords;
pub mod symbols;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod tokens;
mod trainer;
pub mod unigram;
pub mod watched;
mod wordlevel;
pub mod wordpiece;
mod words;

pub use chunks::ChunkEnds;
pub use counter::WordCounter;
pub use error::TrainError;
pub use estimate::Estimate;
pub use held_out::HeldOut;
pub use options::{Algorithm, Alphabet, Options, Score, Variant};
pub use progress::{Batch, Row, State};
pub use table::MAX_WORD_BYTES;
pub use trainer::Trainer;
pub use words::WordCounts;
