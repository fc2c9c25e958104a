//! `[CLS] a [SEP]`, or `[CLS] a [SEP] b [SEP]` for two texts.
//!
//! Not here: truncation and padding, which the engine leaves to training code.
//!
//! Source: section 3 of Devlin et al. 2019, BERT; `BertProcessing` in `tokenizers`.

use crate::encoding::Encoding;
use crate::ids::Id;

/// The postprocessor `BertProcessing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BertProcessing {
    /// The token before the first text.
    pub cls: Id,
    /// The token after each text.
    pub sep: Id,
}

impl BertProcessing {
    /// A postprocessor that adds these tokens.
    pub const fn new(cls: Id, sep: Id) -> Self {
        Self { cls, sep }
    }

    /// How many tokens are added.
    pub const fn added(self, pair: bool) -> usize {
        if pair { 3 } else { 2 }
    }

    /// Puts the tokens in place. The first text, the `[CLS]` before it and the `[SEP]` after it are of type 0, the
    /// second text and its `[SEP]` of type 1.
    ///
    /// ```
    /// # use token_engine::{encoding::{Encoding, Sink}, offsets::Span, postprocessors::bert::BertProcessing};
    /// let text = |id| {
    ///     let mut encoding = Encoding::default();
    ///     encoding.begin_pretoken();
    ///     encoding.push(id, Span::new(0, 1));
    ///     encoding
    /// };
    /// let both = BertProcessing::new(101, 102).process(&text(7), Some(&text(8)));
    /// assert_eq!(both.ids, [101, 7, 102, 8, 102]);
    /// assert_eq!(both.type_ids, [0, 0, 0, 1, 1]);
    /// ```
    pub fn process(self, text: &Encoding, pair: Option<&Encoding>) -> Encoding {
        let mut out = Encoding::default();
        out.push_template(self.cls, 0);
        out.append(text, 0, 0);
        out.push_template(self.sep, 0);
        if let Some(pair) = pair {
            out.append(pair, 1, 1);
            out.push_template(self.sep, 1);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{NO_SEQUENCE, NO_WORD, Sink, flags};
    use crate::offsets::Span;

    #[test]
    fn marks_what_it_adds() {
        let processing = BertProcessing::new(1, 2);
        let empty = processing.process(&Encoding::default(), None);
        assert_eq!((empty.len(), empty.ids), (processing.added(false), vec![1, 2]));

        let mut text = Encoding::default();
        text.begin_pretoken();
        text.push(9, Span::new(3, 5));
        let both = processing.process(&text, Some(&text));
        assert_eq!(both.len(), 2 + processing.added(true));
        assert_eq!(both.sequence_ids, [NO_SEQUENCE, 0, NO_SEQUENCE, 1, NO_SEQUENCE]);
        assert_eq!(both.word_ids, [NO_WORD, 0, NO_WORD, 0, NO_WORD]);
        assert_eq!(
            both.flags.iter().map(|flags| flags & flags::TEMPLATE != 0).collect::<Vec<_>>(),
            [true, false, true, false, true]
        );
        assert_eq!(both.spans[1], both.spans[3]);
    }
}
