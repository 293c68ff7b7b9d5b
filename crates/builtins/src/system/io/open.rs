//! Opening: modes, options, descriptors, pipes.

use super::encodings::{
    Conversion, Internal, Pair, conversion_options, encoding_from_value, parse_spec, resolve, skip_bom,
};
use super::{Io, IoRef, check_open, flush, path_arg, path_string};
use crate::system::errno::errno_in;
use crate::system::system_call::{opening, system_call};
use carat_os::c;
use carat_vm::call::Passing;
use carat_vm::{Array, CodeRange, Data, Ec, EncodingIndex, Hash, Keywords, Rest, Result, Str, Value, sym};

/// How to open: the flags of `open(2)` and what Ruby adds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mode {
    pub(crate) flags: i32,
    pub(crate) is_binary: bool,
    pub(crate) is_text: bool,
    /// The encodings that were asked for.
    pub(crate) encodings: Option<Pair>,
    pub(crate) has_bom: bool,
    pub(crate) conversion: Conversion,
}

impl Mode {
    pub(crate) fn is_readable(self) -> bool {
        self.flags & c::O_ACCMODE != c::O_WRONLY
    }

    pub(crate) fn is_writable(self) -> bool {
        self.flags & c::O_ACCMODE != c::O_RDONLY
    }
}

fn invalid_mode(ec: &mut Ec, mode: &[u8]) -> carat_vm::Unwind {
    ec.argument_error(&format!("invalid access mode {}", String::from_utf8_lossy(mode)))
}

/// Reads a mode: nil, flags, or a string such as "r+b:utf-8".
pub(crate) fn parse_mode(ec: &mut Ec, value: Value) -> Result<Mode> {
    if value.is_nil() {
        return Ok(Mode::default());
    }
    let value = match ec.check_string(value)? {
        Some(s) => s.value(),
        None => value,
    };
    if Str::from_value(value).is_none() && (ec.is_integer(value) || ec.respond_to(value, sym::TO_INT, true)?) {
        return Ok(Mode { flags: ec.to_long(value)? as i32, ..Mode::default() });
    }
    let s = ec.to_str(value)?;
    let text = s.bytes(ec).to_vec();
    let mut parts = text.splitn(2, |b| *b == b':');
    let Some(mut mode) = mode_letters(parts.next().unwrap_or_default()) else {
        return Err(invalid_mode(ec, &text));
    };
    if let Some(spec) = parts.next() {
        let (pair, has_bom) = parse_spec(ec, spec, true)?;
        (mode.encodings, mode.has_bom) = (Some(pair), has_bom);
    }
    Ok(mode)
}

fn mode_letters(letters: &[u8]) -> Option<Mode> {
    let (first, rest) = letters.split_first()?;
    let flags = match first {
        b'r' => c::O_RDONLY,
        b'w' => c::O_WRONLY | c::O_CREAT | c::O_TRUNC,
        b'a' => c::O_WRONLY | c::O_CREAT | c::O_APPEND,
        _ => return None,
    };
    let mut mode = Mode { flags, ..Mode::default() };
    for letter in rest {
        match letter {
            b'+' => mode.flags = mode.flags & !c::O_ACCMODE | c::O_RDWR,
            b'b' if !mode.is_text => mode.is_binary = true,
            b't' if !mode.is_binary => mode.is_text = true,
            b'x' if *first == b'w' => mode.flags |= c::O_EXCL,
            _ => return None,
        }
    }
    Some(mode)
}

fn option(ec: &mut Ec, options: Keywords, name: &str) -> Option<Value> {
    let name = ec.vm().intern(name);
    options.get(ec, name)
}

/// Mode and permissions from the arguments and options of `File.new` and `IO.new`.
pub(crate) fn mode_with_options(ec: &mut Ec, mode: Option<Value>, options: Keywords) -> Result<Mode> {
    let positional = mode.filter(|v| !v.is_nil());
    let named = option(ec, options, "mode").filter(|v| !v.is_nil());
    if positional.is_some() && named.is_some() {
        return Err(ec.argument_error("mode specified twice"));
    }
    let mut mode = parse_mode(ec, positional.or(named).unwrap_or(Value::NIL))?;
    if let Some(flags) = option(ec, options, "flags").filter(|v| !v.is_nil()) {
        mode.flags |= ec.to_long(flags)? as i32;
    }
    let has_letters = positional.or(named).is_some_and(|m| !m.is_fixnum());
    binary_options(ec, &mut mode, options, has_letters)?;
    encoding_options(ec, &mut mode, options)?;
    if mode.encodings.is_none() {
        let external = mode.is_binary.then_some(EncodingIndex::BINARY);
        mode.encodings = Some(resolve(ec, external, Internal::Default, false)?);
    }
    mode.conversion = conversion_options(ec, options)?;
    check_newlines(ec, &mode)?;
    Ok(mode)
}

