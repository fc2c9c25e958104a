//! Compiles a parsed expression into instructions.
//!
//! The parser is that of `fancy-regex`. Groups without a reference to them capture nothing, counted repetitions are written
//! out, and a repetition of one character class is one instruction. References, conditions, recursion and look-behinds of
//! more than one width are not compiled: [`Program::new`] returns `None` for them.

use std::cell::RefCell;

use fancy_regex::{Assertion, Expr, LookAround};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};
use rustc_hash::FxHashMap;

/// The most instructions: counted repetitions of counted repetitions multiply.
const MAX_INSTRUCTIONS: usize = 20_000;

/// The most sets with a bit for each character of the basic plane, which takes 8 kB.
const MAX_PLANES: usize = 64;
/// Sets of no more ranges have no such bits.
const FEW_RANGES: usize = 2;
/// Characters of the basic plane.
const PLANE: usize = 0x1_0000;
/// The most alternatives for which is known what those after each can start with.
const MAX_ALTERNATIVES: usize = 32;

/// A set of characters.
#[derive(Clone, Debug)]
pub struct Set {
    ascii: u128,
    /// Sorted ranges of the characters that are not ASCII.
    others: Vec<(char, char)>,
    /// A bit for each character of the basic plane, if looking through the ranges would take longer.
    plane: Option<Box<[u64; PLANE / 64]>>,
}

impl Set {
    fn new(class: &ClassUnicode, may_have_plane: bool) -> Self {
        let ascii = |c: &u8| class.iter().any(|range| (range.start()..=range.end()).contains(&char::from(*c)));
        let others = class.iter().filter(|range| !range.end().is_ascii());
        let others: Vec<(char, char)> = others.map(|range| (range.start().max('\u{80}'), range.end())).collect();
        let plane = (may_have_plane && others.len() > FEW_RANGES).then(|| {
            let mut plane = Box::new([0; PLANE / 64]);
            let low = others.iter().flat_map(|&(start, end)| start..=end).map(|c| c as usize);
            low.take_while(|&c| c < PLANE).for_each(|c| plane[c / 64] |= 1 << (c % 64));
            plane
        });
        Self { ascii: (0..128).filter(ascii).fold(0, |all, c| all | 1 << c), others, plane }
    }

    /// Whether a byte is a character of it: only for ASCII.
    #[inline(always)]
    pub(crate) fn has_ascii(&self, byte: u8) -> bool {
        self.ascii >> (byte & 127) & 1 == 1
    }

    /// Whether `c` is in it.
    #[inline]
    pub(crate) fn has(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.has_ascii(c as u8);
        }
        if let Some(plane) = &self.plane
            && (c as usize) < PLANE
        {
            return plane[c as usize / 64] >> (c as usize % 64) & 1 == 1;
        }
        let at = self.others.partition_point(|&(_, end)| end < c);
        self.others.get(at).is_some_and(|&(start, _)| start <= c)
    }
}

/// An instruction. Numbers are indices of instructions, sets and registers.
#[derive(Clone, Debug)]
pub enum Step {
    /// One character of a set.
    Set(usize),
    /// This text.
    Text(Box<str>),
    /// A position that fits.
    Assert(Assertion),
    /// As many characters of a set as there are, then fewer. `memo`: where failures are remembered, if they can be.
    Run { set: usize, memo: Option<usize> },
    /// As many characters of a set as there are.
    WholeRun(usize),
    /// First this way, then that one. `starts` says what each can start with, where that is known.
    Split { first: usize, second: usize, memo: Option<usize>, starts: [Option<usize>; 2] },
    /// Goes on elsewhere.
    Jump(usize),
    /// Keeps the position in a register.
    Keep(usize),
    /// Goes elsewhere if the position is that of the register: a round of a loop that matched nothing is its last.
    IfAt { register: usize, target: usize },
    /// Whether what follows up to an [`Step::Accept`] matches here, or ends here after starting `back` characters before.
    /// The position stays.
    Look { back: usize, negative: bool, next: usize },
    /// What follows up to an [`Step::Accept`], its first match for good.
    Atomic { next: usize },
    /// The end of the expression, or of the inside of a `Look` or an `Atomic`.
    Accept,
}

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    pub(crate) sets: Vec<Set>,
    pub(crate) registers: usize,
    /// How many instructions remember where they failed.
    pub(crate) memos: usize,
    /// The characters that a match can start with; `None` if it may be empty.
    pub(crate) first: Option<Set>,
}

