//! BERT from text to tokens.

use std::ops::Range;

use crate::alignment::Aligned;
use crate::encoding::Sink;
use crate::models::wordpiece::WordPiece;
use crate::normalizers::bert::BertNormalizer;
use crate::pretokenizers::bert::split;

/// The stages one after the other.
pub fn staged<S: Sink>(normalizer: BertNormalizer, model: &WordPiece, text: &str, base: usize, sink: &mut S) {
    let mut aligned = Aligned::new(text, base);
    normalizer.normalize(&mut aligned);
    let mut words: Vec<Range<usize>> = vec![];
    split(aligned.text(), &mut words);
    let mut tokens = vec![];
    for word in words {
        sink.begin_pretoken();
        model.encode(&aligned.text()[word.clone()], &mut tokens);
        let mut start = word.start;
        for (id, end) in tokens.drain(..) {
            let end = word.start + end as usize;
            sink.push(id, aligned.span(start..end));
            start = end;
        }
    }
}
