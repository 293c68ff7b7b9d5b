//! `IO` and the standard streams.
//!
//! # Layout
//! An IO is native data: descriptor, mode, encodings, a read buffer, and a write buffer that a registry shares so that what
//! was written reaches the system when the process ends.
//!
//! # Invariants
//! * `fd` is -1 before `initialize` and after `close`.
//! * At most one of the two buffers holds bytes: reading flushes, writing gives unread bytes back by seeking.
//! * A descriptor below 3 is never closed by a finaliser.
//!
//! # Not here
//! What yields: `core/io.rb`. Names of files: `file`.

mod buffer;
pub(crate) mod console;
mod converted;
mod encodings;
mod line;
mod manage;
mod open;
mod read;
pub(crate) mod scheduler;
mod select;
mod streams;
mod write;

pub(crate) use buffer::flush;
pub use buffer::wait_for;
pub(crate) use encodings::encoding_from_value;
pub(crate) use manage::{abandon, inspect_path};
pub(crate) use open::{Mode, initialize_file, parse_mode};
pub use select::set_nonblock;
pub(crate) use streams::flush_standard;
pub(crate) use write::{print_to, putc as putc_to, puts_to, write_both};

use crate::system::errno::{errno, errno_at, errno_bare};
use crate::text::encoding::{default_external, default_internal};
use carat_sync::Mutex;
use carat_text::transcode;
use carat_vm::thread::WaitList;
use carat_vm::{CodeRange, Data, Ec, EncodingIndex, NativeData, Result, Str, Unwind, Value, methods, primitives, sym};
use std::sync::{Arc, Weak};

/// Bytes that wait to be written, and where to.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) fd: i32,
    pub(crate) bytes: Vec<u8>,
    /// Whether `fd` is a terminal, once somebody asked.
    terminal: Option<bool>,
}

impl Pending {
    fn new() -> Pending {
        Pending { fd: -1, bytes: Vec::new(), terminal: None }
    }

    fn is_for_terminal(&mut self) -> bool {
        let fd = self.fd;
        *self.terminal.get_or_insert_with(|| fd >= 0 && carat_os::is_tty(fd))
    }

    /// Writes what is left without caring for errors: at exit and when an IO is collected.
    fn finish(&mut self) {
        let mut rest = &self.bytes[..];
        while self.fd >= 0 && !rest.is_empty() {
            match carat_os::write(self.fd, rest) {
                Ok(n) => rest = &rest[n..],
                Err(e) if e.raw_os_error() == Some(carat_os::c::EINTR) => {}
                Err(_) => break,
            }
        }
        self.bytes.clear();
    }
}

/// Write buffers of all open IOs.
#[derive(Default)]
struct Registry(Mutex<Vec<Weak<Mutex<Pending>>>>);

pub struct Io {
    pub fd: i32,
    pub(crate) is_initialized: bool,
    pub is_readable: bool,
    pub is_writable: bool,
    pub(crate) is_append: bool,
    pub(crate) is_sync: bool,
    /// The descriptors were found to be no sockets.
    pub(crate) is_no_socket: bool,
    pub(crate) is_binmode: bool,
    /// CR LF is read as LF.
    pub(crate) is_text: bool,
    pub(crate) autoclose: bool,
    pub(crate) lineno: i64,
    pub(crate) path: Option<Vec<u8>>,
    pub(crate) path_encoding: EncodingIndex,
    pub(crate) encodings: encodings::Pair,
    /// Options for `String#encode`, a Hash or nil.
    pub(crate) conversion: Value,
    pub(crate) newline: encodings::Newline,
    /// Read but not yet consumed: `unread[read_at..]`.
    pub(crate) unread: Vec<u8>,
    /// Text made of them, while the stream converts what it reads, and the conversion of what it writes.
    pub(crate) reading: Option<Box<converted::Reading>>,
    pub(crate) writing: Option<Box<carat_text::transcode::Converter>>,
    pub(crate) read_at: usize,
    pub(crate) pending: Arc<Mutex<Pending>>,
    /// Child of `popen`.
    pub(crate) pid: Option<i32>,
    /// The standard output that the process began with: when nobody reads it the program ends as of SIGPIPE.
    pub(crate) ends_by_sigpipe: bool,
    /// `IO#timeout`
    pub(crate) timeout: Option<f64>,
    pub(crate) visitors: scheduler::Visitors,
    /// The fiber that hands bytes to the system, or nil, and who waits for it.
    writer: Value,
    writers: WaitList,
}

