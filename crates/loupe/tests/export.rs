//! `loupe export`: each format as its readers want it, with the figures of the report.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output};

fn loupe(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_loupe")).args(words).output().expect("loupe runs")
}

fn scratch(name: &str) -> String {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned()
}

const PROGRAM: &str = "\
class Shop
  def self.stock(count) = Array.new(count) { |i| \"thing #{i}\" }
  def deep(n) = n.zero? ? Shop.stock(3) : deep(n - 1)
end
KEEP = Shop.stock(1000)
5000.times { |i| Shop.new.deep(i % 3) }
def twice(list) = list.each { |x| [x, x.to_s] }
twice([1, 2])
twice([3])
";

/// The report of a program, as a file and as JSON.
fn report(name: &str, options: &[&str]) -> (String, Value) {
    let (program, json) = (scratch(&format!("{name}.rb")), scratch(&format!("{name}.json")));
    std::fs::write(&program, PROGRAM).expect("the program can be written");
    let words = [&["run", "--quiet", "--json", &json], options, &[&program]].concat();
    let output = loupe(&words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let figures = serde_json::from_slice(&std::fs::read(&json).expect("it is there")).expect("it is JSON");
    (json, figures)
}

fn exported(report: &str, format: &str, options: &[&str]) -> Vec<u8> {
    let output = loupe(&[&["export", "--format", format], options, &[report]].concat());
    assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a number"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is a list"))
}

#[test]
fn the_tree_adds_up_to_the_report() {
    let (_, report) = report("tree", &[]);
    let nodes = list(&report["stacks"]["nodes"]);
    let sum = |column: usize| nodes.iter().map(|node| number(&node[column])).sum::<u64>();
    assert_eq!(sum(2), number(&report["allocated"]["objects"]));
    assert_eq!(sum(3), number(&report["allocated"]["bytes"]));
    assert_eq!(sum(4), number(&report["retained"]["objects"]));
    assert_eq!(sum(5), number(&report["retained"]["bytes"]));
    assert!(sum(7) >= sum(5), "what is retained lived at the peak");
    assert_eq!(sum(7), number(&report["timeline"]["peak"]["live"]["bytes"]));
    assert!(sum(8) > 0 && sum(8) < sum(2), "some were temporary, and what is kept was not");
    let list_of_frames = list(&report["stacks"]["frames"]);
    let whole = nodes.iter().all(|node| (number(&node[1]) as usize) < list_of_frames.len());
    assert!(whole && nodes[0][0].is_null());
    let points = list(&report["timeline"]["points"]);
    let times: Vec<f64> = points.iter().map(|point| point["seconds"].as_f64().expect("a time")).collect();
    assert!(times.len() >= 2 && times.is_sorted(), "{times:?}");
    assert!(points.iter().all(|point| number(&point["resident_bytes"]) > 1 << 20));
}

#[test]
fn folded_stacks_name_every_call() {
    let (json, report) = report("folded", &[]);
    let text = String::from_utf8(exported(&json, "folded", &["--by", "objects"])).expect("it is text");
    let mut lines: BTreeMap<&str, u64> = BTreeMap::new();
    for line in text.lines() {
        let (stack, figure) = line.rsplit_once(' ').expect("a stack and a figure");
        lines.insert(stack, figure.parse().expect("a number"));
    }
    assert_eq!(lines.values().sum::<u64>(), number(&report["allocated"]["objects"]));
    let program = scratch("folded.rb");
    let frame = |name: &str, line: u32| format!("{name} ({program}:{line})");
    let (block, make) = (frame("block in <main>", 6), frame("Shop.stock", 2));
    let deep = frame("Shop#deep", 3);
    let start = format!("{};Integer#times;{block};{deep};{deep}", frame("<main>", 6));
    // 5000 times, a third of them one call deeper.
    let made = |stack: &str| lines.get(stack).copied().unwrap_or(0);
    assert_eq!(made(&format!("{start};{make}")), 1667, "{text}");
    assert_eq!(made(&format!("{start};{deep};{make}")), 1666, "{text}");
    let inner = format!("{start};{make};Array#initialize;{}", frame("block in Shop.stock", 2));
    assert_eq!(made(&inner), 3 * 1667, "{text}");
    // Two calls of one method are two stacks.
    for (line, count) in [(8, 2), (9, 1)] {
        let twice = frame("block in Object#twice", 7);
        let stack = format!("{};{};Array#each;{twice}", frame("<main>", line), frame("Object#twice", 7));
        assert_eq!(made(&stack), count, "{text}");
    }
    let retained = String::from_utf8(exported(&json, "folded", &["--mode", "retained"])).expect("it is text");
    assert!(retained.lines().all(|line| !line.contains("Shop#deep")) && retained.contains("block in Shop.stock"));
}

