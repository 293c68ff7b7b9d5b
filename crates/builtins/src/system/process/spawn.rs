//! Starting programs: the arguments and options of `spawn`, `system` and `exec`.

use crate::system::errno::errno;
use crate::system::io::{IoRef, path_arg};
use crate::system::system_call::opening;
use carat_os::c;
use carat_os::process::{Action, Program, StartError, StartPlace};
use carat_vm::{Array, Ec, Hash, Rest, Result, Str, Value};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;

/// A program with the name that messages give it.
pub(super) struct Request {
    pub(super) program: Program,
    pub(super) name: Vec<u8>,
    /// `exception:` of `system`.
    pub(super) raises: bool,
    environment: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    clears_environment: bool,
    /// Descriptors opened for the child alone.
    opened: Vec<i32>,
    /// The child's descriptors that are redirected, and to what.
    redirected: Vec<(i32, Redirection)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Redirection {
    Closed,
    /// To something of the parent's, or to a file.
    Outside,
    /// To what another of the child's descriptors is redirected to.
    Child(i32),
}

impl Drop for Request {
    fn drop(&mut self) {
        self.opened.iter().for_each(|fd| drop(carat_os::close(*fd)));
    }
}

fn c_string(ec: &mut Ec, bytes: &[u8]) -> Result<CString> {
    CString::new(bytes).map_err(|_| ec.argument_error("string contains null byte"))
}

fn string_bytes(ec: &mut Ec, value: Value) -> Result<Vec<u8>> {
    let s = ec.to_str(value)?;
    if s.bytes(ec).contains(&0) {
        return Err(ec.argument_error("string contains null byte"));
    }
    s.owned_bytes(ec)
}

/// Reads `[env,] command… [, options]`.
pub(super) fn request(ec: &mut Ec, args: Rest) -> Result<Request> {
    let mut request = Request {
        program: Program::default(),
        name: Vec::new(),
        raises: false,
        environment: Vec::new(),
        clears_environment: false,
        opened: Vec::new(),
        redirected: Vec::new(),
    };
    let (mut first, mut last) = (0, args.len());
    if let Some(env) = args.get(0).filter(|v| Str::from_value(*v).is_none() && Array::from_value(*v).is_none())
        && let Some(env) = ec.check_hash(env)?
    {
        read_environment(ec, &mut request, env)?;
        first = 1;
    }
    let options = match args.get(last.wrapping_sub(1)).filter(|_| last > first) {
        Some(v) if Hash::from_value(v).is_some() => Hash::from_value(v),
        _ => None,
    };
    last -= usize::from(options.is_some());
    if first >= last {
        return Err(ec.argument_error("wrong number of arguments (given 0, expected 1+)"));
    }
    if let Some(options) = options {
        read_options(ec, &mut request, options)?;
    }
    read_command(ec, &mut request, args, first, last)?;
    finish_environment(ec, &mut request)?;
    Ok(request)
}

fn read_environment(ec: &mut Ec, request: &mut Request, env: Hash) -> Result<()> {
    let mut position = 0;
    while let Some(next) = env.next(ec, position) {
        position = next;
        let (key, value) = (env.key_at(ec, next - 1), env.value_at(ec, next - 1));
        let key = string_bytes(ec, key)?;
        if key.contains(&b'=') {
            return Err(
                ec.argument_error(&format!("environment name contains a equal : {}", String::from_utf8_lossy(&key)))
            );
        }
        let value = if value.is_nil() { None } else { Some(string_bytes(ec, value)?) };
        request.environment.push((key, value));
    }
    Ok(())
}

fn finish_environment(ec: &mut Ec, request: &mut Request) -> Result<()> {
    let mut all: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    if !request.clears_environment {
        all = std::env::vars_os().map(|(k, v)| (k.as_bytes().to_vec(), v.as_bytes().to_vec())).collect();
    }
    for (key, value) in std::mem::take(&mut request.environment) {
        all.retain(|(k, _)| *k != key);
        if let Some(value) = value {
            all.push((key, value));
        }
    }
    for (key, value) in all {
        let entry = c_string(ec, &[key, value].join(&b'='))?;
        request.program.envp.push(entry);
    }
    Ok(())
}

/// Characters and words that only a shell understands.
fn needs_shell(command: &[u8]) -> bool {
    const BUILTIN: [&[u8]; 27] = [
        b"alias",
        b"bg",
        b"break",
        b"case",
        b"cd",
        b"continue",
        b"eval",
        b"exec",
        b"exit",
        b"export",
        b"fg",
        b"for",
        b"if",
        b"jobs",
        b"read",
        b"readonly",
        b"return",
        b"set",
        b"shift",
        b"source",
        b"times",
        b"trap",
        b"ulimit",
        b"umask",
        b"unset",
        b"until",
        b"while",
    ];
    let first = command.split(|b| b.is_ascii_whitespace()).find(|w| !w.is_empty()).unwrap_or_default();
    command.iter().any(|b| b"*?{}[]<>()~&|\\$;'`\"\n#=%".contains(b))
        || BUILTIN.contains(&first)
        || first == b"."
        || first == b":"
}

fn read_command(ec: &mut Ec, request: &mut Request, args: Rest, first: usize, last: usize) -> Result<()> {
    let command = args.get(first).unwrap_or(Value::NIL);
    let is_text = Str::from_value(command).is_some();
    if let Some(pair) = if is_text { None } else { ec.check_array(command)? } {
        if pair.len(ec) != 2 {
            return Err(ec.argument_error("wrong first argument"));
        }
        let (file, name) = (string_bytes(ec, pair.at(ec, 0))?, string_bytes(ec, pair.at(ec, 1))?);
        return direct(ec, request, file, name, args, first + 1, last);
    }
    let text = string_bytes(ec, command)?;
    if last - first > 1 {
        return direct(ec, request, text.clone(), text, args, first + 1, last);
    }
    request.name = text.clone();
    if needs_shell(&text) {
        request.program.files = vec![c"/bin/sh".into()];
        request.program.argv = vec![c"sh".into(), c"-c".into(), c_string(ec, &text)?];
        return Ok(());
    }
    let words: Vec<&[u8]> = text.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty()).collect();
    let file = words.first().copied().unwrap_or_default().to_vec();
    request.name.clone_from(&file);
    request.program.files = candidates(ec, request, &file)?;
    for word in words {
        let word = c_string(ec, word)?;
        request.program.argv.push(word);
    }
    if file.is_empty() {
        request.program.argv.push(CString::default());
    }
    Ok(())
}

