//! What to change first: findings with the place, the change in a user's words, and what it would gain.
//!
//! # How
//! Most kinds are told from the ledger alone: the instruction, the method it called, and what happened to the objects. Kinds that
//! depend on what surrounds a call also look at the text of its line. Each kind has a section in `docs/findings.md`.
//!
//! # Limits
//! A finding says what its line made in this run. `loupe try` runs the program with the change.

use crate::edit::{NEW_STRINGS, OF_VALUES};
use crate::findings::{Place, amount, inspected_literal};
use crate::gem;
use crate::report::{Advice, Amount, LiteralPlace};
use carat_vm::SymbolId;
use carat_vm::recorder::{CopyReason, Ledger, Site, SiteEvents, SiteId};
use std::collections::{BTreeMap, HashMap};

/// What an object costs besides its bytes, in bytes: it has to be made, marked and swept.
const OBJECT_COST: u64 = 16;
/// Below this a finding is not worth a reader's time.
const MIN_GAIN: u64 = 1024;

/// Copies of a literal below which it is not worth a `.freeze`: what runs once makes one.
pub(crate) const WORTH: u64 = 4;

/// Different texts that are looked at, those that were made most often, and times from which one is too often.
const MOST_TEXTS: usize = 1000;
const MANY: u64 = 50;
/// A text of a place is made over and over if it is made ten times; one string in ten may be none of these.
const SELDOM: u64 = 10;
/// More texts are no few: who keeps them by what they are made of keeps what comes from outside.
const FEW_TEXTS: u64 = 64;

/// Key, value, and places in the index.
const ENTRY: u64 = 24;

/// A kind of finding that is told from a method of the core library and the line that calls it.
struct Rule {
    kind: &'static str,
    /// Class and name of the method.
    method: (&'static str, &'static str),
    /// Class of what it makes.
    makes: &'static str,
    /// Whether the line, without its indentation, is one where the change can be made.
    fits: fn(&str) -> bool,
    change: &'static str,
}

fn always(_: &str) -> bool {
    true
}

fn is_condition(line: &str) -> bool {
    ["if ", "elsif ", "unless ", "while ", "until "].iter().any(|word| line.starts_with(word)) && !line.contains(" = ")
}

fn maps(line: &str) -> bool {
    line.contains(".map") || line.contains(".collect")
}

/// `.split(x).first`, `.split(x)[0]`, but not `.first(2)`.
fn has_one_part(line: &str) -> bool {
    let uses = line.split(").first").skip(1).any(|rest| !rest.starts_with('('));
    uses || line.contains(")[0]") || line.contains(")[1]")
}

/// Whether two calls of the chain `gsub(…).gsub(…)` stand on the line, or it is one line of such a chain.
fn is_gsub_chain(line: &str) -> bool {
    line.matches(".gsub(").count() > 1 || line.contains("gsub(") && (line.ends_with('.') || line.starts_with(".gsub("))
}

/// `gsub(…) { |text| TABLE[text] }`
fn looks_up_in_block(line: &str) -> bool {
    let blocks = line.split('{').skip(1).filter_map(|rest| rest.trim_start().strip_prefix('|'));
    let mut blocks = blocks.filter_map(|rest| rest.split('}').next()?.split_once('|'));
    blocks.any(|(name, body)| {
        let table = body.trim().strip_suffix(&format!("[{}]", name.trim()));
        table.is_some_and(|table| table.starts_with(|first: char| first.is_ascii_uppercase()) && !table.contains(' '))
    })
}

/// `gsub("x", "")`, `gsub(/[^a-z]/, "")`: the replacement is a character at most.
fn replaces_characters(line: &str) -> bool {
    line.split("gsub(").skip(1).any(|rest| {
        let arguments = rest.split(')').next().unwrap_or_default();
        let replacement = arguments.rsplit(',').next().unwrap_or_default().trim();
        arguments.contains(',') && replacement.len() <= 3 && replacement.starts_with(['"', '\''])
    })
}

