//! Special variables of a frame's method: `$~`, `$_` and what derives from them.

use crate::ec::{Ec, Result};
use crate::run::code::CodeKind;
use crate::run::frame::{BLOCK, BLOCK_ENV, Fp};
use carat_layout::{SymbolId, Value};

/// `getspecial` numbers.
const LAST_MATCH: i32 = 0;
const LAST_LINE: i32 = 5;
const FIRST_GROUP: i32 = 16;

/// The environment of the program's block that the method of an environment was given.
unsafe fn given_block_env(home: Fp) -> Option<Fp> {
    let mut env = home;
    // SAFETY: the environment of a method; one that was given a literal block has that block's environment.
    unsafe {
        while env.code().is_core {
            let home = env.method_env();
            if home.word(BLOCK) & 1 == 0 {
                return None;
            }
            env = Fp(home.word(BLOCK_ENV) as *mut Value);
        }
    }
    Some(env)
}

impl Ec {
    /// `$&`, `` $` ``, `$'` and `$+` (1 to 4) of the calling Ruby code.
    pub fn match_special(&mut self, kind: i32) -> Result {
        let last = self.last_match();
        match self.vm().hooks().match_part {
            Some(part) if !last.is_nil() => part(self, last, kind),
            _ => Ok(Value::NIL),
        }
    }

    /// Where the method around an environment of Ruby code keeps `$~`, if its code reads it.
    unsafe fn svar_place(&self, env: Fp) -> Option<(Fp, usize)> {
        // SAFETY: a live environment of Ruby code.
        unsafe {
            let mut env = env;
            loop {
                let code = env.code();
                if let Some(register) = code.linked().iseq.svar {
                    return Some((env, usize::from(register)));
                }
                if !code.kind.is_block() || env.parent().is_null() {
                    return None;
                }
                env = env.parent();
            }
        }
    }

    /// The environment of the program's own code whose `$~` and `$_` are meant. A block of the core library belongs to whoever
    /// called its method, and not to the `each` that yields to it.
    fn svar_env(&self) -> Option<Fp> {
        let mut fp = self.fp;
        // SAFETY: live frames, walked down, and their environments.
        unsafe {
            while !fp.is_null() {
                let code = fp.code();
                let is_native = matches!(code.kind, CodeKind::Native | CodeKind::Boundary);
                if !is_native && !code.is_core {
                    return Some(fp.env());
                }
                if !is_native && code.kind.is_block() {
                    let home = fp.env().method_env();
                    if let Some(method) = self.frame_with_env(fp, home) {
                        fp = method;
                    } else if let Some(env) = given_block_env(home) {
                        return Some(env);
                    }
                }
                fp = fp.caller();
            }
        }
        None
    }

    /// The frame below `fp` that has this environment, unless it has been left.
    unsafe fn frame_with_env(&self, fp: Fp, env: Fp) -> Option<Fp> {
        let mut fp = fp;
        // SAFETY: live frames, walked down; native frames and boundaries have no environment.
        unsafe {
            while !fp.is_null() {
                if !matches!(fp.code().kind, CodeKind::Native | CodeKind::Boundary) && fp.env() == env {
                    return Some(fp);
                }
                fp = fp.caller();
            }
        }
        None
    }

    /// The nearest frame of a program's own Ruby code, core code skipped.
    pub(crate) fn ruby_frame(&self) -> Option<Fp> {
        let mut fp = self.fp;
        // SAFETY: live frames, walked down.
        unsafe {
            while !fp.is_null() {
                let code = fp.code();
                if !matches!(code.kind, CodeKind::Native | CodeKind::Boundary) && !code.is_core {
                    return Some(fp);
                }
                fp = fp.caller();
            }
        }
        None
    }

    /// Whether a match needs to be remembered: the calling code reads `$~` or what derives from it.
    pub fn wants_last_match(&self) -> bool {
        // SAFETY: a live Ruby frame.
        self.svar_env().is_some_and(|env| unsafe { self.svar_place(env) }.is_some())
    }

    /// Sets `$~` of the calling Ruby code.
    pub fn set_last_match(&mut self, value: Value) {
        self.set_svar(0, value);
    }

    /// Sets `$_` of the calling Ruby code.
    pub fn set_last_line(&mut self, value: Value) {
        self.set_svar(1, value);
    }

    fn set_svar(&mut self, which: usize, value: Value) {
        let Some(env) = self.svar_env() else { return };
        // SAFETY: a live environment; the place is in it or in one that encloses it.
        unsafe {
            if let Some((env, register)) = self.svar_place(env) {
                if env == self.thread_home {
                    return self.thread_specials[which].set(value);
                }
                env.set_reg(register + which, value);
                if !self.stack.contains(env.0) {
                    self.heap().barrier(crate::run::proc::env_object(env), value);
                }
            }
        }
    }

    pub fn last_match(&self) -> Value {
        self.svar(0)
    }

    pub fn last_line(&self) -> Value {
        self.svar(1)
    }

    fn svar(&self, which: usize) -> Value {
        let Some(env) = self.svar_env() else { return Value::NIL };
        // SAFETY: as in `set_svar`.
        unsafe {
            match self.svar_place(env) {
                Some((env, _)) if env == self.thread_home => self.thread_specials[which].get(),
                Some((env, register)) => env.reg(register + which),
                None => Value::NIL,
            }
        }
    }

    #[inline(never)]
    pub(crate) unsafe fn special_variable(&mut self, _fp: Fp, kind: i32) -> Result {
        match kind {
            LAST_MATCH => Ok(self.last_match()),
            LAST_LINE => Ok(self.last_line()),
            kind => {
                let last = self.last_match();
                match self.vm().hooks().match_part {
                    Some(part) if !last.is_nil() => part(self, last, kind),
                    _ => Ok(Value::NIL),
                }
            }
        }
    }

    #[inline(never)]
    pub(crate) unsafe fn set_special_variable(&mut self, _fp: Fp, kind: i32, value: Value) -> Result<()> {
        if kind == LAST_LINE {
            self.set_last_line(value);
            return Ok(());
        }
        if !value.is_nil() && !self.is_a(value, self.vm().known().match_data) {
            return Err(self.wrong_type(value, "MatchData"));
        }
        self.set_last_match(value);
        Ok(())
    }

    #[inline(never)]
    pub(crate) unsafe fn named_capture(&mut self, _fp: Fp, name: SymbolId) -> Result {
        let last = self.last_match();
        match self.vm().hooks().match_named {
            Some(named) if !last.is_nil() => named(self, last, name),
            _ => Ok(Value::NIL),
        }
    }

    pub(crate) unsafe fn is_special_defined(&mut self, fp: Fp, kind: i32) -> Result<bool> {
        if kind == LAST_MATCH || kind == LAST_LINE {
            return Ok(true);
        }
        let _ = FIRST_GROUP;
        // SAFETY: by the caller.
        Ok(!unsafe { self.special_variable(fp, kind)? }.is_nil())
    }
}
