//! The text form that `--dump=insns` prints.

use crate::insn::hint;
use crate::{Draft, Insn, Iseq, LINE_EVENT, Literal, Op, Site};
use std::fmt::Write;

/// Prints an iseq and, after it, its children, in the layout of CRuby's listing.
pub fn disassemble(iseq: &Iseq) -> String {
    let mut out = String::new();
    write_iseq(&mut out, iseq);
    out
}

/// A piece of code, and the names of those in it.
struct Listing {
    draft: Draft,
    children: Vec<String>,
}

impl std::ops::Deref for Listing {
    type Target = Draft;

    fn deref(&self) -> &Draft {
        &self.draft
    }
}

impl Listing {
    fn line_at(&self, word: u32) -> i32 {
        let behind = self.lines.partition_point(|&(start, _)| start & !LINE_EVENT <= word);
        if behind == 0 { self.first_line } else { self.lines[behind - 1].1 }
    }
}

fn write_iseq(out: &mut String, code: &Iseq) {
    let children = code.children().map(|child| String::from_utf8_lossy(child.name()).into_owned()).collect();
    let iseq = &Listing { draft: code.draft(), children };
    let name = String::from_utf8_lossy(&iseq.name);
    let _ = writeln!(out, "== disasm: #<ISeq:{name}@{}:{}>", code.path(), iseq.first_line);
    for catch in &iseq.catches {
        let _ = writeln!(
            out,
            "| catch type: {:?} st: {:04} ed: {:04} cont: {:04} reg: r{}",
            catch.kind, catch.start, catch.end, catch.target, catch.register
        );
    }
    write_locals(out, iseq);
    let mut word = 0;
    let mut last_line = None;
    while word < iseq.insns.len() {
        let insn = iseq.insns[word];
        let line = iseq.line_at(word as u32);
        let text = operands(iseq, word);
        let mark = if last_line == Some(line) { String::new() } else { format!("({line:>4})") };
        let _ = writeln!(out, "{}", format!("{word:04} {:<20} {text:<50}{mark}", mnemonic(insn.op)).trim_end());
        last_line = Some(line);
        word += insn.op.format().words();
    }
    for child in code.children() {
        out.push('\n');
        write_iseq(out, &child);
    }
}

fn write_locals(out: &mut String, iseq: &Draft) {
    if iseq.locals.is_empty() {
        return;
    }
    let _ = write!(out, "local table (size: {})", iseq.locals.len());
    for local in &iseq.locals {
        let captured = if local.captured { "*" } else { "" };
        let _ = write!(out, " [r{}] {}{captured}", local.register, String::from_utf8_lossy(&local.name));
    }
    out.push('\n');
}

fn mnemonic(op: Op) -> &'static str {
    if op == Op::move_ { "move" } else { op.format().name }
}

fn operands(iseq: &Listing, word: usize) -> String {
    let insn = iseq.insns[word];
    let parts: Vec<String> =
        insn.op.format().operands.chars().filter_map(|kind| operand(iseq, word, insn, kind)).collect();
    parts.join(", ")
}

fn operand(iseq: &Listing, word: usize, insn: Insn, kind: char) -> Option<String> {
    let symbol = |i: u16| format!(":{}", String::from_utf8_lossy(&iseq.symbols[usize::from(i)]));
    Some(match kind {
        'a' => format!("r{}", insn.a),
        'b' => format!("r{}", insn.b),
        'c' => format!("r{}", insn.c),
        'A' => insn.a.to_string(),
        'B' => insn.b.to_string(),
        'C' => insn.c.to_string(),
        'n' => insn.n.to_string(),
        'h' => hints(insn.n)?,
        'i' => insn.d().to_string(),
        'j' => (insn.c as i16).to_string(),
        'o' => format!("{:04}", word as i64 + 1 + i64::from(insn.d())),
        'L' => literal(&iseq.literals[insn.d() as usize]),
        'M' => literal(&iseq.literals[usize::from(insn.c)]),
        'S' => symbol(insn.b),
        'T' => symbol(insn.c),
        's' => site(&iseq.sites[usize::from(insn.c)]),
        'K' => iseq.children[usize::from(insn.c)].clone(),
        'x' => ext(iseq, iseq.insns[word + 1]),
        'f' => {
            let branch = iseq.insns[word + 2];
            let target = word as i64 + 3 + i64::from(branch.d());
            format!("{}, {} {target:04}", ext(iseq, iseq.insns[word + 1]), mnemonic(branch.op))
        }
        'k' => format!("{:04}", word as i64 + 2 + i64::from(iseq.insns[word + 1].d())),
        'r' => format!("r{}", iseq.insns[word + 1].a),
        other => unreachable!("operand kind {other}"),
    })
}

fn hints(n: u8) -> Option<String> {
    let names = [
        (hint::LEFT_LITERAL, "left literal"),
        (hint::RIGHT_LITERAL, "right literal"),
        (hint::LINKED, "linked"),
        (hint::LEFT_FRESH, "fresh"),
    ];
    let known: Vec<&str> = names.iter().filter(|(bit, _)| n & bit != 0).map(|(_, name)| *name).collect();
    (!known.is_empty()).then(|| known.join(" "))
}

fn ext(iseq: &Draft, insn: Insn) -> String {
    match iseq.sites.get(usize::from(insn.c)) {
        Some(s) => format!("{} @{}", site(s), insn.b),
        None => format!("@{}", insn.b),
    }
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::String(bytes, _) => format!("{:?}", String::from_utf8_lossy(bytes)),
        Literal::Symbol(bytes, _) => format!(":{}", String::from_utf8_lossy(bytes)),
        Literal::Integer(i) => i.to_string(),
        Literal::BigInteger(digits) => digits.to_string(),
        Literal::Float(f) => f.to_string(),
        other => format!("{other:?}"),
    }
}

fn site(site: &Site) -> String {
    match site {
        Site::Call(ci) => {
            let name = String::from_utf8_lossy(&ci.name);
            let block = if ci.block.is_some() { ", block" } else { "" };
            format!("<{name}, argc:{}{block}>", ci.argc)
        }
        Site::InstanceVariable(name) | Site::ClassVariable(name) => String::from_utf8_lossy(name).into_owned(),
        Site::Constant(path) => {
            path.iter().map(|n| String::from_utf8_lossy(n).into_owned()).collect::<Vec<_>>().join("::")
        }
        Site::Once(child) => format!("once {child}"),
    }
}