const RULES: &[Rule] = &[
    Rule {
        kind: "gsub-table",
        method: ("String", "gsub"),
        makes: "String",
        fits: looks_up_in_block,
        change: "`gsub` makes a string for each match to look it up: give it the table",
    },
    Rule {
        kind: "gsub-chain",
        method: ("String", "gsub"),
        makes: "String",
        fits: is_gsub_chain,
        change: "each `gsub` of the chain makes a string: one `gsub` with a table, or `gsub!` on the first one's",
    },
    Rule {
        kind: "characters",
        method: ("String", "gsub"),
        makes: "String",
        fits: replaces_characters,
        change: "`gsub` of single characters: `tr`, or `delete`, makes no match",
    },
    Rule {
        kind: "merge",
        method: ("Hash", "merge"),
        makes: "Hash",
        fits: |line| line.contains("}.merge("),
        change: "`merge` of two literals makes three hashes: write one",
    },
    Rule {
        kind: "array-between",
        method: ("Array", "reverse"),
        makes: "Array",
        fits: |line| line.contains(".reverse.each"),
        change: "`reverse` makes an array to go through: `reverse_each`",
    },
    Rule {
        kind: "array-between",
        method: ("Array", "select"),
        makes: "Array",
        fits: |line| {
            line.contains("}.first") || line.contains("}.size") || line.contains("}.length") || line.contains("}.count")
        },
        change: "`select` makes an array of which one element, or the size, is used: `find`, `count`",
    },
    Rule {
        kind: "array-between",
        method: ("Array", "sort"),
        makes: "Array",
        fits: |line| line.contains(".sort.first") || line.contains(".sort.last"),
        change: "`sort` makes an array of which one element is used: `min`, `max`",
    },
    Rule {
        kind: "array-between",
        method: ("Array", "map"),
        makes: "Array",
        fits: |line| line.contains("}.sum"),
        change: "`map` makes an array to add up: `sum` takes the block",
    },
    Rule {
        kind: "array-between",
        method: ("Enumerable", "sort_by"),
        makes: "Array",
        fits: |line| line.contains("}.first") || line.contains("}.last"),
        change: "`sort_by` makes an array of which one element is used: `min_by`, `max_by`",
    },
    Rule {
        kind: "array-between",
        method: ("Integer", "times"),
        makes: "Enumerator",
        fits: |line| line.contains(".times.map"),
        change: "`times.map` makes an Enumerator: `Array.new(n) { … }`",
    },
    Rule {
        kind: "array-between",
        method: ("String", "chars"),
        makes: "String",
        fits: |line| line.contains(".chars.first"),
        change: "`chars` makes a string for each character and one is used: `text[0]`",
    },
    Rule {
        kind: "array-between",
        method: ("String", "codepoints"),
        makes: "Array",
        fits: |line| line.contains(".codepoints.first") || line.contains(".codepoints[0]"),
        change: "`codepoints` makes an array of which one number is used: `ord`",
    },
    Rule {
        kind: "array-between",
        method: ("String", "bytes"),
        makes: "Array",
        fits: |line| {
            [".bytes.first", ".bytes[0]", ".bytes.size", ".bytes.length"].iter().any(|part| line.contains(part))
        },
        change: "`bytes` makes an array of which one number, or the size, is used: `getbyte(0)`, `bytesize`",
    },
    Rule {
        kind: "array-between",
        method: ("String", "chars"),
        makes: "String",
        fits: |line| [".chars.size", ".chars.length", ".chars.count"].iter().any(|part| line.contains(part)),
        change: "`chars` makes a string for each character to count them: `size`",
    },
    Rule {
        kind: "one-part",
        method: ("String", "scan"),
        makes: "String",
        fits: |line| line.contains(".scan(") && has_one_part(line),
        change: "`scan` finds all and one is used: `text[/…/]`",
    },
    Rule {
        kind: "array-between",
        method: ("Enumerable", "map"),
        makes: "Array",
        fits: |line| line.contains("}.to_h"),
        change: "`map` makes an array to make a hash of: `to_h` takes the block",
    },
    Rule {
        kind: "array-between",
        method: ("Array", "map"),
        makes: "Array",
        fits: |line| line.contains("}.to_h"),
        change: "`map` makes an array to make a hash of: `to_h` takes the block",
    },
    Rule {
        kind: "merge",
        method: ("Hash", "merge"),
        makes: "Hash",
        fits: |line| line.contains("inject({})") || line.contains("reduce({})"),
        change: "`merge` copies the hash in each step: `merge!`",
    },
    Rule {
        kind: "array-between",
        method: ("String", "chars"),
        makes: "String",
        fits: |line| line.contains(".chars.each ") || line.contains(".chars.each{"),
        change: "`chars` makes an array to go through: `each_char`",
    },
    Rule {
        kind: "array-between",
        method: ("String", "lines"),
        makes: "String",
        fits: |line| line.contains(".lines.each ") || line.contains(".lines.each{"),
        change: "`lines` makes an array to go through: `each_line`",
    },
    Rule {
        kind: "array-between",
        method: ("String", "bytes"),
        makes: "Array",
        fits: |line| line.contains(".bytes.each ") || line.contains(".bytes.each{"),
        change: "`bytes` makes an array to go through: `each_byte`",
    },
    Rule {
        kind: "ancestors",
        method: ("Module", "ancestors"),
        makes: "Array",
        fits: always,
        change: "`ancestors` makes an array each time: keep one for each class",
    },
    Rule {
        kind: "symbol-name",
        method: ("Symbol", "to_s"),
        makes: "String",
        fits: always,
        change: "`to_s` of a symbol makes a string each time: `name` hands out one that is there",
    },
    Rule {
        kind: "flat-map",
        method: ("Array", "flatten"),
        makes: "Array",
        fits: maps,
        change: "`map` and `flatten` make an array too many: `flat_map`",
    },
    Rule {
        kind: "filter-map",
        method: ("Array", "compact"),
        makes: "Array",
        fits: maps,
        change: "`map` and `compact` make an array too many: `filter_map`",
    },
    Rule {
        kind: "one-part",
        method: ("String", "split"),
        makes: "String",
        fits: |line| line.contains(".split") && has_one_part(line),
        change: "`split` makes every part and one is used: give it the limit 2",
    },
    Rule {
        kind: "keys",
        method: ("Hash", "keys"),
        makes: "Array",
        fits: |line| [".keys.each ", ".keys.all?", ".keys.any?", ".keys.include?"].iter().any(|w| line.contains(w)),
        change: "`keys` makes an array to go through: `each_key`, or ask the hash itself",
    },
    Rule {
        kind: "keys",
        method: ("Hash", "values"),
        makes: "Array",
        fits: |line| [".values.each ", ".values.all?", ".values.any?"].iter().any(|word| line.contains(word)),
        change: "`values` makes an array to go through: `each_value`, or ask the hash itself",
    },
    Rule {
        kind: "scanner",
        method: ("StringScanner", "scan"),
        makes: "String",
        fits: is_condition,
        change: "`scan` makes a string that nobody keeps: `skip`",
    },
    Rule {
        kind: "scanner",
        method: ("StringScanner", "scan_until"),
        makes: "String",
        fits: is_condition,
        change: "`scan_until` makes a string that nobody keeps: `skip_until`",
    },
    Rule {
        kind: "scanner",
        method: ("StringScanner", "check_until"),
        makes: "String",
        fits: is_condition,
        change: "`check_until` makes a string that nobody keeps: `exist?`",
    },
    Rule {
        kind: "comparison",
        method: ("String", "strip"),
        makes: "String",
        fits: |line| line.contains(".strip.empty?") || line.contains(".strip == ''") || line.contains(".strip == \"\""),
        change: "`strip` makes a string to see whether it is empty: `match?(/[^\\s\\0]/)`",
    },
    Rule {
        kind: "comparison",
        method: ("String", "downcase"),
        makes: "String",
        fits: |line| line.contains(".downcase == "),
        change: "`downcase` makes a string to compare it: `casecmp?`",
    },
    Rule {
        kind: "comparison",
        method: ("String", "upcase"),
        makes: "String",
        fits: |line| line.contains(".upcase == "),
        change: "`upcase` makes a string to compare it: `casecmp?`",
    },
    Rule {
        kind: "scanner",
        method: ("StringScanner", "check"),
        makes: "String",
        fits: is_condition,
        change: "`check` makes a string that nobody keeps: `match?`",
    },
];

