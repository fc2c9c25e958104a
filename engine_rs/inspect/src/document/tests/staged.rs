//! Which stages of a tokenizer.json have split points.

use token_engine::Tokenizer;
use token_engine::internals::split_points::SplitPoints;
use token_engine::internals::testing::stages;

/// Small ones of every kind.
pub(crate) fn tokenizers() -> Vec<Tokenizer> {
    let all = stages::split_or_not().into_iter().chain(stages::with_fast_paths());
    all.map(|definition| definition.build("x.json").expect("valid")).collect()
}

#[test]
fn spaces_are_split_points_where_that_is_proved() {
    let found: Vec<bool> =
        tokenizers().iter().map(|tokenizer| SplitPoints::new(tokenizer, Default::default()).exist()).collect();
    assert_eq!(found[..13], [true, true, true, true, true, true, true, true, true, false, false, false, false]);
}

#[test]
fn a_space_behind_an_added_token_is_no_split_point() {
    let tokenizer = &tokenizers()[0];
    let points = SplitPoints::new(tokenizer, Default::default());
    // "the" is an added token: what is behind it begins anew, with a mark of its own.
    assert!(points.is_split_point("ab the", 2) && !points.is_split_point("the ab", 3));
}
