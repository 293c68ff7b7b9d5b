//! The commands as a user runs them: what they print, and how they fail.

use std::path::PathBuf;
use std::process::{Command, Output};

fn fixture(name: &str) -> String {
    format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A file of this test's own.
fn scratch(name: &str) -> String {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned()
}

fn loupe(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_loupe")).args(words).output().expect("loupe runs")
}

fn printed(words: &[&str]) -> String {
    let output = loupe(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("reports are UTF-8")
}

/// What a command that fails says, and its status.
fn complaint(words: &[&str]) -> (String, i32) {
    let output = loupe(words);
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().unwrap_or(-1))
}

/// The lines of a section.
fn section<'a>(report: &'a str, title: &str) -> Vec<&'a str> {
    let mut lines = report.lines().skip_while(|line| *line != title).skip(1);
    assert_eq!(lines.next(), Some("-----------------------------------"), "{title} in {report}");
    lines.take_while(|line| !line.is_empty()).collect()
}

/// Where the line of the program stands that holds `text`.
fn line_of(text: &str) -> String {
    let program = fixture("program.rb");
    let source = std::fs::read_to_string(&program).expect("the program can be read");
    let number = source.lines().position(|line| line.contains(text)).expect("the line is there") + 1;
    format!("{program}:{number}")
}

#[test]
fn the_report_counts_what_the_program_made() {
    let report = printed(&["run", &fixture("program.rb")]);
    assert!(report.starts_with("the program's own output\nwhat to change first ("), "{report}");
    assert!(report.contains("\nTotal allocated: "), "{report}");
    let objects = section(&report, "allocated objects by location");
    assert!(objects.contains(&format!("{:>10}  {}", 100, line_of("Thing.new")).as_str()), "{objects:?}");
    assert!(objects.contains(&format!("{:>10}  {}", 100, line_of("\"thing #")).as_str()), "{objects:?}");
    assert!(objects.contains(&format!("{:>10}  {}", 50, line_of("\"never")).as_str()), "{objects:?}");
    // A stack may still remember one that nothing refers to.
    let retained = section(&report, "retained objects by class");
    let things = retained.iter().find_map(|line| line.strip_suffix("  Thing")?.trim().parse().ok());
    assert!(things.is_some_and(|count: u32| (10..=13).contains(&count)), "{retained:?}");
    let strings = section(&report, "Allocated String Report");
    assert_eq!(strings[0], "      1000  \"0123456789\"");
}

#[test]
fn findings_name_the_line_and_the_remedy() {
    let report = printed(&["run", &fixture("program.rb")]);
    let unwritten = section(&report, "literals nobody wrote to (safe to freeze)");
    assert!(unwritten.iter().any(|l| l.contains(&line_of("\"never"))), "{unwritten:?}");
    let place = line_of("\"written\"");
    assert!(unwritten.iter().any(|l| l.contains(&format!("{place} \"!\""))), "{unwritten:?}");
    assert!(!unwritten.iter().any(|l| l.contains(&format!("{place} \"written\""))), "{unwritten:?}");
    let written = section(&report, "literals somebody wrote to (keep them mutable)");
    assert!(written[0].starts_with(&format!("{:>10}  {place} \"written\" (of 20 copies", 20)), "{written:?}");
    assert!(written[0].ends_with(&format!("first written at {place})")), "{written:?}");
    let regrown = section(&report, "regrown buffers by location");
    let advice = regrown.iter().find(|l| l.contains(&line_of("text = +"))).expect("the buffer grew");
    assert!(advice.contains("a capacity of 10000 would have avoided it"), "{advice}");
    let copies = section(&report, "copied bytes by location");
    assert!(copies[0].contains("written while shared, 20 times") && copies[0].contains("60000"), "{copies:?}");
    let pinned = section(&report, "slices that pin large buffers");
    assert!(pinned[0].contains(&line_of("SLICE =")), "{pinned:?}");
}

#[test]
fn messages_name_the_line_and_what_was_copied() {
    let program = fixture("messages.rb");
    let report = printed(&["run", &program]);
    let messages = section(&report, "messages to other Ractors, bytes by location");
    // An array and two strings, whose bytes the copies share with nobody.
    let bytes = |line: &str| line.trim().split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0_u64);
    assert!(messages[0].contains(&format!("{program}:4 (10 messages copied, 30 objects, ")), "{messages:?}");
    assert!((20_000..25_000).contains(&bytes(messages[0])), "{messages:?}");
    assert!(messages[1].contains(&format!("{program}:5 (10 messages moved, 10 objects, ")), "{messages:?}");
    assert!((5_000..8_000).contains(&bytes(messages[1])), "{messages:?}");
    assert!(messages[2..].contains(&format!("{:>10}  {program}:6 (10 messages shared)", 0).as_str()), "{messages:?}");
}