/// Binary streams and other line ends exclude each other; so do wide encodings and text without conversion.
fn check_newlines(ec: &mut Ec, mode: &Mode) -> Result<()> {
    if mode.is_binary && mode.conversion.newline.is_some_and(|newline| newline.decorates) {
        return Err(ec.argument_error("newline decorator with binary mode"));
    }
    let pair = mode.encodings.unwrap_or_default();
    let is_wide = pair.external.is_some_and(|e| !e.is_ascii_compatible()) && pair.internal.is_none();
    if is_wide && mode.is_readable() && !mode.is_binary && !mode.has_bom {
        return Err(ec.argument_error("ASCII incompatible encoding needs binmode"));
    }
    Ok(())
}

fn binary_options(ec: &mut Ec, mode: &mut Mode, options: Keywords, has_letters: bool) -> Result<()> {
    let is_binary = option(ec, options, "binmode");
    let is_text = option(ec, options, "textmode");
    if is_binary.is_some_and(Value::truthy) {
        if mode.is_text {
            return Err(ec.argument_error("textmode specified when binmode is true"));
        }
        if mode.is_binary {
            return Err(ec.argument_error("binmode specified twice"));
        }
    }
    if is_text.is_some_and(Value::truthy) {
        if mode.is_binary || is_binary.is_some_and(Value::truthy) {
            return Err(ec.argument_error("both textmode and binmode specified"));
        }
        if mode.is_text {
            return Err(ec.argument_error("textmode specified twice"));
        }
    }
    let was_said = has_letters && (mode.is_binary || mode.is_text);
    if was_said && (is_binary.is_some() || is_text.is_some()) {
        let word = if is_binary.is_some() { "binmode" } else { "textmode" };
        return Err(ec.argument_error(&format!("{word} specified twice")));
    }
    mode.is_binary |= is_binary.is_some_and(Value::truthy);
    mode.is_text |= is_text.is_some_and(Value::truthy);
    Ok(())
}

fn encoding_options(ec: &mut Ec, mode: &mut Mode, options: Keywords) -> Result<()> {
    let had_spec = mode.encodings.is_some();
    let external = option(ec, options, "external_encoding");
    let internal = option(ec, options, "internal_encoding");
    let mut both = option(ec, options, "encoding").filter(|v| !v.is_nil());
    if let Some(ignored) = both.filter(|_| external.is_some() || internal.is_some()) {
        let shown = ec.to_s(ignored)?.to_text(ec);
        let used = if external.is_some() { "external" } else { "internal" };
        ec.warn(&format!("Ignoring encoding parameter '{shown}': {used}_encoding is used"))?;
        both = None;
    }
    let pair = match both {
        Some(both) => match ec.check_string(both)? {
            Some(spec) => {
                let spec = spec.bytes(ec).to_vec();
                let (pair, has_bom) = parse_spec(ec, &spec, true)?;
                mode.has_bom |= has_bom;
                pair
            }
            None => {
                let external = encoding_from_value(ec, both)?;
                resolve(ec, external, Internal::Default, false)?
            }
        },
        None if external.is_some_and(|v| !v.is_nil()) || internal.is_some() => {
            let external = encoding_from_value(ec, external.unwrap_or(Value::NIL))?;
            let internal = internal_option(ec, external, internal)?;
            resolve(ec, external, internal, false)?
        }
        None => return Ok(()),
    };
    if had_spec {
        return Err(ec.argument_error("encoding specified twice"));
    }
    mode.encodings = Some(pair);
    Ok(())
}

fn internal_option(ec: &mut Ec, external: Option<EncodingIndex>, given: Option<Value>) -> Result<Internal> {
    let Some(given) = given else { return Ok(Internal::Default) };
    let is_dash = ec.check_string(given)?.is_some_and(|s| s.bytes(ec) == b"-");
    if given.is_nil() || is_dash {
        return Ok(Internal::None);
    }
    Ok(match encoding_from_value(ec, given)? {
        Some(found) if Some(found) != external => Internal::Is(found),
        _ => Internal::None,
    })
}