fn direct(
    ec: &mut Ec,
    request: &mut Request,
    file: Vec<u8>,
    name: Vec<u8>,
    args: Rest,
    from: usize,
    to: usize,
) -> Result<()> {
    request.program.files = candidates(ec, request, &file)?;
    request.name = file;
    let name = c_string(ec, &name)?;
    request.program.argv.push(name);
    for value in args.iter().take(to).skip(from) {
        let bytes = string_bytes(ec, value)?;
        let bytes = c_string(ec, &bytes)?;
        request.program.argv.push(bytes);
    }
    Ok(())
}

/// Where the program may lie: as given, or in the directories of PATH.
fn candidates(ec: &mut Ec, request: &Request, file: &[u8]) -> Result<Vec<CString>> {
    if file.contains(&b'/') || file.is_empty() {
        return Ok(vec![c_string(ec, file)?]);
    }
    let given = request.environment.iter().rev().find(|(k, _)| k == b"PATH").and_then(|(_, v)| v.clone());
    let path = given
        .or_else(|| std::env::var_os("PATH").map(|p| p.as_bytes().to_vec()))
        .unwrap_or_else(|| b"/usr/local/bin:/usr/bin:/bin".to_vec());
    path.split(|b| *b == b':')
        .map(|dir| c_string(ec, &[if dir.is_empty() { b"." } else { dir }, file].join(&b'/')))
        .collect()
}

// ---- options ----

fn read_options(ec: &mut Ec, request: &mut Request, options: Hash) -> Result<()> {
    let mut redirections = Vec::new();
    let mut position = 0;
    while let Some(next) = options.next(ec, position) {
        position = next;
        let (key, value) = (options.key_at(ec, next - 1), options.value_at(ec, next - 1));
        let name = key.as_symbol().map(|s| ec.vm().symbol_text(s)).unwrap_or_default();
        if !read_named(ec, request, &name, value)? {
            check_redirection(ec, key, &name)?;
            redirections.push(next - 1);
        }
    }
    for index in &redirections {
        let (key, value) = (options.key_at(ec, *index), options.value_at(ec, *index));
        note_targets(ec, request, key, value)?;
    }
    check_child_redirections(ec, request)?;
    // A copy of another of the child's descriptors comes after those that open something.
    for is_child_pass in [false, true] {
        for index in &redirections {
            let (key, value) = (options.key_at(ec, *index), options.value_at(ec, *index));
            redirect(ec, request, key, value, is_child_pass)?;
        }
    }
    Ok(())
}

