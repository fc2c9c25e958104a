//! What a model did with one pretoken.

use std::ops::Range;

use serde::Serialize;

use super::alternative_path::AlternativePath;
use super::n_best::{self, MOST_SEGMENTATIONS, Unit};
use super::{Bytes, Token, Weighed};
use token_engine::internals::alignment::Part;
use token_engine::internals::vocab::Kind;
use token_engine::models::bpe::WholeTokens;
use token_engine::models::bpe::characters::Bpe;
use token_engine::models::bpe::merges::{Merges, NO_RANK, Rank};
use token_engine::models::bpe::naive::{self, Traced};
use token_engine::models::bpe::scored::{Merging, Symbols};
use token_engine::models::unigram::lattice::{Lattice, LatticeError, Segmentation};
use token_engine::models::unigram::{Unigram, UserDefined};
use token_engine::models::wordpiece::WordPiece;
use token_engine::models::{Model, Scratch};
use token_engine::{Id, Span};

/// The steps of one kind of model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "model", rename_all = "snake_case")]
pub enum Steps {
    /// No model saw it: it is an added token.
    Added,
    /// Byte-pair encoding.
    Bpe {
        /// Whether it was taken whole, without a merge.
        whole: bool,
        /// What merging does with a pretoken that is taken whole, where that makes the same token.
        #[serde(skip)]
        by_merges: Option<Box<Self>>,
        /// What it started from.
        symbols: Vec<Token>,
        /// What each of them merges to with the next one.
        #[serde(skip)]
        pairs: Vec<Option<Join>>,
        /// The merges in their order.
        merges: Vec<Merge>,
        /// The boundaries that are left inside of it.
        boundaries: Vec<Boundary>,
    },
    /// The most probable path.
    Unigram {
        /// All tokens that could stand there.
        nodes: Vec<Node>,
        /// The path that was taken.
        best: Path,
        /// The next best one.
        runner_up: Option<Path>,
        /// For each boundary inside of it, in bytes of the text, where the best path without it differs from the best
        /// one.
        without: Vec<(u32, Option<AlternativePath>)>,
        /// The stretches that are split each on its own, with the most probable segmentations and how probable each boundary is.
        units: Vec<Unit>,
    },
    /// Greedy longest match.
    WordPiece {
        /// One entry per token.
        tries: Vec<Tries>,
        /// Whether it is longer than words may be.
        too_long: bool,
    },
    /// Whole words.
    WordLevel,
    /// All from a space mark to the next, of a SentencePiece model.
    Words,
    /// Each character, of a SentencePiece model.
    Characters,
}

impl Steps {
    /// The merges of byte-pair encoding, also where a pretoken is taken whole and they would make the same token.
    pub(crate) fn merged(&self) -> &Self {
        match self {
            Self::Bpe { by_merges: Some(steps), .. } => steps,
            other => other,
        }
    }

    /// Calls `each` with the ids that it names.
    pub(crate) fn each_id(&self, each: &mut dyn FnMut(Id)) {
        match self.merged() {
            Self::Bpe { symbols, pairs, merges, .. } => {
                symbols.iter().for_each(|symbol| each(symbol.id));
                let beside = merges.iter().flat_map(|merge| &merge.beside);
                pairs.iter().chain(beside).flatten().for_each(|join| each(join.id));
                merges.iter().flat_map(|merge| merge.pair.into_iter().chain([merge.id])).for_each(each);
            }
            Self::Unigram { nodes, units, .. } => {
                nodes.iter().filter_map(|node| node.id).for_each(&mut *each);
                let weighed = units.iter().flat_map(|unit| &unit.n_best).flat_map(|path| &path.tokens);
                weighed.for_each(|token| each(token.id));
            }
            Self::WordPiece { tries, .. } => tries.iter().filter_map(|one| one.found).for_each(each),
            Self::Added | Self::WordLevel | Self::Words | Self::Characters => {}
        }
    }
}

/// A merge that was done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Merge {
    /// Its place in the order of merges.
    pub(crate) rank: Rank,
    /// The two tokens.
    pub(crate) pair: [Id; 2],
    /// What they became.
    pub(crate) id: Id,
    /// What that stands for.
    pub(crate) span: Bytes,
    /// The score of what they became, where scores are what ranks come from: equal ones have equal ranks.
    pub(crate) score: Option<f32>,
    /// Index of the symbol where it starts, of those there were at first.
    #[serde(skip)]
    pub(crate) at: usize,
    /// What it merges to with the token before it and with the one after it.
    #[serde(skip)]
    pub(crate) beside: [Option<Join>; 2],
}

/// What two neighbours merge to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Join {
    /// As that of [`Merge`].
    pub(crate) rank: Rank,
    /// What they become.
    pub(crate) id: Id,
}

