//! Iseqs as bytes, for the core library that is compiled into the executable.
//!
//! # Layout
//! Fields in the order of [`Iseq`]; numbers as LEB128 (signed ones zigzag), byte strings and lists behind their length,
//! instructions as eight little-endian bytes. The path is not in it: it stands beside the encoding, once for a file.
//!
//! Children are encodings of their own, so that each is decoded only when it is needed. Class bodies, which run when the
//! library is loaded, are nested in what defines them. Methods lie apart, all in one place, for most of them never run:
//! a start reads none of that place, and its pages stay on disk.
//!
//! # Invariants
//! Encodings are read by the build that wrote them: there is no version, and damaged bytes are a bug that panics.

use crate::{
    CallFlags, CallInfo, CatchEntry, CatchKind, Insn, Iseq, IseqFlags, IseqKind, IseqRef, KeywordParam, Library,
    Literal, Local, Op, Params, PendingWindow, Site,
};
use std::sync::Arc;

/// Appends the encoding of an iseq and everything below it. What is defined there goes to `methods`.
pub fn encode(iseq: &Iseq, out: &mut Vec<u8>, methods: &mut Vec<u8>) {
    encode_into(iseq, out, Some(methods));
}

/// Where a child's encoding is.
const NESTED: u64 = 0;
const APART: u64 = 1;

/// Appends a child: in `methods` if there is such a place and it is no class body, which needs that place itself.
fn encode_child(child: &Iseq, w: &mut Writer<'_>, methods: Option<&mut Vec<u8>>) {
    let mut inner = Vec::new();
    match methods {
        Some(methods) if child.kind != IseqKind::Class => {
            encode_into(child, &mut inner, None);
            w.number(APART);
            w.number(methods.len() as u64);
            w.number(inner.len() as u64);
            methods.append(&mut inner);
        }
        methods => {
            encode_into(child, &mut inner, methods);
            w.number(NESTED);
            w.bytes(&inner);
        }
    }
}

fn encode_into(iseq: &Iseq, out: &mut Vec<u8>, mut methods: Option<&mut Vec<u8>>) {
    let w = &mut Writer(out);
    w.number(iseq.kind as u64);
    w.bytes(&iseq.name);
    w.signed(i64::from(iseq.first_line));
    w.list(&iseq.insns, |w, i| w.insn(*i));
    w.list(&iseq.literals, Writer::literal);
    w.list(&iseq.symbols, |w, s| w.bytes(s));
    w.list(&iseq.sites, Writer::site);
    w.list(&iseq.children, |w, child| encode_child(child, w, methods.as_deref_mut()));
    w.params(&iseq.params);
    w.list(&iseq.locals, |w, l| {
        w.bytes(&l.name);
        w.number(u64::from(l.register));
        w.flag(l.captured);
    });
    w.number(iseq.svar.map_or(0, |r| u64::from(r) + 1));
    w.list(&iseq.catches, |w, c| {
        [c.start, c.end, c.target, u32::from(c.register), c.kind as u32]
            .into_iter()
            .for_each(|n| w.number(u64::from(n)));
    });
    w.list(&iseq.pending_windows, |w, p| {
        [p.start, p.end, u32::from(p.register), u32::from(p.words)].into_iter().for_each(|n| w.number(u64::from(n)));
    });
    w.list(&iseq.lines, |w, (word, line)| {
        w.number(u64::from(*word));
        w.signed(i64::from(*line));
    });
    w.number(u64::from(iseq.frame_size));
    w.number(u64::from(iseq.local_size));
    let f = iseq.flags;
    [f.uses_svar, f.uses_binding, f.auto_splat, f.uses_block, f.is_core, f.ruby2_keywords, f.packs_values]
        .into_iter()
        .for_each(|b| w.flag(b));
}

