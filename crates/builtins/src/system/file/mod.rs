//! `File`, `FileTest`, `File::Stat` and `Dir`.
//!
//! # Code map
//! `path` takes names apart, `fnmatch` matches patterns, `braces` tells the patterns that `{a,b}` stands for, `glob` walks
//! directories by them, `stat` asks about files, `change` changes them, `dir` reads directories.
//!
//! # Not here
//! What yields: `core/file.rb`, `core/dir.rb`. Reading and writing: `io`.

mod braces;
pub(super) mod carried;
mod change;
mod dir;
mod fnmatch;
mod glob;
mod path;
mod stat;

use crate::text::encoding::default_external;
use braces::Expansions;
pub(crate) use dir::external_text;
pub(crate) use stat::new_stat;

use crate::system::errno::errno_at;
use crate::system::io::{IoRef, path_arg, path_string, path_string_of};
use carat_os::c;
use carat_text::text::Text;
use carat_text::{chars, transcode};
use carat_vm::{
    Array, Class, CodeRange, Ec, EncodingIndex, Keywords, Rest, Result, Str, Value, methods, primitives, sym,
};
use stat::{of_path, stat_of, stat_or_raise};

/// That the file is open already is told before the arguments are counted.
fn initialize(ec: &mut Ec, io: IoRef, args: Rest, options: Keywords) -> Result {
    crate::system::io::initialize_file(ec, io, args, options)
}

// ---- names ----

/// A part of a path, in the path's encoding.
fn part(ec: &Ec, of: Str, bytes: &[u8]) -> Str {
    Str::new(ec, bytes, of.encoding(), CodeRange::Unknown)
}

fn basename(ec: &mut Ec, _class: Value, path: Value, suffix: Option<Str>) -> Result<Str> {
    let path = path_string(ec, path)?;
    let suffix = match suffix {
        Some(suffix) => path_string(ec, suffix.value())?.owned_bytes(ec)?,
        None => Vec::new(),
    };
    let bytes = path.owned_bytes(ec)?;
    let base = path::basename(&bytes);
    let short = if suffix.is_empty() || base == b"/" { base } else { path::without_suffix(base, &suffix) };
    // A suffix that begins within a character is none.
    let text = Text::of(base, path.encoding());
    let is_whole = short.len() == base.len() || chars::left_adjust(text, short.len()) == short.len();
    let base = if is_whole { short } else { base };
    Ok(part(ec, path, base))
}

fn dirname(ec: &mut Ec, _class: Value, path: Value, level: Option<i64>) -> Result<Str> {
    let path = path_string(ec, path)?;
    let level = level.unwrap_or(1);
    let Ok(level) = usize::try_from(level) else {
        return Err(ec.argument_error(&format!("negative level: {level}")));
    };
    if level == 0 {
        return Ok(path.duplicate(ec));
    }
    let dir = path::dirname(path.bytes(ec), level);
    Ok(part(ec, path, &dir))
}

fn extname(ec: &mut Ec, _class: Value, path: Value) -> Result<Str> {
    let path = path_string(ec, path)?;
    let bytes = path.owned_bytes(ec)?;
    Ok(part(ec, path, path::extname(&bytes)))
}

fn split(ec: &mut Ec, class: Value, path: Value) -> Result<Array> {
    let path = path_string(ec, path)?.value();
    let (dir, base) = (dirname(ec, class, path, None)?, basename(ec, class, path, None)?);
    Ok(Array::pair(ec, dir.value(), base.value()))
}

/// What `File.join` has put together so far.
struct Joined {
    path: Vec<u8>,
    /// Whether the next component is the first one.
    is_first: bool,
    encoding: EncodingIndex,
    /// The arrays that are being gone through, if there are any.
    open: Option<Array>,
}

impl Joined {
    fn push(&mut self, component: &[u8]) {
        match std::mem::take(&mut self.is_first) {
            true => self.path.extend_from_slice(component),
            false => path::push_component(&mut self.path, component),
        }
    }
}

fn join(ec: &mut Ec, _class: Value, parts: Rest) -> Result<Str> {
    let mut joined =
        Joined { path: Vec::with_capacity(64), is_first: true, encoding: EncodingIndex::US_ASCII, open: None };
    for part in parts.iter() {
        join_part(ec, part, &mut joined)?;
    }
    Ok(Str::new(ec, &joined.path, joined.encoding, CodeRange::Unknown))
}