impl Program {
    /// Compiles `pattern`, in the syntax of `fancy-regex`. `None` if it is not an expression, has parts that are not compiled,
    /// or needs no backtracking: automata match it in linear time.
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        let tree = Expr::parse_tree(pattern).ok()?;
        needs_backtracking(&tree.expr).then(|| Self::compile(&tree.expr)).flatten()
    }

    /// Whether automata match a pattern.
    pub(crate) fn is_plain(pattern: &str) -> bool {
        Expr::parse_tree(pattern).is_ok_and(|tree| !needs_backtracking(&tree.expr))
    }

    fn compile(expression: &Expr) -> Option<Self> {
        let program = Self { steps: vec![], sets: vec![], registers: 0, memos: 0, first: None };
        let mut compiler =
            Compiler { program, classes: Classes::default(), sets: FxHashMap::default(), in_empty_loop: false };
        compiler.expression(expression)?;
        compiler.push(Step::Accept)?;
        let (class, may_be_empty) = compiler.classes.first(expression)?;
        let first = (!may_be_empty).then(|| Set::new(&class, true));
        Some(Self { first, ..compiler.program })
    }
}

fn needs_backtracking(expression: &Expr) -> bool {
    match expression {
        Expr::Empty | Expr::Any { .. } | Expr::Literal { .. } | Expr::Delegate { .. } => false,
        Expr::Assertion(Assertion::StartText | Assertion::EndText) => false,
        Expr::Alt(all) if starts_alike(all) => true,
        Expr::Concat(all) | Expr::Alt(all) => all.iter().any(needs_backtracking),
        Expr::Group(inner) => needs_backtracking(inner),
        Expr::Repeat { child, .. } => needs_backtracking(child),
        _ => true,
    }
}

/// Whether all alternatives start with the same expression of no fixed width, as in `a+a|a+.*`. `regex-syntax` writes it
/// once, before the alternatives, which changes what is tried first: `a+(?:a|.*)` takes all of `aab`, and the first
/// alternative is `aa`.
fn starts_alike(all: &[Expr]) -> bool {
    let start = |one: &Expr| if let Expr::Concat(parts) = one { parts.first().cloned() } else { Some(one.clone()) };
    let mut starts = all.iter().map(start);
    let Some(Some(first)) = starts.next() else { return false };
    Classes::default().width(&first).is_none() && starts.all(|other| other.as_ref() == Some(&first))
}

struct Compiler {
    program: Program,
    classes: Classes,
    /// The numbers of the sets so far.
    sets: FxHashMap<Vec<(char, char)>, usize>,
    /// Inside of a loop whose body may match nothing. What happens there depends on where the round began, so failures
    /// are not remembered.
    in_empty_loop: bool,
}

impl Compiler {
    fn push(&mut self, step: Step) -> Option<usize> {
        let at = self.program.steps.len();
        self.program.steps.push(step);
        (at < MAX_INSTRUCTIONS).then_some(at)
    }

    fn here(&self) -> usize {
        self.program.steps.len()
    }

    fn memo(&mut self) -> Option<usize> {
        if self.in_empty_loop {
            return None;
        }
        self.program.memos += 1;
        Some(self.program.memos - 1)
    }

