//! Method calls, operators, `yield` and `super`.

use crate::PRIMITIVE;
use crate::arguments::{Shape, is_plain, list_of};
use crate::compiler::Compiler;
use crate::coverage::{OpenFork, call_extent};
use crate::emit::{Dst, Label, Reg};
use carat_iseq::{CallFlags, FRAME_HEADER, Insn, IseqKind, Op, Site, hint, newarray_send};
use ruby_prism as pm;

/// A window being filled: where its header is, its receiver, and the first word emitted since it was opened.
pub(crate) struct Window {
    pub(crate) header: Reg,
    pub(crate) base: Reg,
    start: u32,
    /// The call itself fills the receiver's register.
    fills_receiver: bool,
    /// Bit i: register `base + i` has a string literal that is copied unless the method only looks at it.
    literals: u8,
    /// Copies of them are no chilled strings.
    is_mutable: bool,
}

/// Array literals with more elements than this become arrays whatever is done with them.
const MOST_IN_REGISTERS: usize = 32;

/// Operators with one plain argument.
fn binary_op(name: &[u8]) -> Option<Op> {
    Some(match name {
        b"+" => Op::opt_plus,
        b"-" => Op::opt_minus,
        b"*" => Op::opt_mult,
        b"/" => Op::opt_div,
        b"%" => Op::opt_mod,
        b"&" => Op::opt_and,
        b"|" => Op::opt_or,
        b"^" => Op::opt_xor,
        b"<<" => Op::opt_ltlt,
        b">>" => Op::opt_gtgt,
        b"<" => Op::opt_lt,
        b"<=" => Op::opt_le,
        b">" => Op::opt_gt,
        b">=" => Op::opt_ge,
        b"==" => Op::opt_eq,
        b"!=" => Op::opt_neq,
        b"[]" => Op::opt_aref,
        _ => return None,
    })
}

/// Operators with a small integer as argument.
fn immediate_op(name: &[u8]) -> Option<Op> {
    Some(match name {
        b"+" => Op::opt_plus_imm,
        b"-" => Op::opt_minus_imm,
        b"&" => Op::opt_and_imm,
        b"==" => Op::opt_eq_imm,
        b"<" => Op::opt_lt_imm,
        b"[]" => Op::opt_aref_imm,
        _ => return None,
    })
}

fn unary_op(name: &[u8]) -> Option<Op> {
    Some(match name {
        b"!" => Op::opt_not,
        b"-@" => Op::opt_uminus,
        b"length" => Op::opt_length,
        b"size" => Op::opt_size,
        b"empty?" => Op::opt_empty_p,
        b"nil?" => Op::opt_nil_p,
        b"succ" => Op::opt_succ,
        _ => return None,
    })
}

fn compare_op(name: &[u8]) -> Option<(Op, Option<Op>)> {
    Some(match name {
        b"<" => (Op::cmp_lt, Some(Op::cmp_lt_imm)),
        b"<=" => (Op::cmp_le, Some(Op::cmp_le_imm)),
        b">" => (Op::cmp_gt, Some(Op::cmp_gt_imm)),
        b">=" => (Op::cmp_ge, Some(Op::cmp_ge_imm)),
        b"==" => (Op::cmp_eq, Some(Op::cmp_eq_imm)),
        b"!=" => (Op::cmp_neq, None),
        _ => return None,
    })
}

/// The operands, as hints, that an operator's fast path only looks at where they are strings.
fn looks_at(op: Op) -> u8 {
    match op {
        Op::opt_plus | Op::opt_mult | Op::opt_eq | Op::opt_neq => hint::LEFT_LITERAL | hint::RIGHT_LITERAL,
        Op::opt_mod | Op::opt_aset => hint::LEFT_LITERAL,
        Op::opt_ltlt | Op::cmp_eq | Op::cmp_neq => hint::RIGHT_LITERAL,
        _ => 0,
    }
}

/// Names under which core classes have methods that only look at the strings they are given. Which method is meant turns out
/// when it is called: `copyliterals`.
fn only_looks(name: &[u8], argc: usize) -> bool {
    const NAMES: &[&[u8]] = &[
        b"byteindex",
        b"byterindex",
        b"bytesize",
        b"casecmp",
        b"casecmp?",
        b"center",
        b"chomp",
        b"count",
        b"delete",
        b"delete_prefix",
        b"delete_suffix",
        b"encode",
        b"end_with?",
        b"format",
        b"gsub",
        b"include?",
        b"index",
        b"join",
        b"ljust",
        b"match?",
        b"pack",
        b"rindex",
        b"rjust",
        b"split",
        b"sprintf",
        b"squeeze",
        b"start_with?",
        b"strftime",
        b"sub",
        b"to_i",
        b"to_sym",
        b"tr",
        b"tr_s",
        b"unpack",
        b"unpack1",
    ];
    // With one argument gsub makes an enumerator, which keeps it.
    NAMES.contains(&name) && (name != b"gsub" || argc == 2)
}

