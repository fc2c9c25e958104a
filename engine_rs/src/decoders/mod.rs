//! From tokens back to text.

pub mod byte_level;
pub mod wordpiece;
