//! `VocabularyIndex`: a tokenizer's vocabulary to look around in.

use std::sync::OnceLock;

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use token_engine::Id;
use token_inspect::vocabulary::audit::{Audit, Reason, Verdict};
use token_inspect::vocabulary::kinds::Kind;
use token_inspect::vocabulary::origin::{self, Origin};
use token_inspect::vocabulary::scripts::SCRIPTS;
use token_inspect::vocabulary::search::{Needle, Order, Query};
use token_inspect::vocabulary::variants::variants;
use token_inspect::vocabulary::{Index, Row};

use crate::calls;
use crate::convert::Items;
use crate::errors;
use crate::tokenizer::Tokenizer;

/// The facts of all tokens of a tokenizer. Threads may share it.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct VocabularyIndex {
    tokenizer: Py<Tokenizer>,
    index: Index,
    audit: OnceLock<Audit>,
}

/// Counts by name, in the order of the names.
fn counts<'py>(
    py: Python<'py>,
    names: impl IntoIterator<Item = &'static str>,
    numbers: &[u32],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, number) in names.into_iter().zip(numbers) {
        dict.set_item(name, number)?;
    }
    Ok(dict)
}

/// The values with these names.
fn by_name<T: Copy>(what: &str, all: &[T], name: impl Fn(T) -> &'static str, wanted: &[String]) -> PyResult<Vec<T>> {
    let find = |wanted: &String| {
        all.iter().copied().find(|&each| name(each) == wanted).ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|&each| name(each)).collect();
            PyValueError::new_err(format!("no {what} is called {wanted:?}; known are {}", known.join(", ")))
        })
    };
    wanted.iter().map(find).collect()
}

const ORDERS: [(&str, Order); 6] = [
    ("id", Order::Id),
    ("length", Order::Length),
    ("characters", Order::Characters),
    ("rank", Order::Rank),
    ("part_of", Order::PartOf),
    ("words", Order::Words),
];

impl VocabularyIndex {
    fn row(&self, id: Id) -> PyResult<&Row> {
        self.index.row(id).ok_or_else(|| errors::not_decoded(format!("no token has id {id}")))
    }

    /// The audit, made when it is first asked for.
    fn audit_of(&self, py: Python<'_>) -> PyResult<&Audit> {
        if let Some(audit) = self.audit.get() {
            return Ok(audit);
        }
        let tokenizer = &self.tokenizer.get().inner;
        let audit = calls::run(py, calls::LONG, || Audit::new(tokenizer, &self.index))?;
        let audit = audit.map_err(|cancelled| errors::encode(cancelled.into()))?;
        Ok(self.audit.get_or_init(|| audit))
    }

    fn row_dict<'py>(&self, py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyDict>> {
        let bytes = self.index.bytes(row);
        let dict = PyDict::new(py);
        dict.set_item("id", row.id)?;
        dict.set_item("text", std::str::from_utf8(bytes).ok())?;
        dict.set_item("bytes", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())?;
        dict.set_item("length", row.length)?;
        dict.set_item("characters", row.characters)?;
        dict.set_item("kind", row.kind.name())?;
        dict.set_item("script", SCRIPTS[usize::from(row.script)])?;
        dict.set_item("special", row.kind == Kind::Special)?;
        dict.set_item("rank", row.rank)?;
        dict.set_item("score", row.score)?;
        dict.set_item("part_of", row.part_of)?;
        let verdict =
            self.audit.get().zip(self.index.row_number(row.id)).map(|(audit, at)| audit.verdicts()[at].name());
        dict.set_item("reachable", verdict)?;
        Ok(dict)
    }
}

#[pymethods]
impl VocabularyIndex {
    #[new]
    fn new(py: Python<'_>, tokenizer: Py<Tokenizer>) -> Self {
        let index = py.detach(|| Index::new(&tokenizer.get().inner));
        Self { tokenizer, index, audit: OnceLock::new() }
    }

    fn __len__(&self) -> usize {
        self.index.rows().len()
    }