impl NativeData for Io {
    const NAME: &'static str = "IO";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.conversion);
        mark(self.writer);
        self.writers.mark(mark);
        self.visitors.mark(mark);
    }

    fn memsize(&self) -> usize {
        let reading = self.reading.as_ref().map_or(0, |reading| reading.memsize());
        size_of::<Self>() + self.unread.capacity() + reading
    }
}

impl Io {
    fn new(ec: &Ec) -> Io {
        let pending = Arc::new(Mutex::new(Pending::new()));
        let registry = ec.vm().extension::<Registry>();
        let mut entries = registry.0.lock().unwrap_or_else(|e| e.into_inner());
        if entries.len() == entries.capacity() {
            entries.retain(|p| p.strong_count() > 0);
        }
        entries.push(Arc::downgrade(&pending));
        Io {
            fd: -1,
            is_initialized: false,
            is_readable: false,
            is_writable: false,
            is_append: false,
            is_sync: false,
            is_no_socket: false,
            is_binmode: false,
            is_text: false,
            autoclose: true,
            lineno: 0,
            path: None,
            path_encoding: EncodingIndex::UTF_8,
            encodings: encodings::Pair::default(),
            conversion: Value::NIL,
            newline: encodings::Newline::Lf,
            unread: Vec::new(),
            reading: None,
            writing: None,
            read_at: 0,
            pending,
            pid: None,
            ends_by_sigpipe: false,
            timeout: None,
            visitors: scheduler::Visitors::default(),
            writer: Value::NIL,
            writers: WaitList::default(),
        }
    }

    pub(crate) fn unread(&self) -> &[u8] {
        &self.unread[self.read_at..]
    }

    pub fn has_unread(&self) -> bool {
        self.read_at < self.unread.len()
    }

    /// Forgets what was read ahead.
    pub(crate) fn drop_unread(&mut self) {
        self.unread.clear();
        self.read_at = 0;
        self.reading = None;
    }

    /// Puts bytes in front of what is read next.
    pub(crate) fn push_back(&mut self, bytes: &[u8]) {
        if bytes.len() <= self.read_at {
            self.read_at -= bytes.len();
            self.unread[self.read_at..self.read_at + bytes.len()].copy_from_slice(bytes);
        } else {
            self.unread.splice(..self.read_at, bytes.iter().copied());
            self.read_at = 0;
        }
    }

    /// The descriptor that writes go to: that of a two-way pipe differs.
    pub(crate) fn write_fd(&self) -> i32 {
        self.pending.lock().unwrap_or_else(|e| e.into_inner()).fd
    }

    /// Names the descriptor that is written to, which may have become another file's.
    pub(crate) fn set_write_fd(&self, fd: i32) {
        let mut pending = self.pending.lock().unwrap_or_else(|e| e.into_inner());
        (pending.fd, pending.terminal) = (fd, None);
    }

    /// Opens onto a descriptor.
    pub(crate) fn attach(&mut self, fd: i32, mode: Mode) {
        self.fd = fd;
        self.is_initialized = true;
        self.is_no_socket = false;
        self.is_readable = mode.is_readable();
        self.is_writable = mode.is_writable();
        self.is_append = mode.flags & carat_os::c::O_APPEND != 0;
        self.is_binmode = mode.is_binary;
        self.is_text = mode.is_text;
        self.set_write_fd(if self.is_writable { fd } else { -1 });
    }
}

impl Drop for Io {
    fn drop(&mut self) {
        let mut pending = self.pending.lock().unwrap_or_else(|e| e.into_inner());
        pending.finish();
        if !self.autoclose {
            return;
        }
        for fd in [self.fd, pending.fd] {
            if fd > 2 {
                let _ = carat_os::close(fd);
            }
            if pending.fd == self.fd {
                break;
            }
        }
    }
}

pub type IoRef = Data<Io>;

/// Writes what all streams hold back. At exit; errors have nobody to go to.
pub fn flush_all(ec: &Ec) {
    let registry = ec.vm().extension::<Registry>();
    let entries = registry.0.lock().unwrap_or_else(|e| e.into_inner());
    for pending in entries.iter().filter_map(Weak::upgrade) {
        pending.lock().unwrap_or_else(|e| e.into_inner()).finish();
    }
}

// ---- errors ----

/// A system error of a stream in one of CRuby's functions. One without a path has nothing to name.
pub(crate) fn errno_of(ec: &mut Ec, error: &std::io::Error, io: IoRef, function: &str) -> Unwind {
    match io.get(ec).path.clone() {
        Some(path) => errno_at(ec, error, function, &path),
        None => errno_bare(ec, error),
    }
}

pub(crate) fn io_error(ec: &mut Ec, message: &str) -> Unwind {
    ec.error(ec.vm().known().io_error, message)
}

