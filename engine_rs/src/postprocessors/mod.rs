//! What comes around the tokens of a text before a model sees them.

pub mod bert;
pub mod template;

use crate::encoding::Encoding;
use bert::BertProcessing;
use template::Template;

/// A postprocessor of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Postprocessor {
    /// `[CLS] a [SEP] b [SEP]`.
    Bert(BertProcessing),
    /// Any list of parts.
    Template(Template),
}

impl Postprocessor {
    /// How many tokens are added.
    pub fn added(&self, pair: bool) -> usize {
        match self {
            Self::Bert(bert) => bert.added(pair),
            Self::Template(template) => template.added(pair),
        }
    }

    /// Puts the tokens in place around one text or two.
    pub fn process(&self, text: &Encoding, pair: Option<&Encoding>) -> Encoding {
        match self {
            Self::Bert(bert) => bert.process(text, pair),
            Self::Template(template) => template.process(text, pair),
        }
    }
}
