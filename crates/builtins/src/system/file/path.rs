//! File names as bytes: taking them apart and putting them together. Nothing here looks at the file system but `~`.

/// What follows the last slash; trailing slashes do not count.
pub(super) fn basename(path: &[u8]) -> &[u8] {
    let end = trimmed_len(path);
    if end == 0 {
        return if path.is_empty() { path } else { &path[..1] };
    }
    let start = path[..end].iter().rposition(|b| *b == b'/').map_or(0, |i| i + 1);
    &path[start..end]
}

fn trimmed_len(path: &[u8]) -> usize {
    path.iter().rposition(|b| *b != b'/').map_or(0, |i| i + 1)
}

/// The basename without a suffix; ".*" stands for any extension.
pub(super) fn without_suffix<'a>(base: &'a [u8], suffix: &[u8]) -> &'a [u8] {
    if suffix == b".*" {
        return match base.iter().rposition(|b| *b == b'.') {
            Some(dot) if dot > 0 && !base[..dot].iter().all(|b| *b == b'.') => &base[..dot],
            _ => base,
        };
    }
    if suffix.len() < base.len() && base.ends_with(suffix) { &base[..base.len() - suffix.len()] } else { base }
}

/// Everything before the last `level` components.
pub(super) fn dirname(path: &[u8], level: usize) -> Vec<u8> {
    let root = path.iter().take_while(|b| **b == b'/').count();
    let mut end = path.len();
    for _ in 0..level {
        end = trimmed_len(&path[..end]).max(root.min(end));
        match path[root.min(end)..end].iter().rposition(|b| *b == b'/') {
            Some(slash) => end = root + slash,
            None => {
                end = 0;
                break;
            }
        }
        end = root + trimmed_len(&path[root..end]);
    }
    if end == 0 || end == root {
        return if root > 0 { b"/".to_vec() } else { b".".to_vec() };
    }
    let mut out = if root > 0 { b"/".to_vec() } else { Vec::new() };
    out.extend_from_slice(&path[root..end]);
    out
}

/// The extension with its dot; a name of dots, or beginning with its only dot, has none.
pub(super) fn extname(path: &[u8]) -> &[u8] {
    let base = basename(path);
    let start = base.iter().take_while(|b| **b == b'.').count();
    match base[start..].iter().rposition(|b| *b == b'.') {
        Some(dot) if start + dot > 0 => {
            let found = &base[start + dot..];
            if found == b"." { b"." } else { found }
        }
        _ => b"",
    }
}

/// Appends a component, one slash between.
pub(super) fn push_component(path: &mut Vec<u8>, component: &[u8]) {
    let ends = path.ends_with(b"/");
    let begins = component.starts_with(b"/");
    if begins {
        path.truncate(trimmed_len(path));
    } else if !ends {
        path.push(b'/');
    }
    path.extend_from_slice(component);
}

/// An absolute path without ".", ".." and doubled slashes, but for those at its beginning: they stay until ".." takes the
/// first component away. `base` is absolute and already clean.
pub(super) fn normalise(base: &[u8], path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    let start = if path.starts_with(b"/") { &b""[..] } else { base };
    let leader = if start.is_empty() { path } else { start };
    let mut slashes = leader.iter().take_while(|b| **b == b'/').count();
    for part in start.split(|b| *b == b'/').chain(path.split(|b| *b == b'/')) {
        match part {
            b"" | b"." => {}
            b".." => {
                if parts.pop().is_some() && parts.is_empty() {
                    slashes = 1;
                }
            }
            part => parts.push(part),
        }
    }
    let mut out = vec![b'/'; slashes.max(1)];
    out.extend_from_slice(&parts.join(&b'/'));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_as_ruby_does() {
        assert_eq!(basename(b"/a/b.c//"), b"b.c");
        assert_eq!(basename(b"//"), b"/");
        assert_eq!(without_suffix(b"a.tar.gz", b".*"), b"a.tar");
        assert_eq!(without_suffix(b".bashrc", b".*"), b".bashrc");
        assert_eq!(without_suffix(b".rb", b".rb"), b".rb");
        for (path, level, expected) in [
            ("/a/b/c", 1, "/a/b"),
            ("/a/b/c", 2, "/a"),
            ("x", 1, "."),
            ("/", 1, "/"),
            ("//a//b", 1, "/a"),
            ("a/b/", 1, "a"),
            ("/a", 5, "/"),
        ] {
            assert_eq!(dirname(path.as_bytes(), level), expected.as_bytes(), "{path} {level}");
        }
        for (path, expected) in
            [("a.rb", ".rb"), (".profile", ""), ("a.", "."), ("..x", ""), (".a.b", ".b"), ("a/.b", "")]
        {
            assert_eq!(extname(path.as_bytes()), expected.as_bytes(), "{path}");
        }
        assert_eq!(normalise(b"/y/w", b"../z/./q"), b"/y/z/q");
        for (path, expected) in
            [("/..", "/"), ("//", "//"), ("///a/..", "/"), ("//a/../../b", "/b"), ("///./a", "///a")]
        {
            assert_eq!(normalise(b"/", path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }
}
