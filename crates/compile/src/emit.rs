//! The function under construction: instruction emission, labels, temporaries, tables.
//!
//! # Temporaries
//! `next_temp` is the first free register. An expression is evaluated into a *destination*: a local, a temporary that is
//! already held (below `next_temp`), or `next_temp` itself, which then serves as scratch space until the value is there.
//! So a register that was never written never lies below a call window, apart from the headers of windows that are
//! still being filled; those are listed in [`carat_iseq::Draft::pending_windows`].
//! A local is written only by the last instruction of an expression: until then the expression may read it or raise.

use crate::Map;
use crate::control::Control;
use crate::spot::Span;
use carat_iseq::coverage::{Extent, counted};
use carat_iseq::{
    CallFlags, CallInfo, CatchEntry, CatchKind, Draft, FRAME_HEADER, Insn, IseqFlags, IseqKind, LINE_EVENT, Literal,
    Local, Op, Params, PendingWindow, Site, hint,
};
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) type Reg = u16;
/// Where a value goes; `None`: it is not wanted.
pub(crate) type Dst = Option<Reg>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(usize);

/// What `# shareable_constant_value:` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shareable {
    /// The value is made shareable.
    Made,
    /// A copy of it is.
    Copied,
    /// It must be shareable already: `literal` makes nothing but literals so.
    Demanded,
}

/// How `super` without arguments passes one parameter on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ParamKind {
    Positional,
    Rest,
    Keyword,
    KeywordRest,
}

/// A parameter as `super` without arguments passes it on.
#[derive(Clone, Debug)]
pub(crate) struct SuperParam {
    pub(crate) kind: ParamKind,
    pub(crate) register: Reg,
    /// Of a keyword.
    pub(crate) name: Vec<u8>,
    /// Read through the method's environment.
    pub(crate) in_environment: bool,
}

impl SuperParam {
    pub(crate) fn new(kind: ParamKind, register: Reg) -> SuperParam {
        SuperParam { kind, register, name: Vec::new(), in_environment: false }
    }
}

pub(crate) struct Scope<'pr> {
    pub(crate) kind: IseqKind,
    pub(crate) name: Vec<u8>,
    pub(crate) first_line: i32,
    /// Where the scope's source ends: there it returns, as tracing sees it.
    pub(crate) last_line: Option<i32>,
    /// A block that Ruby makes (`for`, `END`, `/o`): Prism does not count it as a scope of its own.
    pub(crate) transparent: bool,
    /// The block of `END`, which names of blocks count twice.
    pub(crate) is_post_execution: bool,
    pub(crate) locals: Vec<Local>,
    /// Named locals, and the hidden ones `*`, `**`, `&` and `it`: index into `locals`.
    pub(crate) names: Map<Vec<u8>, usize>,
    pub(crate) block_param: Option<Reg>,
    pub(crate) super_params: Vec<SuperParam>,
    pub(crate) params: Params,
    pub(crate) parameter_names: Vec<Box<[u8]>>,
    pub(crate) flags: IseqFlags,
    pub(crate) svar: Option<Reg>,
    /// Register of the first flip-flop's state.
    pub(crate) flip_flops: Reg,
    pub(crate) controls: Vec<Control<'pr>>,
    /// How many bodies of `ensure` clauses the code being compiled is inside of.
    pub(crate) ensure_bodies: usize,
    /// A class body with jumps to what is around it: see `class_exits`.
    pub(crate) jumps_out: bool,
    /// Start of a block's body, for `redo`.
    pub(crate) redo: Option<Label>,
    /// In an assignment of constants whose values are to be shareable.
    pub(crate) shareable: Option<Shareable>,
    /// The nodes to compile next are parts of an array or hash of which `literal` makes the literals shareable.
    pub(crate) has_literal_parts: bool,
    pub(crate) line: i32,
    /// The node that is being compiled, while somebody wants to know (see `spot`).
    pub(crate) node: Span,
    /// The nodes that the instructions were emitted for.
    pub(crate) nodes: Vec<Span>,
    pub(crate) next_temp: Reg,
    pub(crate) local_size: u16,
    frame_size: u16,
    insns: Vec<Insn>,
    literals: Vec<Literal>,
    symbols: Vec<Box<[u8]>>,
    symbol_index: Map<Box<[u8]>, u16>,
    sites: Vec<Site>,
    /// Those behind the first [`MANY_SITES`].
    shared_sites: Map<Site, u16>,
    /// Where their code is in the pack.
    children: Vec<u32>,
    pub(crate) catches: Vec<CatchEntry>,
    pending: Vec<PendingWindow>,
    lines: Vec<(u32, i32)>,
    /// The next word begins the first statement of its line.
    begins_statement: bool,
    /// Line of the last statement.
    statement_line: i32,
    /// Where the code is in the source, if somebody counts its calls.
    pub(crate) extent: Option<Extent>,
    /// Takes the line of each place where one is counted; none while lines are not.
    pub(crate) counted_lines: Option<Rc<RefCell<Vec<i32>>>>,
    /// A statement begins whose line is not counted yet.
    pub(crate) is_uncounted: bool,
    labels: Vec<Option<u32>>,
    fixups: Vec<(u32, Label)>,
    /// Word behind the last instruction that may call or collect.
    last_call: u32,
    /// Where a label was bound last.
    last_bound: u32,
    /// What there is too much of for an instruction to name: the code is not used.
    pub(crate) excess: Option<&'static str>,
}

