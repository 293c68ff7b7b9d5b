//! Backtraces: captured as words, made text when somebody looks.
//!
//! # Sharing
//! Neighbouring backtraces end alike: they name the same callers. A backtrace has its own only of the frames that the one
//! captured before it did not have, so that a deep recursion that rescues and raises at every level keeps as many frames as
//! there are levels, not their square.

mod clauses;
mod iteration;

use crate::ec::Ec;
use crate::inspect::trace::is_core_called;
use crate::model::method::{MethodEntry, MethodKind, OptimizedKind};
use crate::model::symbol::sym;
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::Fp;
use crate::run::link::LinkedIseq;
use crate::value::array::Array;
use crate::value::data::{Data, NativeData};
use crate::value::string::Str;
use carat_iseq::{Insn, Iseq, Op};
use carat_layout::{HeapType, SymbolId, Value};
use carat_sync::OnceLock;
use std::sync::Arc;

/// One line of a backtrace.
#[derive(Clone)]
pub struct Location {
    pub iseq: Arc<LinkedIseq>,
    pub line: i32,
    /// The instruction that runs; `None`: the code was not entered, because its arguments did not fit.
    pub word: Option<u32>,
    /// `Foo#bar`, `block in Foo#bar`, `<main>`.
    pub label: Box<str>,
    /// The method's bare name, or the label.
    pub base_label: Box<str>,
}

/// A captured backtrace: codes and places, made [`Location`]s on first use.
pub struct Backtrace {
    /// The innermost frames.
    own: Vec<Captured>,
    rest: Option<Rest>,
    /// How many frames there are in all.
    depth: usize,
    locations: OnceLock<Vec<Location>>,
}

/// The callers that a backtrace shares with another one: the outermost `count` of its own frames, and its rest.
#[derive(Clone, Copy)]
struct Rest {
    /// `Backtrace`
    of: Value,
    count: usize,
}

/// The backtrace that was captured last, until the next collection.
#[derive(Default)]
pub(crate) struct Trail {
    /// Outermost first.
    frames: Vec<Captured>,
    /// From which frame on a `Backtrace` has them as its own.
    owners: Vec<(usize, Value)>,
}

/// Fewer frames in common are copied.
const LEAST_SHARED: usize = 8;

impl Trail {
    pub(crate) fn clear(&mut self) {
        *self = Trail::default();
    }

    /// Forgets what `frames`, innermost first, do not end in; how many are left.
    fn cut(&mut self, frames: &[Captured]) -> usize {
        let common = frames.iter().rev().zip(&self.frames).take_while(|(new, old)| new == old).count();
        let common = if common < LEAST_SHARED { 0 } else { common };
        self.frames.truncate(common);
        let kept = self.owners.partition_point(|(start, _)| *start < common);
        self.owners.truncate(kept);
        common
    }

    fn rest(&self) -> Option<Rest> {
        self.owners.last().map(|&(start, of)| Rest { of, count: self.frames.len() - start })
    }

    /// Goes on with the inner frames, which `owner` has.
    fn extend(&mut self, own: &[Captured], owner: Value) {
        if !own.is_empty() {
            self.owners.push((self.frames.len(), owner));
            self.frames.extend(own.iter().rev());
        }
    }
}

/// A frame of a captured backtrace.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Captured {
    /// `Code`
    code: Value,
    /// The instruction that runs. Native code is shown at its caller's line; here is whether its first argument is a fixnum.
    word: u32,
}

/// [`Captured::word`] of the frame of `new`: which one it stands for. Arrays and strings have their own.
const NEW_OBJECT: u32 = 0;
const NEW_ARRAY: u32 = 1;
const NEW_STRING: u32 = 2;

/// [`Captured::word`] of code that was not entered: its arguments did not fit.
const NOT_ENTERED: u32 = u32::MAX;

/// [`Captured::word`] of `public_send`, which has no frame: it stands above the frame of the program's own that calls it.
const PUBLIC_SEND: u32 = u32::MAX - 1;

impl Captured {
    fn code<'a>(self) -> &'a CodeData {
        CodeData::from_value(self.code).expect("the code of a frame")
    }

    /// # Safety
    /// The frame is live and runs the native code.
    unsafe fn native(fp: Fp, code: &CodeData) -> Captured {
        let is_index = code.name == Some(sym::ASET)
            // SAFETY: by the caller; an assignment has an argument.
            && unsafe { fp.reg(1) }.is_fixnum();
        Captured { code: code.this, word: u32::from(is_index) }
    }

