//! What terminals can do, by descriptor number.

use crate::check;
use std::ffi::{CStr, CString};
use std::io::{Error, Result};
use std::os::fd::{FromRawFd, OwnedFd};

/// The settings of a terminal, to be changed and put back.
#[derive(Clone, Copy)]
pub struct Settings(libc::termios);

impl Settings {
    pub fn of(fd: i32) -> Result<Settings> {
        // SAFETY: numbers and bytes, for which zero is a value; the call fills them in.
        unsafe {
            let mut settings: libc::termios = std::mem::zeroed();
            check(libc::tcgetattr(fd, &raw mut settings))?;
            Ok(Settings(settings))
        }
    }

    /// Puts the settings into force once what was written is out.
    pub fn apply(&self, fd: i32) -> Result<()> {
        // SAFETY: the settings are readable.
        check(unsafe { libc::tcsetattr(fd, libc::TCSADRAIN, &raw const self.0) }).map(drop)
    }

    /// Every byte as it comes and goes: no lines, no echo, no signals. A read waits for `least` bytes, and for `tenths` of a
    /// second once the first one came; with `signals`, interrupts and the ends of written lines stay what they are.
    pub fn make_raw(&mut self, least: u8, tenths: u8, signals: bool) {
        // SAFETY: the settings are writable.
        unsafe { libc::cfmakeraw(&raw mut self.0) };
        self.0.c_lflag &= !(libc::ECHOE | libc::ECHOK);
        if signals {
            self.0.c_iflag |= libc::BRKINT;
            self.0.c_lflag |= libc::ISIG;
            self.0.c_oflag |= libc::OPOST;
        }
        self.0.c_cc[libc::VMIN] = least;
        self.0.c_cc[libc::VTIME] = tenths;
    }

    /// Lines, echo and signals, as a terminal has them at first.
    pub fn make_cooked(&mut self) {
        self.0.c_iflag |= libc::BRKINT | libc::ISTRIP | libc::ICRNL | libc::IXON;
        self.0.c_oflag |= libc::OPOST;
        self.0.c_lflag |=
            libc::ECHO | libc::ECHOE | libc::ECHOK | libc::ECHONL | libc::ICANON | libc::ISIG | libc::IEXTEN;
    }

    pub fn has_echo(&self) -> bool {
        self.0.c_lflag & (libc::ECHO | libc::ECHONL) != 0
    }

    pub fn set_echo(&mut self, on: bool) {
        let flags = libc::ECHO | libc::ECHOE | libc::ECHOK | libc::ECHONL;
        self.0.c_lflag = if on { self.0.c_lflag | flags } else { self.0.c_lflag & !flags };
    }
}

/// Rows and columns.
pub fn size(fd: i32) -> Result<(u16, u16)> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the call fills in a struct of this type.
    check(unsafe { libc::ioctl(fd, libc::TIOCGWINSZ, &raw mut size) })?;
    Ok((size.ws_row, size.ws_col))
}

pub fn set_size(fd: i32, rows: u16, columns: u16) -> Result<()> {
    let size = libc::winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the call reads a struct of this type.
    check(unsafe { libc::ioctl(fd, libc::TIOCSWINSZ, &raw const size) }).map(drop)
}

/// Forgets what was typed and not read (`input`), or written and not sent.
pub fn discard(fd: i32, input: bool, output: bool) -> Result<()> {
    let queue = match (input, output) {
        (true, true) => libc::TCIOFLUSH,
        (true, false) => libc::TCIFLUSH,
        _ => libc::TCOFLUSH,
    };
    // SAFETY: touches no memory.
    check(unsafe { libc::tcflush(fd, queue) }).map(drop)
}

/// A new terminal: the end that plays the keyboard and the screen, the end that programs have, and the path of that one.
pub struct Pair {
    pub master: OwnedFd,
    pub slave: OwnedFd,
    pub path: CString,
}

impl Pair {
    pub fn open() -> Result<Pair> {
        // SAFETY: the name has room for as many bytes as the call is told and ends with zero; each descriptor is new and has
        // one owner.
        unsafe {
            let master =
                OwnedFd::from_raw_fd(check(libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC))?);
            let fd = std::os::fd::AsRawFd::as_raw_fd(&master);
            check(libc::grantpt(fd))?;
            check(libc::unlockpt(fd))?;
            let mut name = [0; 128];
            match libc::ptsname_r(fd, name.as_mut_ptr(), name.len()) {
                0 => (),
                code => return Err(Error::from_raw_os_error(code)),
            }
            let path = CStr::from_ptr(name.as_ptr()).to_owned();
            let slave = check(libc::open(path.as_ptr(), libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC))?;
            Ok(Pair { master, slave: OwnedFd::from_raw_fd(slave), path })
        }
    }
}