fn read_named(ec: &mut Ec, request: &mut Request, name: &str, value: Value) -> Result<bool> {
    match name {
        "chdir" => {
            let dir = path_arg(ec, value)?;
            request.program.chdir = Some(c_string(ec, &dir)?);
        }
        "umask" => request.program.umask = Some(ec.to_long(value)? as u32),
        "pgroup" => {
            request.program.pgroup = match value {
                Value::TRUE => Some(0),
                Value::NIL | Value::FALSE => None,
                value => {
                    let group = ec.to_long(value)?;
                    if group < 0 {
                        return Err(ec.argument_error(&format!("negative process group ID : {group}")));
                    }
                    Some(group as i32)
                }
            }
        }
        "uid" => request.program.uid = Some(identity(ec, value, "UID")?),
        "gid" => request.program.gid = Some(identity(ec, value, "GID")?),
        "unsetenv_others" => request.clears_environment = flag(ec, name, value)?,
        "close_others" => request.program.close_others = flag(ec, name, value)?,
        "exception" => request.raises = flag(ec, name, value)?,
        name => match name.strip_prefix("rlimit_").filter(|name| super::limits::is_resource(name)) {
            Some(name) => read_limit(ec, request, name, value)?,
            None => return Ok(false),
        },
    }
    Ok(true)
}

fn is_standard(ec: &Ec, key: Value) -> bool {
    key.as_symbol().is_some_and(|symbol| standard(&ec.vm().symbol_text(symbol)).is_some())
}

fn is_descriptor(ec: &mut Ec, key: Value) -> Result<bool> {
    if key.is_fixnum() || IoRef::from_value(key).is_some() {
        return Ok(true);
    }
    Ok(ec.call_if_responds(key, carat_vm::sym::TO_IO, &[])?.and_then(IoRef::from_value).is_some())
}

/// An option without a name of its own names descriptors of the child.
fn check_redirection(ec: &mut Ec, key: Value, name: &str) -> Result<()> {
    if is_standard(ec, key) || Array::from_value(key).is_some() {
        return Ok(());
    }
    if key.is_symbol() {
        return Err(ec.argument_error(&format!("wrong exec option symbol: {name}")));
    }
    if is_descriptor(ec, key)? {
        return Ok(());
    }
    let class = ec.class_of(key).real().to_text(ec);
    Err(ec.argument_error(&format!("wrong exec option: {class}")))
}

/// The number of a user or group, which may be given by name.
fn identity(ec: &mut Ec, value: Value, module: &str) -> Result<u32> {
    let Some(name) = ec.check_string(value)? else { return Ok(ec.to_long(value)? as u32) };
    let process = ec.vm().known().object;
    let process = process.own_constant_value(ec, ec.vm().intern("Process"))?.unwrap_or(Value::NIL);
    let module = ec.constant_from_value(process, ec.vm().intern(module))?;
    let number = ec.call(module, ec.vm().intern("from_name"), &[name.value()])?;
    Ok(ec.to_long(number)? as u32)
}

/// An option that must be true, false or nil.
fn flag(ec: &mut Ec, name: &str, value: Value) -> Result<bool> {
    if matches!(value, Value::TRUE | Value::FALSE | Value::NIL) {
        return Ok(value.truthy());
    }
    let shown = ec.inspect(value)?.to_text(ec);
    Err(ec.argument_error(&format!("expected true or false as {name}: {shown}")))
}

fn read_limit(ec: &mut Ec, request: &mut Request, name: &str, value: Value) -> Result<()> {
    let name = ec.str(name);
    let resource = super::limits::resource(ec, name)?;
    let (soft, hard) = match Array::from_value(value) {
        Some(one) if one.len(ec) == 1 => {
            let limit = super::limits::amount(ec, one.at(ec, 0))?;
            (limit, limit)
        }
        Some(pair) if pair.len(ec) != 2 => return Err(ec.argument_error("wrong exec rlimit value")),
        Some(pair) => (super::limits::amount(ec, pair.at(ec, 0))?, super::limits::amount(ec, pair.at(ec, 1))?),
        None => (super::limits::amount(ec, value)?, super::limits::amount(ec, value)?),
    };
    request.program.limits.push((resource, soft, hard));
    Ok(())
}

fn standard(name: &str) -> Option<i32> {
    ["in", "out", "err"].iter().position(|n| *n == name).map(|i| i as i32)
}

