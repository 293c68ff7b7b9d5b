//! `Dir`: reading, making and changing directories.

use super::{carried, working_directory};
use crate::system::errno::{errno, errno_at, errno_in, path_str};
use crate::system::io::{encoding_from_value, inspect_path, io_error, path_arg, path_string};
use crate::system::system_call::opening;
use crate::text::encoding::{default_external, default_internal};
use carat_os::c;
use carat_sync::Mutex;
use carat_text::{text::Text, transcode};
use carat_vm::{Array, CodeRange, Data, Ec, EncodingIndex, Keywords, NativeData, Result, Str, Value, methods};

/// An open directory: its entries as they were when it was opened or rewound, and a position among them.
pub(crate) struct DirData {
    path: Option<(Vec<u8>, EncodingIndex)>,
    names: Vec<Vec<u8>>,
    position: usize,
    /// -1 when closed.
    fd: i32,
    is_initialized: bool,
    encoding: EncodingIndex,
}

impl NativeData for DirData {
    const NAME: &'static str = "Dir";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

impl Drop for DirData {
    fn drop(&mut self) {
        if self.fd >= 0 {
            let _ = carat_os::close(self.fd);
        }
    }
}

type DirRef = Data<DirData>;

/// Names in a directory without "." and "..".
pub(super) fn read_names(path: &[u8]) -> std::io::Result<Vec<Vec<u8>>> {
    use std::os::unix::ffi::OsStringExt;
    carat_os::contact::count();
    let entries = match std::fs::read_dir(carat_os::os_str(path)) {
        Ok(entries) => entries,
        Err(error) => {
            let carried = carried::names(path).ok_or(error)?;
            return Ok(carried.into_iter().map(|(name, _)| name).collect());
        }
    };
    entries.map(|entry| Ok(entry?.file_name().into_vec())).collect()
}

/// The same, and which of them are folders themselves.
pub(super) fn read_entries(path: &[u8]) -> std::io::Result<Vec<(Vec<u8>, bool)>> {
    use std::os::unix::ffi::OsStringExt;
    carat_os::contact::count();
    let entries = match std::fs::read_dir(carat_os::os_str(path)) {
        Ok(entries) => entries,
        Err(error) => return carried::names(path).ok_or(error),
    };
    entries
        .map(|entry| {
            let entry = entry?;
            Ok((entry.file_name().into_vec(), entry.file_type().is_ok_and(|kind| kind.is_dir())))
        })
        .collect()
}

fn all_names(path: &[u8]) -> std::io::Result<Vec<Vec<u8>>> {
    let mut names = vec![b".".to_vec(), b"..".to_vec()];
    names.extend(read_names(path)?);
    Ok(names)
}

fn encoding_option(ec: &mut Ec, options: Keywords) -> Result<EncodingIndex> {
    let name = carat_vm::sym::ENCODING;
    match options.get(ec, name).filter(|v| !v.is_nil()) {
        Some(value) => Ok(encoding_from_value(ec, value)?.unwrap_or(EncodingIndex::UTF_8)),
        None => Ok(default_external(ec)),
    }
}

/// A name from outside: in `Encoding.default_internal` if there is one that has its characters.
pub(crate) fn external_text(ec: &Ec, bytes: &[u8], encoding: EncodingIndex) -> Str {
    let internal = default_internal(ec).filter(|i| *i != encoding && encoding != EncodingIndex::BINARY);
    let Some(internal) = internal else { return Str::new(ec, bytes, encoding, CodeRange::Unknown) };
    let mut converted = Vec::new();
    match transcode::encode(Text::of(bytes, encoding), internal, &transcode::Options::default(), &mut converted) {
        Ok(transcode::Outcome::Converted) => Str::new(ec, &converted, internal, CodeRange::Unknown),
        Ok(transcode::Outcome::Unchanged) => Str::new(ec, bytes, internal, CodeRange::Unknown),
        Err(_) => Str::new(ec, bytes, encoding, CodeRange::Unknown),
    }
}

fn open_with_names(path: &[u8]) -> std::io::Result<(i32, Vec<Vec<u8>>)> {
    let fd = carried::open(path, c::O_RDONLY | c::O_DIRECTORY, 0)?;
    match all_names(path) {
        Ok(names) => Ok((fd, names)),
        Err(error) => {
            let _ = carat_os::close(fd);
            Err(error)
        }
    }
}

fn initialize(ec: &mut Ec, dir: DirRef, path: Value, options: Keywords) -> Result {
    options.check(ec, &[carat_vm::sym::ENCODING])?;
    let text = path_string(ec, path)?;
    let path = text.owned_bytes(ec)?;
    let encoding = encoding_option(ec, options)?;
    let opened = opening(ec, || open_with_names(&path));
    match opened {
        Ok((fd, names)) => {
            let contents = dir.get_mut(ec);
            (contents.fd, contents.names, contents.path, contents.encoding) =
                (fd, names, Some((path, text.encoding())), encoding);
            contents.is_initialized = true;
            Ok(Value::NIL)
        }
        Err(e) => Err(errno_in(ec, &e, "dir_initialize", (&path, text.encoding()))),
    }
}

fn for_fd(ec: &mut Ec, class: carat_vm::Class, fd: i64) -> Result {
    let proc_path = format!("/proc/self/fd/{fd}");
    let is_directory = carat_os::fstat(fd as i32).map(|s| s.mode & c::S_IFMT == c::S_IFDIR);
    let names = match is_directory {
        Ok(true) => opening(ec, || all_names(proc_path.as_bytes())),
        Ok(false) => Err(std::io::Error::from_raw_os_error(c::ENOTDIR)),
        Err(e) => Err(e),
    };
    match names {
        Ok(names) => {
            let contents = DirData {
                path: None,
                names,
                position: 0,
                fd: fd as i32,
                is_initialized: true,
                encoding: default_external(ec),
            };
            Ok(Data::new(ec, class, contents).value())
        }
        Err(e) => Err(errno(ec, &e, b"fdopendir")),
    }
}

fn check_open(ec: &mut Ec, dir: DirRef) -> Result<()> {
    if !dir.get(ec).is_initialized {
        return Err(io_error(ec, "uninitialized Dir"));
    }
    if dir.get(ec).fd < 0 { Err(io_error(ec, "closed directory")) } else { Ok(()) }
}

fn read(ec: &mut Ec, dir: DirRef) -> Result<Option<Str>> {
    check_open(ec, dir)?;
    let contents = dir.get_mut(ec);
    let (name, encoding) = (contents.names.get(contents.position).cloned(), contents.encoding);
    contents.position += usize::from(name.is_some());
    Ok(name.map(|n| external_text(ec, &n, encoding)))
}

fn rewind(ec: &mut Ec, dir: DirRef) -> Result {
    check_open(ec, dir)?;
    let path = format!("/proc/self/fd/{}", dir.get(ec).fd);
    let names = opening(ec, || all_names(path.as_bytes()));
    let contents = dir.get_mut(ec);
    contents.position = 0;
    if let Ok(names) = names {
        contents.names = names;
    }
    Ok(dir.value())
}

fn tell(ec: &mut Ec, dir: DirRef) -> Result<usize> {
    check_open(ec, dir)?;
    Ok(dir.get(ec).position)
}

fn seek(ec: &mut Ec, dir: DirRef, position: i64) -> Result {
    check_open(ec, dir)?;
    let contents = dir.get_mut(ec);
    contents.position = usize::try_from(position).unwrap_or(0).min(contents.names.len());
    Ok(dir.value())
}

fn set_pos(ec: &mut Ec, dir: DirRef, position: i64) -> Result<i64> {
    seek(ec, dir, position)?;
    Ok(position)
}

fn close(ec: &mut Ec, dir: DirRef) -> Result {
    let fd = std::mem::replace(&mut dir.get_mut(ec).fd, -1);
    match if fd >= 0 { carat_os::close(fd) } else { Ok(()) } {
        Ok(()) => Ok(Value::NIL),
        Err(e) => Err(errno(ec, &e, b"closedir")),
    }
}

fn fileno(ec: &mut Ec, dir: DirRef) -> Result<i64> {
    check_open(ec, dir)?;
    Ok(i64::from(dir.get(ec).fd))
}

fn path(ec: &mut Ec, dir: DirRef) -> Option<Str> {
    dir.get(ec).path.as_ref().map(|(path, encoding)| Str::new(ec, path, *encoding, CodeRange::Unknown))
}

fn inspect(ec: &mut Ec, dir: DirRef) -> Str {
    let class = ec.class_of(dir.value()).real().to_text(ec);
    let contents = dir.get(ec);
    let shown = match &contents.path {
        Some((path, encoding)) => return inspect_path(ec, &class, (path, *encoding), ""),
        None if contents.is_initialized => format!("#<{class}:fd {}>", contents.fd),
        None => format!("#<{class}: uninitialized>"),
    };
    Str::from_text(ec, &shown)
}

/// `Primitive.dir_children(path, encoding, with_dots)`
pub(super) fn children(ec: &mut Ec, path: Value, encoding: Value, with_dots: bool) -> Result<Array> {
    let path = path_arg(ec, path)?;
    let encoding = if encoding.is_nil() { None } else { encoding_from_value(ec, encoding)? };
    let encoding = encoding.unwrap_or_else(|| default_external(ec));
    let names = opening(ec, || if with_dots { all_names(&path) } else { read_names(&path) });
    match names {
        Ok(names) => {
            let array = Array::new(ec, names.len());
            for name in names {
                array.push(ec, external_text(ec, &name, encoding).value());
            }
            Ok(array)
        }
        Err(e) => Err(errno_at(ec, &e, "dir_initialize", &path)),
    }
}

/// `Primitive.dir_chdir(path)`
pub(super) fn chdir(ec: &mut Ec, path: Value) -> Result<i64> {
    let path = path_arg(ec, path)?;
    match std::env::set_current_dir(carat_os::os_str(&path)) {
        Ok(()) => Ok(0),
        Err(e) => Err(errno_at(ec, &e, "dir_chdir0", &path)),
    }
}

/// `Primitive.dir_fchdir(fd)`
pub(super) fn fchdir(ec: &mut Ec, fd: i64) -> Result<i64> {
    match i32::try_from(fd).map_or_else(|_| Err(std::io::Error::from_raw_os_error(c::EBADF)), carat_os::fchdir) {
        Ok(()) => Ok(0),
        Err(e) => Err(errno(ec, &e, b"fchdir")),
    }
}

/// The block of `chdir` that is running, if any: the working directory is the process's, so nobody else may change it.
#[derive(Default)]
struct ChdirBlock(Mutex<Running>);

/// How many blocks there are within each other, whose, and where the innermost was begun.
#[derive(Clone, Default)]
struct Running {
    depth: usize,
    owner: u64,
    places: Vec<String>,
}

/// `Primitive.dir_chdir_begin(has_block)`: before a change of the directory, which raises in another thread than that of the
/// running block and warns in the same unless it is for a block as well.
pub(super) fn chdir_begin(ec: &mut Ec, has_block: bool) -> Result<()> {
    const CONFLICT: &str = "conflicting chdir during another chdir block";
    let running = ec.vm().extension::<ChdirBlock>();
    let thread = ec.current_thread().bits();
    let Running { depth, owner, places } = running.0.lock().unwrap_or_else(|e| e.into_inner()).clone();
    if depth > 0 && owner != thread {
        return Err(ec.runtime_error(CONFLICT));
    }
    if depth > 0 && !has_block {
        let place = places.last().map_or("", |place| place);
        ec.warn(&format!("{CONFLICT}\n{place}: note: previous chdir was here"))?;
    }
    if has_block {
        let (path, line) = ec.caller_position();
        let place = format!("{}:{line}", path.as_deref().unwrap_or_default());
        let mut running = running.0.lock().unwrap_or_else(|e| e.into_inner());
        (running.depth, running.owner) = (depth + 1, thread);
        running.places.push(place);
    }
    Ok(())
}

/// `Primitive.dir_chdir_end`: the block is over.
pub(super) fn chdir_end(ec: &mut Ec) {
    let running = ec.vm().extension::<ChdirBlock>();
    let mut running = running.0.lock().unwrap_or_else(|e| e.into_inner());
    running.depth -= 1;
    running.places.pop();
}

fn pwd(ec: &mut Ec, _class: Value) -> Result<Str> {
    let dir = working_directory(ec)?;
    Ok(path_str(ec, &dir))
}

fn home(ec: &mut Ec, _class: Value, user: Option<Value>) -> Result<Str> {
    let user = match user.filter(|u| !u.is_nil()) {
        Some(user) => ec.to_str(user)?.bytes(ec).to_vec(),
        None => Vec::new(),
    };
    let home = super::home_of(ec, &user)?;
    Ok(path_str(ec, &home))
}

fn mkdir(ec: &mut Ec, _class: Value, path: Value, mode: Option<i64>) -> Result<i64> {
    let path = path_arg(ec, path)?;
    let done = carat_os::mkdir(&path, mode.unwrap_or(0o777) as u32);
    crate::system::load::paths_changed(ec);
    match done {
        Ok(()) => Ok(0),
        Err(e) => Err(errno_at(ec, &e, "dir_s_mkdir", &path)),
    }
}

fn rmdir(ec: &mut Ec, _class: Value, path: Value) -> Result<i64> {
    let path = path_arg(ec, path)?;
    let done = std::fs::remove_dir(carat_os::os_str(&path));
    crate::system::load::paths_changed(ec);
    match done {
        Ok(()) => Ok(0),
        Err(e) => Err(errno_at(ec, &e, "dir_s_rmdir", &path)),
    }
}

fn exists(ec: &mut Ec, class: Value, path: Value) -> Result<bool> {
    super::of_path::is_directory(ec, class, path)
}

fn is_empty(ec: &mut Ec, _class: Value, path: Value) -> Result<bool> {
    let path = path_arg(ec, path)?;
    match opening(ec, || read_names(&path)) {
        Ok(names) => Ok(names.is_empty()),
        Err(e) if e.raw_os_error() == Some(c::ENOTDIR) => Ok(false),
        Err(e) => Err(errno_at(ec, &e, "dir_s_empty_p", &path)),
    }
}

fn chroot(ec: &mut Ec, _class: Value, path: Value) -> Result<i64> {
    let path = path_arg(ec, path)?;
    let done = std::os::unix::fs::chroot(carat_os::os_str(&path));
    crate::system::load::paths_changed(ec);
    match done {
        Ok(()) => Ok(0),
        Err(e) => Err(errno(ec, &e, &path)),
    }
}

methods! {
    METHODS {
        private "initialize" => initialize;
        static "for_fd" => for_fd;
        static "pwd" => pwd; static "getwd" => pwd; static "home" => home; static "mkdir" => mkdir; static "rmdir" => rmdir;
        static "delete" => rmdir; static "unlink" => rmdir; static "exist?" => exists; static "empty?" => is_empty; static "chroot" => chroot;
        "read" => read; "rewind" => rewind; "tell" => tell; "pos" => tell; "seek" => seek; "pos=" => set_pos; "close" => close;
        "fileno" => fileno; "path" => path; "to_path" => path; "inspect" => inspect;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let dir = ec.vm().known().dir;
    dir.set_allocator(Some(|ec, class| {
        let contents = DirData {
            path: None,
            names: Vec::new(),
            position: 0,
            fd: -1,
            is_initialized: false,
            encoding: EncodingIndex::UTF_8,
        };
        Ok(Data::new(ec, class, contents).value())
    }));
    dir.include(ec, ec.vm().known().enumerable);
    dir.define_methods(ec, METHODS);
}
