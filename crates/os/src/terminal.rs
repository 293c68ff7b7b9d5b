//! What terminals can do, by descriptor number.

use crate::check;
use std::io::Result;

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

    /// Every byte as it comes: no lines, no echo, no signals. A read waits for `least` bytes, and for `tenths` of a second
    /// once the first one came; with `signals`, interrupts stay what they are.
    pub fn make_raw(&mut self, least: u8, tenths: u8, signals: bool) {
        // SAFETY: the settings are writable.
        unsafe { libc::cfmakeraw(&raw mut self.0) };
        if signals {
            self.0.c_iflag |= libc::BRKINT;
            self.0.c_lflag |= libc::ISIG;
        }
        // What is written is still made lines.
        self.0.c_oflag |= libc::OPOST | libc::ONLCR;
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
        let flags = libc::ECHO | libc::ECHOE | libc::ECHOK;
        self.0.c_lflag = if on { self.0.c_lflag | flags } else { self.0.c_lflag & !(flags | libc::ECHONL) };
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
