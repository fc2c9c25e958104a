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

/// Decoders that each make ten letters of one.
fn tenfold(count: usize) -> Decoder {
    let tenfold = || {
        Decoder::Replace(Replace {
            matcher: Matcher::new(Expression::Text("a".into())).expect("a text"),
            content: "aaaaaaaaaa".into(),
        })
    };
    Decoder::Sequence((0..count).map(|_| tenfold()).collect())
}

#[test]
fn decoders_that_multiply_are_refused_before_they_do() {
    let decode =
        |decoder: &Decoder, tokens: &[&str]| decoder.decode(tokens.iter().map(|&token| token.into()).collect());
    assert_eq!(decode(&tenfold(3), &["ba"]).map(|parts| parts[0].len()), Ok(1001));
    let refused = decode(&tenfold(12), &["abc", "ab"]).expect_err("10^12 bytes");
    assert!(matches!(refused, DecodeError::TooLong { ids: 2, max: call::DECODED_BYTES, .. }), "{refused}");
    // What other decoders make is counted when it is made, and so is all that many of them make.
    let mut room = Room { ids: 1, worked: 0 };
    assert!(matches!(room.step(&["x".repeat(room.max() + 1)]), Err(DecodeError::TooLong { .. })));
    let parts = ["x".repeat(room.max() / 2)];
    room.worked = 0;
    let steps = (0..).find(|_| room.step(&parts).is_err());
    assert_eq!(steps, Some(2 * MOST_STEPS - 1), "one more byte for each part");
}

#[test]
fn one_call_decodes_so_much() {
    let _entered = call::enter(Some(std::sync::Arc::default()));
    let decode = || tenfold(7).decode(vec!["a".into()]).map(|parts| parts[0].len());
    let lengths: Vec<_> = (0..8).map(|_| decode()).collect();
    assert_eq!(lengths[5], Ok(10_000_000));
    assert_eq!(
        lengths[7],
        Err(DecodeError::TooLong { ids: 1, made: 10_000_000, max: call::DECODED_BYTES, used: 6 * (10_000_000 - 32) })
    );
}