impl Join {
    fn of((rank, id): (Rank, Id)) -> Option<Self> {
        (rank != NO_RANK).then_some(Self { rank, id })
    }
}

/// A boundary that is left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Boundary {
    /// Byte of the text.
    pub(crate) byte: u32,
    /// The tokens on both sides, which do not merge.
    pub(crate) pair: [Id; 2],
    /// Merges over this place that another one came before.
    pub(crate) blocked: Vec<Blocked>,
}

/// A merge that came to nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Blocked {
    /// Its place in the order of merges.
    pub rank: Rank,
    /// The two tokens.
    pub pair: [Id; 2],
    /// Index of the merge that took one of them.
    pub by: usize,
    /// As that of [`Merge`].
    pub(crate) score: Option<f32>,
}

/// A token that could stand somewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Node {
    /// Its id; `None` for an unknown character.
    pub id: Option<Id>,
    /// What it would stand for.
    pub(crate) span: Bytes,
    /// Natural logarithm of its probability.
    pub score: f64,
    /// What it would stand for, in bytes of the pretoken.
    #[serde(skip)]
    pub(crate) range: [u32; 2],
    /// Sum of the scores of the best path from the start of the pretoken to its end.
    #[serde(skip)]
    pub(crate) until: f64,
}

/// A segmentation of a pretoken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Path {
    /// Its tokens.
    pub(crate) tokens: Vec<Token>,
    /// Natural logarithm of its probability.
    pub(crate) score: f64,
}

/// What was looked up for one token.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Tries {
    /// Byte of the text where it starts.
    pub(crate) byte: u32,
    /// The same in bytes of the word, and where what was found ends.
    #[serde(skip)]
    pub(crate) range: (u32, Option<u32>),
    /// Entries that were looked up, from the longest on: the first ones.
    pub(crate) candidates: Vec<String>,
    /// How many were looked up.
    pub(crate) tried: usize,
    /// The one that was found.
    pub(crate) found: Option<Id>,
}

/// Where bytes of a pretoken are in the text.
type Place<'a> = &'a dyn Fn(Range<usize>) -> Bytes;

/// What the model does with a pretoken, and the tokens that come of it.
pub(crate) fn of_pretoken(
    model: &Model,
    pretoken: &Part<'_>,
    weighed: Weighed,
) -> Result<(Steps, Vec<Token>), LatticeError> {
    let content = pretoken.text();
    let bytes = |span: Span| [span.start, span.end];
    let place = |range: Range<usize>| bytes(pretoken.span(range));
    match model {
        Model::ByteBpe(model) => {
            // Tokens may split characters.
            let place = |range: Range<usize>| bytes(pretoken.span_of_bytes(range));
            let bpe = model.bpe();
            let whole = model.whole(content.as_bytes()).filter(|_| bpe.whole_tokens() == WholeTokens::Always);
            let symbols = content.bytes().enumerate().map(|(at, byte)| (bpe.byte_ids()[usize::from(byte)], at..at + 1));
            let merged = of_bpe(bpe.merges(), &symbols.collect::<Vec<_>>(), &place);
            Ok(whole_or(whole, merged, place(0..content.len())))
        }
        Model::Bpe(bpe) if bpe.kinds().is_some() => Ok(of_scores(bpe, content, &place)),
        Model::Bpe(bpe) => {
            let whole = bpe.whole(content);
            let symbols = match bpe.symbols(content) {
                Err(_) if whole.is_some() => vec![],
                symbols => symbols?,
            };
            Ok(whole_or(whole, of_bpe(bpe.merges(), &symbols, &place), place(0..content.len())))
        }
        Model::Unigram(unigram) => of_unigram(unigram, content, &place, weighed),
        Model::WordPiece(wordpiece) => Ok(of_wordpiece(wordpiece, content, &place)),
        Model::WordLevel(wordlevel) => {
            let id = wordlevel.encode(content)?;
            Ok((Steps::WordLevel, vec![Token { id, span: Some(place(0..content.len())) }]))
        }
    }
}

/// What user-defined tokens of a `.model` stand for.
pub(crate) fn user_defined(model: &Model, pretoken: &Part<'_>) -> Vec<Bytes> {
    let (Some(kinds), mut tokens) = (model.kinds(), vec![]) else { return vec![] };
    if model.encode(pretoken.text(), &mut Scratch::new(0), &mut tokens).is_err() {
        return vec![];
    }
    let kept = tokens.into_iter().filter(|(id, _)| kinds.of(*id) == Kind::UserDefined);
    kept.map(|(_, range)| pretoken.span(range)).map(|span| [span.start, span.end]).collect()
}