/// Gives an IO its descriptor, mode and encodings.
pub(crate) fn open_onto(ec: &mut Ec, io: IoRef, fd: i32, mode: Mode, path: Option<Vec<u8>>) -> Result<()> {
    let contents = io.get_mut(ec);
    contents.attach(fd, mode);
    // A file that has no name was opened by its folder's.
    contents.path = path.filter(|_| mode.flags & c::O_TMPFILE != c::O_TMPFILE);
    contents.encodings = mode.encodings.unwrap_or_default();
    contents.conversion = mode.conversion.encode;
    if let Some(newline) = mode.conversion.newline {
        (contents.is_text, contents.newline) = (newline.is_universal, newline.written);
    }
    ec.wrote(io.value());
    if mode.has_bom
        && mode.is_readable()
        && let Some(found) = skip_bom(ec, io)?
    {
        io.get_mut(ec).encodings.external = Some(found);
    }
    Ok(())
}

/// `IO.new(fd, mode, **options)`
pub(super) fn initialize(ec: &mut Ec, io: IoRef, fd: i64, mode: Option<Value>, options: Keywords) -> Result {
    let fd = ec.to_c_int(fd)?;
    let actual = match carat_os::fcntl(fd, c::F_GETFL, 0) {
        Ok(flags) => flags,
        Err(e) => return Err(super::errno_bare(ec, &e)),
    };
    let has_mode = mode.is_some_and(|m| !m.is_nil()) || option(ec, options, "mode").is_some_and(|m| !m.is_nil());
    let mut given = mode_with_options(ec, mode, options)?;
    if !has_mode {
        given.flags |= actual & (c::O_ACCMODE | c::O_APPEND);
    }
    let (is, wanted) = (Mode { flags: actual, ..Mode::default() }, given);
    if (wanted.is_readable() && !is.is_readable()) || (wanted.is_writable() && !is.is_writable()) {
        return Err(super::errno_bare(ec, &std::io::Error::from_raw_os_error(c::EINVAL)));
    }
    let path = match option(ec, options, "path").filter(|v| !v.is_nil()) {
        Some(path) => Some(path_arg(ec, path)?),
        None => None,
    };
    open_onto(ec, io, fd, given, path)?;
    if let Some(autoclose) = option(ec, options, "autoclose") {
        io.get_mut(ec).autoclose = autoclose.truthy();
    }
    io.get_mut(ec).is_sync |= fd == 2;
    Ok(io.value())
}

/// As [`take_from_c`], for a stream that nothing has opened.
pub(super) fn take_if_new(ec: &mut Ec, io: IoRef) -> Result<()> {
    if !io.get(ec).is_initialized {
        take_from_c(ec, io)?;
    }
    Ok(())
}

/// Opens a stream as C code wrote in its record; whether there was one.
#[cold]
#[inline(never)]
pub(super) fn take_from_c(ec: &mut Ec, io: IoRef) -> Result<bool> {
    let Some(opened) = ec.opened_by_c(io.value()) else { return Ok(false) };
    let access = match (opened.is_readable, opened.is_writable) {
        (true, true) => c::O_RDWR,
        (false, true) => c::O_WRONLY,
        _ => c::O_RDONLY,
    };
    let mode = Mode {
        flags: access | if opened.is_append { c::O_APPEND } else { 0 },
        is_binary: opened.is_binary,
        is_text: opened.is_text,
        ..Mode::default()
    };
    let path = Str::from_value(opened.path);
    open_onto(ec, io, opened.fd, mode, path.map(|path| path.bytes(ec).to_vec()))?;
    let contents = io.get_mut(ec);
    contents.is_readable = opened.is_readable;
    contents.is_sync = opened.is_sync;
    (contents.lineno, contents.pid) = (opened.lineno.into(), opened.pid);
    if let Some(path) = path {
        io.get_mut(ec).path_encoding = path.encoding();
    }
    Ok(true)
}

