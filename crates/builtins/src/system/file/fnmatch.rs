//! Shell patterns: `File.fnmatch`.
//!
//! # References
//! CRuby `dir.c`, `fnmatch` and `fnmatch_helper`.

pub(super) const NOESCAPE: i64 = 1;
pub(super) const PATHNAME: i64 = 2;
pub(super) const DOTMATCH: i64 = 4;
pub(super) const CASEFOLD: i64 = 8;
pub(super) const EXTGLOB: i64 = 16;

/// Whether `path` matches. Braces are the caller's business.
pub(super) fn fnmatch(pattern: &[u8], path: &[u8], flags: i64) -> bool {
    if flags & PATHNAME == 0 {
        return matches!(segment(pattern, path, flags), Some((p, s)) if p == pattern.len() && s == path.len());
    }
    let (mut p, mut s) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        if pattern[p..].starts_with(b"**/") {
            while pattern[p..].starts_with(b"**/") {
                p += 3;
            }
            retry = Some((p, s));
        }
        if let Some((used_p, used_s)) = segment(&pattern[p..], &path[s..], flags) {
            let (next_p, next_s) = (p + used_p, s + used_s);
            if next_p == pattern.len() && next_s == path.len() {
                return true;
            }
            if pattern.get(next_p) == Some(&b'/') && path.get(next_s) == Some(&b'/') {
                (p, s) = (next_p + 1, next_s + 1);
                continue;
            }
        }
        let Some((retry_p, retry_s)) = retry else { return false };
        let is_hidden = flags & DOTMATCH == 0 && path.get(retry_s) == Some(&b'.');
        let Some(slash) = path[retry_s..].iter().position(|b| *b == b'/').filter(|_| !is_hidden) else { return false };
        (p, s) = (retry_p, retry_s + slash + 1);
        retry = Some((p, s));
    }
}

/// Matches up to a slash (with PATHNAME) or the end; how much of both was used.
fn segment(pattern: &[u8], text: &[u8], flags: i64) -> Option<(usize, usize)> {
    let is_pathname = flags & PATHNAME != 0;
    let ends_at = |bytes: &[u8], i: usize| i >= bytes.len() || (is_pathname && bytes[i] == b'/');
    if flags & DOTMATCH == 0 && text.first() == Some(&b'.') && pattern.get(unescaped(pattern, 0, flags)) != Some(&b'.')
    {
        return None;
    }
    let (mut p, mut s) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        if pattern.get(p) == Some(&b'*') {
            while pattern.get(p) == Some(&b'*') {
                p += 1;
            }
            let end = unescaped(pattern, p, flags);
            if ends_at(pattern, end) {
                while !ends_at(text, s) {
                    s += 1;
                }
                return Some((end, s));
            }
            if ends_at(text, s) {
                return None;
            }
            star = Some((p, s));
            continue;
        }
        let is_plain = !matches!(pattern.get(p), Some(b'?' | b'['));
        let literal = if is_plain { unescaped(pattern, p, flags) } else { p };
        if ends_at(text, s) {
            return (is_plain && ends_at(pattern, literal)).then_some((literal, s));
        }
        let next = match is_plain {
            true if ends_at(pattern, literal) => None,
            true => same_char(pattern, literal, text, s, flags),
            false => one(pattern, p, text, s, flags),
        };
        if let Some(next) = next {
            (p, s) = next;
            continue;
        }
        let (star_p, star_s) = star?;
        let next = star_s + char_len(&text[star_s..]);
        (p, s) = (star_p, next);
        star = Some((star_p, next));
    }
}

/// Behind a backslash, which alone at the end stands for nothing.
fn unescaped(pattern: &[u8], at: usize, flags: i64) -> usize {
    if flags & NOESCAPE == 0 && pattern.get(at) == Some(&b'\\') { at + 1 } else { at }
}

fn char_len(bytes: &[u8]) -> usize {
    carat_text::encoding::mbclen(carat_vm::EncodingIndex::UTF_8, bytes).max(1)
}