#[test]
fn ractors_have_their_shares() {
    let program = fixture("ractors.rb");
    let report = printed(&["run", &program]);
    let shares = section(&report, "bytes by Ractor that allocated them");
    let of = |place: &str| {
        let line = shares.iter().find(|line| line.contains(place));
        line.unwrap_or_else(|| panic!("{place} is named in {report}"))
            .trim()
            .split_once("  ")
            .expect("a figure and a place")
    };
    let bytes = |place: &str| of(place).0.parse::<u64>().expect("a number");
    // Each of the three makes a thousand strings that do not fit a small slot.
    let ended = format!("{program}:2 (3 Ractors, 30");
    assert!(of(&ended).1.ends_with(" objects, ended)"), "{shares:?}");
    assert!((250_000..400_000).contains(&bytes(&ended)), "{shares:?}");
    let living = format!("{program}:6 keeper (5");
    assert!(of(&living).1.contains(" objects, 5") && of(&living).1.ends_with(" bytes left)"), "{shares:?}");
    assert!((50_000..80_000).contains(&bytes(&living)), "{shares:?}");
    assert!((10_000..40_000).contains(&bytes("main (")), "{shares:?}");
}

/// The line below the one that names a place, from the findings that a report begins with.
fn change_at<'a>(report: &'a str, place: &str) -> &'a str {
    let findings = report.split("Total allocated: ").next().expect("something comes first");
    let mut lines = findings.lines().skip_while(|line| !line.contains(&format!(". {place}")));
    lines.nth(1).unwrap_or_else(|| panic!("{place} is named in {findings}")).trim()
}

#[test]
fn the_report_begins_with_what_to_change() {
    let report = printed(&["run", &fixture("program.rb")]);
    let place = line_of("SLICE =");
    assert!(change_at(&report, &place).starts_with("1 slices keep large buffers alive"), "{report}");
    let grown = change_at(&report, &line_of("text = +"));
    assert!(grown.starts_with("`String.new(capacity: 10_000)`: ") && grown.ends_with("(capacity)"), "{grown}");
    let shared = change_at(&report, &line_of("20.times { shared"));
    assert!(shared.contains("copies it 20 times: 60 kB (shared)"), "{shared}");
    let literal = change_at(&report, &line_of("1000.times { digits"));
    let together = "freeze the literal `\"0123456789\"` and 2 others of the file that nobody wrote to: 1,070 objects, ";
    assert!(literal.starts_with(together), "{literal}");
    assert!(report.contains("  1000.times { digits = \"0123456789\"; text << digits }"), "{report}");
    // One copy of it was written to.
    assert!(!report.contains("freeze the literal `\"written\"`"), "{report}");
    let other = printed(&["run", "--only", "app/", &fixture("program.rb")]);
    assert!(!other.contains("what to change first"), "{other}");
}