pub(super) fn initialize_copy(ec: &mut Ec, io: IoRef, other: IoRef) -> Result {
    if io.value() == other.value() {
        return Ok(io.value());
    }
    if ec.is_frozen(io.value()) {
        return Err(ec.frozen_error(io.value()));
    }
    check_open(ec, other)?;
    flush(ec, other)?;
    super::buffer::give_back_unread(ec, other)?;
    let from = other.get(ec).fd;
    let fd = match opening(ec, || carat_os::dup(from)) {
        Ok(fd) => fd,
        Err(e) => return Err(super::errno_bare(ec, &e)),
    };
    copy_settings(ec, other, io, fd);
    let write_fd = other.get(ec).write_fd();
    if write_fd >= 0 && write_fd != other.get(ec).fd {
        match opening(ec, || carat_os::dup(write_fd)) {
            Ok(fd) => io.get_mut(ec).set_write_fd(fd),
            Err(e) => return Err(super::errno_bare(ec, &e)),
        }
    }
    Ok(io.value())
}

fn copy_settings(ec: &mut Ec, from: IoRef, to: IoRef, fd: i32) {
    let from = from.get(ec);
    let (settings, path, lineno) = (settings_of(from), from.path.clone(), from.lineno);
    let path_encoding = from.path_encoding;
    let (is_sync, encodings, conversion, newline) = (from.is_sync, from.encodings, from.conversion, from.newline);
    let timeout = from.timeout;
    let (target, to) = (to.value(), to.get_mut(ec));
    to.attach(fd, settings);
    (to.path, to.lineno, to.is_sync, to.encodings) = (path, lineno, is_sync, encodings);
    (to.conversion, to.newline, to.path_encoding) = (conversion, newline, path_encoding);
    to.timeout = timeout;
    ec.wrote(target);
}

fn settings_of(io: &Io) -> Mode {
    let access = match (io.is_readable, io.is_writable) {
        (true, true) => c::O_RDWR,
        (false, true) => c::O_WRONLY,
        _ => c::O_RDONLY,
    };
    Mode {
        flags: access | if io.is_append { c::O_APPEND } else { 0 },
        is_binary: io.is_binmode,
        is_text: io.is_text,
        ..Mode::default()
    }
}

pub(super) fn for_fd(ec: &mut Ec, class: Value, fd: Value, mode: Option<Value>, options: Keywords) -> Result {
    let args = [fd, mode.unwrap_or(Value::NIL)];
    let used = if mode.is_some() { &args[..] } else { &args[..1] };
    ec.call_with(class, carat_vm::sym::NEW, used, carat_vm::call::Passing { keywords: options.0, block: None })
}

/// Opens a file by name; errors name it as CRuby does.
pub(crate) fn open_path(
    ec: &mut Ec,
    (path, encoding): (&[u8], EncodingIndex),
    flags: i32,
    permissions: u32,
) -> Result<i32> {
    match system_call(ec, || crate::system::file::carried::open(path, flags, permissions))? {
        Ok(fd) => Ok(fd),
        Err(e) => Err(errno_in(ec, &e, "rb_sysopen", (path, encoding))),
    }
}

pub(super) fn sysopen(
    ec: &mut Ec,
    _class: Value,
    path: Value,
    mode: Option<Value>,
    permissions: Option<Value>,
) -> Result<i64> {
    let path = path_arg(ec, path)?;
    let mode = parse_mode(ec, mode.unwrap_or(Value::NIL))?;
    let permissions = match permissions.filter(|p| !p.is_nil()) {
        Some(p) => ec.to_long(p)? as u32,
        None => 0o666,
    };
    open_path(ec, (&path, EncodingIndex::UTF_8), mode.flags, permissions).map(i64::from)
}

pub(super) fn try_convert(ec: &mut Ec, _class: Value, value: Value) -> Result {
    if IoRef::from_value(value).is_some() {
        return Ok(value);
    }
    match ec.call_if_responds(value, carat_vm::sym::TO_IO, &[])? {
        None | Some(Value::NIL) => Ok(Value::NIL),
        Some(found) if IoRef::from_value(found).is_some() => Ok(found),
        Some(found) => {
            let class = ec.describe_for_type_error(value);
            let given = ec.describe_for_type_error(found);
            Err(ec.type_error(&format!("can't convert {class} into IO ({class}#to_io gives {given})")))
        }
    }
}

/// `reopen(io)` and `reopen(path, mode)`
pub(super) fn reopen(ec: &mut Ec, io: IoRef, other: Value, mode: Option<Value>, options: Keywords) -> Result {
    let source = match IoRef::from_value(other) {
        Some(source) => Some(source),
        None => match ec.call_if_responds(other, carat_vm::sym::TO_IO, &[])? {
            Some(found) => Some(super::to_io(ec, found)?),
            None => None,
        },
    };
    match source {
        Some(source) => reopen_io(ec, io, source)?,
        None => reopen_path(ec, io, other, mode, options)?,
    }
    Ok(io.value())
}

