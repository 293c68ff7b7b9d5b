//! A boxed or shared value that is made once, in one word, and a truth value that is found once, in a byte.
//!
//! The standard library's `OnceLock` has a word beside its value for those who wait until it is made. Code has so many such values that
//! this counts, and making one of them twice does no harm: of two threads that make it at once, the later one drops its own.

use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

/// What [`OncePointer`] holds.
pub trait Pointer {
    type Target;

    fn into_raw(self) -> *mut Self::Target;

    /// # Safety
    /// What [`Pointer::into_raw`] gave, once.
    unsafe fn from_raw(raw: *mut Self::Target) -> Self;
}

impl<T> Pointer for Box<T> {
    type Target = T;

    fn into_raw(self) -> *mut T {
        Box::into_raw(self)
    }

    unsafe fn from_raw(raw: *mut T) -> Box<T> {
        // SAFETY: by contract.
        unsafe { Box::from_raw(raw) }
    }
}

impl<T> Pointer for Arc<T> {
    type Target = T;

    fn into_raw(self) -> *mut T {
        Arc::into_raw(self).cast_mut()
    }

    unsafe fn from_raw(raw: *mut T) -> Arc<T> {
        // SAFETY: by contract.
        unsafe { Arc::from_raw(raw) }
    }
}

/// See the module.
pub struct OncePointer<P: Pointer> {
    raw: AtomicPtr<P::Target>,
    owns: PhantomData<P>,
}

// SAFETY: it owns a `P`, and gives out references to what that points to.
unsafe impl<P: Pointer + Send> Send for OncePointer<P> {}
// SAFETY: as above; whoever makes the value may be another thread than the one that drops it.
unsafe impl<P: Pointer + Send + Sync> Sync for OncePointer<P> {}

impl<P: Pointer> OncePointer<P> {
    pub const fn new() -> OncePointer<P> {
        OncePointer { raw: AtomicPtr::new(null_mut()), owns: PhantomData }
    }

    #[inline]
    pub fn get(&self) -> Option<&P::Target> {
        // SAFETY: what was published stays until this is dropped.
        unsafe { self.raw.load(Ordering::Acquire).as_ref() }
    }

    pub fn get_or_init(&self, make: impl FnOnce() -> P) -> &P::Target {
        if let Some(made) = self.get() {
            return made;
        }
        let raw = make().into_raw();
        let raw = match self.raw.compare_exchange(null_mut(), raw, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => raw,
            Err(first) => {
                // SAFETY: nobody else has seen it.
                drop(unsafe { P::from_raw(raw) });
                first
            }
        };
        // SAFETY: as in `get`.
        unsafe { &*raw }
    }
}

impl<T> OncePointer<Arc<T>> {
    /// Another owner of the value.
    pub fn share(&self) -> Option<Arc<T>> {
        self.get().map(|value| {
            // SAFETY: the value is in an `Arc`, of which this is an owner.
            unsafe {
                Arc::increment_strong_count(value);
                Arc::from_raw(value)
            }
        })
    }

    pub fn share_or_init(&self, make: impl FnOnce() -> Arc<T>) -> Arc<T> {
        self.get_or_init(make);
        self.share().expect("just made")
    }
}

impl<P: Pointer> Default for OncePointer<P> {
    fn default() -> OncePointer<P> {
        OncePointer::new()
    }
}

impl<P: Pointer> From<P> for OncePointer<P> {
    fn from(value: P) -> OncePointer<P> {
        OncePointer { raw: AtomicPtr::new(value.into_raw()), owns: PhantomData }
    }
}

impl<T> Clone for OncePointer<Arc<T>> {
    fn clone(&self) -> OncePointer<Arc<T>> {
        self.share().map_or_else(OncePointer::new, OncePointer::from)
    }
}

impl<P: Pointer> Drop for OncePointer<P> {
    fn drop(&mut self) {
        let raw = *self.raw.get_mut();
        if !raw.is_null() {
            // SAFETY: it was published once, and nobody has a reference any more.
            drop(unsafe { P::from_raw(raw) });
        }
    }
}

/// A truth value that follows from what does not change.
#[derive(Default)]
pub struct OnceBool(AtomicU8);

impl OnceBool {
    pub fn get_or_init(&self, find: impl FnOnce() -> bool) -> bool {
        match self.0.load(Ordering::Relaxed) {
            0 => {
                let found = find();
                self.0.store(1 + u8::from(found), Ordering::Relaxed);
                found
            }
            known => known == 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn of_many_that_make_it_one_wins_and_nothing_stays() {
        for _ in 0..200 {
            let made = Arc::new(());
            let (once, barrier) = (OncePointer::<Arc<Arc<()>>>::new(), Barrier::new(4));
            let found: Vec<usize> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4)
                    .map(|_| {
                        scope.spawn(|| {
                            barrier.wait();
                            std::ptr::from_ref(once.get_or_init(|| Arc::new(made.clone()))).addr()
                        })
                    })
                    .collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(found.iter().all(|address| *address == found[0]));
            assert_eq!(Arc::strong_count(&made), 2);
            let (copy, shared) = (once.clone(), once.share().unwrap());
            drop(once);
            assert!(Arc::ptr_eq(&shared, &copy.share().unwrap()));
            drop((copy, shared));
            assert_eq!(Arc::strong_count(&made), 1);
        }
    }

    #[test]
    fn a_truth_value_is_found_once() {
        for truth in [false, true] {
            let known = OnceBool::default();
            assert_eq!(known.get_or_init(|| truth), truth);
            assert_eq!(known.get_or_init(|| unreachable!("it is known")), truth);
        }
    }

    #[test]
    fn it_is_a_word() {
        assert_eq!(size_of::<OncePointer<Box<u64>>>(), size_of::<usize>());
        assert!(OncePointer::<Box<u64>>::new().get().is_none());
        assert_eq!(*OncePointer::from(Box::new(7)).get_or_init(|| unreachable!("there is one")), 7);
    }
}
