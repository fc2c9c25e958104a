//! What comes around the tokens of a text before a model sees them, and what their spans leave out.

pub mod bert;
pub(crate) mod roberta;
pub mod template;
pub mod trim;

use crate::call::{self, Adds};
use crate::encoding::Encoding;
use crate::error::EncodeError;
use crate::ids::Id;
use bert::BertProcessing;
use roberta::RobertaProcessing;
use template::{Part, Template};
use trim::Trim;

/// A postprocessor of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Postprocessor {
    /// `[CLS] a [SEP] b [SEP]`.
    Bert(BertProcessing),
    /// `<s> a </s> </s> b </s>`, and spans without white space.
    Roberta(RobertaProcessing),
    /// Any list of parts.
    Template(Template),
    /// Spans without white space, where there is a rule for it; adds nothing.
    ByteLevel(Option<Trim>),
    /// One after the other, each around what the one before it made.
    Sequence(Vec<Postprocessor>),
}

impl Postprocessor {
    /// The same as `BertProcessing`, where a template says no more than that.
    pub(crate) fn as_bert(&self) -> Option<BertProcessing> {
        let template = match self {
            Self::Bert(bert) => return Some(*bert),
            Self::Template(template) => template,
            _ => return None,
        };
        let special = |part: &Part| match part {
            Part::Special { ids, .. } => ids.first().copied(),
            Part::Sequence { .. } => None,
        };
        let bert = BertProcessing::new(special(template.single.first()?)?, special(template.single.last()?)?);
        let sequence = |n| (None, n, n);
        let (cls, sep) = (|n| (Some(bert.cls), n, n), |n| (Some(bert.sep), n, n));
        let shape = |parts: &[Part]| -> Vec<(Option<Id>, u8, u8)> {
            let shape = parts.iter().map(|part| match part {
                Part::Special { ids, type_id, .. } if ids.len() == 1 => (Some(ids[0]), *type_id, *type_id),
                Part::Special { .. } => (None, u8::MAX, u8::MAX),
                Part::Sequence { sequence, type_id } => (None, *sequence, *type_id),
            });
            shape.collect()
        };
        let single = [cls(0), sequence(0), sep(0)];
        let pair = [cls(0), sequence(0), sep(0), sequence(1), sep(1)];
        (shape(&template.single) == single && shape(&template.pair) == pair).then_some(bert)
    }

    /// The tokens that it may add, some of them several times.
    pub(crate) fn ids(&self) -> Vec<Id> {
        match self {
            Self::Bert(bert) => vec![bert.cls, bert.sep],
            Self::Roberta(roberta) => vec![roberta.cls, roberta.sep],
            Self::Template(template) => template.ids().collect(),
            Self::ByteLevel(_) => vec![],
            Self::Sequence(all) => all.iter().flat_map(Self::ids).collect(),
        }
    }

    /// How many tokens are added.
    pub(crate) fn added(&self, pair: bool) -> usize {
        match self {
            Self::Bert(bert) => bert.added(pair),
            Self::Roberta(roberta) => roberta.added(pair),
            Self::Template(template) => template.added(pair),
            Self::ByteLevel(_) => 0,
            Self::Sequence(all) => all.iter().map(|one| one.added(pair)).sum(),
        }
    }

    /// Whether a template is a part of it.
    pub(crate) fn has_template(&self) -> bool {
        match self {
            Self::Template(_) => true,
            Self::Sequence(all) => all.iter().any(Self::has_template),
            _ => false,
        }
    }

    /// Whether spans lose their white space.
    pub fn trims(&self) -> bool {
        match self {
            Self::Bert(_) | Self::Template(_) => false,
            Self::Roberta(roberta) => roberta.trim.is_some(),
            Self::ByteLevel(trim) => trim.is_some(),
            Self::Sequence(all) => all.iter().any(Self::trims),
        }
    }