fn reopen_io(ec: &mut Ec, io: IoRef, source: IoRef) -> Result<()> {
    check_open(ec, io)?;
    check_open(ec, source)?;
    if io.value() == source.value() {
        return Ok(());
    }
    flush(ec, source)?;
    if io.get(ec).fd >= 0 {
        flush(ec, io)?;
        let contents = io.get_mut(ec);
        let ahead = contents.unread().len();
        if ahead > 0 && carat_os::seek(contents.fd, -(ahead as i64), c::SEEK_CUR).is_ok() {
            contents.drop_unread();
        }
    }
    let position =
        carat_os::seek(source.get(ec).fd, 0, c::SEEK_CUR).ok().map(|p| p - source.get(ec).unread().len() as i64);
    let fd = move_descriptor(ec, io, source.get(ec).fd)?;
    let is_sync = io.get(ec).is_sync;
    copy_settings(ec, source, io, fd);
    let contents = io.get_mut(ec);
    contents.is_sync |= is_sync;
    contents.ends_by_sigpipe = false;
    contents.drop_unread();
    if let Some(position) = position.filter(|_| contents.is_readable) {
        let _ = carat_os::seek(fd, position, c::SEEK_SET);
    }
    Ok(())
}

/// Makes the IO's descriptor refer to what `from` refers to; the number stays if there is one.
fn move_descriptor(ec: &mut Ec, io: IoRef, from: i32) -> Result<i32> {
    let to = io.get(ec).fd;
    let moved = if to >= 0 { carat_os::dup_onto(from, to).map(|()| to) } else { carat_os::dup(from) };
    moved.map_err(|e| super::errno_bare(ec, &e))
}

fn reopen_path(ec: &mut Ec, io: IoRef, path: Value, mode: Option<Value>, options: Keywords) -> Result<()> {
    let path = path_arg(ec, path)?;
    let has_mode = mode.is_some_and(|m| !m.is_nil()) || !options.is_empty(ec);
    let given = if has_mode { mode_with_options(ec, mode, options)? } else { settings_of(io.get(ec)) };
    let is_write_only = !has_mode && given.flags & c::O_ACCMODE == c::O_WRONLY;
    let truncates = if given.flags & c::O_APPEND == 0 { c::O_TRUNC } else { 0 };
    let extra = if is_write_only { c::O_CREAT | truncates } else { 0 };
    if io.get(ec).fd >= 0 {
        flush(ec, io)?;
    }
    let opened = open_path(ec, (&path, EncodingIndex::UTF_8), given.flags | extra, 0o666)?;
    let fd = if io.get(ec).fd >= 0 {
        let fd = move_descriptor(ec, io, opened)?;
        let _ = carat_os::close(opened);
        fd
    } else {
        opened
    };
    let contents = io.get_mut(ec);
    contents.drop_unread();
    open_onto(ec, io, fd, given, Some(path))
}

/// `Primitive.io_new(class, args, options)`: an initialized IO, whatever a class has made of `new`.
/// Allocates: yes. Calls Ruby: `initialize`.
pub(super) fn new(ec: &mut Ec, class: carat_vm::Class, args: Array, options: Hash) -> Result {
    let io = ec.allocate(class)?;
    let passing = Passing { keywords: (!options.is_empty(ec)).then_some(options), ..Passing::default() };
    ec.call_with_array(io, sym::INITIALIZE, args, passing)?;
    Ok(io)
}

/// `Primitive.io_pipe(class)`: two IOs.
pub(super) fn pipe(ec: &mut Ec, class: carat_vm::Class) -> Result {
    let (reader, writer) = match opening(ec, carat_os::pipe) {
        Ok(ends) => ends,
        Err(e) => return Err(super::errno_bare(ec, &e)),
    };
    let pair = Array::new(ec, 2);
    for (fd, flags) in [(reader, c::O_RDONLY), (writer, c::O_WRONLY)] {
        let io = Data::new(ec, class, Io::new(ec));
        let args = [ec.int(i64::from(fd)), ec.int(i64::from(flags))];
        ec.call(io.value(), sym::INITIALIZE, &args)?;
        io.get_mut(ec).is_sync = fd == writer;
        pair.push(ec, io.value());
    }
    Ok(pair.value())
}