fn join_part(ec: &mut Ec, part: Value, joined: &mut Joined) -> Result<()> {
    if let Some(array) = Array::from_value(part) {
        return join_array(ec, array, joined);
    }
    let s = path_string_of(ec, part, "string")?;
    if !s.is_ascii(ec) || joined.encoding == EncodingIndex::US_ASCII {
        joined.encoding = s.encoding();
    }
    joined.push(s.bytes(ec));
    Ok(())
}

/// The elements of an array are one component.
fn join_array(ec: &mut Ec, parts: Array, joined: &mut Joined) -> Result<()> {
    let open = *joined.open.get_or_insert_with(|| Array::new(ec, 1));
    if open.slice_of(ec).contains(&parts.value()) {
        return Err(ec.argument_error("recursive array"));
    }
    open.push(ec, parts.value());
    let mut inner = Joined { path: Vec::new(), is_first: true, encoding: joined.encoding, open: Some(open) };
    let mut index = 0;
    while let Some(part) = parts.get(ec, index) {
        index += 1;
        join_part(ec, part, &mut inner)?;
    }
    joined.encoding = inner.encoding;
    joined.push(&inner.path);
    open.pop(ec);
    Ok(())
}

/// The working directory.
pub(crate) fn working_directory(ec: &mut Ec) -> Result<Vec<u8>> {
    use std::os::unix::ffi::OsStringExt;
    match std::env::current_dir() {
        Ok(dir) => Ok(dir.into_os_string().into_vec()),
        Err(e) => Err(errno_at(ec, &e, "", b"getcwd")),
    }
}

fn home_of(ec: &mut Ec, user: &[u8]) -> Result<Vec<u8>> {
    if !user.is_empty() {
        return match carat_os::user(Some(user)) {
            Some((home, _)) => Ok(home),
            None => Err(ec.argument_error(&format!("user {} doesn't exist", String::from_utf8_lossy(user)))),
        };
    }
    use std::os::unix::ffi::OsStringExt;
    let home = match std::env::var_os("HOME") {
        Some(home) => home.into_vec(),
        None => match carat_os::user(None) {
            Some((home, _)) => home,
            None => return Err(ec.argument_error("couldn't find HOME environment -- expanding '~'")),
        },
    };
    if home.starts_with(b"/") { Ok(home) } else { Err(ec.argument_error("non-absolute home")) }
}

/// `File.expand_path` on bytes.
fn expand(ec: &mut Ec, path: &[u8], dir: Option<Vec<u8>>, expands_home: bool) -> Result<Vec<u8>> {
    if expands_home && path.starts_with(b"~") {
        let end = path.iter().position(|b| *b == b'/').unwrap_or(path.len());
        let home = home_of(ec, &path[1..end])?;
        let rest = &path[(end + 1).min(path.len())..];
        return Ok(path::normalise(&home, rest.strip_prefix(b"/").unwrap_or(rest)));
    }
    if path.starts_with(b"/") {
        return Ok(path::normalise(b"", path));
    }
    let base = match dir {
        Some(dir) => expand(ec, &dir, None, expands_home)?,
        None => working_directory(ec)?,
    };
    Ok(path::normalise(&base, path))
}

fn expanded(ec: &mut Ec, path: Value, dir: Option<Value>, expands_home: bool) -> Result<Str> {
    let path = path_string(ec, path)?;
    let dir = match dir.filter(|d| !d.is_nil()) {
        Some(dir) => Some(path_arg(ec, dir)?),
        None => None,
    };
    let bytes = path.owned_bytes(ec)?;
    let whole = expand(ec, &bytes, dir, expands_home)?;
    let encoding = match path.encoding() {
        EncodingIndex::US_ASCII => default_external(ec),
        own => own,
    };
    Ok(Str::new(ec, &whole, encoding, CodeRange::Unknown))
}

fn expand_path(ec: &mut Ec, _class: Value, path: Value, dir: Option<Value>) -> Result<Str> {
    expanded(ec, path, dir, true)
}

