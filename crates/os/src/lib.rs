//! The operating system by file descriptor number: what `std` offers only for descriptors that it owns.
//!
//! Every function is safe to call with any number or path; a wrong one is an error of the system. Only [`fork`](process::fork)
//! and the signal handler need care, which their modules take.
//!
//! # Not here
//! What `std::fs` does as well: renaming, links, directories.

mod allocator;
pub mod code_pages;
pub mod config;
pub mod contact;
mod mapping;
pub mod netdb;
pub mod process;
pub mod random;
pub mod signal;
pub mod socket;
pub mod terminal;
pub mod thread;

pub use allocator::{Mimalloc, prepare_allocator};
pub use mapping::Mapping;
use std::ffi::{CString, OsStr};
use std::io::{Error, ErrorKind, Result};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

pub use libc as c;

/// Bytes that the C library's allocator handed out.
#[cfg(target_env = "gnu")]
pub fn system_allocated_bytes() -> usize {
    // SAFETY: a call without arguments.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

/// Other C libraries do not tell: all of it counts as free.
#[cfg(not(target_env = "gnu"))]
pub fn system_allocated_bytes() -> usize {
    0
}

/// The process's memory that is resident, in bytes, nearly: the kernel counts on each processor apart.
pub struct Resident {
    pub bytes: u64,
    /// Those that the system can read again from a file, or that other processes can see.
    pub shared_bytes: u64,
}

/// How much memory of the process is resident, where the system says so.
pub fn resident() -> Option<Resident> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let bytes: Vec<u64> =
        text.split(' ').map_while(|pages| Some(pages.parse::<u64>().ok()? * page_bytes() as u64)).collect();
    let [_mapped, bytes, shared_bytes, ..] = bytes[..] else { return None };
    Some(Resident { bytes, shared_bytes })
}

/// Gives pages back to the system that the C library's allocator holds and nobody uses: where the parser's tree was, little
/// that lives longer lies between what was freed.
pub fn trim_system_allocator() {
    #[cfg(target_env = "gnu")]
    // SAFETY: the allocator's own lists, which it locks.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// The system's own text for an error, without the number that `std` adds.
pub fn error_text(error: &Error) -> String {
    let full = error.to_string();
    full.rsplit_once(" (os error").map_or(full.clone(), |(text, _)| text.to_string())
}

/// Bytes of the system's pages, a power of two: 4 KiB nearly everywhere, 16 or 64 where kernels for aarch64 are built so.
pub fn page_bytes() -> usize {
    // SAFETY: a call without pointers; the C library has the number from the process's start.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("every system has pages")
}

/// A C function's result: -1 is an error in `errno`.
fn check(result: libc::c_int) -> Result<i32> {
    contact::count();
    if result == -1 { Err(Error::last_os_error()) } else { Ok(result) }
}

fn check_size(result: isize) -> Result<usize> {
    contact::count();
    usize::try_from(result).map_err(|_| Error::last_os_error())
}

/// Requests that are not worth asking about.
pub const SMALL_BYTES: usize = 32 << 20;

/// Whether the system has that much memory to give, as far as it says so before the memory is used.
pub fn would_allocate(bytes: usize) -> bool {
    if bytes < SMALL_BYTES {
        return true;
    }
    // SAFETY: a mapping of its own at an address of the system's choice, taken back at once.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let probe = libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        probe != libc::MAP_FAILED && libc::munmap(probe, bytes) == 0
    }
}

/// Lets all threads share what the C library allocates from: it reserves 64 MiB of addresses for each, which is much for a
/// process whose address space is limited.
pub fn save_address_space() {
    #[cfg(target_env = "gnu")]
    // SAFETY: a setting of the allocator's own.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// A path for C. One with a NUL inside names no file.
pub fn c_path(path: &[u8]) -> Result<CString> {
    CString::new(path).map_err(|_| Error::from(ErrorKind::InvalidInput))
}

/// Calls `f` with a path that ends with a NUL; a short one lies on the stack.
fn with_c_path<R>(path: &[u8], f: impl FnOnce(*const libc::c_char) -> Result<R>) -> Result<R> {
    const SHORT: usize = 256;
    if path.len() >= SHORT || path.contains(&0) {
        return f(c_path(path)?.as_ptr());
    }
    let mut ended = [0_u8; SHORT];
    ended[..path.len()].copy_from_slice(path);
    f(ended.as_ptr().cast())
}

pub fn os_str(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

// ---- descriptors ----

pub fn open(path: &[u8], flags: i32, mode: u32) -> Result<i32> {
    let path = c_path(path)?;
    // SAFETY: the path ends with NUL and lives through the call.
    check(unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, mode) })
}

