//! Processes: forking, starting programs, waiting, ids, clocks and limits.
//!
//! # Starting a program
//! Everything the child needs is prepared before the fork: between fork and exec only system calls are made, because other
//! threads of the parent may have held any lock. The child reports a failed call through a pipe that a successful exec closes.
//! Most children share the parent's memory until then, which saves copying its page tables, and the pages that the parent
//! writes to: the calling thread stands still meanwhile, as after `vfork`, and the child has a stack of its own.

use crate::{check, pipe};
use std::ffi::{CStr, CString};
use std::io::{Error, Result};
use std::sync::atomic::{AtomicU32, Ordering};

/// Gives a thread of this process the name that tools show, as much of it as the system keeps. Systems without `/proc` show none.
pub fn name_thread(id: i64, name: &[u8]) {
    const MOST_BYTES: usize = 15;
    let name = &name[..name.len().min(MOST_BYTES)];
    // Nobody depends on it.
    let _ = std::fs::write(format!("/proc/self/task/{id}/comm"), name);
}

/// What the child does with a descriptor before the program starts.
#[derive(Debug)]
pub enum Action {
    /// The child's `to` becomes a copy of the descriptor.
    Dup {
        from: i32,
        to: i32,
    },
    Open {
        path: CString,
        flags: i32,
        mode: u32,
        to: i32,
    },
    Close(i32),
}

/// A program to start.
#[derive(Debug, Default)]
pub struct Program {
    /// Files to try in turn.
    pub files: Vec<CString>,
    pub argv: Vec<CString>,
    pub envp: Vec<CString>,
    pub actions: Vec<Action>,
    pub chdir: Option<CString>,
    pub umask: Option<u32>,
    /// Join this process group; 0 makes one.
    pub pgroup: Option<i32>,
    /// Lead a session of its own at this terminal, which is its standard input, output and error.
    pub terminal: Option<CString>,
    /// Run as this user and group.
    pub uid: Option<u32>,
    pub gid: Option<u32>,
    /// Resource, soft and hard limit.
    pub limits: Vec<(i32, u64, u64)>,
    /// Close all descriptors but the standard ones and those that actions set.
    pub close_others: bool,
}

/// Why a program did not start.
#[derive(Debug)]
pub struct StartError {
    pub error: Error,
    pub place: StartPlace,
}

/// What could not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartPlace {
    Program,
    /// The folder that it was to start in could not be entered.
    Folder,
    /// The action with this number.
    Action(usize),
}

impl StartPlace {
    fn number(self) -> i32 {
        match self {
            StartPlace::Program => 0,
            StartPlace::Folder => 1,
            StartPlace::Action(index) => index as i32 + 2,
        }
    }

    fn of_number(number: i32) -> StartPlace {
        match number {
            0 => StartPlace::Program,
            1 => StartPlace::Folder,
            action => StartPlace::Action(action as usize - 2),
        }
    }
}

impl From<Error> for StartError {
    fn from(error: Error) -> StartError {
        StartError { error, place: StartPlace::Program }
    }
}

const SHELL: &std::ffi::CStr = c"/bin/sh";

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect()
}

impl Program {
    /// Replaces the running process. Returns only with an error.
    pub fn exec(&self) -> StartError {
        let (argv, envp, mut script) = (pointers(&self.argv), pointers(&self.envp), self.script());
        let handlers = crate::signal::restore_defaults();
        let error =
            self.prepare().map_or_else(|error| error, |()| self.exec_prepared(&argv, &envp, &mut script).into());
        crate::signal::reinstall(handlers);
        error
    }

    /// Arguments with which a shell runs a file that is no program of its own; the file takes the second place.
    fn script(&self) -> Vec<*const libc::c_char> {
        let arguments = self.argv.iter().skip(1).map(|s| s.as_ptr());
        [SHELL.as_ptr(), std::ptr::null()].into_iter().chain(arguments).chain([std::ptr::null()]).collect()
    }

