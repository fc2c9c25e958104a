//! The stages of a tokenizer and their order, which is written here and nowhere else.
//!
//! ```text
//! added tokens -> normalizer -> added tokens in the normalized text -> pretokenizer -> model
//! ```
//!
//! A [`Run`] takes a text through the stages and calls an [`Observe`]r: encoding is the observer that asks the model and
//! pushes its tokens into a [`Sink`]; traces, changes and sampling are others. The observer is a type parameter, so what
//! it does not ask for costs nothing. No pretoken is kept: each is handed on as soon as it is found.
//!
//! This is the definition of every tokenizer. Not here: faster ways to the same tokens ([`crate::fast`]), the
//! postprocessor, which sees all texts of a call at once ([`crate::tokenizer`]).

use crate::added_tokens::{AddedTokens, Specials};
use crate::alignment::Part;
use crate::call;
use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::models::unigram::lattice::LatticeError;
use crate::models::{self, Model, UnknownSymbol};
use crate::normalizers::Normalizer;
use crate::pretokenizers::Pretokenizer;
use crate::pretokens::{AddedTokenMatch, Pretokens};

/// The stages between the added tokens and the postprocessor.
#[derive(Clone, Debug)]
pub struct Stages {
    /// Changes the text; `None` leaves it as it is.
    pub normalizer: Option<Normalizer>,
    /// Splits it into pretokens; without one the text between two added tokens is one pretoken.
    pub pretokenizer: Option<Pretokenizer>,
    /// Makes tokens of each pretoken.
    pub model: Model,
}

/// Where a text that is encoded lies in the text it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At its start, or after an added token, where the stages start anew.
    OfText,
    /// After a split point: nothing is put before the text and nothing is stripped from its start.
    Inside,
}

/// A step that a [`Run`] has done.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Added tokens were extracted from the original text.
    AddedTokens,
    /// One step of the normalizer ran.
    Normalizer(&'a Normalizer),
    /// Added tokens were extracted from the normalized text.
    NormalizedAddedTokens,
    /// One step of the pretokenizer ran.
    Pretokenizer(&'a Pretokenizer),
}

/// Follows a text through the stages.
pub trait Observe {
    /// Whether [`Self::after_step`] is called. Every step then runs over the whole text before the next one.
    const EACH_STEP: bool = false;

    /// The work from here on belongs to `stage`.
    #[inline(always)]
    fn enter(&mut self, _stage: Stage) {}

    /// A step left these pretokens of the text.
    ///
    /// Errors: any, which end the run.
    fn after_step(&mut self, _step: Step<'_>, _pretokens: &Pretokens) -> Result<(), EncodeError> {
        Ok(())
    }

    /// The next pretoken is an added token.
    ///
    /// Errors: any, which end the run.
    fn added_token(&mut self, _found: AddedTokenMatch, _pretoken: &Part<'_>) -> Result<(), EncodeError> {
        Ok(())
    }

    /// The next pretoken goes to the model.
    ///
    /// Errors: any, which end the run.
    fn pretoken(&mut self, pretoken: &Part<'_>) -> Result<(), EncodeError>;
}

/// Which added tokens a [`Run`] extracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extract {
    All,
    /// Those that are looked for in the normalized text: the text has none of the others.
    Normalized,
    Nothing,
}

/// The stages as they are run over one text.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    added: &'a AddedTokens,
    specials: Specials,
    extract: Extract,
    /// For the pretoken that the text starts with.
    first: Option<&'a Normalizer>,
    normalizer: Option<&'a Normalizer>,
    pretokenizer: Option<&'a Pretokenizer>,
}

impl Stages {
    /// A run over a text that spells these added tokens.
    pub(crate) fn run<'a>(&'a self, added: &'a AddedTokens, specials: Specials) -> Run<'a> {
        Run::new(added, specials, self.normalizer.as_ref(), self.pretokenizer.as_ref())
    }

    /// Pushes the tokens of `text`, added tokens among them. Dropout draws the same numbers in every call.
    ///
    /// Errors: text unknown to a model without an unknown token; a special token under [`Specials::Reject`]; a pattern
    /// that tries too many ways to match.
    pub(crate) fn encode<S: Sink>(
        &self,
        added: &AddedTokens,
        text: &str,
        start: Start,
        specials: Specials,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        self.encode_with(added, text, start, specials, &mut models::Scratch::new(0), sink)
    }

