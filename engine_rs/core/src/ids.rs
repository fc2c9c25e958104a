//! The number of a token.

/// Index of a token in its vocabulary.
pub type Id = u32;