    /// Only system calls: runs in a forked child.
    fn exec_prepared(
        &self,
        argv: &[*const libc::c_char],
        envp: &[*const libc::c_char],
        script: &mut [*const libc::c_char],
    ) -> Error {
        let mut error = Error::from_raw_os_error(libc::ENOENT);
        for file in &self.files {
            // SAFETY: both arrays end with a null pointer, and their strings live on.
            unsafe { libc::execve(file.as_ptr(), argv.as_ptr(), envp.as_ptr()) };
            let mut failed = Error::last_os_error();
            if failed.raw_os_error() == Some(libc::ENOEXEC) {
                script[1] = file.as_ptr();
                // SAFETY: as above.
                unsafe { libc::execve(SHELL.as_ptr(), script.as_ptr(), envp.as_ptr()) };
                failed = Error::last_os_error();
            }
            let is_passed_over = self.files.len() > 1 && failed.raw_os_error() == Some(libc::EACCES);
            let is_too_long = self.files.len() > 1 && failed.raw_os_error() == Some(libc::ENAMETOOLONG);
            let is_missing = matches!(failed.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR)) || is_too_long;
            if !is_passed_over && !is_missing {
                error = failed;
            }
        }
        error
    }

    /// Only system calls: runs in a forked child.
    fn prepare(&self) -> std::result::Result<(), StartError> {
        // SAFETY: none of these touches memory but the strings and structures passed, which live through the calls.
        unsafe {
            if let Some(terminal) = &self.terminal {
                self.lead_session(terminal)?;
            }
            if let Some(group) = self.pgroup {
                check(libc::setpgid(0, group))?;
            }
            for &(resource, soft, hard) in &self.limits {
                let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
                check(libc::setrlimit(resource as _, &raw const limit))?;
            }
            if let Some(mask) = self.umask {
                libc::umask(mask);
            }
            for (index, action) in self.actions.iter().enumerate() {
                self.perform(action).map_err(|error| StartError { error, place: StartPlace::Action(index) })?;
            }
            if self.close_others {
                self.close_others_on_exec()?;
            }
            if let Some(dir) = &self.chdir {
                check(libc::chdir(dir.as_ptr())).map_err(|error| StartError { error, place: StartPlace::Folder })?;
            }
            if let Some(group) = self.gid {
                check(libc::setgid(group))?;
            }
            if let Some(user) = self.uid {
                check(libc::setuid(user))?;
            }
        }
        Ok(())
    }

    /// Only system calls.
    fn lead_session(&self, terminal: &CString) -> Result<()> {
        // SAFETY: as in `prepare`.
        unsafe {
            check(libc::setsid())?;
            let fd = check(libc::open(terminal.as_ptr(), libc::O_RDWR))?;
            check(libc::ioctl(fd, libc::TIOCSCTTY as _, 0))?;
            for standard in 0..3 {
                check(libc::dup2(fd, standard))?;
            }
            if fd > 2 {
                check(libc::close(fd))?;
            }
        }
        Ok(())
    }

    /// Only system calls. What actions set stays open.
    fn close_others_on_exec(&self) -> Result<()> {
        // SAFETY: neither call touches memory.
        unsafe {
            check(libc::close_range(3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC as libc::c_int))?;
            for action in &self.actions {
                if let Action::Dup { to, .. } | Action::Open { to, .. } = action {
                    check(libc::fcntl(*to, libc::F_SETFD, 0))?;
                }
            }
        }
        Ok(())
    }

    fn perform(&self, action: &Action) -> Result<()> {
        // SAFETY: as in `prepare`.
        unsafe {
            match action {
                Action::Dup { from, to } if from == to => check(libc::fcntl(*to, libc::F_SETFD, 0)).map(drop),
                Action::Dup { from, to } => check(libc::dup2(*from, *to)).map(drop),
                Action::Close(fd) => check(libc::close(*fd)).map(drop),
                Action::Open { path, flags, mode, to } => {
                    let fd = check(libc::open(path.as_ptr(), *flags, *mode))?;
                    if fd != *to {
                        check(libc::dup2(fd, *to))?;
                        check(libc::close(fd))?;
                    }
                    Ok(())
                }
            }
        }
    }

    /// The pipe through which a child says why it did not become the program. No action of the child writes over its end.
    fn report_pipe(&self) -> Result<(i32, i32)> {
        let (reader, writer) = pipe()?;
        let targets = self.actions.iter().map(|action| match action {
            Action::Dup { to, .. } | Action::Open { to, .. } | Action::Close(to) => *to,
        });
        let above = targets.max().map_or(0, |highest| highest.saturating_add(1));
        if writer >= above {
            return Ok((reader, writer));
        }
        let moved = crate::fcntl(writer, libc::F_DUPFD_CLOEXEC, above);
        let _ = crate::close(writer);
        match moved {
            Ok(writer) => Ok((reader, writer)),
            Err(error) => {
                let _ = crate::close(reader);
                Err(error)
            }
        }
    }

    /// Whether the parent's thread can wait until the child is another program: it makes nothing that waits for others, as
    /// opening a pipe's file does. What sets users in glibc tells all threads in memory to do so, and these are the parent's.
    fn can_share_memory(&self) -> bool {
        let may_wait = |action: &Action| matches!(action, Action::Open { path, .. } if path.as_c_str() != c"/dev/null");
        let sets_users = self.uid.is_some() || self.gid.is_some();
        self.terminal.is_none() && !sets_users && !self.actions.iter().any(may_wait)
    }

    /// Starts a child that is to become the program.
    pub fn spawn(&self) -> Result<Started> {
        let (argv, envp, script) = (pointers(&self.argv), pointers(&self.envp), self.script());
        let (reader, writer) = self.report_pipe()?;
        // A signal that reaches the child before it does by default what it shall would be noted there, where nobody looks.
        let blocked = crate::signal::Blocked::new();
        let mut child = Child { program: self, argv, envp, script, writer, blocked: &blocked };
        let pid = if self.can_share_memory() { child.start_in_shared_memory() } else { child.start_in_a_copy() };
        drop(child);
        drop(blocked);
        let _ = crate::close(writer);
        let started = Started { pid, reader };
        check(pid)?;
        Ok(started)
    }
}

