//! What becomes of characters that are in no token: one unknown token for a run of them, or their bytes.

use std::ops::Range;

use super::{Segment, Unigram};
use crate::ids::Id;
use crate::models::UnknownSymbol;

impl Unigram {
    /// The token that a run of unknown characters becomes. `None` where they become bytes or are refused.
    pub(crate) fn unknown_run(&self) -> Option<Id> {
        let become_bytes = self.bytes.is_some() || self.kinds.as_ref().is_some_and(|kinds| kinds.bytes().is_some());
        self.settings.unknown.filter(|_| !become_bytes)
    }

    /// Calls `each` with the tokens of a path, unknown neighbours as one. The text may spell the unknown token: that is
    /// unknown, too.
    pub(super) fn push_path(
        &self,
        text: &str,
        path: impl Iterator<Item = Segment>,
        each: &mut impl FnMut(Id, Range<usize>),
    ) -> Result<(), UnknownSymbol> {
        if let Some(kinds) = &self.kinds {
            kinds.push(text, path.map(|(id, range)| (id.unwrap_or(kinds.unknown()), range)), each);
            return Ok(());
        }
        let mut waiting: Option<Range<usize>> = None;
        for (id, range) in path {
            match id.filter(|id| Some(*id) != self.settings.unknown) {
                Some(id) => {
                    if let Some(range) = waiting.take() {
                        self.push_unknown(text, range, each)?;
                    }
                    each(id, range);
                }
                None => waiting = Some(waiting.map_or(range.start, |before| before.start)..range.end),
            }
        }
        waiting.map_or(Ok(()), |range| self.push_unknown(text, range, each))
    }

    fn push_unknown(
        &self,
        text: &str,
        range: Range<usize>,
        each: &mut impl FnMut(Id, Range<usize>),
    ) -> Result<(), UnknownSymbol> {
        let bytes = &text.as_bytes()[range.clone()];
        if let Some(id) = self.vocab.id(bytes) {
            each(id, range);
            return Ok(());
        }
        if let Some(ids) = &self.bytes
            && bytes.iter().all(|&byte| ids[usize::from(byte)].is_some())
        {
            bytes.iter().filter_map(|&byte| ids[usize::from(byte)]).for_each(|id| each(id, range.clone()));
            return Ok(());
        }
        let unknown = self.settings.unknown.ok_or(UnknownSymbol { at: range.clone() })?;
        each(unknown, range);
        Ok(())
    }
}
