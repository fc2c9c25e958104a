//! Regular expressions of Oniguruma, in its Ruby syntax, rewritten for `fancy-regex`.
//!
//! The two differ in silence, which is why every construct is read and written anew: `{1,3}+` is possessive in one and
//! repeats a repetition in the other, `^` and `$` are line ends in one and text ends in the other, `(?m)` is dot-all in
//! one and line ends in the other, and `\w`, `[[:punct:]]` and their like are different sets.
//! What has no equivalent is an error that names it: `\X`, `\y`, `\M-x`, blocks (`\p{InArrows}`), a reference to one of several
//! groups of one name, and under `(?i)` what folds to several characters: there `ss` also matches `ß`.
//!
//! Source: `doc/RE` and `doc/UNICODE_PROPERTIES` of Oniguruma 6.9; behaviour of `tokenizers` 0.23.3, which uses it.

use std::fmt::Write;

use super::folding::{folded_part, folds_to_several};
use super::properties::{WORD, WORD_ALONE, code_point, property};
use crate::steps;

/// The pattern for `fancy-regex`, or what is wrong with it.
pub(crate) fn translate(pattern: &str) -> Result<String, String> {
    let mut translator = Translator {
        rest: pattern.chars().collect(),
        at: 0,
        out: String::new(),
        ignores_case: false,
        folds: false,
        run: vec![],
        groups: 0,
        names: vec![],
        references: vec![],
    };
    translator.alternatives(0, false)?;
    let Translator { names, references, .. } = &translator;
    if let Some(name) = references.iter().find(|name| names.iter().filter(|other| other == name).count() > 1) {
        return Err(format!("several groups are named {name:?}, and a reference to them is not supported"));
    }
    match translator.peek() {
        None => Ok(translator.out),
        Some(_) => Err(format!("unmatched ) at character {}", translator.at)),
    }
}

/// Groups and classes may be nested this deep, so that hostile patterns do not exhaust the stack.
const DEPTH: usize = 100;

struct Translator {
    rest: Vec<char>,
    at: usize,
    out: String,
    /// Whether a group before here ignores case, even if it has ended.
    ignores_case: bool,
    /// Whether case is ignored here.
    folds: bool,
    /// The characters directly before here that follow each other as they are.
    run: Vec<char>,
    /// Groups with a number that were opened before here.
    groups: usize,
    /// The names of groups, and of those that are referred to.
    names: Vec<String>,
    references: Vec<String>,
}

/// An element of a character class.
enum Item {
    Char(char),
    Set(String),
}