    /// The same with scratch memory of earlier calls, which has the tokens of words seen before.
    ///
    /// Errors: as [`Self::encode`].
    pub(crate) fn encode_with<S: Sink>(
        &self,
        added: &AddedTokens,
        text: &str,
        start: Start,
        specials: Specials,
        scratch: &mut models::Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        scratch.reseed(0);
        let changes_starts = |normalizer: &&Normalizer| start == Start::Inside && normalizer.changes_starts();
        let inside = self.normalizer.as_ref().filter(changes_starts).map(Normalizer::inside);
        let run = self.run(added, specials);
        let run = Run { first: inside.as_ref().or(run.first), ..run };
        run.encode(&self.model, text, 0, scratch, sink)
    }

    /// The normalizer and the pretokenizer for a text that continues bytes which are no characters: they put nothing
    /// before it. For text that continues text see [`Start::Inside`].
    pub(crate) fn inside(&self) -> (Option<Normalizer>, Option<Pretokenizer>) {
        (self.normalizer.as_ref().map(Normalizer::inside), self.pretokenizer.as_ref().map(Pretokenizer::inside))
    }
}

impl<'a> Run<'a> {
    /// A run over a text that spells these added tokens.
    pub fn new(
        added: &'a AddedTokens,
        specials: Specials,
        normalizer: Option<&'a Normalizer>,
        pretokenizer: Option<&'a Pretokenizer>,
    ) -> Self {
        Self { added, specials, extract: Extract::All, first: normalizer, normalizer, pretokenizer }
    }

    /// The same for a text that continues bytes, with the stages of [`Stages::inside`].
    #[must_use]
    pub(crate) fn after_bytes(self, (first, pretokenizer): &'a (Option<Normalizer>, Option<Pretokenizer>)) -> Self {
        Self { first: first.as_ref(), pretokenizer: pretokenizer.as_ref(), ..self }
    }

    /// The same for text in which no added token is spelled.
    #[must_use]
    pub(crate) fn without_added_tokens(self) -> Self {
        Self { extract: Extract::Nothing, ..self }
    }

    /// The same for a part of a text from which the added tokens that are looked for as they are were extracted.
    #[must_use]
    pub(crate) fn of_part(self, normalizer: Option<&'a Normalizer>) -> Self {
        // Without a normalizer the others were extracted with them.
        let extract = if normalizer.is_some() { Extract::Normalized } else { Extract::Nothing };
        Self { first: normalizer, normalizer, extract, ..self }
    }

    /// Pushes the tokens that `model` makes of `text`, whose first byte is byte `base` of the original text.
    ///
    /// Errors: as [`Stages::encode`].
    pub(crate) fn encode<S: Sink>(
        self,
        model: &Model,
        text: &str,
        base: usize,
        scratch: &mut models::Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        self.over(text, base, &mut Encode { model, text, base, scratch, sink })
    }

    /// Runs the stages over `text`, whose first byte is byte `base` of the original text: the order of the stages.
    ///
    /// Errors: those of the stages and of the observer, the first of which ends it.
    pub fn over<O: Observe>(self, text: &str, base: usize, observer: &mut O) -> Result<(), EncodeError> {
        let Self { added, specials, extract, pretokenizer, .. } = self;
        observer.enter(Stage::Normalizer);
        let mut pretokens = Pretokens::new(text, base);
        if extract == Extract::All {
            added.extract(&mut pretokens, false, specials)?;
        }
        if O::EACH_STEP {
            observer.after_step(Step::AddedTokens, &pretokens)?;
        }
        self.normalize(base, &mut pretokens, observer)?;
        // Even if no token is looked for: pretokens start where what is left of them starts.
        if extract != Extract::Nothing {
            added.extract(&mut pretokens, true, specials)?;
        }
        if O::EACH_STEP {
            observer.after_step(Step::NormalizedAddedTokens, &pretokens)?;
        }
        observer.enter(Stage::Pretokenizer);
        if O::EACH_STEP {
            for step in pretokenizer.iter().flat_map(|all| all.steps()) {
                step.pretokenize(&mut pretokens)?;
                observer.after_step(Step::Pretokenizer(step), &pretokens)?;
            }
        }
        let mut checks = call::Checks::default();
        let mut pretoken = |pretoken: &Part<'_>, observer: &mut O| {
            checks.step()?;
            observer.enter(Stage::Model);
            let done = observer.pretoken(pretoken);
            observer.enter(Stage::Pretokenizer);
            done
        };
        for left in pretokens.iter() {
            call::check()?;
            let part = left.text.whole();
            match (left.token, pretokenizer) {
                (Some(found), _) => observer.added_token(found, &part)?,
                (None, Some(pretokenizer)) if !O::EACH_STEP => {
                    pretokenizer.split(&part, &mut |part| pretoken(&part, observer))?;
                }
                (None, _) => pretoken(&part, observer)?,
            }
        }
        Ok(())
    }

    fn normalize<O: Observe>(
        self,
        base: usize,
        pretokens: &mut Pretokens,
        observer: &mut O,
    ) -> Result<(), EncodeError> {
        if O::EACH_STEP {
            let bytes = |pretokens: &Pretokens| pretokens.iter().map(|pretoken| pretoken.text.text().len()).sum();
            let before = bytes(pretokens);
            for step in self.normalizer.iter().flat_map(|all| all.steps()) {
                pretokens.try_change(|pretoken| step.normalize(pretoken))?;
                // Each step alone may make the text 32 times as long.
                call::check_normalized(bytes(pretokens), before)?;
                observer.after_step(Step::Normalizer(step), pretokens)?;
            }
            return Ok(());
        }
        if self.first.is_none() && self.normalizer.is_none() {
            return Ok(());
        }
        pretokens.try_change(|pretoken| {
            call::check()?;
            let normalizer = if pretoken.origin() == base { self.first } else { self.normalizer };
            normalizer.map_or(Ok(()), |normalizer| normalizer.normalize(pretoken))
        })
    }
}

