//! Calling contexts: which calls led to an allocation, as a tree that grows while the program runs.
//!
//! # How
//! A node is a site below the node of the site that called it, so a node stands for a whole call stack. Walking the stack for
//! each object would cost as much as the stack is deep. So the walk stops at the first frame that has run nothing since the
//! object before: its callers have run nothing either, and its node is still known. Which frames those are tells one address, the
//! lowest frame that has run since then ([`Ec::lowest_frame`](crate::ec::Ec)), which the routine of recorded instructions keeps.
//!
//! # Limits
//! Instructions that never allocate do not report their frames. A frame that was entered by such a one (a comparison that calls
//! a method) is known again by its address, place and callee.

use super::ledger::Count;
use super::site::{Frames, SiteId, Sites};
use crate::ec::Ec;
use carat_iseq::Insn;
use carat_layout::Value;
use rustc_hash::FxHashMap;

/// Number of a node in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ContextId(pub u32);

impl ContextId {
    /// No code of the program runs.
    pub const ROOT: ContextId = ContextId(0);
}

/// A node, with the sums of what was made there and nowhere below.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    pub parent: ContextId,
    pub site: SiteId,
    pub allocated: Count,
    pub retained: Count,
    /// What lived when most bytes did: see [`super::Timeline`].
    pub peak: Count,
    /// What was dead at the first collection after it was made.
    pub temporary: Count,
}

/// Of deeper stacks the frames in between are left out.
const MAX_DEPTH: usize = 1000;
/// Nodes from which on a new stack is counted at the nearest caller that has one.
const MAX_NODES: usize = 8 << 20;
/// The same of samples, which are taken for as long as a process runs: about 7 MB.
const MAX_SAMPLED_NODES: usize = 64 << 10;
const REMEMBERED: usize = 4096;
/// Builds with debug assertions walk the whole stack too.
const CHECKS: bool = cfg!(debug_assertions);

/// A frame of the program on the stack as the last object found it.
#[derive(Clone, Copy)]
struct Known {
    frame: usize,
    pc: *const Insn,
    method: Value,
    site: SiteId,
    context: ContextId,
}

pub(crate) struct Contexts {
    nodes: Vec<Context>,
    most: usize,
    children: FxHashMap<(ContextId, SiteId), ContextId>,
    /// Answers given lately.
    remembered: Box<[(ContextId, SiteId, ContextId)]>,
    /// Whose stack it is, by address.
    thread: usize,
    /// Outermost first.
    stack: Vec<Known>,
    /// Frames that the walk meets, innermost first. Empty between walks.
    met: Vec<Known>,
}

impl Default for Contexts {
    fn default() -> Contexts {
        Contexts {
            nodes: vec![Contexts::default_node()],
            most: MAX_NODES,
            children: FxHashMap::default(),
            remembered: vec![(ContextId::ROOT, SiteId::NONE, ContextId::ROOT); REMEMBERED].into(),
            thread: 0,
            stack: Vec::new(),
            met: Vec::new(),
        }
    }
}

impl Contexts {
    /// A tree that stays small.
    pub(crate) fn of_samples() -> Contexts {
        Contexts { most: MAX_SAMPLED_NODES, ..Contexts::default() }
    }

    /// The node of the stack that runs.
    pub(crate) fn running(&mut self, ec: &Ec, sites: &mut Sites) -> ContextId {
        let lowest = ec.lowest_frame.replace(usize::MAX);
        let thread = std::ptr::from_ref(ec).addr();
        if self.thread != thread {
            self.stack.clear();
            self.thread = thread;
        }
        let mut parent = None;
        for running in Frames::of(ec) {
            let frame = running.frame.0.addr();
            while self.stack.last().is_some_and(|known| known.frame > frame) {
                self.stack.pop();
            }
            if let Some(known) = self.stack.last().filter(|known| known.frame == frame) {
                if frame < lowest && known.pc == running.pc && known.method == running.method {
                    parent = Some(known.context);
                    break;
                }
                self.stack.pop();
            }
            let (pc, method) = (running.pc, running.method);
            let site = sites.of_frame(ec, &running);
            self.met.push(Known { frame, pc, method, site, context: ContextId::ROOT });
        }
        if parent.is_none() {
            self.stack.clear();
        }
        let found = self.enter(parent.unwrap_or(ContextId::ROOT));
        if CHECKS {
            self.check(ec, sites, found);
        }
        found
    }

    /// Walks the whole stack and compares.
    fn check(&self, ec: &Ec, sites: &mut Sites, mut found: ContextId) {
        let whole: Vec<SiteId> = Frames::of(ec).map(|running| sites.of_frame(ec, &running)).collect();
        let is_whole = whole.len() <= MAX_DEPTH && self.nodes.len() < self.most;
        for site in whole {
            assert!(!is_whole || self.site_of(found) == site, "a frame was taken for an earlier one");
            found = self.nodes[found.0 as usize].parent;
        }
    }

    /// What runs from here on may not report its frames.
    pub(crate) fn forget_stack(&mut self) {
        self.stack.clear();
    }

