//! The model against its definitions.

use super::viterbi::Number;
use super::*;

pub fn model(tokens: &[(&str, f64)], settings: Settings) -> Unigram {
    let mut vocab = Vocab::default();
    for (id, (token, _)) in tokens.iter().enumerate() {
        vocab.insert_any(id as Id, token.as_bytes()).expect("ids differ");
    }
    Unigram::new(vocab, tokens.iter().map(|token| token.1).collect(), settings)
}

fn shown(model: &Unigram, text: &str) -> String {
    let mut out = vec![];
    if let Err(UnknownSymbol { at }) = model.encode(text, &mut Scratch::default(), &mut out) {
        return format!("not encoded: {at:?}");
    }
    out.into_iter().map(|(id, range)| format!("{id} {range:?}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn unknown_neighbours_are_one_token() {
    let tokens = [("?", 0.0), ("a", -1.0), ("<0xC3>", -2.0), ("<0xA9>", -2.0), ("xx", -30.0), ("a", -1.5), ("", -1.0)];
    let with = |unknown, byte_fallback| model(&tokens, Settings { unknown, byte_fallback });
    let cases = [
        (Some(0), false, "xaxyz", "0 0..1, 5 1..2, 0 2..5"), // of twins the last
        (Some(0), false, "a??a", "5 0..1, 0 1..3, 5 3..4"),  // the unknown token as it is spelled
        (Some(0), true, "aééx", "5 0..1, 0 1..6"),           // not all of the bytes
        (Some(0), true, "éé", "2 0..4, 3 0..4, 2 0..4, 3 0..4"),
        (Some(0), false, "xx", "4 0..2"),
        (None, false, "aé", "not encoded: 1..3"),
        (None, true, "aa", "5 0..1, 5 1..2"),
    ];
    for (unknown, byte_fallback, text, expected) in cases {
        assert_eq!(shown(&with(unknown, byte_fallback), text), expected, "{text}");
    }
}

#[test]
fn a_cancelled_call_is_no_unknown_symbol() {
    use crate::call::{Call, enter};
    let (model, text) = (model(&[("?", 0.0), ("a", -1.0)], Settings::default()), "a".repeat(5000));
    // Written anew, so that each byte has a span of its own.
    let mut aligned = crate::alignment::AlignedText::new(&text, 0);
    aligned.prepend("a");
    let call = std::sync::Arc::new(Call::default());
    let _entered = enter(Some(std::sync::Arc::clone(&call)));
    let encode = |out: &mut Vec<_>| model.encode(aligned.text(), &mut Scratch::default(), out);
    assert_eq!(encode(&mut vec![]), Ok(()));
    call.cancel();
    let refused = encode(&mut vec![]).expect_err("cancelled");
    assert!(!refused.at.is_empty(), "it has a span");
    let error = crate::stages::no_unknown(&text, 0, &aligned.whole(), refused);
    assert!(matches!(error, crate::error::EncodeError::Cancelled(_)), "{error}");
}

#[test]
fn has_the_largest_sum() {
    let mut random = crate::testing::Random::new(11);
    for _ in 0..300 {
        let mut tokens = vec![("?".to_owned(), 0.0)];
        for _ in 0..random.below(12) {
            let token: String = (0..1 + random.below(3)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
            if tokens.iter().all(|known| known.0 != token) {
                tokens.push((token, -(random.below(1000) as f64) / 100.0));
            }
        }
        let tokens: Vec<_> = tokens.iter().map(|(token, score)| (token.as_str(), *score)).collect();
        let model = model(&tokens, Settings { unknown: Some(0), byte_fallback: false });
        let text: String = (0..1 + random.below(9)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
        let largest = naive::all(&model, &text).into_iter().map(|path| path.1).fold(f64::MIN, f64::max);
        let Weights::Double(weights, unknown) = &model.weights else { panic!("made so") };
        let best =
            model.find_best(&text, (weights, *unknown), 0.0, &mut vec![], &mut vec![]).expect("an unknown token");
        assert!((best - largest).abs() < 1e-9, "{text} in {tokens:?}");
    }
}

/// The definition of the arithmetic of a `.model`: 32-bit sums by place, made 0 again when they are far away.
fn single(model: &Unigram, text: &str) -> Vec<Segment> {
    let Weights::Single(weights, unknown) = &model.weights else { panic!("made so") };
    let mut best: Vec<Option<(f32, usize, Option<Id>)>> = vec![None; text.len() + 1];
    best[0] = Some((0.0, 0, None));
    for (at, c) in text.char_indices() {
        let here = best[at].map_or(0.0, |known| known.0);
        if here < f32::FAR {
            best[at..].iter_mut().flatten().for_each(|known| known.0 -= here);
        }
        let here = best[at].map_or(0.0, |known| known.0);
        let single = at + c.len_utf8();
        let ends = (single..=(at + 8).min(text.len())).filter(|&end| text.is_char_boundary(end));
        let is_text = |id: &Id| model.kinds.as_ref().is_some_and(|kinds| !kinds.of(*id).is_reserved());
        let token = |end: usize| Some((Some(model.vocab.id(&text.as_bytes()[at..end]).filter(is_text)?), end));
        let mut found: Vec<(Option<Id>, usize)> = ends.filter_map(token).collect();
        if found.first().is_none_or(|&(_, end)| end != single) {
            found.push((None, single));
        }
        for (id, end) in found {
            let sum = here + id.map_or(*unknown, |id| weights[id as usize]);
            if best[end].is_none_or(|(known, ..)| sum > known) {
                best[end] = Some((sum, at, id));
            }
        }
    }
    let (mut path, mut end) = (vec![], text.len());
    while let Some((_, start, id)) = best[end].filter(|_| end > 0) {
        path.push((id, start..end));
        end = start;
    }
    path.reverse();
    path
}

#[test]
fn a_model_file_adds_as_its_library_does() {
    let mut random = crate::testing::Random::new(12);
    for round in 0..200 {
        let mut tokens = vec![("?".to_owned(), 0.0, Kind::Unknown), ("aé".to_owned(), 0.0, Kind::UserDefined)];
        for _ in 0..random.below(12) {
            let token: String = (0..1 + random.below(3)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
            if tokens.iter().all(|known| known.0 != token) {
                tokens.push((token, -(random.below(60) as f32) * 1.1, Kind::Normal));
            }
        }
        let mut vocab = Vocab::default();
        for (id, (token, ..)) in tokens.iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("ids differ");
        }
        let (scores, kinds): (Vec<f32>, _) = tokens.iter().map(|(_, score, kind)| (*score, *kind)).unzip();
        let kinds = Kinds::new(&vocab, kinds, false).expect("a model");
        let model = Unigram::of_kinds(vocab, &scores, kinds);
        // Long enough for sums to be made 0 again, now and then.
        let len = if round % 20 == 0 { 8000 } else { 1 + random.below(30) };
        let text: String = (0..len).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
        let path = model.best_path(&text, &mut Scratch::default()).expect("there is an unknown token");
        assert_eq!(path, single(&model, &text), "{tokens:?}");
    }
}

/// The definition, for the tests: the largest sum over all segmentations, in no more time than is there.
pub mod naive {
    use super::*;

    /// All segmentations of `text` with their scores; unknown characters have no id.
    pub fn all(model: &Unigram, text: &str) -> Vec<(Vec<Option<Id>>, f64)> {
        let Some(c) = text.chars().next() else { return vec![(vec![], 0.0)] };
        let mut starts: Vec<(Option<Id>, usize)> = (1..=text.len())
            .filter(|&end| text.is_char_boundary(end))
            .filter_map(|end| model.vocab.id(&text.as_bytes()[..end]).map(|id| (Some(id), end)))
            .collect();
        if !starts.iter().any(|&(_, end)| end == c.len_utf8()) {
            starts.push((None, c.len_utf8()));
        }
        let longer = |(id, end): (Option<Id>, usize)| {
            let score = id.map_or(model.unknown_weight(), |id| model.weight(id));
            all(model, &text[end..]).into_iter().map(move |(rest, sum)| ([vec![id], rest].concat(), score + sum))
        };
        starts.into_iter().flat_map(longer).collect()
    }
}
