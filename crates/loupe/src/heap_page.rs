//! The tree of dominators as a page: each object opens to what would go with it. It needs no script, for a browser knows how to open
//! and close `details`.
//!
//! # Limits
//! A page has the objects that retain most, and sums of the others. A list of a thousand links is a thousand levels deep; from
//! [`MOST_LEVELS`] on what is inside stands beside.

use crate::html::escaped;
use crate::report::Amount;
use std::fmt::Write as _;

/// Objects that a page has.
pub(crate) const MOST_OBJECTS: usize = 3000;
const MOST_LEVELS: usize = 40;
/// Levels that are open at first.
const OPEN_LEVELS: usize = 2;

/// An object of the tree, and those that would go with it and are shown.
pub(crate) struct Branch {
    pub(crate) what: String,
    pub(crate) retained: u64,
    pub(crate) own: u64,
    /// Numbers in the list of all branches.
    pub(crate) inside: Vec<usize>,
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>loupe: {{title}}</title>
<style>
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --line: #d8dde5; --bar: #3b7dd8; --quiet: #596273; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --paper: #14181f; --line: #333c49; --bar: #5b97e6; --quiet: #9aa4b1; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; max-width: 72rem; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } th, td { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; } .wide { overflow-x: auto; }
ul { list-style: none; margin: 0; padding: 0 0 0 1rem; border-left: 1px solid var(--line); } summary { cursor: pointer; overflow-wrap: anywhere; }
li { padding: .1rem 0; overflow-wrap: anywhere; } li.leaf { padding-left: 1rem; } b { font-weight: 600; font-variant-numeric: tabular-nums; } i { font-style: normal; color: var(--quiet); }
summary:focus-visible, .wide:focus-visible { outline: 2px solid var(--bar); }
</style>
<main>
<h1>loupe: {{title}}</h1>
";

/// The page of a dump: what is kept, by class, and the branches below the roots.
pub(crate) fn page(
    file: &str,
    kept: Amount,
    classes: &[(u64, u64, String)],
    roots: &[usize],
    all: &[Branch],
) -> String {
    let mut page = HEAD.replace("{{title}}", &escaped(file));
    let Amount { objects, bytes } = kept;
    let _ = write!(page, "<p>{objects} objects, {bytes} bytes are kept.</p>\n<h2>By class</h2>\n");
    page.push_str("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"By class\"><table><thead><tr><th class=\"n\">bytes that would go</th><th class=\"n\">objects</th><th>class</th></tr></thead><tbody>\n");
    for (bytes, objects, name) in classes {
        let _ = writeln!(
            page,
            "<tr><td class=\"n\">{bytes}</td><td class=\"n\">{objects}</td><td>{}</td></tr>",
            escaped(name)
        );
    }
    page.push_str("</tbody></table></div>\n<h2>By object</h2>\n<p>Each object opens to those that would go with it. First stands what would go in all, then the object's own bytes.</p>\n<ul>\n");
    roots.iter().for_each(|root| branch(&mut page, all, *root, 0));
    page.push_str("</ul>\n</main>\n</html>\n");
    page
}

/// An object and what is inside. The levels are bounded, and so is the stack.
fn branch(page: &mut String, all: &[Branch], at: usize, level: usize) {
    let Branch { what, retained, own, inside } = &all[at];
    let what = format!("<b>{retained}</b> <i>{own}</i> {}", escaped(what));
    let shown: u64 = inside.iter().map(|child| all[*child].retained).sum();
    let rest = retained.saturating_sub(*own).saturating_sub(shown);
    if inside.is_empty() && rest == 0 {
        let _ = writeln!(page, "<li class=\"leaf\">{what}</li>");
        return;
    }
    let is_open = if level < OPEN_LEVELS && !inside.is_empty() { " open" } else { "" };
    let _ = write!(page, "<li><details{is_open}><summary>{what}</summary><ul>");
    let mut beside = Vec::new();
    if level + 1 < MOST_LEVELS {
        inside.iter().for_each(|child| branch(page, all, *child, level + 1));
    } else {
        beside.extend(inside.iter().rev().copied());
    }
    while let Some(next) = beside.pop() {
        let Branch { what, retained, own, inside } = &all[next];
        let _ = writeln!(page, "<li class=\"leaf\"><b>{retained}</b> <i>{own}</i> {}</li>", escaped(what));
        beside.extend(inside.iter().rev().copied());
    }
    if rest > 0 {
        let _ = write!(page, "<li class=\"leaf\"><b>{rest}</b> in smaller objects</li>");
    }
    page.push_str("</ul></details></li>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_ends_and_nothing_is_markup() {
        let link = |number: usize| Branch {
            what: "<b> \"link\" & more".into(),
            retained: 16 * (5000 - number as u64),
            own: 16,
            inside: if number < 4999 { vec![number + 1] } else { Vec::new() },
        };
        let all: Vec<Branch> = (0..5000).map(link).collect();
        let kept = Amount { objects: 5000, bytes: 80_000 };
        let page = page("a<b>.json", kept, &[(1, 2, "A<B>".into())], &[0], &all);
        assert_eq!(page.matches("&lt;b> &quot;link&quot; &amp; more").count(), 5000);
        assert_eq!(page.matches("<details").count(), MOST_LEVELS);
        assert!(page.contains("<title>loupe: a&lt;b>.json") && !page.contains("in smaller objects"));
    }
}
