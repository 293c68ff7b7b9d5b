//! `File::Stat`, and the questions that `File` and `FileTest` ask about a path.

use crate::system::errno::{errno, errno_at};
use crate::system::io::{IoRef, path_arg};
use carat_os::{Stat, c};
use carat_vm::{Data, Ec, NativeData, Result, Str, Value, methods};

/// When a file was made, in seconds and nanoseconds, if that is known.
type Birth = Option<(i64, i64)>;

pub(crate) struct StatData(Option<Stat>, Birth);

/// What a path or an open file was asked, and the path for messages.
type Answer<T> = (std::io::Result<T>, Vec<u8>);

impl NativeData for StatData {
    const NAME: &'static str = "File::Stat";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

type StatRef = Data<StatData>;

/// A `File::Stat` of what was found.
pub(crate) fn new_stat(ec: &Ec, stat: Stat) -> Value {
    Data::new(ec, ec.vm().known().file_stat, StatData(Some(stat), None)).value()
}

/// As [`new_stat`], with the birth of a file that has a name.
pub(super) fn new_stat_with_birth(ec: &Ec, (stat, birth): (Stat, Birth)) -> Value {
    Data::new(ec, ec.vm().known().file_stat, StatData(Some(stat), birth)).value()
}

fn birthtime(ec: &mut Ec, this: StatRef) -> Result {
    contents(ec, this)?;
    match this.get(ec).1 {
        Some((seconds, nanoseconds)) => crate::system::time::local_time(ec, seconds, nanoseconds),
        _ => Err(ec.not_implemented("birthtime is unimplemented on this filesystem")),
    }
}

/// `stat` of an IO or a path.
pub(super) fn stat_of(ec: &mut Ec, file: Value, follows: bool) -> Result<Answer<Stat>> {
    asked_of(ec, file, |fd, _| carat_os::fstat(fd), |path| super::carried::stat(path, follows))
}

/// The same with the time of birth; links are followed.
pub(super) fn stat_and_birth_of(ec: &mut Ec, file: Value) -> Result<Answer<(Stat, Birth)>> {
    let of_open = |fd, path: &[u8]| Ok((carat_os::fstat(fd)?, carat_os::birth_time(path).ok()));
    asked_of(ec, file, of_open, super::carried::stat_and_birth)
}

/// Asks about an open file or a path.
fn asked_of<T>(
    ec: &mut Ec,
    file: Value,
    of_open: impl FnOnce(i32, &[u8]) -> std::io::Result<T>,
    of_path: impl Fn(&[u8]) -> std::io::Result<T>,
) -> Result<Answer<T>> {
    let io = match IoRef::from_value(file) {
        Some(io) => Some(io),
        None if Str::from_value(file).is_none() => match ec.call_if_responds(file, carat_vm::sym::TO_IO, &[])? {
            Some(io) => IoRef::from_value(io),
            None => None,
        },
        None => None,
    };
    if let Some(io) = io {
        crate::system::io::check_open(ec, io)?;
        crate::system::io::flush(ec, io)?;
        let path = crate::system::io::path_of(ec, io);
        return Ok((of_open(io.get(ec).fd, &path), path));
    }
    let path = path_arg(ec, file)?;
    let found = crate::system::system_call::quick_system_call(ec, || of_path(&path))?;
    Ok((found, path))
}

/// As [`stat_of`], a missing file being an error.
pub(super) fn stat_or_raise(ec: &mut Ec, file: Value, follows: bool, function: &str) -> Result<Stat> {
    let (found, path) = stat_of(ec, file, follows)?;
    found.map_err(|e| errno_at(ec, &e, function, &path))
}

pub(super) fn kind(stat: &Stat) -> u32 {
    stat.mode & c::S_IFMT
}

pub(super) fn ftype_name(stat: &Stat) -> &'static str {
    match kind(stat) {
        c::S_IFREG => "file",
        c::S_IFDIR => "directory",
        c::S_IFCHR => "characterSpecial",
        c::S_IFBLK => "blockSpecial",
        c::S_IFIFO => "fifo",
        c::S_IFLNK => "link",
        c::S_IFSOCK => "socket",
        _ => "unknown",
    }
}

