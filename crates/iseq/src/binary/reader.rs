//! Reading: from bytes to iseqs, and to the tables that stay bytes.

use super::{APART, Packed, Part, Unit};
use crate::view::{CallView, LiteralList, LiteralView, LocalView, NameList, SiteView};
use crate::{
    CallFlags, CatchEntry, CatchKind, Draft, Insn, Iseq, IseqFlags, IseqKind, KeywordParam, LINE_EVENT, Notes, Op,
    Params, SOURCE_ENCODINGS,
};
use std::sync::Arc;

pub(super) const STRING: u64 = 5;
pub(super) const SYMBOL: u64 = 6;

/// The iseq at a position.
pub(crate) fn iseq(unit: &Arc<Unit>, at: u32) -> Iseq {
    let r = &mut PackReader::at(unit.packed(), at);
    let head = r.head();
    Iseq {
        unit: unit.clone(),
        at,
        kind: head.kind,
        flags: head.flags,
        first_line: head.first_line,
        frame_size: head.frame_size,
        local_size: head.local_size,
        svar: head.svar,
        params: r.params(),
        insns: r.insns().into(),
        catches: r.list(PackReader::catch).into(),
        children: r.list(|r| r.child(at)).into(),
        tables: r.position(),
        notes: Notes::default(),
    }
}

/// Of the iseq at a position no more than these.
pub(crate) fn flags_at(unit: &Unit, at: u32) -> IseqFlags {
    PackReader::at(unit.packed(), at).head().flags
}

/// As [`iseq`], with everything. Windows that are being filled are not in the bytes.
pub(crate) fn draft(packed: Packed<'_>, at: u32) -> Draft {
    let r = &mut PackReader::at(packed, at);
    let head = r.head();
    let (params, insns) = (r.params(), r.insns());
    let catches = r.list(PackReader::catch);
    let children = r.list(|r| r.child(at));
    let tables = r.position();
    Draft {
        kind: head.kind,
        name: head.name.into(),
        first_line: head.first_line,
        insns,
        literals: literals(packed, tables).map(LiteralView::into_literal).collect(),
        symbols: symbols(packed, tables).map(Box::from).collect(),
        sites: sites(packed, tables).map(SiteView::to_site).collect(),
        children,
        params,
        parameter_names: parameter_names(packed, tables).map(Box::from).collect(),
        locals: locals(packed, tables).map(LocalView::to_local).collect(),
        svar: head.svar,
        catches,
        pending_windows: Vec::new(),
        lines: lines(packed, tables, head.first_line).collect(),
        frame_size: head.frame_size,
        local_size: head.local_size,
        flags: head.flags,
    }
}

/// Whether two pieces of code, and what is in them, came from the same source.
pub fn is_equal(a: (Packed<'_>, u32), b: (Packed<'_>, u32)) -> bool {
    let (mut own, mut other) = (draft(a.0, a.1), draft(b.0, b.1));
    let children = (std::mem::take(&mut own.children), std::mem::take(&mut other.children));
    own == other
        && children.0.len() == children.1.len()
        && children.0.iter().zip(&children.1).all(|(x, y)| is_equal((a.0, *x), (b.0, *y)))
}

pub(crate) fn name(packed: Packed<'_>, at: u32) -> &[u8] {
    PackReader::at(packed, at).name()
}

pub(super) fn name_at(names: &[u8], position: u32) -> &[u8] {
    let mut bytes = &names[position as usize..];
    let len = number(&mut bytes) as usize;
    &bytes[..len]
}

// ---- tables ----

pub(crate) fn lines(packed: Packed<'_>, tables: u32, first_line: i32) -> impl Iterator<Item = (u32, i32)> {
    let mut r = PackReader::at(packed, tables);
    r.number();
    let mut last = (0, first_line);
    r.into_list(move |r| {
        let word = r.word();
        last = (last.0 + (word >> 1), (i64::from(last.1) + r.signed()) as i32);
        (if word & 1 != 0 { last.0 | LINE_EVENT } else { last.0 }, last.1)
    })
}

