//! Public items that nothing names but their own definition.
//!
//! The compiler calls private items dead, and believes of public ones that another crate may want them. All crates that
//! could are here. Names are compared without their paths, so an item that shares its name with one in use goes unnoticed.

use super::Complaints;
use super::tokens::{Parsed, Token, is_name};
use std::collections::BTreeSet;

/// A public item: where it is defined, and what it is called.
struct Item<'a> {
    path: &'a str,
    line: usize,
    name: &'a str,
}

/// Complains of every `pub` item whose name stands nowhere in these sources but where such an item is defined.
pub(super) fn check(files: &[Parsed<'_>]) -> Complaints {
    let mut items = Vec::new();
    let mut named = BTreeSet::new();
    for Parsed { path, tokens } in files {
        items.extend(public_items(tokens).map(|Token { text, line }| Item { path, line, name: text }));
        named.extend(names(tokens));
    }
    let unnamed = items.iter().filter(|item| !named.contains(item.name));
    unnamed.map(|Item { path, line, name }| format!("{path}:{line}: nothing names the public `{name}`")).collect()
}

/// The names behind `pub`, `const`, `fn` and the like. Fields and re-exports are no items.
fn public_items<'a>(tokens: &[Token<'a>]) -> impl Iterator<Item = Token<'a>> {
    let public = (0..tokens.len()).filter(|at| tokens[*at].text == "pub");
    public.filter_map(|at| defined(&tokens[at + 1..])).filter(|name| is_name(name.text))
}

/// The name that the words at the front define.
fn defined<'a>(words: &[Token<'a>]) -> Option<Token<'a>> {
    let (first, rest) = words.split_first()?;
    let next = rest.first()?;
    match first.text {
        "fn" | "struct" | "enum" | "union" | "trait" | "type" | "mod" => Some(*next),
        "static" if next.text == "mut" => rest.get(1).copied(),
        "static" => Some(*next),
        "const" if !matches!(next.text, "fn" | "unsafe" | "async" | "extern") => Some(*next),
        "const" | "unsafe" | "async" | "extern" | super::tokens::LITERAL => defined(rest),
        _ => None,
    }
}

/// Every name that is used: not where an item gets it, and not at the end of an import.
fn names<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut in_import = false;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            // `use<…>` is a bound.
            "use" => in_import = tokens.get(at + 1).is_some_and(|next| next.text != "<"),
            ";" => in_import = false,
            name if is_name(name) && !is_definition(&tokens[..at]) => {
                let next = tokens.get(at + 1).map(|token| token.text);
                if !in_import || matches!(next, Some("::" | "as")) {
                    found.push(name);
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether what comes behind these tokens is an item's name.
fn is_definition(before: &[Token<'_>]) -> bool {
    let definers = ["fn", "struct", "enum", "union", "trait", "type", "mod", "static", "const", "mut"];
    before.last().is_some_and(|last| definers.contains(&last.text))
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::tokens::parse;
    use super::*;

    fn check_text(text: &str, expected: &[&str]) {
        let source = |path: &str, text: &str| Source { path: path.to_string(), text: text.to_string() };
        let sources = [source("crates/heap/src/a.rs", text), source("crates/vm/src/b.rs", "use heap::{Idle, page};")];
        let found = check(&parse(&sources));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn items_that_nothing_names() {
        check_text("pub fn idle() {}", &["crates/heap/src/a.rs:1: nothing names the public `idle`"]);
        check_text("\npub const unsafe fn idle() {}", &["crates/heap/src/a.rs:2: nothing names the public `idle`"]);
        check_text("pub const IDLE: u8 = 1;", &["crates/heap/src/a.rs:1: nothing names the public `IDLE`"]);
        check_text(
            "pub fn idle() {}\nimpl A { pub fn idle(&self) {} }",
            &[
                "crates/heap/src/a.rs:1: nothing names the public `idle`",
                "crates/heap/src/a.rs:2: nothing names the public `idle`",
            ],
        );
    }

    #[test]
    fn an_import_alone_is_no_use() {
        check_text("pub struct Idle;", &["crates/heap/src/a.rs:1: nothing names the public `Idle`"]);
        check_text("pub use idle::Idle as Busy; pub struct Idle;", &[]);
    }

    #[test]
    fn items_in_use() {
        check_text("pub fn busy() {}\nfn f() { busy() }", &[]);
        check_text(
            "pub fn idle() {}\n// idle\nconst A: &str = \"idle\";",
            &["crates/heap/src/a.rs:1: nothing names the public `idle`"],
        );
        check_text(
            "pub(crate) fn idle() {}\nstruct S { pub field: u8 }\nmacro_rules! m { () => { pub fn $name() {} } }",
            &[],
        );
    }
}
