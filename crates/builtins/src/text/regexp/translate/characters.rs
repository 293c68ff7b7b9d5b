//! Characters that are written as escapes of bytes or of code points.

use super::{Parsed, Translator};
use carat_text::encoding::{Char, EncodingIndex, char_len};

impl Translator<'_> {
    /// Bytes written as escapes: a character of one of them, or of several in a row.
    pub(super) fn byte_escape(&mut self) -> Parsed {
        let mut bytes = vec![self.escaped_byte()?];
        if self.encoding == EncodingIndex::US_ASCII && bytes[0] >= 0x80 {
            self.fix(EncodingIndex::BINARY, "escaped non ASCII character in UTF-8 regexp")?;
            self.emit(&bytes);
            return Ok(());
        }
        while bytes.len() < self.encoding.max_len() && matches!(char_len(self.encoding, &bytes), Char::NeedMore(_)) {
            bytes.push(self.escaped_byte()?);
        }
        let Char::Valid(_) = char_len(self.encoding, &bytes) else { return Err("invalid multibyte escape".into()) };
        if bytes.len() == 1 && bytes[0] < 0x80 {
            self.emit(format!("\\x{:02X}", bytes[0]).as_bytes());
            return Ok(());
        }
        self.fix(self.encoding, "escaped non ASCII character in UTF-8 regexp")?;
        self.emit(&bytes);
        Ok(())
    }

    /// One escaped byte, prefixes for control and meta included.
    pub(super) fn escaped_byte(&mut self) -> Parsed<u8> {
        let (mut is_control, mut is_meta) = (false, false);
        if self.peek() != Some(b'\\') {
            return Err("too short escaped multibyte character".into());
        }
        self.at += 1;
        let code = loop {
            let Some(letter) = self.peek() else { return Err("too short escape sequence".into()) };
            self.at += 1;
            let is_prefix = match letter {
                b'M' if is_meta => return Err("duplicate meta escape".into()),
                b'M' => {
                    is_meta = true;
                    self.dash("too short meta escape")?;
                    true
                }
                b'C' | b'c' if is_control => return Err("duplicate control escape".into()),
                b'C' => {
                    is_control = true;
                    self.dash("too short control escape")?;
                    true
                }
                b'c' => {
                    is_control = true;
                    true
                }
                _ => false,
            };
            if !is_prefix {
                break self.simple_escape(letter)?;
            }
            let short = if letter == b'M' { "too short meta escape" } else { "too short control escape" };
            match self.peek() {
                Some(b'\\') => self.at += 1,
                Some(byte) if byte < 0x80 => {
                    self.at += 1;
                    break byte;
                }
                _ => return Err(short.into()),
            }
        };
        let code = if is_control { code & 0x1F } else { code };
        Ok(if is_meta { code | 0x80 } else { code })
    }

    pub(super) fn dash(&mut self, message: &str) -> Parsed {
        if self.peek() != Some(b'-') {
            return Err(message.into());
        }
        self.at += 1;
        Ok(())
    }

    pub(super) fn simple_escape(&mut self, letter: u8) -> Parsed<u8> {
        Ok(match letter {
            b'\\' => b'\\',
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'f' => 0x0C,
            b'v' => 0x0B,
            b'a' => 0x07,
            b'e' => 0x1B,
            b'0'..=b'7' => {
                self.at -= 1;
                let code = self.digits(8, 3).0;
                return u8::try_from(code).map_err(|_| "invalid escape code".into());
            }
            b'x' => {
                let (code, len) = self.digits(16, 2);
                if len == 0 {
                    return Err("invalid hex escape".into());
                }
                code as u8
            }
            _ => return Err("unexpected escape sequence".into()),
        })
    }

    /// Reads up to `most` digits: their value and how many there are.
    pub(super) fn digits(&mut self, radix: u32, most: usize) -> (u32, usize) {
        let (mut value, mut len) = (0u32, 0);
        while len < most
            && let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(radix))
        {
            value = value.wrapping_mul(radix).wrapping_add(digit);
            len += 1;
            self.at += 1;
        }
        (value, len)
    }

    pub(super) fn unicode_escape(&mut self) -> Parsed {
        self.at += 2;
        match self.peek() {
            None => Err("too short escape sequence".into()),
            Some(b'{') => self.unicode_list(),
            Some(_) => {
                let (code, len) = self.digits(16, 4);
                if len == 4 { self.code_point(code) } else { Err("invalid Unicode escape".into()) }
            }
        }
    }

    pub(super) fn unicode_list(&mut self) -> Parsed {
        self.at += 1;
        let mut count = 0;
        loop {
            while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
                self.at += 1;
            }
            let (code, len) = self.digits(16, usize::MAX);
            if len == 0 {
                break;
            }
            if len > 6 {
                return Err("invalid Unicode range".into());
            }
            self.code_point(code)?;
            count += 1;
        }
        if count == 0 || self.peek() != Some(b'}') {
            return Err("invalid Unicode list".into());
        }
        self.at += 1;
        Ok(())
    }

    pub(super) fn code_point(&mut self, code: u32) -> Parsed {
        let Some(c) = char::from_u32(code) else { return Err("invalid Unicode range".into()) };
        if code < 0x80 {
            self.emit(format!("\\x{code:02X}").as_bytes());
            return Ok(());
        }
        self.fix(EncodingIndex::UTF_8, "UTF-8 character in non UTF-8 regexp")?;
        self.emit(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }
}
