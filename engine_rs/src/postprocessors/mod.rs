//! What comes around the tokens of a text before a model sees them, and what their spans leave out.

pub mod bert;
pub mod roberta;
pub mod template;
pub mod trim;

use crate::encoding::Encoding;
use bert::BertProcessing;
use roberta::RobertaProcessing;
use template::Template;
use trim::Trim;

/// A postprocessor of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Postprocessor {
    /// `[CLS] a [SEP] b [SEP]`.
    Bert(BertProcessing),
    /// `<s> a </s> </s> b </s>`, and spans without white space.
    Roberta(RobertaProcessing),
    /// Any list of parts.
    Template(Template),
    /// Spans without white space, where there is a rule for it; adds nothing.
    ByteLevel(Option<Trim>),
    /// One after the other. All may trim, the first one that is of a kind that adds tokens adds them.
    Sequence(Vec<Postprocessor>),
}

impl Postprocessor {
    /// How many tokens are added.
    pub fn added(&self, pair: bool) -> usize {
        match self {
            Self::Bert(bert) => bert.added(pair),
            Self::Roberta(roberta) => roberta.added(pair),
            Self::Template(template) => template.added(pair),
            Self::ByteLevel(_) => 0,
            Self::Sequence(_) => self.adding().map_or(0, |first| first.added(pair)),
        }
    }

    /// How spans are trimmed, one rule after the other, before anything is added.
    pub fn trims(&self) -> Vec<Trim> {
        match self {
            Self::Roberta(roberta) => roberta.trim.into_iter().collect(),
            Self::ByteLevel(trim) => trim.iter().copied().collect(),
            Self::Sequence(all) => all.iter().flat_map(Self::trims).collect(),
            Self::Bert(_) | Self::Template(_) => vec![],
        }
    }

    /// Puts one text or two together, with the tokens around them if they are wanted.
    ///
    /// ```
    /// # use token_engine::{encoding::Encoding, postprocessors::{Postprocessor, bert::BertProcessing}};
    /// let sequence = Postprocessor::Sequence(vec![
    ///     Postprocessor::ByteLevel(None),
    ///     Postprocessor::Bert(BertProcessing::new(1, 2)),
    /// ]);
    /// let empty = Encoding::default();
    /// assert_eq!(sequence.process(&empty, Some(&empty), true).ids, [1, 2, 2]);
    /// assert!(sequence.process(&empty, Some(&empty), false).ids.is_empty());
    /// ```
    pub fn process(&self, text: &Encoding, pair: Option<&Encoding>, add_special_tokens: bool) -> Encoding {
        match self {
            Self::Bert(bert) if add_special_tokens => bert.process(text, pair),
            Self::Roberta(roberta) => roberta.process(text, pair, add_special_tokens),
            Self::Template(template) => template.process(text, pair, add_special_tokens),
            Self::Bert(_) | Self::ByteLevel(_) => join(text, pair),
            Self::Sequence(_) => match self.adding() {
                Some(first) => first.process(text, pair, add_special_tokens),
                None => join(text, pair),
            },
        }
    }

    /// The first part of a sequence that is of a kind that adds tokens.
    fn adding(&self) -> Option<&Self> {
        match self {
            Self::ByteLevel(_) => None,
            Self::Sequence(all) => all.iter().find_map(Self::adding),
            Self::Bert(_) | Self::Roberta(_) | Self::Template(_) => Some(self),
        }
    }
}

/// One text after the other, of types 0 and 1.
pub fn join(text: &Encoding, pair: Option<&Encoding>) -> Encoding {
    let mut both = text.clone();
    if let Some(pair) = pair {
        both.append(pair, 1, 1);
    }
    both
}
