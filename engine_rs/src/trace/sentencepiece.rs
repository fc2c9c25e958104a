//! What a SentencePiece model did with a text: its one normalizer, then its model over each stretch between added tokens.

use std::convert::Infallible;
use std::ops::Range;

use super::detour::Detour;
use super::steps::{Boundary, Node, Path, Steps, blocked_at, merges_of};
use super::ways::{self, MOST_WAYS, Unit};
use super::{Bytes, Pretoken, Stage, Text, Token, Trace, check_length};
use crate::added_tokens::{Segment, Specials};
use crate::encoding::Encoding;
use crate::error::EncodeError;
use crate::ids::Id;
use crate::models::scored::bpe::trace::Merging;
use crate::models::scored::unigram::lattice::{Lattice, Segmentation, Sums};
use crate::models::scored::{Algorithm, Kind, Scored};
use crate::models::unigram::weights;
use crate::normalizers::sentencepiece::Normalized;
use crate::pipelines::sentencepiece::SentencePiece;
use crate::tokenizer::Tokenizer;

/// Tokens of the model with the bytes of the normalized text that they stand for.
type Segmented = Vec<(Id, Range<usize>)>;

/// The trace, its final tokens left out.
pub fn trace(
    tokenizer: &Tokenizer,
    fused: &SentencePiece,
    text: &str,
    specials: Specials,
) -> Result<Trace, EncodeError> {
    let segments = tokenizer.segments(text, specials)?;
    let raw = segments.iter().map(|segment| match segment {
        Segment::Token(found, span) => whole(&text[span.range()], [span.start, span.end], Some(found.id)),
        Segment::Text(span) => whole(&text[span.range()], [span.start, span.end], None),
    });
    let mut normalizer = vec![Stage { step: "added tokens in the text".into(), pieces: raw.collect() }];
    let mut pretokens: Vec<Pretoken> = vec![];
    let mut characters = 0;
    for segment in segments {
        let mut pretoken = match segment {
            Segment::Token(found, span) => added(&text[span.range()], [span.start, span.end], found.id),
            Segment::Text(span) => match of_segment(fused, &text[span.range()], span.start, &mut characters)? {
                Some(pretoken) => pretoken,
                None => continue,
            },
        };
        pretoken.split_by = (!pretokens.is_empty()).then(|| "added token".to_owned());
        pretokens.push(pretoken);
    }
    let pieces = pretokens.iter().map(|one| {
        let id = matches!(one.steps, Steps::Added).then(|| one.tokens[0].id);
        whole(&one.text, one.span, id)
    });
    normalizer.push(Stage { step: tokenizer.stages().normalizer, pieces: pieces.collect() });
    Ok(Trace { text_bytes: text.len(), normalizer, pretokenizer: vec![], pretokens, tokens: vec![] })
}

fn whole(text: &str, span: Bytes, added: Option<Id>) -> Text {
    Text { text: text.to_owned(), span, added }
}

fn added(text: &str, span: Bytes, id: Id) -> Pretoken {
    let characters = text.char_indices().map(|(at, c)| (span[0] + at as u32, c.len_utf8() as u32));
    Pretoken {
        text: text.to_owned(),
        span,
        alignment: characters.map(|(at, len)| [at, at + len]).collect(),
        split_by: None,
        branch: None,
        user_defined: vec![],
        steps: Steps::Added,
        tokens: vec![Token { id, span: Some(span) }],
    }
}

/// Traces a stretch of text that starts at byte `base`; `None` if the normalizer leaves nothing of it. Adds its normalized
/// length to `characters`.
fn of_segment(
    fused: &SentencePiece,
    text: &str,
    base: u32,
    characters: &mut usize,
) -> Result<Option<Pretoken>, EncodeError> {
    let mut normalized = Normalized::default();
    fused.normalizer().normalize(text, &mut normalized);
    let content = &normalized.text;
    if content.is_empty() {
        return Ok(None);
    }
    *characters += content.chars().count();
    check_length(*characters, true)?;
    let place = |range: Range<usize>| [range.start, range.end].map(|at| base + normalized.starts[at]);
    let model = fused.model();
    let mut out = Encoding::default();
    let push = |segmented: Segmented, out: &mut Encoding| {
        fused.push(text, base as usize, &normalized, segmented.into_iter(), out);
        let tokens = out.ids.iter().zip(&out.spans);
        tokens.map(|(&id, span)| Token { id, span: Some([span.start, span.end]) }).collect::<Vec<_>>()
    };
    let (steps, tokens, segmented) = if let Some(merging) = model.merging(content) {
        let segmented = merging.tokens.clone();
        let tokens = push(segmented.clone(), &mut out);
        (of_merging(model, &merging, &tokens, &place), tokens, segmented)
    } else {
        let mut segmented = vec![];
        model.encode(content, &mut Default::default(), &mut segmented);
        let tokens = push(segmented.clone(), &mut out);
        let steps = match (model.lattice(content, Sums::Encoding), model.algorithm()) {
            (Some(lattice), _) => {
                let units =
                    units(model, &lattice, content, &place, &|segmented| push(segmented, &mut Encoding::default()));
                of_lattice(model, &lattice, &segmented, &tokens, content.len(), &place, units)
            }
            (None, Algorithm::Word) => Steps::Words,
            (None, _) => Steps::Characters,
        };
        (steps, tokens, segmented)
    };
    let user_defined = segmented.into_iter().filter(|(id, _)| model.kind(*id) == Kind::UserDefined);
    Ok(Some(Pretoken {
        text: content.clone(),
        span: place(0..content.len()),
        alignment: content.char_indices().map(|(at, c)| place(at..at + c.len_utf8())).collect(),
        split_by: None,
        branch: None,
        user_defined: user_defined.map(|(_, range)| place(range)).collect(),
        steps,
        tokens,
    }))
}