#[test]
fn the_tree_of_a_dump_is_a_page() {
    let (program, dump, page) = (scratch("tree.rb"), scratch("tree.json"), scratch("tree.html"));
    let source = "require \"objspace\"\nKEPT = { list: Array.new(100) { |i| \"text #{i}\" + \"!\" * 50 } }\n\
        File.open(ARGV[0], \"w\") { |f| ObjectSpace.dump_all(output: f) }\n";
    std::fs::write(&program, source).expect("the program can be written");
    printed(&["run", "--quiet", "--disable=gems", &program, &dump]);
    printed(&["heap", "--retained", "--html", &page, &dump]);
    let text = std::fs::read_to_string(&page).expect("the page is there");
    for part in ["<summary><b>", "text 99!!!", "ARRAY", "<td>String</td>", "</html>"] {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(text.matches("<details").count(), text.matches("</details>").count());
}

#[test]
fn a_dump_may_hide_what_strings_say() {
    let (program, dump) = (scratch("hidden.rb"), scratch("hidden.json"));
    let source = "require \"objspace\"\nkept = 5.times.map { |i| \"secret number\" + \"s\" }\n\
        other = \"another \" + \"secret\"\nFile.open(ARGV[0], \"w\") { |f| ObjectSpace.dump_all(output: f, hash_strings: true) }\n\
        a, b, c = [kept[0], kept[1], other].map { |text| ObjectSpace.dump(text, hash_strings: true)[/value_hash\":\"\\w{16}\"/] }\n\
        puts a == b, a == c, ObjectSpace.dump(kept[0]).include?(\"secret numbers\")\n";
    std::fs::write(&program, source).expect("the program can be written");
    assert_eq!(printed(&["run", "--quiet", "--disable=gems", &program, &dump]), "true\nfalse\ntrue\n");
    let text = std::fs::read_to_string(&dump).expect("the dump is there");
    assert!(!text.contains("secret number") && !text.contains("\"type\":\"STRING\", \"value\""), "nothing is told");
    let summary = printed(&["heap", &dump]);
    let count = |line: &str| line.split_whitespace().nth(1).and_then(|count| count.parse().ok()).unwrap_or(0);
    assert!(summary.lines().any(|line| line.contains("hashed: ") && count(line) >= 5), "{summary}");
}

/// A comparison that runs a method copies its literal in its own frame, whatever ran before.
#[test]
fn a_compared_literal_is_made_where_it_stands() {
    let program = scratch("compared.rb");
    let source = "class Name\n  def ==(other) = other.size == 3\nend\ndef is?(name)\n  if name == \"one\"\n    1\n  end\nend\n\
        name = Name.new\n300.times { is?(name) }\n";
    std::fs::write(&program, source).expect("the program can be written");
    let json = scratch("compared.json");
    printed(&["run", "--quiet", "--disable=gems", "--json", &json, &program]);
    let figures: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).expect("it is there")).expect("JSON");
    let rows = figures["rows"].as_array().expect("there are rows");
    let strings: Vec<(&serde_json::Value, &serde_json::Value)> = rows
        .iter()
        .filter(|row| row["class"] == "String")
        .map(|row| (&row["line"], &row["allocated"]["objects"]))
        .collect();
    assert_eq!(strings, [(&serde_json::json!(5), &serde_json::json!(300))]);
}

#[test]
fn calls_that_make_too_much_are_named() {
    let program = scratch("calls.rb");
    let source = "words = %i[a b c] * 100\n500.times { |i| words[i % 3].to_s }\n\
        200.times { String.ancestors.size }\n\
        300.times { [1, 2].map { [_1] }.flatten }\n\
        300.times { \"a,b,c,d\".split(\",\").first }\n\
        h = { a: 1 }\n400.times { h.keys.each { } }\n\
        text = \"\"\n300.times { text += \"abc\" }\n\
        table = {}\n5000.times { |i| table[i] = i }\n\
        300.times { [1.0e300 * 2] }\n\
        A = \"b\"\n300.times { \"abc\" =~ /#{A}/ }\n\
        T = { \"a\" => \"b\" }.freeze\n300.times { \"abc\".gsub(/a/) { |c| T[c] } }\n\
        300.times { \"abc\".gsub(\"a\", \"b\").gsub(\"c\", \"de\") }\n\
        300.times { \"a b\".gsub(\" \", \"_\") }\n\
        300.times { {a: 1}.merge(b: 2) }\n\
        300.times { [2, 1].sort.first }\n\
        def f(a, b = {}) = a\n300.times { f(1) }\n\
        300.times { \"ab\"[-1, 1] == \"b\" }\n\
        300.times { 2.times.map { |i| i } }\n\
        300.times { [2, 1].sort_by { |i| i }.first }\n\
        300.times { \"abc\".chars.first }\n\
        300.times { \"abcabc\".scan(/b/).first }\n\
        300.times { [1, 2].inject({}) { |h, i| h.merge(i => i) } }\n\
        300.times { [1] + words[0, 2] + [2] }\n\
        300.times { \"same #{A}\" }\n\
        300.times { \"abc\".gsub(/x/, \"y\") }\n\
        300.times { [:a, nil] }\n\
        300.times { \" \".strip.empty? }\n\
        300.times { \"b,a\".split(\",\").map { |c| c } }\n\
        300.times { \" Ab \".strip.downcase }\n\
        out = +\"\"\n300.times { |i| out << \"a#{i}b\" }\n\
        300.times { \"ab\".upcase }\n";
    std::fs::write(&program, source).expect("the program can be written");
    let report = printed(&["run", &program]);
    let all = report.split("Total allocated: ").next().expect("something comes first");
    let json = scratch("calls.json");
    printed(&["run", "--quiet", "--json", &json, &program]);
    let figures: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).expect("it is there")).expect("JSON");
    let advice = figures["advice"].as_array().expect("there is advice");
    for (line, kind) in [
        (2, "symbol-name"),
        (3, "ancestors"),
        (4, "flat-map"),
        (5, "one-part"),
        (7, "keys"),
        (9, "append"),
        (10, "hash-growth"),
        (12, "float"),
        (14, "pattern"),
        (16, "gsub-table"),
        (17, "gsub-chain"),
        (18, "characters"),
        (19, "merge"),
        (20, "array-between"),
        (21, "empty-default"),
        (23, "first-character"),
        (24, "array-between"),
        (25, "array-between"),
        (26, "array-between"),
        (27, "one-part"),
        (28, "merge"),
        (29, "plus-chain"),
        (30, "same-text"),
        (31, "unchanged"),
        (32, "constant"),
        (33, "comparison"),
        (34, "in-place"),
        (35, "string-chain"),
        (37, "append-parts"),
        (38, "same-text"),
    ] {
        let is_there = |part: &serde_json::Value| part["line"] == line;
        let has_line =
            |one: &serde_json::Value| one["lines"].as_array().is_some_and(|parts| parts.iter().any(is_there));
        let is_it = |one: &&serde_json::Value| (is_there(one) || has_line(one)) && one["kind"] == kind;
        assert!(advice.iter().any(|one| is_it(&one)), "{line} {kind}: {all} {advice:?}");
    }
    let grown = advice.iter().find(|one| one["kind"] == "hash-growth").expect("it grew");
    assert!(
        grown["change"].as_str().is_some_and(|change| change.starts_with("`Hash.new(capacity: 5_000)`: ")),
        "{grown}"
    );
}