/// The child's descriptor that a key names.
fn target(ec: &mut Ec, key: Value) -> Result<i32> {
    if let Some(symbol) = key.as_symbol() {
        let name = ec.vm().symbol_text(symbol);
        return standard(&name).ok_or_else(|| ec.argument_error(&format!("wrong exec redirect symbol: {name}")));
    }
    if let Some(number) = key.as_fixnum() {
        return if number < 0 { Err(ec.argument_error("negative file descriptor")) } else { Ok(number as i32) };
    }
    if let Some(io) = IoRef::from_value(key) {
        crate::system::io::check_open(ec, io)?;
        check_simplex(ec, io)?;
        return Ok(io.get(ec).fd);
    }
    let found = ec.call_if_responds(key, carat_vm::sym::TO_IO, &[])?;
    match found.and_then(IoRef::from_value) {
        Some(io) => Ok(io.get(ec).fd),
        None => Err(ec.argument_error("wrong exec redirect action")),
    }
}

/// Each of the child's descriptors is redirected once.
fn note_targets(ec: &mut Ec, request: &mut Request, key: Value, value: Value) -> Result<()> {
    let redirection = match Array::from_value(value) {
        _ if is_symbol(ec, value, "close") => Redirection::Closed,
        Some(array) if is_symbol(ec, array.at(ec, 0), "child") => Redirection::Child(target(ec, array.at(ec, 1))?),
        _ => Redirection::Outside,
    };
    let keys = Array::from_value(key).unwrap_or_else(|| Array::from_slice(ec, &[key]));
    for index in 0..keys.len(ec) {
        let key = keys.at(ec, index);
        if !is_standard(ec, key) && !is_descriptor(ec, key)? {
            return Err(ec.argument_error("wrong exec redirect"));
        }
        let to = target(ec, key)?;
        if request.redirected.iter().any(|(redirected, _)| *redirected == to) {
            return Err(ec.argument_error(&format!("fd {to} specified twice")));
        }
        request.redirected.push((to, redirection));
    }
    Ok(())
}

/// What `[:child, fd]` names is redirected itself, and not in a circle.
fn check_child_redirections(ec: &mut Ec, request: &Request) -> Result<()> {
    let of = |fd: i32| request.redirected.iter().find(|(to, _)| *to == fd).map(|(_, redirection)| *redirection);
    for (_, redirection) in &request.redirected {
        let Redirection::Child(from) = *redirection else { continue };
        let mut at = of(from);
        let mut steps = 0;
        while let Some(Redirection::Child(next)) = at {
            steps += 1;
            if steps > request.redirected.len() {
                return Err(ec.argument_error(&format!("cyclic child fd redirection from {from}")));
            }
            at = of(next);
        }
        if at != Some(Redirection::Outside) {
            return Err(ec.argument_error(&format!("child fd {from} is not redirected")));
        }
    }
    Ok(())
}

/// Where a chain of redirections to the child's descriptors, which was checked, begins.
fn origin(request: &Request, mut from: i32) -> i32 {
    while let Some((_, Redirection::Child(next))) = request.redirected.iter().find(|(to, _)| *to == from) {
        from = *next;
    }
    from
}

/// A stream of two descriptors cannot stand for one.
fn check_simplex(ec: &mut Ec, io: IoRef) -> Result<()> {
    let (fd, write_fd) = (io.get(ec).fd, io.get(ec).write_fd());
    if fd >= 0 && write_fd >= 0 && fd != write_fd {
        return Err(ec.argument_error("duplex IO redirection"));
    }
    Ok(())
}

fn redirect(ec: &mut Ec, request: &mut Request, key: Value, value: Value, is_child_pass: bool) -> Result<()> {
    let Some(keys) = Array::from_value(key) else {
        let to = target(ec, key)?;
        return redirect_one(ec, request, to, value, is_child_pass);
    };
    let mut first = None;
    let mut index = 0;
    while let Some(key) = keys.get(ec, index) {
        index += 1;
        let to = target(ec, key)?;
        match first {
            None => redirect_one(ec, request, to, value, is_child_pass)?,
            Some(from) if !is_child_pass => request.program.actions.push(Action::Dup { from, to }),
            Some(_) => {}
        }
        first = first.or(Some(to));
    }
    Ok(())
}