#[test]
fn speedscope_finds_its_schema_kept() {
    let (json, report) = report("speedscope", &[]);
    let profile: Value = serde_json::from_slice(&exported(&json, "speedscope", &[])).expect("it is JSON");
    assert_eq!(profile["$schema"], "https://www.speedscope.app/file-format-schema.json");
    let frames = list(&profile["shared"]["frames"]);
    assert!(
        frames.iter().all(|frame| frame["name"].is_string() && (frame["file"].is_string() == frame["line"].is_i64()))
    );
    let profiles = list(&profile["profiles"]);
    assert_eq!(profiles.len(), 8);
    for one in profiles {
        assert_eq!(one["type"], "sampled");
        assert!(["bytes", "none"].contains(&one["unit"].as_str().expect("a unit")));
        let (samples, weights) = (list(&one["samples"]), list(&one["weights"]));
        assert_eq!(samples.len(), weights.len());
        assert!(samples.iter().flat_map(list).all(|frame| (number(frame) as usize) < frames.len()));
        assert_eq!(number(&one["startValue"]), 0);
        assert_eq!(number(&one["endValue"]), weights.iter().map(number).sum::<u64>());
    }
    assert_eq!(profiles[0]["endValue"], report["allocated"]["bytes"]);
}

/// Every table of the Firefox profiler has columns of its length, and numbers that are indices of the tables they name.
#[test]
fn the_firefox_profiler_finds_its_tables_whole() {
    let (json, report) = report("firefox", &[]);
    let profile: Value = serde_json::from_slice(&exported(&json, "firefox", &[])).expect("it is JSON");
    assert_eq!(number(&profile["meta"]["preprocessedProfileVersion"]), 44);
    let categories = list(&profile["meta"]["categories"]);
    assert!(categories.iter().all(|category| list(&category["subcategories"])[0] == "Other"));
    let threads = list(&profile["threads"]);
    let names: Vec<&str> = threads.iter().filter_map(|thread| thread["name"].as_str()).collect();
    assert_eq!(names, ["allocated bytes", "retained bytes", "peak bytes", "temporary bytes"]);
    for thread in threads {
        for table in ["funcTable", "frameTable", "stackTable", "samples", "markers", "nativeSymbols", "resourceTable"] {
            let length = number(&thread[table]["length"]) as usize;
            for (name, column) in thread[table].as_object().expect("a table") {
                assert!(name == "length" || name == "weightType" || list(column).len() == length, "{table}.{name}");
            }
        }
        let length = |table: &str| number(&thread[table]["length"]);
        let refers = |table: &str, column: &str, most: u64| {
            let found = list(&thread[table][column]);
            assert!(found.iter().all(|value| value.is_null() || number(value) < most), "{table}.{column}");
        };
        let texts = list(&thread["stringArray"]).len() as u64;
        refers("funcTable", "name", texts);
        refers("funcTable", "fileName", texts);
        refers("frameTable", "func", length("funcTable"));
        refers("frameTable", "category", categories.len() as u64);
        refers("stackTable", "frame", length("frameTable"));
        refers("samples", "stack", length("stackTable"));
        let prefixes = list(&thread["stackTable"]["prefix"]);
        assert!(prefixes.iter().enumerate().all(|(at, prefix)| prefix.is_null() || number(prefix) < at as u64));
        assert_eq!(thread["samples"]["weightType"], "bytes");
    }
    let weights = list(&threads[0]["samples"]["weight"]);
    assert_eq!(weights.iter().map(number).sum::<u64>(), number(&report["allocated"]["bytes"]));
}

/// A message as its fields: number, and an integer or bytes.
enum Field<'a> {
    Integer(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first().expect("the integer ends");
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return value;
        }
    }
    panic!("an integer has at most ten bytes")
}

fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = match key & 7 {
            0 => Field::Integer(varint(&mut bytes)),
            2 => {
                let (length, rest) = (varint(&mut bytes) as usize, bytes);
                bytes = &rest[length..];
                Field::Bytes(&rest[..length])
            }
            other => panic!("the profile has no fields of type {other}"),
        };
        found.push((key >> 3, value));
    }
    found
}

fn parts<'a>(message: &[(u64, Field<'a>)], number: u64) -> Vec<&'a [u8]> {
    message
        .iter()
        .filter_map(|(n, field)| match field {
            Field::Bytes(bytes) if *n == number => Some(*bytes),
            _ => None,
        })
        .collect()
}

