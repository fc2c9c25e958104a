//! From a pretoken to tokens. One model is one algorithm; [`crate::tokenizer`] chooses.

pub mod bpe;
pub mod wordpiece;
