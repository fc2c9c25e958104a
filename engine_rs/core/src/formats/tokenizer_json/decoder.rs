//! `decoder`.

use super::expression::{self, Dialect};
use super::json::{Json, Node};
use super::pretokenizer::{read_byte_level, read_metaspace, write_byte_level, write_metaspace};
use crate::decoders::Decoder;
use crate::decoders::ctc::Ctc;
use crate::decoders::wordpiece::WordPieceDecoder;
use crate::error::{LoadError, SaveError};
use crate::pretokenizers::byte_level::ByteLevel;
use crate::pretokenizers::metaspace::{Metaspace, Prepend};

/// Reads a decoder. The settings of `ByteLevel` mean nothing to it.
pub fn read(node: &Node<'_>) -> Result<Decoder, LoadError> {
    let mut fields = node.fields()?;
    let kind = fields.kind()?;
    let mut text = |name| Ok::<_, LoadError>(fields.required(name)?.string()?.to_owned());
    let decoder = match kind {
        "BPEDecoder" => Decoder::Bpe { suffix: text("suffix")? },
        "ByteFallback" => Decoder::ByteFallback,
        "ByteLevel" => {
            read_byte_level(&mut fields)?;
            Decoder::ByteLevel
        }
        "CTC" => Decoder::Ctc(Ctc {
            pad_token: text("pad_token")?,
            word_delimiter_token: text("word_delimiter_token")?,
            cleanup: fields.required("cleanup")?.boolean()?,
        }),
        "Fuse" => Decoder::Fuse,
        "Metaspace" => {
            let Metaspace { replacement, prepend, .. } = read_metaspace(&mut fields)?;
            Decoder::Metaspace { replacement, prepended: prepend != Prepend::Never }
        }
        "Replace" => {
            let (pattern, content) = (fields.required("pattern")?, fields.required("content")?);
            Decoder::Replace(expression::read_replace(&pattern, &content)?)
        }
        "Strip" => Decoder::Strip {
            content: fields.required("content")?.character()?,
            start: fields.required("start")?.number()?,
            stop: fields.required("stop")?.number()?,
        },
        "WordPiece" => {
            Decoder::WordPiece(WordPieceDecoder::new(text("prefix")?, fields.required("cleanup")?.boolean()?))
        }
        "Sequence" => {
            let all = fields.required("decoders")?.items()?;
            Decoder::Sequence(all.iter().map(read).collect::<Result<_, _>>()?)
        }
        _ => return Err(fields.unknown_kind(kind, "decoder")),
    };
    fields.ignore_rest();
    Ok(decoder)
}

/// Writes a decoder.
pub fn write(decoder: &Decoder, dialect: Dialect) -> Result<Json, SaveError> {
    Ok(match decoder {
        Decoder::ByteLevel => {
            write_byte_level(ByteLevel { add_prefix_space: true, trim_offsets: true, use_regex: true })
        }
        Decoder::WordPiece(decoder) => {
            Json::tagged("WordPiece", [("prefix", decoder.prefix.as_str().into()), ("cleanup", decoder.cleanup.into())])
        }
        Decoder::Metaspace { replacement, prepended } => {
            let prepend = if *prepended { Prepend::Always } else { Prepend::Never };
            write_metaspace(Metaspace { replacement: *replacement, prepend, split: true })
        }
        Decoder::Bpe { suffix } => Json::tagged("BPEDecoder", [("suffix", suffix.as_str().into())]),
        Decoder::Ctc(ctc) => Json::tagged(
            "CTC",
            [
                ("pad_token", ctc.pad_token.as_str().into()),
                ("word_delimiter_token", ctc.word_delimiter_token.as_str().into()),
                ("cleanup", ctc.cleanup.into()),
            ],
        ),
        Decoder::Fuse => Json::tagged("Fuse", []),
        Decoder::Strip { content, start, stop } => Json::tagged(
            "Strip",
            [("content", content.to_string().as_str().into()), ("start", (*start).into()), ("stop", (*stop).into())],
        ),
        Decoder::Replace(replace) => Json::tagged(
            "Replace",
            [
                ("pattern", expression::write(replace.matcher.expression(), dialect)?),
                ("content", replace.content.as_str().into()),
            ],
        ),
        Decoder::ByteFallback => Json::tagged("ByteFallback", []),
        Decoder::SentencePiece(_) => {
            return Err(SaveError::new(
                "tokenizer.json",
                "the decoder of a SentencePiece model",
                "it is written as stages",
            ));
        }
        Decoder::Sequence(all) => {
            let all = all.iter().map(|one| write(one, dialect)).collect::<Result<Vec<_>, _>>()?;
            Json::tagged("Sequence", [("decoders", all.into())])
        }
    })
}