fn of_merging(model: &Scored, merging: &Merging, tokens: &[Token], place: &dyn Fn(Range<usize>) -> Bytes) -> Steps {
    let Merging { symbols, traced, .. } = merging;
    let score = |id: Id| model.score(id);
    let over =
        |symbols: &[(Id, Range<usize>)]| place(symbols[0].1.start..symbols.last().map_or(0, |symbol| symbol.1.end));
    let boundaries = tokens.windows(2).filter_map(|pair| {
        let byte = pair[1].span?[0];
        let here = |middle: usize| place(symbols[middle].1.clone())[0] == byte;
        Some(Boundary { byte, pair: [pair[0].id, pair[1].id], blocked: blocked_at(traced, here, score) })
    });
    Steps::Bpe {
        whole: false,
        symbols: symbols.iter().map(|(id, range)| Token { id: *id, span: Some(place(range.clone())) }).collect(),
        merges: merges_of(traced, symbols, &over, score),
        boundaries: boundaries.collect(),
    }
}

fn of_lattice(
    model: &Scored,
    lattice: &Lattice,
    segmented: &Segmented,
    tokens: &[Token],
    len: usize,
    place: &dyn Fn(Range<usize>) -> Bytes,
    units: Vec<Unit>,
) -> Steps {
    let of_model = |one: &Segmentation| Path {
        tokens: one.tokens.iter().map(|(id, range)| Token { id: *id, span: Some(place(range.clone())) }).collect(),
        score: f64::from(lattice.score(&one.tokens)),
    };
    let known = |id: Id| Some(id).filter(|&id| id != model.unknown());
    let without = segmented.iter().skip(1).map(|(_, range)| {
        let other = lattice.best_without(range.start);
        let score = |other: &Segmentation| f64::from(lattice.score(&other.tokens));
        let detour = other.map(|other| Detour::new(segmented, &other.tokens, score(&other), range.start, len, place));
        (place(range.start..len)[0], detour)
    });
    Steps::Unigram {
        nodes: lattice
            .nodes()
            .map(|(range, id, score)| Node { id: known(id), span: place(range), score: f64::from(score) })
            .collect(),
        best: Path { tokens: tokens.to_vec(), score: f64::from(lattice.score(segmented)) },
        runner_up: lattice.n_best(3).iter().find(|one| one.tokens != *segmented).map(of_model),
        without: without.collect(),
        units,
    }
}

fn units(
    model: &Scored,
    lattice: &Lattice,
    content: &str,
    place: &dyn Fn(Range<usize>) -> Bytes,
    tokens: &dyn Fn(Segmented) -> Vec<Token>,
) -> Vec<Unit> {
    // Bytes take the place of each unknown character on its own.
    let is_unknown = |id: Id| id == model.unknown() && model.bytes().is_none();
    let nodes: Vec<_> = lattice
        .nodes()
        .map(|(range, id, score)| weights::Node { range, score: f64::from(score), is_unknown: is_unknown(id) })
        .collect();
    let n_best = |unit: &str| {
        let found = model.lattice(unit, Sums::Encoding);
        let scored = |of: &Lattice, one: Segmentation| (one.tokens.clone(), f64::from(of.score(&one.tokens)));
        Ok::<_, Infallible>(
            found.map_or_else(Vec::new, |of| of.n_best(MOST_WAYS).into_iter().map(|one| scored(&of, one)).collect()),
        )
    };
    let Ok(units) = ways::of_lattice(content, &nodes, place, tokens, n_best);
    units
}