fn absolute_path(ec: &mut Ec, _class: Value, path: Value, dir: Option<Value>) -> Result<Str> {
    expanded(ec, path, dir, false)
}

fn is_absolute_path(ec: &mut Ec, _class: Value, path: Value) -> Result<bool> {
    let path = path_arg(ec, path)?;
    Ok(path.starts_with(b"/"))
}

fn realpath(ec: &mut Ec, _class: Value, path: Value, dir: Option<Value>) -> Result<Str> {
    real(ec, path, dir, true)
}

fn realdirpath(ec: &mut Ec, _class: Value, path: Value, dir: Option<Value>) -> Result<Str> {
    real(ec, path, dir, false)
}

/// The path without links, in the encoding of the argument; the last component may be missing unless `strict`.
fn real(ec: &mut Ec, path: Value, dir: Option<Value>, strict: bool) -> Result<Str> {
    let given = path_string(ec, path)?;
    let path = given.owned_bytes(ec)?;
    let mut named = match dir.filter(|d| !d.is_nil()) {
        Some(dir) => path_arg(ec, dir)?,
        None => Vec::new(),
    };
    if path.starts_with(b"/") || named.is_empty() {
        named = path;
    } else {
        path::push_component(&mut named, &path);
    }
    let from = if named.starts_with(b"/") { Vec::new() } else { working_directory(ec)? };
    match resolve(&from, &named, strict) {
        Ok(found) => Ok(in_encoding(ec, &found, given.encoding(), strict)),
        Err(e) if strict => Err(errno_at(ec, &e, "rb_check_realpath_internal", &named)),
        Err(e) => {
            let mut whole = from;
            path::push_component(&mut whole, &named);
            Err(errno_at(ec, &e, "realpath_rec", first_missing(&whole)))
        }
    }
}

/// The path up to the first component that does not exist.
fn first_missing(path: &[u8]) -> &[u8] {
    let ends = (1..=path.len()).filter(|&end| end == path.len() || path[end] == b'/');
    ends.map(|end| &path[..end]).find(|part| carried::stat(part, false).is_err()).unwrap_or(path)
}

/// A path of the file system in another encoding. If that lacks its characters the bytes stay, and are called by it only if
/// that is forced.
fn in_encoding(ec: &Ec, path: &[u8], encoding: EncodingIndex, is_forced: bool) -> Str {
    let mut converted = Vec::new();
    let text = carat_text::text::Text::of(path, EncodingIndex::UTF_8);
    let outcome = transcode::encode(text, encoding, &transcode::Options::default(), &mut converted);
    match outcome {
        Ok(transcode::Outcome::Converted) => Str::new(ec, &converted, encoding, CodeRange::Unknown),
        Err(_) if !is_forced => Str::new(ec, path, EncodingIndex::UTF_8, CodeRange::Unknown),
        _ => Str::new(ec, path, encoding, CodeRange::Unknown),
    }
}

/// More links than this are a loop.
const MAX_LINKS: usize = 40;

/// Follows a path component by component, from a folder without links, which the working directory is, or from the root. ".." takes the
/// last one away, be it a directory or not.
fn resolve(from: &[u8], path: &[u8], strict: bool) -> std::io::Result<Vec<u8>> {
    use std::os::unix::ffi::OsStringExt;
    let components = |path: &[u8]| path.split(|b| *b == b'/').rev().map(<[u8]>::to_vec).collect::<Vec<_>>();
    let mut waiting = components(path);
    let (mut found, mut links) = (if from == b"/" { Vec::new() } else { from.to_vec() }, 0);
    while let Some(name) = waiting.pop() {
        match name.as_slice() {
            b"" | b"." => continue,
            b".." => {
                found.truncate(found.iter().rposition(|b| *b == b'/').unwrap_or(0));
                continue;
            }
            _ => {}
        }
        let len = found.len();
        found.push(b'/');
        found.extend_from_slice(&name);
        match carried::is_link(&found) {
            Ok(true) => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(std::io::Error::from_raw_os_error(c::ELOOP));
                }
                let target = std::fs::read_link(carat_os::os_str(&found))?.into_os_string().into_vec();
                found.truncate(if target.starts_with(b"/") { 0 } else { len });
                waiting.extend(components(&target));
            }
            Ok(false) => {}
            Err(e) if !strict && e.raw_os_error() == Some(c::ENOENT) && waiting.iter().all(Vec::is_empty) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(if found.is_empty() { b"/".to_vec() } else { found })
}

