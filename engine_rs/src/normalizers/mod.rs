//! What changes a text before it is split: one file per normalizer, each works on an [`Aligned`] text.

pub mod bert;
pub mod canonical;

use crate::alignment::Aligned;
use bert::BertNormalizer;

/// A normalizer of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Normalizer {
    /// BERT's clean-up.
    Bert(BertNormalizer),
    /// One after the other.
    Sequence(Vec<Normalizer>),
}

impl Normalizer {
    /// Changes the text in place.
    pub fn normalize(&self, text: &mut Aligned) {
        match self {
            Self::Bert(bert) => bert.normalize(text),
            Self::Sequence(all) => all.iter().for_each(|normalizer| normalizer.normalize(text)),
        }
    }
}
