//! `Dir.glob`: the tree is walked once for all that a pattern may still match below each directory.
//!
//! # References
//! CRuby `dir.c`, `glob_helper`.

use super::braces::Expansions;
use super::fnmatch::{self, DOTMATCH, NOESCAPE};
use crate::system::errno::errno;
use crate::system::system_call::lacks_descriptors;
use crate::text::encoding::default_external;
use carat_os::c;
use carat_text::number::large::Ask;
use carat_vm::{Array, CodeRange, Ec, EncodingIndex, Result, Str, Value};

/// A piece of a pattern between slashes.
#[derive(Debug, PartialEq)]
enum Piece {
    Plain(Vec<u8>),
    Magical(Vec<u8>),
    /// `**/`
    Recursive,
    /// A slash at the end: only directories match, and the slash belongs to the result.
    Directory,
    End,
}

/// What is left of a pattern below some directory.
#[derive(Clone, Copy)]
struct Rest<'p> {
    pieces: &'p [Piece],
    /// A `**/` at its head began further up: the directory itself was matched there.
    is_inside: bool,
}

struct Walk<'a> {
    base: Vec<u8>,
    flags: i64,
    sorts: bool,
    found: &'a mut Vec<Vec<u8>>,
    refused: &'a mut Vec<Refusal>,
    ask: Ask<'a>,
}

/// What the system refused to look at: a path that follows the name of a call, if a look at the path itself failed. A folder that could
/// not be listed ends the search, unless listing it is not allowed.
struct Refusal {
    text: Vec<u8>,
    code: i32,
    is_fatal: bool,
}

impl Refusal {
    fn error(&self) -> std::io::Error {
        std::io::Error::from_raw_os_error(self.code)
    }
}

fn pieces(pattern: &[u8], flags: i64) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut rest = pattern;
    while !rest.is_empty() {
        let end = slash(rest, flags);
        let (piece, next) = (&rest[..end.unwrap_or(rest.len())], end.map_or(&b""[..], |e| &rest[e + 1..]));
        if piece == b"**" && end.is_some() {
            if out.last() != Some(&Piece::Recursive) {
                out.push(Piece::Recursive);
            }
            rest = &next[next.iter().take_while(|b| **b == b'/').count()..];
        } else {
            push_piece(&mut out, piece, flags);
            rest = next;
        }
        if end.is_some() && rest.is_empty() {
            out.push(Piece::Directory);
            return out;
        }
    }
    out.push(Piece::End);
    out
}

/// The slash that ends a piece: one within brackets or behind a backslash is no end.
fn slash(pattern: &[u8], flags: i64) -> Option<usize> {
    let (mut escaped, mut open) = (false, false);
    pattern.iter().position(|byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if flags & NOESCAPE == 0 => escaped = true,
            b'[' | b'{' => open = true,
            b']' | b'}' => open = false,
            b'/' => return !open,
            _ => {}
        }
        false
    })
}

/// Further slashes are names without a letter: the result has them too.
fn push_piece(out: &mut Vec<Piece>, piece: &[u8], flags: i64) {
    out.push(match is_magical(piece, flags) {
        true => Piece::Magical(piece.to_vec()),
        false => Piece::Plain(unescape(piece, flags)),
    });
}

fn is_magical(piece: &[u8], flags: i64) -> bool {
    let mut escaped = false;
    for byte in piece {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if flags & NOESCAPE == 0 => escaped = true,
            b'*' | b'?' | b'[' => return true,
            _ => {}
        }
    }
    false
}

fn unescape(piece: &[u8], flags: i64) -> Vec<u8> {
    if flags & NOESCAPE != 0 {
        return piece.to_vec();
    }
    let mut out = Vec::with_capacity(piece.len());
    let mut bytes = piece.iter();
    while let Some(byte) = bytes.next() {
        // One at the end stands for nothing.
        out.extend(if *byte == b'\\' { bytes.next() } else { Some(byte) });
    }
    out
}

