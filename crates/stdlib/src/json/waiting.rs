//! Values whose container is not complete.

use carat_vm::{Array, Ec, Value};

/// As many wait on the native stack, where the collector looks.
const FEW: usize = 96;

/// A stack of values. It must itself be on the native stack.
pub(crate) struct Waiting {
    few: [Value; FEW],
    len: usize,
    /// All of them, once they are many.
    many: Option<Array>,
}

impl Waiting {
    pub(crate) fn new() -> Waiting {
        Waiting { few: [Value::NIL; FEW], len: 0, many: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn push(&mut self, ec: &Ec, value: Value) {
        if self.len == FEW && self.many.is_none() {
            let many = Array::new(ec, FEW * 4);
            self.few.iter().for_each(|v| many.push(ec, *v));
            self.many = Some(many);
        }
        match self.many {
            Some(many) => many.push(ec, value),
            None => self.few[self.len] = value,
        }
        self.len += 1;
    }

    /// Those from `start` on.
    pub(crate) fn from<'a>(&'a self, ec: &'a Ec, start: usize) -> &'a [Value] {
        match self.many {
            Some(many) => &many.slice_of(ec)[start..],
            None => &self.few[start..self.len],
        }
    }

    pub(crate) fn get(&self, ec: &Ec, index: usize) -> Value {
        self.many.map_or_else(|| self.few[index], |many| many.at(ec, index))
    }

    pub(crate) fn truncate(&mut self, ec: &Ec, len: usize) {
        if let Some(many) = self.many {
            many.resize(ec, len);
        }
        self.len = len;
    }
}