/// Permission bit `bit` (4 read, 2 write, 1 execute) by real or effective ids.
fn permits(stat: &Stat, bit: u32, is_real: bool) -> bool {
    use carat_os::process as p;
    let (uid, gid) = if is_real { (p::uid(), p::gid()) } else { (p::euid(), p::egid()) };
    if uid == 0 {
        return bit != 1 || stat.mode & 0o111 != 0 || kind(stat) == c::S_IFDIR;
    }
    let in_group = stat.gid == gid || p::groups().is_ok_and(|g| g.contains(&stat.gid));
    let shift = if stat.uid == uid {
        6
    } else if in_group {
        3
    } else {
        0
    };
    stat.mode >> shift & bit != 0
}

/// The permission bits if others have `bit`.
pub(super) fn world(stat: &Stat, bit: u32) -> Option<i64> {
    (stat.mode & bit != 0).then_some(i64::from(stat.mode & 0o777))
}

macro_rules! questions {
    ($($name:ident($stat:ident) $answer:expr;)+) => {
        /// One question about a `File::Stat`; and the same about a path, where no file is a no.
        pub(super) mod of_stat {
            use super::*;
            $(pub(in crate::system::file) fn $name(ec: &mut Ec, this: StatRef) -> Result<bool> {
                let $stat = &contents(ec, this)?;
                Ok($answer)
            })+
        }
        pub(super) mod of_path {
            use super::*;
            $(pub(in crate::system::file) fn $name(ec: &mut Ec, _class: Value, file: Value) -> Result<bool> {
                let (found, _) = stat_of(ec, file, stringify!($name) != "is_symlink")?;
                Ok(found.is_ok_and(|s| { let $stat = &s; $answer }))
            })+
        }
    };
}

questions! {
    is_file(s) kind(s) == c::S_IFREG;
    is_directory(s) kind(s) == c::S_IFDIR;
    is_pipe(s) kind(s) == c::S_IFIFO;
    is_symlink(s) kind(s) == c::S_IFLNK;
    is_socket(s) kind(s) == c::S_IFSOCK;
    is_blockdev(s) kind(s) == c::S_IFBLK;
    is_chardev(s) kind(s) == c::S_IFCHR;
    is_zero(s) s.size == 0;
    is_setuid(s) s.mode & c::S_ISUID != 0;
    is_setgid(s) s.mode & c::S_ISGID != 0;
    is_sticky(s) s.mode & c::S_ISVTX != 0;
    is_owned(s) s.uid == carat_os::process::euid();
    is_grpowned(s) s.gid == carat_os::process::egid() || carat_os::process::groups().is_ok_and(|g| g.contains(&s.gid));
    is_readable(s) permits(s, 4, false);
    is_writable(s) permits(s, 2, false);
    is_executable(s) permits(s, 1, false);
    is_readable_real(s) permits(s, 4, true);
    is_writable_real(s) permits(s, 2, true);
    is_executable_real(s) permits(s, 1, true);
    exists(s) { let _ = s; true };
}

fn contents(ec: &mut Ec, this: StatRef) -> Result<Stat> {
    match this.get(ec).0 {
        Some(stat) => Ok(stat),
        None => Err(ec.type_error("uninitialized File::Stat")),
    }
}

fn initialize(ec: &mut Ec, this: StatRef, path: Value) -> Result {
    let path = path_arg(ec, path)?;
    match super::carried::stat_and_birth(&path) {
        Ok((stat, birth)) => *this.get_mut(ec) = StatData(Some(stat), birth),
        Err(e) => return Err(errno_at(ec, &e, "rb_file_s_stat", &path)),
    }
    Ok(Value::NIL)
}

fn initialize_copy(ec: &mut Ec, this: StatRef, other: StatRef) -> Result {
    if ec.is_frozen(this.value()) && this.value() != other.value() {
        return Err(ec.frozen_error(this.value()));
    }
    let StatData(stat, birth) = *other.get(ec);
    *this.get_mut(ec) = StatData(stat, birth);
    Ok(this.value())
}

macro_rules! numbers {
    ($($name:ident($stat:ident) $answer:expr;)+) => {$(
        fn $name(ec: &mut Ec, this: StatRef) -> Result<i64> {
            let $stat = contents(ec, this)?;
            Ok($answer as i64)
        }
    )+};
}

numbers! {
    dev(s) s.dev; ino(s) s.ino; mode(s) s.mode; nlink(s) s.nlink; uid(s) s.uid; gid(s) s.gid; rdev(s) s.rdev; size(s) s.size;
    blksize(s) s.blksize; blocks(s) s.blocks; dev_major(s) c::major(s.dev); dev_minor(s) c::minor(s.dev);
    rdev_major(s) c::major(s.rdev); rdev_minor(s) c::minor(s.rdev);
}

