//! Named counts of what an algorithm did, to compare algorithms without a clock.

use std::collections::BTreeMap;

use serde::Serialize;

/// Counts by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Steps(BTreeMap<&'static str, u64>);

impl Steps {
    /// Adds to a count.
    pub(crate) fn add(&mut self, name: &'static str, steps: usize) {
        *self.0.entry(name).or_default() += steps as u64;
    }

    /// A count, 0 if nothing was added.
    #[cfg(test)]
    pub(crate) fn get(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// All counts by name.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(&name, &steps)| (name, steps))
    }
}
