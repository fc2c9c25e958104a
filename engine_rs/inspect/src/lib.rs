//! Looks at tokenizers and at what they do to texts: for screens, lessons and tests.
//!
//! Functions here take a [`Tokenizer`](token_engine::Tokenizer) and change nothing. Encoding, decoding and
//! files are in `token-engine`; training is in `token-train`.
//!
//! Pure: no Python, network, clock or output.

pub mod corpus;
pub mod describe;
pub mod document;
pub mod encoding_json;
pub mod lesson;
pub mod sampling;
pub mod textbook;
pub mod trace;
pub mod vocabulary;
