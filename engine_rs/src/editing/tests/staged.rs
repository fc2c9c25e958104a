//! Which stages of a tokenizer.json have cuts.

use crate::editing::cuts::Cuts;
use crate::testing::stages;
use crate::tokenizer::Tokenizer;

/// Small ones of every kind.
pub fn tokenizers() -> Vec<Tokenizer> {
    let all = stages::cut_or_not().into_iter().chain(stages::with_shortcuts());
    all.map(|definition| definition.build("x.json").expect("valid")).collect()
}

#[test]
fn spaces_are_cuts_where_that_is_proved() {
    let found: Vec<bool> =
        tokenizers().iter().map(|tokenizer| Cuts::new(tokenizer, Default::default()).exist()).collect();
    assert_eq!(found[..13], [true, true, true, true, true, true, true, true, true, false, false, false, false]);
}

#[test]
fn a_space_behind_an_added_token_is_no_cut() {
    let tokenizer = &tokenizers()[0];
    let cuts = Cuts::new(tokenizer, Default::default());
    // "the" is an added token: what is behind it begins anew, with a mark of its own.
    assert!(cuts.is_cut("ab the", 2) && !cuts.is_cut("the ab", 3));
}