    /// Puts tokens around one text or two, if they are wanted. `trim` is called for every text whose spans are to lose
    /// their white space.
    ///
    /// Errors: a template that adds more tokens than a call may.
    pub(crate) fn process(
        &self,
        mut texts: Vec<Encoding>,
        add_special_tokens: bool,
        trim: &dyn Fn(Trim, &mut Encoding),
    ) -> Result<Vec<Encoding>, EncodeError> {
        let trim_all = |rule: Option<Trim>, texts: &mut Vec<Encoding>| {
            let Some(rule) = rule else { return };
            for text in texts {
                trim(rule, text);
                text.overflowing.iter_mut().for_each(|part| trim(rule, part));
            }
        };
        Ok(match self {
            Self::Bert(bert) if add_special_tokens => bert.process(texts),
            Self::Bert(_) => texts,
            Self::Roberta(roberta) => {
                trim_all(roberta.trim, &mut texts);
                roberta.process(texts, add_special_tokens)
            }
            Self::Template(template) => template.process(texts, add_special_tokens)?,
            Self::ByteLevel(rule) => {
                trim_all(*rule, &mut texts);
                texts
            }
            Self::Sequence(all) => {
                all.iter().try_fold(texts, |texts, one| one.process(texts, add_special_tokens, trim))?
            }
        })
    }
}

/// A text, and every part that truncation left of it, with tokens before and after it: ids and types.
fn around(mut text: Encoding, before: &[(Id, u8)], after: &[(Id, u8)]) -> Encoding {
    let mut out = Encoding::default();
    before.iter().for_each(|&(id, type_id)| out.push_from_postprocessor(id, type_id));
    out.append(&text);
    after.iter().for_each(|&(id, type_id)| out.push_from_postprocessor(id, type_id));
    out.overflowing =
        std::mem::take(&mut text.overflowing).into_iter().map(|part| around(part, before, after)).collect();
    out
}

/// How many parts may be left over.
pub(crate) const MAX_PARTS: usize = 100_000;

/// All texts as one. Every part that is left of one goes with the whole of the next and with every part of it.
///
/// Errors: more than [`MAX_PARTS`] parts; parts with more tokens than a call may add.
///
/// Source: `Encoding::merge_with` in `tokenizers`, without the parts that parts have there.
pub(crate) fn join(texts: Vec<Encoding>) -> Result<Encoding, EncodeError> {
    let mut texts = texts.into_iter();
    let mut all = texts.next().unwrap_or_default();
    for next in texts {
        let parts = all.overflowing.len().saturating_add(1).saturating_mul(next.overflowing.len() + 1) - 1;
        if parts > MAX_PARTS {
            return Err(EncodeError::TooManyParts { max: MAX_PARTS });
        }
        let tokens = |all: &Encoding| all.overflowing.iter().map(Encoding::len).sum::<usize>() + all.len();
        let (own, other) = (tokens(&all), tokens(&next));
        let pairs = own.saturating_mul(next.overflowing.len() + 1);
        let pairs = pairs.saturating_add(other.saturating_mul(all.overflowing.len() + 1));
        call::may_add(Adds::Overlap, pairs - own - other, own + other)?;
        let mut overflowing = Vec::with_capacity(parts);
        let both = |first: &Encoding, second: &Encoding| {
            let mut both = Encoding::default();
            both.append(first);
            both.append(second);
            both
        };
        for part in &all.overflowing {
            overflowing.push(both(part, &next));
            overflowing.extend(next.overflowing.iter().map(|other| both(part, other)));
        }
        overflowing.extend(next.overflowing.iter().map(|other| both(&all, other)));
        all.append(&next);
        all.overflowing = overflowing;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_postprocessor_process() -> Result<(), crate::error::EncodeError> {
        use crate::{
            encoding::Encoding,
            postprocessors::{Postprocessor, bert::BertProcessing, join},
        };
        let sequence = Postprocessor::Sequence(vec![
            Postprocessor::ByteLevel(None),
            Postprocessor::Bert(BertProcessing::new(1, 2)),
        ]);
        let texts = || vec![Encoding::default(), Encoding::default()];
        assert_eq!(join(sequence.process(texts(), true, &|_, _| {})?)?.ids, [1, 2, 2]);
        assert!(join(sequence.process(texts(), false, &|_, _| {})?)?.ids.is_empty());
        Ok(())
    }
}