    /// The frame between the caller and `initialize`, of an object.
    fn of_new(ec: &Ec, code: &CodeData, object: Value) -> Option<Captured> {
        let word = match object {
            array if array.is_type(HeapType::Array) => NEW_ARRAY,
            string if string.is_type(HeapType::String) => NEW_STRING,
            _ => NEW_OBJECT,
        };
        ec.new_frame.is_some_and(|new| new.this == code.this).then_some(Captured { code: code.this, word })
    }

    /// What stands for `public_send` if the call that a frame of the program's own is in is one.
    ///
    /// # Safety
    /// The frame is live and runs the word of the code.
    unsafe fn of_public_send(ec: &Ec, fp: Fp, code: &CodeData, word: u32) -> Option<Captured> {
        let linked = code.linked();
        let insn = linked.iseq.insns.get(word as usize)?;
        let is_call = matches!(insn.op, Op::send | Op::send_simple | Op::send_self | Op::send_block);
        if !is_call || linked.call_site(usize::from(insn.c)).name != sym::PUBLIC_SEND {
            return None;
        }
        // SAFETY: by the caller; a call's receiver lies in the first register of its window as long as the call lasts.
        let receiver = unsafe { fp.reg(usize::from(insn.b)) };
        let found = ec.find_method(receiver, sym::PUBLIC_SEND)?;
        let is_ours = matches!(found.kind, MethodKind::Optimized(OptimizedKind::PublicSend));
        is_ours.then_some(Captured { code: code.this, word: PUBLIC_SEND })
    }

    /// The label of a native method, or of a method of the core library.
    fn label(self, ec: &Ec, code: &CodeData) -> Native {
        if self.word == PUBLIC_SEND {
            return ("Kernel#public_send".into(), "public_send".into());
        }
        if code.name.is_some() || !code.method.is_nil() {
            return native_label(ec, code);
        }
        let label = match self.word {
            NEW_ARRAY => "Array.new",
            NEW_STRING => "String.new",
            _ => "Class#new",
        };
        (label.into(), "new".into())
    }

    /// Whether this is a native method that computes with two operands.
    fn is_arithmetic(self) -> bool {
        const OPERATORS: [SymbolId; 6] = [sym::PLUS, sym::MINUS, sym::MULT, sym::DIV, sym::MOD, sym::POW];
        CodeData::from_value(self.code).is_some_and(|code| {
            code.kind == CodeKind::Native && code.name.is_some_and(|name| OPERATORS.contains(&name))
        })
    }
}

impl NativeData for Backtrace {
    const NAME: &'static str = "backtrace";
    const IS_IMMUTABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        self.own.iter().for_each(|f| mark(f.code));
        if let Some(rest) = self.rest {
            mark(rest.of);
        }
    }

    fn memsize(&self) -> usize {
        size_of::<Self>() + self.own.len() * size_of::<Captured>()
    }
}

impl Backtrace {
    /// The lines, innermost first.
    pub fn locations(&self, ec: &Ec) -> &[Location] {
        self.locations.get_or_init(|| resolve(ec, &self.frames(ec)))
    }

    /// As [`Backtrace::locations`], of which nothing is said yet.
    pub fn lines(&self, ec: &Ec) -> Vec<Line> {
        lines(ec, &self.frames(ec))
    }

    fn frames(&self, ec: &Ec) -> Vec<Captured> {
        let mut frames = Vec::with_capacity(self.depth);
        frames.extend(&self.own);
        let mut rest = self.rest;
        while let Some(Rest { of, count }) = rest {
            let Some(owner) = Data::<Backtrace>::from_value(of) else { break };
            let owner = owner.get(ec);
            frames.extend(&owner.own[owner.own.len() - count..]);
            rest = owner.rest;
        }
        frames
    }
}

/// Deepest backtrace that is kept whole; of deeper ones the outermost part is left out.
const MAX_FRAMES: usize = 4 << 20;

/// The running frames as an object, innermost first, without the first `skip` of them.
pub fn capture(ec: &Ec, skip: usize) -> Value {
    let mut own = frames(ec, skip);
    let depth = own.len();
    let mut trail = ec.trail.borrow_mut();
    let common = trail.cut(&own);
    if common > 0 {
        own.truncate(depth - common);
        own.shrink_to_fit();
    }
    let backtrace = Backtrace { own, rest: trail.rest(), depth, locations: OnceLock::new() };
    let backtrace = Data::new(ec, ec.vm().known().object, backtrace);
    trail.extend(&backtrace.get(ec).own, backtrace.value());
    backtrace.value()
}

