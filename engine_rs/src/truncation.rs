//! Cutting encodings down to a length.
//!
//! Source: `truncation` of the tokenizer.json format.

/// Which of two texts gives way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// The longer one, then both alike.
    #[default]
    LongestFirst,
    /// The first.
    OnlyFirst,
    /// The second.
    OnlySecond,
}

/// Left or right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Where the text starts.
    Left,
    /// Where it ends.
    #[default]
    Right,
}

/// How far to cut, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncation {
    /// Number of tokens that are left, those of the postprocessor among them.
    pub max_length: usize,
    /// Which text gives way.
    pub strategy: Strategy,
    /// Number of tokens that a part has in common with the one before it.
    pub stride: usize,
    /// The end that is cut off.
    pub side: Side,
}
