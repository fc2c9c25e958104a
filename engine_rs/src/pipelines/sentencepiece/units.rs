//! Parts of a normalized text that no token reaches across, and the tokens of those seen before.
//!
//! Where no token has a space mark after another character, a text falls into units of marks and what follows them. Merges
//! in one do not depend on its neighbours, so each is done once. Sums of Unigram scores do, by their rounding: its texts are
//! not cut. The twin without units is [`Scored::encode`], and a test holds the two together.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::ids::Id;
use crate::models::scored::{self, Scored};
use crate::normalizers::sentencepiece::SPACE_MARK;

/// Longer units are not remembered.
const MAX_BYTES: usize = 48;
/// When as many units are remembered, all are forgotten: memory is bounded.
const MAX_UNITS: usize = 1 << 16;

/// Units seen before. One belongs to one thread and one model.
#[derive(Default)]
pub struct Units {
    places: FxHashMap<Box<str>, Range<u32>>,
    /// Tokens with start and end in their unit.
    tokens: Vec<(Id, u8, u8)>,
}

impl Units {
    /// Appends the tokens of `text`, as [`Scored::encode`] does.
    pub fn encode(
        &mut self,
        model: &Scored,
        text: &str,
        scratch: &mut scored::Scratch,
        out: &mut Vec<(Id, Range<usize>)>,
    ) {
        let mut start = 0;
        let mut after_mark = 0;
        for (at, mark) in text.match_indices(SPACE_MARK) {
            // Marks that touch are in one unit.
            if at > after_mark {
                self.unit(model, text, start..at, scratch, out);
                start = at;
            }
            after_mark = at + mark.len();
        }
        if start < text.len() {
            self.unit(model, text, start..text.len(), scratch, out);
        }
    }

    fn unit(
        &mut self,
        model: &Scored,
        text: &str,
        range: Range<usize>,
        scratch: &mut scored::Scratch,
        out: &mut Vec<(Id, Range<usize>)>,
    ) {
        let unit = &text[range.clone()];
        if let Some(place) = self.places.get(unit) {
            let tokens = &self.tokens[place.start as usize..place.end as usize];
            out.extend(tokens.iter().map(|&(id, start, end)| {
                (id, range.start + usize::from(start)..range.start + usize::from(end)) //
            }));
            return;
        }
        let before = out.len();
        model.encode(unit, scratch, out);
        if unit.len() <= MAX_BYTES {
            if self.places.len() == MAX_UNITS {
                self.places.clear();
                self.tokens.clear();
            }
            let first = self.tokens.len() as u32;
            self.tokens.extend(out[before..].iter().map(|(id, at)| (*id, at.start as u8, at.end as u8)));
            self.places.insert(unit.into(), first..self.tokens.len() as u32);
        }
        for (_, at) in &mut out[before..] {
            *at = range.start + at.start..range.start + at.end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::scored::{Algorithm, Kind};
    use crate::testing::Random;
    use crate::vocab::Vocab;

    fn model(algorithm: Algorithm, tokens: &[(&str, f32, Kind)]) -> Scored {
        let mut vocab = Vocab::default();
        for (id, (token, ..)) in tokens.iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        let (kinds, scores) = tokens.iter().map(|&(_, score, kind)| (kind, score)).unzip();
        Scored::new(algorithm, &vocab, kinds, scores, false).expect("a model")
    }

    #[test]
    fn the_same_tokens_as_without_units() {
        let normal = Kind::Normal;
        let tokens = [
            ("<unk>", 0.0, Kind::Unknown),
            ("▁", -9.0, normal),
            ("a", -9.0, normal),
            ("▁a", -1.0, normal),
            ("ab", -2.0, normal),
            ("▁▁", -2.0, normal),
            ("ba", -3.0, normal),
            ("▁▁a", -3.5, normal),
            ("aa", -4.0, normal),
            ("▁aa", -5.0, normal),
            ("cb", 0.0, Kind::UserDefined),
        ];
        let model = model(Algorithm::Bpe, &tokens);
        assert!(model.falls_into_units());
        let mut random = Random::new(11);
        let (mut units, mut scratch) = (Units::default(), scored::Scratch::default());
        for _ in 0..3000 {
            let text: String = (0..random.below(40)).map(|_| *random.pick(&["▁", "a", "b", "c", "▁a"])).collect();
            let (mut whole, mut parts) = (vec![], vec![]);
            model.encode(&text, &mut scratch, &mut whole);
            units.encode(&model, &text, &mut scratch, &mut parts);
            assert_eq!(whole, parts, "{text}");
        }
    }

    #[test]
    fn tokens_across_marks_and_unused_ones_keep_a_text_whole() {
        let unknown = ("<unk>", 0.0, Kind::Unknown);
        let falls = |algorithm, token, kind| model(algorithm, &[unknown, (token, -1.0, kind)]).falls_into_units();
        assert!(falls(Algorithm::Bpe, "▁▁a", Kind::Normal));
        assert!(!falls(Algorithm::Bpe, "a▁", Kind::Normal));
        assert!(!falls(Algorithm::Bpe, "a▁b", Kind::UserDefined));
        assert!(!falls(Algorithm::Bpe, "ab", Kind::Unused));
        assert!(!falls(Algorithm::Unigram, "ab", Kind::Normal));
        assert!(falls(Algorithm::Bpe, "a▁", Kind::Control));
    }
}
