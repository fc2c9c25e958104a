//! Filling encodings up to a length.
//!
//! Source: `padding` of the tokenizer.json format.

use crate::ids::Id;
use crate::truncation::Side;

/// How long encodings become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadTo {
    /// As long as the longest.
    Longest,
    /// This number of tokens; longer ones stay as they are.
    Length(usize),
}

/// With what to fill up, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Padding {
    /// How long encodings become.
    pub to: PadTo,
    /// The length is rounded up to a multiple of this.
    pub multiple_of: Option<usize>,
    /// The end that is filled.
    pub side: Side,
    /// The token to fill with.
    pub id: Id,
    /// Its type.
    pub type_id: u8,
    /// Its spelling.
    pub token: String,
}
