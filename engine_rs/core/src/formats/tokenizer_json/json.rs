//! JSON as a tree that keeps every field in the order of the file, twice where it stands there twice, and a way to walk
//! it that knows the path and leaves no field unread.
//!
//! Source: RFC 8259. Numbers are read as `serde_json` reads them, which `tokenizers` does, too: the last bit of a score may
//! differ from what a correctly rounding reader makes of it.

use std::cell::RefCell;
use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::error::{LoadError, Place};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number from 0 up.
    Unsigned(u64),
    /// A negative whole number.
    Negative(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// Fields in the order of the file.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a document. `file` is its name for errors.
    ///
    /// Errors: what is not JSON, with the line; nesting deeper than 128.
    pub fn read(file: &str, content: &[u8]) -> Result<Self, LoadError> {
        serde_json::from_slice(content).map_err(|problem| {
            LoadError::new(file, Place::Line(problem.line()), format!("not JSON: {problem}"))
                .hint("is the file complete? A tokenizer.json is one JSON object in UTF-8")
        })
    }

    /// An object.
    pub(crate) fn object<const N: usize>(fields: [(&str, Self); N]) -> Self {
        Self::Object(fields.map(|(name, value)| (name.to_owned(), value)).into())
    }

    /// An object with the field `type`, first.
    pub(crate) fn tagged<const N: usize>(name: &str, fields: [(&str, Self); N]) -> Self {
        let tag = ("type".to_owned(), name.into());
        let fields = fields.map(|(name, value)| (name.to_owned(), value));
        Self::Object(std::iter::once(tag).chain(fields).collect())
    }

    /// The value in a few words, for errors.
    fn shown(&self) -> String {
        let text = match self {
            Self::Array(all) => return format!("a list of {}", all.len()),
            Self::Object(all) => return format!("an object with {} fields", all.len()),
            Self::String(text) => format!("{text:?}"),
            other => other.to_string(),
        };
        match text.char_indices().nth(80) {
            Some((at, _)) => format!("{}...", &text[..at]),
            None => text,
        }
    }

    /// Appends the document, indented by two spaces; lists of scalars, such as merges, stand on one line.
    fn write(&self, indent: usize, out: &mut String) {
        let (open, close, count) = match self {
            Self::Array(all) => ('[', ']', all.len()),
            Self::Object(all) => ('{', '}', all.len()),
            scalar => return write_scalar(scalar, out),
        };
        let flat = count == 0
            || matches!(self, Self::Array(all) if all.len() < 9 && !all.iter().any(|one| matches!(one, Self::Array(_) | Self::Object(_))));
        let line = |indent: usize, out: &mut String| {
            if !flat {
                out.push('\n');
                out.extend(std::iter::repeat_n("  ", indent));
            }
        };
        out.push(open);
        let mut first = true;
        let mut separate = |out: &mut String| {
            if !std::mem::take(&mut first) {
                out.push_str(if flat { ", " } else { "," });
            }
            line(indent + 1, out);
        };
        match self {
            Self::Array(all) => all.iter().for_each(|one| {
                separate(out);
                one.write(indent + 1, out);
            }),
            Self::Object(all) => all.iter().for_each(|(name, one)| {
                separate(out);
                write_string(name, out);
                out.push_str(": ");
                one.write(indent + 1, out);
            }),
            _ => {}
        }
        line(indent, out);
        out.push(close);
    }
}