/// As [`capture`], without the native method that runs: of one that a core method called nothing is shown anyway.
pub fn capture_for_caller(ec: &Ec) -> Value {
    // SAFETY: the running frame.
    capture(ec, usize::from(!unsafe { is_core_called(ec.fp) }))
}

/// Adds a callee on top of the backtrace of the error that is pending, if binding the callee's arguments raised it: the
/// error then names what was called, and where that is defined.
pub(crate) fn add_callee(ec: &mut Ec, callee: &CodeData) {
    let exception = ec.pending;
    if callee.is_core && callee.kind != CodeKind::Method || !ec.is_a(exception, ec.vm().known().argument_error) {
        return;
    }
    let running = frames(ec, 0);
    let captured = ec.field(exception, sym::BT).and_then(Data::<Backtrace>::from_value);
    let Some(backtrace) = captured else { return };
    if backtrace.get(ec).frames(ec) == running {
        let backtrace_data = backtrace.get_mut(ec);
        backtrace_data.own.insert(0, Captured { code: callee.this, word: NOT_ENTERED });
        backtrace_data.depth += 1;
        ec.wrote(backtrace.value());
    }
}

/// The frames from number `skip` on, as backtraces show them: native methods at their caller's line, core code hidden.
pub fn locations(ec: &Ec, skip: usize) -> Vec<Location> {
    resolve(ec, &frames(ec, skip))
}

/// The lines of [`locations`] behind the first `from` frames, counted as CRuby counts them (see `clauses`), `to - from` of them or as many
/// as there are; `None` if there are less frames than `from`.
pub fn some_locations(ec: &Ec, skip: usize, from: usize, to: usize) -> Option<Vec<Location>> {
    Some(some_lines(ec, skip, from, to)?.iter().map(|line| line.locate(ec)).collect())
}

/// As [`some_locations`], of which nothing is said yet.
pub fn some_lines(ec: &Ec, skip: usize, from: usize, to: usize) -> Option<Vec<Line>> {
    // Each frame of the program's own is a line at least.
    let frames = frames_until(ec, skip, skip.saturating_add(to).saturating_add(1));
    let mut lines = lines(ec, &frames);
    clauses::pass(&mut lines, from)?;
    lines.truncate(to.saturating_sub(from));
    Some(lines)
}

/// How many frames there are for [`some_lines`] to pass.
pub fn frame_count(ec: &Ec, skip: usize) -> usize {
    lines(ec, &frames(ec, skip)).iter().map(clauses::frames_of).sum()
}

/// The running frames as [`locations`] shows them, each with its code.
pub(crate) fn running(ec: &Ec) -> Vec<(Location, Value)> {
    let lines = lines(ec, &frames(ec, 0));
    lines.iter().map(|line| (line.locate(ec), line.frame.code)).collect()
}

fn frames(ec: &Ec, skip: usize) -> Vec<Captured> {
    frames_until(ec, skip, usize::MAX)
}

/// The innermost frames, as many of the program's own among them as `enough`.
fn frames_until(ec: &Ec, skip: usize, enough: usize) -> Vec<Captured> {
    frames_from(ec, (ec.fp, ec.pc), skip, enough)
}

/// The lines of the frames from a resting one on.
pub(crate) fn locations_from(ec: &Ec, resting: (Fp, *const Insn)) -> Vec<Location> {
    resolve(ec, &frames_from(ec, resting, 0, usize::MAX))
}

fn frames_from(ec: &Ec, resting: (Fp, *const Insn), skip: usize, enough: usize) -> Vec<Captured> {
    let mut found = Vec::with_capacity((ec.trail.borrow().frames.len() + LEAST_SHARED).min(enough.saturating_mul(2)));
    // Below which the last frame of the program's own is.
    let mut after_ruby = 0;
    let mut own = 0;
    let (mut fp, mut pc) = resting;
    // SAFETY: live frames, walked down.
    unsafe {
        while !fp.is_null() && found.len() < MAX_FRAMES && own < enough {
            let code = fp.code();
            match code.kind {
                CodeKind::Boundary => {}
                _ if ec.is_unseen(fp) => {}
                CodeKind::Native => found.push(Captured::native(fp, code)),
                CodeKind::Method if code.is_core && code.method.is_nil() => {
                    found.extend(Captured::of_new(ec, code, fp.reg(0)));
                }
                CodeKind::Method if code.is_core => {
                    push_core_method(ec, fp, code, &mut found, after_ruby);
                }
                _ if code.is_core => {}
                _ => {
                    let word = code.word_of(pc).saturating_sub(1);
                    found.extend(Captured::of_public_send(ec, fp, code, word));
                    found.push(Captured { code: code.this, word });
                    after_ruby = found.len();
                    own += 1;
                }
            }
            pc = fp.ret_pc();
            fp = fp.caller();
        }
    }
    // Natives that no program code called, as while booting.
    found.truncate(after_ruby);
    found.drain(..skip.min(found.len()));
    found
}