    #[pyo3(signature = (*, text = None, regex = None, data = None, ids = None, ignore_case = false, kinds = None, scripts = None, verdicts = None, length = None, order = "id", descending = false))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments, each with a default")]
    fn search<'py>(
        &self,
        py: Python<'py>,
        text: Option<String>,
        regex: Option<String>,
        data: Option<Items<u8>>,
        ids: Option<(Id, Id)>,
        ignore_case: bool,
        kinds: Option<Items<String>>,
        scripts: Option<Items<String>>,
        verdicts: Option<Items<String>>,
        length: Option<(u32, u32)>,
        order: &str,
        descending: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let needle = match (text, regex, data, ids) {
            (None, None, None, None) => Needle::All,
            (Some(text), None, None, None) => Needle::Text { text, ignore_case },
            (None, Some(pattern), None, None) => Needle::Regex { pattern, ignore_case },
            (None, None, Some(Items(data)), None) => Needle::Bytes(data),
            (None, None, None, Some((first, last))) => Needle::Ids(first..=last),
            _ => return Err(PyValueError::new_err("give one of text, regex, data and ids")),
        };
        let [kinds, scripts, verdicts] =
            [kinds, scripts, verdicts].map(|names| names.map_or_else(Vec::new, |Items(names)| names));
        let all_scripts: Vec<u8> = (0..SCRIPTS.len() as u8).collect();
        let length = length.map_or(0..=u32::MAX, |(least, most)| least..=most);
        let query = Query {
            needle,
            kinds: by_name("kind", &Kind::ALL, Kind::name, &kinds)?,
            scripts: by_name("script", &all_scripts, |script| SCRIPTS[usize::from(script)], &scripts)?,
            length,
            verdicts: by_name("verdict", &Verdict::ALL, Verdict::name, &verdicts)?,
            order: by_name("order", &ORDERS, |order| order.0, &[order.to_owned()])?[0].1,
            descending,
        };
        let audit = if query.verdicts.is_empty() { self.audit.get() } else { Some(self.audit_of(py)?) };
        let found = py.detach(|| self.index.search(&query, audit.map(Audit::verdicts))).map_err(errors::value)?;
        let dict = PyDict::new(py);
        dict.set_item("ids", found.ids.into_pyarray(py))?;
        dict.set_item("kinds", counts(py, Kind::ALL.map(Kind::name), &found.kinds)?)?;
        dict.set_item("scripts", counts(py, SCRIPTS, &found.scripts)?)?;
        let verdicts = audit.map(|_| counts(py, Verdict::ALL.map(Verdict::name), &found.verdicts)).transpose()?;
        dict.set_item("verdicts", verdicts)?;
        dict.set_item("lengths", found.lengths)?;
        Ok(dict)
    }

    /// The facts of some tokens, one dictionary each; with the two parts that the last merge joins.
    fn rows<'py>(&self, py: Python<'py>, ids: Items<Id>) -> PyResult<Bound<'py, PyList>> {
        let tokenizer = &self.tokenizer.get().inner;
        let list = PyList::empty(py);
        for &id in ids.iter() {
            let dict = self.row_dict(py, self.row(id)?)?;
            let parts = match origin::origin(tokenizer, id) {
                Origin::Merged(nodes) => {
                    nodes.last().and_then(|node| node.merge).map(|(_, left, right)| [nodes[left].id, nodes[right].id])
                }
                _ => None,
            };
            dict.set_item("parts", parts)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// How a token came about: `how`, and the nodes of the tree or the tokens that merges make instead.
    fn origin<'py>(&self, py: Python<'py>, id: Id) -> PyResult<Bound<'py, PyDict>> {
        self.row(id)?;
        let dict = PyDict::new(py);
        let (how, nodes, others) = match origin::origin(&self.tokenizer.get().inner, id) {
            Origin::Symbol => ("symbol", None, None),
            Origin::Merged(nodes) => ("merged", Some(nodes), None),
            Origin::NotMerged(ids) => ("not_merged", None, Some(ids)),
            Origin::NotInMerges => ("not_in_merges", None, None),
            Origin::NoMerges => ("no_merges", None, None),
            Origin::TooLong => ("too_long", None, None),
        };
        dict.set_item("how", how)?;
        let flat = |nodes: Vec<origin::Node>| nodes.into_iter().map(|node| (node.id, node.merge)).collect::<Vec<_>>();
        dict.set_item("nodes", nodes.map(flat))?;
        dict.set_item("others", others)?;
        Ok(dict)
    }

    /// What a merge makes of this token and a neighbour: rank, left, right, made.
    fn merged_into(&self, id: Id) -> PyResult<Vec<(u32, Id, Id, Id)>> {
        self.row(id)?;
        Ok(origin::merged_into(&self.tokenizer.get().inner, id))
    }

    /// The best segmentation of the token's text without it, and the sum of its scores.
    fn without(&self, id: Id) -> PyResult<Option<(Vec<Option<Id>>, f64)>> {
        self.row(id)?;
        Ok(origin::without(&self.tokenizer.get().inner, id).filter(|(_, score)| score.is_finite()))
    }

    /// The entries that differ in capitals and marks alone.
    fn variants(&self, id: Id) -> PyResult<Vec<Id>> {
        self.row(id)?;
        Ok(variants(&self.tokenizer.get().inner, &self.index, id))
    }

    /// Whether the audit was made.
    #[getter]
    fn audited(&self) -> bool {
        self.audit.get().is_some()
    }

    /// Judges every token: the verdicts in the order of the ids, and how often each reason decided.
    #[allow(clippy::type_complexity, reason = "a pair")]
    fn audit<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray1<u8>>, Bound<'py, PyDict>)> {
        let audit = self.audit_of(py)?;
        let reasons = PyDict::new(py);
        for reason in Reason::ALL {
            let count = (0..self.index.rows().len()).filter(|&row| audit.finding(row).0 == reason).count();
            reasons.set_item(reason.name(), (reason.verdict().name(), reason.describe(), count))?;
        }
        let verdicts: Vec<u8> = audit.verdicts().iter().map(|&verdict| verdict as u8).collect();
        Ok((verdicts.into_pyarray(py), reasons))
    }

    /// The verdict on one token: its name, the reason, the reason in words, a text that gives the token.
    fn finding(&self, py: Python<'_>, id: Id) -> PyResult<(&'static str, &'static str, &'static str, Option<String>)> {
        self.row(id)?;
        let audit = self.audit_of(py)?;
        let (reason, text) = audit.finding(self.index.row_number(id).unwrap_or_default());
        Ok((reason.verdict().name(), reason.name(), reason.describe(), text.map(str::to_owned)))
    }
}