/// Matches a character that stands for itself.
fn same_char(pattern: &[u8], p: usize, text: &[u8], s: usize, flags: i64) -> Option<(usize, usize)> {
    let (plen, len) = (char_len(&pattern[p..]), char_len(&text[s..]));
    same(&pattern[p..p + plen], &text[s..s + len], flags).then_some((p + plen, s + len))
}

/// Matches one character that is any, or one of a set.
fn one(pattern: &[u8], p: usize, text: &[u8], s: usize, flags: i64) -> Option<(usize, usize)> {
    let len = char_len(&text[s..]);
    match pattern.get(p)? {
        b'?' => Some((p + 1, s + len)),
        _ => bracket(pattern, p + 1, &text[s..s + len], flags).map(|next| (next, s + len)),
    }
}

fn same(a: &[u8], b: &[u8], flags: i64) -> bool {
    a == b || (flags & CASEFOLD != 0 && a.eq_ignore_ascii_case(b))
}

/// Matches a set; where the pattern goes on.
fn bracket(pattern: &[u8], mut p: usize, c: &[u8], flags: i64) -> Option<usize> {
    let negates = matches!(pattern.get(p), Some(b'!' | b'^'));
    p += usize::from(negates);
    let mut found = false;
    while *pattern.get(p)? != b']' {
        let (low, next) = set_char(pattern, p, flags)?;
        p = next;
        let mut high = low;
        if pattern.get(p) == Some(&b'-') && pattern.get(p + 1).is_some_and(|b| *b != b']') {
            (high, p) = set_char(pattern, p + 1, flags)?;
        }
        found |= in_range(low, high, c) || (flags & CASEFOLD != 0 && in_range(low, high, &swap_case(c)));
    }
    (found != negates).then_some(p + 1)
}

fn swap_case(c: &[u8]) -> Vec<u8> {
    c.iter().map(|b| if b.is_ascii_uppercase() { b.to_ascii_lowercase() } else { b.to_ascii_uppercase() }).collect()
}

fn set_char(pattern: &[u8], p: usize, flags: i64) -> Option<(&[u8], usize)> {
    let p = unescaped(pattern, p, flags);
    let rest = pattern.get(p..).filter(|r| !r.is_empty())?;
    let len = char_len(rest);
    Some((&rest[..len], p + len))
}

/// UTF-8 sorts as its characters do.
fn in_range(low: &[u8], high: &[u8], c: &[u8]) -> bool {
    low <= c && c <= high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_recorded_from_cruby() {
        let cases: &[(&str, &str, i64, bool)] = &[
            ("cat", "cat", 0, true),
            ("cat", "category", 0, false),
            ("c?t", "cat", 0, true),
            ("c??t", "cat", 0, false),
            ("c*", "cats", 0, true),
            ("c*t", "c/a/b/t", 0, true),
            ("ca[a-z]", "cat", 0, true),
            ("ca[^t]", "cat", 0, false),
            ("cat", "CAT", CASEFOLD, true),
            ("?", "/", PATHNAME, false),
            ("[/]", "/", PATHNAME, false),
            ("\\?", "?", 0, true),
            ("\\a", "\\a", NOESCAPE, true),
            ("[\\?]", "?", 0, true),
            ("*", ".profile", 0, false),
            ("*", ".profile", DOTMATCH, true),
            (".*", ".profile", 0, true),
            ("**/*.rb", "main.rb", 0, false),
            ("**/*.rb", "lib/song.rb", 0, true),
            ("**/*.rb", "a/b/c/x.rb", PATHNAME, true),
            ("**/foo", "a/.b/c/foo", PATHNAME, false),
            ("**/foo", "a/.b/c/foo", PATHNAME | DOTMATCH, true),
            ("*", "dave/.profile", PATHNAME, false),
            ("*/*", "dave/.profile", PATHNAME, false),
            ("a?b", "aéb", 0, true),
        ];
        for (pattern, path, flags, expected) in cases {
            let got = fnmatch(pattern.as_bytes(), path.as_bytes(), *flags);
            assert_eq!(got, *expected, "{pattern} {path} {flags}");
        }
    }
}