    /// The number of a set.
    fn set(&mut self, class: &ClassUnicode) -> usize {
        let ranges = class.iter().map(|range| (range.start(), range.end())).collect();
        *self.sets.entry(ranges).or_insert_with(|| {
            let number = self.program.sets.len();
            self.program.sets.push(Set::new(class, number < MAX_PLANES));
            number
        })
    }

    fn expression(&mut self, expression: &Expr) -> Option<()> {
        if let Some(class) = self.classes.of(expression) {
            let set = self.set(&class);
            self.push(Step::Set(set))?;
            return Some(());
        }
        match expression {
            Expr::Empty => {}
            Expr::Literal { val, casei: false } => {
                self.push(Step::Text(val.as_str().into()))?;
            }
            Expr::Literal { val, casei: true } => {
                for c in val.chars() {
                    let set = self.set(&folded(c)?);
                    self.push(Step::Set(set))?;
                }
            }
            Expr::Assertion(assertion) if is_known(*assertion) => {
                self.push(Step::Assert(*assertion))?;
            }
            Expr::Concat(all) => all.iter().try_for_each(|one| self.expression(one))?,
            Expr::Alt(all) => self.alternatives(all)?,
            Expr::Group(inner) => self.expression(inner)?,
            Expr::Repeat { child, lo, hi, greedy } => self.repeat(child, *lo, *hi, *greedy)?,
            Expr::AtomicGroup(inner) => self.atomic(inner)?,
            Expr::LookAround(inner, kind) => self.look(inner, *kind)?,
            _ => return None,
        }
        Some(())
    }

    fn alternatives(&mut self, all: &[Expr]) -> Option<()> {
        let (last, others) = all.split_last()?;
        let mut jumps = vec![];
        let starts = self.starts(all);
        for (n, one) in others.iter().enumerate() {
            let memo = self.memo();
            let split = self.push(Step::Jump(0))?;
            self.expression(one)?;
            jumps.push(self.push(Step::Jump(0))?);
            let starts = starts.get(n).copied().unwrap_or_default();
            self.program.steps[split] = Step::Split { first: split + 1, second: self.here(), memo, starts };
        }
        self.expression(last)?;
        let end = self.here();
        jumps.into_iter().for_each(|jump| self.program.steps[jump] = Step::Jump(end));
        Some(())
    }

    /// For each alternative but the last: the sets of characters that it, and that those after it, can start with. Nothing for
    /// many alternatives.
    fn starts(&mut self, all: &[Expr]) -> Vec<[Option<usize>; 2]> {
        if all.len() > MAX_ALTERNATIVES {
            return vec![];
        }
        let mut starts = vec![];
        let mut after: Option<ClassUnicode> = None;
        for (n, one) in all.iter().enumerate().rev() {
            let class = self.classes.first(one).filter(|(_, may_be_empty)| !may_be_empty).map(|(class, _)| class);
            if n + 1 < all.len() {
                starts.push([&class, &after].map(|class| class.as_ref().map(|class| self.set(class))));
            }
            after = match (class, after) {
                (Some(class), None) if n + 1 == all.len() => Some(class),
                (Some(class), Some(mut after)) => {
                    after.union(&class);
                    Some(after)
                }
                _ => None,
            };
        }
        starts.reverse();
        starts
    }

    fn repeat(&mut self, child: &Expr, lo: usize, hi: usize, greedy: bool) -> Option<()> {
        let start = self.here();
        for _ in 0..lo {
            self.expression(child)?;
            if self.here() == start {
                break;
            }
        }
        if hi < usize::MAX {
            return self.optional(child, hi.checked_sub(lo)?, greedy);
        }
        if let Some(class) = self.classes.of(child).filter(|_| greedy) {
            let (set, memo) = (self.set(&class), self.memo());
            self.push(Step::Run { set, memo })?;
            return Some(());
        }
        let memo = self.memo();
        let split = self.push(Step::Jump(0))?;
        if self.classes.first(child)?.1 {
            let register = self.program.registers;
            self.program.registers += 1;
            self.push(Step::Keep(register))?;
            let outer = std::mem::replace(&mut self.in_empty_loop, true);
            self.expression(child)?;
            self.in_empty_loop = outer;
            let target = self.here() + 2;
            self.push(Step::IfAt { register, target })?;
        } else {
            self.expression(child)?;
        }
        self.push(Step::Jump(split))?;
        self.program.steps[split] = ways(split + 1, self.here(), greedy, memo);
        Some(())
    }

