//! Python ints of ids, made once, so that a list of ids takes references to them: no memory is allocated for a token.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};

/// The ints of a tokenizer by id, each made when it is first asked for. Takes no memory before the first list.
#[derive(Default)]
pub(crate) struct IntTable(Mutex<Vec<Option<Py<PyInt>>>>);

impl IntTable {
    /// The ids as a list. `bound` is one more than the largest id of the vocabulary; other ids get ints of their own.
    pub(crate) fn list<'py>(&self, py: Python<'py>, ids: &[u32], bound: usize) -> PyResult<Bound<'py, PyList>> {
        // Never waits: making a list may run the garbage collector, and with it Python code that asks for a list, too.
        let Ok(mut ints) = self.0.try_lock() else { return PyList::new(py, ids) };
        if ints.is_empty() {
            ints.resize_with(bound, || None);
        }
        PyList::new(
            py,
            ids.iter().map(|&id| match ints.get_mut(id as usize) {
                Some(Some(int)) => int.clone_ref(py),
                Some(free) => free.insert(new(py, id)).clone_ref(py),
                None => new(py, id),
            }),
        )
    }
}

#[cold]
fn new(py: Python<'_>, id: u32) -> Py<PyInt> {
    let Ok(int) = id.into_pyobject(py);
    int.unbind()
}
