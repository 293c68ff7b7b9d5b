//! `Iseq`: code that is to run, and `IseqRef`: code that may still be bytes.

use crate::binary::{Packed, Unit, reader};
use crate::coverage::Extent;
use crate::{CatchEntry, Draft, Insn, IseqFlags, IseqKind, LINE_EVENT, LiteralView, LocalView, Params, SiteView};
use carat_sync::{OnceBool, OncePointer};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Code as the interpreter needs it. What only linking, backtraces and reflection ask for stays bytes of the unit and is
/// read by methods.
pub struct Iseq {
    pub(crate) unit: Arc<Unit>,
    pub(crate) at: u32,
    /// Where the bytes of the parts begin that methods read.
    pub(crate) tables: u32,
    pub kind: IseqKind,
    pub flags: IseqFlags,
    pub first_line: i32,
    /// Registers of a frame: self, parameters, locals and the deepest temporary, windows included.
    pub frame_size: u16,
    /// Registers that are self, parameters or locals (the temporaries start here).
    pub local_size: u16,
    /// Two adjacent captured registers for `$~` and `$_`, in method-level iseqs that need them.
    pub svar: Option<u16>,
    pub params: Params,
    pub insns: Box<[Insn]>,
    pub catches: Box<[CatchEntry]>,
    pub(crate) children: Box<[u32]>,
    pub notes: Notes,
}

/// What those who run code learned of it, or were told.
#[derive(Default)]
pub struct Notes {
    /// `Module#ruby2_keywords` and `Proc#ruby2_keywords` set it.
    pub ruby2_keywords: AtomicBool,
    /// Whether the code behaves differently in another scope, once somebody asked.
    pub notices_scope: OnceBool,
}

impl Iseq {
    /// Method or class name, `<main>`, `<top (required)>`, `block in foo`.
    pub fn name(&self) -> &[u8] {
        reader::name(self.packed(), self.at)
    }

    /// Its bytes, for [`is_equal`](crate::binary::is_equal).
    pub fn code(&self) -> (Packed<'_>, u32) {
        (self.packed(), self.at)
    }

    /// Whether blocks, methods or classes are in it.
    pub fn has_children(&self) -> bool {
        !self.children.is_empty()
    }

    pub fn path(&self) -> &Arc<str> {
        &self.unit.path
    }

    pub fn unit(&self) -> &Arc<Unit> {
        &self.unit
    }

    /// Where the code of a method or block is in the source, if the unit has counters.
    pub fn extent(&self) -> Option<Extent> {
        self.unit.counts()?.extent(self.at)
    }

    pub fn child_count(&self) -> usize {
        self.children.len()
    }

    pub fn child(&self, index: usize) -> IseqRef {
        IseqRef::packed(self.unit.clone(), self.children[index])
    }

    pub fn children(&self) -> impl Iterator<Item = IseqRef> {
        (0..self.children.len()).map(|index| self.child(index))
    }

    /// Everything, spelled out.
    pub fn draft(&self) -> Draft {
        reader::draft(self.packed(), self.at)
    }

    /// Names used by instructions directly.
    pub fn symbols(&self) -> impl Iterator<Item = &[u8]> {
        reader::symbols(self.packed(), self.tables)
    }

    pub fn literals(&self) -> impl Iterator<Item = LiteralView<'_>> {
        reader::literals(self.packed(), self.tables)
    }

    pub fn sites(&self) -> impl ExactSizeIterator<Item = SiteView<'_>> {
        reader::sites(self.packed(), self.tables)
    }

    pub fn locals(&self) -> impl Iterator<Item = LocalView<'_>> {
        reader::locals(self.packed(), self.tables)
    }

    /// Names as `parameters` reports them; empty names are anonymous (`*`, `**`, `&`) or destructured.
    pub fn parameter_names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        reader::parameter_names(self.packed(), self.tables)
    }

    /// See [`Draft::lines`].
    pub fn lines(&self) -> impl Iterator<Item = (u32, i32)> {
        reader::lines(self.packed(), self.tables, self.first_line)
    }

    /// Whether a statement begins at a word, on a line where none began before.
    pub fn is_line_start(&self, word: u32) -> bool {
        self.lines().any(|(start, _)| start == word | LINE_EVENT)
    }

    /// The line of the instruction at or before `word`.
    pub fn line_at(&self, word: u32) -> i32 {
        let before = self.lines().take_while(|&(start, _)| start & !LINE_EVENT <= word);
        before.last().map_or(self.first_line, |(_, line)| line)
    }

    fn packed(&self) -> Packed<'_> {
        self.unit.packed()
    }

    /// What the code takes beside its bytes in the unit.
    pub fn memsize(&self) -> usize {
        size_of::<Iseq>()
            + size_of_val(&*self.insns)
            + size_of_val(&*self.catches)
            + size_of_val(&*self.children)
            + self.params.memsize()
    }
}

/// A shared iseq. It is read from its unit's bytes when it is first looked at.
#[derive(Clone)]
pub struct IseqRef {
    unit: Arc<Unit>,
    at: u32,
    ready: OncePointer<Arc<Iseq>>,
}

impl IseqRef {
    /// The code that [`Pack::add`](crate::Pack::add) put at `at`.
    pub fn packed(unit: Arc<Unit>, at: u32) -> IseqRef {
        IseqRef { unit, at, ready: OncePointer::new() }
    }

    /// The code of the file that `unit` was compiled from, unless the executable carries it.
    pub fn outermost(unit: &Arc<Unit>) -> Option<IseqRef> {
        Some(IseqRef::packed(unit.clone(), unit.outermost?))
    }

    pub fn unit(&self) -> &Arc<Unit> {
        &self.unit
    }

    /// Known without reading the rest.
    pub fn flags(&self) -> crate::IseqFlags {
        self.existing().map_or_else(|| reader::flags_at(&self.unit, self.at), |iseq| iseq.flags)
    }

    /// The iseq, if somebody looked at it.
    #[inline]
    pub fn existing(&self) -> Option<&Iseq> {
        self.ready.get()
    }

    #[cold]
    fn read(&self) -> &Iseq {
        self.ready.get_or_init(|| Arc::new(reader::iseq(&self.unit, self.at)))
    }
}

impl From<Arc<Iseq>> for IseqRef {
    fn from(iseq: Arc<Iseq>) -> IseqRef {
        IseqRef { unit: iseq.unit.clone(), at: iseq.at, ready: OncePointer::from(iseq) }
    }
}

impl Deref for IseqRef {
    type Target = Iseq;

    #[inline]
    fn deref(&self) -> &Iseq {
        self.existing().unwrap_or_else(|| self.read())
    }
}

impl std::fmt::Debug for Iseq {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.draft().fmt(f)
    }
}

impl std::fmt::Debug for IseqRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}