fn write_scalar(json: &Json, out: &mut String) {
    match json {
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Json::Unsigned(value) => out.push_str(&value.to_string()),
        Json::Negative(value) => out.push_str(&value.to_string()),
        Json::Float(value) => out.push_str(&float(*value)),
        Json::String(text) => write_string(text, out),
        Json::Null | Json::Array(_) | Json::Object(_) => out.push_str("null"),
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => out.extend(format!("\\u{:04x}", u32::from(c)).chars()),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A number that the reader reads as this very number: the reader is quick rather than right to the last bit, so more
/// digits are tried where the shortest do not come back.
fn float(value: f64) -> String {
    let shortest =
        if value == value.trunc() && value.abs() < 1e16 { format!("{value:.1}") } else { format!("{value}") };
    let longer = (14..=19).flat_map(|digits| [format!("{value:.digits$}"), format!("{value:.digits$e}")]);
    let comes_back = |text: &String| serde_json::from_str::<f64>(text).is_ok_and(|read| read == value);
    std::iter::once(shortest.clone()).chain(longer).find(comes_back).unwrap_or(shortest)
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(0, &mut out);
        f.write_str(&out)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u32> for Json {
    fn from(value: u32) -> Self {
        Self::Unsigned(value.into())
    }
}

impl From<usize> for Json {
    fn from(value: usize) -> Self {
        Self::Unsigned(value as u64)
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<Vec<Self>> for Json {
    fn from(value: Vec<Self>) -> Self {
        Self::Array(value)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tree;

        impl<'de> Visitor<'de> for Tree {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Json, E> {
                Ok(Json::Null)
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Bool(value))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Json, E> {
                Ok(Json::Unsigned(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Json, E> {
                Ok(u64::try_from(value).map_or(Json::Negative(value), Json::Unsigned))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
                Ok(Json::Float(value))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Json, E> {
                Ok(Json::String(value.to_owned()))
            }

            fn visit_string<E: de::Error>(self, value: String) -> Result<Json, E> {
                Ok(Json::String(value))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
                let mut all = vec![];
                while let Some(item) = items.next_element()? {
                    all.push(item);
                }
                Ok(Json::Array(all))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Json, A::Error> {
                let mut all = vec![];
                while let Some(field) = fields.next_entry()? {
                    all.push(field);
                }
                Ok(Json::Object(all))
            }
        }

        deserializer.deserialize_any(Tree)
    }
}

/// A field that a reader skips because the reference does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredField {
    /// Its path in the file, such as `post_processor.add_prefix_space`.
    pub place: String,
    /// Its value, shortened if it is long.
    pub value: String,
}

/// Collects the fields that a reader skips.
pub(crate) type IgnoredFields = RefCell<Vec<IgnoredField>>;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    file: &'a str,
    path: String,
    /// Where [`Fields::ignore_rest`] lists what it skips.
    ignored: Option<&'a IgnoredFields>,
    /// The value.
    pub(crate) json: &'a Json,
}

impl<'a> Node<'a> {
    /// The whole document.
    pub(crate) fn root(file: &'a str, json: &'a Json) -> Self {
        Self { file, path: String::new(), ignored: None, json }
    }

    /// The whole document, with a list for the fields that are skipped.
    pub(crate) fn root_with(file: &'a str, json: &'a Json, ignored: &'a IgnoredFields) -> Self {
        Self { ignored: Some(ignored), ..Self::root(file, json) }
    }

    /// An error here.
    pub(crate) fn error(&self, problem: impl Into<String>) -> LoadError {
        let path = if self.path.is_empty() { "the top".to_owned() } else { self.path.clone() };
        LoadError::new(self.file, Place::Path(path), problem)
    }

    /// An error here that says what the value is and what it should be.
    pub(crate) fn unexpected(&self, expected: &str) -> LoadError {
        self.error(format!("{} is not {expected}", self.json.shown()))
    }

    /// An error at an entry of this object or list.
    pub(crate) fn error_at(&self, key: impl fmt::Debug, problem: impl Into<String>) -> LoadError {
        LoadError::new(self.file, Place::Path(format!("{}[{key:?}]", self.path)), problem)
    }

    /// The fields of an object.
    ///
    /// Errors: no object; a field that stands there twice.
    pub(crate) fn fields(&self) -> Result<Fields<'a>, LoadError> {
        let Json::Object(entries) = self.json else { return Err(self.unexpected("an object")) };
        let mut fields = FxHashMap::default();
        for (name, value) in entries {
            if fields.insert(name.as_str(), value).is_some() {
                return Err(self.error_at(name, "the field stands there twice"));
            }
        }
        Ok(Fields { node: self.clone(), fields })
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Result<Vec<Node<'a>>, LoadError> {
        let Json::Array(items) = self.json else { return Err(self.unexpected("a list")) };
        let item = |(at, json)| Node { path: format!("{}[{at}]", self.path), json, ..self.clone() };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// A string.
    pub(crate) fn string(&self) -> Result<&'a str, LoadError> {
        match self.json {
            Json::String(text) => Ok(text),
            _ => Err(self.unexpected("a string")),
        }
    }

    /// A string of one character.
    pub(crate) fn character(&self) -> Result<char, LoadError> {
        let mut chars = self.string()?.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(c),
            _ => Err(self.unexpected("one character")),
        }
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&self) -> Result<bool, LoadError> {
        match self.json {
            Json::Bool(value) => Ok(*value),
            _ => Err(self.unexpected("true or false")),
        }
    }

    /// A whole number from 0 up to what the type holds.
    pub(crate) fn number<T: TryFrom<u64>>(&self) -> Result<T, LoadError> {
        match self.json {
            Json::Unsigned(value) => T::try_from(*value).map_err(|_| self.unexpected("a number that small")),
            _ => Err(self.unexpected("a whole number from 0 up")),
        }
    }

    /// Any number.
    pub(crate) fn float(&self) -> Result<f64, LoadError> {
        match self.json {
            Json::Float(value) => Ok(*value),
            Json::Unsigned(value) => Ok(*value as f64),
            Json::Negative(value) => Ok(*value as f64),
            _ => Err(self.unexpected("a number")),
        }
    }

    /// What `read` makes of the value, or nothing of `null`.
    pub(crate) fn optional<T>(&self, read: impl FnOnce(&Self) -> Result<T, LoadError>) -> Result<Option<T>, LoadError> {
        if *self.json == Json::Null { Ok(None) } else { read(self).map(Some) }
    }
}

/// The fields of an object, each to be taken once.
#[derive(Debug)]
pub struct Fields<'a> {
    node: Node<'a>,
    fields: FxHashMap<&'a str, &'a Json>,
}

impl<'a> Fields<'a> {
    /// The object they belong to.
    pub(crate) fn node(&self) -> &Node<'a> {
        &self.node
    }

    /// Whether the field is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    /// A field that may be missing.
    pub(crate) fn take(&mut self, name: &str) -> Option<Node<'a>> {
        let json = self.fields.remove(name)?;
        Some(Node { path: self.path_of(name), json, ..self.node.clone() })
    }

    fn path_of(&self, name: &str) -> String {
        let path = &self.node.path;
        format!("{path}{}{name}", if path.is_empty() { "" } else { "." })
    }

    /// A field that must be there.
    pub(crate) fn required(&mut self, name: &str) -> Result<Node<'a>, LoadError> {
        self.take(name).ok_or_else(|| self.node.error(format!("the field {name:?} is missing")))
    }

    /// What `read` makes of a field, or nothing where it is missing or `null`.
    pub(crate) fn optional<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Node<'a>) -> Result<T, LoadError>,
    ) -> Result<Option<T>, LoadError> {
        self.take(name).map_or(Ok(None), |node| node.optional(read))
    }

    /// A switch, off where it is missing or `null`.
    pub(crate) fn switch(&mut self, name: &str) -> Result<bool, LoadError> {
        Ok(self.optional(name, Node::boolean)?.unwrap_or_default())
    }

    /// Done: no field is left.
    ///
    /// Errors: a field that nobody took.
    pub(crate) fn end(self) -> Result<(), LoadError> {
        match self.fields.iter().min_by_key(|(name, _)| **name) {
            None => Ok(()),
            Some((name, value)) => Err(LoadError::new(
                self.node.file,
                Place::Path(self.path_of(name)),
                format!("the field is not known; it is {}", value.shown()),
            )
            .hint("its effect is not known either, so the tokens might be wrong without it")),
        }
    }

    /// Done: fields that nobody took are skipped and listed, since the reference skips them, too.
    pub(crate) fn ignore_rest(self) {
        let Some(ignored) = self.node.ignored else { return };
        let rest =
            self.fields.iter().map(|(name, value)| IgnoredField { place: self.path_of(name), value: value.shown() });
        ignored.borrow_mut().extend(rest);
    }

    /// The same with the field `type`, which names the kind of the object.
    pub(crate) fn kind(&mut self) -> Result<&'a str, LoadError> {
        self.required("type")?.string()
    }

    /// An error at the field `type`, which was taken.
    pub(crate) fn unknown_kind(&self, kind: &str, what: &str) -> LoadError {
        let path = format!("{}.type", self.node.path);
        LoadError::new(self.node.file, Place::Path(path), format!("no {what} {kind:?} is known"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_back() {
        let text = r#"{
  "a": [
    {
      "b": null
    },
    []
  ],
  "c": [1, -2, 0.5, "\u0001\"é"],
  "c": {}
}"#;
        let json = Json::read("x", text.as_bytes()).expect("JSON");
        assert_eq!(json.to_string(), text);
        let numbers =
            Json::read("x", b"[18446744073709551615, -9223372036854775808, -0.0, 1e300, 12345678901234567890123]");
        let numbers = numbers.expect("JSON");
        assert_eq!(Json::read("x", numbers.to_string().as_bytes()), Ok(numbers));
    }

    #[test]
    fn floats_come_back() {
        let mut random = crate::testing::Random::new(3);
        for _ in 0..20_000 {
            let digits = format!("-{}.{}", random.below(30), random.next());
            let read: f64 = serde_json::from_str(&digits).expect("a number");
            assert_eq!(serde_json::from_str::<f64>(&float(read)).ok(), Some(read), "{digits}");
        }
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let json = Json::read("x", br#"{"a": {"b": [1, "c"], "d": 1, "d": 2}, "e": {"f": true}}"#).expect("JSON");
        let mut fields = Node::root("x", &json).fields().expect("an object");
        let a = fields.required("a").expect("there");
        assert_eq!(a.fields().expect_err("twice").to_string(), "x at a[\"d\"]: the field stands there twice");
        assert_eq!(a.string().expect_err("an object").to_string(), "x at a: an object with 3 fields is not a string");
        let e = fields.required("e").expect("there").fields().expect("an object");
        assert!(e.end().expect_err("left").to_string().starts_with("x at e.f: the field is not known; it is true; "));
        assert!(
            fields.required("g").expect_err("missing").to_string().contains("at the top: the field \"g\" is missing")
        );
        for broken in [&b"{"[..], b"", b"[1,]", b"\xff", &b"[".repeat(100_000)] {
            assert!(Json::read("x", broken).is_err());
        }
    }
}
