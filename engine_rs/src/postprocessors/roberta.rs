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
    pub cls: Id,
    /// The token after each text, and before the second.
    pub sep: Id,
    /// How spans are trimmed, if they are.
    pub trim: Option<Trim>,
}

impl RobertaProcessing {
    /// How many tokens are added.
    pub const fn added(self, pair: bool) -> usize {
        if pair { 4 } else { 2 }
    }

    /// Puts the tokens in place, if they are wanted.
    ///
    /// ```
    /// # use token_engine::{encoding::Encoding, postprocessors::roberta::RobertaProcessing};
    /// let roberta = RobertaProcessing { cls: 0, sep: 2, trim: None };
    /// let empty = Encoding::default();
    /// assert_eq!(roberta.process(&empty, Some(&empty), true).ids, [0, 2, 2, 2]);
    /// ```
    pub fn process(self, text: &Encoding, pair: Option<&Encoding>, add_special_tokens: bool) -> Encoding {
        let mut out = Encoding::default();
        let add = |out: &mut Encoding, id| {
            if add_special_tokens {
                out.push_template(id, 0);
            }
        };
        add(&mut out, self.cls);
        out.append(text, 0, 0);
        add(&mut out, self.sep);
        if let Some(pair) = pair {
            add(&mut out, self.sep);
            out.append(pair, 1, 0);
            add(&mut out, self.sep);
        }
        out
    }
}