/// Encodes: asks the model and pushes its tokens.
struct Encode<'a, S> {
    model: &'a Model,
    text: &'a str,
    base: usize,
    scratch: &'a mut models::Scratch,
    sink: &'a mut S,
}

impl<S: Sink> Observe for Encode<'_, S> {
    #[inline(always)]
    fn enter(&mut self, stage: Stage) {
        self.sink.enter(stage);
    }

    fn added_token(&mut self, found: AddedTokenMatch, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        self.sink.spelling(pretoken.text());
        self.sink.push_added(found.id, pretoken.span(0..pretoken.text().len()), found.special);
        Ok(())
    }

    fn pretoken(&mut self, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        let Self { model, text, base, scratch, sink } = self;
        // Other models spell what they do not know as their unknown token.
        let unknown = model.unknown().filter(|_| matches!(model, Model::Unigram(_)) && model.kinds().is_none());
        // Tokens of bytes may split a character.
        let is_bytes = matches!(model, Model::ByteBpe(_));
        sink.begin_pretoken();
        let encoded = model.for_each_token(pretoken.text(), scratch, |id, range| {
            if unknown == Some(id) {
                sink.spelling(&pretoken.text()[range.clone()]);
            }
            sink.push(id, if is_bytes { pretoken.span_of_bytes(range) } else { pretoken.span(range) });
        });
        encoded.map_err(|refused| no_unknown(text, *base, pretoken, refused))
    }
}

/// A pretoken, or the added token in its place.
#[derive(Clone, Copy, Debug)]
pub enum ModelInput<'a> {
    /// An added token, which no model sees.
    Added(AddedTokenMatch),
    /// A pretoken.
    Pretoken(&'a Part<'a>),
}

/// Calls a function with every pretoken of the text, for those that ask the model in another way than [`Stages::encode`].
pub struct EachInput<F>(pub F);

impl<F: FnMut(ModelInput<'_>) -> Result<(), EncodeError>> Observe for EachInput<F> {
    fn added_token(&mut self, found: AddedTokenMatch, _: &Part<'_>) -> Result<(), EncodeError> {
        (self.0)(ModelInput::Added(found))
    }

    fn pretoken(&mut self, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        (self.0)(ModelInput::Pretoken(pretoken))
    }
}

/// The error for a pretoken without a lattice or segmentations. The pretoken is of `text`.
pub fn no_lattice(text: &str, pretoken: &Part<'_>, error: LatticeError) -> EncodeError {
    match error {
        LatticeError::Unknown(refused) => no_unknown(text, 0, pretoken, refused),
        LatticeError::TooLarge => {
            EncodeError::LatticeTooLarge { bytes: pretoken.text().len(), max: call::LATTICE_TOKENS }
        }
        LatticeError::Cancelled(cancelled) => cancelled.into(),
    }
}

/// The error for a part of a pretoken that the model does not know. The pretoken is of `text`, whose first byte is byte
/// `base` of the original text. A model says the same where its call was cancelled.
pub fn no_unknown(text: &str, base: usize, pretoken: &Part<'_>, UnknownSymbol { at }: UnknownSymbol) -> EncodeError {
    if let Err(cancelled) = call::check() {
        return cancelled.into();
    }
    let span = pretoken.span(at);
    let (mut start, mut end) = (span.start as usize - base, span.end as usize - base);
    // A letter of the byte alphabet may stand for a part of a character; the error shows the character.
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    EncodeError::NoUnknown { text: text[start..end].to_owned(), byte: base + start }
}
