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
                Some(Some(int)) => another(py, int),
                Some(free) => another(py, free.insert(new(py, id))),
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

/// Another reference to an int, counted here: `clone_ref` calls the interpreter for each, which makes a list of ids take 1.1
/// times as long.
#[inline(always)]
fn another(py: Python<'_>, int: &Py<PyInt>) -> Py<PyInt> {
    let int = int.as_ptr();
    // SAFETY: the interpreter is held, so nobody else counts. In the stable ABI of 3.11, which this extension is built for,
    // the count is this field, and later versions keep it valid for such extensions, also in ints that never die.
    unsafe {
        (*int).ob_refcnt += 1;
        Bound::from_owned_ptr(py, int).cast_into_unchecked().unbind()
    }
}