/// A file in memory with these bytes, at its beginning.
#[cfg(target_os = "linux")]
pub fn memory_file(contents: &[u8]) -> Result<i32> {
    use std::io::{Seek, Write};
    use std::os::fd::{FromRawFd, IntoRawFd};
    // SAFETY: the name is a C string, and nobody else has the descriptor.
    let mut file =
        unsafe { std::fs::File::from_raw_fd(check(libc::memfd_create(c"carat".as_ptr(), libc::MFD_CLOEXEC))?) };
    file.write_all(contents)?;
    file.rewind()?;
    Ok(file.into_raw_fd())
}

/// Only Linux has them.
#[cfg(not(target_os = "linux"))]
pub fn memory_file(_contents: &[u8]) -> Result<i32> {
    Err(Error::from_raw_os_error(libc::ENOENT))
}

pub fn close(fd: i32) -> Result<()> {
    // SAFETY: closing a number touches no memory.
    check(unsafe { libc::close(fd) }).map(drop)
}

pub fn read(fd: i32, into: &mut [u8]) -> Result<usize> {
    // SAFETY: the buffer is writable for its length.
    check_size(unsafe { libc::read(fd, into.as_mut_ptr().cast(), into.len()) })
}

/// As [`read`], into memory that need not be initialised: the bytes that were read are.
pub fn read_uninit(fd: i32, into: &mut [MaybeUninit<u8>]) -> Result<usize> {
    // SAFETY: the buffer is writable for its length.
    check_size(unsafe { libc::read(fd, into.as_mut_ptr().cast(), into.len()) })
}

pub fn write(fd: i32, bytes: &[u8]) -> Result<usize> {
    // SAFETY: the bytes are readable for their length.
    check_size(unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) })
}

pub fn pread(fd: i32, into: &mut [u8], offset: i64) -> Result<usize> {
    // SAFETY: as in `read`.
    check_size(unsafe { libc::pread(fd, into.as_mut_ptr().cast(), into.len(), offset) })
}

pub fn pwrite(fd: i32, bytes: &[u8], offset: i64) -> Result<usize> {
    // SAFETY: as in `write`.
    check_size(unsafe { libc::pwrite(fd, bytes.as_ptr().cast(), bytes.len(), offset) })
}

pub fn seek(fd: i32, offset: i64, whence: i32) -> Result<i64> {
    // SAFETY: touches no memory.
    let at = unsafe { libc::lseek(fd, offset, whence) };
    if at < 0 { Err(Error::last_os_error()) } else { Ok(at) }
}

/// A duplicate that programs started later do not inherit.
pub fn dup(fd: i32) -> Result<i32> {
    fcntl(fd, libc::F_DUPFD_CLOEXEC, 3)
}

pub fn dup_onto(from: i32, to: i32) -> Result<()> {
    let flags = if to > 2 { libc::O_CLOEXEC } else { 0 };
    if from == to {
        return Ok(());
    }
    // SAFETY: touches no memory.
    check(unsafe { libc::dup3(from, to, flags) }).map(drop)
}

/// Read end and write end.
pub fn pipe() -> Result<(i32, i32)> {
    let mut ends = [0; 2];
    // SAFETY: the array holds two descriptors.
    check(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    Ok((ends[0], ends[1]))
}

/// `fcntl` with a number as argument.
pub fn fcntl(fd: i32, command: i32, argument: i32) -> Result<i32> {
    // SAFETY: commands that take a pointer would fail with EFAULT on a small number, not touch memory of ours.
    check(unsafe { libc::fcntl(fd, command, argument) })
}

/// The argument of a call that commands a descriptor.
pub enum Argument<'a> {
    Number(i64),
    Bytes(&'a mut [u8]),
}

impl Argument<'_> {
    /// A number beyond 32 bits could be an address, and there is none that a caller may know.
    fn as_long(&mut self) -> Result<libc::c_long> {
        match self {
            Argument::Number(number) => match i32::try_from(*number) {
                Ok(number) => Ok(number.into()),
                Err(_) => Err(Error::from_raw_os_error(libc::EFAULT)),
            },
            Argument::Bytes(bytes) => Ok(bytes.as_mut_ptr() as libc::c_long),
        }
    }
}

