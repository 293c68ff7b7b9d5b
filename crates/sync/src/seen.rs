//! Spinning locks made of atomics alone. Never poisoned: the results are the standard library's for its interface's sake.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};
use std::sync::{LockResult, TryLockError, TryLockResult};
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_micros(20);

/// Readers count up from zero; a writer stands for minus one.
#[derive(Default)]
pub struct RwLock<T> {
    state: AtomicI32,
    value: UnsafeCell<T>,
}

// SAFETY: the state lets in one writer or any number of readers.
unsafe impl<T: Send> Send for RwLock<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for RwLock<T> {}

impl<T> RwLock<T> {
    pub const fn new(value: T) -> RwLock<T> {
        RwLock { state: AtomicI32::new(0), value: UnsafeCell::new(value) }
    }

    pub fn read(&self) -> LockResult<ReadGuard<'_, T>> {
        loop {
            let readers = self.state.load(Ordering::Relaxed);
            let entered = readers >= 0
                && self.state.compare_exchange(readers, readers + 1, Ordering::Acquire, Ordering::Relaxed).is_ok();
            if entered {
                return Ok(ReadGuard(self));
            }
            std::thread::sleep(PAUSE);
        }
    }

    pub fn write(&self) -> LockResult<WriteGuard<'_, T>> {
        Ok(self.enter())
    }

    fn enter(&self) -> WriteGuard<'_, T> {
        while self.state.compare_exchange(0, -1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::thread::sleep(PAUSE);
        }
        WriteGuard(self)
    }
}

pub struct ReadGuard<'a, T>(&'a RwLock<T>);
pub struct WriteGuard<'a, T>(&'a RwLock<T>);

impl<T> Deref for ReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the guard counts as a reader.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> Drop for ReadGuard<'_, T> {
    fn drop(&mut self) {
        self.0.state.fetch_sub(1, Ordering::Release);
    }
}

impl<T> Deref for WriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the guard is the only writer.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for WriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard is the only writer.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for WriteGuard<'_, T> {
    fn drop(&mut self) {
        self.0.state.store(0, Ordering::Release);
    }
}

/// A lock of writers only.
#[derive(Default)]
pub struct Mutex<T>(RwLock<T>);

// SAFETY: the lock lets in one at a time, so the value need not be one that several may look at.
unsafe impl<T: Send> Sync for Mutex<T> {}

pub struct MutexGuard<'a, T>(WriteGuard<'a, T>);

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Mutex<T> {
        Mutex(RwLock::new(value))
    }

    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        Ok(MutexGuard(self.0.enter()))
    }

    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        match self.0.state.compare_exchange(0, -1, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(MutexGuard(WriteGuard(&self.0))),
            Err(_) => Err(TryLockError::WouldBlock),
        }
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Waits by looking again and again.
#[derive(Default)]
pub struct Condvar;

impl Condvar {
    pub const fn new() -> Condvar {
        Condvar
    }

    pub fn notify_all(&self) {}

    pub fn wait_while<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut is_early: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        while is_early(&mut guard) {
            guard = pause(guard);
        }
        Ok(guard)
    }

    pub fn wait_timeout_while<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        limit: Duration,
        mut is_early: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        let end = Instant::now() + limit;
        while is_early(&mut guard) && Instant::now() < end {
            guard = pause(guard);
        }
        Ok(guard)
    }
}

fn pause<'a, T>(guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    let lock = guard.0.0;
    drop(guard);
    std::thread::sleep(PAUSE);
    MutexGuard(lock.enter())
}

/// A value that is set once and read without a lock.
pub struct OnceLock<T> {
    value: AtomicPtr<T>,
    setting: Mutex<()>,
}

// SAFETY: the value is published once and then only read.
unsafe impl<T: Send> Send for OnceLock<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for OnceLock<T> {}

impl<T> Default for OnceLock<T> {
    fn default() -> OnceLock<T> {
        OnceLock::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    fn from(value: T) -> OnceLock<T> {
        OnceLock { value: AtomicPtr::new(Box::into_raw(Box::new(value))), setting: Mutex::new(()) }
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    fn clone(&self) -> OnceLock<T> {
        self.get().cloned().map_or_else(OnceLock::new, OnceLock::from)
    }
}

impl<T> OnceLock<T> {
    pub const fn new() -> OnceLock<T> {
        OnceLock { value: AtomicPtr::new(std::ptr::null_mut()), setting: Mutex::new(()) }
    }

    pub fn get(&self) -> Option<&T> {
        // SAFETY: what was published stays until the lock is dropped.
        unsafe { self.value.load(Ordering::Acquire).as_ref() }
    }

    pub fn get_or_init(&self, f: impl FnOnce() -> T) -> &T {
        let _setting = self.setting.lock();
        if self.get().is_none() {
            self.value.store(Box::into_raw(Box::new(f())), Ordering::Release);
        }
        self.get().expect("just set")
    }

    pub fn set(&self, value: T) -> Result<(), T> {
        let _setting = self.setting.lock();
        if self.get().is_some() {
            return Err(value);
        }
        self.value.store(Box::into_raw(Box::new(value)), Ordering::Release);
        Ok(())
    }
}

impl<T> Drop for OnceLock<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: the value was boxed when it was set.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}
