//! From text to pretokens: the slices that a model sees one at a time.

pub mod bert;
pub mod characters;
pub mod scanners;