fn fnmatch(ec: &mut Ec, _class: Value, pattern: Value, path: Value, flags: Option<i64>) -> Result<bool> {
    let pattern = ec.to_str(pattern)?;
    if pattern.bytes(ec).contains(&0) {
        return Err(ec.argument_error("string contains null byte"));
    }
    let path = path_string(ec, path)?;
    let flags = flags.unwrap_or(0);
    if flags & fnmatch::EXTGLOB == 0 {
        return Ok(fnmatch::fnmatch(pattern.bytes(ec), path.bytes(ec), flags));
    }
    // As many words as the pattern has bytes.
    ec.ensure_memory(pattern.len(ec).saturating_mul(16))?;
    let (pattern, path) = (pattern.owned_bytes(ec)?, path.owned_bytes(ec)?);
    ec.compute(|ask| {
        let mut patterns = Expansions::of(&pattern, flags & fnmatch::NOESCAPE == 0);
        while let Some(pattern) = patterns.next() {
            if ask() {
                return None;
            }
            if fnmatch::fnmatch(pattern, &path, flags) {
                return Some(true);
            }
        }
        Some(false)
    })
}

fn path_of(ec: &mut Ec, _class: Value, path: Value) -> Result<Str> {
    let path = path_string(ec, path)?;
    Ok(path.duplicate(ec))
}

// ---- questions ----

fn class_stat(ec: &mut Ec, _class: Value, path: Value) -> Result {
    let (found, path) = stat::stat_and_birth_of(ec, path)?;
    match found {
        Ok(found) => Ok(stat::new_stat_with_birth(ec, found)),
        Err(e) => Err(errno_at(ec, &e, "rb_file_s_stat", &path)),
    }
}

fn class_lstat(ec: &mut Ec, _class: Value, path: Value) -> Result {
    stat_or_raise(ec, path, false, "rb_file_s_lstat").map(|s| new_stat(ec, s))
}

fn size(ec: &mut Ec, _class: Value, file: Value) -> Result<i64> {
    stat_or_raise(ec, file, true, "rb_file_s_size").map(|s| s.size)
}

fn size_or_nil(ec: &mut Ec, _class: Value, file: Value) -> Result<Option<i64>> {
    let (found, _) = stat_of(ec, file, true)?;
    Ok(found.ok().map(|s| s.size).filter(|s| *s != 0))
}

fn ftype(ec: &mut Ec, _class: Value, path: Value) -> Result<Str> {
    let stat = stat_or_raise(ec, path, false, "rb_file_s_ftype")?;
    Ok(Str::from_text(ec, stat::ftype_name(&stat)))
}

fn is_identical(ec: &mut Ec, _class: Value, a: Value, b: Value) -> Result<bool> {
    let ((a, _), (b, _)) = (stat_of(ec, a, true)?, stat_of(ec, b, true)?);
    Ok(matches!((a, b), (Ok(a), Ok(b)) if a.dev == b.dev && a.ino == b.ino))
}

fn is_world_readable(ec: &mut Ec, _class: Value, file: Value) -> Result<Option<i64>> {
    let (found, _) = stat_of(ec, file, true)?;
    Ok(found.ok().and_then(|s| stat::world(&s, 4)))
}

fn is_world_writable(ec: &mut Ec, _class: Value, file: Value) -> Result<Option<i64>> {
    let (found, _) = stat_of(ec, file, true)?;
    Ok(found.ok().and_then(|s| stat::world(&s, 2)))
}

fn atime(ec: &mut Ec, _class: Value, file: Value) -> Result {
    let time = stat_or_raise(ec, file, true, "rb_file_s_atime")?.atime;
    crate::system::time::local_time(ec, time.0, time.1)
}

fn mtime(ec: &mut Ec, _class: Value, file: Value) -> Result {
    let time = stat_or_raise(ec, file, true, "rb_file_s_mtime")?.mtime;
    crate::system::time::local_time(ec, time.0, time.1)
}