/// What a child needs between its beginning and the program's.
struct Child<'a> {
    program: &'a Program,
    argv: Vec<*const libc::c_char>,
    envp: Vec<*const libc::c_char>,
    script: Vec<*const libc::c_char>,
    writer: i32,
    blocked: &'a crate::signal::Blocked,
}

impl Child<'_> {
    fn start_in_a_copy(&mut self) -> i32 {
        // SAFETY: the child makes system calls only, on memory prepared before.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            self.run();
        }
        pid
    }

    #[cfg(not(target_os = "linux"))]
    fn start_in_shared_memory(&mut self) -> i32 {
        self.start_in_a_copy()
    }

    /// Returns when the child has become the program, or has ended.
    #[cfg(target_os = "linux")]
    fn start_in_shared_memory(&mut self) -> i32 {
        // Of 16 bytes each, to which stacks are aligned.
        const STACK_WORDS: usize = 4096;
        extern "C" fn begin(child: *mut libc::c_void) -> libc::c_int {
            // SAFETY: `start_in_shared_memory` passed it, and stands still in the call.
            unsafe { &mut *child.cast::<Child<'_>>() }.run()
        }
        let mut stack: Vec<u128> = Vec::with_capacity(STACK_WORDS);
        // SAFETY: the child makes system calls only, on memory prepared before and on that stack, which grows downwards. The
        // thread whose `errno` it has stands still until the child needs neither any more.
        unsafe {
            let top = stack.as_mut_ptr().add(STACK_WORDS);
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            libc::clone(begin, top.cast(), flags, std::ptr::from_mut(self).cast())
        }
    }

    /// Only system calls: the child, until it is another program.
    fn run(&mut self) -> ! {
        crate::signal::restore_defaults();
        self.blocked.lift();
        let program = self.program;
        let failed = program
            .prepare()
            .map_or_else(|error| error, |()| program.exec_prepared(&self.argv, &self.envp, &mut self.script).into());
        let code = failed.error.raw_os_error().unwrap_or(libc::EINVAL);
        let (code, place) = (code.to_ne_bytes(), failed.place.number().to_ne_bytes());
        let report = [code[0], code[1], code[2], code[3], place[0], place[1], place[2], place[3]];
        let _ = crate::write(self.writer, &report);
        exit_now(127)
    }
}

/// A child of which nobody knows yet whether it became the program.
pub struct Started {
    pub pid: i32,
    reader: i32,
}

impl Started {
    /// Waits until the child runs the program, or says why it does not. It may wait for long before: opening a pipe's file does.
    pub fn outcome(&self) -> Result<Option<StartError>> {
        let mut report = [0; 8];
        if crate::read(self.reader, &mut report)? < report.len() {
            return Ok(None);
        }
        let _ = wait(self.pid, 0);
        let [a, b, c, d, place @ ..] = report;
        let error = Error::from_raw_os_error(i32::from_ne_bytes([a, b, c, d]));
        Ok(Some(StartError { error, place: StartPlace::of_number(i32::from_ne_bytes(place)) }))
    }
}

impl Started {
    /// Ends a child that has not become the program yet.
    pub fn give_up(&self) {
        let _ = kill(self.pid, libc::SIGKILL);
        let _ = wait(self.pid, 0);
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = crate::close(self.reader);
    }
}

