//! What comes around the tokens of a text before a model sees them.

pub mod bert;
