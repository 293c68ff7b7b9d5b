//! Values whose container is not complete.

use carat_vm::{Array, Ec, Value};

/// As many wait on the native stack, where the collector looks.
const FEW: usize = 96;
/// As many of them, the oldest, go to the list when there are more.
const MOVED: usize = FEW / 2;

/// A stack of values, the newest of which wait on the native stack. It must itself be there.
pub(crate) struct Waiting {
    few: [Value; FEW],
    /// How many of the few are in use.
    used: usize,
    /// Those that came before, once there were many.
    many: Option<Array>,
    /// How many of them there are.
    before: usize,
}

impl Waiting {
    pub(crate) fn new() -> Waiting {
        Waiting { few: [Value::NIL; FEW], used: 0, many: None, before: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.before + self.used
    }

    pub(crate) fn push(&mut self, ec: &Ec, value: Value) {
        if self.used == FEW {
            self.move_oldest(ec, MOVED);
        }
        self.few[self.used] = value;
        self.used += 1;
    }

    #[cold]
    fn move_oldest(&mut self, ec: &Ec, count: usize) {
        let many = *self.many.get_or_insert_with(|| Array::new(ec, FEW * 4));
        self.few[..count].iter().for_each(|value| many.push(ec, *value));
        self.few.copy_within(count..self.used, 0);
        self.used -= count;
        self.before += count;
    }

    /// Those from `start` on.
    pub(crate) fn from<'a>(&'a mut self, ec: &'a Ec, start: usize) -> &'a [Value] {
        if start < self.before {
            self.move_oldest(ec, self.used);
        }
        match self.many {
            Some(many) if start < self.before => &many.slice_of(ec)[start..],
            _ => &self.few[start - self.before..self.used],
        }
    }

    pub(crate) fn get(&self, ec: &Ec, index: usize) -> Value {
        match self.many {
            Some(many) if index < self.before => many.at(ec, index),
            _ => self.few[index - self.before],
        }
    }

    pub(crate) fn truncate(&mut self, ec: &Ec, len: usize) {
        self.used = len.saturating_sub(self.before);
        if let Some(many) = self.many
            && len < self.before
        {
            many.resize(ec, len);
            self.before = len;
        }
    }
}