#[test]
fn a_program_that_fails_is_reported_all_the_same() {
    let output = loupe(&["run", "-e", "KEEP = 'a' * 100; raise 'on purpose'"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("on purpose (RuntimeError)"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Total allocated: "));
    let output = loupe(&["run", "-e", "Process.kill(:INT, $$); sleep 5"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Total allocated: "));
}

#[test]
fn what_waiting_ractors_made_is_counted() {
    let program = scratch("waiting.rb");
    let source = "r = Ractor.new { kept = Array.new(1000) { |i| \"in ractor #{i}\" }; Ractor.main << 1; Ractor.receive; kept }\nRactor.receive\n";
    std::fs::write(&program, source).expect("the program can be written");
    let report = printed(&["run", "-W0", &program]);
    let objects = section(&report, "allocated objects by class");
    let strings = objects.iter().find_map(|line| line.strip_suffix("  String")?.trim().parse().ok());
    assert!(strings.is_some_and(|count: u32| count >= 1000), "{objects:?}");
}

#[test]
fn json_and_page_hold_the_same_figures() {
    let (json, page) = (scratch("report.json"), scratch("report.html"));
    let printed_text = printed(&["run", "--quiet", "--json", &json, "--html", &page, &fixture("program.rb")]);
    assert_eq!(printed_text, "the program's own output\n");
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    assert_eq!(report["loupe"], 2);
    let rows = report["rows"].as_array().unwrap();
    let sum: u64 = rows.iter().map(|row| row["allocated"]["bytes"].as_u64().unwrap()).sum();
    assert_eq!(report["allocated"]["bytes"].as_u64(), Some(sum));
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("<title>loupe: ") && page.contains("Thing.new(i)"));
    assert!(
        !page.contains("http://") || page.matches("http").count() == page.matches("http://www.w3.org/2000/svg").count()
    );
    assert!(!page.contains("{{"));
}

/// What a program allocated, by place and class, in a mode of the compiler.
fn allocated(program: &str, mode: &str) -> Vec<String> {
    let json = scratch(&format!("allocated-{mode}.json"));
    let status = Command::new(env!("CARGO_BIN_EXE_loupe"))
        .args(["run", "--quiet", "--json", &json, program])
        .env("CARAT_JIT", mode)
        .output()
        .expect("loupe runs")
        .status;
    assert!(status.success(), "{mode}");
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    let mut rows: Vec<_> = report["rows"].as_array().unwrap().clone();
    // A stack may still remember what is not retained.
    rows.iter_mut().for_each(|row| drop(row.as_object_mut().unwrap().remove("retained")));
    rows.iter().map(serde_json::Value::to_string).collect()
}

#[test]
fn the_compiler_changes_no_figure() {
    let program = scratch("compiled.rb");
    let text = "class Point\n  attr_reader :x\n  def initialize(x) = @x = x\n  def +(o) = Point.new(@x + o.x)\n\
                def to_s = \"<#{@x}>\"\nend\nsum = Point.new(0)\n3000.times { |i| sum += Point.new(i) }\n\
                texts = (1..3000).map { |i| \"#{sum} #{i}\".split }\nputs texts.flatten.size\n";
    std::fs::write(&program, text).unwrap();
    let expected = allocated(&program, "off");
    assert!(expected.len() > 5, "{expected:?}");
    for mode in ["t1", "always", "exits:3"] {
        assert_eq!(allocated(&program, mode), expected, "{mode}");
    }
}

#[test]
fn resident_memory_is_named() {
    let (program, json) = (scratch("resident.rb"), scratch("resident.json"));
    let text = "KEPT = Array.new(50_000) { |i| [i.to_s, { i => nil }] }\n\
        200.times { |i| eval(\"class C#{i}; def m#{i}(x) = x ? [x, :s#{i}] : /#{i}/; end; C#{i}.new.m#{i}(1)\") }\n\
        FIBERS = Array.new(50) { Fiber.new { Fiber.yield }.tap(&:resume) }\n";
    std::fs::write(&program, text).expect("the program can be written");
    let report = printed(&["run", "--json", &json, &program]);
    assert!(section(&report, "resident memory of the process at its end").len() > 15, "{report}");
    let figures: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&json).expect("the figures are there")).expect("they are JSON");
    let process = &figures["process"];
    let parts = process["parts"].as_array().expect("there are parts");
    let bytes = |part: &serde_json::Value| part["bytes"].as_u64().expect("a number");
    let (resident, sum) =
        (bytes(&serde_json::json!({ "bytes": process["resident_bytes"] })), parts.iter().map(bytes).sum::<u64>());
    assert_eq!(sum, resident);
    let not_named = process["not_named_bytes"].as_u64().expect("a number");
    assert!(not_named * 100 <= resident * 3, "{not_named} of {resident}: {report}");
    let of = |name: &str| parts.iter().filter(|part| part["name"] == name).map(bytes).sum::<u64>();
    // 50,000 elements of 8 bytes, room in part unused.
    assert!(
        (400_000..440_000).contains(&of("buffers of strings and arrays that are mappings of their own")),
        "{report}"
    );
    // 100,000 objects of 40 to 48 bytes; a table for each hash or none; each fiber has touched its stacks.
    assert!((3_000_000..9_000_000).contains(&of("objects in their slots")), "{report}");
    assert!(of("native") > 50 * 4096, "{report}");
    assert!(of("packed: all code, with lines and names") > 50_000, "{report}");
}

#[test]
fn dumps_of_cruby_are_summarised() {
    let summary = printed(&["heap", &fixture("cruby.json")]);
    assert!(summary.contains("7 objects, 6441 bytes"), "{summary}");
    assert!(section(&summary, "by class").contains(&"        5121          3  String"), "{summary}");
    assert_eq!(section(&summary, "by generation").len(), 3);
    assert_eq!(section(&summary, "duplicate strings"), ["          80          2  \"abc\""]);
    assert!(section(&summary, "largest objects")[0].contains("0x7f0000000600 STRING \"garbage\""));
}

#[test]
fn dumps_of_carat_are_summarised() {
    let dump = scratch("carat.json");
    let code = format!(
        "require 'objspace'; A = 'kept ' * 10_000; File.open('{dump}', 'w') {{ |f| ObjectSpace.dump_all(output: f) }}"
    );
    printed(&["run", "--quiet", "-e", &code]);
    let summary = printed(&["heap", "--top", "5", &dump]);
    assert!(section(&summary, "by class").iter().any(|line| line.ends_with("  Class")), "{summary}");
    assert!(summary.contains("kept kept"), "{summary}");
}

#[test]
fn a_path_leads_from_a_root() {
    let text = printed(&["path", &fixture("cruby.json"), "0x7f0000000500"]);
    assert_eq!(
        text,
        "root: global_tbl\n-> 0x7f0000000300 ARRAY of 2 (app.rb:3)\n  -> 0x7f0000000500 STRING \"abc\" (app.rb:4)\n"
    );
    assert!(printed(&["path", &fixture("cruby.json"), "0x7f0000000600"]).contains("nothing in the dump leads there"));
}

#[test]
fn what_each_object_keeps_is_told() {
    let text = printed(&["heap", "--retained", &fixture("cruby.json")]);
    assert!(text.contains("are kept; 2 go with the next collection"), "{text}");
    let tree = section(&text, "retained by object, each below what it would go with");
    // The array keeps its string; the class that both name is kept by a root, too.
    let array = tree.iter().position(|line| line.contains("ARRAY of 2 (app.rb:3)")).expect("the array is there");
    assert!(tree[array + 2].contains("    0x7f0000000500 STRING \"abc\""), "{tree:?}");
    let dump = scratch("retained.json");
    let code = format!(
        "require 'objspace'; class Keeper; def initialize = @list = Array.new(1000) {{ |i| 'kept ' * 20 }}; end; K = Keeper.new; \
         File.open('{dump}', 'w') {{ |f| ObjectSpace.dump_all(output: f) }}"
    );
    printed(&["run", "--quiet", "-e", &code]);
    let text = printed(&["heap", "--retained", &dump]);
    let keeper = section(&text, "retained by class").into_iter().find(|line| line.ends_with("  Keeper"));
    let bytes: u64 = keeper.and_then(|line| line.split_whitespace().next()?.parse().ok()).expect("the class is there");
    assert!((100_000..200_000).contains(&bytes), "{text}");
    assert!(complaint(&["heap", "--retained", "-"]).0.contains("reads its dump twice"));
}

#[test]
fn what_stays_is_told_with_its_place_and_the_way_to_it() {
    let dumps: Vec<String> = ["a", "b", "c"].iter().map(|name| scratch(&format!("leak-{name}.json"))).collect();
    let program = scratch("leaking.rb");
    let source = format!(
        "require 'objspace'\nObjectSpace.trace_object_allocations_start\n\
         def dump(path) = File.open(path, 'w') {{ |f| GC.start; ObjectSpace.dump_all(output: f) }}\n\
         KEPT = []\n\
         50.times {{ KEPT << Object.new }}\ndump('{}')\n\
         70.times {{ KEPT << Object.new }}\ngone = Array.new(40) {{ Object.new }}\ndump('{}')\n\
         gone = nil\n90.times {{ KEPT << Object.new }}\n100.times {{ [Object.new] }}\ndump('{}')\n",
        dumps[0], dumps[1], dumps[2]
    );
    std::fs::write(&program, source).expect("the program can be written");
    printed(&["run", "--quiet", &program]);
    let words =
        |list: &[String]| -> Vec<String> { std::iter::once("leaks".to_string()).chain(list.iter().cloned()).collect() };
    let run = |list: &[String]| printed(&words(list).iter().map(String::as_str).collect::<Vec<&str>>());
    let three = run(&dumps);
    let line = |text: &str, number: u32| -> Option<u64> {
        let place = format!("  Object {program}:{number}");
        text.lines().find(|line| line.ends_with(&place))?.split_whitespace().nth(1)?.parse().ok()
    };
    assert_eq!(line(&three, 7), Some(70), "{three}");
    assert_eq!((line(&three, 5), line(&three, 11)), (None, None), "{three}");
    // Of those that nobody holds, the stack may remember some.
    assert!(line(&three, 8).is_none_or(|count| count < 5), "{three}");
    assert!(three.contains("\nroot: vm\n") && three.contains("  -> 0x"), "{three}");
    let written = format!("written at {program}:7 (as the source has it): 70.times {{ KEPT << Object.new }}\n");
    assert!(
        three.contains(&written) && three.contains("grows without a bound, it seems: 50, then 120, then 210"),
        "{three}"
    );
    let json = scratch("leaks.json");
    printed(&["leaks", "--json", &json, &dumps[0], &dumps[1], &dumps[2]]);
    let figures: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).expect("it is there")).expect("JSON");
    let leaks = figures["leaks"].as_array().expect("a list");
    let leak = leaks.iter().find(|leak| leak["entries"] == serde_json::json!([50, 120, 210])).expect("it grew");
    assert!(figures["loupe_leaks"] == 1 && leak["root"].is_string(), "{figures}");
    assert_eq!(leak["written"][0]["line"], 7);
    let two = run(&dumps[1..]);
    assert_eq!((line(&two, 7), line(&two, 11)), (None, Some(90)), "{two}");
}