/// What a `.model` that merges by scores, or does not merge, does.
fn of_scores(bpe: &Bpe, content: &str, place: Place<'_>) -> (Steps, Vec<Token>) {
    let Some(Merging { symbols, traced, tokens }) = bpe.merging(content) else { return (Steps::Words, vec![]) };
    let tokens: Vec<Token> = tokens.into_iter().map(|(id, range)| Token { id, span: Some(place(range)) }).collect();
    match bpe.symbols_of_model() {
        Some(Symbols::Words) => return (Steps::Words, tokens),
        Some(Symbols::Characters) => return (Steps::Characters, tokens),
        Some(Symbols::Merging) | None => {}
    }
    let score = |id: Id| bpe.score(id).map(|score| score as f32);
    let over = |symbols: &[Symbol]| place(symbols[0].1.start..symbols.last().map_or(0, |symbol| symbol.1.end));
    let blocked = ByPlace::of(&traced, |middle| place(symbols[middle].1.clone())[0] as usize);
    let boundaries = tokens.windows(2).filter_map(|pair| {
        let byte = pair[1].span?[0];
        Some(Boundary { byte, pair: [pair[0].id, pair[1].id], blocked: blocked.at(byte as usize, score) })
    });
    let steps = Steps::Bpe {
        whole: false,
        by_merges: None,
        boundaries: boundaries.collect(),
        merges: merges_of(&traced, &symbols, &over, score),
        pairs: traced.pairs.iter().map(|&pair| Join::of(pair)).collect(),
        symbols: symbols.iter().map(|(id, range)| Token { id: *id, span: Some(place(range.clone())) }).collect(),
    };
    (steps, tokens)
}

/// The token that a pretoken is taken as, if it is taken whole; else what merging made of it.
fn whole_or(whole: Option<Id>, merged: (Steps, Vec<Token>), span: Bytes) -> (Steps, Vec<Token>) {
    let Some(id) = whole else { return merged };
    let (steps, tokens) = merged;
    let by_merges = (tokens.len() == 1 && tokens[0].id == id).then(|| Box::new(steps));
    let (symbols, pairs, merges, boundaries) = (vec![], vec![], vec![], vec![]);
    let steps = Steps::Bpe { whole: true, by_merges, symbols, pairs, merges, boundaries };
    (steps, vec![Token { id, span: Some(span) }])
}

fn of_bpe(merges: &Merges, symbols: &[(Id, Range<usize>)], place: Place<'_>) -> (Steps, Vec<Token>) {
    let ids: Vec<Id> = symbols.iter().map(|symbol| symbol.0).collect();
    let traced = naive::trace(&ids, |left, right| merges.join(left, right));
    // Unknown characters may come later than where they stand.
    let over = |symbols: &[(Id, Range<usize>)]| {
        let start = symbols.iter().map(|symbol| symbol.1.start).min().unwrap_or_default();
        place(start..symbols.iter().map(|symbol| symbol.1.end).max().unwrap_or_default())
    };
    let starts: Vec<usize> = traced.tokens.iter().map(|token| token.1).chain([symbols.len()]).collect();
    let tokens: Vec<Token> = traced
        .tokens
        .iter()
        .zip(starts.windows(2))
        .map(|(&(id, _), range)| Token { id, span: Some(over(&symbols[range[0]..range[1]])) })
        .collect();
    let merges = merges_of(&traced, symbols, &over, |_| None);
    let blocked = ByPlace::of(&traced, |middle| middle);
    let boundaries = traced.tokens.windows(2).map(|pair| {
        let middle = pair[1].1;
        Boundary {
            byte: place(symbols[middle].1.clone())[0],
            pair: [pair[0].0, pair[1].0],
            blocked: blocked.at(middle, |_| None),
        }
    });
    let boundaries = boundaries.collect();
    let symbols = symbols.iter().map(|(id, range)| Token { id: *id, span: Some(place(range.clone())) }).collect();
    let pairs = traced.pairs.iter().map(|&pair| Join::of(pair)).collect();
    (Steps::Bpe { whole: false, by_merges: None, symbols, pairs, merges, boundaries }, tokens)
}

/// A token and the bytes of the pretoken that it stands for.
type Symbol = (Id, Range<usize>);

/// The merges with what they stand for, and the scores of what they made.
pub(crate) fn merges_of(
    traced: &Traced,
    symbols: &[(Id, Range<usize>)],
    over: &dyn Fn(&[Symbol]) -> Bytes,
    score: impl Fn(Id) -> Option<f32>,
) -> Vec<Merge> {
    let mut ends: Vec<usize> = (1..=symbols.len()).collect();
    let merges = traced.steps.iter().map(|step| {
        ends[step.at] = ends[step.middle];
        let span = over(&symbols[step.at..ends[step.at]]);
        let beside = step.beside.map(Join::of);
        Merge {
            rank: step.rank,
            pair: step.pair,
            id: step.result,
            span,
            score: score(step.result),
            at: step.at,
            beside,
        }
    });
    merges.collect()
}