/// Bytes are as many as the command reads and writes at most.
pub fn fcntl_with(fd: i32, command: i32, mut argument: Argument<'_>) -> Result<i32> {
    let argument = argument.as_long()?;
    // SAFETY: the argument is a small number, which is no address of ours, or writable for what the command needs.
    check(unsafe { libc::fcntl(fd, command, argument) })
}

/// As above.
pub fn ioctl_with(fd: i32, command: i64, mut argument: Argument<'_>) -> Result<i32> {
    let argument = argument.as_long()?;
    // SAFETY: as above.
    check(unsafe { libc::ioctl(fd, command as libc::Ioctl, argument) })
}

pub fn is_tty(fd: i32) -> bool {
    // SAFETY: touches no memory.
    unsafe { libc::isatty(fd) == 1 }
}

pub fn sync(fd: i32, data_only: bool) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { if data_only { libc::fdatasync(fd) } else { libc::fsync(fd) } }).map(drop)
}

pub fn ftruncate(fd: i32, len: i64) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::ftruncate(fd, len) }).map(drop)
}

pub fn flock(fd: i32, operation: i32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::flock(fd, operation) }).map(drop)
}

/// Waits for events on descriptors; `timeout` in milliseconds, -1 for ever. The events that came, in the same order.
pub fn poll(wanted: &[(i32, i16)], timeout: i32) -> Result<Vec<i16>> {
    let mut fds: Vec<libc::pollfd> =
        wanted.iter().map(|&(fd, events)| libc::pollfd { fd, events, revents: 0 }).collect();
    // SAFETY: the array has as many entries as said.
    check(unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, timeout) })?;
    Ok(fds.iter().map(|f| f.revents).collect())
}

/// When a wait is over. A call that a signal has interrupted waits for what is left of the time, not for all of it again: so
/// whoever waits asks for the milliseconds inside the call.
#[derive(Clone, Copy)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// Without seconds there is none.
    pub fn after(seconds: Option<f64>) -> Deadline {
        Deadline(seconds.map(|s| Instant::now() + Duration::from_secs_f64(s.clamp(0.0, 1e9))))
    }

    /// For [`poll`]: -1 for ever.
    pub fn milliseconds(self) -> i32 {
        let left = self.0.map(|end| end.saturating_duration_since(Instant::now()));
        left.map_or(-1, |left| left.as_micros().div_ceil(1000).min(1 << 30) as i32)
    }

    pub fn has_passed(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

// ---- files by name ----

/// What `stat` tells, under the names of its fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stat {
    pub dev: u64,
    pub ino: u64,
    pub mode: u32,
    pub nlink: u64,
    pub uid: u32,
    pub gid: u32,
    pub rdev: u64,
    pub size: i64,
    pub blksize: i64,
    pub blocks: i64,
    /// Seconds and nanoseconds.
    pub atime: (i64, i64),
    pub mtime: (i64, i64),
    pub ctime: (i64, i64),
}

impl From<libc::stat> for Stat {
    #[allow(clippy::unnecessary_cast, reason = "field types differ between platforms")]
    fn from(s: libc::stat) -> Stat {
        Stat {
            dev: s.st_dev as u64,
            ino: s.st_ino as u64,
            mode: s.st_mode as u32,
            nlink: s.st_nlink as u64,
            uid: s.st_uid,
            gid: s.st_gid,
            rdev: s.st_rdev as u64,
            size: s.st_size,
            blksize: s.st_blksize as i64,
            blocks: s.st_blocks as i64,
            atime: (s.st_atime, s.st_atime_nsec),
            mtime: (s.st_mtime, s.st_mtime_nsec),
            ctime: (s.st_ctime, s.st_ctime_nsec),
        }
    }
}

pub fn stat(path: &[u8], follows: bool) -> Result<Stat> {
    let path = c_path(path)?;
    // SAFETY: all-zero bytes are a valid stat structure of plain numbers.
    let mut s: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: path and structure live through the call.
    check(unsafe {
        if follows { libc::stat(path.as_ptr(), &raw mut s) } else { libc::lstat(path.as_ptr(), &raw mut s) }
    })?;
    Ok(s.into())
}

/// Whether what a path names, which there must be, is a symbolic link: costs the system less than [`stat`].
pub fn is_link(path: &[u8]) -> Result<bool> {
    with_c_path(path, |path| {
        let mut byte = 0_u8;
        // SAFETY: the path ends with a NUL, and the byte is writable.
        match check_size(unsafe { libc::readlink(path, (&raw mut byte).cast(), 1) }) {
            Ok(_) => Ok(true),
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(false),
            Err(error) => Err(error),
        }
    })
}

