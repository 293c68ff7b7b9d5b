//! Packing: from drafts to bytes.

use super::names::Names;
use super::{APART, Bytes, Packed, Part, Unit, reader};
use crate::{Draft, Insn, IseqFlags, IseqKind, Literal, Params, SOURCE_ENCODINGS, Site};
use carat_sync::OnceLock;
use std::sync::Arc;

/// A unit that is being written.
#[derive(Default)]
pub struct Pack {
    parts: [PartWriter; 2],
    is_split: bool,
    /// Where the code is that was added last: what is around everything else.
    outermost: u32,
    /// Some code refers to `TOPLEVEL_BINDING`.
    pub names_toplevel_binding: bool,
}

#[derive(Default)]
struct PartWriter {
    code: Vec<u8>,
    names: Names,
    /// A table whose length is to stand before it.
    table: Vec<u8>,
}

impl Pack {
    /// For one file.
    pub fn new() -> Pack {
        Pack::default()
    }

    /// For the core library: in two parts.
    pub fn split() -> Pack {
        Pack { is_split: true, ..Pack::default() }
    }

    /// Appends the code of a draft, whose children were added before. Where it is.
    pub fn add(&mut self, draft: &Draft) -> u32 {
        self.names_toplevel_binding |= draft.sites.iter().any(is_toplevel_binding);
        let is_apart = self.is_split && !matches!(draft.kind, IseqKind::Class | IseqKind::Top);
        let part = &mut self.parts[usize::from(is_apart)];
        let at = u32::try_from(part.code.len()).ok().filter(|at| at & APART == 0).expect("less than 2 GB of code");
        let at = if is_apart { at | APART } else { at };
        part.draft(draft, at);
        self.outermost = at;
        at
    }

    /// What was added so far.
    pub fn packed(&self) -> Packed<'_> {
        Packed(self.parts.each_ref().map(|part| Part { code: &part.code, names: &part.names.bytes }))
    }

    /// A pack of one part as a unit.
    pub fn finish(self, path: Arc<str>) -> Arc<Unit> {
        let [part, _] = self.parts;
        // What was written in steps has room to spare: a copy has none.
        let (code, names) = (part.code.as_slice().into(), part.names.bytes.as_slice().into());
        Arc::new(Unit {
            path,
            bytes: Bytes::Own { code, names },
            outermost: Some(self.outermost),
            counts: OnceLock::new(),
        })
    }

    /// For [`Packed::embedded`].
    pub fn into_bytes(self) -> [Vec<u8>; 4] {
        let [first, apart] = self.parts;
        [first.code, first.names.bytes, apart.code, apart.names.bytes]
    }
}

fn is_toplevel_binding(site: &Site) -> bool {
    matches!(site, Site::Constant(path) if path.iter().any(|name| **name == *b"TOPLEVEL_BINDING"))
}

pub(super) fn number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

pub(super) fn fact_bits(flags: IseqFlags) -> u64 {
    let bits = [
        flags.uses_svar,
        flags.uses_binding,
        flags.auto_splat,
        flags.uses_block,
        flags.is_core,
        flags.ruby2_keywords,
        flags.packs_values,
        flags.uses_callee,
        flags.tells_groups,
        flags.calls_super,
        flags.marks_strings,
    ];
    let encoding = u64::from(flags.encoding) << bits.len();
    (0..).zip(bits).fold(encoding, |all, (bit, is_set)| all | u64::from(is_set) << bit)
}

/// Operation, mask, `n` and three operands of two bytes.
const MOST_INSN_BYTES: usize = 9;

/// An instruction's bytes, the first one lowest, and how many there are.
fn insn_bytes(insn: Insn) -> (u128, usize) {
    let size = |n: u16| u32::from(n != 0) + u32::from(n > 0xFF);
    let (mut bytes, mut len, mut mask) = (u128::from(insn.op as u8), 2, u32::from(insn.n != 0));
    bytes |= u128::from(insn.n) << 16;
    len += mask;
    for (n, shift) in [(insn.a, 1), (insn.b, 3), (insn.c, 5)] {
        bytes |= u128::from(n) << (len * 8);
        mask |= size(n) << shift;
        len += size(n);
    }
    (bytes | u128::from(mask) << 8, len as usize)
}

fn parameter_bits(params: &Params) -> u64 {
    let bits = [
        !params.optional_entries.is_empty(),
        params.post != 0,
        !params.keywords.is_empty(),
        params.has_rest,
        params.has_keyword_rest,
        params.has_block,
        params.accepts_no_keywords,
        params.excessed_comma,
        params.is_forwarding,
        params.uses_it,
        params.hides_keyword_rest,
    ];
    (0..).zip(bits).fold(0, |all, (bit, is_set)| all | u64::from(is_set) << bit)
}