/// `Primitive.io_attach(class, read_fd, write_fd, options)`: the IO of a `popen`; -1 for no descriptor.
pub(super) fn attach_pipe(ec: &mut Ec, class: carat_vm::Class, read: i64, write: i64, options: Hash) -> Result {
    let parsed = mode_with_options(ec, None, Keywords(Some(options)))?;
    let io = Data::new(ec, class, Io::new(ec));
    let main = if read >= 0 { read } else { write } as i32;
    open_onto(ec, io, main, parsed, None)?;
    let contents = io.get_mut(ec);
    contents.is_readable = read >= 0;
    contents.is_writable = write >= 0;
    contents.set_write_fd(write as i32);
    contents.is_sync = true;
    Ok(io.value())
}

/// `Primitive.io_end_popen(io)`: closes the stream of a `popen` whose block has ended and waits for the program, unless the thread
/// is being killed.
pub(super) fn end_popen(ec: &mut Ec, io: IoRef) -> Result {
    if io.get(ec).fd < 0 {
        return Ok(Value::NIL);
    }
    if !ec.thread_data().get(ec).is_aborting() {
        return super::manage::close(ec, io);
    }
    let pid = io.get_mut(ec).pid.take();
    super::manage::close(ec, io)?;
    if let Some(pid) = pid {
        crate::system::process::reap_child(ec, pid);
    }
    Ok(Value::NIL)
}

/// `File.new`: a descriptor number or a path.
pub(crate) fn initialize_file(ec: &mut Ec, io: IoRef, args: Rest, options: Keywords) -> Result {
    if io.get(ec).is_initialized {
        return Err(ec.runtime_error("reinitializing File"));
    }
    let (Some(path), mode, permissions, None) = (args.get(0), args.get(1), args.get(2), args.get(3)) else {
        return Err(ec.arity_error(args.len(), 1, Some(3)));
    };
    if path.is_fixnum() {
        let fd = ec.to_long(path)?;
        return initialize(ec, io, fd, mode, options);
    }
    open_file_onto(ec, io, path, (mode, permissions), options)
}

/// `Primitive.file_open(path, mode, permissions, options)`: a File, whatever a program has made of `File.open` and its kin.
/// Allocates: yes. Calls Ruby: to convert the arguments.
pub(super) fn open_file(ec: &mut Ec, path: Value, mode: Value, permissions: Value, options: Hash) -> Result {
    let given = [mode, permissions].map(|value| (!value.is_nil()).then_some(value));
    let class = ec.vm().known().file;
    let io = Data::new(ec, class, Io::new(ec));
    open_file_onto(ec, io, path, given.into(), Keywords(Some(options)))
}

type ModeAndPermissions = (Option<Value>, Option<Value>);

fn open_file_onto(
    ec: &mut Ec,
    io: IoRef,
    path: Value,
    (mode, permissions): ModeAndPermissions,
    options: Keywords,
) -> Result {
    let name = path_string(ec, path)?;
    let path = name.owned_bytes(ec)?;
    let given = mode_with_options(ec, mode, options)?;
    let permissions = match permissions.or(option(ec, options, "perm")).filter(|p| !p.is_nil()) {
        Some(p) => ec.to_long(p)? as u32,
        None => 0o666,
    };
    let fd = open_path(ec, (&path, name.encoding()), given.flags, permissions)?;
    open_onto(ec, io, fd, given, Some(path))?;
    io.get_mut(ec).path_encoding = name.encoding();
    Ok(io.value())
}

pub(super) fn define_constants(ec: &mut Ec) {
    let io = ec.vm().known().io;
    let numbers = [
        ("SEEK_SET", i64::from(c::SEEK_SET)),
        ("SEEK_CUR", i64::from(c::SEEK_CUR)),
        ("SEEK_END", i64::from(c::SEEK_END)),
        ("SEEK_DATA", 3),
        ("SEEK_HOLE", 4),
        ("READABLE", 1),
        ("PRIORITY", 2),
        ("WRITABLE", 4),
    ];
    for (name, value) in numbers {
        io.set_constant(ec, ec.vm().intern(name), ec.int(value));
    }
}

/// The path as a string, for `path` and `inspect`.
pub(super) fn path_value(ec: &Ec, io: IoRef) -> Option<Str> {
    let contents = io.get(ec);
    contents.path.as_ref().map(|path| Str::new(ec, path, contents.path_encoding, CodeRange::Unknown))
}
