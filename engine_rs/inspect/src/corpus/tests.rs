//! Damaged bytes that carry a right checksum: read with an error, or as a tally, never with a panic.

use super::documents::Documents;
use super::errors::CorpusError;
use super::measures::Measures;
use super::stored::checksum;
use super::tally::Tally;
use token_engine::Tokenizer;
use token_engine::formats::tiktoken;
use token_engine::internals::testing::{Random, bytes_alone};
use token_engine::pretokenizers::scanners::Pattern;

fn tokenizer() -> Tokenizer {
    let (vocab, _) = bytes_alone();
    tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("bytes").expect("all bytes are tokens")
}

#[test]
fn forged_bytes_do_not_panic() {
    let tokenizer = tokenizer();
    let tokenizers = [&tokenizer];
    let mut tally = Tally::new(&tokenizers, 2, Measures::ALL);
    let documents = Documents::new(b"one 1234", &[3, 8], Some(&[0, 1]), 2).expect("fits");
    tally.add(&tokenizers, &documents, 1).expect("bytes encode");
    let data = tally.to_bytes();
    assert_eq!(Tally::from_bytes(&tokenizers, &data), Ok(tally));
    let content = &data[..data.len() - 8];
    let mut random = Random::new(1);
    let mut refused = 0;
    for _ in 0..20_000 {
        let mut forged = content.to_vec();
        for _ in 0..=random.below(3) {
            // The name and the digests are compared first, so most changes are behind them.
            let at =
                if random.below(8) == 0 { random.below(forged.len()) } else { 19 + random.below(forged.len() - 19) };
            match random.below(4) {
                0 => forged.truncate(at.max(8)),
                1 => forged.insert(at, 0xff),
                _ => forged[at] = random.next() as u8,
            }
            if forged.len() < 20 {
                break;
            }
        }
        forged.extend_from_slice(&checksum(&forged));
        match Tally::from_bytes(&tokenizers, &forged) {
            Ok(read) => assert_eq!(Tally::from_bytes(&tokenizers, &read.to_bytes()), Ok(read)),
            Err(CorpusError::Damaged { .. } | CorpusError::OtherTokenizers) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(refused > 1000, "{refused}");
}