/// Findings before they are ranked: by place, kind and change.
struct Collector<'a> {
    sites: &'a [Site],
    /// Lines of the files that were looked into; `None` for what is no file.
    files: HashMap<&'a str, Option<Vec<String>>>,
    found: BTreeMap<(&'a str, i32, &'static str, String), Gain>,
}

/// The texts that a place made most often: how many they are, how often they were made, and the first.
#[derive(Default)]
struct Repetition<'a> {
    texts: u64,
    made: u64,
    shown: Option<&'a [u8]>,
}

/// What a finding is about besides its place.
#[derive(Default)]
struct Gain {
    amount: Amount,
    literals: Vec<LiteralPlace>,
    capacity: Option<u64>,
    method: Option<String>,
}

/// The findings whose files `only` begins or is a part of, those that gain most first.
pub(crate) fn collect(
    ledger: &Ledger,
    sites: &[Site],
    name: &dyn Fn(SymbolId) -> String,
    only: Option<&str>,
) -> Vec<Advice> {
    let mut collector = Collector { sites, files: HashMap::new(), found: BTreeMap::new() };
    collector.literals(ledger);
    collector.calls(ledger);
    collector.patterns(ledger);
    collector.same_texts(ledger);
    collector.growth(ledger);
    collector.kept_as_they_are(ledger);
    collector.copies(ledger);
    collector.late_fields(ledger, name);
    collector.ranked(only)
}