    /// Puts what the walk met upon the stack.
    fn enter(&mut self, mut parent: ContextId) -> ContextId {
        let mut met = std::mem::take(&mut self.met);
        for (left, known) in met.drain(..).enumerate().rev() {
            let is_left_out = left > 0 && self.stack.len() >= MAX_DEPTH;
            parent = if is_left_out { parent } else { self.child(parent, known.site) };
            self.stack.push(Known { context: parent, ..known });
        }
        self.met = met;
        parent
    }

    #[inline]
    fn child(&mut self, parent: ContextId, site: SiteId) -> ContextId {
        let place = (parent.0.wrapping_mul(31) ^ site.0) as usize % REMEMBERED;
        let (known_parent, known_site, id) = self.remembered[place];
        if known_parent == parent && known_site == site && id != ContextId::ROOT {
            return id;
        }
        let id = self.child_slow(parent, site);
        self.remembered[place] = (parent, site, id);
        id
    }

    #[cold]
    fn child_slow(&mut self, parent: ContextId, site: SiteId) -> ContextId {
        if let Some(known) = self.children.get(&(parent, site)) {
            return *known;
        }
        if self.nodes.len() >= self.most {
            return parent;
        }
        let id = ContextId(self.nodes.len() as u32);
        self.nodes.push(Context { parent, site, ..Contexts::default_node() });
        self.children.insert((parent, site), id);
        id
    }

    fn default_node() -> Context {
        let none = Count::default();
        let (parent, site) = (ContextId::ROOT, SiteId::NONE);
        Context { parent, site, allocated: none, retained: none, peak: none, temporary: none }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn site_of(&self, id: ContextId) -> SiteId {
        self.nodes[id.0 as usize].site
    }

    pub(crate) fn node(&mut self, id: ContextId) -> &mut Context {
        &mut self.nodes[id.0 as usize]
    }

    /// `live` is what lives now, by number of the node; more than ever before.
    pub(crate) fn set_peak(&mut self, live: &[Count]) {
        self.nodes.iter_mut().for_each(|node| node.peak = Count::default());
        self.nodes.iter_mut().zip(live).for_each(|(node, live)| node.peak = *live);
    }

    /// Takes over another tree: the new numbers of its nodes, by their old ones. Sites have got the numbers in `sites`.
    pub(crate) fn adopt(&mut self, other: Contexts, sites: &[SiteId]) -> Vec<ContextId> {
        let mut new = Vec::with_capacity(other.nodes.len());
        for (at, theirs) in other.nodes.into_iter().enumerate() {
            // Parents come before their children.
            let id = match at {
                0 => ContextId::ROOT,
                _ => self.child_slow(new[theirs.parent.0 as usize], sites[theirs.site.0 as usize]),
            };
            let ours = self.node(id);
            ours.allocated.merge(theirs.allocated);
            ours.retained.merge(theirs.retained);
            ours.peak.merge(theirs.peak);
            ours.temporary.merge(theirs.temporary);
            new.push(id);
        }
        new
    }

    pub(crate) fn into_list(self) -> Vec<Context> {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_has_one_node() {
        let mut tree = Contexts::default();
        let (a, b) = (SiteId(1), SiteId(2));
        let first = tree.child(ContextId::ROOT, a);
        let second = tree.child(first, b);
        assert_eq!(tree.child(ContextId::ROOT, a), first);
        assert_eq!(tree.child(first, b), second);
        assert_ne!(tree.child(ContextId::ROOT, b), second);
        assert_eq!(tree.site_of(second), b);
    }

    #[test]
    fn a_full_tree_counts_at_callers() {
        let mut tree = Contexts { most: 3, ..Contexts::default() };
        let outer = tree.child(ContextId::ROOT, SiteId(1));
        let inner = tree.child(outer, SiteId(2));
        assert_eq!(tree.child(inner, SiteId(3)), inner);
        assert_eq!(tree.child(outer, SiteId(2)), inner);
        assert_eq!(tree.len(), 3);
    }

    #[test]
    fn an_adopted_tree_keeps_its_shape_and_sums() {
        let (mut ours, mut theirs) = (Contexts::default(), Contexts::default());
        let known = ours.child(ContextId::ROOT, SiteId(7));
        let outer = theirs.child(ContextId::ROOT, SiteId(1));
        let inner = theirs.child(outer, SiteId(2));
        ours.node(known).allocated = Count { objects: 1, bytes: 10 };
        theirs.node(outer).allocated = Count { objects: 2, bytes: 20 };
        theirs.node(inner).temporary = Count { objects: 3, bytes: 30 };
        let new = ours.adopt(theirs, &[SiteId::NONE, SiteId(7), SiteId(8)]);
        assert_eq!(new[outer.0 as usize], known);
        assert_eq!(ours.node(known).allocated, Count { objects: 3, bytes: 30 });
        let inner = new[inner.0 as usize];
        assert_eq!((ours.node(inner).parent, ours.site_of(inner)), (known, SiteId(8)));
        assert_eq!(ours.node(inner).temporary.bytes, 30);
    }
}