/// The merges that came to nothing, by the place that they are over.
struct ByPlace<'a>(Vec<(usize, &'a naive::Blocked)>);

impl<'a> ByPlace<'a> {
    /// `place`: that of a symbol.
    fn of(traced: &'a Traced, place: impl Fn(usize) -> usize) -> Self {
        let mut blocked: Vec<_> = traced.blocked.iter().map(|one| (place(one.middle), one)).collect();
        // Those over one place stay in the order in which they came to nothing.
        blocked.sort_by_key(|(place, _)| *place);
        Self(blocked)
    }

    fn at(&self, place: usize, score: impl Fn(Id) -> Option<f32>) -> Vec<Blocked> {
        let first = self.0.partition_point(|(other, _)| *other < place);
        let here = self.0[first..].iter().take_while(|(other, _)| *other == place);
        here.map(|(_, one)| Blocked { rank: one.rank, pair: one.pair, by: one.by, score: score(one.result) }).collect()
    }
}

fn of_unigram(
    model: &Unigram,
    pretoken: &str,
    place: Place<'_>,
    weighed: Weighed,
) -> Result<(Steps, Vec<Token>), LatticeError> {
    let lattice = Lattice::new(model, pretoken, UserDefined::ByBytes)?;
    let tokens = |tokens: &[(Id, Range<usize>)]| -> Vec<Token> {
        tokens.iter().map(|(id, range)| Token { id: *id, span: Some(place(range.clone())) }).collect()
    };
    let path = |one: &Segmentation| Path { tokens: tokens(&one.tokens), score: one.sum };
    let best = model.encoded(pretoken)?;
    let node = |((range, id, score), until): ((Range<usize>, _, _), _)| {
        let bytes = [range.start as u32, range.end as u32];
        Node { id, span: place(range), score, range: bytes, until }
    };
    let nodes = lattice.nodes().zip(lattice.sums()).map(node).collect();
    let (mut runner_up, mut without, mut units) = (None, vec![], vec![]);
    if weighed == Weighed::All {
        // Of equal paths any may come first here.
        runner_up = lattice.n_best(3)?.iter().find(|one| one.tokens != best.tokens).map(path);
        without = each_without(&lattice, &best.tokens, pretoken, place)?;
        units = n_best::of_lattice(pretoken, &lattice.weighed(), place, &|segmented| tokens(&segmented), |unit| {
            let found = Lattice::new(model, unit, UserDefined::ByBytes)?.n_best(MOST_SEGMENTATIONS)?;
            Ok::<_, LatticeError>(found.into_iter().map(|one| (one.tokens, one.sum)).collect())
        })?;
    }
    let best = path(&best);
    let tokens = best.tokens.clone();
    Ok((Steps::Unigram { nodes, best, runner_up, without, units }, tokens))
}

/// For each boundary inside of the best path, in bytes of the text, the best path without it.
fn each_without(
    lattice: &Lattice<'_>,
    best: &[Symbol],
    pretoken: &str,
    place: Place<'_>,
) -> Result<Vec<(u32, Option<AlternativePath>)>, LatticeError> {
    let len = pretoken.len();
    // Bytes of one character have no boundary between them.
    let starts = best.iter().skip(1).filter(|(_, range)| pretoken.is_char_boundary(range.start));
    let without = starts.map(|(_, Range { start: boundary, .. })| {
        let other = lattice.best_without(*boundary)?;
        let path = other.map(|other| AlternativePath::new(best, &other.tokens, other.score, *boundary, len, place));
        Ok((place(*boundary..len)[0], path))
    });
    without.collect()
}

fn of_wordpiece(model: &WordPiece, word: &str, place: Place<'_>) -> (Steps, Vec<Token>) {
    let tries = model.tries(word);
    let known = tries.last().is_some_and(|last| last.found.is_some());
    let tokens = tries.iter().filter_map(|one| Some((one.start, one.found?)));
    let tokens = tokens.map(|(start, (id, end))| Token { id, span: Some(place(start..end)) });
    let unknown = || vec![Token { id: model.settings().unknown, span: Some(place(0..word.len())) }];
    let tokens = if known { tokens.collect() } else { unknown() };
    let too_long = tries.is_empty();
    let tries = tries.into_iter().map(|one| Tries {
        byte: place(one.start..word.len())[0],
        range: (one.start as u32, one.found.map(|(_, end)| end as u32)),
        candidates: one.candidates,
        tried: one.tried,
        found: one.found.map(|(id, _)| id),
    });
    (Steps::WordPiece { tries: tries.collect(), too_long }, tokens)
}
