//! Places in programs where objects are made: a line of code, and the method that is running there.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::method::MethodEntry;
use crate::run::backtrace::{method_label, ruby_label};
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::Fp;
use crate::run::link::LinkedIseq;
use carat_iseq::{Insn, LiteralView, Op, SiteView};
use carat_layout::{SymbolId, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of a site in its recorder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SiteId(pub u32);

impl SiteId {
    /// No code of the program runs.
    pub(crate) const NONE: SiteId = SiteId(0);
}

#[derive(Clone)]
pub struct Site {
    pub path: Arc<str>,
    pub line: i32,
    /// Where the method is defined, if that has a name.
    pub class_path: Option<Arc<str>>,
    pub method: Option<SymbolId>,
    /// The instruction there copies this string literal, and it would be seen if anybody wrote to the copy.
    pub literal: Option<Arc<[u8]>>,
    /// The instruction copies an array or hash literal without anything to evaluate in it: how many elements that has.
    pub literal_elements: Option<u32>,
    /// The method that the instruction calls, if it is one that calls; operators are methods too.
    pub message: Option<Arc<str>>,
    /// What makes the objects is the method of the core library that `class_path` and `method` name, called here.
    pub is_called: bool,
    /// The code that the line is in, as backtraces name it: `block in Foo#bar`.
    pub label: Box<str>,
    /// With [`Site::is_called`] the method, as backtraces name it: `Array#map`, `File.read`.
    pub callee: Option<Box<str>>,
}

/// What tells sites apart: the address of the program's instruction, and the method of the core library that it called, or else
/// the one around it. Neither goes away: the sites keep the iseq and the method's entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    pc: usize,
    method: Value,
}

impl Key {
    /// Where [`Sites`] remembers the answer.
    fn place(self) -> usize {
        ((self.pc / size_of::<Insn>()) ^ (self.method.bits() as usize >> 4)) % REMEMBERED
    }
}

const REMEMBERED: usize = 1024;

pub(crate) struct Sites {
    list: Vec<Site>,
    keys: Vec<Key>,
    index: FxHashMap<Key, SiteId>,
    /// Answers given lately.
    remembered: Box<[(Key, SiteId)]>,
    /// What the keys' instructions belong to, by address.
    iseqs: FxHashMap<usize, Arc<LinkedIseq>>,
}

const NO_KEY: Key = Key { pc: 0, method: Value::NIL };

impl Default for Sites {
    fn default() -> Sites {
        let nowhere = Site {
            path: "".into(),
            line: 0,
            class_path: None,
            method: None,
            literal: None,
            literal_elements: None,
            message: None,
            is_called: false,
            label: "".into(),
            callee: None,
        };
        Sites {
            list: vec![nowhere],
            keys: vec![NO_KEY],
            index: FxHashMap::default(),
            remembered: vec![(NO_KEY, SiteId::NONE); REMEMBERED].into(),
            iseqs: FxHashMap::default(),
        }
    }
}

/// A frame of the program, and what runs in it.
pub(crate) struct Running<'a> {
    code: &'a CodeData,
    pub(crate) frame: Fp,
    pub(crate) pc: *const Insn,
    /// Method entry: what the program called, or else where it is.
    pub(crate) method: Value,
    is_called: bool,
}

/// The frames of the program, innermost first. Of what each called, only the first method counts: the core library's own calls
/// are nobody's business.
pub(crate) struct Frames<'a> {
    ec: std::marker::PhantomData<&'a Ec>,
    fp: Fp,
    pc: *const Insn,
}

