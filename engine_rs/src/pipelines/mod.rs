//! Whole pipelines in one pass: what the stages do one after the other, fused for speed and tested equal to them.

pub mod bert;