fn size_or_nil(ec: &mut Ec, this: StatRef) -> Result<Option<i64>> {
    Ok(Some(contents(ec, this)?.size).filter(|s| *s != 0))
}

fn ftype(ec: &mut Ec, this: StatRef) -> Result<Str> {
    let stat = contents(ec, this)?;
    Ok(Str::from_text(ec, ftype_name(&stat)))
}

fn is_world_readable(ec: &mut Ec, this: StatRef) -> Result<Option<i64>> {
    Ok(world(&contents(ec, this)?, 4))
}

fn is_world_writable(ec: &mut Ec, this: StatRef) -> Result<Option<i64>> {
    Ok(world(&contents(ec, this)?, 2))
}

fn atime(ec: &mut Ec, this: StatRef) -> Result {
    let (seconds, nanoseconds) = contents(ec, this)?.atime;
    crate::system::time::local_time(ec, seconds, nanoseconds)
}

fn mtime(ec: &mut Ec, this: StatRef) -> Result {
    let (seconds, nanoseconds) = contents(ec, this)?.mtime;
    crate::system::time::local_time(ec, seconds, nanoseconds)
}

fn ctime(ec: &mut Ec, this: StatRef) -> Result {
    let (seconds, nanoseconds) = contents(ec, this)?.ctime;
    crate::system::time::local_time(ec, seconds, nanoseconds)
}

fn compare(ec: &mut Ec, this: StatRef, other: Value) -> Result<Option<i64>> {
    let Some(other) = StatRef::from_value(other) else { return Ok(None) };
    let (a, b) = (contents(ec, this)?.mtime, contents(ec, other)?.mtime);
    Ok(Some(a.cmp(&b) as i64))
}

fn inspect(ec: &mut Ec, this: StatRef) -> Result<Str> {
    if this.get(ec).0.is_none() {
        return Ok(Str::from_ascii(ec, b"#<File::Stat: uninitialized>"));
    }
    let s = contents(ec, this)?;
    let mut text = format!(
        "#<File::Stat dev=0x{:x}, ino={}, mode=0{:o}, nlink={}, uid={}, gid={}, rdev=0x{:x}, size={}, blksize={}, blocks={}",
        s.dev, s.ino, s.mode, s.nlink, s.uid, s.gid, s.rdev, s.size, s.blksize, s.blocks
    );
    for (name, (seconds, nanoseconds)) in [("atime", s.atime), ("mtime", s.mtime), ("ctime", s.ctime)] {
        let time = crate::system::time::local_time(ec, seconds, nanoseconds)?;
        let shown = ec.inspect(time)?.to_text(ec);
        text.push_str(&format!(", {name}={shown}"));
    }
    text.push('>');
    Ok(Str::from_text(ec, &text))
}

methods! {
    METHODS {
        private "initialize" => initialize;
        private "initialize_copy" => initialize_copy;
        "<=>" => compare;
        "dev" => dev; "ino" => ino; "mode" => mode; "nlink" => nlink; "uid" => uid; "gid" => gid; "rdev" => rdev; "size" => size;
        "blksize" => blksize; "blocks" => blocks; "dev_major" => dev_major; "dev_minor" => dev_minor;
        "rdev_major" => rdev_major; "rdev_minor" => rdev_minor; "size?" => size_or_nil; "ftype" => ftype;
        "atime" => atime; "mtime" => mtime; "ctime" => ctime; "birthtime" => birthtime; "inspect" => inspect;
        "file?" => of_stat::is_file; "directory?" => of_stat::is_directory; "pipe?" => of_stat::is_pipe;
        "symlink?" => of_stat::is_symlink; "socket?" => of_stat::is_socket; "blockdev?" => of_stat::is_blockdev;
        "chardev?" => of_stat::is_chardev; "zero?" => of_stat::is_zero; "setuid?" => of_stat::is_setuid;
        "setgid?" => of_stat::is_setgid; "sticky?" => of_stat::is_sticky; "owned?" => of_stat::is_owned;
        "grpowned?" => of_stat::is_grpowned; "readable?" => of_stat::is_readable; "writable?" => of_stat::is_writable;
        "executable?" => of_stat::is_executable; "readable_real?" => of_stat::is_readable_real;
        "writable_real?" => of_stat::is_writable_real; "executable_real?" => of_stat::is_executable_real;
        "world_readable?" => is_world_readable; "world_writable?" => is_world_writable;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    let class = known.file_stat;
    class.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, StatData(None, None)).value())));
    class.include(ec, known.comparable);
    class.define_methods(ec, METHODS);
    let _ = of_stat::exists;
    let _ = errno;
}