impl<'a> Frames<'a> {
    /// Those that run. They live as long as nothing is called, and so as long as the context is borrowed.
    pub(crate) fn of(ec: &'a Ec) -> Frames<'a> {
        Frames { ec: std::marker::PhantomData, fp: ec.fp, pc: ec.pc }
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Running<'a>;

    #[inline]
    fn next(&mut self) -> Option<Running<'a>> {
        let mut called = None;
        // SAFETY: live frames, walked down.
        unsafe {
            while !self.fp.is_null() {
                let (frame, pc) = (self.fp, self.pc);
                (self.pc, self.fp) = (frame.ret_pc(), frame.caller());
                let code = frame.code();
                match code.kind {
                    CodeKind::Boundary => {}
                    CodeKind::Native => called = Some(code.method),
                    CodeKind::Method if code.is_core && code.method.is_nil() => {}
                    CodeKind::Method if code.is_core => called = Some(code.method),
                    _ if code.is_core => {}
                    _ => {
                        let method = called.unwrap_or_else(|| method_around(frame));
                        return Some(Running { code, frame, pc, method, is_called: called.is_some() });
                    }
                }
            }
        }
        None
    }
}

/// # Safety
/// A live frame of the program.
unsafe fn method_around(fp: Fp) -> Value {
    // SAFETY: by contract.
    unsafe { if fp.code().kind.is_block() { crate::run::interp::running_method(fp).0 } else { fp.code().method } }
}

fn callee_label(ec: &Ec, method: Value) -> Box<str> {
    let name = MethodEntry::from_value(ec, method).map(|entry| ec.vm().symbol_text(entry.name)).unwrap_or_default();
    method_label(ec, method, &name).into()
}

/// The literal that the instruction copies, if the first write to such a copy is noticed.
fn watched_literal(linked: &LinkedIseq, word: u32) -> Option<Arc<[u8]>> {
    let insn = linked.iseq.insns.get(word as usize)?;
    if insn.op != Op::putchilledstring && (insn.op != Op::putstring || insn.n != 0) {
        return None;
    }
    match linked.iseq.literals().nth(insn.d() as usize)? {
        LiteralView::String(bytes, _) => Some(Arc::from(bytes)),
        _ => None,
    }
}

/// Elements of the array or hash literal that the instruction copies; an empty one is made anew.
fn literal_elements(linked: &LinkedIseq, word: u32) -> Option<u32> {
    let insn = linked.iseq.insns.get(word as usize)?;
    match (insn.op, linked.iseq.literals().nth(insn.d() as usize)) {
        (Op::newarray | Op::newhash, _) if insn.c == 0 => Some(0),
        (Op::duparray, Some(LiteralView::Array(list))) => u32::try_from(list.len()).ok(),
        (Op::duphash, Some(LiteralView::Hash(list))) => u32::try_from(list.pairs().len()).ok(),
        _ => None,
    }
}

/// The name of the method that the instruction calls.
fn message(linked: &LinkedIseq, word: u32) -> Option<Arc<str>> {
    let insn = linked.iseq.insns.get(word as usize)?;
    let site = match insn.op.format().operands {
        operands if operands.contains('s') => insn.c,
        _ if insn.op.format().has_ext() => linked.iseq.insns.get(word as usize + 1)?.c,
        _ => return None,
    };
    match linked.iseq.sites().nth(usize::from(site))? {
        SiteView::Call(call) => Some(String::from_utf8_lossy(call.name).into()),
        _ => None,
    }
}

impl Sites {
    /// The site that runs.
    #[inline]
    pub(crate) fn running(&mut self, ec: &Ec) -> SiteId {
        Frames::of(ec).next().map_or(SiteId::NONE, |here| self.of_frame(ec, &here))
    }

    #[inline]
    pub(crate) fn of_frame(&mut self, ec: &Ec, here: &Running<'_>) -> SiteId {
        // Places in machine code may be used again.
        let pc = here.code.insns.wrapping_add(here.code.word_of(here.pc) as usize);
        let key = Key { pc: pc.addr(), method: here.method };
        let (known, id) = self.remembered[key.place()];
        if known == key { id } else { self.of_frame_slow(ec, key, here) }
    }

    #[cold]
    fn of_frame_slow(&mut self, ec: &Ec, key: Key, here: &Running<'_>) -> SiteId {
        let id = self.index.get(&key).copied().unwrap_or_else(|| self.add(ec, key, here));
        self.remembered[key.place()] = (key, id);
        id
    }

    fn add(&mut self, ec: &Ec, key: Key, here: &Running<'_>) -> SiteId {
        let linked = here.code.linked();
        let word = here.code.word_of(here.pc).saturating_sub(1);
        self.iseqs.entry(Arc::as_ptr(linked).addr()).or_insert_with(|| linked.clone());
        let entry = MethodEntry::from_value(ec, here.method);
        self.push(
            key,
            Site {
                path: linked.iseq.path().clone(),
                line: linked.iseq.line_at(word),
                class_path: entry.map(|e| e.owner(ec)).and_then(Class::name),
                method: entry.map(|e| e.name),
                literal: if here.is_called { None } else { watched_literal(linked, word) },
                literal_elements: if here.is_called { None } else { literal_elements(linked, word) },
                message: message(linked, word),
                is_called: here.is_called,
                label: ruby_label(ec, here.code).0,
                callee: here.is_called.then(|| callee_label(ec, here.method)),
            },
        )
    }

    fn push(&mut self, key: Key, site: Site) -> SiteId {
        let id = SiteId(self.list.len() as u32);
        self.list.push(site);
        self.keys.push(key);
        self.index.insert(key, id);
        id
    }

    /// `None` for [`SiteId::NONE`].
    pub(crate) fn get(&self, id: SiteId) -> Option<&Site> {
        self.list.get(id.0 as usize).filter(|_| id != SiteId::NONE)
    }

    pub(crate) fn list(&self) -> &[Site] {
        &self.list
    }

    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        self.keys.iter().for_each(|key| mark(key.method));
    }

    /// Takes over another recorder's sites: their new numbers, by their old ones.
    pub(crate) fn adopt(&mut self, other: Sites) -> Vec<SiteId> {
        self.iseqs.extend(other.iseqs);
        let pairs = other.keys.into_iter().zip(other.list);
        pairs
            .map(|(key, site)| match self.index.get(&key) {
                _ if key == NO_KEY => SiteId::NONE,
                Some(id) => *id,
                None => self.push(key, site),
            })
            .collect()
    }

    pub(crate) fn into_list(self) -> Vec<Site> {
        self.list
    }
}