fn ctime(ec: &mut Ec, _class: Value, file: Value) -> Result {
    let time = stat_or_raise(ec, file, true, "rb_file_s_ctime")?.ctime;
    crate::system::time::local_time(ec, time.0, time.1)
}

fn birthtime(ec: &mut Ec, _class: Value, path: Value) -> Result {
    let path = path_arg(ec, path)?;
    birth(ec, &path)
}

fn birth(ec: &mut Ec, path: &[u8]) -> Result {
    match carat_os::birth_time(path) {
        Ok((seconds, nanoseconds)) => crate::system::time::local_time(ec, seconds, nanoseconds),
        Err(e) if e.raw_os_error().is_none() => {
            Err(ec.error(ec.vm().known().not_implemented_error, "birthtime is unimplemented on this filesystem"))
        }
        Err(e) => Err(errno_at(ec, &e, "rb_file_s_birthtime", path)),
    }
}

fn own_birthtime(ec: &mut Ec, io: IoRef) -> Result {
    crate::system::io::check_open(ec, io)?;
    let path = format!("/proc/self/fd/{}", io.get(ec).fd);
    birth(ec, path.as_bytes())
}

fn own_stat(ec: &mut Ec, io: IoRef) -> Result<carat_os::Stat> {
    crate::system::io::check_open(ec, io)?;
    crate::system::io::flush(ec, io)?;
    let (fd, path) = (io.get(ec).fd, crate::system::io::path_of(ec, io));
    carat_os::fstat(fd).map_err(|e| crate::system::errno::errno(ec, &e, &path))
}

fn own_atime(ec: &mut Ec, io: IoRef) -> Result {
    let time = own_stat(ec, io)?.atime;
    crate::system::time::local_time(ec, time.0, time.1)
}

fn own_mtime(ec: &mut Ec, io: IoRef) -> Result {
    let time = own_stat(ec, io)?.mtime;
    crate::system::time::local_time(ec, time.0, time.1)
}

fn own_ctime(ec: &mut Ec, io: IoRef) -> Result {
    let time = own_stat(ec, io)?.ctime;
    crate::system::time::local_time(ec, time.0, time.1)
}

fn own_size(ec: &mut Ec, io: IoRef) -> Result<i64> {
    own_stat(ec, io).map(|s| s.size)
}

fn own_lstat(ec: &mut Ec, io: IoRef) -> Result {
    crate::system::io::check_open(ec, io)?;
    let path = crate::system::io::path_of(ec, io);
    match carried::stat(&path, false) {
        Ok(stat) => Ok(new_stat(ec, stat)),
        Err(e) => Err(crate::system::errno::errno(ec, &e, &path)),
    }
}

methods! {
    METHODS {
        private "initialize" => initialize;
        static "basename" => basename; static "dirname" => dirname; static "extname" => extname; static "split" => split;
        static "join" => join; static "expand_path" => expand_path; static "absolute_path" => absolute_path;
        static "absolute_path?" => is_absolute_path; static "realpath" => realpath; static "realdirpath" => realdirpath;
        static "fnmatch" => fnmatch; static "fnmatch?" => fnmatch; static "path" => path_of;
        static "stat" => class_stat; static "lstat" => class_lstat; static "ftype" => ftype;
        static "atime" => atime; static "mtime" => mtime; static "ctime" => ctime; static "birthtime" => birthtime;
        static "rename" => change::rename; static "link" => change::link; static "symlink" => change::symlink;
        static "readlink" => change::readlink; static "unlink" => change::unlink; static "delete" => change::unlink;
        static "chmod" => change::chmod; static "lchmod" => change::lchmod; static "chown" => change::chown;
        static "lchown" => change::lchown; static "utime" => change::utime; static "lutime" => change::lutime;
        static "truncate" => change::truncate; static "mkfifo" => change::mkfifo; static "umask" => change::umask;
        "atime" => own_atime; "mtime" => own_mtime; "ctime" => own_ctime; "birthtime" => own_birthtime; "size" => own_size; "lstat" => own_lstat;
        "truncate" => change::own_truncate; "flock" => change::flock; "chmod" => change::own_chmod; "chown" => change::own_chown;
    }
    QUESTIONS {
        static "exist?" => of_path::exists; static "file?" => of_path::is_file; static "directory?" => of_path::is_directory;
        static "pipe?" => of_path::is_pipe; static "symlink?" => of_path::is_symlink; static "socket?" => of_path::is_socket;
        static "blockdev?" => of_path::is_blockdev; static "chardev?" => of_path::is_chardev; static "zero?" => of_path::is_zero;
        static "empty?" => of_path::is_zero; static "setuid?" => of_path::is_setuid; static "setgid?" => of_path::is_setgid;
        static "sticky?" => of_path::is_sticky; static "owned?" => of_path::is_owned; static "grpowned?" => of_path::is_grpowned;
        static "readable?" => of_path::is_readable; static "writable?" => of_path::is_writable;
        static "executable?" => of_path::is_executable; static "readable_real?" => of_path::is_readable_real;
        static "writable_real?" => of_path::is_writable_real; static "executable_real?" => of_path::is_executable_real;
        static "world_readable?" => is_world_readable; static "world_writable?" => is_world_writable;
        static "size" => size; static "size?" => size_or_nil; static "identical?" => is_identical;
    }
}

