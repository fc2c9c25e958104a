//! The encoders against the definition and against each other.

use super::*;
use token_engine::Vocab;
use token_engine::formats::tiktoken;
use token_engine::internals::testing::Random;
use token_engine::models::bpe::merges::Merges;
use token_engine::models::bpe::naive as definition;
use token_engine::pretokenizers::scanners::Pattern;

/// Merges that training on `text` makes.
fn trained(text: &str, merges: usize) -> (Vec<integers::Learnt>, Merges) {
    let learnt = integers::train(text.bytes().map(Id::from).collect(), merges, 256).expect("nobody cancels");
    let mut table = Merges::new(learnt.iter().map(|merge| merge.id).collect());
    for (rank, &integers::Learnt { pair: [left, right], .. }) in learnt.iter().enumerate() {
        table.insert(left, right, rank as u32);
    }
    (learnt, table)
}

/// Merges of random symbols, which nobody trained: a merge may rank below one that makes its part.
fn random_merges(random: &mut Random) -> Merges {
    let mut table = Merges::new((0..30).map(|_| random.below(6) as Id).collect());
    for rank in 0..30 {
        table.insert(random.below(6) as Id, random.below(6) as Id, rank);
    }
    table
}

fn tokenizer(learnt: &[integers::Learnt]) -> Tokenizer {
    let mut vocab = Vocab::default();
    for byte in 0..=255u8 {
        vocab.insert(byte.into(), &[byte]).expect("all bytes differ");
    }
    for &integers::Learnt { pair, id, .. } in learnt {
        let token = pair.map(|id| vocab.token(id).expect("learnt before").to_vec()).concat();
        let _same_bytes_in_another_way = vocab.insert(id, &token);
    }
    tiktoken::from_ranks(vocab, Pattern::R50k, &[("<|end|>".into(), 100_000)])
        .build("test")
        .expect("all bytes are there")
}

const TEXT: &str = "the theatre is there; these are the others: 1234, 日本語 the日本 <|end|>aaaaaaaaaab ab abab";

#[test]
fn queues_and_the_loop_are_the_definition_whatever_the_merges() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let merges = random_merges(&mut random);
        let symbols: Vec<Id> = (0..random.below(40)).map(|_| random.below(6) as Id).collect();
        let expected = definition::encode(&merges, symbols.clone());
        let mut steps = Steps::default();
        assert_eq!(naive::encode(&merges, symbols.clone(), &mut steps, &mut |_| {}), expected);
        assert_eq!(steps.merges as usize, symbols.len() - expected.len());
        let watched = |merge_loop: Loop| {
            let mut seen = vec![];
            merge_loop(&merges, symbols.clone(), &mut Steps::default(), &mut |now| {
                seen.push((now.merge, now.row.to_vec(), *now.steps));
            });
            seen
        };
        assert_eq!(watched(naive::encode_and_count), watched(naive::encode));
        assert_eq!(ordered_set::encode(&merges, symbols.clone(), &mut Steps::default(), &mut |_| {}), expected);
        assert_eq!(linked_list::encode(&merges, symbols, &mut Steps::default(), &mut |_| {}), expected);
    }
}

#[test]
fn integers_are_the_definition_where_merges_were_trained() {
    let (_, merges) = trained(TEXT, 60);
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..random.below(40)).map(|_| *random.pick(TEXT.as_bytes())).collect();
        let symbols: Vec<Id> = bytes.into_iter().map(Id::from).collect();
        let expected = definition::encode(&merges, symbols.clone());
        assert_eq!(integers::encode(&merges, symbols, &mut Steps::default()), expected);
    }
}

#[test]
fn training_stops_where_nothing_repeats_and_takes_the_first_of_equals() {
    let train = |text: &str, merges| {
        integers::train(text.bytes().map(Id::from).collect(), merges, 256).expect("nobody cancels")
    };
    assert_eq!(train("", 5), []);
    assert_eq!(train("abc", 5), []);
    let learnt = train("xyabxyab", 9);
    assert_eq!(learnt[0].pair, [b'x', b'y'].map(Id::from));
    assert_eq!(learnt.len(), 3, "xy, xya, xyab: then nothing stands twice");
    assert_eq!(train("aaaa", 9).iter().map(|merge| merge.count).collect::<Vec<_>>(), [3], "counted as they overlap");
}

#[test]
fn encoders_that_split_give_the_tokenizers_ids() {
    let (learnt, _) = trained(TEXT, 60);
    let tokenizer = tokenizer(&learnt);
    for specials in [Specials::Text, Specials::Parse] {
        let mut expected = IdsAndEnds::default();
        tokenizer.encode_into(TEXT, specials, &mut expected).expect("any text encodes");
        for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.splits()) {
            let (tokens, steps) = encode(&tokenizer, TEXT, specials, algorithm).expect("short enough");
            assert_eq!(tokens, expected, "{}", algorithm.name());
            assert!(steps.merges > 0);
        }
        let whole = encode(&tokenizer, TEXT, specials, Algorithm::Naive).expect("short enough").0;
        assert_eq!(whole, encode(&tokenizer, TEXT, specials, Algorithm::Integers).expect("short enough").0);
        assert_ne!(whole.ids, expected.ids, "merges reach over spaces where nothing is split");
        assert_eq!(tokenizer.decode(&whole.ids, false).expect("known ids"), TEXT);
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let tokenizer = tokenizer(&[]);
    let long = "x".repeat(MAX_SYMBOLS + 1);
    for algorithm in [Algorithm::Naive, Algorithm::NaiveSplit, Algorithm::Integers] {
        let error = encode(&tokenizer, &long, Specials::Text, algorithm).expect_err("too long");
        assert_eq!(error, TextbookError::TooLong { algorithm: algorithm.name(), bytes: MAX_SYMBOLS + 1 });
    }
    for algorithm in [Algorithm::OrderedSet, Algorithm::LinkedList] {
        let (tokens, steps) = encode(&tokenizer, &long, Specials::Text, algorithm).expect("quick enough");
        assert_eq!((tokens.ids.len(), steps.merges), (long.len(), 0));
    }
    let special = encode(&tokenizer, "a<|end|>", Specials::Reject, Algorithm::Naive).expect_err("refused");
    assert!(matches!(special, TextbookError::Encode(EncodeError::SpecialInText { byte: 1, .. })));
}

#[test]
fn names_lead_back() {
    for algorithm in Algorithm::ALL {
        assert_eq!(Algorithm::by_name(algorithm.name()), Some(algorithm));
    }
    assert_eq!(Algorithm::by_name("quick"), None);
}
