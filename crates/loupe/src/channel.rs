//! The channel to a process that listens: a line is asked, text comes back. `lib/loupe/session.rb` answers.

use crate::failure::Failure;
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much longer an answer may take than what was asked for.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Channel {
    process: u32,
    stream: BufReader<UnixStream>,
}

impl Channel {
    pub(crate) fn to(process: u32) -> Result<Channel, Failure> {
        let path = socket(process)?;
        let stream = UnixStream::connect(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::ConnectionRefused => Failure::new(format!(
                "process {process} {}: start it with carat -r loupe/listen, or have it require \"loupe/listen\"",
                if is_running(process) { "does not listen" } else { "does not run, or not here" }
            )),
            _ => Failure::of_file(&path.to_string_lossy(), &error),
        })?;
        Ok(Channel { process, stream: BufReader::new(stream) })
    }

    /// The answer, which comes after `pause` or a little later.
    pub(crate) fn ask_text(&mut self, line: &str, pause: Duration) -> Result<String, Failure> {
        let text = self.exchange(line, pause).map_err(|error| self.failure(&carat_os::error_text(&error)))?;
        text.map_err(|message| self.failure(&message))
    }

    pub(crate) fn ask<T: DeserializeOwned>(&mut self, line: &str) -> Result<T, Failure> {
        let text = self.ask_text(line, Duration::ZERO)?;
        serde_json::from_str(&text)
            .map_err(|error| self.failure(&format!("its answer is of another version ({error})")))
    }

    fn exchange(&mut self, line: &str, pause: Duration) -> std::io::Result<Result<String, String>> {
        let stream = self.stream.get_mut();
        stream.set_read_timeout(Some(pause + PATIENCE))?;
        stream.write_all(format!("{line}\n").as_bytes())?;
        let mut head = String::new();
        self.stream.read_line(&mut head)?;
        let head = head.trim_end();
        let Some(count) = head.strip_prefix("ok ").and_then(|count| count.parse().ok()) else {
            let message = head.strip_prefix("error ").unwrap_or("it has ended");
            return Ok(Err(message.to_string()));
        };
        let mut text = String::new();
        self.stream.by_ref().take(count).read_to_string(&mut text)?;
        Ok(if text.len() as u64 == count { Ok(text) } else { Err("it has ended".into()) })
    }

    pub(crate) fn failure(&self, message: &str) -> Failure {
        Failure::new(format!("process {}: {message}", self.process))
    }
}

fn is_running(process: u32) -> bool {
    !Path::new("/proc/self").exists() || Path::new(&format!("/proc/{process}")).exists()
}

/// Where a process listens: in a folder that is the user's alone.
fn socket(process: u32) -> Result<PathBuf, Failure> {
    let own = std::fs::metadata("/proc/self").map(|own| own.uid()).unwrap_or(0);
    let folder = match std::env::var_os("XDG_RUNTIME_DIR") {
        Some(folder) => Path::new(&folder).join("loupe"),
        None => PathBuf::from(format!("/tmp/loupe-{own}")),
    };
    match std::fs::symlink_metadata(&folder) {
        Ok(found) if found.uid() != own => {
            Err(Failure::new(format!("{}: the folder is somebody else's", folder.display())))
        }
        _ => Ok(folder.join(format!("{process}.sock"))),
    }
}