/// What writing to a standard output raises that nobody reads: `Errno::EPIPE`, of which a program ends as of SIGPIPE.
pub(crate) fn broken_pipe(ec: &mut Ec, error: &std::io::Error, io: IoRef, function: &str) -> Unwind {
    let unwind = errno_of(ec, error, io, function);
    if let Some(exception) = ec.pending_exception() {
        crate::object::exception::set_signal_number(ec, exception, carat_os::c::SIGPIPE);
    }
    unwind
}

pub(crate) fn eof_error(ec: &mut Ec) -> Unwind {
    ec.error(ec.vm().known().eof_error, "end of file reached")
}

/// The text of the path an IO was opened with, for messages.
pub(crate) fn path_of(ec: &Ec, io: IoRef) -> Vec<u8> {
    io.get(ec).path.clone().unwrap_or_default()
}

/// Whether what `$stderr` holds is an IO that was closed: what is to be said then goes to the descriptor.
pub(crate) fn is_closed_stream(ec: &Ec, stream: Value) -> bool {
    IoRef::from_value(stream).is_some_and(|io| io.get(ec).is_initialized && io.get(ec).fd < 0)
}

pub fn check_open(ec: &mut Ec, io: IoRef) -> Result<()> {
    check_initialized(ec, io)?;
    let contents = io.get(ec);
    if contents.fd < 0 && contents.write_fd() < 0 {
        return Err(io_error(ec, "closed stream"));
    }
    Ok(())
}

/// Asks for a stream that something has opened, if only C code.
fn check_initialized(ec: &mut Ec, io: IoRef) -> Result<()> {
    if io.get(ec).fd >= 0 || open::take_from_c(ec, io)? || io.get(ec).is_initialized {
        return Ok(());
    }
    Err(io_error(ec, "uninitialized stream"))
}

pub(crate) fn check_readable(ec: &mut Ec, io: IoRef) -> Result<()> {
    check_open(ec, io)?;
    if !io.get(ec).is_readable {
        return Err(io_error(ec, "not opened for reading"));
    }
    flush(ec, io)
}

pub(crate) fn check_writable(ec: &mut Ec, io: IoRef) -> Result<()> {
    check_open(ec, io)?;
    if !io.get(ec).is_writable {
        return Err(io_error(ec, "not opened for writing"));
    }
    buffer::give_back_unread(ec, io)
}

/// An IO, or what `to_io` answers.
pub(crate) fn to_io(ec: &mut Ec, value: Value) -> Result<IoRef> {
    if let Some(io) = IoRef::from_value(value) {
        return Ok(io);
    }
    let Some(found) = ec.try_convert(value, sym::TO_IO)? else {
        return Err(ec.no_implicit_conversion(value, "IO"));
    };
    match IoRef::from_value(found) {
        Some(io) => Ok(io),
        None => {
            let class = ec.describe_for_type_error(value);
            let given = ec.describe_for_type_error(found);
            Err(ec.type_error(&format!("can't convert {class} to IO ({class}#to_io gives {given})")))
        }
    }
}

/// A path's bytes: a string, or what `to_path` or `to_str` answers.
pub(crate) fn path_arg(ec: &mut Ec, value: Value) -> Result<Vec<u8>> {
    let path = path_string(ec, value)?;
    path.owned_bytes(ec)
}

pub(crate) fn path_string(ec: &mut Ec, value: Value) -> Result<Str> {
    path_string_of(ec, value, "path name")
}

/// As [`path_string`]; `what` the error says of one with a null byte.
pub(crate) fn path_string_of(ec: &mut Ec, value: Value, what: &str) -> Result<Str> {
    let value = match Str::from_value(value) {
        Some(_) => value,
        None => ec.call_if_responds(value, sym::TO_PATH, &[])?.unwrap_or(value),
    };
    let s = ec.to_str(value)?;
    if !s.encoding().is_ascii_compatible() {
        let (name, shown) = (s.encoding().name(), ec.inspect(s.value())?.to_text(ec));
        return Err(ec.error(
            ec.vm().known().compatibility_error,
            &format!("path name must be ASCII-compatible ({name}): {shown}"),
        ));
    }
    if s.bytes(ec).contains(&0) {
        return Err(ec.argument_error(&format!("{what} contains null byte")));
    }
    Ok(in_filesystem_encoding(ec, s))
}