impl Walk<'_> {
    /// Where a path of the result lies in the file system.
    fn real(&self, path: &[u8]) -> Vec<u8> {
        if path.starts_with(b"/") || self.base.is_empty() {
            return if path.is_empty() { b".".to_vec() } else { path.to_vec() };
        }
        let mut real = self.base.clone();
        if !path.is_empty() {
            real.push(b'/');
            real.extend_from_slice(path);
        }
        real
    }

    /// Notes an error of `call`; that there is nothing is none.
    fn refuse(&mut self, call: &[u8], path: &[u8], error: &std::io::Error) {
        let code = error.raw_os_error().unwrap_or(c::ENOENT);
        if ![c::ENOENT, c::ENOTDIR].contains(&code) {
            let is_fatal = call.is_empty() && code != c::EACCES;
            self.refused.push(Refusal { text: [call, &self.real(path)].concat(), code, is_fatal });
        }
    }

    fn exists(&mut self, path: &[u8]) -> bool {
        let found = super::carried::stat(&self.real(path), false);
        found.map_err(|error| self.refuse(b"do_lstat: ", path, &error)).is_ok()
    }

    fn is_directory(&mut self, path: &[u8]) -> bool {
        match super::carried::stat(&self.real(path), true) {
            Ok(found) => found.mode & c::S_IFMT == c::S_IFDIR,
            Err(error) => {
                self.refuse(b"do_stat: ", path, &error);
                false
            }
        }
    }

    /// Every way the patterns can go on from `path`, which was found in a listing or may not be there. `None` if it was given up, here
    /// and below.
    fn step(&mut self, path: &[u8], is_listed: bool, patterns: &[Rest<'_>]) -> Option<()> {
        if (self.ask)() {
            return None;
        }
        let mut all: Vec<Rest<'_>> = Vec::new();
        for pattern in patterns {
            all.push(*pattern);
            if let [Piece::Recursive, rest @ ..] = pattern.pieces {
                all.push(Rest { pieces: rest, is_inside: pattern.is_inside });
            }
        }
        let ends_with = |piece: Piece| all.iter().any(|p| matches!(p.pieces, [last] if *last == piece));
        if !path.is_empty() || !self.base.is_empty() {
            if ends_with(Piece::End) && (is_listed || self.exists(path)) {
                self.found.push(path.to_vec());
            }
            if ends_with(Piece::Directory) && self.is_directory(path) {
                let slash: &[u8] = if path == b"/" { b"" } else { b"/" };
                self.found.push([path, slash].concat());
            }
        }
        if all.iter().any(|p| matches!(p.pieces, [Piece::Magical(_) | Piece::Recursive, ..])) {
            self.read_directory(path, &all)
        } else {
            self.follow_plain(path, &all)
        }
    }

    fn follow_plain(&mut self, path: &[u8], patterns: &[Rest<'_>]) -> Option<()> {
        let mut names: Vec<&Vec<u8>> = Vec::new();
        for pattern in patterns {
            if let [Piece::Plain(name), ..] = pattern.pieces
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        for name in names {
            let named = patterns.iter().filter(|p| matches!(p.pieces, [Piece::Plain(n), ..] if n == name));
            let next: Vec<Rest<'_>> = named.map(|p| Rest { pieces: &p.pieces[1..], is_inside: false }).collect();
            self.step(&joined(path, name), false, &next)?;
        }
        Some(())
    }

    fn read_directory(&mut self, path: &[u8], patterns: &[Rest<'_>]) -> Option<()> {
        let mut entries = match super::dir::read_entries(&self.real(path)) {
            Ok(entries) => entries,
            Err(error) => {
                self.refuse(b"", path, &error);
                return Some(());
            }
        };
        entries.push((b".".to_vec(), true));
        if self.sorts {
            entries.sort();
        }
        for (name, is_directory) in entries {
            let next = self.after(&name, is_directory, patterns);
            if !next.is_empty() {
                self.step(&joined(path, &name), true, &next)?;
            }
        }
        Some(())
    }

    /// What is left of the patterns below the entry `name`.
    fn after<'p>(&self, name: &[u8], is_directory: bool, patterns: &[Rest<'p>]) -> Vec<Rest<'p>> {
        let is_dot = name == b".";
        let is_hidden = name.starts_with(b".") && self.flags & DOTMATCH == 0;
        let is_recursive = patterns.iter().any(|p| matches!(p.pieces, [Piece::Recursive, ..]));
        // Recursion finds a directory under its own name; only where it begins there is no other.
        let takes_dot = |p: &Rest<'_>| !is_dot || !is_recursive || !is_hidden && !p.is_inside;
        let mut next = Vec::new();
        for pattern in patterns {
            match pattern.pieces {
                [Piece::Recursive, ..] if !is_dot && !is_hidden && is_directory => {
                    next.push(Rest { is_inside: true, ..*pattern });
                }
                [Piece::Magical(magic), rest @ ..]
                    if takes_dot(pattern) && fnmatch::fnmatch(magic, name, self.flags | fnmatch::PATHNAME) =>
                {
                    next.push(Rest { pieces: rest, is_inside: false });
                }
                [Piece::Plain(plain), rest @ ..] if plain == name && takes_dot(pattern) => {
                    next.push(Rest { pieces: rest, is_inside: false });
                }
                _ => {}
            }
        }
        next
    }
}