/// Whether a folder's times change with the names in it, whoever changes them: the file system is one of the kernel's own, on this
/// machine.
#[cfg(target_os = "linux")]
pub fn folder_times_are_true(path: &[u8]) -> bool {
    const OVERLAY: i64 = 0x794c_7630;
    const F2FS: i64 = 0xf2f5_2010;
    const RAMFS: i64 = 0x8584_58f6;
    const ZFS: i64 = 0x2fc1_2fc1;
    let Ok(path) = c_path(path) else { return false };
    // SAFETY: all-zero bytes are a valid structure of plain numbers.
    let mut s: libc::statfs = unsafe { std::mem::zeroed() };
    // SAFETY: path and structure live through the call.
    let done = unsafe { libc::statfs(path.as_ptr(), &raw mut s) };
    let own = [libc::EXT4_SUPER_MAGIC, libc::XFS_SUPER_MAGIC, libc::BTRFS_SUPER_MAGIC, libc::TMPFS_MAGIC];
    #[allow(clippy::useless_conversion, reason = "the types differ between platforms")]
    let is_own =
        |kind: i64| own.iter().any(|own| i64::from(*own) == kind) || [OVERLAY, F2FS, RAMFS, ZFS].contains(&kind);
    done == 0 && is_own(s.f_type as i64)
}

/// Nobody has tried other systems.
#[cfg(not(target_os = "linux"))]
pub fn folder_times_are_true(_path: &[u8]) -> bool {
    false
}

pub fn fstat(fd: i32) -> Result<Stat> {
    // SAFETY: as in `stat`.
    let mut s: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the structure lives through the call.
    check(unsafe { libc::fstat(fd, &raw mut s) })?;
    Ok(s.into())
}

/// Creation time in seconds and nanoseconds, where the file system keeps it.
pub fn birth_time(path: &[u8]) -> Result<(i64, i64)> {
    let created = std::fs::metadata(os_str(path))?.created()?;
    match created.duration_since(std::time::UNIX_EPOCH) {
        Ok(after) => Ok((after.as_secs() as i64, i64::from(after.subsec_nanos()))),
        Err(_) => Ok((0, 0)),
    }
}

/// What [`stat`] of a file and [`birth_time`] tell, in one call where the system has it.
pub fn stat_and_birth(path: &[u8]) -> Result<(Stat, Option<(i64, i64)>)> {
    #[cfg(target_os = "linux")]
    match statx(path) {
        // Neither old systems nor all sandboxes have the call.
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) => {}
        found => return found,
    }
    Ok((stat(path, true)?, birth_time(path).ok()))
}

#[cfg(target_os = "linux")]
fn statx(path: &[u8]) -> Result<(Stat, Option<(i64, i64)>)> {
    let path = c_path(path)?;
    // SAFETY: all-zero bytes are a valid structure of plain numbers.
    let mut s: libc::statx = unsafe { std::mem::zeroed() };
    let wanted = libc::STATX_BASIC_STATS | libc::STATX_BTIME;
    // SAFETY: path and structure live through the call.
    check(unsafe { libc::statx(libc::AT_FDCWD, path.as_ptr(), 0, wanted, &raw mut s) })?;
    let time = |t: libc::statx_timestamp| (t.tv_sec, i64::from(t.tv_nsec));
    let found = Stat {
        dev: libc::makedev(s.stx_dev_major, s.stx_dev_minor),
        ino: s.stx_ino,
        mode: u32::from(s.stx_mode),
        nlink: u64::from(s.stx_nlink),
        uid: s.stx_uid,
        gid: s.stx_gid,
        rdev: libc::makedev(s.stx_rdev_major, s.stx_rdev_minor),
        size: s.stx_size as i64,
        blksize: i64::from(s.stx_blksize),
        blocks: s.stx_blocks as i64,
        atime: time(s.stx_atime),
        mtime: time(s.stx_mtime),
        ctime: time(s.stx_ctime),
    };
    Ok((found, (s.stx_mask & libc::STATX_BTIME != 0).then(|| time(s.stx_btime))))
}

/// `access`, by the effective ids if `effective`.
pub fn access(path: &[u8], mode: i32, effective: bool) -> Result<()> {
    let path = c_path(path)?;
    let flags = if effective { libc::AT_EACCESS } else { 0 };
    // SAFETY: the path lives through the call.
    check(unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), mode, flags) }).map(drop)
}