impl Translator {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let len = text.chars().count();
        let found = self.rest[self.at..].iter().take(len).copied().eq(text.chars());
        if found {
            self.at += len;
        }
        found
    }

    /// Everything up to the parenthesis that closes the group, or the end.
    fn alternatives(&mut self, depth: usize, extended: bool) -> Result<(), String> {
        self.end_run()?;
        self.joined_alternatives(depth, extended)?;
        self.end_run()
    }

    /// As `alternatives` in a group without a number: `a(?:b)c` is `abc`.
    fn joined_alternatives(&mut self, depth: usize, mut extended: bool) -> Result<(), String> {
        if depth > DEPTH {
            return Err(format!("groups are nested more than {DEPTH} deep"));
        }
        // Where the element that a quantifier would repeat starts, and how many quantifiers it has already.
        let mut atom: Option<(usize, usize)> = None;
        // Groups opened for flags that hold to the end of the group.
        let mut opened = 0;
        let (folds, mut has_bars) = (self.folds, false);
        while let Some(c) = self.peek().filter(|&c| c != ')') {
            let start = self.out.len();
            self.at += 1;
            let before = self.run.len();
            match c {
                '|' => {
                    self.end_run()?;
                    has_bars = true;
                    self.out.push('|');
                    atom = None;
                    continue;
                }
                '*' | '+' | '?' => {
                    let Some((start, quantified)) = atom else {
                        return Err(format!("nothing to repeat before {c} at character {}", self.at - 1));
                    };
                    self.group_if(quantified, start)?;
                    self.out.push(c);
                    if let Some(mode @ ('?' | '+')) = self.peek() {
                        self.at += 1;
                        self.out.push(mode);
                    }
                    atom = Some((start, quantified + 1));
                    continue;
                }
                '{' => {
                    if let Some((bounds, exact)) = self.interval() {
                        let Some((start, quantified)) = atom else {
                            return Err(format!("nothing to repeat before {{ at character {}", self.at - 1));
                        };
                        self.group_if(quantified, start)?;
                        self.out.push_str(&bounds);
                        // `{2}?` is an optional `{2}`, and `{1,2}+` repeats it: left to the next round.
                        if !exact && self.peek() == Some('?') {
                            self.at += 1;
                            self.out.push('?');
                        }
                        atom = Some((start, quantified + 1));
                        continue;
                    }
                    self.literal(c)?;
                }
                '(' => match self.group(depth, extended)? {
                    Group::Whole => {}
                    Group::Comment => continue,
                    Group::FlagsFromHere { extended: now } => {
                        opened += 1;
                        extended = now;
                        atom = None;
                        continue;
                    }
                },
                '[' => {
                    let class = self.class(0)?;
                    self.out.push_str(&class);
                }
                '^' => self.out.push_str(r"(?:\A|(?<=\n)(?!\z))"),
                '$' => self.out.push_str(r"(?=\n|\z)"),
                '.' => self.out.push('.'),
                '\\' => self.escape()?,
                '#' if extended => {
                    while self.next().is_some_and(|c| c != '\n') {}
                    continue;
                }
                c if extended && c.is_ascii_whitespace() => continue,
                c => self.literal(c)?,
            }
            atom = Some((start, 0));
            if self.run.len() == before {
                self.end_run()?;
            }
        }
        if has_bars || self.folds != folds {
            self.end_run()?;
            self.folds = folds;
        }
        for _ in 0..opened {
            self.out.push(')');
        }
        Ok(())
    }

    /// Ends a run of characters. An error where case is ignored and Oniguruma would match one character for some of them.
    fn end_run(&mut self) -> Result<(), String> {
        let run = std::mem::take(&mut self.run);
        let found = if self.folds { folded_part(&run) } else { None };
        found.map_or(Ok(()), |(part, c)| Err(self.not_folded(&format!("{part:?}"), &format!("{c:?}"))))
    }

    /// An error for a character that several others match where case is ignored.
    fn check_fold(&self, c: char) -> Result<(), String> {
        let found = folds_to_several(c).filter(|_| self.folds);
        found.map_or(Ok(()), |folded| Err(self.not_folded(&format!("{c:?}"), &format!("{folded:?}"))))
    }

    fn not_folded(&self, written: &str, matched: &str) -> String {
        format!("under (?i) {written} also matches {matched}, which is not supported, before character {}", self.at)
    }

    /// Puts what follows `start` into a group if it has a quantifier, so that another one can repeat it.
    fn group_if(&mut self, quantified: usize, start: usize) -> Result<(), String> {
        // What is repeated follows nothing before it as it is.
        self.run.pop();
        self.end_run()?;
        if quantified == DEPTH {
            return Err(format!("more than {DEPTH} quantifiers follow each other at character {}", self.at - 1));
        }
        if quantified > 0 {
            steps::count(self.out.len() - start);
            self.out.insert_str(start, "(?:");
            self.out.push(')');
        }
        Ok(())
    }

    fn literal(&mut self, c: char) -> Result<(), String> {
        self.check_fold(c)?;
        self.run.push(c);
        if c.is_ascii_alphanumeric() || !c.is_ascii() {
            self.out.push(c);
        } else {
            // Escaped by number: safe in every mode.
            let _ = write!(self.out, r"\x{{{:X}}}", c as u32);
        }
        Ok(())
    }

    /// `{n}`, `{n,}`, `{,m}` or `{n,m}` after its brace, and whether it is the first; nothing is taken otherwise.
    fn interval(&mut self) -> Option<(String, bool)> {
        // Stops at the first character that no interval has, so that a pattern full of open braces is read once.
        let end = self.rest[self.at..].iter().position(|&c| !(c.is_ascii_digit() || c == ','));
        steps::count(end.unwrap_or(self.rest.len() - self.at));
        let end = end? + self.at;
        if self.rest[end] != '}' {
            return None;
        }
        let inner: String = self.rest[self.at..end].iter().collect();
        let number = |text: &str| text.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit());
        let (low, high) = inner.split_once(',').unwrap_or((&inner, &inner));
        if inner.is_empty() || inner == "," || !number(low) || !number(high) {
            return None;
        }
        self.at = end + 1;
        let low = if low.is_empty() { "0" } else { low };
        Some(if inner.contains(',') { (format!("{{{low},{high}}}"), false) } else { (format!("{{{low}}}"), true) })
    }

    /// What follows an opening parenthesis, with the one that closes it.
    fn group(&mut self, depth: usize, extended: bool) -> Result<Group, String> {
        let opened_at = self.at - 1;
        let close = |this: &mut Self| match this.next() {
            Some(')') => {
                this.out.push(')');
                Ok(Group::Whole)
            }
            _ => Err(format!("no ) for the ( at character {opened_at}")),
        };
        if self.eat("?#") {
            while self.next().ok_or("a comment without end")? != ')' {}
            return Ok(Group::Comment);
        }
        if !self.eat("?") {
            self.out.push('(');
            self.groups += 1;
            self.alternatives(depth + 1, extended)?;
            return close(self);
        }
        for start in [":", "=", "!", ">", "<=", "<!", "~"] {
            if self.eat(start) {
                self.out.push_str("(?");
                self.out.push_str(start);
                if start == ":" {
                    self.joined_alternatives(depth + 1, extended)?;
                } else {
                    self.alternatives(depth + 1, extended)?;
                }
                return close(self);
            }
        }
        if self.eat("(") {
            return self.conditional(depth, extended, close);
        }
        if self.eat("<") || self.eat("'") {
            let name: String = std::iter::from_fn(|| self.next().filter(|&c| c != '>' && c != '\'')).collect();
            let _ = write!(self.out, "(?<{name}>");
            self.groups += 1;
            self.names.push(name);
            self.alternatives(depth + 1, extended)?;
            return close(self);
        }
        // Flags: for this group, or with a parenthesis at once for the rest of the one around it.
        let (mut flags, mut on, mut now_extended) = (String::new(), true, extended);
        let folds = self.folds;
        self.end_run()?;
        loop {
            match self.next() {
                Some('-') => {
                    on = false;
                    flags.push('-');
                }
                Some('i') => {
                    self.ignores_case = true;
                    self.folds = on;
                    flags.push('i');
                }
                Some('m') => flags.push('s'),
                Some('x') => now_extended = on,
                Some(end @ (':' | ')')) => {
                    if flags.ends_with('-') {
                        flags.pop();
                    }
                    let _ = write!(self.out, "(?{flags}:");
                    if end == ')' {
                        return Ok(Group::FlagsFromHere { extended: now_extended });
                    }
                    self.alternatives(depth + 1, now_extended)?;
                    self.folds = folds;
                    return close(self);
                }
                other => {
                    let shown = other.map_or_else(|| "end".to_owned(), String::from);
                    return Err(format!("unknown group (?... with {shown} at character {}", self.at));
                }
            }
        }
    }

    /// `(?(1)yes|no)` after its second parenthesis: what to match if a group has matched, and if not.
    fn conditional(
        &mut self,
        depth: usize,
        extended: bool,
        close: impl Fn(&mut Self) -> Result<Group, String>,
    ) -> Result<Group, String> {
        let at = self.at;
        let group: String = std::iter::from_fn(|| self.next().filter(|&c| c != ')')).collect();
        let name = group.strip_prefix('<').and_then(|name| name.strip_suffix('>'));
        let is_number = !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && name.is_none_or(str::is_empty) {
            return Err(format!("the condition ({group}) at character {at} is not the number or <name> of a group"));
        }
        let _ = write!(self.out, "(?({group})");
        let from = self.at;
        self.alternatives(depth + 1, extended)?;
        if self.bars(from) > 1 {
            return Err(format!("the condition ({group}) at character {at} has more than two alternatives"));
        }
        close(self)
    }

    /// How many bars are between character `from` and here, outside of groups and classes.
    fn bars(&self, from: usize) -> usize {
        let (mut depth, mut bars) = (0usize, 0);
        let mut chars = self.rest[from..self.at].iter();
        while let Some(c) = chars.next() {
            match c {
                '\\' => {
                    chars.next();
                }
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                '|' if depth == 0 => bars += 1,
                _ => {}
            }
        }
        bars
    }

    /// Whether the digits here are the number of a group, not the octal number of a character.
    fn is_reference(&self) -> bool {
        let digits: String = self.rest[self.at..].iter().take_while(|c| c.is_ascii_digit()).collect();
        let is_octal = matches!(digits.as_bytes().first(), Some(b'1'..=b'7'));
        !is_octal || digits.parse().is_ok_and(|number: usize| number <= 9 || number <= self.groups)
    }

    /// An escape outside of a class, after its backslash.
    fn escape(&mut self) -> Result<(), String> {
        let Some(c) = self.peek() else { return Err("a backslash at the end".to_owned()) };
        let plain = match c {
            'A' => r"\A",
            'z' => r"\z",
            'Z' => r"(?=\n?\z)",
            'G' => r"\G",
            'K' => r"\K",
            'R' => r"(?>\r\n|[\n-\r\u{85}\u{2028}\u{2029}])",
            'O' => "(?s:.)",
            'N' => r"[^\n]",
            'b' | 'B' => {
                self.at += 1;
                let (same, other) = if c == 'b' { ("!", "=") } else { ("=", "!") };
                let w = WORD_ALONE;
                let _ = write!(self.out, "(?:(?<=[{w}])(?{same}[{w}])|(?<![{w}])(?{other}[{w}]))");
                return Ok(());
            }
            'k' | 'g' => {
                self.at += 1;
                let Some(open @ ('<' | '\'')) = self.next() else {
                    self.literal(c)?;
                    self.at -= 1;
                    return Ok(());
                };
                let close = if open == '<' { '>' } else { '\'' };
                let name: String = std::iter::from_fn(|| self.next().filter(|&c| c != close)).collect();
                let _ = write!(self.out, r"\{c}<{name}>");
                self.references.push(name);
                return Ok(());
            }
            '1'..='9' if self.is_reference() => {
                let digits: String =
                    std::iter::from_fn(|| self.peek().filter(char::is_ascii_digit).inspect(|_| self.at += 1)).collect();
                // In a group, so that a digit that follows is not a part of the number.
                let _ = write!(self.out, r"(?:\{digits})");
                return Ok(());
            }
            _ => "",
        };
        if !plain.is_empty() {
            self.at += 1;
            self.out.push_str(plain);
            return Ok(());
        }
        match self.item_after_backslash()? {
            Item::Char(c) => self.literal(c)?,
            // Case is ignored in classes alone: `(?i:\p{Lu})` matches no small letter, `(?i:[\p{Lu}])` does.
            Item::Set(set) if self.ignores_case && matches!(c, 'p' | 'P') => {
                let _ = write!(self.out, "(?-i:{})", set.replace(WORD, WORD_ALONE));
            }
            Item::Set(set) => self.out.push_str(&set.replace(WORD, WORD_ALONE)),
        }
        Ok(())
    }

    /// An escape that stands for a character or a set, after its backslash.
    fn item_after_backslash(&mut self) -> Result<Item, String> {
        let Some(c) = self.next() else { return Err("a backslash at the end".to_owned()) };
        let set = |set: &str| Ok(Item::Set(set.to_owned()));
        Ok(match c {
            'd' => return set(r"\p{Nd}"),
            'D' => return set(r"\P{Nd}"),
            'w' => return Ok(Item::Set(format!("[{WORD}]"))),
            'W' => return Ok(Item::Set(format!("[^{WORD}]"))),
            's' => return set(r"\s"),
            'S' => return set(r"\S"),
            'h' => return set("[0-9a-fA-F]"),
            'H' => return set("[^0-9a-fA-F]"),
            'p' | 'P' if self.peek() == Some('{') => {
                self.at += 1;
                let name: String = std::iter::from_fn(|| self.next().filter(|&c| c != '}')).collect();
                return property(&name, c == 'P').map(Item::Set);
            }
            't' => Item::Char('\t'),
            'n' => Item::Char('\n'),
            'r' => Item::Char('\r'),
            'f' => Item::Char('\x0c'),
            'v' => Item::Char('\x0b'),
            'a' => Item::Char('\x07'),
            'e' => Item::Char('\x1b'),
            'x' if self.peek() == Some('{') => {
                self.at += 1;
                let digits: String = std::iter::from_fn(|| self.next().filter(|&c| c != '}')).collect();
                Item::Char(code_point(&digits, 16)?)
            }
            'x' => {
                let digits = self.digits(16, 2);
                let c = code_point(&digits, 16)?;
                if !c.is_ascii() {
                    return Err(format!(r"\x{digits} is a part of a character; write \x{{...}}"));
                }
                Item::Char(c)
            }
            'u' => {
                let digits = self.digits(16, 4);
                Item::Char(code_point(&digits, 16)?)
            }
            'o' if self.peek() == Some('{') => {
                self.at += 1;
                let digits: String = std::iter::from_fn(|| self.next().filter(|&c| c != '}')).collect();
                Item::Char(code_point(&digits, 8)?)
            }
            '0'..='7' => {
                let digits = format!("{c}{}", self.digits(8, 2));
                let c = code_point(&digits, 8)?;
                if !c.is_ascii() {
                    return Err(format!(r"\{digits} is a part of a character; write \x{{...}}"));
                }
                Item::Char(c)
            }
            'c' => Item::Char(self.control(c)?),
            'C' if self.eat("-") => Item::Char(self.control(c)?),
            'X' | 'y' | 'Y' | 'C' | 'M' => return Err(format!(r"\{c} is not supported")),
            c => Item::Char(c),
        })
    }

    /// The control character of a letter, as in `\cA` and `\C-a`.
    fn control(&mut self, escape: char) -> Result<char, String> {
        match self.next() {
            Some('?') => Ok('\x7f'),
            Some(c) if c.is_ascii() && c != '\\' => Ok(char::from(c as u8 & 0x1f)),
            _ => Err(format!(r"\{escape} without a letter of ASCII is not supported")),
        }
    }

    fn digits(&mut self, radix: u32, max: usize) -> String {
        let digits: String = self.rest[self.at..].iter().take(max).take_while(|c| c.is_digit(radix)).collect();
        self.at += digits.len();
        digits
    }

    /// A character class after its bracket.
    fn class(&mut self, depth: usize) -> Result<String, String> {
        if depth > DEPTH {
            return Err(format!("character classes are nested more than {DEPTH} deep"));
        }
        let mut out = String::from("[");
        if self.eat("^") {
            out.push('^');
        }
        let mut first = true;
        loop {
            match self.peek() {
                None => return Err("a character class without ]".to_owned()),
                // At once it is a character, if another one closes the class.
                Some(']') if !(first && self.rest[self.at + 1..].contains(&']')) => {
                    self.at += 1;
                    if first {
                        return Err("an empty character class".to_owned());
                    }
                    out.push(']');
                    return Ok(out);
                }
                Some(_) if self.eat("&&") => out.push_str("&&"),
                Some(_) => match self.class_item(depth)? {
                    Item::Set(set) => out.push_str(&set),
                    Item::Char(low) => {
                        self.check_fold(low)?;
                        let _ = write!(out, r"\x{{{:X}}}", low as u32);
                        let range = self.peek() == Some('-') && self.rest.get(self.at + 1).is_some_and(|&c| c != ']');
                        if range {
                            self.at += 1;
                            match self.class_item(depth)? {
                                Item::Char(high) if low <= high => {
                                    let _ = write!(out, r"-\x{{{:X}}}", high as u32);
                                }
                                Item::Char(high) => return Err(format!("the range {low}-{high} is empty")),
                                Item::Set(set) => {
                                    out.push_str(r"\x{2D}");
                                    out.push_str(&set);
                                }
                            }
                        }
                    }
                },
            }
            first = false;
        }
    }

    fn class_item(&mut self, depth: usize) -> Result<Item, String> {
        match self.next() {
            None => Err("a character class without ]".to_owned()),
            Some('\\') if self.peek() == Some('b') => {
                self.at += 1;
                Ok(Item::Char('\x08'))
            }
            Some('\\') => self.item_after_backslash(),
            Some('[') => {
                if self.peek() == Some(':')
                    && let Some(len) = self.rest[self.at + 1..].iter().take(20).position(|&c| c == ':')
                    && self.rest.get(self.at + len + 2) == Some(&']')
                {
                    let name: String = self.rest[self.at + 1..self.at + 1 + len].iter().collect();
                    self.at += len + 3;
                    let (name, negated) = name.strip_prefix('^').map_or((&name[..], false), |name| (name, true));
                    // The only one that says more in brackets than as a property.
                    return if name == "punct" {
                        Ok(Item::Set(if negated { r"[^\p{P}\p{S}]" } else { r"[\p{P}\p{S}]" }.to_owned()))
                    } else {
                        property(name, negated).map(Item::Set)
                    };
                }
                self.class(depth + 1).map(Item::Set)
            }
            Some(c) => Ok(Item::Char(c)),
        }
    }
}

/// What a parenthesis opened.
enum Group {
    /// A group, closed again.
    Whole,
    /// Nothing.
    Comment,
    /// Flags that hold for the rest of the group around.
    FlagsFromHere { extended: bool },
}