fn joined(path: &[u8], name: &[u8]) -> Vec<u8> {
    let slash: &[u8] = if path.is_empty() || path == b"/" { b"" } else { b"/" };
    [path, slash, name].concat()
}

/// The paths that a pattern names, and what could not be looked at; `None` once `ask` says to give up.
fn glob_one(
    pattern: &[u8],
    base: &[u8],
    flags: i64,
    sorts: bool,
    ask: Ask<'_>,
) -> Option<(Vec<Vec<u8>>, Vec<Refusal>)> {
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    let mut patterns = Expansions::of(pattern, flags & NOESCAPE == 0);
    while let Some(pattern) = patterns.next() {
        if ask() {
            return None;
        }
        let slashes = pattern.iter().take_while(|b| **b == b'/').count();
        let root = if slashes > 0 { b"/".to_vec() } else { Vec::new() };
        let parsed = pieces(&pattern[slashes..], flags);
        // Names are taken as they are written, whatever the flags say.
        let flags = flags & !fnmatch::CASEFOLD;
        let mut walk = Walk { base: base.to_vec(), flags, sorts, found: &mut found, refused: &mut refused, ask };
        walk.step(&root, false, &[Rest { pieces: &parsed, is_inside: false }])?;
    }
    Some((found, refused))
}

/// Raises the first error that ends a search, and warns under `-w` of what the system refused before.
fn tell_of(ec: &mut Ec, refused: Vec<Refusal>) -> Result<()> {
    for refusal in refused {
        if refusal.is_fatal {
            return Err(errno(ec, &refusal.error(), &refusal.text));
        }
        let reason = crate::object::exception::errno_text(refusal.code);
        ec.warn_verbose(&format!("{}: {reason}", String::from_utf8_lossy(&refusal.text)))?;
    }
    Ok(())
}

/// `Primitive.dir_glob(patterns, flags, base, sort)`: paths of all patterns in turn.
pub(super) fn glob(ec: &mut Ec, patterns: Array, flags: i64, base: Value, sort: bool) -> Result<Array> {
    let base = if base.is_nil() { Vec::new() } else { crate::system::io::path_arg(ec, base)? };
    let result = Array::new(ec, 0);
    let mut index = 0;
    while let Some(pattern) = patterns.get(ec, index) {
        index += 1;
        if Str::from_value(pattern).is_some_and(|s| s.bytes(ec).contains(&0)) {
            return Err(ec.argument_error("nul-separated glob pattern is deprecated"));
        }
        let pattern = crate::system::io::path_string(ec, pattern)?;
        let bytes = pattern.owned_bytes(ec)?;
        // For where braces close, and for paths.
        ec.ensure_memory(bytes.len().saturating_mul(16))?;
        let (mut found, mut refused) = ec.compute(|ask| glob_one(&bytes, &base, flags, sort, ask))?;
        if refused.iter().any(|refusal| lacks_descriptors(&refusal.error())) {
            ec.collect_garbage(true);
            (found, refused) = ec.compute(|ask| glob_one(&bytes, &base, flags, sort, ask))?;
        }
        tell_of(ec, refused)?;
        let encoding = match pattern.encoding() {
            EncodingIndex::US_ASCII => default_external(ec),
            encoding => encoding,
        };
        for path in found {
            result.push(ec, Str::new(ec, &path, encoding, CodeRange::Unknown).value());
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fall_into_pieces() {
        assert_eq!(
            pieces(b"a/**/*.rb", 0),
            [Piece::Plain(b"a".to_vec()), Piece::Recursive, Piece::Magical(b"*.rb".to_vec()), Piece::End]
        );
        assert_eq!(pieces(b"[a/b]/c", 0), [Piece::Magical(b"[a/b]".to_vec()), Piece::Plain(b"c".to_vec()), Piece::End]);
        assert_eq!(pieces(b"**/", 0), [Piece::Recursive, Piece::Directory]);
        assert_eq!(pieces(b"*//", 0), [Piece::Magical(b"*".to_vec()), Piece::Plain(Vec::new()), Piece::Directory]);
        assert_eq!(pieces(b"\\*", 0), [Piece::Plain(b"*".to_vec()), Piece::End]);
    }
}
