//! Reading heap dumps: one object a line, as JSON, of any length.
//!
//! Nothing is kept but what a command asks for, so a dump may be larger than memory. Both Carat's dumps and CRuby's are read:
//! unknown keys are skipped.

use crate::failure::Failure;
use serde::Deserialize;
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::time::{Duration, Instant};

/// One line. Texts are borrowed from it where they hold no escapes.
#[derive(Deserialize)]
pub(crate) struct Record<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) address: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) class: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) name: Option<Cow<'a, str>>,
    /// Of a singleton class or one without a name: the class that its objects are known by.
    #[serde(borrow, default)]
    pub(crate) real_class_name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) file: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(crate) line: Option<u64>,
    #[serde(default)]
    pub(crate) generation: Option<u64>,
    #[serde(default)]
    pub(crate) memsize: u64,
    /// Entries of a hash.
    #[serde(default)]
    pub(crate) size: Option<u64>,
    /// Elements of an array.
    #[serde(default)]
    pub(crate) length: Option<u64>,
    #[serde(borrow, default)]
    pub(crate) value: Option<Cow<'a, str>>,
    /// In place of a string's contents, if the dump was to hide these.
    #[serde(borrow, default)]
    pub(crate) value_hash: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) imemo_type: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "struct")]
    pub(crate) structure: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) root: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) references: Vec<Cow<'a, str>>,
}

impl Record<'_> {
    pub(crate) fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }

    pub(crate) fn address(&self) -> Option<u64> {
        self.address.as_deref().and_then(parse_address)
    }

    pub(crate) fn class(&self) -> Option<u64> {
        self.class.as_deref().and_then(parse_address)
    }

    /// Neither an object nor, in a dump made with `full:`, a slot in use.
    pub(crate) fn is_object(&self) -> bool {
        !matches!(self.kind(), "ROOT" | "SHAPE" | "NONE" | "ZOMBIE")
    }

    /// Where it was made.
    pub(crate) fn place(&self) -> Option<(String, i32)> {
        Some((self.file.as_deref()?.to_string(), i32::try_from(self.line?).ok()?))
    }

    pub(crate) fn location(&self) -> Option<String> {
        Some(format!("{}:{}", self.file.as_deref()?, self.line?))
    }
}

pub(crate) fn parse_address(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// Standard input, or the file.
fn open(path: &str) -> Result<(Box<dyn Read>, u64), Failure> {
    if path == "-" {
        return Ok((Box::new(std::io::stdin()), 0));
    }
    let file = File::open(path).map_err(|e| Failure::of_file(path, &e))?;
    let bytes = file.metadata().map_or(0, |m| m.len());
    Ok((Box::new(file), bytes))
}

/// Calls `f` with each line's record. What is no heap dump, or ends in the middle of a line, is an error that names the line.
pub(crate) fn read(path: &str, f: &mut dyn FnMut(&Record<'_>)) -> Result<(), Failure> {
    let (input, bytes) = open(path)?;
    let mut input = BufReader::with_capacity(1 << 20, input);
    let mut progress = Progress::new(path, bytes);
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        let count = input.read_until(b'\n', &mut line).map_err(|e| Failure::of_file(path, &e))?;
        if count == 0 {
            break;
        }
        number += 1;
        progress.advance(count as u64);
        let record = parse(&line).map_err(|message| {
            let is_cut = !line.ends_with(b"\n") && number > 1;
            let message = if is_cut { "the dump ends in the middle of a line".into() } else { message };
            Failure::at_line(path, number, message)
        })?;
        f(&record);
    }
    progress.end();
    if number == 0 { Err(Failure::new(format!("{path}: the dump is empty"))) } else { Ok(()) }
}

fn parse(line: &[u8]) -> Result<Record<'_>, String> {
    let text = std::str::from_utf8(line).map_err(|_| "not a heap dump: the line is no UTF-8".to_string())?;
    let record: Record<'_> = serde_json::from_str(text.trim_end()).map_err(|error| {
        let column = error.column();
        let reason = error.to_string();
        let reason = reason.split(" at line").next().unwrap_or_default().to_string();
        format!("not a heap dump: {reason} (column {column})")
    })?;
    if record.kind.is_none() {
        return Err("not a heap dump: an object without a \"type\"".into());
    }
    Ok(record)
}

/// How far a long reading has come, on a terminal.
struct Progress {
    path: String,
    bytes: u64,
    done: u64,
    told: Option<Instant>,
}

impl Progress {
    fn new(path: &str, bytes: u64) -> Progress {
        let told = std::io::stderr().is_terminal().then(Instant::now);
        Progress { path: path.into(), bytes, done: 0, told }
    }

    fn advance(&mut self, bytes: u64) {
        self.done += bytes;
        if self.told.is_some_and(|t| t.elapsed() > Duration::from_secs(1)) {
            self.told = Some(Instant::now());
            let share =
                (self.done * 100).checked_div(self.bytes).map_or_else(String::new, |share| format!(" {share}%"));
            let _ = write!(std::io::stderr(), "\r{}: {} MB{share} ", self.path, self.done / 1_000_000);
        }
    }

    fn end(&self) {
        if self.told.is_some() && self.done > 0 {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_implementations_are_read() {
        let ours = br#"{"address":"0x10", "type":"STRING", "shape_id":1, "slot_size":16, "class":"0x8", "embedded":true, "bytesize":1, "value":"a\n", "file":"t.rb", "line":3, "generation":2, "capacity":6, "ractor":1, "memsize":16, "flags":{"wb_protected":true}}"#;
        let record = parse(ours).unwrap();
        assert_eq!((record.address(), record.class(), record.memsize), (Some(16), Some(8), 16));
        assert_eq!((record.value.as_deref(), record.location().as_deref()), (Some("a\n"), Some("t.rb:3")));
        let root = br#"{"type":"ROOT", "root":"vm", "references":["0x10"]}"#;
        assert_eq!(parse(root).unwrap().references, ["0x10"]);
    }

    #[test]
    fn foreign_lines_say_what_is_wrong() {
        for line in ["{\"a\":1}", "[1]", "hello", "{\"type\":"] {
            assert!(parse(line.as_bytes()).is_err(), "{line}");
        }
        assert!(parse(b"\xff\n").is_err());
    }
}
