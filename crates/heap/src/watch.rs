//! Writes to a few old objects, told of one by one.
//!
//! # How
//! The barrier asks nothing of an object that is in the log already. A watched object is kept in the log without the flag that says
//! so: every store into it takes the barrier's slow path, which tells of it.
//!
//! # Invariants
//! * An object of which [`Watched::is_logged`] holds was written to since the last collection, and so it is alive.

use crate::heap::Heap;
use carat_layout::{Header, Value, flags};
use std::cell::Cell;
use std::ptr::NonNull;

pub(crate) struct Watch {
    objects: Vec<Watched>,
    hook: Box<dyn Fn(usize)>,
}

struct Watched {
    object: NonNull<Header>,
    /// It is in the heap's log.
    is_logged: Cell<bool>,
}

impl Heap {
    /// Calls `hook` with an object's place in the list whenever a reference is stored in it, by the thread that stores. Young objects
    /// are told of when they are old. The hook may not allocate here.
    pub fn watch(&self, objects: &[Value], hook: Box<dyn Fn(usize)>) {
        self.end_watch();
        let watched = |object: &Value| {
            let header = object.header()?;
            let is_logged = Cell::new(header.has(flags::OLD) && header.has(flags::LOGGED));
            if is_logged.get() {
                header.clear(flags::LOGGED);
            }
            Some(Watched { object: NonNull::from(header), is_logged })
        };
        let objects = objects.iter().filter_map(watched).collect();
        *self.watch.borrow_mut() = Some(Watch { objects, hook });
    }

    /// Forgets what is watched.
    pub fn end_watch(&self) {
        let Some(watch) = self.watch.take() else { return };
        for watched in watch.objects.iter().filter(|watched| watched.is_logged.get()) {
            // SAFETY: it was written to since the last collection, which has freed what was dead then.
            unsafe { watched.object.as_ref() }.set(flags::LOGGED);
        }
    }

    /// Tells of a store into the object, if somebody wants to hear of it. It is in the log then.
    pub(crate) fn tell_of_store(&self, header: &Header) -> bool {
        let watch = self.watch.borrow();
        let Some(Watch { objects, hook }) = &*watch else { return false };
        let Some(at) = objects.iter().position(|watched| watched.object == NonNull::from(header)) else { return false };
        if !objects[at].is_logged.replace(true) {
            self.log.borrow_mut().push(objects[at].object);
        }
        hook(at);
        true
    }

    /// The log is about to be emptied.
    pub(crate) fn watched_are_not_logged(&self) {
        if let Some(watch) = &*self.watch.borrow() {
            watch.objects.iter().for_each(|watched| watched.is_logged.set(false));
        }
    }
}
