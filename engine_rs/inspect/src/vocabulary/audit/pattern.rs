//! What a split pattern's pretokens can hold.
//!
//! The automaton of the pattern, without its look-ahead and with greedy in place of possessive repetition, takes every
//! pretoken and some texts that are none. So bytes that stand inside nothing it takes stand inside no pretoken.

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;
use rustc_hash::FxHashSet;

use token_engine::pretokenizers::scanners::Pattern;

/// The automaton of a pattern.
pub struct Pretokens {
    nfa: NFA,
    /// By byte: the states after it, from anywhere.
    after: Vec<Vec<StateID>>,
}

impl Pretokens {
    /// Of a known pattern; `None` where its expression is one that the automaton's compiler does not take.
    pub(crate) fn new(pattern: Pattern) -> Option<Self> {
        Self::of_regex(&without_look_around(pattern.regex()))
    }

    fn of_regex(regex: &str) -> Option<Self> {
        let mut pretokens = Self { nfa: NFA::new(regex).ok()?, after: vec![vec![]; 256] };
        let mut seen = FxHashSet::default();
        let mut states = vec![pretokens.nfa.start_anchored()];
        // The automaton has states for searching, too, which no pretoken passes. Ends: every state is looked at once.
        while let Some(from) = states.pop() {
            for from in pretokens.closed(vec![from]) {
                if seen.insert(from) {
                    for byte in 0..=255u8 {
                        let to = next(pretokens.nfa.state(from), byte);
                        pretokens.after[usize::from(byte)].extend(to);
                        states.extend(to);
                    }
                }
            }
        }
        for states in &mut pretokens.after {
            states.sort_unstable();
            states.dedup();
        }
        Some(pretokens)
    }

    /// Whether a pretoken may have these bytes inside it, at any place.
    pub(crate) fn may_hold(&self, bytes: &[u8]) -> bool {
        let Some((&first, rest)) = bytes.split_first() else { return true };
        !self.run(self.after[usize::from(first)].clone(), rest).is_empty()
    }

    /// Whether a pretoken may be these bytes.
    pub(crate) fn may_be(&self, bytes: &[u8]) -> bool {
        let ends = self.run(vec![self.nfa.start_anchored()], bytes);
        self.closed(ends).iter().any(|&state| matches!(self.nfa.state(state), State::Match { .. }))
    }

    /// The states after some bytes.
    fn run(&self, mut states: Vec<StateID>, bytes: &[u8]) -> Vec<StateID> {
        for &byte in bytes {
            states = self.closed(states).iter().flat_map(|&state| next(self.nfa.state(state), byte)).collect();
            states.sort_unstable();
            states.dedup();
            if states.is_empty() {
                break;
            }
        }
        states
    }

    /// The same states and all that they reach without a byte.
    fn closed(&self, mut states: Vec<StateID>) -> Vec<StateID> {
        let mut seen: FxHashSet<StateID> = states.iter().copied().collect();
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            at += 1;
            match self.nfa.state(state) {
                State::Look { next, .. } | State::Capture { next, .. } => push(&mut states, &mut seen, *next),
                State::Union { alternates } => {
                    alternates.iter().for_each(|&state| push(&mut states, &mut seen, state));
                }
                State::BinaryUnion { alt1, alt2 } => {
                    push(&mut states, &mut seen, *alt1);
                    push(&mut states, &mut seen, *alt2);
                }
                State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) | State::Fail | State::Match { .. } => {}
            }
        }
        states
    }
}

fn push(states: &mut Vec<StateID>, seen: &mut FxHashSet<StateID>, state: StateID) {
    if seen.insert(state) {
        states.push(state);
    }
}

/// The state after one byte.
fn next(state: &State, byte: u8) -> Option<StateID> {
    match state {
        State::ByteRange { trans } => trans.matches_byte(byte).then_some(trans.next),
        State::Sparse(sparse) => sparse.matches_byte(byte),
        State::Dense(dense) => dense.matches_byte(byte),
        _ => None,
    }
}

/// An expression that takes all that the other takes, in the syntax without look-ahead and possessive repetition.
fn without_look_around(regex: &str) -> String {
    regex.replace(r"(?!\S)", "").replace("++", "+").replace("?+", "?").replace("*+", "*").replace("3}+", "3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use token_engine::internals::testing::Random;

    #[test]
    fn every_part_of_a_pretoken_may_be_held_and_every_pretoken_may_be() {
        for pattern in [Pattern::R50k, Pattern::Cl100k, Pattern::O200k] {
            let pretokens = Pretokens::new(pattern).expect("the patterns are known");
            let mut random = Random::new(3);
            let letters =
                ['a', 'B', 'é', '日', '1', '٣', ' ', '\n', '\t', '\'', 's', '.', '/', '😀', '\u{301}', '\u{200d}'];
            for _ in 0..2000 {
                let text: String = (0..1 + random.below(12)).map(|_| *random.pick(&letters)).collect();
                let mut start = 0;
                pattern.split(&text, |end| {
                    let pretoken = &text.as_bytes()[start..end];
                    assert!(pretokens.may_be(pretoken), "{pattern:?}, {text:?}, {start}..{end}");
                    for from in 0..pretoken.len() {
                        for to in from + 1..=pretoken.len() {
                            assert!(pretokens.may_hold(&pretoken[from..to]), "{pattern:?}, {text:?}, {from}..{to}");
                        }
                    }
                    start = end;
                });
            }
        }
    }

    #[test]
    fn says_no_where_every_text_is_split() {
        let pretokens = Pretokens::new(Pattern::Cl100k).expect("known");
        for (held, text) in [
            (false, &b"a b"[..]),
            (false, b"a1"),
            (false, b"1234"),
            (true, b"123"),
            (true, b" a"),
            (true, b"\x97\xa5"),
            (false, b"\xff"),
        ] {
            assert_eq!(pretokens.may_hold(text), held, "{text:?}");
        }
    }
}
