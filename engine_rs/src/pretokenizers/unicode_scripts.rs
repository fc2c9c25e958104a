//! Cuts where the script changes: spaces and characters newer than the tables go with any script.
//!
//! As in the reference, what is before the first character that has a script is lost.
//!
//! Source: `UnicodeScripts` of the tokenizer.json format; UAX #24.

use crate::pieces::Pieces;
use crate::unicode::script;

/// Script 0 goes with any.
const ANY: u8 = 0;

/// Cuts every piece.
///
/// ```
/// # use token_engine::{pieces::Pieces, pretokenizers::unicode_scripts};
/// let mut pieces = Pieces::new("どこ Apples are りんご林檎", 0);
/// unicode_scripts::pretokenize(&mut pieces);
/// assert_eq!(
///     pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(),
///     ["どこ ", "Apples are ", "りんご林檎"]
/// );
/// ```
pub fn pretokenize(pieces: &mut Pieces) {
    pieces.split(|_, piece, out| {
        let mut start = None;
        let mut last = ANY;
        for (at, c) in piece.text().char_indices() {
            let script = script(c);
            if script == ANY || script == last {
                continue;
            }
            if let Some(start) = start.replace(at) {
                out.push(piece.slice(start..at));
            }
            last = script;
        }
        if let Some(start) = start {
            out.push(piece.slice(start..piece.text().len()));
        }
    });
}
