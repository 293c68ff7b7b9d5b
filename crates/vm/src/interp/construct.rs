//! `Class#new`: allocation, then `initialize` in a frame of its own.
//!
//! Between the caller and `initialize` stands a frame of two instructions: the object is its `self`, the result of
//! `initialize` lands in its only register, and it returns the object. No native frame is in the way, so a fiber may switch
//! or a block may break inside `initialize`. Backtraces leave the frame out.

use super::enter::{Entered, Return, enter_method, write_header};
use crate::args::{Given, GivenKeywords};
use crate::class::Class;
use crate::code::CodeData;
use crate::ec::{Ec, Result};
use crate::frame::{self, Fp};
use crate::link::LinkedIseq;
use crate::method::MethodEntry;
use crate::symbol::sym;
use carat_iseq::{Insn, Iseq, IseqFlags, IseqKind, Op, Params};
use carat_layout::{HeapType, Value};

/// Registers of the frame: the object, and the result that nobody asks for.
const FRAME_SIZE: u16 = 2;

fn code(ec: &mut Ec) -> &'static CodeData {
    if let Some(code) = ec.new_frame {
        return code;
    }
    let iseq = Iseq {
        kind: IseqKind::Method,
        name: b"new".as_slice().into(),
        path: "<internal:class>".into(),
        first_line: 0,
        insns: vec![Insn::abc(Op::ext, 1, 0, 0), Insn::abc(Op::leave, 0, 0, 0)],
        literals: Vec::new(),
        symbols: Vec::new(),
        sites: Vec::new(),
        children: Vec::new(),
        params: Params::default(),
        locals: Vec::new(),
        svar: None,
        catches: Vec::new(),
        pending_windows: Vec::new(),
        lines: Vec::new(),
        frame_size: FRAME_SIZE,
        local_size: FRAME_SIZE,
        flags: IseqFlags { is_core: true, ..IseqFlags::default() },
    };
    let linked = LinkedIseq::new(iseq);
    let code = CodeData::new(ec, linked, Value::NIL, Value::NIL, None);
    ec.vm().keep(code.this);
    ec.new_frame = Some(code);
    code
}

/// # Safety
/// As `push_frame`; register 0 of the window is the class.
pub(crate) unsafe fn enter_new(ec: &mut Ec, mut given: Given<'_>, ret: Return) -> Result<Entered> {
    // SAFETY: by contract.
    unsafe {
        let receiver = given.base.reg(0);
        if !receiver.is_type(HeapType::Class) {
            return Err(ec.wrong_type(receiver, "Class"));
        }
        let object = ec.allocate(Class::from_value_unchecked(receiver))?;
        let Some(initialize) = ec.find_method(object, sym::INITIALIZE).map(MethodEntry::value) else {
            return Ok(Entered::Done(object));
        };
        let own = code(ec);
        let outer = given.base;
        let words = given.argc + if let GivenKeywords::Static(names) = given.keywords { names.len() } else { 0 };
        let inner = Fp(outer.0.add(usize::from(FRAME_SIZE) + frame::HEADER));
        if inner.0.addr() + (words + 64) * 8 > ec.stack.argument_limit() {
            return Err(ec.stack_error());
        }
        std::ptr::copy(outer.0.add(1), inner.0.add(1), words);
        let (block, block_env) = given.block.words();
        write_header(outer, own, ret, block, block_env);
        outer.set_reg(0, object);
        outer.set_reg(1, Value::NIL);
        inner.set_reg(0, object);
        given.base = inner;
        let sp = ec.sp;
        ec.sp = inner.0.add(1 + words);
        let entered = enter_method(ec, initialize, sym::INITIALIZE, given, Return { pc: own.insns.add(1), fp: outer });
        ec.sp = sp;
        match entered? {
            Entered::Frame => Ok(Entered::Frame),
            Entered::Done(_) => Ok(Entered::Done(object)),
        }
    }
}
