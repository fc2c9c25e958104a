//! Decoders against what the reference gave.

use super::*;
use crate::matching::{Expression, Matcher};

fn decoded(decoder: &Decoder, tokens: &[&str]) -> String {
    let tokens = tokens.iter().map(|token| (*token).to_owned()).collect();
    decoder.decode(tokens).unwrap_or_else(|error| panic!("{error}")).concat()
}

#[test]
fn texts_are_those_of_the_reference() {
    let metaspace = |prepended| Decoder::Metaspace { replacement: '▁', prepended };
    let ctc = |cleanup| Decoder::Ctc(Ctc { pad_token: "<pad>".into(), word_delimiter_token: "|".into(), cleanup });
    let strip = |start, stop| Decoder::Strip { content: '_', start, stop };
    let pattern = Matcher::new(Expression::Regex("a+".into())).unwrap_or_else(|error| panic!("{error}"));
    for (decoder, tokens, expected) in [
        (metaspace(true), &["▁▁Hey", "▁you▁"][..], "Hey you "),
        (metaspace(false), &["▁Hey", "▁you"], " Hey you"),
        (Decoder::Bpe { suffix: "</w>".into() }, &["my</w>", "na", "me</w>"], "my name"),
        (Decoder::Bpe { suffix: String::new() }, &[], ""),
        (ctc(true), &["<pad>", "h", "h", "|", "<pad>", "|", ".", "a .", "a"], "h  .a.a"),
        (ctc(false), &["a", "<pad>", "a", "|"], "aa|"),
        (Decoder::Fuse, &["a", "b"], "ab"),
        (strip(1, 1), &["__a_", "_", "", "b__"], "_ab_"),
        (Decoder::Replace(Replace { matcher: pattern, content: "-".into() }), &["aab", "ba"], "-bb-"),
        (Decoder::ByteFallback, &["<0x61>", "<0xE4>", "b", "<0xzz>", "<0x6>"], "\u{fffd}\u{fffd}b<0xzz><0x6>"),
        (Decoder::ByteFallback, &["<0xE2>", "<0x82>", "<0xac>"], "€"),
        (Decoder::Sequence(vec![Decoder::Fuse, strip(2, 0)]), &["_", "_", "_"], "_"),
    ] {
        assert_eq!(decoded(&decoder, tokens), expected, "{decoder:?} on {tokens:?}");
    }
}

#[test]
fn example_of_decoder_decode() -> Result<(), crate::error::DecodeError> {
    use crate::decoders::Decoder;
    let decoder = Decoder::Sequence(vec![
        Decoder::ByteFallback,
        Decoder::Fuse,
        Decoder::Metaspace { replacement: '▁', prepended: false },
        Decoder::Strip { content: ' ', start: 1, stop: 0 },
    ]);
    let tokens = ["▁caf", "<0xC3>", "<0xA9>", "▁au"].map(String::from).to_vec();
    assert_eq!(decoder.decode(tokens)?, ["café au"]);
    Ok(())
}
