use super::search::{Needle, Order, Query};
use super::*;
use token_engine::Vocab;
use token_engine::formats::tiktoken;
use token_engine::pretokenizers::scanners::Pattern;

fn bytes_and(tokens: &[&str]) -> Tokenizer {
    let mut vocab = Vocab::default();
    for byte in 0..=255u8 {
        vocab.insert(byte.into(), &[byte]).expect("all bytes differ");
    }
    for (token, id) in tokens.iter().zip(256..) {
        vocab.insert(id, token.as_bytes()).expect("each once");
    }
    let special = [("<|end|>".to_owned(), 256 + tokens.len() as Id)];
    tiktoken::from_ranks(vocab, Pattern::R50k, &special).build("test").expect("complete")
}

fn found(index: &Index, query: &Query) -> Vec<String> {
    let ids = index.search(query, None).expect("a good query").ids;
    ids.into_iter().map(|id| String::from_utf8_lossy(index.bytes(index.row(id).expect("found"))).into_owned()).collect()
}

#[test]
fn needles_find_what_they_say() {
    let index = Index::new(&bytes_and(&["to", "ken", " to", "token", " TOKEN", "日本"]));
    let text = |text: &str, ignore_case| Needle::Text { text: text.into(), ignore_case };
    let regex = |pattern: &str| Needle::Regex { pattern: pattern.into(), ignore_case: false };
    let cases: &[(Needle, &[&str])] = &[
        (text("token", false), &["token"]),
        (text("token", true), &["token", " TOKEN"]),
        (text(" t", true), &[" to", " TOKEN"]),
        (text("t.", true), &[]),
        (regex("^t.+n$"), &["token"]),
        (regex(r"^\p{Han}+$"), &["日本"]),
        (Needle::Bytes(vec![0xE6, 0x97]), &["日本"]),
        (Needle::Ids(257..=258), &["ken", " to"]),
        (Needle::Ids(5000..=6000), &[]),
    ];
    for (needle, expected) in cases {
        assert_eq!(found(&index, &Query { needle: needle.clone(), ..Query::default() }), *expected, "{needle:?}");
    }
    let wrong = index.search(&Query { needle: regex("(a"), ..Query::default() }, None).expect_err("unclosed");
    assert!(wrong.problem.contains("unclosed group"), "{wrong}");
}

#[test]
fn facets_count_what_choosing_them_would_give() {
    let index = Index::new(&bytes_and(&["to", " to", "日本", "12", " (("]));
    let query = Query { kinds: vec![Kind::WordStart], length: 2..=u32::MAX, ..Query::default() };
    let found = index.search(&query, None).expect("good");
    assert_eq!(found.ids, [257]);
    let count = |kind: Kind| found.kinds[kind as usize];
    assert_eq!(
        (count(Kind::WordStart), count(Kind::WordInside), count(Kind::Digits), count(Kind::Special)),
        (1, 2, 1, 1)
    );
    assert_eq!(found.scripts[0], 1, "of the words after a space one is Latin");
    assert_eq!(found.lengths[3], 1);
    assert_eq!(found.lengths.iter().sum::<u32>(), 1);
}

#[test]
fn whole_words_come_first_and_unused_tokens_last() {
    let tokens = ["[unused1]", "12", " the", "don't", "he", " a", "((", " of", "日本"];
    let index = Index::new(&bytes_and(&tokens));
    let query =
        |descending| Query { needle: Needle::Ids(255..=265), order: Order::Words, descending, ..Query::default() };
    let words =
        [" the", " of", "he", " a", "日本", "12", "((", "don't", "\u{fffd}", "<|end|>", "[unused1]"].map(str::to_owned);
    assert_eq!(found(&index, &query(false)), words);
    assert_eq!(found(&index, &query(true))[..3], ["[unused1]", "<|end|>", "\u{fffd}"].map(str::to_owned));
}

#[test]
fn order_is_stable_and_what_has_no_number_is_last() {
    let index = Index::new(&bytes_and(&["ab", "cd", "abcd", "日本"]));
    let order = |order, descending| {
        let query = Query { needle: Needle::Ids(254..=260), order, descending, ..Query::default() };
        index.search(&query, None).expect("good").ids
    };
    assert_eq!(order(Order::Id, true), [260, 259, 258, 257, 256, 255, 254]);
    assert_eq!(order(Order::Length, true), [260, 259, 258, 256, 257, 254, 255]);
    assert_eq!(order(Order::Characters, false), [256, 257, 259, 258, 260, 254, 255]);
    assert_eq!(order(Order::Rank, false), [256, 257, 258, 254, 255, 259, 260]);
    assert_eq!(order(Order::PartOf, true)[..2], [256, 257]);
}

#[test]
fn origins_tell_what_merges_do() {
    use origin::{Node, Origin, merged_into, origin};
    let tokenizer = bytes_and(&["ab", "cd", "abcd", "xyz"]);
    assert_eq!(origin(&tokenizer, 97), Origin::Symbol);
    let Origin::Merged(nodes) = origin(&tokenizer, 258) else { panic!("merges build it") };
    assert_eq!(nodes.last(), Some(&Node { id: 258, merge: Some((2, 4, 5)) }));
    assert_eq!((nodes[4].id, nodes[5].id), (256, 257));
    assert_eq!(origin(&tokenizer, 259), Origin::NotMerged(vec![120, 121, 122]));
    assert_eq!(origin(&tokenizer, 260), Origin::NotInMerges);
    assert_eq!(merged_into(&tokenizer, 257), [(2, 256, 257, 258)]);
    assert_eq!(Index::new(&tokenizer).row(257).expect("there").part_of, 1);
}

#[test]
fn variants_differ_in_capitals_and_marks() {
    let tokenizer = bytes_and(&["the", " the", "The", " THE", "then"]);
    let index = Index::new(&tokenizer);
    assert_eq!(variants::variants(&tokenizer, &index, 257), [256, 257, 258, 259]);
    assert_eq!(variants::variants(&tokenizer, &index, 0x80), [0x80]);
}