primitives! {
    PRIMITIVES {
        "dir_glob" => glob::glob;
        "dir_chdir" => dir::chdir;
        "dir_fchdir" => dir::fchdir;
        "dir_chdir_begin" => dir::chdir_begin;
        "dir_chdir_end" => dir::chdir_end;
        "dir_children" => dir::children;
    }
}

/// `File::Constants`
fn define_constants(ec: &mut Ec) {
    let known = ec.vm().known();
    let module = ec.new_module();
    known.file.set_constant(ec, ec.vm().intern("Constants"), module.value());
    let numbers = [
        ("RDONLY", c::O_RDONLY),
        ("WRONLY", c::O_WRONLY),
        ("RDWR", c::O_RDWR),
        ("APPEND", c::O_APPEND),
        ("CREAT", c::O_CREAT),
        ("EXCL", c::O_EXCL),
        ("NONBLOCK", c::O_NONBLOCK),
        ("TRUNC", c::O_TRUNC),
        ("NOCTTY", c::O_NOCTTY),
        ("BINARY", 0),
        ("SHARE_DELETE", 0),
        ("SYNC", c::O_SYNC),
        ("DSYNC", c::O_DSYNC),
        ("RSYNC", c::O_RSYNC),
        ("NOFOLLOW", c::O_NOFOLLOW),
        ("DIRECTORY", c::O_DIRECTORY),
        ("TMPFILE", c::O_TMPFILE),
        ("NOATIME", c::O_NOATIME),
        ("DIRECT", c::O_DIRECT),
        ("LOCK_SH", c::LOCK_SH),
        ("LOCK_EX", c::LOCK_EX),
        ("LOCK_NB", c::LOCK_NB),
        ("LOCK_UN", c::LOCK_UN),
        ("FNM_NOESCAPE", 1),
        ("FNM_PATHNAME", 2),
        ("FNM_DOTMATCH", 4),
        ("FNM_CASEFOLD", 8),
        ("FNM_EXTGLOB", 16),
        ("FNM_SYSCASE", 0),
        ("FNM_SHORTNAME", 0),
    ];
    for (name, value) in numbers {
        module.set_constant(ec, ec.vm().intern(name), ec.int(i64::from(value)));
    }
    module.set_constant(ec, ec.vm().intern("NULL"), ec.fstring(b"/dev/null", EncodingIndex::UTF_8).value());
    known.io.include(ec, module);
    for name in ["SEPARATOR", "Separator"] {
        known.file.set_constant(ec, ec.vm().intern(name), ec.fstring(b"/", EncodingIndex::UTF_8).value());
    }
    known.file.set_constant(ec, ec.vm().intern("ALT_SEPARATOR"), Value::NIL);
    known.file.set_constant(ec, ec.vm().intern("PATH_SEPARATOR"), ec.fstring(b":", EncodingIndex::UTF_8).value());
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    define_constants(ec);
    stat::init(ec);
    known.file.define_methods(ec, METHODS);
    known.file.define_methods(ec, QUESTIONS);
    known.file_test.define_methods(ec, QUESTIONS);
    dir::init(ec);
    let _: (Option<Class>, _) = (None, sym::TO_PATH);
}
