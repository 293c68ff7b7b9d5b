//! `String#scan`.

use super::find::{Finder, publish};
use super::replace::next_char;
use super::search::frozen_copy;
use carat_vm::{Array, Block, CodeRange, Ec, Result, Str, Value, methods};

methods! {
    METHODS {
        "scan" => scan;
    }
}

/// The match, or the texts of its groups if the pattern has any.
fn item(ec: &mut Ec, finder: &Finder, s: Str, found: (usize, usize)) -> Value {
    match finder {
        Finder::Regexp(searcher) if searcher.group_count() > 1 => {
            let count = searcher.group_count();
            let groups = Array::new(ec, count - 1);
            for group in 1..count {
                let text =
                    searcher.group(group).map_or(Value::NIL, |(start, end)| s.share(ec, start, end - start).value());
                groups.push(ec, text);
            }
            groups.value()
        }
        _ => s.share(ec, found.0, found.1 - found.0).value(),
    }
}

fn scan(ec: &mut Ec, this: Str, pattern: Value, block: Option<Block>) -> Result {
    if this.range(ec) == CodeRange::Broken {
        // A pattern that is broken too is complained of first.
        if Str::from_value(pattern).is_some_and(|pattern| pattern.range(ec) == CodeRange::Broken) {
            Finder::new(ec, pattern, this)?;
        }
        return Err(ec.argument_error(&format!("invalid byte sequence in {}", this.encoding().name())));
    }
    let mut finder = Finder::new(ec, pattern, this)?;
    let s = frozen_copy(ec, this);
    let items = Array::new(ec, 0);
    let mut last = None;
    let mut from = 0;
    while let Some(found) = finder.find(ec, s, from)? {
        last = Some(found);
        let item = item(ec, &finder, s, found);
        match block {
            None => {
                ec.check_ints()?;
                items.make_room(ec, 1)?;
                items.push(ec, item);
            }
            Some(block) => {
                publish(ec, &finder, s, last);
                ec.yield_block(block, &[item])?;
                if was_modified(ec, this, s) {
                    return Err(ec.runtime_error("string modified"));
                }
            }
        }
        from = match found {
            (start, end) if start < end => end,
            (_, end) if end < s.len(ec) => next_char(ec, s, end),
            _ => break,
        };
    }
    publish_last(ec, &mut finder, s, last)?;
    Ok(if block.is_some() { this.value() } else { items.value() })
}

/// Whether a string has other contents than its frozen copy. A large copy shares its bytes until the string is written to.
fn was_modified(ec: &Ec, this: Str, copy: Str) -> bool {
    let (now, then) = (this.bytes(ec), copy.bytes(ec));
    now.as_ptr_range() != then.as_ptr_range() && now != then
}

/// Sets `$~` to the last match: what was searched for behind it has overwritten its groups.
fn publish_last(ec: &mut Ec, finder: &mut Finder, s: Str, last: Option<(usize, usize)>) -> Result<()> {
    if !ec.wants_last_match() {
        return Ok(());
    }
    let found = match last {
        Some((start, _)) => finder.find(ec, s, start)?,
        None => None,
    };
    publish(ec, finder, s, found);
    Ok(())
}
