//! WordPiece: the pair whose parts occur together most, measured by how often they occur at all, becomes a token.
//!
//! The score of a pair is `count(pair) / (count(left) * count(right))`. Scores are compared exactly, as fractions; among
//! equal ones the pair with the lowest ids is merged, the left id first. `naive` is the definition; [`fast`] makes the
//! same merges.
//!
//! Source: Schuster and Nakajima 2012, Japanese and Korean voice search; the score is that of the Hugging Face course.

pub mod fast;
pub(crate) mod naive;
mod score;
#[cfg(test)]
mod tests;
