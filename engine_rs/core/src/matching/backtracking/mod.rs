//! A backtracking matcher for expressions with look-arounds, atomic groups and possessive repetitions.
//!
//! It finds what any backtracking engine finds: at the first position that has a match, the first one in the order of the
//! alternatives. Two things keep its time in bounds.
//! * The stack has one entry for a run of characters of one class, so that `\s+(?!\S)` takes a megabyte of spaces.
//! * When a text takes more than [`PATIENCE`] steps per byte, the matcher starts to remember at which positions an
//!   instruction has failed. An expression without references fails there again, however it got there, so no work is done
//!   twice: `(a|a)*$` and `\p{L}+(?=z)` take linear time.
//!
//! What is left are expressions that look far ahead at every position with success, and loops of loops that match nothing.
//! They end with an error after a number of steps.
//!
//! Not here: expressions without any of these, which automata match, and those with references, which `fancy-regex` does.
//!
//! Source: the idea of remembering failures is that of Davis, Servant, Lee: Using Selective Memoization to Defeat Regular
//! Expression Denial of Service (2021).

mod program;

use std::ops::Range;

use fancy_regex::Assertion;
use thiserror::Error;

use crate::steps;
use program::{Program, Set, Step};

/// Steps per byte of text after which failures are remembered.
const PATIENCE: usize = 16;
/// The most steps in a text: so many, and so many per byte.
const MOST_STEPS: usize = 50_000_000;
const MOST_STEPS_PER_BYTE: usize = 100;
/// The most memory for failures, in bytes: so many, and so many per byte of text. An expression that would take more, one
/// of hundreds of instructions, matches without.
const MOST_MEMORY: usize = 64 << 20;
const MOST_MEMORY_PER_BYTE: usize = 8;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Backtracking {
    program: Program,
}

/// The text takes more steps than it may.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("needs more than {most} steps for this text")]
pub(crate) struct TooManySteps {
    /// The most it may take.
    pub(crate) most: usize,
}

/// Whether a pattern in the syntax of `fancy-regex` runs on automata.
pub(crate) fn is_plain(pattern: &str) -> bool {
    Program::is_plain(pattern)
}

/// Where to go on after a failure.
enum Choice {
    /// At an instruction and a position.
    Way { step: usize, at: usize },
    /// After a run with fewer characters: `end` is the last end tried, `most` the first.
    Run { step: usize, start: usize, end: usize, most: usize },
    /// Nowhere: an instruction has failed at a position.
    Failed { memo: usize, at: usize },
    /// Nowhere: a register had another value.
    Register { register: usize, value: usize },
}

/// A search through one text.
struct Search<'a> {
    program: &'a Program,
    text: &'a str,
    stack: Vec<Choice>,
    registers: Vec<usize>,
    steps: usize,
    /// Steps after which failures are remembered.
    patience: usize,
    most: usize,
    /// Failures by instruction and position. Empty until they are remembered.
    failed: Vec<u64>,
    /// Where the line ends begin that end the text.
    last_lines: usize,
}

impl Backtracking {
    /// The matcher of a pattern in the syntax of `fancy-regex`; `None` if automata match it, or if only `fancy-regex` does.
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        Program::new(pattern).map(|program| Self { program })
    }

    /// A search through `text`.
    pub(crate) fn search<'a>(
        &'a self,
        text: &'a str,
    ) -> impl FnMut(usize) -> Result<Option<Range<usize>>, TooManySteps> {
        let mut search = self.begin(text, PATIENCE * text.len(), MOST_STEPS + MOST_STEPS_PER_BYTE * text.len());
        move |from| search.next(from)
    }

    fn begin<'a>(&'a self, text: &'a str, patience: usize, most: usize) -> Search<'a> {
        let registers = vec![0; self.program.registers];
        let last_lines = text.trim_end_matches('\n').len();
        let patience = if memory(self.program.memos, text) > most_memory(text) { usize::MAX } else { patience };
        let (stack, failed) = (vec![], vec![]);
        Search { program: &self.program, text, stack, registers, steps: 0, patience, most, failed, last_lines }
    }
}