impl<'a> Collector<'a> {
    fn site(&self, id: SiteId) -> &'a Site {
        &self.sites[id.0 as usize]
    }

    fn add(&mut self, site: &'a Site, kind: &'static str, change: String, amount: Amount) -> &mut Gain {
        let gain = self.found.entry((&site.path, site.line, kind, change)).or_default();
        gain.amount.add(amount);
        gain
    }

    /// A line of a file that can be read, without the blanks around it.
    fn line(&mut self, path: &'a str, line: i32) -> Option<&str> {
        let read = || std::fs::read(path).ok();
        let split = |text: Vec<u8>| String::from_utf8_lossy(&text).lines().map(String::from).collect();
        let lines = self.files.entry(path).or_insert_with(|| read().map(split)).as_ref()?;
        lines.get(usize::try_from(line).ok()?.checked_sub(1)?).map(|text| text.trim())
    }

    /// Literals whose copies nobody wrote to, those of a file together. If one copy of a literal was written to, it is not told of.
    fn literals(&mut self, ledger: &'a Ledger) {
        let mut sums: BTreeMap<(Place<'a>, &'a [u8]), (&'a Site, Amount, u64)> = BTreeMap::new();
        for tally in &ledger.tallies {
            let site = self.site(tally.site);
            let Some(literal) = &site.literal else { continue };
            let sum = sums.entry((Place::of(site), literal)).or_insert((site, Amount::default(), 0));
            sum.1.add(amount(tally.allocated));
            sum.2 += ledger.events.get(&tally.site).map_or(0, |events| events.written);
        }
        let mut files: BTreeMap<&'a str, Vec<(&'a Site, LiteralPlace)>> = BTreeMap::new();
        for ((_, literal), (site, copies, written)) in sums {
            if written == 0 {
                let place = LiteralPlace { line: site.line, text: inspected_literal(literal), copies };
                files.entry(&site.path).or_default().push((site, place));
            }
        }
        for mut places in files.into_values() {
            places.sort_by_key(|(_, place)| std::cmp::Reverse((place.copies.objects >= WORTH, rank(place.copies))));
            let is_worth_it = |(_, place): &&(&Site, LiteralPlace)| place.copies.objects >= WORTH;
            let Some((site, first)) = places.first().filter(is_worth_it) else { continue };
            let change = match places.iter().filter(is_worth_it).count() {
                1 => format!("freeze the literal `{}`", first.text),
                count => format!(
                    "freeze the literal `{}` and {} of the file that nobody wrote to",
                    first.text,
                    others(count - 1)
                ),
            };
            let total = places.iter().filter(is_worth_it).fold(Amount::default(), |mut sum, (_, place)| {
                sum.add(place.copies);
                sum
            });
            let site = *site;
            self.add(site, "literal", change, total).literals = places.into_iter().map(|(_, place)| place).collect();
        }
    }

    fn calls(&mut self, ledger: &'a Ledger) {
        for tally in &ledger.tallies {
            let (site, class) = (self.site(tally.site), &*tally.class);
            let gain = amount(tally.allocated);
            if class == "Float" {
                self.add(site, "float", "floats beyond the range of immediates become objects".into(), gain);
            }
            let Some(line) = self.line(&site.path, site.line).map(String::from) else { continue };
            if let Some(rule) = RULES.iter().find(|rule| rule.is_about(site, class) && (rule.fits)(&line)) {
                self.add(site, rule.kind, rule.change.into(), rule.of_line(gain));
            }
            if let Some((kind, change)) = in_chain(site, class, &line) {
                self.add(site, kind, change.into(), gain);
            }
            if let Some((kind, change)) = operator(site, class, &line) {
                self.add(site, kind, change.into(), gain);
            }
        }
    }

    /// Places that made few texts over and over.
    fn same_texts(&mut self, ledger: &'a Ledger) {
        let strings = ledger.tallies.iter().filter(|tally| &*tally.class == "String");
        let made: HashMap<SiteId, Amount> = strings.map(|tally| (tally.site, amount(tally.allocated))).collect();
        let mut repeated: BTreeMap<SiteId, Repetition<'a>> = BTreeMap::new();
        for text in ledger.allocated_strings.most_frequent(MOST_TEXTS) {
            for (id, count) in &text.places {
                let known = repeated.entry(*id).or_default();
                known.texts += 1;
                known.made += count;
                known.shown = known.shown.or(Some(text.shown));
            }
        }
        for (id, Repetition { texts, made: counted, shown }) in repeated {
            let (site, all) = (self.site(id), made.get(&id).copied().unwrap_or_default());
            let is_known = counted >= all.objects.saturating_sub(all.objects / SELDOM);
            let is_read = site.message.as_deref().is_some_and(|method| READERS.contains(&method));
            let is_repeated =
                all.objects >= MANY && is_known && texts * SELDOM <= all.objects && texts <= FEW_TEXTS && !is_read;
            let is_worth_it = shown.is_some_and(|shown| shown.len() > 1) || texts > 1;
            if site.literal.is_none() && is_repeated && is_worth_it {
                let text = inspected_literal(shown.unwrap_or_default());
                let change = match texts {
                    1 => format!("makes the same text `{text}` each time: keep it, if its parts stay the same"),
                    _ => format!("makes {texts} texts over and over, as `{text}`: keep them, by what they are made of"),
                };
                // The first of each kept text has to be made.
                let gain =
                    Amount { objects: all.objects - texts, bytes: all.bytes - all.bytes / all.objects.max(1) * texts };
                let is_of_value = site.class_path.as_deref().is_some_and(|class| OF_VALUES.contains(&class));
                let method = site.message.as_deref().filter(|_| site.is_called && is_of_value);
                self.add(site, "same-text", change, gain).method = method.map(String::from);
            }
        }
    }

    /// Copies in which nothing was replaced, and literals that stayed as they stand in the source.
    fn kept_as_they_are(&mut self, ledger: &'a Ledger) {
        for (id, events) in &ledger.events {
            let (site, unchanged) = (self.site(*id), amount(events.unchanged));
            if unchanged.objects >= WORTH {
                let method = site.message.clone().unwrap_or_default();
                let change = format!("`{method}` finds nothing to change and makes a copy: look first");
                self.add(site, "unchanged", change, unchanged).method = Some(method.to_string());
            }
            let made = ledger.tallies.iter().filter(|tally| tally.site == *id).map(|tally| tally.allocated.objects);
            let stayed = amount(events.as_written);
            if stayed.objects >= WORTH && stayed.objects == made.sum::<u64>() {
                let is_default = self.line(&site.path, site.line).is_some_and(|line| line.starts_with("def "));
                if !is_default {
                    let change = "a list of constants is made each time: `.freeze`, if nobody writes to it";
                    self.add(site, "constant", change.into(), stayed);
                }
            }
        }
    }

    /// Interpolated regexps, with the texts of their parts.
    fn patterns(&mut self, ledger: &'a Ledger) {
        let is_made_here = |site: &Site| !site.is_called && site.literal.is_none() && site.message.is_none();
        let mut places: BTreeMap<Place<'a>, &'a Site> = BTreeMap::new();
        let regexps = ledger.tallies.iter().filter(|tally| &*tally.class == "Regexp");
        for tally in regexps.filter(|tally| tally.allocated.objects >= WORTH) {
            let site = self.site(tally.site);
            if is_made_here(site) {
                places.insert(Place::of(site), site);
            }
        }
        for tally in &ledger.tallies {
            let site = self.site(tally.site);
            let is_part = matches!(&*tally.class, "Regexp" | "String" | "Array") && is_made_here(site);
            if let Some(first) = places.get(&Place::of(site)).filter(|_| is_part).copied() {
                let change = "a regexp is compiled each time: `/…/o` if its parts stay the same, or a constant";
                self.add(first, "pattern", change.into(), amount(tally.allocated));
            }
        }
    }

    /// Buffers and tables that were made larger, by the bytes that lie idle in the end for it.
    fn growth(&mut self, ledger: &'a Ledger) {
        for (id, events) in &ledger.events {
            let site = self.site(*id);
            let SiteEvents { regrown, longest, tables_grown, most_entries, pinning, .. } = events;
            let made = ledger.tallies.iter().filter(|tally| tally.site == *id);
            let made = made.fold(Amount::default(), |mut sum, tally| {
                sum.add(amount(tally.allocated));
                sum
            });
            // Room for the longest in each object may be more than what all have now.
            let idle = |needed: u64| made.bytes.saturating_sub(needed.saturating_mul(made.objects));
            let can_reserve = can_reserve(site);
            let is_of = |class: &str| ledger.tallies.iter().any(|t| t.site == *id && &*t.class == class);
            if regrown.objects > 0 && can_reserve && idle(*longest) > 0 {
                let is_array = is_of("Array") && !is_of("String");
                let capacity = if is_array { longest / 8 } else { *longest };
                let (kind, remedy) = match is_array {
                    true => ("array-growth", format!("make the array with its {capacity} elements at once")),
                    false => ("capacity", format!("`String.new(capacity: {})`", digits(capacity, '_'))),
                };
                let moves = format!("{remedy}: {} moves", digits(regrown.objects, ','));
                let gain = Amount { objects: 0, bytes: idle(*longest) };
                self.add(site, kind, moves, gain).capacity = Some(capacity);
            }
            let idle_in_table = idle(most_entries * ENTRY);
            if tables_grown.objects > 0 && *most_entries > 8 && can_reserve && idle_in_table > 0 {
                let steps = digits(tables_grown.objects, ',');
                let change = format!("`Hash.new(capacity: {})`: {steps} moves", digits(*most_entries, '_'));
                let gain = Amount { objects: 0, bytes: idle_in_table };
                self.add(site, "hash-growth", change, gain).capacity = Some(*most_entries);
            }
            if pinning.objects > 0 {
                let change = format!("{} slices keep large buffers alive: copy them", digits(pinning.objects, ','));
                self.add(site, "slice", change, Amount { objects: 0, bytes: pinning.bytes });
            }
        }
    }

    fn copies(&mut self, ledger: &'a Ledger) {
        for ((from, to, reason), count) in &ledger.copies {
            if *reason == CopyReason::Shared {
                let made = Place::of(self.site(*from));
                let times = digits(count.objects, ',');
                let change = format!("writes to what {made} made and others share, which copies it {times} times");
                self.add(self.site(*to), "shared", change, Amount { objects: 0, bytes: count.bytes });
            }
        }
    }

    fn late_fields(&mut self, ledger: &'a Ledger, name: &dyn Fn(SymbolId) -> String) {
        /// A side block begins with room for four fields.
        const SIDE_BLOCK: u64 = 40;
        let has_initialize = |class: &str| class != "Class" && class != "Module";
        for ((class, field, here), count) in ledger.late_fields.iter().filter(|((class, ..), _)| has_initialize(class))
        {
            let (field, times) = (name(*field), digits(*count, ','));
            let change = format!("`{field}` of {class} finds no room in {times} objects: set it in `initialize`");
            self.add(self.site(*here), "late-field", change, Amount { objects: 0, bytes: SIDE_BLOCK * count });
        }
    }

    fn ranked(mut self, only: Option<&str>) -> Vec<Advice> {
        let mut list: Vec<Advice> = Vec::new();
        for ((path, line, kind, change), found) in std::mem::take(&mut self.found) {
            let Gain { amount: gain, literals, capacity, method } = found;
            let source = self.line(path, line).map(String::from);
            // Nobody can change what is compiled into the executable.
            let is_text = source.is_some() || path == "-e" || path == "-";
            let is_wanted = only.is_none_or(|part| path.contains(part));
            if is_text && is_wanted && rank(gain) >= MIN_GAIN {
                let owner = gem::owner_of(path).map(String::from);
                list.push(Advice {
                    kind: kind.into(),
                    file: path.into(),
                    line,
                    source,
                    owner,
                    change,
                    gain,
                    literals,
                    capacity,
                    lines: Vec::new(),
                    method,
                    edit: None,
                });
            }
        }
        list.sort_by_key(|advice| std::cmp::Reverse(rank(advice.gain)));
        list
    }
}

