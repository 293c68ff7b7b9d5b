//! `Process::Status` and `$?`.

use carat_os::c;
use carat_vm::vm::GlobalVariable;
use carat_vm::{Data, Ec, NativeData, Result, Str, SymbolId, Value, methods, sym};

pub(crate) struct Status {
    pub(crate) pid: i32,
    pub(crate) raw: i32,
}

impl NativeData for Status {
    const NAME: &'static str = "Process::Status";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

type StatusRef = Data<Status>;

pub(super) fn new(ec: &Ec, pid: i32, raw: i32) -> Value {
    Data::new(ec, ec.vm().known().process_status, Status { pid, raw }).value()
}

/// Where a thread keeps its `$?`.
const LAST: &str = "__last_status";

/// Sets the running thread's `$?`.
pub(super) fn set_last(ec: &Ec, status: Value) {
    ec.set_field(ec.current_thread(), ec.vm().intern(LAST), status);
}

pub(super) fn last(ec: &mut Ec, _this: Value) -> Value {
    ec.field(ec.current_thread(), ec.vm().intern(LAST)).unwrap_or(Value::NIL)
}

fn last_global(ec: &mut Ec, _name: SymbolId) -> Result {
    Ok(last(ec, Value::NIL))
}

fn exit_code(raw: i32) -> Option<i32> {
    c::WIFEXITED(raw).then(|| c::WEXITSTATUS(raw))
}

fn term_signal(raw: i32) -> Option<i32> {
    c::WIFSIGNALED(raw).then(|| c::WTERMSIG(raw))
}

fn stop_signal(raw: i32) -> Option<i32> {
    c::WIFSTOPPED(raw).then(|| c::WSTOPSIG(raw))
}

/// The process that a value is the status of; `None` if it is no status.
pub(super) fn pid_of(ec: &Ec, status: Value) -> Option<i32> {
    StatusRef::from_value(status).map(|s| s.get(ec).pid)
}

/// Process and raw status, as Marshal dumps them; `None` if it is no status.
pub(crate) fn parts(ec: &Ec, status: Value) -> Option<(i32, i32)> {
    StatusRef::from_value(status).map(|s| (s.get(ec).pid, s.get(ec).raw))
}

/// Fills a status that Marshal loads.
pub(crate) fn set_parts(ec: &mut Ec, status: Value, (pid, raw): (i32, i32)) {
    if let Some(status) = StatusRef::from_value(status) {
        *status.get_mut(ec) = Status { pid, raw };
    }
}

fn pid(ec: &mut Ec, s: StatusRef) -> i64 {
    i64::from(s.get(ec).pid)
}

fn to_i(ec: &mut Ec, s: StatusRef) -> i64 {
    i64::from(s.get(ec).raw)
}

fn exitstatus(ec: &mut Ec, s: StatusRef) -> Option<i64> {
    exit_code(s.get(ec).raw).map(i64::from)
}

fn is_success(ec: &mut Ec, s: StatusRef) -> Option<bool> {
    exit_code(s.get(ec).raw).map(|c| c == 0)
}

fn is_exited(ec: &mut Ec, s: StatusRef) -> bool {
    exit_code(s.get(ec).raw).is_some()
}

fn is_signaled(ec: &mut Ec, s: StatusRef) -> bool {
    term_signal(s.get(ec).raw).is_some()
}

fn termsig(ec: &mut Ec, s: StatusRef) -> Option<i64> {
    term_signal(s.get(ec).raw).map(i64::from)
}

fn is_stopped(ec: &mut Ec, s: StatusRef) -> bool {
    stop_signal(s.get(ec).raw).is_some()
}

fn stopsig(ec: &mut Ec, s: StatusRef) -> Option<i64> {
    stop_signal(s.get(ec).raw).map(i64::from)
}

fn is_coredump(ec: &mut Ec, s: StatusRef) -> bool {
    let raw = s.get(ec).raw;
    term_signal(raw).is_some() && raw & 0x80 != 0
}

fn equals(ec: &mut Ec, s: StatusRef, other: Value) -> Result<bool> {
    let raw = s.get(ec).raw;
    match StatusRef::from_value(other) {
        Some(other) => Ok(other.get(ec).raw == raw),
        None => {
            let number = ec.int(i64::from(raw));
            ec.equal(number, other)
        }
    }
}

fn describe(s: &Status) -> String {
    let mut text = format!("pid {}", s.pid);
    for (number, word) in [(stop_signal(s.raw), "stopped "), (term_signal(s.raw), "")] {
        if let Some(number) = number {
            match super::signal::name_of(number) {
                Some(name) => text.push_str(&format!(" {word}SIG{name} (signal {number})")),
                None => text.push_str(&format!(" {word}signal {number}")),
            }
        }
    }
    if let Some(code) = exit_code(s.raw) {
        text.push_str(&format!(" exit {code}"));
    }
    text
}

fn to_s(ec: &mut Ec, s: StatusRef) -> Str {
    let text = describe(s.get(ec));
    Str::from_text(ec, &text)
}

fn inspect(ec: &mut Ec, s: StatusRef) -> Str {
    let text = format!("#<Process::Status: {}>", describe(s.get(ec)));
    Str::from_text(ec, &text)
}

methods! {
    METHODS {
        "pid" => pid; "to_i" => to_i; "exitstatus" => exitstatus; "success?" => is_success; "exited?" => is_exited;
        "signaled?" => is_signaled; "termsig" => termsig; "stopped?" => is_stopped; "stopsig" => stopsig; "coredump?" => is_coredump;
        "==" => equals; "to_s" => to_s; "inspect" => inspect;
    }
}

fn read_only(ec: &mut Ec, name: SymbolId, _value: Value) -> Result<()> {
    let variable = ec.vm().symbol_text(name);
    Err(ec.name_error(&format!("{variable} is a read-only variable"), Value::NIL, name))
}

pub(super) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    let class = known.process_status;
    class.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, Status { pid: 0, raw: 0 }).value())));
    class.define_methods(ec, METHODS);
    if let Some(singleton) = ec.singleton_class_of(class.value()) {
        let undefined = carat_vm::method::MethodKind::Undefined;
        singleton.add_method(ec, sym::NEW, undefined, carat_vm::Visibility::Public, Value::NIL);
    }
    let mut variable = GlobalVariable::plain(Value::NIL, true);
    variable.getter = Some(last_global);
    variable.setter = Some(read_only);
    ec.vm().define_global(ec.vm().intern("$?"), variable);
}
