//! Special tokens put around one text or two, as a list of parts says.
//!
//! Source: `TemplateProcessing` of the tokenizer.json format.

use crate::encoding::Encoding;
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
    pub(crate) fn process(&self, texts: Vec<Encoding>, add_special_tokens: bool) -> Vec<Encoding> {
        let mut out = vec![];
        for part in if texts.len() > 1 { &self.pair } else { &self.single } {
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
        out
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_template_process() {
        use crate::{
            encoding::Encoding,
            postprocessors::template::{Part, Template},
        };
        let cls = Part::Special { name: "[CLS]".into(), ids: vec![101], type_id: 0 };
        let text = Part::Sequence { sequence: 0, type_id: 0 };
        let template = Template { single: vec![cls, text], pair: vec![] };
        assert_eq!(template.process(vec![Encoding::default()], true)[0].ids, [101]);
    }
}