/// [`Scope::node`] while nobody asks, and of what stands for no node.
const NOWHERE: Span = (0, 0);

/// Registers of one frame; with [`MOST_VALUES`] and a window behind them a `u16` still holds them.
const MOST_REGISTERS: Reg = 34_000;

/// Sites of one scope that have an inline cache of their own.
const MANY_SITES: usize = 1 << 15;

/// Values that stand side by side in registers: parameters, targets, arguments.
pub(crate) const MOST_VALUES: usize = 30_000;

impl<'pr> Scope<'pr> {
    pub(crate) fn new(kind: IseqKind, name: Vec<u8>, first_line: i32) -> Scope<'pr> {
        Scope {
            kind,
            name,
            first_line,
            last_line: None,
            transparent: false,
            is_post_execution: false,
            locals: Vec::new(),
            names: Map::default(),
            block_param: None,
            super_params: Vec::new(),
            params: Params::default(),
            parameter_names: Vec::new(),
            flags: IseqFlags::default(),
            svar: None,
            flip_flops: 0,
            controls: Vec::new(),
            ensure_bodies: 0,
            jumps_out: false,
            redo: None,
            shareable: None,
            has_literal_parts: false,
            line: first_line,
            node: NOWHERE,
            nodes: Vec::new(),
            next_temp: 1,
            local_size: 1,
            frame_size: 1,
            insns: Vec::new(),
            literals: Vec::new(),
            symbols: Vec::new(),
            symbol_index: Map::default(),
            sites: Vec::new(),
            shared_sites: Map::default(),
            children: Vec::new(),
            catches: Vec::new(),
            pending: Vec::new(),
            lines: Vec::new(),
            begins_statement: false,
            statement_line: i32::MIN,
            extent: None,
            counted_lines: None,
            is_uncounted: false,
            labels: Vec::new(),
            fixups: Vec::new(),
            last_call: 0,
            last_bound: 0,
            excess: None,
        }
    }

    /// The code is too large in some respect. Compiling goes on, so that nobody has to ask.
    pub(crate) fn exceed(&mut self, what: &'static str) {
        self.excess.get_or_insert(what);
    }

    /// Whether so many values can stand side by side.
    pub(crate) fn has_room(&mut self, values: usize, what: &'static str) -> bool {
        if values > MOST_VALUES {
            self.exceed(what);
        }
        values <= MOST_VALUES
    }

    fn index16(&mut self, index: usize, what: &'static str) -> u16 {
        u16::try_from(index).unwrap_or_else(|_| {
            self.exceed(what);
            0
        })
    }

    pub(crate) fn is_block(&self) -> bool {
        matches!(self.kind, IseqKind::Block | IseqKind::Lambda)
    }

    /// Says of the local added last whether several places give it a value.
    pub(crate) fn note_reassigned(&mut self, is_reassigned: bool) {
        if let Some(local) = self.locals.last_mut() {
            local.reassigned = is_reassigned;
        }
    }

    /// Adds a local in the next register; only before the first temporary is used.
    pub(crate) fn add_local(&mut self, name: &[u8], key: &[u8], captured: bool) -> Reg {
        let register = self.local_size;
        if register >= MOST_REGISTERS {
            self.exceed("local variables");
            self.names.entry(key.to_vec()).or_insert(0);
            return 1;
        }
        self.local_size = register + 1;
        self.next_temp = self.local_size;
        self.reserve(self.local_size);
        self.locals.push(Local { name: name.into(), register, captured, reassigned: false });
        if !key.is_empty() {
            self.names.entry(key.to_vec()).or_insert(self.locals.len() - 1);
        }
        register
    }

    /// What [`Scope::begin_statement`] left: for code that is compiled as if it were not there.
    pub(crate) fn statement_begun(&self) -> (bool, bool, i32) {
        (self.begins_statement, self.is_uncounted, self.statement_line)
    }

    pub(crate) fn set_statement_begun(&mut self, begun: (bool, bool, i32)) {
        (self.begins_statement, self.is_uncounted, self.statement_line) = begun;
    }

    /// A statement begins at the current line.
    pub(crate) fn begin_statement(&mut self) {
        let is_new = self.line != self.statement_line;
        self.begins_statement |= is_new;
        self.is_uncounted |= is_new && self.counted_lines.is_some();
        self.statement_line = self.line;
    }

    pub(crate) fn pos(&self) -> u32 {
        self.insns.len() as u32
    }

    /// Makes the frame hold registers below `end`.
    pub(crate) fn reserve(&mut self, end: u16) {
        self.frame_size = self.frame_size.max(end);
    }

    /// Holds the destination of the value just made, so that later temporaries do not overwrite it.
    pub(crate) fn hold(&mut self, register: Reg) {
        self.next_temp = self.next_temp.max(self.within(register) + 1);
        self.reserve(self.next_temp);
    }

    /// The register, or the last one that there may be.
    fn within(&mut self, register: Reg) -> Reg {
        if register >= MOST_REGISTERS {
            self.exceed("values");
        }
        register.min(MOST_REGISTERS)
    }

    /// True if the register is a local, which an expression may write only at its end.
    pub(crate) fn is_local(&self, register: Reg) -> bool {
        register < self.local_size
    }

    /// The receiver's register of a window above everything held, with room for `args` arguments.
    pub(crate) fn window(&mut self, args: u16) -> Reg {
        let base = self.within(self.next_temp + FRAME_HEADER);
        self.reserve(base + 1 + args);
        base
    }

    pub(crate) fn emit(&mut self, insn: Insn) {
        let mark = if std::mem::take(&mut self.begins_statement) { LINE_EVENT } else { 0 };
        self.count_line();
        match self.lines.last() {
            Some(&(_, line)) if line == self.line && mark == 0 => {}
            Some(&(word, _)) if word & !LINE_EVENT == self.pos() => {
                let last = self.lines.last_mut().expect("present");
                *last = (last.0 | mark, self.line);
            }
            _ => self.lines.push((self.pos() | mark, self.line)),
        }
        self.note_registers(insn);
        if self.node != NOWHERE {
            self.nodes.resize(self.insns.len(), NOWHERE);
            self.nodes.push(self.node);
        }
        self.insns.push(insn);
        if may_call(insn.op) {
            self.last_call = self.pos();
        }
    }

    /// Counts the statement that begins here, if that was not done yet.
    pub(crate) fn count_line(&mut self) {
        if std::mem::take(&mut self.is_uncounted)
            && let Some(lines) = self.counted_lines.clone()
        {
            let mut lines = lines.borrow_mut();
            lines.push(self.line);
            self.count(counted::LINE, lines.len() as i32 - 1);
        }
    }

    /// Counts something for `Coverage`: no instruction that tracing or an error could name.
    pub(crate) fn count(&mut self, kind: u8, number: i32) {
        self.insns.push(Insn { n: kind, ..Insn::ad(Op::coverage, 0, number) });
    }

    /// Grows the frame by the registers that an instruction names.
    fn note_registers(&mut self, insn: Insn) {
        if let Some(register) = insn.op.highest_register(insn) {
            self.reserve(register + 1);
        }
    }

    pub(crate) fn abc(&mut self, op: Op, a: Reg, b: u16, c: u16) {
        self.emit(Insn::abc(op, a, b, c));
    }

    pub(crate) fn nabc(&mut self, op: Op, n: u8, a: Reg, b: u16, c: u16) {
        self.emit(Insn::nabc(op, n, a, b, c));
    }

    /// Where the operator begins that made `register` last, if that is the last thing that was emitted.
    pub(crate) fn sum_in(&self, register: Reg) -> Option<u32> {
        let at = self.insns.len().checked_sub(2)?;
        let is_sum = self.insns[at].op == Op::opt_plus && self.insns[at].a == register;
        (is_sum && !self.is_local(register)).then_some(at as u32)
    }

    /// Tells the sum that begins at `at` that the next operator alone takes it, if nothing but its right operand came between.
    pub(crate) fn link_sum(&mut self, at: u32) {
        let between = &self.insns[at as usize + 2..];
        if matches!(between, [] | [Insn { op: Op::putobject | Op::getlocal, .. }]) {
            self.insns[at as usize].n |= hint::LINKED;
        }
    }

    pub(crate) fn move_to(&mut self, to: Reg, from: Reg) {
        if to != from {
            self.abc(Op::move_, to, from, 0);
        }
    }

    pub(crate) fn nil(&mut self, dst: Reg) {
        self.abc(Op::putnil, dst, 0, 0);
    }

    pub(crate) fn nil_if(&mut self, dst: Dst) {
        if let Some(dst) = dst {
            self.nil(dst);
        }
    }

    /// The `ext` word behind an operator: a window above everything held, a site for the method.
    pub(crate) fn ext(&mut self, dst: Reg, name: &[u8], args: u16, flags: u16) {
        let base = self.window(args);
        let site = self.call_site(operator(name, args, flags));
        self.emit(Insn::ext(dst, base, site));
    }

    /// The same behind an operator that is seldom a call: all such of a name share one site.
    pub(crate) fn ext_shared(&mut self, dst: Reg, name: &[u8], args: u16, flags: u16) {
        let base = self.window(args);
        let site = self.shared_site(Site::Call(operator(name, args, flags)));
        self.emit(Insn::ext(dst, base, site));
    }

    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub(crate) fn bind(&mut self, label: Label) {
        debug_assert!(self.labels[label.0].is_none());
        self.labels[label.0] = Some(self.pos());
        self.last_bound = self.pos();
    }

    pub(crate) fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    pub(crate) fn branch(&mut self, op: Op, register: Reg, label: Label) {
        self.emit(Insn::ad(op, register, 0));
        self.fixups.push((self.pos() - 1, label));
    }

    /// True if nothing leads to the next instruction: the last one goes elsewhere and no label is here.
    pub(crate) fn is_dead(&self) -> bool {
        use Op::{break_from_block, jump, jump_back, leave, rethrow, return_from_block, throw_jump};
        let leaves = [break_from_block, jump, jump_back, leave, rethrow, return_from_block, throw_jump];
        self.last_bound != self.pos() && self.insns.last().is_some_and(|last| leaves.contains(&last.op))
    }

    pub(crate) fn jump(&mut self, label: Label) {
        if !self.is_dead() {
            self.branch(Op::jump, 0, label);
        }
    }

    /// A backward jump that polls; everything from `next_temp` up is dead.
    pub(crate) fn jump_back(&mut self, label: Label) {
        self.branch(Op::jump_back, self.next_temp, label);
    }

    /// Whether the next literal can be named by half a word.
    pub(crate) fn has_short_literals(&self) -> bool {
        u16::try_from(self.literals.len()).is_ok()
    }

    pub(crate) fn short_literal(&mut self, literal: Literal) -> u16 {
        self.literals.push(literal);
        self.index16(self.literals.len() - 1, "literals")
    }

    pub(crate) fn symbol(&mut self, name: &[u8]) -> u16 {
        if let Some(&index) = self.symbol_index.get(name) {
            return index;
        }
        let index = self.index16(self.symbols.len(), "names");
        self.symbols.push(name.into());
        self.symbol_index.insert(name.into(), index);
        index
    }

    /// Places in code that has very many share the inline cache with those that look the same.
    pub(crate) fn site(&mut self, site: Site) -> u16 {
        if self.sites.len() < MANY_SITES {
            self.sites.push(site);
            return (self.sites.len() - 1) as u16;
        }
        self.shared_site(site)
    }

    fn shared_site(&mut self, site: Site) -> u16 {
        if let Some(&index) = self.shared_sites.get(&site) {
            return index;
        }
        self.sites.push(site.clone());
        let index = self.index16(self.sites.len() - 1, "calls");
        self.shared_sites.insert(site, index);
        index
    }

    pub(crate) fn call_site(&mut self, info: CallInfo) -> u16 {
        self.site(Site::Call(info))
    }

    pub(crate) fn child(&mut self, at: u32) -> u16 {
        self.children.push(at);
        self.index16(self.children.len() - 1, "definitions and blocks")
    }

    pub(crate) fn put_literal(&mut self, dst: Reg, literal: Literal) {
        self.copy_literal(Op::putobject, dst, literal);
    }

    /// Puts a literal, or what the instruction makes of it, into a register.
    pub(crate) fn copy_literal(&mut self, op: Op, dst: Reg, literal: Literal) {
        self.emit(Insn::ad(op, dst, self.literals.len() as i32));
        self.literals.push(literal);
    }

    /// `+"literal"`
    pub(crate) fn mutable_literal(&mut self, dst: Reg, literal: Literal) {
        self.emit(Insn { n: 1, ..Insn::ad(Op::putstring, dst, self.literals.len() as i32) });
        self.literals.push(literal);
    }

    pub(crate) fn put_integer(&mut self, dst: Reg, value: i32) {
        self.emit(Insn::ad(Op::putfixnum, dst, value));
    }

    /// Notes that registers were unwritten since `start`, if anything in between may have looked at them.
    pub(crate) fn note_unwritten(&mut self, start: u32, register: Reg, words: u16) {
        if self.last_call > start {
            self.pending.push(PendingWindow { start, end: self.pos(), register, words });
        }
    }

    /// Code for what is raised in `segments` begins here.
    pub(crate) fn add_catch(&mut self, kind: CatchKind, segments: &[(u32, u32)], register: Reg) {
        self.reserve(register + 2);
        let target = self.pos();
        for &(start, end) in segments {
            if start < end {
                self.catches.push(CatchEntry { start, end, target, register, kind });
                self.last_bound = target;
            }
        }
    }

    fn patch_branches(&mut self) {
        for &(word, label) in &self.fixups {
            let target = self.labels[label.0].expect("label bound");
            self.insns[word as usize].set_d(target as i32 - word as i32 - 1);
        }
    }

    /// Takes over the room that earlier scopes needed.
    pub(crate) fn reuse(&mut self, spare: Spare) {
        let Spare { draft, labels, fixups, symbol_index } = spare;
        (self.insns, self.literals, self.symbols, self.sites) =
            (draft.insns, draft.literals, draft.symbols, draft.sites);
        (self.children, self.locals, self.catches, self.pending) =
            (draft.children, draft.locals, draft.catches, draft.pending_windows);
        (self.lines, self.parameter_names) = (draft.lines, draft.parameter_names);
        (self.labels, self.fixups, self.symbol_index) = (labels, fixups, symbol_index);
    }

    /// The finished code, in what can be used again when it has been packed.
    pub(crate) fn finish(mut self) -> Spare {
        self.patch_branches();
        let draft = Draft {
            kind: self.kind,
            name: self.name.into(),
            first_line: self.first_line,
            insns: self.insns,
            literals: self.literals,
            symbols: self.symbols,
            sites: self.sites,
            children: self.children,
            params: self.params,
            parameter_names: self.parameter_names,
            locals: self.locals,
            svar: self.svar,
            catches: self.catches,
            pending_windows: self.pending,
            lines: self.lines,
            frame_size: self.frame_size,
            local_size: self.local_size,
            flags: self.flags,
        };
        Spare { draft, labels: self.labels, fixups: self.fixups, symbol_index: self.symbol_index }
    }
}

