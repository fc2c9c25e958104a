//! Byte-level BPE as a fast path: the single pass, and before it at most a normalization form or a space that is put before
//! the text.
//!
//! Only the stretches that the form changes are normalized, into a copy of the text that knows where they come from; the
//! fused pass encodes the copy, and spans are mapped back. Most texts have no such stretch and go through as they are.
//!
//! Not here: the fused pass ([`crate::fast::byte_level`]), which stretches there are
//! ([`crate::normalizers::quick_check`]).

use std::sync::Arc;

use super::{ByteLevelBpe, WordCache};
use crate::alignment::{AlignedText, Behavior, Change};
use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::ids::Id;
use crate::normalizers::forms::Form;
use crate::normalizers::quick_check::QuickCheck;
use crate::offsets::Span;
use crate::pretokenizers::split::Split;
use crate::vocab::Vocab;

/// The pass and what goes before it.
#[derive(Clone, Debug)]
pub struct ByteLevel {
    /// What the text is brought into, if anything.
    pub(crate) form: Option<Form>,
    /// Whether a space is put before a text that does not start with one; not together with a form.
    pub add_prefix_space: bool,
    /// The tokens of the model as bytes.
    pub(crate) vocab: Arc<Vocab>,
    /// The pass.
    pub(crate) fused: ByteLevelBpe,
    /// Finds pretokens in place of the rules of the pass.
    pub(crate) split: Option<Split>,
}

/// A text in which stretches have been replaced.
#[derive(Default)]
struct Patched {
    text: String,
    /// In the order of the text.
    patches: Vec<Patch>,
    /// The spans of all bytes of patches, those of a character the same.
    spans: Vec<Span>,
}

/// A stretch that has been replaced.
struct Patch {
    /// Bytes of the new text.
    start: usize,
    end: usize,
    /// Where its spans start.
    first: usize,
    /// Where in the original it ends.
    original_end: usize,
}

impl ByteLevel {
    /// Whether a matcher finds the pretokens.
    pub(crate) fn runs_matcher(&self) -> bool {
        self.split.is_some()
    }

    /// Whether the pretokens one after the other are the text.
    pub(crate) fn keeps_text(&self) -> bool {
        let leaves_out = self.split.as_ref().is_some_and(|split| split.behavior() == Behavior::Removed);
        self.form.is_none() && !self.add_prefix_space && !leaves_out
    }

    /// Pushes the tokens of `text`, a stretch between added tokens that starts at byte `base` of the original.
    ///
    /// Errors: an expression that tries too many ways to match.
    pub(crate) fn encode<S: Sink>(
        &self,
        text: &str,
        base: usize,
        cache: &mut WordCache,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        if self.form.is_none() && !self.add_prefix_space {
            return self.encode_patched(text, base, cache, sink);
        }
        sink.enter(Stage::Normalizer);
        let patched = self.patched(text, base);
        if patched.patches.is_empty() {
            return self.encode_patched(text, base, cache, sink);
        }
        let mut mapped_back = MappedBack { sink, patched: &patched, base, next: 0, word: vec![] };
        self.encode_patched(&patched.text, 0, cache, &mut mapped_back)?;
        mapped_back.push_word();
        Ok(())
    }

    fn encode_patched<S: Sink>(
        &self,
        text: &str,
        base: usize,
        cache: &mut WordCache,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        match &self.split {
            None => self.fused.encode(&self.vocab, text, base, cache, sink),
            Some(split) => return self.fused.encode_split(split, (&*self.vocab, text, base), cache, sink),
        }
        Ok(())
    }

    /// The text with what is to be changed changed; without patches its text is not made.
    fn patched(&self, text: &str, base: usize) -> Patched {
        let mut patched = Patched::default();
        let mut done = 0;
        if self.add_prefix_space
            && let Some(first) = text.chars().next().filter(|&c| c != ' ')
        {
            done = first.len_utf8();
            let mut aligned = AlignedText::new(&text[..done], base);
            aligned.prepend(" ");
            patched.push(&aligned, base + done);
        }
        let stretches = self.form.map(|form| (form, QuickCheck::of(form).stretches(text)));
        for (form, stretch) in stretches.into_iter().flat_map(|(form, all)| all.map(move |stretch| (form, stretch))) {
            let changes = form.changes(&text[stretch.clone()]);
            let stays = text[stretch.clone()].chars().map(Change::Become).eq(changes.iter().copied());
            if stays {
                continue;
            }
            patched.text.push_str(&text[done..stretch.start]);
            let mut aligned = AlignedText::new(&text[stretch.clone()], base + stretch.start);
            aligned.rewrite(changes);
            done = stretch.end;
            patched.push(&aligned, base + done);
        }
        if !patched.patches.is_empty() {
            patched.text.push_str(&text[done..]);
        }
        patched
    }
}

