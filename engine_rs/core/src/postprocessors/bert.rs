//! `[CLS] a [SEP]`, or `[CLS] a [SEP] b [SEP]` for two texts.
//!
//! Not here: truncation, which comes before ([`crate::truncation`]), and padding, which comes after ([`crate::padding`]).
//!
//! Source: section 3 of Devlin et al. 2019, BERT; `BertProcessing` in `tokenizers`.

use crate::encoding::Encoding;
use crate::ids::Id;

/// The postprocessor `BertProcessing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BertProcessing {
    /// The token before the first text.
    pub(crate) cls: Id,
    /// The token after each text.
    pub(crate) sep: Id,
}

impl BertProcessing {
    /// A postprocessor that adds these tokens.
    pub(crate) const fn new(cls: Id, sep: Id) -> Self {
        Self { cls, sep }
    }

    /// How many tokens are added.
    pub(crate) const fn added(self, pair: bool) -> usize {
        if pair { 3 } else { 2 }
    }

    /// Puts the tokens around each text. The first text, the `[CLS]` before it and the `[SEP]` after it are of type 0, the
    /// second text and its `[SEP]` of type 1.
    pub(crate) fn process(self, texts: Vec<Encoding>) -> Vec<Encoding> {
        let (first, others) = ([(self.cls, 0)], []);
        let around = |(at, text): (usize, Encoding)| {
            super::around(text, if at == 0 { &first } else { &others }, &[(self.sep, u8::from(at > 0))])
        };
        texts.into_iter().enumerate().map(around).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{NO_SEQUENCE, NO_WORD, Sink, flags};
    use crate::offsets::Span;
    use crate::postprocessors::join;

    #[test]
    fn marks_what_it_adds() {
        let processing = BertProcessing::new(1, 2);
        let empty = join(processing.process(vec![Encoding::default()])).expect("no parts");
        assert_eq!((empty.len(), empty.ids), (processing.added(false), vec![1, 2]));

        let mut text = Encoding::default();
        text.begin_pretoken();
        text.push(9, Span::new(3, 5));
        let mut pair = text.clone();
        pair.belong_to(1);
        let both = join(processing.process(vec![text, pair])).expect("no parts");
        assert_eq!(both.len(), 2 + processing.added(true));
        assert_eq!(both.type_ids, [0, 0, 0, 1, 1]);
        assert_eq!(both.sequence_ids, [NO_SEQUENCE, 0, NO_SEQUENCE, 1, NO_SEQUENCE]);
        assert_eq!(both.word_ids, [NO_WORD, 0, NO_WORD, 0, NO_WORD]);
        assert_eq!(
            both.flags.iter().map(|flags| flags & flags::TEMPLATE != 0).collect::<Vec<_>>(),
            [true, false, true, false, true]
        );
        assert_eq!(both.spans[1], both.spans[3]);
    }

    #[test]
    fn example_of_bertprocessing_process() {
        use crate::{
            encoding::{Encoding, Sink},
            offsets::Span,
            postprocessors::bert::BertProcessing,
        };
        let mut text = Encoding::default();
        text.begin_pretoken();
        text.push(7, Span::new(0, 1));
        let both = BertProcessing::new(101, 102).process(vec![text.clone(), text]);
        assert_eq!((&both[0].ids[..], &both[1].ids[..]), (&[101, 7, 102][..], &[7, 102][..]));
    }
}
