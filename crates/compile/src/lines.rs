//! Which line a place of the source is in. The compiler asks for each node, mostly in order.

use ruby_prism as pm;

pub(crate) struct Lines {
    /// Where each line begins.
    starts: Vec<u32>,
    first_line: i32,
    /// Index of the line that was asked for last.
    last: usize,
}

impl Lines {
    pub(crate) fn of(source: &[u8], first_line: i32) -> Lines {
        let mut starts = Vec::with_capacity(source.len() / 32 + 1);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', source).map(|at| at as u32 + 1));
        Lines { starts, first_line, last: 0 }
    }

    fn at(&mut self, offset: u32) -> i32 {
        let begins = |index: usize| self.starts.get(index).is_none_or(|start| offset < *start);
        if begins(self.last) || !begins(self.last + 1) {
            // The next line, or any.
            let is_next = !begins(self.last + 1) && begins(self.last + 2);
            let any = || self.starts.partition_point(|start| *start <= offset) - 1;
            self.last = if is_next { self.last + 1 } else { any() };
        }
        self.first_line + self.last as i32
    }

    pub(crate) fn start(&mut self, location: &pm::Location<'_>) -> i32 {
        let line = self.at(location.start());
        debug_assert_eq!(line, location.start_line());
        line
    }

    pub(crate) fn end(&mut self, location: &pm::Location<'_>) -> i32 {
        let line = self.at(location.end());
        debug_assert_eq!(line, location.end_line());
        line
    }
}
