//! Where the groups of a match lie.

use carat_oniguruma::Region;

/// Groups that fit without an allocation of their own.
const FEW: usize = 3;

/// Start and end in bytes; -1 for a group that took no part. The engine counts in 32 bits.
type Span = (i32, i32);

/// The spans of all groups of a match, the whole match first.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Spans {
    Few(u8, [Span; FEW]),
    Many(Box<[Span]>),
}

impl Spans {
    pub(crate) fn of_region(region: &Region) -> Spans {
        let span = |group| region.pos(group).map_or((-1, -1), |(start, end)| (start as i32, end as i32));
        let len = region.len();
        if len > FEW {
            return Spans::Many((0..len).map(span).collect());
        }
        let mut few = [(-1, -1); FEW];
        (0..len).for_each(|group| few[group] = span(group));
        Spans::Few(len as u8, few)
    }

    /// A match without groups.
    pub(crate) fn of_range(start: usize, end: usize) -> Spans {
        let mut few = [(-1, -1); FEW];
        few[0] = (start as i32, end as i32);
        Spans::Few(1, few)
    }

    fn as_slice(&self) -> &[Span] {
        match self {
            Spans::Few(len, spans) => &spans[..usize::from(*len)],
            Spans::Many(spans) => spans,
        }
    }

    /// Number of groups, the whole match included.
    pub(crate) fn len(&self) -> usize {
        self.as_slice().len()
    }

    pub(crate) fn span(&self, group: usize) -> Option<(usize, usize)> {
        let (start, end) = *self.as_slice().get(group)?;
        Some((usize::try_from(start).ok()?, usize::try_from(end).ok()?))
    }

    /// The whole match.
    pub(crate) fn whole(&self) -> (usize, usize) {
        self.span(0).unwrap_or((0, 0))
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        match self {
            Spans::Few(..) => 0,
            Spans::Many(spans) => size_of_val(&**spans),
        }
    }
}