/// Forks. The child has the calling thread alone. `around` calls what it is given, once, with the locks held that the child is
/// going to take.
pub fn fork(around: impl FnOnce(&dyn Fn() -> Result<i32>) -> Result<i32>) -> Result<i32> {
    // A signal that reaches the child before it can note signals would be lost.
    let _blocked = crate::signal::Blocked::new();
    // The thread that tells it waits for locks that `around` takes, and the child would find this one locked for ever.
    let _untold = crate::signal::hold_receiver();
    // SAFETY: the locks that the child takes are held by this thread, no thread is at its beginning or end in the allocator, and
    // the standard library is safe to use in a child of glibc.
    let pid = around(&|| crate::thread::unchanged(|| check(unsafe { libc::fork() })))?;
    if pid == 0 {
        FORKS.fetch_add(1, Ordering::Relaxed);
        crate::signal::restart_in_child();
    }
    Ok(pid)
}

static FORKS: AtomicU32 = AtomicU32::new(0);

/// How many forks this process is away from the one that was started: what is noted with another number was noted by a parent.
pub fn forks() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Ends the process at once.
pub fn exit_now(status: i32) -> ! {
    // SAFETY: ends the process without running anything.
    unsafe { libc::_exit(status) }
}

/// Ends the process as C does, standard output flushed. The standard library's own way takes the first thread's signal stack away,
/// even while that thread is in a handler: every thread runs one when an id of the process changes.
pub fn exit(status: i32) -> ! {
    let _ = std::io::Write::flush(&mut std::io::stdout());
    // SAFETY: nothing of this program is registered to run at exit; what libraries register may run on any thread.
    unsafe { libc::exit(status) }
}

/// Child's id (0 with WNOHANG when none has changed) and its raw status.
pub fn wait(pid: i32, flags: i32) -> Result<(i32, i32)> {
    let mut status = 0;
    // SAFETY: the status lives through the call.
    let pid = check(unsafe { libc::waitpid(pid, &raw mut status, flags) })?;
    Ok((pid, status))
}

pub fn kill(pid: i32, signal: i32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::kill(pid, signal) }).map(drop)
}

pub fn kill_group(group: i32, signal: i32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::killpg(group, signal) }).map(drop)
}

macro_rules! ids {
    ($($name:ident $function:ident;)+) => {$(
        pub fn $name() -> u32 {
            // SAFETY: touches no memory and cannot fail.
            unsafe { libc::$function() as u32 }
        }
    )+};
}

ids! { uid getuid; euid geteuid; gid getgid; egid getegid; ppid getppid; pgrp getpgrp; }

/// The process's number, which is asked for once. Whoever forks, the child asks anew.
pub fn pid() -> u32 {
    static PID: AtomicU32 = AtomicU32::new(0);
    static WATCH: std::sync::Once = std::sync::Once::new();
    extern "C" fn forget() {
        PID.store(0, Ordering::Relaxed);
    }
    let known = PID.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    // SAFETY: what runs in a child stores a number.
    WATCH.call_once(|| _ = unsafe { libc::pthread_atfork(None, None, Some(forget)) });
    // SAFETY: touches no memory and cannot fail.
    let pid = unsafe { libc::getpid() as u32 };
    PID.store(pid, Ordering::Relaxed);
    pid
}

/// Puts a title where the system looks for the process's arguments, cut to their length.
#[cfg(target_os = "linux")]
pub fn set_title(title: &[u8]) -> Result<()> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in parentheses before the third field; start and end of the arguments are fields 48 and 49.
    let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().skip(45);
    let mut address = || fields.next().and_then(|field| field.parse::<usize>().ok()).unwrap_or(0);
    let (start, end) = (address(), address());
    let room = end.saturating_sub(start);
    if start == 0 || room == 0 {
        return Ok(());
    }
    let shown = &title[..title.len().min(room - 1)];
    let place: *mut u8 = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: the system has put the arguments there, in this process's own stack, where they may be written. Whoever reads them
    // by the old pointers finds strings that end within: the last byte stays 0. Rust has copied them by now, and `environ` is
    // behind them.
    unsafe {
        std::ptr::write_bytes(place, 0, room);
        std::ptr::copy_nonoverlapping(shown.as_ptr(), place, shown.len());
    }
    Ok(())
}

/// Other systems have other ways.
#[cfg(not(target_os = "linux"))]
pub fn set_title(_title: &[u8]) -> Result<()> {
    Ok(())
}