/// Adds a method of the core library, which looks like a native one: of what runs above it, down to the program's frame number
/// `after_ruby`, stays what CRuby's method would call as well.
///
/// # Safety
/// The frame is live and runs the code.
unsafe fn push_core_method(ec: &Ec, fp: Fp, code: &CodeData, found: &mut Vec<Captured>, after_ruby: usize) {
    if after_ruby == found.len() || !iteration::is_super_of(ec, code, found) {
        let is_operator = found.get(after_ruby).is_some_and(|innermost| innermost.is_arithmetic());
        found.truncate(after_ruby + usize::from(is_operator));
        if !found.is_empty() {
            // SAFETY: by the caller.
            unsafe { iteration::push_iteration(ec, fp, code, found) };
        }
    }
    found.push(Captured { code: code.this, word: 0 });
}

fn resolve(ec: &Ec, frames: &[Captured]) -> Vec<Location> {
    lines(ec, frames).iter().map(|line| line.locate(ec)).collect()
}

/// A frame that has a line in the backtrace, and the frame of the program's own whose place is shown: itself, or its caller.
#[derive(Clone, Copy)]
pub struct Line {
    frame: Captured,
    place: Captured,
}

impl Line {
    pub fn locate(&self, ec: &Ec) -> Location {
        let location = ruby_location(ec, self.place.code(), self.place.word);
        if self.frame == self.place {
            return location;
        }
        let (label, base_label) = self.frame.label(ec, self.frame.code());
        Location { label, base_label, ..location }
    }

    pub fn path(&self) -> &str {
        self.place.code().linked().iseq.path()
    }

    pub fn line_number(&self) -> i32 {
        line_at(&self.place.code().linked().iseq, self.place.word)
    }

    /// What an object that has the line keeps alive.
    pub fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.frame.code);
        mark(self.place.code);
    }
}

fn lines(ec: &Ec, frames: &[Captured]) -> Vec<Line> {
    let mut found = Vec::with_capacity(frames.len());
    let mut natives: Vec<Captured> = Vec::new();
    for frame in frames {
        let Some(code) = CodeData::from_value(frame.code) else { continue };
        if code.iseq.is_none() || code.is_core || frame.word == PUBLIC_SEND {
            if !raises_for_caller(ec, code) {
                natives.push(*frame);
            }
            continue;
        }
        let innermost = natives.last().copied();
        if innermost.is_some_and(|native| is_done_in_place(ec, &code.linked().iseq, frame.word, native)) {
            natives.pop();
        }
        found.extend(natives.drain(..).map(|native| Line { frame: native, place: *frame }));
        found.push(Line { frame: *frame, place: *frame });
    }
    found
}

/// Whether a native method only raises what its caller has done wrong. CRuby: `rb_vm_pop_cfunc_frame`.
fn raises_for_caller(ec: &Ec, code: &CodeData) -> bool {
    code.name.is_some_and(|name| name == sym::CONST_MISSING || name == sym::METHOD_MISSING)
        && matches!(&*native_label(ec, code).0, "Module#const_missing" | "BasicObject#method_missing")
}

/// Whether CRuby has no frame for a core method: its instructions do themselves what these operators do.
fn is_done_in_place(ec: &Ec, iseq: &Iseq, word: u32, native: Captured) -> bool {
    let Some(code) = CodeData::from_value(native.code) else { return false };
    let operator = word.checked_sub(1).and_then(|at| iseq.insns.get(at as usize)).map(|insn| insn.op);
    let known: &[&str] = match (operator, code.name) {
        (Some(Op::opt_ltlt), Some(sym::LTLT)) => &["Array#<<", "String#<<"],
        (Some(Op::opt_aset), Some(sym::ASET)) if native.word != 0 => &["Hash#[]=", "Array#[]="],
        (Some(Op::opt_aset), Some(sym::ASET)) => &["Hash#[]="],
        (Some(Op::opt_aref | Op::opt_aref_imm), Some(sym::AREF)) => &["Array#[]", "Hash#[]"],
        _ => return false,
    };
    known.contains(&&*native_label(ec, code).0)
}

