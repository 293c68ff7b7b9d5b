//! What happens to objects after they were made, as far as it costs memory.

use crate::inspect::anatomy::Contents;
use carat_layout::SymbolId;

/// Why contents were copied to a buffer of the object's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CopyReason {
    /// Others use the buffer too, and this object writes.
    Shared,
    /// The contents begin behind bytes that a slice gave up, so that the buffer cannot grow in place.
    NotAtStart,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Too large for any slot from the beginning.
    BornExtended,
    /// The contents outgrew the slot.
    Grown {
        from: usize,
        to: usize,
    },
    /// The buffer was made larger.
    Regrown {
        from: usize,
        to: usize,
    },
    Copied {
        bytes: usize,
        reason: CopyReason,
    },
    /// A field found no room in the slot.
    FieldSpilled {
        name: SymbolId,
    },
    /// The table of a hash or set was made larger, or made of entries that had been searched one by one.
    TableGrown {
        from: usize,
        to: usize,
    },
    /// A string literal was written to for the first time.
    LiteralWritten,
    /// A method that replaces or leaves out parts found none, and copied all of its receiver.
    Unchanged {
        bytes: usize,
    },
}

impl Event {
    /// Contents move to a buffer with room for `capacity` bytes.
    pub(crate) fn of_move(contents: &Contents, capacity: usize) -> Event {
        match contents {
            c if c.is_embedded => Event::Grown { from: c.capacity, to: capacity },
            c if c.holders > 1 => Event::Copied { bytes: c.used_bytes, reason: CopyReason::Shared },
            c if c.offset > 0 => Event::Copied { bytes: c.used_bytes, reason: CopyReason::NotAtStart },
            c => Event::Regrown { from: c.buffer_bytes, to: capacity },
        }
    }
}
