//! `_engine.BUILD`: how this extension was compiled, and what the processor can do.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Names as in `_engine.pyi`.
pub fn facts(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("version", env!("CARGO_PKG_VERSION"))?;
    facts.set_item("profile", env!("BUILD_PROFILE"))?;
    facts.set_item("optimization", env!("BUILD_OPT_LEVEL"))?;
    facts.set_item("compiler", env!("BUILD_COMPILER"))?;
    facts.set_item("target", env!("BUILD_TARGET"))?;
    let compiled: Vec<_> = env!("BUILD_TARGET_FEATURES").split(',').filter(|name| !name.is_empty()).collect();
    facts.set_item("compiled_features", compiled)?;
    facts.set_item("detected_features", detected())?;
    Ok(facts)
}

/// The processor's instructions for many bytes at once, by Rust's names.
fn detected() -> Vec<&'static str> {
    macro_rules! found {
        ($detects:ident: $($name:tt)*) => {
            [$(($name, std::arch::$detects!($name))),*]
        };
    }
    #[cfg(target_arch = "x86_64")]
    let found =
        found!(is_x86_feature_detected: "sse4.2" "avx" "avx2" "bmi1" "bmi2" "popcnt" "lzcnt" "avx512f" "avx512bw");
    #[cfg(target_arch = "aarch64")]
    let found = found!(is_aarch64_feature_detected: "neon" "sve" "sve2");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let found: [(&str, bool); 0] = [];
    found.into_iter().filter_map(|(name, can)| can.then_some(name)).collect()
}