/// Where strings from outside are converted on their way in, paths are converted on their way out, if that is possible.
fn in_filesystem_encoding(ec: &mut Ec, path: Str) -> Str {
    let (encoding, destination) = (path.encoding(), default_external(ec));
    let stays = encoding == destination || matches!(encoding, EncodingIndex::US_ASCII | EncodingIndex::BINARY);
    if stays || path.bytes(ec).is_ascii() || default_internal(ec).is_none() {
        return path;
    }
    let mut converted = Vec::new();
    let text = carat_text::text::Text::of(path.bytes(ec), encoding);
    match transcode::encode(text, destination, &transcode::Options::default(), &mut converted) {
        Ok(transcode::Outcome::Converted) => Str::new(ec, &converted, destination, CodeRange::Unknown),
        _ => path,
    }
}

methods! {
    METHODS {
        static "for_fd" => open::for_fd;
        static "sysopen" => open::sysopen;
        static "try_convert" => open::try_convert;
        static "select" => select::select;
        private "initialize" => open::initialize;
        private "initialize_copy" => open::initialize_copy;
        "reopen" => open::reopen;
        "write" => write::write;
        "<<" => write::append;
        "print" => write::print;
        "puts" => write::puts;
        "putc" => write::putc;
        "printf" => write::printf;
        "syswrite" => write::syswrite;
        "write_nonblock" => write::write_nonblock;
        "pwrite" => write::pwrite;
        "read" => read::read;
        "readpartial" => read::readpartial;
        "read_nonblock" => read::read_nonblock;
        "sysread" => read::sysread;
        "pread" => read::pread;
        "getc" => read::getc;
        "readchar" => read::readchar;
        "getbyte" => read::getbyte;
        "readbyte" => read::readbyte;
        "ungetc" => read::ungetc;
        "ungetbyte" => read::ungetbyte;
        "eof?" => read::is_eof;
        "eof" => read::is_eof;
        "gets" => line::gets;
        "readline" => line::readline;
        "readlines" => line::readlines;
        "close" => manage::close;
        "close_read" => manage::close_read;
        "close_write" => manage::close_write;
        "closed?" => manage::is_closed;
        "fileno" => manage::fileno;
        alias "to_i" of "fileno" => manage::fileno;
        "to_io" => manage::to_io;
        "tty?" => manage::is_tty;
        "isatty" => manage::is_tty;
        "sync" => manage::sync;
        "sync=" => manage::set_sync;
        "fsync" => manage::fsync;
        "fdatasync" => manage::fdatasync;
        "flush" => manage::flush;
        "binmode" => manage::binmode;
        "binmode?" => manage::is_binmode;
        "lineno" => manage::lineno;
        "lineno=" => manage::set_lineno;
        "pos" => manage::tell;
        "tell" => manage::tell;
        "pos=" => manage::set_pos;
        "seek" => manage::seek;
        "sysseek" => manage::sysseek;
        "rewind" => manage::rewind;
        "fcntl" => manage::fcntl;
        "ioctl" => manage::ioctl;
        "pid" => manage::pid;
        "path" => manage::path;
        "to_path" => manage::path;
        "inspect" => manage::inspect;
        "autoclose?" => manage::autoclose;
        "autoclose=" => manage::set_autoclose;
        "close_on_exec?" => manage::is_close_on_exec;
        "close_on_exec=" => manage::set_close_on_exec;
        "timeout" => manage::timeout;
        "timeout=" => manage::set_timeout;
        "advise" => manage::advise;
        "external_encoding" => encodings::external_encoding;
        "internal_encoding" => encodings::internal_encoding;
        "set_encoding" => encodings::set_encoding;
        "set_encoding_by_bom" => encodings::set_encoding_by_bom;
        "wait" => select::wait_events;
        "wait_priority" => select::wait_priority;
        "wait_readable" => select::wait_readable;
        "wait_writable" => select::wait_writable;
        "stat" => manage::stat;
    }
    KERNEL {
        module_function "select" => select::select;
    }
}

primitives! {
    PRIMITIVES {
        "io_gets" => line::next_line;
        "io_line_args" => line::line_args;
        "io_new" => open::new;
        "file_open" => open::open_file;
        "io_pipe" => open::pipe;
        "io_attach" => open::attach_pipe;
        "io_end_popen" => open::end_popen;
        "io_set_pid" => manage::set_pid;
        "io_last_lineno" => streams::last_lineno;
        "io_set_last_lineno" => streams::set_last_lineno;
        "io_set_last_line" => streams::set_last_line;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    // A class takes over its superclass's allocator when it is made, and File was made first.
    for class in [known.io, known.file] {
        class.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, Io::new(ec)).value())));
    }
    known.io.define_methods(ec, METHODS);
    known.kernel.define_methods(ec, KERNEL);
    known.io.include(ec, known.enumerable);
    open::define_constants(ec);
    select::define_wait_errors(ec);
    streams::init(ec);
}