impl Patched {
    fn push(&mut self, aligned: &AlignedText, original_end: usize) {
        let (start, first) = (self.text.len(), self.spans.len());
        self.text.push_str(aligned.text());
        self.spans.extend(aligned.spans());
        self.patches.push(Patch { start, end: self.text.len(), first, original_end });
    }
}

/// Maps spans back to the original, a pretoken at a time.
///
/// Of any sink: with its type as a parameter, the fused pass would be compiled twice for each.
struct MappedBack<'a> {
    sink: &'a mut dyn Sink,
    patched: &'a Patched,
    base: usize,
    /// The first patch that does not end before the pretoken.
    next: usize,
    /// The tokens of the pretoken, with bytes of the patched text.
    word: Vec<(Id, Span)>,
}

impl MappedBack<'_> {
    /// Pushes the tokens that wait. Those of a pretoken without a patch move; for others the spans of all its bytes are found
    /// as the stages find them.
    fn push_word(&mut self) {
        let (Some(&(_, first)), Some(&(_, last))) = (self.word.first(), self.word.last()) else { return };
        let (start, end) = (first.start as usize, last.end as usize);
        let Patched { text, patches, .. } = self.patched;
        while patches.get(self.next).is_some_and(|patch| patch.end <= start) {
            self.next += 1;
        }
        self.sink.begin_pretoken();
        if patches.get(self.next).is_none_or(|patch| patch.start >= end) {
            let shift = self.shift(self.next);
            for (id, span) in self.word.drain(..) {
                let moved = |at: u32| at.wrapping_add_signed(shift);
                self.sink.push(id, Span { start: moved(span.start), end: moved(span.end) });
            }
            return;
        }
        let mut bytes = AlignedText::from_spans(&text[start..end], &self.spans(start, end));
        bytes.map_bytes(|_| 'b');
        for (id, span) in self.word.drain(..) {
            self.sink.push(id, bytes.span(span.start as usize - start..span.end as usize - start));
        }
    }

    /// How far what is before patch number `at` and behind the one before it has moved, in bytes, from the patched text to the
    /// original.
    fn shift(&self, at: usize) -> i32 {
        let before = at.checked_sub(1).map(|before| &self.patched.patches[before]);
        before.map_or(self.base as i32, |patch| (patch.original_end as i64 - patch.end as i64) as i32)
    }

    /// The spans of the bytes `start..end` of the patched text, those of a character the same.
    fn spans(&self, start: usize, end: usize) -> Vec<Span> {
        let Patched { text, patches, spans } = self.patched;
        let (mut all, mut at, mut next) = (Vec::with_capacity(end - start), start, self.next);
        while at < end {
            let patch = patches.get(next).filter(|patch| patch.start < end);
            let until = patch.map_or(end, |patch| patch.start.max(at));
            let origin = (at as u32).wrapping_add_signed(self.shift(next)) as usize;
            all.extend(AlignedText::new(&text[at..until], origin).spans());
            at = until;
            if let Some(patch) = patch {
                let to = patch.end.min(end);
                all.extend_from_slice(&spans[patch.first + at - patch.start..patch.first + to - patch.start]);
                at = to;
                next += 1;
            }
        }
        all
    }
}

impl Sink for MappedBack<'_> {
    fn enter(&mut self, stage: Stage) {
        self.sink.enter(stage);
    }

    fn looked_up(&mut self, is_known: bool) {
        self.sink.looked_up(is_known);
    }

    fn begin_pretoken(&mut self) {
        self.push_word();
    }

    fn push(&mut self, id: Id, span: Span) {
        self.word.push((id, span));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_patched_bytes_are_those_of_the_original() {
        let patched = |form, add_prefix_space, text: &str| {
            let bpe = crate::testing::bytes_alone();
            let mut ids_and_ends = crate::encoding::IdsAndEnds::default();
            let (vocab, fused) = bpe;
            let vocab = Arc::new(vocab);
            let pass = ByteLevel { form, add_prefix_space, vocab, fused, split: None };
            pass.encode(text, 10, &mut WordCache::default(), &mut ids_and_ends).expect("no expression");
            let text: Vec<u8> = ids_and_ends.ids.iter().map(|&id| id as u8).collect();
            (String::from_utf8(text).expect("whole characters"), ids_and_ends.ends)
        };
        assert_eq!(patched(Some(Form::Nfc), false, "ab"), ("ab".into(), vec![11, 12]));
        // The accent that is dropped leaves the span of the letter.
        assert_eq!(patched(Some(Form::Nfc), false, "xe\u{301}y"), ("x\u{e9}y".into(), vec![11, 12, 12, 15]));
        assert_eq!(patched(None, true, "ab"), (" ab".into(), vec![11, 11, 12]));
    }
}