#[test]
fn growth_beyond_the_budget_fails() {
    let (before, after) = (scratch("before.json"), scratch("after.json"));
    printed(&["run", "--quiet", "--json", &before, "-e", "100.times { Object.new }"]);
    printed(&["run", "--quiet", "--json", &after, "-e", "300.times { Object.new }"]);
    let same = printed(&["diff", "--budget", "0", &before, &before]);
    assert!(same.contains("(+0") && same.contains("budget of bytes (0): kept"), "{same}");
    let output = loupe(&["diff", "--budget", "10%", &before, &after]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("+200  Object") && text.contains("NOT kept"), "{text}");
    assert_eq!(loupe(&["diff", "--budget-objects", "200", &before, &after]).status.code(), Some(0));
    let dump = fixture("cruby.json");
    assert!(printed(&["diff", &dump, &dump]).starts_with("bytes: 6441 -> 6441 (+0"));
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    let cut = scratch("cut.json");
    let whole = std::fs::read(fixture("cruby.json")).unwrap();
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let (text, status) = complaint(&["heap", &cut]);
    assert!(status == 2 && text.contains("cut.json:") && text.contains("ends in the middle of a line"), "{text}");
    let foreign = scratch("foreign.json");
    std::fs::write(&foreign, "{\"type\":\"ROOT\"}\n{\"a\":1}\n").unwrap();
    let (text, _) = complaint(&["heap", &foreign]);
    assert!(text.contains("foreign.json:2: not a heap dump"), "{text}");
    std::fs::write(&foreign, "{\"loupe\": 1, \"program\": 7}\n").unwrap();
    let (text, _) = complaint(&["diff", &foreign, &foreign]);
    assert!(text.contains("foreign.json:1: not a report of loupe"), "{text}");
    assert!(complaint(&["heap", "/nowhere/at all"]).0.contains("No such file"));
    for words in [&["run"][..], &["run", "--colour", "a.rb"], &["heap"], &["path", "a", "b"], &["nonsense"]] {
        assert_eq!(complaint(words).1, 2, "{words:?}");
    }
    let (text, status) = complaint(&["run", "/nowhere/at_all.rb"]);
    assert!(status == 2 && text.contains("No such file or directory -- /nowhere/at_all.rb"), "{text}");
}

