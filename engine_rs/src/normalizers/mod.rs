//! From text to normalized text that still knows where it comes from ([`crate::alignment`]).

pub mod bert;
pub mod canonical;
