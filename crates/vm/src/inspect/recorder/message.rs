//! What messages between Ractors cost.

use super::ledger::Count;
use super::{Recorder, SiteId};
use crate::ec::Ec;
use crate::value::hash::Hash;
use rustc_hash::FxHashMap;

/// How a message got to its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Passing {
    /// As it was: it cannot change.
    Shared,
    Copied,
    /// Copied, and the sender's objects emptied.
    Moved,
}

/// Messages of one site.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Messages {
    pub messages: u64,
    /// Objects that were made for the receivers.
    pub made: Count,
}

impl Messages {
    pub(super) fn merge(&mut self, other: Messages) {
        self.messages += other.messages;
        self.made.merge(other.made);
    }
}

pub type MessagesBySite = FxHashMap<(SiteId, Passing), Messages>;

impl Ec {
    /// The running code passes a message, for which copies were made: the values of `copies`.
    pub fn note_message(&self, passing: Passing, copies: Option<Hash>) {
        let Ok(mut recorder) = self.ractor().recorder.try_borrow_mut() else { return };
        let Some(Recorder { sites, ledger: Some(ledger), .. }) = recorder.as_deref_mut() else { return };
        let mut made = Count::default();
        if let Some(copies) = copies {
            let mut position = 0;
            while let Some(next) = copies.next(self, position) {
                made.add(self.memsize_of(copies.value_at(self, next - 1)));
                position = next;
            }
        }
        ledger.messages.entry((sites.running(self), passing)).or_default().merge(Messages { messages: 1, made });
    }
}