pub(crate) fn locals(packed: Packed<'_>, tables: u32) -> impl ExactSizeIterator<Item = LocalView<'_>> {
    let mut r = PackReader::at(packed, tables);
    r.skip_table();
    r.number();
    r.into_list(PackReader::local)
}

pub(crate) fn parameter_names(packed: Packed<'_>, tables: u32) -> impl ExactSizeIterator<Item = &[u8]> {
    let mut r = PackReader::at(packed, tables);
    r.skip_table();
    r.number();
    r.skip_list(PackReader::local);
    r.into_list(PackReader::name)
}

pub(crate) fn symbols(packed: Packed<'_>, tables: u32) -> impl ExactSizeIterator<Item = &[u8]> {
    PackReader::at_symbols(packed, tables).into_list(PackReader::name)
}

pub(crate) fn literals(packed: Packed<'_>, tables: u32) -> impl ExactSizeIterator<Item = LiteralView<'_>> {
    let mut r = PackReader::at_symbols(packed, tables);
    r.skip_list(PackReader::name);
    r.into_list(PackReader::literal)
}

pub(crate) fn sites(packed: Packed<'_>, tables: u32) -> impl ExactSizeIterator<Item = SiteView<'_>> {
    let mut r = PackReader::at_symbols(packed, tables);
    r.skip_list(PackReader::name);
    r.skip_list(PackReader::literal);
    r.into_list(PackReader::site)
}

/// The items of a list, read one by one.
struct List<'a, F> {
    reader: PackReader<'a>,
    left: usize,
    read: F,
}

impl<'a, T, F: FnMut(&mut PackReader<'a>) -> T> Iterator for List<'a, F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        Some((self.read)(&mut self.reader))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'a, T, F: FnMut(&mut PackReader<'a>) -> T> ExactSizeIterator for List<'a, F> {}

/// What stands first of an iseq.
struct Head<'a> {
    name: &'a [u8],
    kind: IseqKind,
    flags: IseqFlags,
    first_line: i32,
    frame_size: u16,
    local_size: u16,
    svar: Option<u16>,
}

fn kind(number: u64) -> IseqKind {
    let kinds = [IseqKind::Top, IseqKind::Method, IseqKind::Block, IseqKind::Lambda, IseqKind::Class, IseqKind::Eval];
    *kinds.iter().find(|k| **k as u64 == number).expect("a kind of iseq")
}

fn flags(bits: u64) -> IseqFlags {
    let has = |bit: u32| bits >> bit & 1 != 0;
    IseqFlags {
        uses_svar: has(0),
        uses_binding: has(1),
        auto_splat: has(2),
        uses_block: has(3),
        is_core: has(4),
        ruby2_keywords: has(5),
        packs_values: has(6),
        uses_callee: has(7),
        tells_groups: has(8),
        calls_super: has(9),
        marks_strings: has(10),
        encoding: (bits >> 11) as u8,
    }
}

fn number(bytes: &mut &[u8]) -> u64 {
    let (mut n, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first().expect("packed code is whole");
        *bytes = rest;
        n |= u64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return n;
        }
        shift += 7;
    }
}

#[derive(Clone, Copy)]
pub(crate) struct PackReader<'a> {
    bytes: &'a [u8],
    part: Part<'a>,
    /// [`APART`], if the part is the second one.
    apart: u32,
}

impl<'a> PackReader<'a> {
    fn at(packed: Packed<'a>, at: u32) -> PackReader<'a> {
        let part = packed.0[usize::from(at & APART != 0)];
        PackReader { bytes: &part.code[(at & !APART) as usize..], part, apart: at & APART }
    }

    fn at_symbols(packed: Packed<'a>, tables: u32) -> PackReader<'a> {
        let mut r = PackReader::at(packed, tables);
        r.skip_table();
        r.skip_table();
        r
    }

    fn position(&self) -> u32 {
        (self.part.code.len() - self.bytes.len()) as u32 | self.apart
    }

    fn number(&mut self) -> u64 {
        number(&mut self.bytes)
    }

    fn signed(&mut self) -> i64 {
        let n = self.number();
        (n >> 1) as i64 ^ -((n & 1) as i64)
    }

    fn short(&mut self) -> u16 {
        self.number() as u16
    }

    fn word(&mut self) -> u32 {
        self.number() as u32
    }

    fn flag(&mut self) -> bool {
        self.number() != 0
    }

    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(len);
        self.bytes = rest;
        taken
    }

    fn bytes(&mut self) -> &'a [u8] {
        let len = self.number() as usize;
        self.take(len)
    }

    fn skip_table(&mut self) {
        self.bytes();
    }