/// The iseq of an encoding.
pub(crate) fn decode(bytes: &'static [u8], library: &Arc<Library>) -> Iseq {
    let r = &mut Reader(bytes);
    Iseq {
        kind: kind(r.number()),
        name: r.boxed(),
        first_line: r.signed() as i32,
        insns: r.list(Reader::insn),
        literals: r.list(Reader::literal),
        symbols: r.list(Reader::boxed),
        sites: r.list(Reader::site),
        children: r.list(|r| IseqRef::encoded(r.child(library.methods), library.clone())),
        params: r.params(),
        locals: r.list(|r| Local { name: r.boxed(), register: r.short(), captured: r.flag() }),
        svar: r.short().checked_sub(1),
        catches: r.list(|r| CatchEntry {
            start: r.word(),
            end: r.word(),
            target: r.word(),
            register: r.short(),
            kind: if r.number() == CatchKind::Rescue as u64 { CatchKind::Rescue } else { CatchKind::Ensure },
        }),
        pending_windows: r.list(|r| PendingWindow {
            start: r.word(),
            end: r.word(),
            register: r.short(),
            words: r.short(),
        }),
        lines: r.list(|r| (r.word(), r.signed() as i32)),
        frame_size: r.short(),
        local_size: r.short(),
        flags: IseqFlags {
            uses_svar: r.flag(),
            uses_binding: r.flag(),
            auto_splat: r.flag(),
            uses_block: r.flag(),
            is_core: r.flag(),
            ruby2_keywords: r.flag(),
            packs_values: r.flag(),
        },
        path: library.path.clone(),
    }
}

fn kind(number: u64) -> IseqKind {
    let kinds = [IseqKind::Top, IseqKind::Method, IseqKind::Block, IseqKind::Lambda, IseqKind::Class, IseqKind::Eval];
    *kinds.iter().find(|k| **k as u64 == number).expect("a kind of iseq")
}

/// Encodings that literals name. Core code is UTF-8, its symbols ASCII.
const ENCODINGS: [&str; 3] = ["UTF-8", "US-ASCII", "ASCII-8BIT"];

struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    fn signed(&mut self, n: i64) {
        self.number(((n << 1) ^ (n >> 63)) as u64);
    }

    fn flag(&mut self, b: bool) {
        self.0.push(u8::from(b));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| write(self, item));
    }

    fn insn(&mut self, i: Insn) {
        self.0.extend([i.op as u8, i.n]);
        [i.a, i.b, i.c].into_iter().for_each(|n| self.0.extend(n.to_le_bytes()));
    }

    fn encoding(&mut self, name: &str) {
        let index = ENCODINGS.iter().position(|e| *e == name).expect("core code uses few encodings");
        self.number(index as u64);
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::BigInteger(digits) => {
                self.number(0);
                self.bytes(digits.as_bytes());
            }
            Literal::Integer(i) => {
                self.number(1);
                self.signed(*i);
            }
            Literal::Float(f) => {
                self.number(2);
                self.0.extend(f.to_bits().to_le_bytes());
            }
            Literal::Rational(n, d) => {
                self.number(3);
                self.bytes(n.as_bytes());
                self.bytes(d.as_bytes());
            }
            Literal::Imaginary(part) => {
                self.number(4);
                self.literal(part);
            }
            Literal::String(bytes, encoding) => {
                self.number(5);
                self.bytes(bytes);
                self.encoding(encoding);
            }
            Literal::Symbol(bytes, encoding) => {
                self.number(6);
                self.bytes(bytes);
                self.encoding(encoding);
            }
            Literal::Regexp(bytes, options, encoding) => {
                self.number(7);
                self.bytes(bytes);
                self.number(u64::from(*options));
                self.encoding(encoding);
            }
            Literal::Range(begin, end, excludes) => {
                self.number(8);
                self.literal(begin);
                self.literal(end);
                self.flag(*excludes);
            }
            Literal::Nil => self.number(9),
            Literal::True => self.number(10),
            Literal::False => self.number(11),
            Literal::Array(elements) => {
                self.number(12);
                self.list(elements, Self::literal);
            }
            Literal::Hash(pairs) => {
                self.number(13);
                self.list(pairs, |w, (k, v)| {
                    w.literal(k);
                    w.literal(v);
                });
            }
        }
    }

    fn site(&mut self, site: &Site) {
        match site {
            Site::Call(ci) => {
                self.number(0);
                self.bytes(&ci.name);
                self.number(u64::from(ci.argc));
                self.number(u64::from(ci.flags.0));
                self.list(&ci.keyword_names, |w, n| w.bytes(n));
                self.number(ci.block.map_or(0, |b| u64::from(b) + 1));
            }
            Site::InstanceVariable(name) => {
                self.number(1);
                self.bytes(name);
            }
            Site::ClassVariable(name) => {
                self.number(2);
                self.bytes(name);
            }
            Site::Constant(path) => {
                self.number(3);
                self.list(path, |w, n| w.bytes(n));
            }
            Site::Once(child) => {
                self.number(4);
                self.number(u64::from(*child));
            }
        }
    }

    fn params(&mut self, p: &Params) {
        self.number(u64::from(p.lead));
        self.list(&p.optional_entries, |w, n| w.number(u64::from(*n)));
        self.number(u64::from(p.post));
        self.list(&p.keywords, |w, k| {
            w.bytes(&k.name);
            w.flag(k.required);
        });
        let flags = [
            p.has_rest,
            p.has_keyword_rest,
            p.has_block,
            p.accepts_no_keywords,
            p.excessed_comma,
            p.is_forwarding,
            p.uses_it,
        ];
        flags.into_iter().for_each(|b| self.flag(b));
        self.number(u64::from(p.implicit));
        self.list(&p.names, |w, n| w.bytes(n));
    }
}