/// What no command can read, and where each says that it stopped.
#[test]
fn nothing_that_cannot_be_read_is_taken_for_a_dump() {
    let whole = std::fs::read(fixture("cruby.json")).unwrap();
    let deep = "[".repeat(100_000).into_bytes();
    let inputs: [(&str, &[u8], &str); 11] = [
        ("empty", b"", ": the dump is empty"),
        ("blank", b"\n\n", ":1: not a heap dump"),
        ("binary", b"\x7fELF\x02\xff\xfe\x00", ":1: not a heap dump"),
        ("text", b"hello\nworld\n", ":1: not a heap dump"),
        ("list", b"[1, 2]\n", ":1: not a heap dump"),
        ("deep", &deep, ":1: not a heap dump"),
        ("object", b"{}\n", ":1: not a heap dump"),
        ("negative", b"{\"type\":\"OBJECT\", \"address\":\"0x10\", \"memsize\":-4}\n", ":1: not a heap dump"),
        ("second", b"{\"type\":\"ROOT\"}\n{\"type\":7}\n", ":2: not a heap dump"),
        ("cut", &whole[..whole.len() / 2], "the dump ends in the middle of a line"),
        ("half", b"{\"loupe\":1,\"program\":\"x\"", ":1: not a "),
    ];
    for (name, bytes, expected) in inputs {
        let file = scratch(&format!("bad_{name}"));
        std::fs::write(&file, bytes).unwrap();
        for words in [&["heap", &file][..], &["path", &file, "0x10"], &["diff", &file, &file]] {
            let (text, status) = complaint(words);
            assert!(status == 2 && text.contains(&file) && text.contains(expected), "{words:?}: {status} {text}");
            assert_eq!(text.lines().count(), 1, "{words:?}: {text}");
        }
    }
}

