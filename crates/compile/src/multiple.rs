//! Multiple assignment and the destructuring of parameters.
//!
//! Receivers and indexes on the left are evaluated first, from left to right, then the right side, then values are
//! assigned from left to right.

use crate::arguments::Same;
use crate::assign::Target;
use crate::compiler::Compiler;
use crate::emit::{Dst, Reg};
use crate::variables::Place;
use carat_iseq::{CallInfo, Insn, Op};
use ruby_prism as pm;

/// The left sides of one level.
pub(crate) struct Targets<'pr> {
    pub(crate) leads: Vec<Target<'pr>>,
    pub(crate) rest: Option<Box<Target<'pr>>>,
    pub(crate) posts: Vec<Target<'pr>>,
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn prepare_all(
        &mut self,
        leads: &pm::NodeList<'pr>,
        rest: Option<pm::Node<'pr>>,
        posts: &pm::NodeList<'pr>,
    ) -> Targets<'pr> {
        let leads = leads.iter().map(|node| self.prepare(&node)).collect();
        // A trailing comma alone takes no rest array.
        let rest = rest.filter(|rest| rest.as_implicit_rest_node().is_none());
        let rest = rest.map(|node| Box::new(self.prepare(&node)));
        let posts = posts.iter().map(|node| self.prepare(&node)).collect();
        Targets { leads, rest, posts }
    }

    /// Takes the array in `from` apart.
    pub(crate) fn assign_all(&mut self, targets: &Targets<'pr>, from: Reg) {
        if !self.f.has_room(targets.leads.len() + targets.posts.len(), "targets of an assignment") {
            return;
        }
        self.scoped(|c| {
            let first = c.expand(from, targets.leads.len(), targets.rest.is_some(), targets.posts.len());
            let all = targets.leads.iter().chain(targets.rest.as_deref()).chain(&targets.posts);
            for (register, target) in (first..).zip(all) {
                c.assign_prepared(target, register);
            }
        });
    }

    /// Expands a value into consecutive registers, which stay held.
    pub(crate) fn expand(&mut self, from: Reg, leads: usize, has_rest: bool, posts: usize) -> Reg {
        let first = self.f.next_temp;
        let count = leads + usize::from(has_rest) + posts;
        if !self.f.has_room(count, "targets of an assignment") {
            return first;
        }
        if count > 0 {
            // The conversion calls `to_ary` before any of the registers is written.
            self.f.window(0);
        }
        self.emit_expand(first, from, leads as u16, has_rest, posts as u16);
        if count > 0 {
            self.f.hold(first + count as u16 - 1);
        }
        first
    }

    pub(crate) fn emit_expand(&mut self, first: Reg, from: Reg, leads: u16, has_rest: bool, posts: u16) {
        self.emit_expand_bits(u8::from(has_rest), first, from, leads, posts);
    }

    pub(crate) fn emit_expand_bits(&mut self, bits: u8, first: Reg, from: Reg, leads: u16, posts: u16) {
        self.f.nabc(Op::expandarray, bits, first, from, leads);
        let site = self.f.call_site(CallInfo { name: (*b"to_ary").into(), ..CallInfo::default() });
        self.f.emit(Insn::ext(first, posts, site));
    }

    pub(crate) fn multi_write(&mut self, node: &pm::MultiWriteNode<'pr>, dst: Dst) {
        let value = node.value();
        let count = node.lefts().len() + node.rights().len();
        if !self.f.has_room(count, "targets of an assignment") {
            return;
        }
        self.scoped(|c| {
            let targets = c.prepare_all(&node.lefts(), node.rest(), &node.rights());
            c.at(&node.location());
            match value.as_array_node() {
                Some(array) if !array.is_contains_splat() && targets.rest.is_none() => {
                    c.assign_each(&targets, &array, dst);
                }
                _ => {
                    // A local on the right may be assigned, yet is the value of the whole.
                    let from = if dst.is_some() { c.push(&value) } else { c.held(&value) };
                    c.at(&node.location());
                    c.assign_all(&targets, from);
                    c.result(dst, from);
                }
            }
        });
    }

    /// `a, b = x, y`: no array is made unless the value of the whole is wanted.
    fn assign_each(&mut self, targets: &Targets<'pr>, array: &pm::ArrayNode<'pr>, dst: Dst) {
        let values: Vec<_> = array.elements().iter().collect();
        if !self.f.has_room(values.len(), "values of an assignment") {
            return;
        }
        if dst.is_none() && self.assign_registers(targets, &values) {
            return;
        }
        let first = self.f.next_temp;
        self.f.reserve(first + 1);
        for (index, value) in values.iter().enumerate() {
            if dst.is_none() && index >= targets.leads.len() {
                self.effect(value);
            } else {
                self.push(&value.as_same());
            }
        }
        for (index, target) in targets.leads.iter().enumerate() {
            let register = first + index as Reg;
            if index >= values.len() {
                let nil = self.f.next_temp;
                self.f.nil(nil);
                self.scoped(|c| {
                    c.f.hold(nil);
                    c.assign_prepared(target, nil);
                });
            } else {
                self.assign_prepared(target, register);
            }
        }
        if let Some(dst) = dst {
            self.f.abc(Op::newarray, dst, first, values.len() as u16);
        }
    }

    /// As many plain locals as values: the last value goes straight to its local, which no other target is.
    fn assign_registers(&mut self, targets: &Targets<'pr>, values: &[pm::Node<'pr>]) -> bool {
        let register = |target: &Target<'pr>| match target {
            Target::Local(Place { register, levels: 0, captured: false, .. }) => Some(*register),
            _ => None,
        };
        let Some(registers) = targets.leads.iter().map(register).collect::<Option<Vec<_>>>() else { return false };
        let Some((last, others)) = registers.split_last().filter(|_| registers.len() == values.len()) else {
            return false;
        };
        if others.contains(last) {
            return false;
        }
        self.scoped(|c| {
            let first = c.f.next_temp;
            for value in &values[..others.len()] {
                c.push(value);
            }
            c.expr(&values[others.len()], *last);
            for (from, &to) in (first..).zip(others) {
                c.f.move_to(to, from);
            }
        });
        true
    }
}