struct Reader(&'static [u8]);

impl Reader {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().expect("an encoding is whole");
        self.0 = rest;
        *first
    }

    fn number(&mut self) -> u64 {
        let (mut n, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            n |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return n;
            }
            shift += 7;
        }
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
        self.byte() != 0
    }

    fn take(&mut self, len: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn bytes(&mut self) -> &'static [u8] {
        let len = self.number() as usize;
        self.take(len)
    }

    fn child(&mut self, methods: &'static [u8]) -> &'static [u8] {
        if self.number() == NESTED {
            return self.bytes();
        }
        let start = self.number() as usize;
        let len = self.number() as usize;
        &methods[start..start + len]
    }

    fn boxed(&mut self) -> Box<[u8]> {
        self.bytes().into()
    }

    fn text(&mut self) -> Box<str> {
        std::str::from_utf8(self.bytes()).expect("digits").into()
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let len = self.number() as usize;
        (0..len).map(|_| read(self)).collect()
    }

    fn insn(&mut self) -> Insn {
        let b = self.take(8);
        let short = |i: usize| u16::from_le_bytes([b[i], b[i + 1]]);
        Insn { op: Op::ALL[usize::from(b[0])], n: b[1], a: short(2), b: short(4), c: short(6) }
    }

    fn encoding(&mut self) -> &'static str {
        ENCODINGS[self.number() as usize]
    }

    fn literal(&mut self) -> Literal {
        match self.number() {
            0 => Literal::BigInteger(self.text()),
            1 => Literal::Integer(self.signed()),
            2 => Literal::Float(f64::from_bits(u64::from_le_bytes(self.take(8).try_into().expect("eight bytes")))),
            3 => Literal::Rational(self.text(), self.text()),
            4 => Literal::Imaginary(Box::new(self.literal())),
            5 => Literal::String(self.boxed(), self.encoding()),
            6 => Literal::Symbol(self.boxed(), self.encoding()),
            7 => Literal::Regexp(self.boxed(), self.number() as u8, self.encoding()),
            8 => Literal::Range(Box::new(self.literal()), Box::new(self.literal()), self.flag()),
            9 => Literal::Nil,
            10 => Literal::True,
            11 => Literal::False,
            12 => Literal::Array(self.list(Self::literal)),
            _ => Literal::Hash(self.list(|r| (r.literal(), r.literal()))),
        }
    }

    fn site(&mut self) -> Site {
        match self.number() {
            0 => Site::Call(CallInfo {
                name: self.boxed(),
                argc: self.short(),
                flags: CallFlags(self.short()),
                keyword_names: self.list(Self::boxed),
                block: self.short().checked_sub(1),
            }),
            1 => Site::InstanceVariable(self.boxed()),
            2 => Site::ClassVariable(self.boxed()),
            3 => Site::Constant(self.list(Self::boxed)),
            _ => Site::Once(self.short()),
        }
    }

    fn params(&mut self) -> Params {
        Params {
            lead: self.short(),
            optional_entries: self.list(Self::word),
            post: self.short(),
            keywords: self.list(|r| KeywordParam { name: r.boxed(), required: r.flag() }),
            has_rest: self.flag(),
            has_keyword_rest: self.flag(),
            has_block: self.flag(),
            accepts_no_keywords: self.flag(),
            excessed_comma: self.flag(),
            is_forwarding: self.flag(),
            uses_it: self.flag(),
            implicit: self.number() as u8,
            names: self.list(Self::boxed),
        }
    }
}
