#![doc = include_str!("../README.md")]
//!
//! # For readers of the code
//!
//! A text becomes ids in stages, each a folder:
//!
//! ```text
//! text -> added_tokens -> normalizers -> pretokenizers -> models -> postprocessors -> ids
//!         special tokens  lower case,    words,           BPE,      [CLS] ... [SEP]
//!         in the text     accents        numbers          WordPiece
//! ids  -> decoders -> text
//! ```
//!
//! The names at the root, the stages and the formats are the public face. Enums of errors and settings may grow; those of stages
//! may not without a new major version, so that a `match` which describes all stages stays complete.
//!
//! [`stages`] has the order of the stages, [`fast`] has quicker ways to the same tokens, [`tokenizer`] puts both together,
//! and [`formats`] reads them from files. A [`vocab::Vocab`] entry is a *token*
//! (bytes) with an *id*; a *pretoken* is a slice of text that the model sees on its own; a *span* is a half-open range of
//! the original text.
//!
//! Pure: no Python, network, clock or output. Globals are tables of constants, and the [`call`] that a thread works for.
//!
//! What the code relies on, beside what is written where it is used:
//!
//! * Texts are shorter than 4 GiB ([`tokenizer::Tokenizer::check`]), and so is what a normalizer makes of one
//!   ([`normalizers`]): places in texts are 32 bits.
//! * Files have at most 1 GiB ([`formats`]), so places in a vocabulary are 32 bits, too. Ids and ranks of merges are below 2^21,
//!   which the formats check and `models::bpe::merges` asserts.
//! * Hashes are quick, not keyed. Words that somebody chose to collide make encoding and training slower; caches of words are
//!   bounded, so by a factor, and no result changes.
#![allow(rustdoc::private_intra_doc_links, reason = "readers of the code follow them")]

pub use added_tokens::{AddedToken, Specials};
pub use alignment::Behavior;
pub use encoding::{Encoding, IdsAndEnds, NO_SEQUENCE, NO_WORD, flags};
pub use error::{DecodeError, EncodeError, LoadError, Place, SaveError};
pub use formats::definition::Definition;
#[cfg(feature = "fs")]
pub use formats::detect::{LoadOptions, load, load_with};
pub use ids::Id;
pub use matching::{Expression, Replace};
pub use offsets::Span;
pub use padding::{PadTo, Padding};
pub use tokenizer::{EncodeOptions, RaggedIds, Tokenizer};
pub use truncation::{Side, Strategy, Truncation};
pub use vocab::Vocab;

pub mod decoders;
pub mod formats;
pub mod models;
pub mod normalizers;
pub mod postprocessors;
pub mod pretokenizers;

mod added_tokens;
mod alignment;
mod byte_alphabet;
mod call;
mod char_set;
mod encoding;
mod error;
mod fast;
mod ids;
mod matching;
mod memory;
mod offsets;
mod padding;
mod parallel;
mod pretokens;
mod random;
mod split_points;
mod stages;
mod steps;
#[cfg(any(test, feature = "testing"))]
mod testing;
mod timing;
mod tokenizer;
mod truncation;
mod unicode;
mod vocab;

/// What `token-inspect`, `token-train` and the bindings see beside the public names. It changes without notice.
#[doc(hidden)]
pub mod internals {
    macro_rules! open {
        ($($module:ident)*) => { $(pub mod $module { pub use crate::$module::*; })* };
    }
    open! {
        added_tokens alignment byte_alphabet call encoding error fast matching offsets parallel pretokens random
        split_points stages steps timing tokenizer unicode vocab
    }
    #[cfg(any(test, feature = "testing"))]
    open! { testing }
}