    /// Up to `most` repetitions.
    fn optional(&mut self, child: &Expr, most: usize, greedy: bool) -> Option<()> {
        let mut splits = vec![];
        for _ in 0..most {
            let memo = self.memo();
            splits.push((self.push(Step::Jump(0))?, memo));
            self.expression(child)?;
        }
        for (split, memo) in splits {
            self.program.steps[split] = ways(split + 1, self.here(), greedy, memo);
        }
        Some(())
    }

    fn atomic(&mut self, inner: &Expr) -> Option<()> {
        if let Expr::Repeat { child, lo, hi: usize::MAX, greedy: true } = inner
            && let Some(class) = self.classes.of(child)
        {
            let set = self.set(&class);
            for _ in 0..*lo {
                self.push(Step::Set(set))?;
            }
            self.push(Step::WholeRun(set))?;
            return Some(());
        }
        let atomic = self.push(Step::Accept)?;
        self.expression(inner)?;
        self.push(Step::Accept)?;
        self.program.steps[atomic] = Step::Atomic { next: self.here() };
        Some(())
    }

    fn look(&mut self, inner: &Expr, kind: LookAround) -> Option<()> {
        let negative = matches!(kind, LookAround::LookAheadNeg | LookAround::LookBehindNeg);
        if matches!(kind, LookAround::LookAhead | LookAround::LookAheadNeg) {
            return self.look_from(inner, 0, negative);
        }
        let inner: &Expr = if let Expr::Group(inner) = inner { inner } else { inner };
        match (self.classes.width(inner), inner) {
            (Some(width), _) => self.look_from(inner, width, negative),
            // Each alternative has its own width: none may match, or any.
            (None, Expr::Alt(all)) if negative => {
                all.iter().try_for_each(|one| self.look_from(one, self.classes.width(one)?, true))
            }
            (None, Expr::Alt(all)) => {
                let look = |one: &Expr| Expr::LookAround(Box::new(one.clone()), kind);
                self.alternatives(&all.iter().map(look).collect::<Vec<_>>())
            }
            _ => None,
        }
    }

    fn look_from(&mut self, inner: &Expr, back: usize, negative: bool) -> Option<()> {
        let look = self.push(Step::Accept)?;
        self.expression(inner)?;
        self.push(Step::Accept)?;
        self.program.steps[look] = Step::Look { back, negative, next: self.here() };
        Some(())
    }
}

/// A split into the inside of a repetition and what follows it.
fn ways(inside: usize, after: usize, greedy: bool, memo: Option<usize>) -> Step {
    let (first, second) = if greedy { (inside, after) } else { (after, inside) };
    Step::Split { first, second, memo, starts: [None; 2] }
}

fn is_known(assertion: Assertion) -> bool {
    matches!(
        assertion,
        Assertion::StartText
            | Assertion::EndText
            | Assertion::EndTextIgnoreTrailingNewlines { crlf: false }
            | Assertion::StartLine { crlf: false }
            | Assertion::EndLine { crlf: false }
            | Assertion::WordBoundary
            | Assertion::NotWordBoundary
    )
}

/// Facts about expressions. Parsing a class takes long, so each is parsed once.
#[derive(Default)]
struct Classes {
    parsed: RefCell<FxHashMap<String, Option<ClassUnicode>>>,
}

