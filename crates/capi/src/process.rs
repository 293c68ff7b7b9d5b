//! Processes and the program itself.

use crate::boundary::{CValue, Function, Room, Text, constant, kernel_call, store, values};
use carat_vm::{Result, Value, sym};
use std::ffi::{c_char, c_int};

api! {
    fn rb_last_status_get(ec) -> Result {
        let process = ec.vm().known().process.value();
        ec.call(process, name!(ec, "last_status"), &[])
    }

    fn rb_process_status_wait(ec, pid: c_int, flags: c_int) -> Result {
        let status = crate::boundary::constant(ec, "Process::Status")?;
        let args = [Value::fixnum_unchecked(pid.into()), Value::fixnum_unchecked(flags.into())];
        ec.call(status, name!(ec, "wait"), &args)
    }

    fn rb_waitpid(ec, pid: c_int, status: *mut c_int, flags: c_int) -> Result<c_int> {
        let process = ec.vm().known().process.value();
        let args = [Value::fixnum_unchecked(pid.into()), Value::fixnum_unchecked(flags.into())];
        let found = ec.call(process, name!(ec, "wait"), &args)?;
        let last = ec.call(process, name!(ec, "last_status"), &[])?;
        if !last.is_nil() {
            let word = ec.call(last, sym::TO_I, &[])?;
            store(status, word.as_fixnum().unwrap_or(0) as c_int);
        }
        Ok(found.as_fixnum().unwrap_or(0) as c_int)
    }

    fn rb_detach_process(ec, pid: c_int) -> Result {
        let process = ec.vm().known().process.value();
        ec.call(process, name!(ec, "detach"), &[Value::fixnum_unchecked(pid.into())])
    }

    fn rb_spawn(ec, count: c_int, list: *const CValue) -> Result<c_int> {
        let pid = kernel_call(ec, name!(ec, "spawn"), values(count.into(), list, &mut Room::new()))?;
        Ok(pid.as_fixnum().unwrap_or(-1) as c_int)
    }

    fn rb_f_kill(ec, count: c_int, list: *const CValue) -> Result {
        let process = ec.vm().known().process.value();
        ec.call(process, name!(ec, "kill"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_f_abort(ec, count: c_int, list: *const CValue) -> Result {
        kernel_call(ec, name!(ec, "abort"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_proc_times(ec, _this: Value) -> Result {
        let process = ec.vm().known().process.value();
        ec.call(process, name!(ec, "times"), &[])
    }

    fn ruby_setenv(ec, name: Text, value: Text) -> Result<()> {
        let env = constant(ec, "ENV")?;
        let name = ec.str(&name.lossy());
        let value = if value.is_null() { Value::NIL } else { ec.str(&value.lossy()) };
        ec.call(env, sym::ASET, &[name, value]).map(drop)
    }

    fn ruby_unsetenv(ec, name: Text) -> Result<()> {
        let env = constant(ec, "ENV")?;
        let name = ec.str(&name.lossy());
        ec.call(env, name!(ec, "delete"), &[name]).map(drop)
    }

    fn ruby_script(ec, name: Text) -> Result<()> {
        let name = ec.str(&name.lossy());
        ec.set_global(name!(ec, "$0"), name)
    }

    fn rb_get_argv(ec) -> Result {
        constant(ec, "ARGV")
    }

    fn rb_sourcefile(ec) -> *const c_char {
        let (file, _) = ec.caller_position();
        let name = ec.vm().intern(file.as_deref().unwrap_or(""));
        crate::symbol::text_of(ec, name)
    }

    fn rb_sourceline(ec) -> c_int {
        ec.caller_position().1
    }

    fn rb_source_location_cstr(ec, line: *mut c_int) -> *const c_char {
        let (file, number) = ec.caller_position();
        store(line, number);
        let name = ec.vm().intern(file.as_deref().unwrap_or(""));
        crate::symbol::text_of(ec, name)
    }

    fn ruby_vm_at_exit(ec, function: Function) {
        let block = crate::block::proc_of_plain(ec, function, 0);
        ec.vm().at_exit(block.value());
    }

    fn carat_bug(ec, message: Value) -> Result<()> {
        let stderr = ec.global(sym::STDERR)?;
        let _ = ec.call(stderr, sym::PUTS, &[message]);
        std::process::abort()
    }

    fn carat_fatal(ec, message: Value) -> Result<()> {
        kernel_call(ec, name!(ec, "abort"), &[message]).map(drop)
    }

    /// What `ruby_verbose` is: a variable that the shim keeps is brought up to date, as C code may have written it.
    fn carat_verbose(ec) -> Value {
        ec.vm().verbose()
    }
}
