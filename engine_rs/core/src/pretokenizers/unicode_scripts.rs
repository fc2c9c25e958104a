//! Splits where the script changes: spaces and characters newer than the tables go with any script.
//!
//! As in the reference, what is before the first character that has a script is lost.
//!
//! Source: `UnicodeScripts` of the tokenizer.json format; UAX #24.

use super::Each;
use crate::alignment::Part;
use crate::error::EncodeError;
use crate::unicode::script;

/// Script 0 goes with any.
const ANY: u8 = 0;

/// Calls `each` with the parts of a part of a text.
///
/// Errors: those of `each`.
pub(crate) fn split(part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
    let mut start = None;
    let mut last = ANY;
    for (at, c) in part.text().char_indices() {
        let script = script(c);
        if script == ANY || script == last {
            continue;
        }
        if let Some(start) = start.replace(at) {
            each(part.slice(start..at))?;
        }
        last = script;
    }
    start.map_or(Ok(()), |start| each(part.slice(start..part.text().len())))
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_split() -> Result<(), crate::error::EncodeError> {
        use crate::{alignment::AlignedText, pretokenizers::unicode_scripts};
        let (text, mut parts) = (AlignedText::new("どこ Apples are りんご林檎", 0), vec![]);
        unicode_scripts::split(&text.whole(), &mut |part| {
            parts.push(part.text().to_owned());
            Ok(())
        })?;
        assert_eq!(parts, ["どこ ", "Apples are ", "りんご林檎"]);
        Ok(())
    }
}
