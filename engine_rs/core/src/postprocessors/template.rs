//! Special tokens put around one text or two, as a list of parts says.
//!
//! Source: `TemplateProcessing` of the tokenizer.json format.

use crate::call::{self, Adds};
use crate::encoding::Encoding;
use crate::error::EncodeError;
use crate::ids::Id;

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The tokens of a text: 0 the first, 1 the second.
    Sequence {
        /// Which text.
        sequence: u8,
        /// The type of its tokens.
        type_id: u8,
    },
    /// Tokens that are added: as a rule one.
    Special {
        /// What the template calls them.
        name: String,
        /// Their ids.
        ids: Vec<Id>,
        /// Their type.
        type_id: u8,
    },
}

/// The postprocessor `TemplateProcessing`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// For one text.
    pub(crate) single: Vec<Part>,
    /// For two.
    pub(crate) pair: Vec<Part>,
}

impl Template {
    /// How many tokens are added.
    pub(crate) fn added(&self, pair: bool) -> usize {
        let parts = if pair { &self.pair } else { &self.single };
        parts.iter().map(|part| if let Part::Special { ids, .. } = part { ids.len() } else { 0 }).sum()
    }

    /// The tokens that are added.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> {
        let ids = |part: &Part| if let Part::Special { ids, .. } = part { ids.clone() } else { vec![] };
        self.single.iter().chain(&self.pair).flat_map(ids)
    }

    /// What becomes of one text, in a few words: `[CLS] ... [SEP]`.
    pub fn describe(&self) -> String {
        let parts = self.single.iter().map(|part| match part {
            Part::Sequence { .. } => "...",
            Part::Special { name, .. } => name,
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    /// The parts in the order of the template, those that are added only if they are wanted. Types are those of the
    /// template; parts that truncation left over keep theirs, as in the reference.
    ///
    /// Errors: more tokens than a call may add, beyond a few and as many as the texts have.
    pub(crate) fn process(&self, texts: Vec<Encoding>, add_special_tokens: bool) -> Result<Vec<Encoding>, EncodeError> {
        let parts = if texts.len() > 1 { &self.pair } else { &self.single };
        let tokens = |text: &Encoding| text.len() + text.overflowing.iter().map(Encoding::len).sum::<usize>();
        let lengths: Vec<usize> = texts.iter().map(tokens).collect();
        let own = lengths.iter().sum::<usize>();
        let all = parts.iter().fold(0, |all: usize, part| match part {
            Part::Special { ids, .. } => all.saturating_add(if add_special_tokens { ids.len() } else { 0 }),
            Part::Sequence { sequence, .. } => {
                all.saturating_add(lengths.get(usize::from(*sequence)).copied().unwrap_or(0))
            }
        });
        call::may_add(Adds::Template, all.saturating_sub(own), own + FEW)?;
        let mut out = vec![];
        for part in parts {
            match part {
                Part::Special { .. } if !add_special_tokens => {}
                Part::Special { ids, type_id, .. } => {
                    let mut added = Encoding::default();
                    ids.iter().for_each(|&id| added.push_from_postprocessor(id, *type_id));
                    out.push(added);
                }
                Part::Sequence { sequence, type_id } => out.extend(texts.get(usize::from(*sequence)).map(|text| {
                    let mut text = text.clone();
                    text.type_ids.fill(*type_id);
                    text
                })),
            }
        }
        Ok(out)
    }
}

/// Tokens that any template may add to a text.
const FEW: usize = 64;

#[cfg(test)]
mod tests {
    #[test]
    fn a_template_that_repeats_a_text_too_often_is_refused() {
        use super::*;
        let template =
            |count| Template { single: vec![Part::Sequence { sequence: 0, type_id: 0 }; count], pair: vec![] };
        let mut text = Encoding::default();
        (0..100).for_each(|id| text.push_from_postprocessor(id, 0));
        let process = |count| template(count).process(vec![text.clone()], true).map(|texts| texts.len());
        assert_eq!(process(2), Ok(2));
        let (tokens, max) = (39_999_900, call::ADDED_TOKENS);
        assert_eq!(process(400_000), Err(EncodeError::TooManyAdded { by: Adds::Template, tokens, max, used: 0 }));
        let special = Part::Special { name: "<s>".into(), ids: vec![0; max + 200], type_id: 0 };
        let template = Template { single: vec![special, Part::Sequence { sequence: 0, type_id: 0 }], pair: vec![] };
        assert!(template.process(vec![text.clone()], true).is_err());
        assert_eq!(template.process(vec![text.clone()], false), Ok(vec![text]), "none of them is added");
    }

    #[test]
    fn example_of_template_process() -> Result<(), crate::error::EncodeError> {
        use crate::{
            encoding::Encoding,
            postprocessors::template::{Part, Template},
        };
        let cls = Part::Special { name: "[CLS]".into(), ids: vec![101], type_id: 0 };
        let text = Part::Sequence { sequence: 0, type_id: 0 };
        let template = Template { single: vec![cls, text], pair: vec![] };
        assert_eq!(template.process(vec![Encoding::default()], true)?[0].ids, [101]);
        Ok(())
    }
}