fn ruby_location(ec: &Ec, code: &CodeData, word: u32) -> Location {
    let linked = code.linked().clone();
    let line = line_at(&linked.iseq, word);
    let word = Some(word).filter(|word| *word != NOT_ENTERED);
    let (label, base_label) = ruby_label(ec, code);
    Location { iseq: linked, line, word, label, base_label }
}

fn line_at(iseq: &Iseq, word: u32) -> i32 {
    if word == NOT_ENTERED { iseq.first_line } else { iseq.line_at(word) }
}

/// `Foo#bar`, `Foo.bar` or the bare name.
pub(crate) fn method_label(ec: &Ec, method: Value, name: &str) -> String {
    let Some(entry) = MethodEntry::from_value(ec, method) else { return name.to_string() };
    let owner = entry.owner(ec);
    if owner.is_singleton() {
        let attached = crate::model::class::Class::from_value(owner.attached());
        return match attached.filter(|c| c.has_permanent_name()).and_then(|c| c.name()) {
            Some(class) => format!("{class}.{name}"),
            None => name.to_string(),
        };
    }
    let owner = owner.refined().unwrap_or(owner);
    match owner.name().filter(|_| owner.has_permanent_name()) {
        Some(class) => format!("{class}#{name}"),
        None => name.to_string(),
    }
}

/// Label and base label.
pub(crate) type Native = (Box<str>, Box<str>);

pub(crate) fn native_label(ec: &Ec, code: &CodeData) -> Native {
    let name = code.name.map_or_else(String::new, |n| ec.vm().symbol_text(n));
    (method_label(ec, code.method, &name).into(), name.into())
}

/// The label of a program's code. Blocks know the method around them; the body of `define_method` is named after its home.
pub(crate) fn ruby_label(ec: &Ec, code: &CodeData) -> (Box<str>, Box<str>) {
    let own = String::from_utf8_lossy(code.linked().iseq.name()).into_owned();
    let method = MethodEntry::from_value(ec, code.method).map(|m| ec.vm().symbol_text(m.name));
    if code.kind == CodeKind::Method {
        let name = method.unwrap_or(own);
        return (method_label(ec, code.method, &name).into(), name.into());
    }
    if !code.kind.is_block() {
        return (own.clone().into(), own.into());
    }
    let (prefix, home) = split_block_label(&own);
    match method {
        Some(name) if name == home => (format!("{prefix}{}", method_label(ec, code.method, &name)).into(), name.into()),
        _ => (own.clone().into(), home.into()),
    }
}

/// `block (2 levels) in foo` as what stands before the name, and the name.
fn split_block_label(label: &str) -> (&str, &str) {
    let is_block = label.starts_with("block ") || label.starts_with("rescue in ") || label.starts_with("ensure in ");
    match label.find(" in ").filter(|_| is_block) {
        Some(at) => label.split_at(at + 4),
        None => ("", label),
    }
}

impl Location {
    pub fn path(&self) -> &str {
        self.iseq.iseq.path()
    }

    /// `t.rb:1:in 'Foo#bar'`
    pub fn to_text(&self) -> String {
        format!("{}:{}:in '{}'", self.path(), self.line, self.label)
    }
}

/// A captured backtrace as an array of strings.
pub fn to_array(ec: &Ec, locations: &[Location]) -> Array {
    let array = Array::new(ec, locations.len());
    for location in locations {
        array.push(ec, Str::from_text(ec, &location.to_text()).value());
    }
    array
}

/// File and line of the nearest Ruby frame of the program.
pub(crate) fn caller_position(ec: &Ec) -> (Option<Arc<str>>, i32) {
    let (mut fp, mut pc) = (ec.fp, ec.pc);
    // SAFETY: live frames, walked down.
    unsafe {
        while !fp.is_null() {
            let code = fp.code();
            if code.iseq.is_some() && !code.is_core {
                let iseq = &code.linked().iseq;
                return (Some(iseq.path().clone()), iseq.line_at(code.word_of(pc).saturating_sub(1)));
            }
            pc = fp.ret_pc();
            fp = fp.caller();
        }
    }
    (None, 0)
}

impl Ec {
    /// File and line of the program code that is running.
    pub fn caller_position(&self) -> (Option<Arc<str>>, i32) {
        caller_position(self)
    }
}