impl Classes {
    /// The class that an expression is, if it matches one character of a class.
    fn of(&self, expression: &Expr) -> Option<ClassUnicode> {
        match expression {
            Expr::Any { newline: true, .. } => Some(range('\0', char::MAX)),
            Expr::Any { newline: false, crlf: false } => {
                let mut class = range('\n', '\n');
                class.negate();
                Some(class)
            }
            Expr::Literal { val, casei } => {
                let c = single(val)?;
                if *casei { folded(c) } else { Some(range(c, c)) }
            }
            Expr::Delegate { inner, casei } => {
                let pattern = if *casei { format!("(?i:{inner})") } else { inner.clone() };
                let mut parsed = self.parsed.borrow_mut();
                parsed.entry(pattern).or_insert_with_key(|pattern| parse(pattern)).clone()
            }
            Expr::Group(inner) => self.of(inner),
            _ => None,
        }
    }

    /// Characters that every match has, if all have as many.
    fn width(&self, expression: &Expr) -> Option<usize> {
        if self.of(expression).is_some() {
            return Some(1);
        }
        match expression {
            Expr::Empty | Expr::Assertion(_) | Expr::LookAround(..) => Some(0),
            Expr::Literal { val, .. } => Some(val.chars().count()),
            Expr::Concat(all) => all.iter().try_fold(0_usize, |sum, one| sum.checked_add(self.width(one)?)),
            Expr::Alt(all) => {
                let mut widths = all.iter().map(|one| self.width(one));
                let one = widths.next()??;
                widths.all(|other| other == Some(one)).then_some(one)
            }
            Expr::Group(inner) => self.width(inner),
            Expr::AtomicGroup(inner) => self.width(inner),
            Expr::Repeat { child, lo, hi, .. } if lo == hi => self.width(child)?.checked_mul(*lo),
            _ => None,
        }
    }

    /// The characters that a match can start with, and whether it can be empty. `None` for what is not compiled.
    fn first(&self, expression: &Expr) -> Option<(ClassUnicode, bool)> {
        if let Some(class) = self.of(expression) {
            return Some((class, false));
        }
        let nothing = ClassUnicode::empty;
        match expression {
            Expr::Empty | Expr::Assertion(_) | Expr::LookAround(..) => Some((nothing(), true)),
            Expr::Literal { val, casei } => match val.chars().next() {
                None => Some((nothing(), true)),
                Some(c) if *casei => folded(c).map(|class| (class, false)),
                Some(c) => Some((range(c, c), false)),
            },
            Expr::Concat(all) => {
                let mut class = nothing();
                for one in all {
                    let (more, may_be_empty) = self.first(one)?;
                    class.union(&more);
                    if !may_be_empty {
                        return Some((class, false));
                    }
                }
                Some((class, true))
            }
            Expr::Alt(all) => all.iter().try_fold((nothing(), false), |(mut class, empty), one| {
                let (more, may_be_empty) = self.first(one)?;
                class.union(&more);
                Some((class, empty || may_be_empty))
            }),
            Expr::Group(inner) => self.first(inner),
            Expr::AtomicGroup(inner) => self.first(inner),
            Expr::Repeat { child, lo, .. } => self.first(child).map(|(class, empty)| (class, empty || *lo == 0)),
            _ => None,
        }
    }
}

fn range(start: char, end: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(start, end)])
}

/// The character of a text that has one.
fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// A character and those that differ from it in case alone.
fn folded(c: char) -> Option<ClassUnicode> {
    let mut class = range(c, c);
    class.try_case_fold_simple().ok()?;
    Some(class)
}

/// The class that a pattern of the regex crate is.
fn parse(pattern: &str) -> Option<ClassUnicode> {
    match regex_syntax::parse(pattern).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class),
        HirKind::Class(Class::Bytes(class)) => class.to_unicode_class(),
        // A class of one character.
        HirKind::Literal(literal) => single(std::str::from_utf8(&literal.0).ok()?).map(|c| range(c, c)),
        _ => None,
    }
}