#[test]
fn places_that_cannot_be_used_are_named() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    for (words, expected) in [
        (&["heap", folder][..], "Is a directory"),
        (&["path", folder, "0x10"], "Is a directory"),
        (&["diff", folder, folder], "Is a directory"),
        (&["run", folder], "Is a directory"),
        (&["heap", "-"], "-: the dump is empty"),
        (&["path", "-", "0x10"], "give a file"),
        (&["run", "--json", "/nowhere/a.json", "-e", "p 1"], "/nowhere/a.json: No such file or directory"),
        (&["run", "--html", folder, "-e", "p 1"], "Is a directory"),
        (&["run", "--output", "/nowhere/a", "-e", "p 1"], "/nowhere/a: No such file or directory"),
        (&["run", "--json=", "-e", "p 1"], "--json wants a value"),
        (&["run", "--top=x", "-e", "p 1"], "--top wants a number, not x"),
        (&["diff", "a"], "diff wants two dumps"),
        (&["heap", "--size", "a"], "unknown option --size"),
        (&["export", "a"], "export wants --format: folded, speedscope, firefox or pprof"),
        (&["export", "--format", "svg", "a"], "--format wants one of folded, speedscope, firefox, pprof, not svg"),
        (&["export", "--format", "folded", "--mode", "all", "a"], "--mode wants one of allocated, retained"),
        (&["export", "--format", "folded", "/nowhere/a"], "/nowhere/a: No such file or directory"),
        (&["export", "--format", "folded", "/dev/null"], "no report of loupe run --json"),
        (&["attach", "me"], "attach wants the number of a process, not me"),
        (&["attach", "--seconds", "-1", "1"], "--seconds wants seconds, up to 3600, not -1"),
        (&["attach", "--every", "0", "1"], "--every wants a number of bytes from 1 on"),
        (&["completion", "csh"], "completion wants one of bash, zsh, fish, not csh"),
    ] {
        let (text, status) = complaint(words);
        assert!(status == 2 && text.contains(expected), "{words:?}: {status} {text}");
        assert!(!loupe(words).stdout.starts_with(b"1"), "{words:?}: the program ran");
    }
    let (text, status) = complaint(&["run", "--output", "/dev/full", "-e", "1"]);
    assert!(status == 2 && text.contains("No space left on device"), "{text}");
}

