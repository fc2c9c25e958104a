//! `<s> a </s>`, or `<s> a </s> </s> b </s>` for two texts, all of type 0.
//!
//! Source: Liu et al. 2019, RoBERTa; `RobertaProcessing` of the tokenizer.json format.

use super::trim::Trim;
use crate::encoding::Encoding;
use crate::ids::Id;

/// The postprocessor `RobertaProcessing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RobertaProcessing {
    /// The token before the first text.
    pub(crate) cls: Id,
    /// The token after each text, and before the second.
    pub(crate) sep: Id,
    /// How spans are trimmed, if they are.
    pub(crate) trim: Option<Trim>,
}

impl RobertaProcessing {
    /// How many tokens are added.
    pub(crate) const fn added(self, pair: bool) -> usize {
        if pair { 4 } else { 2 }
    }

    /// Makes all of type 0 and puts the tokens around each text, if they are wanted.
    pub(crate) fn process(self, mut texts: Vec<Encoding>, add_special_tokens: bool) -> Vec<Encoding> {
        texts.iter_mut().for_each(|text| text.type_ids.fill(0));
        if !add_special_tokens {
            return texts;
        }
        let around = |(at, mut text): (usize, Encoding)| {
            text.overflowing.iter_mut().for_each(|part| part.type_ids.fill(0));
            super::around(text, &[(if at == 0 { self.cls } else { self.sep }, 0)], &[(self.sep, 0)])
        };
        texts.into_iter().enumerate().map(around).collect()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_robertaprocessing_process() {
        use crate::{encoding::Encoding, postprocessors::roberta::RobertaProcessing};
        let roberta = RobertaProcessing { cls: 0, sep: 2, trim: None };
        let both = roberta.process(vec![Encoding::default(), Encoding::default()], true);
        assert_eq!((&both[0].ids[..], &both[1].ids[..]), (&[0, 2][..], &[2, 2][..]));
    }
}