/// By what findings are put in order.
pub(crate) fn rank(gain: Amount) -> u64 {
    gain.bytes.saturating_add(gain.objects.saturating_mul(OBJECT_COST))
}

impl Rule {
    /// What the change gains of what the line made: of two strings one has to be.
    fn of_line(&self, made: Amount) -> Amount {
        match self.kind {
            "characters" | "gsub-chain" => Amount { objects: made.objects / 2, bytes: made.bytes / 2 },
            _ => made,
        }
    }

    fn is_about(&self, site: &Site, class: &str) -> bool {
        let (owner, method) = self.method;
        let is_called = site.is_called && site.class_path.as_deref() == Some(owner);
        is_called && site.message.as_deref() == Some(method) && class == self.makes
    }
}

/// Whether the line makes its objects itself, and not a method that offers no capacity.
fn can_reserve(site: &Site) -> bool {
    !site.is_called || matches!(site.message.as_deref(), Some("new" | "+@" | "dup"))
}

/// Methods of arrays that have one that does the same in place.
const IN_PLACE: &[(&str, &str)] = &[
    ("Array", "map"),
    ("Array", "sort"),
    ("Enumerable", "sort_by"),
    ("Array", "reverse"),
    ("Array", "select"),
    ("Array", "reject"),
];

/// Calls on what another call has just made.
fn in_chain(site: &Site, class: &str, line: &str) -> Option<(&'static str, &'static str)> {
    let (owner, method) = (site.class_path.as_deref()?, site.message.as_deref().filter(|_| site.is_called)?);
    // The first step has to make a string.
    let place = |name: &str| line.find(&format!(".{name}"));
    let is_later = || NEW_STRINGS.iter().filter_map(|name| place(name)).min() < place(method);
    match (owner, class) {
        ("String", "String") if NEW_STRINGS.contains(&method) && !is_gsub_chain(line) && is_later() => {
            Some(("string-chain", "each call of a chain makes a string: the later ones can write to the first one's"))
        }
        (_, "Array") if IN_PLACE.contains(&(owner, method)) => {
            Some(("in-place", "makes a second array of one that nobody else holds: write to that"))
        }
        _ => None,
    }
}