#[test]
fn a_program_comes_from_standard_input_too() {
    use std::io::Write;
    let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
    command.args(["run", "-"]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut running = command.spawn().expect("loupe runs");
    running.stdin.take().expect("piped").write_all(b"3.times { Object.new }\n").expect("the program is read");
    let output = running.wait_with_output().expect("the program ends");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(section(&report, "allocated objects by location").contains(&"         3  -:1"), "{report}");
}

#[test]
fn figures_beyond_measure_do_not_overflow() {
    let dump = scratch("huge.json");
    let line = format!("{{\"type\":\"OBJECT\", \"address\":\"0x10\", \"memsize\":{}}}\n", u64::MAX);
    std::fs::write(&dump, line.repeat(2)).unwrap();
    assert!(printed(&["heap", &dump]).contains("2 objects"));
    printed(&["diff", &dump, &dump]);
}

#[test]
fn literals_of_files_without_frozen_ones_are_found_too() {
    let program = scratch("mutable.rb");
    let source = "# frozen_string_literal: false\n50.times { 'never' }\n20.times { 'written' << '!' }\n10.times { +'asked' << '!' }\n";
    std::fs::write(&program, source).expect("the program can be written");
    let report = printed(&["run", &program]);
    let unwritten = section(&report, "literals nobody wrote to (safe to freeze)");
    assert!(unwritten.iter().any(|l| l.contains(&format!("{program}:2 \"never\""))), "{unwritten:?}");
    let written = section(&report, "literals somebody wrote to (keep them mutable)");
    assert!(written.iter().any(|l| l.contains(&format!("{program}:3 \"written\" (of 20 copies"))), "{written:?}");
    assert!(!report.contains("\"asked\" ("), "{report}");
}

#[test]
fn words_that_are_no_text_are_refused_not_changed() {
    use std::os::unix::ffi::OsStrExt;
    let word = std::ffi::OsStr::from_bytes(b"a\xff.rb");
    let output = Command::new(env!("CARGO_BIN_EXE_loupe")).arg("run").arg(word).output().expect("loupe runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && text.starts_with("loupe: argument is not UTF-8: a"), "{text}");
}