/// Code that is finished, and what it was made with.
pub(crate) struct Spare {
    pub(crate) draft: Draft,
    labels: Vec<Option<u32>>,
    fixups: Vec<(u32, Label)>,
    symbol_index: Map<Box<[u8]>, u16>,
}

impl Spare {
    /// Leaves the room alone.
    pub(crate) fn clear(&mut self) {
        let draft = &mut self.draft;
        draft.insns.clear();
        draft.literals.clear();
        draft.symbols.clear();
        draft.sites.clear();
        draft.children.clear();
        draft.locals.clear();
        draft.catches.clear();
        draft.pending_windows.clear();
        draft.lines.clear();
        draft.parameter_names.clear();
        self.labels.clear();
        self.fixups.clear();
        self.symbol_index.clear();
    }
}

/// Whether control may leave this frame and come back, or a collection may run, at this instruction.
fn may_call(op: Op) -> bool {
    !matches!(
        op,
        Op::copyliterals
            | Op::branchgiven
            | Op::branchif
            | Op::branchnil
            | Op::branchnotnil
            | Op::branchunless
            | Op::coverage
            | Op::jump
            | Op::leave
            | Op::move_
            | Op::nop
            | Op::getlocal
            | Op::putcbase
            | Op::putchilledstring
            | Op::putfalse
            | Op::putfixnum
            | Op::putnil
            | Op::putobject
            | Op::putstring
            | Op::puttrue
            | Op::putundef
    )
}

/// What an operator calls where it is a method.
fn operator(name: &[u8], args: u16, flags: u16) -> CallInfo {
    CallInfo { name: name.into(), argc: args, flags: CallFlags(flags), ..CallInfo::default() }
}
