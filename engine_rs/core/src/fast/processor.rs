//! Work compiled for the processor that runs it.
//!
//! One wheel runs everywhere: the functions that take most of the time are compiled several times, and which of them runs
//! is asked when a tokenizer is made. What differs beside the instructions is how blocks are classified ([`super::blocks`]).

#[cfg(target_arch = "x86_64")]
use super::blocks::{Avx2, Avx512};
use super::blocks::{Baseline, Classify};

/// Work that is compiled for several processors.
pub trait Work {
    /// What it gives.
    type Output;

    /// Does it. To be inlined, so that it is compiled for the processor of the caller.
    fn on<P: Classify>(self, processor: P) -> Self::Output;
}

/// The processor that there is.
#[derive(Clone, Debug)]
pub struct Processor {
    #[cfg(target_arch = "x86_64")]
    avx2: Option<Avx2>,
    #[cfg(target_arch = "x86_64")]
    avx512: Option<Avx512>,
}

impl Processor {
    /// Asks what it can do.
    pub fn detected() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx2: Avx2::new(),
            #[cfg(target_arch = "x86_64")]
            avx512: Avx512::new(),
        }
    }

    /// Does the work, compiled for it.
    #[inline]
    pub fn run<W: Work>(&self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(avx512) = self.avx512 {
                return avx512.run(work);
            }
            if let Some(avx2) = self.avx2 {
                return avx2.run(work);
            }
        }
        Baseline.run(work)
    }
}