    pub(crate) fn name(&mut self) -> &'a [u8] {
        let position = self.word();
        name_at(self.part.names, position)
    }

    fn text(&mut self) -> &'a str {
        std::str::from_utf8(self.bytes()).expect("digits")
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let len = self.number() as usize;
        (0..len).map(|_| read(self)).collect()
    }

    fn skip_list<T>(&mut self, mut read: impl FnMut(&mut Self) -> T) {
        for _ in 0..self.number() {
            read(self);
        }
    }

    fn into_list<T, F: FnMut(&mut PackReader<'a>) -> T>(mut self, read: F) -> impl ExactSizeIterator<Item = T> {
        let left = self.number() as usize;
        List { reader: self, left, read }
    }

    fn head(&mut self) -> Head<'a> {
        let name = self.name();
        let facts = self.number();
        Head {
            name,
            kind: kind(facts & 7),
            flags: flags(facts >> 4),
            first_line: self.signed() as i32,
            frame_size: self.short(),
            local_size: self.short(),
            svar: (facts & 8 != 0).then(|| self.short()),
        }
    }

    fn child(&mut self, own: u32) -> u32 {
        let number = self.number();
        let distance = (number >> 1) as u32;
        if number & 1 == 0 { own - distance } else { distance | (!own & APART) }
    }

    fn insns(&mut self) -> Vec<Insn> {
        let len = self.number() as usize;
        let mut insns = Vec::with_capacity(len);
        for _ in 0..len {
            insns.push(self.insn());
        }
        insns
    }

    fn insn(&mut self) -> Insn {
        let (op, mask) = (self.bytes[0], self.bytes[1]);
        let mut at = 2;
        let mut byte = || {
            at += 1;
            u16::from(self.bytes[at - 1])
        };
        let n = if mask & 1 != 0 { byte() as u8 } else { 0 };
        let mut operand = |shift: u8| match mask >> shift & 3 {
            0 => 0,
            1 => byte(),
            _ => byte() | byte() << 8,
        };
        let (a, b, c) = (operand(1), operand(3), operand(5));
        self.bytes = &self.bytes[at..];
        Insn { op: Op::ALL[usize::from(op)], n, a, b, c }
    }

    fn catch(&mut self) -> CatchEntry {
        let start = self.word();
        let (end, target, last) = (start + self.word(), self.word(), self.word());
        let is_rescue = last & 1 == CatchKind::Rescue as u32;
        let kind = if is_rescue { CatchKind::Rescue } else { CatchKind::Ensure };
        CatchEntry { start, end, target, register: (last >> 1) as u16, kind }
    }

    fn local(&mut self) -> LocalView<'a> {
        let name = self.name();
        let last = self.word();
        LocalView { name, register: (last >> 2) as u16, captured: last & 1 != 0, reassigned: last & 2 != 0 }
    }

    fn encoding(&mut self) -> &'static str {
        SOURCE_ENCODINGS[self.number() as usize]
    }

    pub(crate) fn literal(&mut self) -> LiteralView<'a> {
        match self.number() {
            0 => LiteralView::BigInteger(self.text()),
            1 => LiteralView::Integer(self.signed()),
            2 => LiteralView::Float(f64::from_bits(u64::from_le_bytes(self.take(8).try_into().expect("eight bytes")))),
            3 => LiteralView::Rational(self.text(), self.text()),
            4 => LiteralView::Imaginary(Box::new(self.literal())),
            STRING => LiteralView::String(self.bytes(), self.encoding()),
            SYMBOL => LiteralView::Symbol(self.name(), self.encoding()),
            7 => LiteralView::Regexp(self.bytes(), self.number() as u8, self.encoding()),
            8 => LiteralView::Range(Box::new(self.literal()), Box::new(self.literal()), self.flag()),
            9 => LiteralView::Nil,
            10 => LiteralView::True,
            11 => LiteralView::False,
            12 => LiteralView::Array(self.literals(1)),
            _ => LiteralView::Hash(self.literals(2)),
        }
    }

    /// As many literals as a number says, or twice as many.
    fn literals(&mut self, times: usize) -> LiteralList<'a> {
        let left = self.number() as usize * times;
        let literals = LiteralList { reader: *self, left };
        (0..left).for_each(|_| _ = self.literal());
        literals
    }

    fn names(&mut self) -> NameList<'a> {
        let len = self.number() as usize;
        let names = NameList { reader: *self, left: len };
        (0..len).for_each(|_| _ = self.number());
        names
    }

    fn site(&mut self) -> SiteView<'a> {
        let first = self.number();
        match first & 7 {
            0 => SiteView::Call(CallView {
                flags: CallFlags((first >> 5) as u16),
                name: self.name(),
                argc: self.short(),
                keywords: if first & 16 != 0 { self.names() } else { NameList { reader: *self, left: 0 } },
                block: (first & 8 != 0).then(|| self.short()),
            }),
            1 => SiteView::InstanceVariable(self.name()),
            2 => SiteView::ClassVariable(self.name()),
            3 => SiteView::Constant(self.names()),
            _ => SiteView::Once(self.short()),
        }
    }

    fn params(&mut self) -> Params {
        let first = self.number();
        let implicit = if first & 2 != 0 { self.number() as u8 } else { 0 };
        let bits = if first & 1 != 0 { self.number() } else { 0 };
        let has = |bit: u32| bits >> bit & 1 != 0;
        Params {
            lead: (first >> 2) as u16,
            optional_entries: if has(0) { self.list(PackReader::word) } else { Vec::new() },
            post: if has(1) { self.short() } else { 0 },
            keywords: if has(2) { self.list(PackReader::keyword) } else { Vec::new() },
            has_rest: has(3),
            has_keyword_rest: has(4),
            hides_keyword_rest: has(10),
            has_block: has(5),
            accepts_no_keywords: has(6),
            excessed_comma: has(7),
            is_forwarding: has(8),
            uses_it: has(9),
            implicit,
        }
    }

    fn keyword(&mut self) -> KeywordParam {
        KeywordParam { name: self.name().into(), required: self.flag() }
    }
}
