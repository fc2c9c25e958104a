//! The lesson on the textbook encoders against the encoders.

use super::*;
use crate::textbook::{self, Algorithm};

#[test]
fn the_encoders_make_the_same_merges_each_with_its_own_work() {
    let tokenizer = byte_level();
    let mut random = Random::new(2);
    let characters: Vec<char> = TEXT.chars().collect();
    for round in 0..60 {
        let text: String = match round {
            0 => String::new(),
            1 => TEXT.to_owned(),
            2 => "theatre".repeat(40),
            _ => (0..random.below(60)).map(|_| *random.pick(&characters)).collect(),
        };
        let states = states(&lesson(&tokenizer, Name::Encoders, &text));
        let (now, last) = &states[states.len() - 1];
        assert_eq!(ids(last, "split"), encoded(&tokenizer, &text), "{text:?}");
        let all = [Algorithm::Naive, Algorithm::NaiveSplit, Algorithm::OrderedSet, Algorithm::LinkedList];
        let mut whole = vec![];
        for (encoder, algorithm) in all.into_iter().enumerate().rev() {
            let (tokens, steps) = textbook::encode(&tokenizer, &text, Specials::Parse, algorithm).expect("short");
            for (name, count) in steps.named() {
                assert_eq!(now["work"][encoder][name], json!(count), "{text:?} {name}");
            }
            // Rows of the whole text are what is between added tokens.
            whole = tokens.ids.into_iter().filter(|&id| id != 100_000).map(u64::from).collect();
        }
        assert_eq!(ids(last, "whole"), whole, "{text:?}");
        for ((_, before), (now, after)) in
            states.iter().zip(&states[1..]).filter(|(_, (now, _))| now["step"] == "merge")
        {
            check_queues(after);
            // The next merge is the first live pair of both queues, and that of the row.
            let split = &now["split"];
            if split.is_object() {
                assert_eq!(before["tree"][0]["rank"], split["rank"], "{text:?}");
            }
        }
    }
}

/// The set has the pairs of its pretoken that merge, in their order, and the heap the same and stale ones, none above its parent.
fn check_queues(state: &Value) {
    let list = |name: &str| state[name].as_array().expect("a list").clone();
    let place = |entry: &Value| (entry["rank"].as_u64().expect("a rank"), entry["byte"].as_u64().expect("a byte"));
    let (tree, heap) = (list("tree"), list("heap"));
    assert!(tree.windows(2).all(|two| place(&two[0]) < place(&two[1])));
    let mut live: Vec<_> = heap.iter().filter(|entry| entry["stale"] == false).map(place).collect();
    live.sort_unstable();
    live.dedup();
    assert_eq!(live, tree.iter().map(place).collect::<Vec<_>>());
    for at in 1..heap.len() {
        assert!(place(&heap[(at - 1) / 2]) <= place(&heap[at]));
    }
    let symbols = list("split");
    for entry in &tree {
        let byte = &entry["byte"];
        assert!(symbols.iter().any(|symbol| symbol["span"][0] == *byte), "{entry}");
    }
}

#[test]
fn operations_grow_as_the_encoders_count_them() {
    let tokenizer = byte_level();
    let all = [Algorithm::Naive, Algorithm::NaiveSplit, Algorithm::OrderedSet, Algorithm::LinkedList];
    for text in ["the theatre", "日本語 the", " 1234 "] {
        let facts = lesson(&tokenizer, Name::Encoders, text).facts;
        let Growth { prose, word } = facts.growth.expect("that of the encoders");
        let (long, letters) = growth::texts(text);
        for (points, whole) in [(&prose, &long), (&word, &letters)] {
            assert_eq!(points.len(), if whole.is_empty() { 0 } else { 7 }, "{text:?}");
            for (point, most) in points.iter().zip([16, 32, 64, 128, 256, 512, 1024]) {
                let beginning = growth::beginning(whole, most);
                assert!(point.bytes == beginning.len() && point.bytes + 4 > most, "{text:?}: {point:?}");
                for (algorithm, operations) in all.into_iter().zip(point.operations) {
                    let steps = textbook::encode(&tokenizer, beginning, Specials::Text, algorithm).expect("short").1;
                    let counts = [steps.lookups, steps.moves, steps.pushes, steps.pops, steps.removals];
                    assert_eq!(operations, counts.iter().sum::<u64>(), "{text:?} {algorithm:?}");
                }
            }
        }
    }
    let [word, prose] =
        ["aaaaaaaaaab", "the, the others"].map(|text| lesson(&tokenizer, Name::Encoders, text).facts.growth);
    // What is split costs in proportion to the text, and one word the square of it in the merge loop alone.
    let times =
        |points: &[growth::Point], encoder: usize| points[6].operations[encoder] / points[5].operations[encoder].max(1);
    let (word, prose) = (word.expect("some").word, prose.expect("some").prose);
    assert_eq!([0, 1, 2, 3].map(|encoder| times(&word, encoder) >= 3), [true, true, false, false]);
    assert_eq!([0, 1, 2, 3].map(|encoder| times(&prose, encoder) >= 3), [true, false, false, false]);
}