/// A literal integer that fits an instruction's operand.
pub(crate) fn small_integer(node: &pm::Node<'_>) -> Option<i16> {
    let value: i32 = node.as_integer_node()?.value().try_into().ok()?;
    i16::try_from(value).ok()
}

/// The elements, if all of them are string literals and copies of them would be chilled.
fn string_literals<'pr>(elements: &[pm::Node<'pr>]) -> Option<Vec<pm::StringNode<'pr>>> {
    let literal = |element: &pm::Node<'pr>| element.as_string_node().filter(|string| !string.is_mutable());
    elements.iter().map(literal).collect()
}

fn single_plain<'n, 'pr>(list: &'n [pm::Node<'pr>]) -> Option<&'n pm::Node<'pr>> {
    match list {
        [only] if is_plain(only) => Some(only),
        _ => None,
    }
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn call(&mut self, node: &pm::CallNode<'pr>, dst: Dst) {
        let name = node.name().as_slice();
        if self.is_primitive(node) {
            return self.primitive(node, dst);
        }
        if self.options.is_core && name == b"block_given?" && node.receiver().is_none() {
            return self.block_given(dst);
        }
        if let Some(receiver) = node.receiver()
            && !node.is_safe_navigation()
            && node.block().is_none()
            && self.operator(node, &receiver, name, dst)
        {
            return;
        }
        if self.calls_own_block(node) {
            return self.block_call(node, dst);
        }
        if node.is_attribute_write() && dst.is_some() {
            return self.attribute_write_value(node, dst);
        }
        self.method_call(node, dst);
    }

    /// `block.call(plain arguments)` in the method whose block parameter that is.
    fn calls_own_block(&self, node: &pm::CallNode<'pr>) -> bool {
        let is_plain =
            node.block().is_none() && !node.is_safe_navigation() && list_of(node.arguments()).iter().all(is_plain);
        let is_call = is_plain && node.name().as_slice() == b"call";
        let read = node.receiver().filter(|_| is_call).and_then(|receiver| receiver.as_local_variable_read_node());
        read.is_some_and(|read| self.find(read.name().as_slice(), read.depth()).is_own_block())
    }

    /// A literal block is yielded to, and never becomes a Proc for that.
    fn block_call(&mut self, node: &pm::CallNode<'pr>, dst: Dst) {
        let read = node.receiver().and_then(|receiver| receiver.as_local_variable_read_node()).expect("it was one");
        let place = self.find(read.name().as_slice(), read.depth());
        let target = self.scratch_or(dst);
        let (yields, sends, end) = (self.f.label(), self.f.label(), self.f.label());
        self.scoped(|c| {
            let window = c.window(false);
            c.read_block(place, window.base);
            c.receiver_done(&window);
            let shape = c.arguments(list_of(node.arguments()), None);
            let argc = u8::try_from(shape.argc).unwrap_or(u8::MAX);
            c.call_line(node);
            c.f.branch(Op::branchblock, window.base, yields);
            c.f.branch(Op::branchgiven, window.base, sends);
            c.read_place(place, window.base);
            c.f.bind(sends);
            let site = c.f.call_site(Shape { argc: shape.argc, ..Shape::default() }.info(b"call", 0, None));
            c.emit_call(&window, Insn::nabc(Op::send_simple, argc, target, window.base, site));
            c.f.jump(end);
            c.f.bind(yields);
            let site = c.f.call_site(shape.info(b"", 0, None));
            c.emit_call(&window, Insn::nabc(Op::invokeblock, argc, target, window.base, site));
        });
        self.f.bind(end);
    }

    fn call_line(&mut self, node: &pm::CallNode<'pr>) {
        self.emit_for(&node.location());
        match node.message_loc() {
            Some(location) => self.at(&location),
            None => self.at(&node.location()),
        }
    }

    /// Calls that have instructions of their own; false if this is none.
    fn operator(&mut self, node: &pm::CallNode<'pr>, receiver: &pm::Node<'pr>, name: &[u8], dst: Dst) -> bool {
        let list = list_of(node.arguments());
        if node.is_attribute_write() {
            return self.index_assign(node, receiver, &list, dst);
        }
        if self.newarray_send(node, receiver, &list, dst) || self.frozen_literal(receiver, name, &list, dst) {
            return true;
        }
        if list.is_empty() {
            return self.frozen_string(receiver, name, dst) || self.unary(node, receiver, name, dst);
        }
        let Some(argument) = single_plain(&list) else { return false };
        let Some(op) = binary_op(name) else { return false };
        let target = self.scratch_or(dst);
        if op == Op::opt_aref && self.aref_with(node, receiver, argument, target) {
            return true;
        }
        self.scoped(|c| {
            let flags = self_flags(receiver);
            if let (Some(op), Some(number)) = (immediate_op(name), small_integer(argument)) {
                let left = c.held(receiver);
                c.call_line(node);
                c.f.abc(op, target, left, number as u16);
            } else {
                c.two_operands(op, node, receiver, argument, target);
            }
            c.f.ext(target, name, 1, flags);
        });
        true
    }

    /// `[a, b].max` and its kin, which need no array.
    fn newarray_send(
        &mut self,
        node: &pm::CallNode<'pr>,
        receiver: &pm::Node<'pr>,
        list: &[pm::Node<'pr>],
        dst: Dst,
    ) -> bool {
        let Some(array) = receiver.as_array_node() else { return false };
        let name = node.name().as_slice();
        let method = match (name, list) {
            (b"max", []) => newarray_send::MAX,
            (b"min", []) => newarray_send::MIN,
            (b"hash", []) => newarray_send::HASH,
            (b"include?", [argument]) if is_plain(argument) => newarray_send::INCLUDE_P,
            _ => return false,
        };
        let elements: Vec<_> = array.elements().iter().collect();
        // An array of which nothing has to be computed is an array, as its methods' errors show.
        let is_literal = list.is_empty() && !elements.is_empty() && self.container_literal(receiver).is_some();
        if is_literal || elements.len() > MOST_IN_REGISTERS || !elements.iter().all(is_plain) {
            return false;
        }
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let first = c.f.next_temp;
            c.f.reserve(first + 1);
            let method = match string_literals(&elements).filter(|_| method == newarray_send::INCLUDE_P) {
                Some(strings) => {
                    strings.iter().for_each(|string| c.put_shared(string, c.f.next_temp));
                    newarray_send::LITERALS_INCLUDE_P
                }
                None => {
                    elements.iter().for_each(|element| _ = c.push(element));
                    method
                }
            };
            list.iter().for_each(|argument| _ = c.push(argument));
            c.call_line(node);
            c.f.nabc(Op::opt_newarray_send, method, target, first, elements.len() as u16);
            c.f.ext(target, name, list.len() as u16, 0);
        });
        true
    }

    /// `[1, 2].freeze` and `{ a: 1 }.freeze` are one shared object.
    fn frozen_literal(&mut self, receiver: &pm::Node<'pr>, name: &[u8], list: &[pm::Node<'pr>], dst: Dst) -> bool {
        if name != b"freeze" || !list.is_empty() {
            return false;
        }
        let Some(literal) = self.container_literal(receiver) else { return false };
        let target = self.scratch_or(dst);
        self.f.copy_literal(Op::opt_freeze, target, literal);
        self.f.ext(target, name, 0, 0);
        true
    }

    fn two_operands(
        &mut self,
        op: Op,
        node: &pm::CallNode<'pr>,
        receiver: &pm::Node<'pr>,
        argument: &pm::Node<'pr>,
        target: Reg,
    ) {
        let (left, left_hints) = match self.shared_literal(receiver, op, hint::LEFT_LITERAL) {
            Some(held) => held,
            None => (self.held_before(receiver, &[argument]), 0),
        };
        let sum = self.f.sum_in(left).filter(|_| op == Op::opt_plus && receiver.as_call_node().is_some());
        let (right, right_hints) = self.right_operand(op, argument);
        sum.inspect(|&at| self.f.link_sum(at));
        self.call_line(node);
        self.f.nabc(op, left_hints | right_hints, target, left, right);
    }

    fn right_operand(&mut self, op: Op, argument: &pm::Node<'pr>) -> (Reg, u8) {
        match self.shared_literal(argument, op, hint::RIGHT_LITERAL) {
            Some(held) => held,
            None => (self.held(argument), 0),
        }
    }

    /// A string literal that an operator may have only looked at when it is done, and the hints for that.
    fn shared_literal(&mut self, node: &pm::Node<'pr>, op: Op, side: u8) -> Option<(Reg, u8)> {
        let string = node.as_string_node().filter(|string| !string.is_frozen() && looks_at(op) & side != 0)?;
        let register = self.f.next_temp;
        self.put_shared(&string, register);
        let mutable = if string.is_mutable() { hint::MUTABLE } else { 0 };
        Some((register, side | mutable))
    }

    fn put_shared(&mut self, string: &pm::StringNode<'pr>, register: Reg) {
        let literal = self.string_literal(string);
        self.f.reserve(register + 1);
        self.f.put_literal(register, literal);
        self.f.hold(register);
    }

    /// `hash["literal"]`, which needs no string of its own as long as the receiver is a Hash.
    fn aref_with(
        &mut self,
        node: &pm::CallNode<'pr>,
        receiver: &pm::Node<'pr>,
        argument: &pm::Node<'pr>,
        target: Reg,
    ) -> bool {
        let Some(string) = argument.as_string_node().filter(|string| !string.is_frozen()) else { return false };
        if !self.f.has_short_literals() {
            return false;
        }
        self.scoped(|c| {
            let left = c.held(receiver);
            let literal = c.string_literal(&string);
            let literal = c.f.short_literal(literal);
            c.call_line(node);
            c.f.nabc(Op::opt_aref_with, u8::from(string.is_mutable()), target, left, literal);
            c.f.ext(target, b"[]", 1, self_flags(receiver));
        });
        true
    }

    fn unary(&mut self, node: &pm::CallNode<'pr>, receiver: &pm::Node<'pr>, name: &[u8], dst: Dst) -> bool {
        let Some(op) = unary_op(name) else { return false };
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let operand = c.held(receiver);
            c.call_line(node);
            c.f.abc(op, target, operand, 0);
            c.f.ext(target, name, 0, self_flags(receiver));
        });
        true
    }

    /// `-"literal"` and `"literal".freeze` are one shared object unless the method was redefined; `+"literal"` is a new one that may be written.
    fn frozen_string(&mut self, receiver: &pm::Node<'pr>, name: &[u8], dst: Dst) -> bool {
        let Some(string) = receiver.as_string_node() else { return false };
        if !matches!(name, b"-@" | b"+@" | b"freeze") {
            return false;
        }
        let literal = self.string_literal(&string);
        if name != b"+@" {
            let target = self.scratch_or(dst);
            self.f.copy_literal(Op::opt_freeze, target, literal);
            self.f.ext(target, name, 0, 0);
        } else if let Some(dst) = dst {
            self.f.mutable_literal(dst, literal);
        }
        true
    }

    /// `a[i] = v` with one index.
    fn index_assign(
        &mut self,
        node: &pm::CallNode<'pr>,
        receiver: &pm::Node<'pr>,
        list: &[pm::Node<'pr>],
        dst: Dst,
    ) -> bool {
        let [index, value] = list else { return false };
        if node.name().as_slice() != b"[]=" || !is_plain(index) || !is_plain(value) {
            return false;
        }
        self.scoped(|c| {
            let object = c.held_before(receiver, &[index, value]);
            let (key, hints) = c.index_operand(index, value);
            let value = c.held(value);
            c.call_line(node);
            c.emit_index_assign(object, key, value, hints, self_flags(receiver));
            c.result(dst, value);
        });
        true
    }

    /// The index, and what an assignment may do with it.
    fn index_operand(&mut self, index: &pm::Node<'pr>, value: &pm::Node<'pr>) -> (Reg, u8) {
        if let Some(shared) = self.shared_literal(index, Op::opt_aset, hint::LEFT_LITERAL) {
            return shared;
        }
        let is_fresh = index.as_interpolated_string_node().is_some_and(|string| self.is_made_anew(&string));
        (self.held_before(index, &[value]), if is_fresh { hint::LEFT_FRESH } else { 0 })
    }

    pub(crate) fn emit_index_assign(&mut self, object: Reg, key: Reg, value: Reg, hints: u8, flags: u16) {
        let spoiled = self.f.next_temp;
        self.f.reserve(spoiled + 1);
        self.f.nabc(Op::opt_aset, hints, object, key, value);
        self.f.ext(spoiled, b"[]=", 2, flags | CallFlags::ATTRIBUTE_ASSIGN);
    }

    /// `left op right` where the left side is in a held register.
    pub(crate) fn binary(&mut self, name: &[u8], left: Reg, right: &pm::Node<'pr>, dst: Reg) {
        self.scoped(|c| {
            if let (Some(op), Some(number)) = (immediate_op(name), small_integer(right)) {
                c.f.abc(op, dst, left, number as u16);
                return c.f.ext(dst, name, 1, 0);
            }
            if let Some(op) = binary_op(name) {
                let line = c.f.line;
                let (right, hints) = c.right_operand(op, right);
                c.f.line = line;
                c.f.nabc(op, hints, dst, left, right);
                return c.f.ext(dst, name, 1, 0);
            }
            let line = c.f.line;
            let window = c.window(false);
            c.f.move_to(window.base, left);
            c.f.hold(window.base);
            c.push(right);
            c.f.line = line;
            c.send_window(window, Shape { argc: 1, ..Shape::default() }, name, 0, None, dst);
        });
    }

    /// Whether [`Compiler::branch_comparison`] compiles the node.
    pub(crate) fn is_comparison(&self, node: &pm::Node<'pr>) -> bool {
        let Some(call) = node.as_call_node() else { return false };
        let is_plain = call.receiver().is_some() && !call.is_safe_navigation() && call.block().is_none();
        let is_known = compare_op(call.name().as_slice()).is_some();
        is_plain && is_known && single_plain(&list_of(call.arguments())).is_some()
    }

    /// A comparison fused with the branch behind it; false if the node is none.
    pub(crate) fn branch_comparison(&mut self, node: &pm::Node<'pr>, target: Label, when: bool) -> bool {
        if !self.is_comparison(node) {
            return false;
        }
        let Some(call) = node.as_call_node() else { return false };
        let Some(receiver) = call.receiver() else { return false };
        let Some((op, immediate)) = compare_op(call.name().as_slice()) else { return false };
        let list = list_of(call.arguments());
        let Some(argument) = single_plain(&list) else { return false };
        self.scoped(|c| {
            let number = small_integer(argument).filter(|_| immediate.is_some());
            let (op, left, (right, hints)) = match (immediate, number) {
                (Some(op), Some(number)) => (op, c.held(&receiver), (number as u16, 0)),
                _ => {
                    let left = c.held_before(&receiver, &[argument]);
                    (op, left, c.right_operand(op, argument))
                }
            };
            c.call_line(&call);
            let dst = c.f.next_temp;
            c.f.nabc(op, hints, dst, left, right);
            let (name, flags) = (call.name(), self_flags(&receiver));
            match number {
                Some(_) => c.f.ext_shared(dst, name.as_slice(), 1, flags),
                None => c.f.ext(dst, name.as_slice(), 1, flags),
            }
            c.jump_if(dst, when, target);
        });
        true
    }

    pub(crate) fn window(&mut self, fills_receiver: bool) -> Window {
        let (header, base, start) = self.open_window();
        Window { header, base, start, fills_receiver, literals: 0, is_mutable: false }
    }

    /// Receiver register done, whatever it is; arguments come next.
    fn receiver_done(&mut self, window: &Window) {
        self.f.hold(window.base);
    }

    fn method_call(&mut self, node: &pm::CallNode<'pr>, dst: Dst) {
        let receiver = node.receiver().filter(|receiver| receiver.as_self_node().is_none());
        let safe = node.is_safe_navigation().then(|| (self.f.label(), self.f.label()));
        let target = self.scratch_or(dst);
        let mut fork = None;
        self.scoped(|c| {
            let list = list_of(node.arguments());
            let block = node.block();
            let is_simple = list.iter().all(is_plain);
            let is_new = node.name().as_slice() == b"new";
            let is_on_self = receiver.is_none() && safe.is_none() && block.is_none();
            let looks = is_simple
                && block.is_none()
                && safe.is_none()
                && list.len() < 8
                && only_looks(node.name().as_slice(), list.len());
            let shares = |node: &pm::Node<'pr>| looks && node.as_string_node().is_some_and(|s| !s.is_frozen());
            let shares_arguments = list.iter().any(shares);
            let fills = is_on_self && is_simple && list.len() < 256 && !is_new && !shares_arguments;
            let mut window = c.window(fills);
            match &receiver {
                Some(receiver) if shares(receiver) => c.share_in_window(receiver, 0, &mut window),
                Some(receiver) => c.expr(receiver, window.base),
                None if !fills => c.f.move_to(window.base, 0),
                None => {}
            }
            c.receiver_done(&window);
            if let Some((nil, _)) = safe {
                c.call_line(node);
                c.f.branch(Op::branchnil, window.base, nil);
                fork = c.navigation(node);
            }
            let shape = match shares_arguments {
                true => c.shared_arguments(&list, &mut window),
                false => c.arguments(list, block.as_ref()),
            };
            let block = block.and_then(|block| block.as_block_node()).map(|block| c.block(&block));
            c.call_line(node);
            c.send_window(window, shape, node.name().as_slice(), call_flags(node), block, target);
        });
        if let Some((nil, end)) = safe {
            if dst.is_some() || fork.is_some() {
                self.f.jump(end);
            }
            self.f.bind(nil);
            self.fork_branch(&mut fork, "else", || call_extent(node));
            self.f.nil_if(dst);
            self.f.bind(end);
        }
    }

    /// The fork of `&.`, in the branch where there is a receiver.
    fn navigation(&mut self, node: &pm::CallNode<'pr>) -> Option<OpenFork> {
        let mut fork = self.fork(&node.as_node(), "&.", || call_extent(node));
        self.fork_branch(&mut fork, "then", || call_extent(node));
        fork
    }

    /// A string literal as one of a call's operands, to be copied if need be.
    fn share_in_window(&mut self, node: &pm::Node<'pr>, index: usize, window: &mut Window) {
        let string = node.as_string_node().expect("a string literal");
        window.literals |= 1 << index;
        window.is_mutable |= string.is_mutable();
        self.put_shared(&string, window.base + index as Reg);
    }

    fn shared_arguments(&mut self, list: &[pm::Node<'pr>], window: &mut Window) -> Shape {
        for (i, argument) in list.iter().enumerate() {
            match argument.as_string_node().filter(|string| !string.is_frozen()) {
                Some(_) => self.share_in_window(argument, i + 1, window),
                None => {
                    self.push(argument);
                }
            }
        }
        Shape { argc: list.len() as u16, ..Shape::default() }
    }

    /// Emits the call of a filled window.
    pub(crate) fn send_window(
        &mut self,
        window: Window,
        shape: Shape,
        name: &[u8],
        flags: u16,
        block: Option<u16>,
        dst: Reg,
    ) {
        let argc = shape.argc;
        let is_simple = shape.is_simple() && argc < 256;
        let op = match (window.fills_receiver, is_simple, block) {
            (true, true, None) => Op::send_self,
            (false, true, None) => Op::send_simple,
            (_, true, Some(_)) => Op::send_block,
            _ => Op::send,
        };
        let n = if op == Op::send { 0 } else { argc as u8 };
        let makes_object = name == b"new" && block.is_none() && !shape.passes_block() && !window.fills_receiver;
        let site = self.f.call_site(shape.info(name, flags, block));
        if window.literals != 0 {
            let mutable = u16::from(window.is_mutable);
            self.f.nabc(Op::copyliterals, window.literals, mutable, window.base, site);
        }
        if makes_object {
            return self.new_call(&window, site, dst);
        }
        self.emit_call(&window, Insn::nabc(op, n, dst, window.base, site));
    }

    /// `Class#new` needs no frame between this one and that of `initialize`.
    fn new_call(&mut self, window: &Window, site: u16, dst: Reg) {
        self.f.reserve(window.base + 2);
        self.emit_call(window, Insn::abc(Op::opt_new, window.base + 1, window.base, site));
        self.f.emit(Insn::abc(Op::new_result, dst, window.base, site));
    }

    fn emit_call(&mut self, window: &Window, insn: Insn) {
        let words = FRAME_HEADER + u16::from(window.fills_receiver);
        self.f.note_unwritten(window.start, window.header, words);
        self.f.emit(insn);
    }

    /// `a.b = v` or `a[i, j] = v` whose value is wanted: it is the right side, so that is kept outside of the window.
    fn attribute_write_value(&mut self, node: &pm::CallNode<'pr>, dst: Dst) {
        let receiver = node.receiver().expect("an attribute belongs to something");
        let nil = self.f.label();
        let mut list = list_of(node.arguments());
        let Some(value) = list.pop() else { return self.method_call(node, dst) };
        let end = self.f.label();
        let mut fork = None;
        self.scoped(|c| {
            let object = c.push(&receiver);
            if node.is_safe_navigation() {
                c.f.branch(Op::branchnil, object, nil);
                fork = c.navigation(node);
            }
            let arguments = c.index_arguments(list);
            let value = c.held(&value);
            c.call_line(node);
            let target = crate::assign::Attribute {
                object,
                flags: call_flags(node),
                name: node.name().as_slice().into(),
                arguments,
            };
            c.send_attribute(&target, value);
            c.result(dst, value);
        });
        if node.is_safe_navigation() {
            self.f.jump(end);
            self.f.bind(nil);
            self.fork_branch(&mut fork, "else", || call_extent(node));
            self.f.nil_if(dst);
            self.f.bind(end);
        }
    }

    pub(crate) fn yield_values(&mut self, node: &pm::YieldNode<'pr>, dst: Dst) {
        let scope_kind = self.method_scope().1.map(|scope| scope.kind);
        let is_outside = match scope_kind {
            Some(IseqKind::Eval) | None => !self.options.in_method,
            Some(kind) => matches!(kind, IseqKind::Top | IseqKind::Class),
        };
        if is_outside {
            self.error(&node.location(), "Invalid yield");
        }
        let target = self.scratch_or(dst);
        let list = list_of(node.arguments());
        if let Some(register) = single_plain(&list).and_then(|only| self.register_of(only))
            && let Ok(register) = u8::try_from(register)
        {
            return self.yield_register(node, register, target);
        }
        self.scoped(|c| {
            let window = c.window(true);
            c.receiver_done(&window);
            let shape = c.arguments(list, None);
            c.at(&node.location());
            let info = shape.info(b"", 0, None);
            let plain = if info.flags.is_simple() { u8::try_from(info.argc).unwrap_or(u8::MAX) } else { u8::MAX };
            let site = c.f.call_site(info);
            c.emit_call(&window, Insn::nabc(Op::invokeblock, plain, target, window.base, site));
        });
    }

    /// `yield local`: the instruction puts the value into the window itself.
    fn yield_register(&mut self, node: &pm::YieldNode<'pr>, register: u8, target: Reg) {
        self.scoped(|c| {
            let window = c.window(true);
            c.f.reserve(window.base + 2);
            c.at(&node.location());
            let site = c.f.call_site(Shape { argc: 1, ..Shape::default() }.info(b"", 0, None));
            c.emit_call(&window, Insn::nabc(Op::invokeblock_one, register, target, window.base, site));
        });
    }

    pub(crate) fn super_call(&mut self, node: &pm::SuperNode<'pr>, dst: Dst) {
        let list = list_of(node.arguments());
        let block = node.block();
        self.invoke_super(&node.location(), block, 0, dst, |c, block| c.arguments(list, block));
    }

    pub(crate) fn forwarding_super(&mut self, node: &pm::ForwardingSuperNode<'pr>, dst: Dst) {
        let block = node.block().map(|block| block.as_node());
        self.invoke_super(&node.location(), block, CallFlags::ZSUPER, dst, |c, _| c.super_arguments());
    }

    fn invoke_super(
        &mut self,
        location: &pm::Location<'pr>,
        block: Option<pm::Node<'pr>>,
        flags: u16,
        dst: Dst,
        arguments: impl FnOnce(&mut Self, Option<&pm::Node<'pr>>) -> Shape,
    ) {
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let window = c.window(false);
            c.at(location);
            c.f.move_to(window.base, 0);
            c.receiver_done(&window);
            let shape = arguments(c, block.as_ref());
            let block = block.and_then(|block| block.as_block_node()).map(|block| c.block(&block));
            c.at(location);
            let name = c.method_name();
            let site = c.f.call_site(shape.info(&name, flags | CallFlags::SUPER | CallFlags::FCALL, block));
            c.emit_call(&window, Insn::abc(Op::invokesuper, target, window.base, site));
        });
    }

    fn method_name(&self) -> Vec<u8> {
        self.method_scope().1.map_or_else(Vec::new, |scope| scope.name.clone())
    }

    fn is_primitive(&self, node: &pm::CallNode<'pr>) -> bool {
        let receiver = node.receiver().and_then(|receiver| receiver.as_constant_read_node());
        self.options.is_core && receiver.is_some_and(|constant| constant.name().as_slice() == PRIMITIVE)
    }

    /// `Primitive.name(args)` calls into the VM. Native code of this kind takes neither a block nor a splat.
    fn primitive(&mut self, node: &pm::CallNode<'pr>, dst: Dst) {
        let list = list_of(node.arguments());
        assert!(node.block().is_none() && list.iter().all(|argument| argument.as_splat_node().is_none()));
        match (node.name().as_slice(), list.as_slice()) {
            (b"array_size", [array]) => return self.array_instruction(Op::arraysize, array, None, dst),
            (b"array_push", [array, element]) => return self.push_instruction(array, element, dst),
            (b"array_at", [array, index]) => return self.array_instruction(Op::arrayat, array, Some(index), dst),
            (b"field", [object, name]) if name.as_symbol_node().is_some() => return self.field(object, name, dst),
            (b"field_set", [object, name, value]) if name.as_symbol_node().is_some() => {
                return self.set_field(object, name, value, dst);
            }
            _ => {}
        }
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let first = c.f.next_temp;
            c.f.reserve(first + 1);
            for argument in list {
                c.push(&argument);
            }
            let count = u8::try_from(c.f.next_temp - first).expect("few arguments");
            c.call_line(node);
            let symbol = c.f.symbol(node.name().as_slice());
            c.f.nabc(Op::invokeprimitive, count, target, first, symbol);
        });
    }

    /// Appending to an array is one, too: that of array literals.
    fn push_instruction(&mut self, array: &pm::Node<'pr>, element: &pm::Node<'pr>, dst: Dst) {
        self.scoped(|c| {
            let array = c.held_before(array, &[element]);
            let element = c.held(element);
            c.f.abc(Op::pusharray, array, element, 0);
            c.result(dst, array);
        });
    }

    /// Fields of another object than self have inline caches, too.
    fn field(&mut self, object: &pm::Node<'pr>, name: &pm::Node<'pr>, dst: Dst) {
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let object = c.held(object);
            let site = c.field_site(name);
            c.f.abc(Op::getfield, target, object, site);
        });
    }

    fn set_field(&mut self, object: &pm::Node<'pr>, name: &pm::Node<'pr>, value: &pm::Node<'pr>, dst: Dst) {
        self.scoped(|c| {
            let object = c.held_before(object, &[value]);
            let value = c.held(value);
            let site = c.field_site(name);
            c.f.abc(Op::setfield, value, object, site);
            c.result(dst, value);
        });
    }

    fn field_site(&mut self, name: &pm::Node<'pr>) -> u16 {
        let symbol = name.as_symbol_node().expect("a literal name");
        self.f.site(Site::InstanceVariable(symbol.unescaped().into()))
    }

    pub(crate) fn is_iteration(&self, node: &pm::Node<'pr>) -> bool {
        let is_one = |call: &pm::CallNode<'pr>| matches!(call.name().as_slice(), b"array_next" | b"hash_next");
        node.as_call_node().is_some_and(|call| is_one(&call) && self.is_primitive(&call))
    }

    /// `while Primitive.array_next(array, index, element)`: goes back to `redo` with the next element in one local and its
    /// number plus one in the other, as long as there is one. `while Primitive.hash_next(hash, position, key, value)`: with the
    /// next entry in two locals that came into being one after the other. False if the node is something else.
    pub(crate) fn iteration(&mut self, node: &pm::Node<'pr>, redo: Label) -> bool {
        let Some(call) = node.as_call_node().filter(|_| self.is_iteration(node)) else { return false };
        let list = list_of(call.arguments());
        let locals: Option<Vec<Reg>> = list[1..].iter().map(|local| self.register_of(local)).collect();
        let (op, index, first) = match (call.name().as_slice(), locals.as_deref()) {
            (b"array_next", Some(&[index, element])) => (Op::array_next, index, element),
            (b"hash_next", Some(&[position, key, value])) if value == key + 1 => (Op::hash_next, position, key),
            _ => panic!("an iteration takes locals that no block shares: line {}", self.f.line),
        };
        self.scoped(|c| {
            let container = c.held(&list[0]);
            c.f.abc(op, first, container, index);
            c.f.jump_back(redo);
        });
        true
    }

    /// Size and elements of an array are instructions: every iteration asks for them.
    fn array_instruction(&mut self, op: Op, array: &pm::Node<'pr>, index: Option<&pm::Node<'pr>>, dst: Dst) {
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let array = c.held_before(array, index.as_slice());
            let index = index.map_or(0, |index| c.held(index));
            c.f.abc(op, target, array, index);
        });
    }
}

/// Flags for a call whose receiver may be a literal `self`.
pub(crate) fn self_flags(receiver: &pm::Node<'_>) -> u16 {
    if receiver.as_self_node().is_some() { CallFlags::FCALL } else { 0 }
}

pub(crate) fn call_flags(node: &pm::CallNode<'_>) -> u16 {
    let mut flags = node.receiver().map_or(CallFlags::FCALL, |receiver| self_flags(&receiver));
    if node.is_variable_call() {
        flags |= CallFlags::VCALL;
    }
    if node.is_attribute_write() {
        flags |= CallFlags::ATTRIBUTE_ASSIGN;
    }
    flags
}
