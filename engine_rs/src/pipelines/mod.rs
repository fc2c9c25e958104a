//! From text to tokens: [`staged`] runs any normalizer, pretokenizer and model one after the other; the others do what some
//! of these combinations do in one pass, fused for speed and tested equal.

pub mod bert;
pub(crate) mod blocks;
pub mod byte_level;
mod cache;
mod long_words;
pub mod sentencepiece;
pub mod staged;
