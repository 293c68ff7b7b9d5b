//! Finding the program's source: a file, standard input, or `-e`.

use crate::options::Options;
use std::io::Read;

/// The program.
pub(crate) struct Script {
    /// As labels and `$0` name it.
    pub(crate) name: String,
    pub(crate) source: Vec<u8>,
    /// It came from a file of this name.
    pub(crate) is_file: bool,
}

/// Reads the script, or says why not, as standard error will.
pub(crate) fn find(options: &Options) -> Result<Script, String> {
    if let Some(code) = &options.code {
        return Ok(Script { name: "-e".into(), source: code.clone(), is_file: false });
    }
    let name = options.script.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| "-".into());
    if name == "-" {
        let mut source = Vec::new();
        std::io::stdin().read_to_end(&mut source).map_err(|e| format!("{} -- - (LoadError)", reason(&e)))?;
        return Ok(Script { name, source: skip(source, options)?, is_file: false });
    }
    let path = if options.search_path { search(&name) } else { name };
    match read(&path) {
        Ok(source) => Ok(Script { name: path, source: skip(source, options)?, is_file: true }),
        Err(error) => Err(format!("{} -- {path} (LoadError)", reason(&error))),
    }
}

fn read(path: &str) -> std::io::Result<Vec<u8>> {
    if std::path::Path::new(path).is_dir() {
        return Err(std::io::Error::from_raw_os_error(rustix::io::Errno::ISDIR.raw_os_error()));
    }
    std::fs::read(path)
}

/// The system's text alone.
fn reason(error: &std::io::Error) -> String {
    let full = error.to_string();
    full.rsplit_once(" (os error").map_or(full.clone(), |(text, _)| text.to_string())
}

/// `-S`: the first folder of `RUBYPATH` or `PATH` that has the script.
fn search(name: &str) -> String {
    if name.contains('/') {
        return name.to_string();
    }
    let folders = ["RUBYPATH", "PATH"].map(|name| std::env::var(name).unwrap_or_default()).join(":");
    let found = folders
        .split(':')
        .filter(|f| !f.is_empty())
        .map(|f| format!("{f}/{name}"))
        .find(|p| std::path::Path::new(p).is_file());
    found.unwrap_or_else(|| name.to_string())
}

/// Whether the first line says that Carat runs the script.
pub(crate) fn names_carat(source: &[u8]) -> bool {
    let line = source.split(|b| *b == b'\n').next().unwrap_or_default();
    line.starts_with(b"#!") && line.windows(5).any(|w| w == b"carat")
}

/// `-x`, or a first line that names another program: what stands before the line `#!…ruby` is no Ruby.
fn skip(source: Vec<u8>, options: &Options) -> Result<Vec<u8>, String> {
    if options.skip_to_ruby.is_none() && (!source.starts_with(b"#!") || names_carat(&source)) {
        return Ok(source);
    }
    let mut start = 0;
    for line in source.split_inclusive(|b| *b == b'\n') {
        if line.starts_with(b"#!") && line.windows(4).any(|w| w == b"ruby") {
            return Ok(source[start..].to_vec());
        }
        start += line.len();
    }
    Err("no Ruby script found in input (LoadError)".into())
}
