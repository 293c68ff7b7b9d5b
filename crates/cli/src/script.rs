//! Finding the program's source: a file, standard input, or `-e`.

use crate::options::Options;
use crate::run::complain;
use carat_builtins::program::OtherTexts;
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

/// Reads the script, or takes another text in its place; or says why not, as standard error will.
pub(crate) fn find(options: &Options, other_texts: &OtherTexts) -> Result<Script, String> {
    if let Some(code) = &options.code {
        return Ok(Script { name: "-e".into(), source: code.clone(), is_file: false, first_line: 1 });
    }
    let name = options.script.as_deref().filter(|name| !name.is_empty()).unwrap_or(b"-");
    if name == b"-" {
        let name = "-".into();
        let mut source = Vec::new();
        std::io::stdin()
            .read_to_end(&mut source)
            .map_err(|e| format!("{} -- - (LoadError)", carat_os::error_text(&e)))?;
        return script(name, source, options, false);
    }
    let path = if options.search_path { search(name, options) } else { Path::new(OsStr::from_bytes(name)).into() };
    let name = path.to_string_lossy().into_owned();
    match other_texts.get(&name).map_or_else(|| read(&path), |text| Ok(text.clone())) {
        Ok(source) => script(name, source, options, true),
        Err(error) => Err(format!("{} -- {name} (LoadError)", carat_os::error_text(&error))),
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

/// What a path may have at most, its zero byte included.
const PATH_MAX: usize = 4096;

/// `-S`: the first folder of `RUBYPATH` or `PATH` that has the script. Folders may begin with `~`.
fn search(name: &[u8], options: &Options) -> PathBuf {
    let itself = || PathBuf::from(OsStr::from_bytes(name));
    if name.contains(&b'/') {
        return itself();
    }
    let folders = ["RUBYPATH", "PATH"].map(|name| std::env::var_os(name).unwrap_or_default());
    let folders = folders.iter().flat_map(std::env::split_paths).filter(|folder| !folder.as_os_str().is_empty());
    for folder in folders.map(|folder| under_home(&folder)) {
        let path = folder.join(OsStr::from_bytes(name));
        if path.as_os_str().len() >= PATH_MAX {
            if options.warning_level == Some(2) {
                let own = std::env::args_os().next().unwrap_or_default();
                complain(&format!("{}: warning: openpath: pathname too long (ignored)\n", own.to_string_lossy()));
            }
        } else if path.is_file() {
            return path;
        }
    }
    itself()
}

/// With the home folder in place of a `~` in front.
fn under_home(folder: &Path) -> PathBuf {
    match (folder.strip_prefix("~"), std::env::var_os("HOME")) {
        (Ok(rest), Some(home)) => Path::new(&home).join(rest),
        _ => folder.into(),
    }
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
