//! Why a pattern did not match, for the message of NoMatchingPatternError.
//!
//! A `case` with one `in` and no `else`, and `=>`, tell which test failed last; in others the subject itself is
//! the message.

use crate::compiler::Compiler;
use crate::emit::{Label, Reg};
use carat_iseq::{Literal, Op};

/// Held registers of the description: a string, and `[hash, key]` if a key was missing (otherwise nil).
#[derive(Clone, Copy)]
pub(crate) struct ErrorRegisters {
    message: Reg,
    key: Reg,
}

/// A piece of a message.
pub(crate) enum Piece<'s> {
    Text(&'s str),
    /// The value of a register as `inspect` shows it.
    Inspect(Reg),
}

impl Compiler<'_, '_> {
    pub(crate) fn push_nil(&mut self) -> Reg {
        let dst = self.f.next_temp;
        self.f.nil(dst);
        self.f.hold(dst);
        dst
    }

    pub(crate) fn push_error_registers(&mut self) -> ErrorRegisters {
        let message = self.push_nil();
        ErrorRegisters { message, key: self.push_nil() }
    }

    /// Fails unless `test` is truthy.
    pub(crate) fn require(&mut self, test: Reg, fail: Label, message: &[Piece<'_>]) {
        self.require_if(test, true, fail, message);
    }

    pub(crate) fn require_if(&mut self, test: Reg, when: bool, fail: Label, message: &[Piece<'_>]) {
        let Some(registers) = self.pattern_error else { return self.jump_if(test, !when, fail) };
        let passes = self.f.label();
        self.jump_if(test, when, passes);
        self.message(message, registers.message);
        self.f.nil(registers.key);
        self.f.jump(fail);
        self.f.bind(passes);
    }

    /// Fails unless `test`, which says whether `hash` has `key`.
    pub(crate) fn require_key(&mut self, test: Reg, fail: Label, hash: Reg, key: Reg) {
        let Some(registers) = self.pattern_error else { return self.jump_if(test, false, fail) };
        let passes = self.f.label();
        self.jump_if(test, true, passes);
        self.message(&[Piece::Text("key not found: "), Piece::Inspect(key)], registers.message);
        self.scoped(|c| {
            let first = c.push_copy(hash);
            c.push_copy(key);
            c.f.abc(Op::newarray, registers.key, first, 2);
        });
        self.f.jump(fail);
        self.f.bind(passes);
    }

    fn message(&mut self, pieces: &[Piece<'_>], dst: Reg) {
        self.scoped(|c| {
            let first = c.f.next_temp;
            for piece in pieces {
                let register = c.f.next_temp;
                match piece {
                    Piece::Text(text) => c.f.put_literal(register, Literal::String(text.as_bytes().into(), "UTF-8")),
                    Piece::Inspect(value) => c.send_values(*value, b"inspect", &[], register),
                }
                c.f.hold(register);
            }
            c.f.abc(Op::concatstrings, dst, first, pieces.len() as u16);
        });
    }

    /// Raises for a subject that no clause took.
    pub(crate) fn raise_no_match(&mut self, subject: Reg) {
        self.scoped(|c| {
            let Some(registers) = c.pattern_error else {
                return c.f.nabc(Op::raise_nomatch, 0, subject, subject, 0);
            };
            let text = c.f.next_temp;
            c.f.reserve(text + 1);
            c.send_values(subject, b"inspect", &[], text);
            c.f.hold(text);
            c.f.put_literal(text + 1, Literal::String((*b": ").into(), "UTF-8"));
            c.f.hold(text + 1);
            c.push_copy(registers.message);
            c.f.abc(Op::concatstrings, text, text, 3);
            let other = c.f.label();
            c.f.branch(Op::branchnil, registers.key, other);
            c.f.nabc(Op::raise_nomatch, 1, text, registers.key, 0);
            c.f.bind(other);
            c.f.nabc(Op::raise_nomatch, 0, text, text, 0);
        });
    }
}