impl Search<'_> {
    /// The first match that starts at byte `from` or after it.
    fn next(&mut self, from: usize) -> Result<Option<Range<usize>>, TooManySteps> {
        let mut start = from;
        loop {
            let c = self.text[start..].chars().next();
            let may_start = self.program.first.as_ref().is_none_or(|first| c.is_some_and(|c| first.has(c)));
            if may_start && let Some(end) = self.run(0, start)? {
                return Ok(Some(start..end));
            }
            let Some(c) = c else { return Ok(None) };
            start += c.len_utf8();
        }
    }

    /// The end of the first match of the instructions from `step` up to their `Accept`.
    fn run(&mut self, mut step: usize, mut at: usize) -> Result<Option<usize>, TooManySteps> {
        let bottom = self.stack.len();
        loop {
            self.count(1)?;
            let next = match &self.program.steps[step] {
                Step::Set(set) => self.character(*set, at).map(|end| (step + 1, end)),
                Step::Text(text) => {
                    self.text.as_bytes()[at..].starts_with(text.as_bytes()).then(|| (step + 1, at + text.len()))
                }
                Step::Assert(Assertion::EndTextIgnoreTrailingNewlines { .. }) => {
                    (at >= self.last_lines).then_some((step + 1, at))
                }
                Step::Assert(assertion) => holds(*assertion, self.text, at).then_some((step + 1, at)),
                Step::Run { set, memo } => self.begin_run(step, *set, *memo, at)?.map(|end| (step + 1, end)),
                Step::WholeRun(set) => Some((step + 1, self.end_of_run(*set, None, at)?)),
                &Step::Split { first, second, memo, starts } => {
                    self.remember();
                    // While failures are remembered, each way has to leave its mark.
                    let [may_be_first, may_be_second] = match self.failed.is_empty() {
                        true => starts.map(|set| set.is_none_or(|set| self.character(set, at).is_some())),
                        false => [true; 2],
                    };
                    match (may_be_first, may_be_second) {
                        (true, true) => self.split(second, memo, at).then_some((first, at)),
                        (true, false) => Some((first, at)),
                        (false, true) => Some((second, at)),
                        (false, false) => None,
                    }
                }
                &Step::Jump(target) => Some((target, at)),
                &Step::Keep(register) => {
                    let value = std::mem::replace(&mut self.registers[register], at);
                    self.stack.push(Choice::Register { register, value });
                    Some((step + 1, at))
                }
                &Step::IfAt { register, target } => {
                    Some((if self.registers[register] == at { target } else { step + 1 }, at))
                }
                &Step::Look { back: 0, negative, next }
                    if let [Step::Set(set), Step::Accept, ..] = self.program.steps[step + 1..] =>
                {
                    (self.character(set, at).is_some() != negative).then_some((next, at))
                }
                &Step::Look { back, negative, next } => {
                    self.count(back)?;
                    let found = match self.before(at, back) {
                        Some(start) => self.run(step + 1, start)?.is_some(),
                        None => false,
                    };
                    (found != negative).then_some((next, at))
                }
                &Step::Atomic { next } => self.run(step + 1, at)?.map(|end| (next, end)),
                Step::Accept => {
                    self.stack.truncate(bottom);
                    return Ok(Some(at));
                }
            };
            match next.or_else(|| self.back(bottom)) {
                Some(next) => (step, at) = next,
                None => return Ok(None),
            }
        }
    }

    #[inline]
    fn count(&mut self, some: usize) -> Result<(), TooManySteps> {
        self.steps += some;
        steps::count(some);
        if self.steps > self.most {
            return Err(TooManySteps { most: self.most });
        }
        Ok(())
    }

    #[inline]
    fn set(&self, set: usize) -> &Set {
        &self.program.sets[set]
    }

    /// The end of the character at `at`, if it is in a set.
    #[inline]
    fn character(&self, set: usize, at: usize) -> Option<usize> {
        let set = self.set(set);
        match *self.text.as_bytes().get(at)? {
            byte if byte.is_ascii() => set.has_ascii(byte).then_some(at + 1),
            _ => self.text[at..].chars().next().filter(|&c| set.has(c)).map(|c| at + c.len_utf8()),
        }
    }

    /// The end of the characters of a set from `at` on, or the first position where `memo` has failed.
    fn end_of_run(&mut self, set: usize, memo: Option<usize>, at: usize) -> Result<usize, TooManySteps> {
        let mut end = at;
        if memo.is_none() || self.failed.is_empty() {
            let mut length = 0;
            while let Some(next) = self.character(set, end) {
                (end, length) = (next, length + 1);
            }
            self.count(length)?;
            return Ok(end);
        }
        while !memo.is_some_and(|memo| self.has_failed(memo, end))
            && let Some(next) = self.character(set, end)
        {
            self.count(1)?;
            end = next;
        }
        Ok(end)
    }

    /// The longest end of a run at which what follows may match.
    fn begin_run(
        &mut self,
        step: usize,
        set: usize,
        memo: Option<usize>,
        at: usize,
    ) -> Result<Option<usize>, TooManySteps> {
        self.remember();
        let mut end = self.end_of_run(set, memo, at)?;
        if memo.is_some_and(|memo| self.has_failed(memo, end)) {
            // What follows has failed there and at every later end.
            if end == at {
                return Ok(None);
            }
            end = self.before(end, 1).unwrap_or(at);
        }
        if end > at || memo.is_some() {
            self.stack.push(Choice::Run { step, start: at, end, most: end });
        }
        Ok(Some(end))
    }

    /// Whether the first way is to be tried; remembers the second one.
    fn split(&mut self, second: usize, memo: Option<usize>, at: usize) -> bool {
        if let Some(memo) = memo.filter(|_| !self.failed.is_empty()) {
            if self.has_failed(memo, at) {
                return false;
            }
            self.stack.push(Choice::Failed { memo, at });
        }
        self.stack.push(Choice::Way { step: second, at });
        true
    }

    /// Takes the last choice that is left.
    fn back(&mut self, bottom: usize) -> Option<(usize, usize)> {
        while self.stack.len() > bottom {
            match self.stack.pop()? {
                Choice::Way { step, at } => return Some((step, at)),
                Choice::Run { step, start, end, most } if end > start => {
                    let end = self.before(end, 1).unwrap_or(start);
                    self.stack.push(Choice::Run { step, start, end, most });
                    return Some((step + 1, end));
                }
                Choice::Run { step, start, most, .. } => {
                    if let Step::Run { memo: Some(memo), .. } = self.program.steps[step]
                        && !self.failed.is_empty()
                    {
                        (start..=most).for_each(|at| self.fail(memo, at));
                    }
                }
                Choice::Failed { memo, at } => self.fail(memo, at),
                Choice::Register { register, value } => self.registers[register] = value,
            }
        }
        None
    }

    /// `back` characters before `at`.
    fn before(&self, at: usize, back: usize) -> Option<usize> {
        (0..back).try_fold(at, |at, _| self.text[..at].chars().next_back().map(|c| at - c.len_utf8()))
    }

    /// Starts to remember failures if the text takes long.
    #[inline]
    fn remember(&mut self) {
        if self.steps > self.patience && self.failed.is_empty() && self.program.memos > 0 {
            self.failed = vec![0; memory(self.program.memos, self.text) / size_of::<u64>()];
        }
    }

    fn bit(&self, memo: usize, at: usize) -> usize {
        memo * (self.text.len() + 1) + at
    }

    #[inline]
    fn has_failed(&self, memo: usize, at: usize) -> bool {
        let bit = self.bit(memo, at);
        self.failed.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    #[inline]
    fn fail(&mut self, memo: usize, at: usize) {
        let bit = self.bit(memo, at);
        if let Some(word) = self.failed.get_mut(bit / 64) {
            *word |= 1 << (bit % 64);
        }
    }
}

/// Bytes that the failures of `memos` instructions take: a bit for each position, in whole words.
fn memory(memos: usize, text: &str) -> usize {
    (memos * (text.len() + 1)).div_ceil(64) * size_of::<u64>()
}

fn most_memory(text: &str) -> usize {
    MOST_MEMORY + MOST_MEMORY_PER_BYTE * text.len()
}

fn holds(assertion: Assertion, text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let is_word = |c: Option<char>| c.is_some_and(regex_syntax::is_word_character);
    let at_boundary = || is_word(text[..at].chars().next_back()) != is_word(text[at..].chars().next());
    match assertion {
        Assertion::StartText => at == 0,
        Assertion::EndText => at == text.len(),
        Assertion::StartLine { .. } => at == 0 || bytes[at - 1] == b'\n',
        Assertion::EndLine { .. } => bytes.get(at).is_none_or(|&byte| byte == b'\n'),
        Assertion::WordBoundary => at_boundary(),
        Assertion::NotWordBoundary => !at_boundary(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