pub fn truncate(path: &[u8], len: i64) -> Result<()> {
    let path = c_path(path)?;
    // SAFETY: the path lives through the call.
    check(unsafe { libc::truncate(path.as_ptr(), len) }).map(drop)
}

pub fn mkfifo(path: &[u8], mode: u32) -> Result<()> {
    let path = c_path(path)?;
    // SAFETY: the path lives through the call.
    check(unsafe { libc::mkfifo(path.as_ptr(), mode) }).map(drop)
}

pub fn mkdir(path: &[u8], mode: u32) -> Result<()> {
    let path = c_path(path)?;
    // SAFETY: the path lives through the call.
    check(unsafe { libc::mkdir(path.as_ptr(), mode) }).map(drop)
}

pub fn fchdir(fd: i32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::fchdir(fd) }).map(drop)
}

pub fn chmod(path: &[u8], mode: u32, follows: bool) -> Result<()> {
    let path = c_path(path)?;
    let flags = if follows { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: the path lives through the call.
    check(unsafe { libc::fchmodat(libc::AT_FDCWD, path.as_ptr(), mode, flags) }).map(drop)
}

pub fn fchmod(fd: i32, mode: u32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::fchmod(fd, mode) }).map(drop)
}

/// An id of `u32::MAX` leaves the owner or group as it is.
pub fn chown(path: &[u8], uid: u32, gid: u32, follows: bool) -> Result<()> {
    let path = c_path(path)?;
    let flags = if follows { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: the path lives through the call.
    check(unsafe { libc::fchownat(libc::AT_FDCWD, path.as_ptr(), uid, gid, flags) }).map(drop)
}

pub fn fchown(fd: i32, uid: u32, gid: u32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::fchown(fd, uid, gid) }).map(drop)
}

/// Sets access and modification time, each seconds and nanoseconds or `None` for now.
pub fn set_times(path: &[u8], atime: Option<(i64, i64)>, mtime: Option<(i64, i64)>, follows: bool) -> Result<()> {
    let path = c_path(path)?;
    let spec = |t: Option<(i64, i64)>| match t {
        Some((seconds, nanoseconds)) => libc::timespec { tv_sec: seconds, tv_nsec: nanoseconds },
        None => libc::timespec { tv_sec: 0, tv_nsec: libc::UTIME_NOW },
    };
    let times = [spec(atime), spec(mtime)];
    let flags = if follows { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: the path and both times live through the call.
    check(unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), flags) }).map(drop)
}

pub fn umask(mask: u32) -> u32 {
    // SAFETY: touches no memory.
    unsafe { libc::umask(mask) }
}

/// Home directory and name of a user, by name or by the process's own id.
pub fn user(name: Option<&[u8]>) -> Option<(Vec<u8>, Vec<u8>)> {
    let passwd = std::fs::read("/etc/passwd").ok()?;
    let own = process::uid().to_string();
    passwd.split(|b| *b == b'\n').find_map(|line| {
        let fields: Vec<&[u8]> = line.split(|b| *b == b':').collect();
        let is_match = fields.len() >= 6 && name.map_or(fields[2] == own.as_bytes(), |n| fields[0] == n);
        is_match.then(|| (fields[5].to_vec(), fields[0].to_vec()))
    })
}

/// Room for the C library's table of the environment, and for the megabyte that its allocator asks the system for at least.
const ENVIRONMENT_BYTES: usize = 4 << 20;

/// Sets or removes an environment variable. The room that it takes is asked for first: `std` panics where there is none.
pub fn set_env(name: &[u8], value: Option<&[u8]>) -> Result<()> {
    let bytes = name.len() + value.map_or(0, <[u8]>::len) + ENVIRONMENT_BYTES;
    // SAFETY: memory of the C library's own allocator, taken back at once.
    unsafe {
        // Seen by nobody, the call would be optimised away.
        let probe = std::hint::black_box(libc::malloc(bytes));
        if probe.is_null() {
            return Err(Error::from_raw_os_error(libc::ENOMEM));
        }
        libc::free(probe);
    }
    // SAFETY: the environment is read through std alone, whose lock this takes; the C library reads it only in calls that
    // we do not make.
    unsafe {
        match value {
            Some(value) => std::env::set_var(os_str(name), os_str(value)),
            None => std::env::remove_var(os_str(name)),
        }
    }
    Ok(())
}
