//! Whose file this is, as memory_profiler guesses it from the path.

/// The gem, `rubygems`, the part of the standard library, or the program's folder; `other` for what tells nothing.
pub(crate) fn of_path(path: &str) -> &str {
    of_gem_folder(path)
        .or_else(|| (path.contains("/rubygems.") || path.contains("/rubygems/")).then_some("rubygems"))
        .or_else(|| of_standard_library(path))
        .or_else(|| of_program_folder(path))
        .unwrap_or("other")
}

/// The gem or library that a file belongs to, unless it is the user's own.
pub(crate) fn owner_of(path: &str) -> Option<&str> {
    let is_library = path.contains("/lib/ruby/") || path.contains("/rubygems/");
    of_gem_folder(path).or_else(|| is_library.then(|| of_path(path)))
}

/// `…/gems/NAME/…`, the innermost.
fn of_gem_folder(path: &str) -> Option<&str> {
    path.rmatch_indices("/gems/").find_map(|(at, found)| first_part(&path[at + found.len()..], &['/']))
}

/// `…ruby/3.4…/NAME…`
fn of_standard_library(path: &str) -> Option<&str> {
    path.match_indices("ruby/").find_map(|(at, found)| {
        let rest = &path[at + found.len()..];
        let version = first_part(rest, &['/'])?;
        let mut letters = version.chars();
        let is_version = letters.next()?.is_ascii_digit() && letters.next() == Some('.') && letters.next().is_some();
        first_part(rest[version.len()..].strip_prefix('/')?, &['/', '.']).filter(|_| is_version)
    })
}

/// `NAME/bin`, `NAME/app` or `NAME/lib`.
fn of_program_folder(path: &str) -> Option<&str> {
    let parts = path.match_indices('/').find_map(|(at, _)| {
        let start = path[..at].rfind('/').map_or(0, |slash| slash + 1);
        let is_folder = ["bin", "app", "lib"].iter().any(|f| path[at + 1..].starts_with(f));
        (is_folder && start < at).then(|| (start, at + 4))
    });
    parts.map(|(start, end)| &path[start..end])
}

fn first_part<'a>(text: &'a str, ends: &[char]) -> Option<&'a str> {
    let end = text.find(ends).unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

/// The path from the gem's, the library's or the program's name on.
pub(crate) fn normalized(path: &str) -> String {
    if let Some(name) = of_gem_folder(path) {
        let at = name.as_ptr().addr() - path.as_ptr().addr();
        return path[at..].to_string();
    }
    if let Some(name) = of_standard_library(path) {
        let at = name.as_ptr().addr() - path.as_ptr().addr();
        return format!("ruby/lib/{}", &path[at..]);
    }
    match of_program_folder(path) {
        Some(name) => path[name.as_ptr().addr() - path.as_ptr().addr()..].to_string(),
        None => path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gems_are_guessed_as_memory_profiler_does() {
        let cases = [
            ("/usr/lib/ruby/gems/3.1.0/gems/rake-13.0.6/lib/rake.rb", "rake-13.0.6"),
            ("/usr/lib/ruby/3.1.0/set.rb", "set"),
            ("/usr/lib/ruby/3.1.0/json/common.rb", "json"),
            ("/home/me/shop/app/models/cart.rb", "shop/app"),
            ("/home/me/tool/library.rb", "tool/lib"),
            ("/x/rubygems/specification.rb", "rubygems"),
            ("t.rb", "other"),
        ];
        for (path, gem) in cases {
            assert_eq!(of_path(path), gem, "{path}");
        }
    }

    #[test]
    fn files_of_gems_and_libraries_are_not_the_user_s_own() {
        assert_eq!(owner_of("/usr/lib/ruby/gems/3.1.0/gems/rake-13.0.6/lib/rake.rb"), Some("rake-13.0.6"));
        assert_eq!(owner_of("/usr/lib/ruby/3.1.0/set.rb"), Some("set"));
        assert_eq!(owner_of("/home/me/shop/app/models/cart.rb"), None);
        assert_eq!(owner_of("lib/cart.rb"), None);
    }

    #[test]
    fn paths_are_shortened_to_what_tells() {
        assert_eq!(normalized("/a/gems/rake-13.0.6/lib/rake.rb"), "rake-13.0.6/lib/rake.rb");
        assert_eq!(normalized("/usr/lib/ruby/3.1.0/json/common.rb"), "ruby/lib/json/common.rb");
        assert_eq!(normalized("/home/me/shop/app/cart.rb"), "shop/app/cart.rb");
    }
}
