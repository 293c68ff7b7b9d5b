//! Finding the program's source: a file, standard input, or `-e`.

use crate::options::Options;
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The program.
pub(crate) struct Script {
    /// As labels and `$0` name it.
    pub(crate) name: String,
    pub(crate) source: Vec<u8>,
    /// It came from a file of this name.
    pub(crate) is_file: bool,
    /// The number of the source's first line: what `-x` skips counts.
    pub(crate) first_line: i32,
}

/// Reads the script, or says why not, as standard error will.
pub(crate) fn find(options: &Options) -> Result<Script, String> {
    if let Some(code) = &options.code {
        return Ok(Script { name: "-e".into(), source: code.clone(), is_file: false, first_line: 1 });
    }
    let name = options.script.as_deref().filter(|name| !name.is_empty()).unwrap_or(b"-");
    if name == b"-" {
        let name = "-".into();
        let mut source = Vec::new();
        std::io::stdin().read_to_end(&mut source).map_err(|e| format!("{} -- - (LoadError)", reason(&e)))?;
        return script(name, source, options, false);
    }
    let path =
        if options.search_path { search(OsStr::from_bytes(name)) } else { Path::new(OsStr::from_bytes(name)).into() };
    let name = path.to_string_lossy().into_owned();
    match read(&path) {
        Ok(source) => script(name, source, options, true),
        Err(error) => Err(format!("{} -- {name} (LoadError)", reason(&error))),
    }
}

fn script(name: String, source: Vec<u8>, options: &Options, is_file: bool) -> Result<Script, String> {
    let (source, skipped) = skip(source, options)?;
    Ok(Script { name, source, is_file, first_line: skipped + 1 })
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if path.is_dir() {
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
fn search(name: &OsStr) -> PathBuf {
    if name.as_bytes().contains(&b'/') {
        return name.into();
    }
    let folders = ["RUBYPATH", "PATH"].map(|name| std::env::var_os(name).unwrap_or_default());
    let mut folders = folders.iter().flat_map(std::env::split_paths).filter(|folder| !folder.as_os_str().is_empty());
    folders.find_map(|folder| Some(folder.join(name)).filter(|path| path.is_file())).unwrap_or_else(|| name.into())
}

/// Whether the first line says that Carat runs the script.
pub(crate) fn names_carat(source: &[u8]) -> bool {
    let line = source.split(|b| *b == b'\n').next().unwrap_or_default();
    line.starts_with(b"#!") && line.windows(5).any(|w| w == b"carat")
}

/// `-x`, or a first line that names another program: what stands before the line `#!…ruby` is no Ruby. Also how many lines that are.
fn skip(source: Vec<u8>, options: &Options) -> Result<(Vec<u8>, i32), String> {
    if options.skip_to_ruby.is_none() && (!source.starts_with(b"#!") || names_carat(&source)) {
        return Ok((source, 0));
    }
    // A line that names no program at all is a comment.
    if options.skip_to_ruby.is_none()
        && source.split(|b| *b == b'\n').next().is_some_and(|line| line.trim_ascii() == b"#!")
    {
        return Ok((source, 0));
    }
    let (mut start, mut lines) = (0, 0);
    for line in source.split_inclusive(|b| *b == b'\n') {
        if line.starts_with(b"#!") && line.windows(4).any(|w| w == b"ruby") {
            return Ok((source[start..].to_vec(), lines));
        }
        start += line.len();
        lines += 1;
    }
    Err("no Ruby script found in input (LoadError)".into())
}