impl PartWriter {
    fn draft(&mut self, draft: &Draft, at: u32) {
        self.name(&draft.name);
        self.number(draft.kind as u64 | u64::from(draft.svar.is_some()) << 3 | fact_bits(draft.flags) << 4);
        self.signed(i64::from(draft.first_line));
        self.number(u64::from(draft.frame_size));
        self.number(u64::from(draft.local_size));
        draft.svar.into_iter().for_each(|register| self.number(u64::from(register)));
        self.params(&draft.params);
        self.insns(&draft.insns);
        self.list(&draft.catches, |w, c| {
            let numbers = [c.start, c.end - c.start, c.target, u32::from(c.register) << 1 | c.kind as u32];
            numbers.into_iter().for_each(|n| w.number(u64::from(n)));
        });
        self.list(&draft.children, |w, &child| w.child(at, child));
        self.table(|w| w.lines(&draft.lines, draft.first_line));
        self.table(|w| w.locals(draft));
        self.list(&draft.symbols, |w, name| w.name(name));
        self.list(&draft.literals, Self::literal);
        self.list(&draft.sites, Self::site);
    }

    /// Writes a table behind its number of bytes.
    fn table(&mut self, write: impl FnOnce(&mut Self)) {
        let table = std::mem::take(&mut self.table);
        let code = std::mem::replace(&mut self.code, table);
        write(self);
        let mut table = std::mem::replace(&mut self.code, code);
        self.number(table.len() as u64);
        self.code.append(&mut table);
        self.table = table;
    }

    /// A child of the same part by its distance, one of the other part by its position.
    fn child(&mut self, at: u32, child: u32) {
        let is_near = (at ^ child) & APART == 0;
        let number = if is_near { at - child } else { child & !APART };
        self.number(u64::from(number) << 1 | u64::from(!is_near));
    }

    fn lines(&mut self, lines: &[(u32, i32)], first_line: i32) {
        let mut last = (0, first_line);
        self.list(lines, |w, &(start, line)| {
            let word = start & !crate::LINE_EVENT;
            w.number(u64::from(word - last.0) << 1 | u64::from(start != word));
            w.signed(i64::from(line) - i64::from(last.1));
            last = (word, line);
        });
    }

    fn locals(&mut self, draft: &Draft) {
        self.list(&draft.locals, |w, local| {
            w.name(&local.name);
            w.number(u64::from(local.register) << 2 | u64::from(local.reassigned) << 1 | u64::from(local.captured));
        });
        self.list(&draft.parameter_names, |w, name| w.name(name));
    }

    fn number(&mut self, n: u64) {
        number(&mut self.code, n);
    }

    fn signed(&mut self, n: i64) {
        self.number(((n << 1) ^ (n >> 63)) as u64);
    }

    fn name(&mut self, name: &[u8]) {
        let position = self.names.position(name);
        self.number(u64::from(position));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.code.extend_from_slice(bytes);
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| write(self, item));
    }

    /// See the layout: of the byte behind the operation bit 0 belongs to `n`, two bits each to `a`, `b` and `c`.
    fn insns(&mut self, insns: &[Insn]) {
        self.number(insns.len() as u64);
        let start = self.code.len();
        self.code.resize(start + insns.len() * MOST_INSN_BYTES + 8, 0);
        let mut at = start;
        for insn in insns {
            let (bytes, len) = insn_bytes(*insn);
            self.code[at..at + 8].copy_from_slice(&(bytes as u64).to_le_bytes());
            self.code[at + 8] = (bytes >> 64) as u8;
            at += len;
        }
        self.code.truncate(at);
    }

    fn encoding(&mut self, name: &str) {
        let index = SOURCE_ENCODINGS.iter().position(|e| *e == name).expect("an encoding that sources may have");
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
                self.code.extend(f.to_bits().to_le_bytes());
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
                self.number(reader::STRING);
                self.bytes(bytes);
                self.encoding(encoding);
            }
            Literal::Symbol(bytes, encoding) => {
                self.number(reader::SYMBOL);
                self.name(bytes);
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
                self.number(u64::from(*excludes));
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

    /// The lowest three bits of the first number are the kind.
    fn site(&mut self, site: &Site) {
        match site {
            Site::Call(call) => {
                let keywords = !call.keyword_names.is_empty();
                self.number(
                    u64::from(call.flags.0) << 5 | u64::from(keywords) << 4 | u64::from(call.block.is_some()) << 3,
                );
                self.name(&call.name);
                self.number(u64::from(call.argc));
                if keywords {
                    self.list(&call.keyword_names, |w, name| w.name(name));
                }
                call.block.into_iter().for_each(|block| self.number(u64::from(block)));
            }
            Site::InstanceVariable(name) => {
                self.number(1);
                self.name(name);
            }
            Site::ClassVariable(name) => {
                self.number(2);
                self.name(name);
            }
            Site::Constant(path) => {
                self.number(3);
                self.list(path, |w, name| w.name(name));
            }
            Site::Once(child) => {
                self.number(4);
                self.number(u64::from(*child));
            }
        }
    }

    fn params(&mut self, params: &Params) {
        self.number(
            u64::from(params.lead) << 2 | u64::from(params.implicit != 0) << 1 | u64::from(parameter_bits(params) != 0),
        );
        if params.implicit != 0 {
            self.number(u64::from(params.implicit));
        }
        if parameter_bits(params) == 0 {
            return;
        }
        self.number(parameter_bits(params));
        if !params.optional_entries.is_empty() {
            self.list(&params.optional_entries, |w, entry| w.number(u64::from(*entry)));
        }
        if params.post != 0 {
            self.number(u64::from(params.post));
        }
        if !params.keywords.is_empty() {
            self.list(&params.keywords, |w, keyword| {
                w.name(&keyword.name);
                w.number(u64::from(keyword.required));
            });
        }
    }
}