/// Methods that take their results out of what has to be looked at anyway.
const READERS: &[&str] =
    &["[]", "slice", "byteslice", "slice!", "scan", "check", "scan_until", "getch", "split", "partition", "rpartition"];

/// Operators, which the interpreter runs without a frame, and literals.
fn operator(site: &Site, class: &str, line: &str) -> Option<(&'static str, &'static str)> {
    let is_default = |empty: &str| line.starts_with("def ") && line.contains(empty);
    match (site.message.as_deref().unwrap_or_default(), class) {
        ("+", "String") if line.contains(" += ") => Some(("append", "`+=` copies the string each time: `<<`")),
        ("+", "Array") if line.contains(" += ") => Some(("append", "`+=` copies the array each time: `concat`")),
        ("+", "Array") if line.matches(" + ").count() > 1 || line.contains('[') => {
            Some(("plus-chain", "each `+` of a chain makes an array: `[*a, *b, *c]`"))
        }
        ("", "String") if !site.is_called && line.contains("<< ") && line.contains("#{") => {
            Some(("append-parts", "a string is made to be appended: append its parts"))
        }
        ("[]", "String") if compares_end(line, &["[0] ", "[0, 1] ", "[0,1] "]) => {
            Some(("first-character", "a string is made of one character to compare it: `start_with?`"))
        }
        ("[]", "String") if compares_end(line, &["[-1] ", "[-1, 1] ", "[-1,1] ", "[-1..-1] "]) => {
            Some(("first-character", "a string is made of one character to compare it: `end_with?`"))
        }
        ("", "Hash") if !site.is_called && is_default("= {}") => {
            Some(("empty-default", "the default `{}` is made in each call: `{}.freeze`, if nobody writes to it"))
        }
        ("", "Array") if !site.is_called && is_default("= []") => {
            Some(("empty-default", "the default `[]` is made in each call: `[].freeze`, if nobody writes to it"))
        }
        _ => None,
    }
}

/// Whether a line compares one of the indexed parts with something.
fn compares_end(line: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| line.contains(&format!("{part}== ")) || line.contains(&format!("{part}!= ")))
}

fn others(count: usize) -> String {
    if count == 1 { "another one".into() } else { format!("{count} others") }
}

/// A number with its thousands set apart.
pub(crate) fn digits(number: u64, separator: char) -> String {
    let text = number.to_string();
    let mut out = String::new();
    for (at, digit) in text.chars().enumerate() {
        if at > 0 && (text.len() - at).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(digits(0, ','), "0");
        assert_eq!(digits(999, ','), "999");
        assert_eq!(digits(48_184, '_'), "48_184");
        assert_eq!(digits(1_234_567, ','), "1,234,567");
    }

    #[test]
    fn conditions_keep_nothing() {
        assert!(is_condition("if @src.scan(/x/)"));
        assert!(!is_condition("if text = @src.scan(/x/)"));
        assert!(!is_condition("text = @src.scan(/x/)"));
    }
}
