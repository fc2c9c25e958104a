//! Automata for expressions without look-around, atomic groups and references.
//!
//! A split pattern mostly matches right where the match before ended: that is tried first, by one walk that needs no
//! second one back to find where the match starts. Memory of the automata is kept for the whole text.
//!
//! Not here: which expressions are plain ([`super::backtracking::is_plain`]).

use std::ops::Range;
use std::sync::Arc;

use fancy_regex::Expr;
use regex_automata::meta::{Cache, Regex};
use regex_automata::util::pool::Pool;
use regex_automata::{Anchored, Input};

type Caches = Pool<Cache, Box<dyn Fn() -> Cache + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>>;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Automata {
    regex: Regex,
    caches: Arc<Caches>,
}

impl Automata {
    /// The automata of a pattern in the syntax of `fancy-regex`; `None` if the pattern is not plain.
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        let tree = Expr::parse_tree(pattern).ok()?;
        // `fancy-regex` writes escapes in another way than `regex-automata`.
        let mut plain = String::new();
        tree.expr.to_str(&mut plain, 0);
        let regex = Regex::new(&plain).ok()?;
        let caches = Pool::new({
            let regex = regex.clone();
            Box::new(move || regex.create_cache()) as _
        });
        Some(Self { regex, caches: Arc::new(caches) })
    }

    /// A search through `text`.
    pub(crate) fn search<'a>(&'a self, text: &'a str) -> impl FnMut(usize) -> Option<Range<usize>> {
        let mut cache = self.caches.get();
        move |from| {
            let input = Input::new(text).range(from..);
            let here = input.clone().anchored(Anchored::Yes);
            if let Some(end) = self.regex.search_half_with(&mut cache, &here) {
                return Some(from..end.offset());
            }
            self.regex.search_with(&mut cache, &input).map(|found| found.range())
        }
    }
}