fn redirect_one(ec: &mut Ec, request: &mut Request, to: i32, value: Value, is_child_pass: bool) -> Result<()> {
    let is_child = Array::from_value(value).is_some_and(|a| is_symbol(ec, a.at(ec, 0), "child"));
    // `err: :out` means the parent's standard output, wherever the child's goes: that is `[:child, :out]`.
    if is_child_pass != is_child {
        return Ok(());
    }
    let action = action(ec, request, to, value)?;
    request.program.actions.push(action);
    Ok(())
}

fn is_symbol(ec: &Ec, value: Value, name: &str) -> bool {
    value.as_symbol().is_some_and(|s| ec.vm().symbol_text(s) == name)
}

fn action(ec: &mut Ec, request: &mut Request, to: i32, value: Value) -> Result<Action> {
    if is_symbol(ec, value, "close") {
        return Ok(Action::Close(to));
    }
    if let Some(array) = Array::from_value(value) {
        if is_symbol(ec, array.at(ec, 0), "child") {
            let from = origin(request, target(ec, array.at(ec, 1))?);
            return Ok(Action::Dup { from, to });
        }
        let (mode, permissions) = (array.get(ec, 1), array.get(ec, 2));
        return open_action(ec, array.at(ec, 0), mode, permissions, to);
    }
    let is_path = Str::from_value(value).is_some()
        || (!value.is_symbol()
            && !value.is_fixnum()
            && IoRef::from_value(value).is_none()
            && ec.respond_to(value, carat_vm::sym::TO_PATH, true)?);
    if is_path {
        return open_action(ec, value, None, None, to);
    }
    let from = match IoRef::from_value(value) {
        Some(io) => {
            crate::system::io::check_open(ec, io)?;
            check_simplex(ec, io)?;
            crate::system::io::flush(ec, io)?;
            if to == 0 || io.get(ec).write_fd() < 0 { io.get(ec).fd } else { io.get(ec).write_fd() }
        }
        None => target(ec, value)?,
    };
    // A source that another action overwrites first is kept under a number of its own.
    let overwritten = request
        .program
        .actions
        .iter()
        .any(|a| matches!(a, Action::Dup { to, .. } | Action::Open { to, .. } if *to == from));
    if overwritten && let Ok(copy) = carat_os::dup(from) {
        request.opened.push(copy);
        return Ok(Action::Dup { from: copy, to });
    }
    Ok(Action::Dup { from, to })
}

fn open_action(ec: &mut Ec, path: Value, mode: Option<Value>, permissions: Option<Value>, to: i32) -> Result<Action> {
    let path = path_arg(ec, path)?;
    let flags = match mode.filter(|m| !m.is_nil()) {
        Some(mode) => crate::system::io::parse_mode(ec, mode)?.flags,
        None if to == 0 => c::O_RDONLY,
        None => c::O_WRONLY | c::O_CREAT | c::O_TRUNC,
    };
    let mode = match permissions {
        Some(p) => ec.to_long(p)? as u32,
        None => 0o644,
    };
    Ok(Action::Open { path: c_string(ec, &path)?, flags, mode, to })
}

/// Starts the program; what could not be started is an error.
pub(super) fn start(ec: &mut Ec, request: &Request) -> Result<std::result::Result<i32, StartError>> {
    crate::system::io::flush_standard(ec)?;
    crate::system::load::paths_changed(ec);
    let started = match opening(ec, || request.program.spawn()) {
        Ok(started) => started,
        Err(error) => return Ok(Err(error.into())),
    };
    // Other threads go on: one of them may open what the child waits for.
    match crate::system::system_call::short_system_call(ec, || started.outcome()) {
        Ok(Ok(None)) => Ok(Ok(started.pid)),
        Ok(Ok(Some(failed))) => Ok(Err(failed)),
        Ok(Err(error)) => Ok(Err(error.into())),
        // Nobody waits for the program any more.
        Err(unwind) => {
            started.give_up();
            Err(unwind)
        }
    }
}

pub(super) fn failure(ec: &mut Ec, failed: &StartError, request: &Request) -> carat_vm::Unwind {
    let action = match failed.place {
        StartPlace::Action(index) => request.program.actions.get(index),
        _ => None,
    };
    match (action, &request.program.chdir) {
        (Some(Action::Open { path, .. }), _) => errno(ec, &failed.error, path.as_bytes()),
        (Some(Action::Dup { .. }), _) if !request.raises => errno(ec, &failed.error, b"dup2"),
        (_, Some(folder)) if failed.place == StartPlace::Folder => errno(ec, &failed.error, folder.as_bytes()),
        _ => errno(ec, &failed.error, &request.name),
    }
}
