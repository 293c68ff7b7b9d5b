//! Counters of changes of what methods' names mean. What found a method while a name's counter stood at some number is right as long as
//! it stands there; names share counters by the low bits of their symbol number.
//!
//! # Where they are
//! The first VM of a process has them among the variables of the executable: machine code, which lies near that, then compares a
//! counter with a constant by one instruction that reads nothing else. Other VMs have memory of their own, and their machine code asks the
//! cells of its call sites where their counters are. The static ones keep their numbers from one VM to the next.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How many counters there are for names.
pub(crate) const EPOCHS: usize = 4096;

/// Zero is the number that empty caches hold.
const FIRST: u32 = 1;

static NEAR: [AtomicU32; EPOCHS] = [const { AtomicU32::new(0) }; EPOCHS];
static IS_NEAR_TAKEN: AtomicBool = AtomicBool::new(false);

pub(crate) enum MethodEpochs {
    Near,
    Own(Box<[AtomicU32]>),
}

impl MethodEpochs {
    pub(crate) fn new() -> MethodEpochs {
        if IS_NEAR_TAKEN.swap(true, Ordering::AcqRel) {
            return MethodEpochs::Own((0..EPOCHS).map(|_| AtomicU32::new(FIRST)).collect());
        }
        NEAR.iter().for_each(|epoch| _ = epoch.fetch_max(FIRST, Ordering::Relaxed));
        MethodEpochs::Near
    }

    #[inline]
    pub(crate) fn all(&self) -> &[AtomicU32] {
        match self {
            MethodEpochs::Near => &NEAR,
            MethodEpochs::Own(own) => own,
        }
    }
}

impl Drop for MethodEpochs {
    fn drop(&mut self) {
        if let MethodEpochs::Near = self {
            IS_NEAR_TAKEN.store(false, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_vms_share_no_counter() {
        let (one, other) = (MethodEpochs::new(), MethodEpochs::new());
        assert!(one.all().iter().chain(other.all()).all(|epoch| epoch.load(Ordering::Relaxed) >= FIRST));
        assert!(!std::ptr::eq(one.all(), other.all()));
    }
}