fn integer(message: &[(u64, Field<'_>)], number: u64) -> u64 {
    let found = message.iter().find_map(|(n, field)| match field {
        Field::Integer(value) if *n == number => Some(*value),
        _ => None,
    });
    found.unwrap_or(0)
}

fn packed(mut bytes: &[u8]) -> Vec<u64> {
    let mut values = Vec::new();
    while !bytes.is_empty() {
        values.push(varint(&mut bytes));
    }
    values
}

#[test]
fn pprof_reads_what_was_written() {
    let (json, report) = report("pprof", &[]);
    let bytes = exported(&json, "pprof", &[]);
    let profile = fields(&bytes);
    let texts: Vec<&str> =
        parts(&profile, 6).into_iter().map(|text| std::str::from_utf8(text).expect("a text")).collect();
    assert_eq!(texts[0], "");
    let kinds: Vec<&str> =
        parts(&profile, 1).into_iter().map(|kind| texts[integer(&fields(kind), 1) as usize]).collect();
    assert_eq!(kinds.len(), 8);
    assert_eq!(&kinds[..2], ["allocated_bytes", "allocated_objects"]);
    assert_eq!(texts[integer(&profile, 14) as usize], "allocated_bytes");
    let functions: Vec<u64> = parts(&profile, 5).into_iter().map(|function| integer(&fields(function), 1)).collect();
    let mut locations = Vec::new();
    for location in parts(&profile, 4) {
        let location = fields(location);
        let line = fields(parts(&location, 4)[0]);
        assert!(functions.contains(&integer(&line, 1)));
        locations.push(integer(&location, 1));
    }
    let mut sums = [0; 8];
    for sample in parts(&profile, 2) {
        let sample = fields(sample);
        assert!(packed(parts(&sample, 1)[0]).iter().all(|location| locations.contains(location)));
        let values = packed(parts(&sample, 2)[0]);
        assert_eq!(values.len(), 8);
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    assert_eq!(sums[0], number(&report["allocated"]["bytes"]));
    assert_eq!(sums[3], number(&report["retained"]["objects"]));
}

/// Where Go is not installed nothing is asked, unless `CARAT_REQUIRE_TOOLS` is set: then that is a failure.
#[test]
fn go_s_own_tool_takes_the_profile() {
    let file = scratch("go.pb");
    let (json, _) = report("go", &[]);
    assert!(loupe(&["export", "--format", "pprof", "--mode", "retained", "--output", &file, &json]).status.success());
    let go = Command::new("go").args(["tool", "pprof", "-top", "-nodecount=20", &file]).output();
    let Some(output) = go.ok().filter(|output| !String::from_utf8_lossy(&output.stderr).contains("no such tool"))
    else {
        assert!(std::env::var_os("CARAT_REQUIRE_TOOLS").is_none(), "no go to read the profile with");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("Type: retained_bytes") && text.contains("block in Shop.stock"), "{text}");
    assert!(!text.contains("<unknown>") && text.contains("<main>"), "{text}");
}

#[test]
fn without_stacks_there_is_nothing_to_export() {
    let (json, figures) = report("none", &["--no-stacks"]);
    assert!(figures.get("stacks").is_none() && figures.get("timeline").is_none());
    let output = loupe(&["export", "--format", "folded", &json]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && text.contains("has no call stacks: make it with loupe run --json"),
        "{text}"
    );
}

#[test]
fn a_tree_that_somebody_else_wrote_is_looked_at_first() {
    let (json, mut figures) = report("foreign", &[]);
    figures["stacks"]["nodes"][0][0] = 5.into();
    std::fs::write(&json, figures.to_string()).expect("it can be written");
    let output = loupe(&["export", "--format", "folded", &json]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("node 0 of its stacks names"), "{text}");
}

#[test]
fn shells_complete_commands_and_options() {
    let script = |shell: &str| String::from_utf8(loupe(&["completion", shell]).stdout).expect("it is text");
    let bash = format!(
        "{}\nCOMP_WORDS=(loupe export --fo) COMP_CWORD=2\n_loupe\necho \"${{COMPREPLY[@]}}\"\n\
        COMP_WORDS=(loupe le) COMP_CWORD=1\n_loupe\necho \"${{COMPREPLY[@]}}\"",
        script("bash")
    );
    let output = Command::new("bash").args(["-c", &bash]).output().expect("bash runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "--format\nleaks\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(script("fish").contains("-n '__fish_seen_subcommand_from export' -l format\n"));
    assert!(script("zsh").starts_with("#compdef loupe\n"));
}