pub fn getpgid(pid: i32) -> Result<i32> {
    // SAFETY: touches no memory.
    check(unsafe { libc::getpgid(pid) })
}

pub fn setpgid(pid: i32, group: i32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::setpgid(pid, group) }).map(drop)
}

pub fn getsid(pid: i32) -> Result<i32> {
    // SAFETY: touches no memory.
    check(unsafe { libc::getsid(pid) })
}

pub fn setsid() -> Result<i32> {
    // SAFETY: touches no memory.
    check(unsafe { libc::setsid() })
}

pub fn getpriority(which: i32, who: u32) -> Result<i32> {
    // SAFETY: touches no memory. -1 is a valid answer, so errno tells; it is cleared first.
    unsafe {
        *libc::__errno_location() = 0;
        let priority = libc::getpriority(which as _, who);
        if priority == -1 && *libc::__errno_location() != 0 { Err(Error::last_os_error()) } else { Ok(priority) }
    }
}

pub fn setpriority(which: i32, who: u32, priority: i32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::setpriority(which as _, who, priority) }).map(drop)
}

/// Changes user (or group) ids; `u32::MAX` keeps one.
pub fn set_ids(is_group: bool, real: u32, effective: u32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { if is_group { libc::setregid(real, effective) } else { libc::setreuid(real, effective) } }).map(drop)
}

pub fn groups() -> Result<Vec<u32>> {
    // SAFETY: a count of zero asks for the number only.
    let count = check(unsafe { libc::getgroups(0, std::ptr::null_mut()) })?;
    let mut groups = vec![0; count as usize];
    // SAFETY: the vector has room for the count.
    check(unsafe { libc::getgroups(count, groups.as_mut_ptr()) })?;
    Ok(groups)
}

pub fn set_groups(ids: &[u32]) -> Result<()> {
    // SAFETY: the slice is as long as it says.
    check(unsafe { libc::setgroups(ids.len(), ids.as_ptr()) }).map(drop)
}

/// The groups of a user, and one more, become the process's.
pub fn init_groups(user: &CStr, group: u32) -> Result<()> {
    // SAFETY: the name ends with a null byte.
    check(unsafe { libc::initgroups(user.as_ptr(), group) }).map(drop)
}

/// Seconds and nanoseconds.
pub fn clock(id: i32) -> Result<(i64, i64)> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure lives through the call.
    check(unsafe { libc::clock_gettime(id, &raw mut time) })?;
    Ok((time.tv_sec, time.tv_nsec))
}

pub fn clock_resolution(id: i32) -> Result<(i64, i64)> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure lives through the call.
    check(unsafe { libc::clock_getres(id, &raw mut time) })?;
    Ok((time.tv_sec, time.tv_nsec))
}

/// User and system seconds of this process, or of its children.
pub fn usage(of_children: bool) -> (f64, f64) {
    let who = if of_children { libc::RUSAGE_CHILDREN } else { libc::RUSAGE_SELF };
    // SAFETY: all-zero bytes are a valid structure of numbers, which lives through the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(who, &raw mut usage);
        usage
    };
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    (seconds(usage.ru_utime), seconds(usage.ru_stime))
}

pub fn limit(resource: i32) -> Result<(u64, u64)> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure lives through the call.
    check(unsafe { libc::getrlimit(resource as _, &raw mut limit) })?;
    Ok((limit.rlim_cur, limit.rlim_max))
}

pub fn set_limit(resource: i32, soft: u64, hard: u64) -> Result<()> {
    let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
    // SAFETY: the structure lives through the call.
    check(unsafe { libc::setrlimit(resource as _, &raw const limit) }).map(drop)
}

/// The lowest address of the running thread's stack, and of what may be used of it: guard pages are none of it.
pub fn stack_end() -> Result<usize> {
    // SAFETY: the attributes are filled by the first call, read by the second, and destroyed once.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        let got = libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes);
        if got != 0 {
            return Err(Error::from_raw_os_error(got));
        }
        let (mut lowest, mut bytes, mut guard) = (std::ptr::null_mut(), 0, 0);
        let got = libc::pthread_attr_getstack(&raw const attributes, &raw mut lowest, &raw mut bytes);
        libc::pthread_attr_getguardsize(&raw const attributes, &raw mut guard);
        libc::pthread_attr_destroy(&raw mut attributes);
        if got != 0 {
            return Err(Error::from_raw_os_error(got));
        }
        Ok(lowest.addr() + guard)
    }
}
