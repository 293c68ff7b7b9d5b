//! The terminal of `loupe top`: its settings while it is used, its size, and keys.

use crate::failure::Failure;
use carat_os::terminal::{self, Settings};
use std::io::{Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    Quit,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    Letter(char),
}

/// A terminal that shows pictures in place of lines; put back when this is dropped.
pub(super) struct Screen {
    before: Settings,
    bytes: Receiver<Vec<u8>>,
}

const STDIN: i32 = 0;
const STDOUT: i32 = 1;

impl Screen {
    pub(super) fn open() -> Result<Screen, Failure> {
        let failure = |error: std::io::Error| Failure::of_file("terminal", &error);
        let before = Settings::of(STDIN).map_err(failure)?;
        let mut raw = before;
        raw.make_raw(1, 0, false);
        raw.apply(STDIN).map_err(failure)?;
        let (sender, bytes) = mpsc::channel();
        // Reads until the program ends or nobody listens.
        std::thread::spawn(move || {
            let mut buffer = [0; 64];
            while let Ok(count) = std::io::stdin().read(&mut buffer) {
                if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let screen = Screen { before, bytes };
        write("\x1b[?1049h\x1b[?25l")?;
        Ok(screen)
    }

    /// Columns and lines.
    pub(super) fn size(&self) -> (usize, usize) {
        match terminal::size(STDOUT) {
            Ok((lines, columns)) if lines > 0 && columns > 0 => (columns.into(), lines.into()),
            _ => (80, 24),
        }
    }

    pub(super) fn draw(&self, lines: &[String]) -> Result<(), Failure> {
        let mut text = String::from("\x1b[H");
        for (number, line) in lines.iter().enumerate() {
            text += if number == 0 { "" } else { "\r\n" };
            text += line;
            text += "\x1b[K";
        }
        write(&(text + "\x1b[J"))
    }

    /// The next key, if one comes in time. A terminal that is gone wants no more pictures.
    pub(super) fn key(&self, patience: Duration) -> Option<Key> {
        match self.bytes.recv_timeout(patience) {
            Ok(bytes) => key(&bytes),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => Some(Key::Quit),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = write("\x1b[?25h\x1b[?1049l");
        let _ = self.before.apply(STDIN);
    }
}

/// What the bytes of a key mean; `None`: nothing.
fn key(bytes: &[u8]) -> Option<Key> {
    match bytes {
        b"q" | b"Q" | b"\x03" | b"\x04" | b"\x1b" => Some(Key::Quit),
        b"\x1b[A" | b"\x1bOA" | b"k" => Some(Key::Up),
        b"\x1b[B" | b"\x1bOB" | b"j" => Some(Key::Down),
        b"\x1b[5~" => Some(Key::PageUp),
        b"\x1b[6~" | b" " => Some(Key::PageDown),
        b"\x1b[H" | b"\x1b[1~" | b"\x1bOH" => Some(Key::Home),
        [byte, ..] if byte.is_ascii_graphic() => Some(Key::Letter(char::from(*byte))),
        _ => None,
    }
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::of_file("terminal", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read() {
        assert_eq!(key(b"\x1b[A"), Some(Key::Up));
        assert_eq!(key(b"\x1b"), Some(Key::Quit));
        assert_eq!(key(b"c"), Some(Key::Letter('c')));
        assert_eq!(key(b"\x1b[15~"), None);
    }
}
