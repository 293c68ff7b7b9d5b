//! Edits of each kind, and where there is none.

use super::*;
use crate::report::{Amount, LiteralPlace};

fn advice(kind: &str, line: i32) -> Advice {
    Advice {
        kind: kind.into(),
        file: "t.rb".into(),
        line,
        source: None,
        owner: None,
        change: String::new(),
        gain: Amount::default(),
        literals: Vec::new(),
        capacity: Some(1000),
        lines: Vec::new(),
        method: None,
        edit: None,
    }
}

fn edited_by(advice: &Advice, source: &str) -> String {
    match of(advice, source.as_bytes()) {
        Ok(changes) => String::from_utf8(apply(source.as_bytes(), &changes)).expect("the text stays UTF-8"),
        Err(reason) => format!("no: {}", reason.reason()),
    }
}

fn check(kind: &str, source: &str, expected: &str) {
    assert_eq!(edited_by(&advice(kind, 1), source), expected, "{kind}");
}

/// There is no edit.
fn refuse(kind: &str, source: &str) {
    let result = edited_by(&advice(kind, 1), source);
    assert!(result.starts_with("no: "), "{kind}: {source} became {result}");
}

fn freeze(literals: &[(i32, &str)], source: &str, expected: &str) {
    let place = |(line, text): &(i32, &str)| LiteralPlace {
        line: *line,
        text: format!("{text:?}"),
        copies: Amount { objects: 100, bytes: 1600 },
    };
    let advice = Advice { literals: literals.iter().map(place).collect(), ..advice("literal", 1) };
    assert_eq!(edited_by(&advice, source), expected);
}

#[test]
fn literals_are_frozen() {
    freeze(&[(1, "a")], "x = \"a\", \"b\"", "x = \"a\".freeze, \"b\"");
    freeze(&[(1, "a")], "def tag(_) 'a' end\n", "def tag(_) 'a'.freeze end\n");
    freeze(&[(1, "a\n")], "f <<~X, 1\n  a\nX\n\"a\"\n", "f <<~X.freeze, 1\n  a\nX\n\"a\"\n");
    freeze(&[(1, "ab")], "f('a' \"b\", 'c')", "f('a' \"b\".freeze, 'c')");
    freeze(&[(1, "b")], "%w[a b]", "[\"a\", \"b\".freeze]");
    freeze(&[(1, "b")], "x ? %w[a b] : 1", "x ? [\"a\", \"b\".freeze] : 1");
    freeze(&[(1, "b")], "x = [\n'a',\n'b'\n]", "x = [\n'a',\n'b'.freeze\n]");
    // A key and the text of a `when` make nothing.
    freeze(&[(1, "a")], "case x when 'a' then { 'a' => 'a' } end", "case x when 'a' then { 'a' => 'a'.freeze } end");
    freeze(&[(2, "a")], "x = 'a'\n", "no: the literal is not found on its line");
}

#[test]
fn a_file_whose_literals_are_all_meant_gets_the_magic_comment() {
    let source = "#!/usr/bin/ruby\n# encoding: utf-8\nx 'a'\nx 'b', 'c'\n";
    let expected = "#!/usr/bin/ruby\n# encoding: utf-8\n# frozen_string_literal: true\nx 'a'\nx 'b', 'c'\n";
    freeze(&[(3, "a"), (4, "b"), (4, "c")], source, expected);
    freeze(&[(1, "a"), (1, "b")], "x 'a', 'b', 'c'", "x 'a'.freeze, 'b'.freeze, 'c'");
}

#[test]
fn chains_of_arrays_become_one() {
    check("plus-chain", "x = a + [b, c] + d.e(1)", "x = [*a, b, c, *d.e(1)]");
    check("plus-chain", "x = a + [] + (b || c)", "x = [*a, *((b || c))]");
    refuse("plus-chain", "x = a + b");
    refuse("plus-chain", "x = [a + b + c, d + e + f]");
    refuse("plus-chain", "x = a + b + [<<~X]\n  x\nX\n");
}

#[test]
fn strings_and_hashes_get_their_capacity() {
    check("capacity", "out = +''", "out = ::String.new('', capacity: 1_000)");
    check("capacity", "out = String.new", "out = ::String.new(capacity: 1_000)");
    check("capacity", "out = String.new(\"\")", "out = ::String.new(\"\", capacity: 1_000)");
    check("capacity", "out = \"ab\".dup", "out = ::String.new(\"ab\", capacity: 1_000)");
    check("capacity", "out = ''; p 'x'", "out = ::String.new('', capacity: 1_000); p 'x'");
    refuse("capacity", "out = \"a#{x}\"");
    refuse("capacity", "a = +''; b = +''");
    refuse("capacity", "out = other.gsub(x, y)");
    check("hash-growth", "@a ||= {}", "@a ||= ::Hash.new(capacity: 1_000)");
    check(
        "hash-growth",
        "Hash.new { |h, k| h[k] = {} if k }\n".replace("{} if k", "k").as_str(),
        "Hash.new(capacity: 1_000) { |h, k| h[k] = k }\n",
    );
    check("hash-growth", "x = Hash.new(0)", "x = Hash.new(0, capacity: 1_000)");
    check("hash-growth", "x = Hash.new()", "x = Hash.new(capacity: 1_000)");
    refuse("hash-growth", "x = Set.new");
    refuse("hash-growth", "x = { a: 1 }");
    refuse("hash-growth", "x, y = {}, {}");
}

#[test]
fn what_nobody_else_holds_grows_in_place() {
    let (line, rest) = ("x = ''; 3.times { x += \"a\" }", "\nputs x\n");
    check("append", &[line, rest].concat(), "x = +''; 3.times { x << \"a\" }\nputs x\n");
    check("append", "x = String.new; 3.times { x += a + b }\np x", "x = String.new; 3.times { x << (a + b) }\np x");
    check("append", "x = []; 3.times { x += f y }\np x", "x = []; 3.times { x.concat(f y) }\np x");
    refuse("append", "x = ''; 3.times { x += 'a'; list << x }");
    refuse("append", "x = other; x += 'a'; p x");
    refuse("append", "@x += 'a'");
}

#[test]
fn calls_are_replaced() {
    check("symbol-name", "def f(a) = a.to_s", "def f(a) = (::Symbol === a ? a.name : a.to_s)");
    refuse("symbol-name", "list.map(&:to_s)");
    refuse("symbol-name", "list.pop.to_s");
    check("slice", "a = b[0, 3]", "a = b[0, 3]&.then { |part| \"#{part}\" }");
    refuse("slice", "a = b[0, 3] + c[1]");
    refuse("symbol-name", "a.to_s + b.to_s");
    refuse("symbol-name", "a.to_s(16)");
    check("flat-map", "x.map { |a| a.b }.flatten.c", "x.flat_map { |a| a.b }.c");
    check("flat-map", "x.collect(&:b).flatten(1)", "x.flat_map(&:b)");
    refuse("flat-map", "x.map { |a| a.b }.flatten(2)");
    refuse("flat-map", "x.flatten");
    check("filter-map", "x.map do |a|\n a\nend.compact".replace('\n', ";").as_str(), "x.filter_map do |a|; a;end");
    check("one-part", "x.split(\",\").first", "x.split(\",\", 2).first");
    check("one-part", "x.split[1].y", "x.split(nil, 3)[1].y");
    refuse("one-part", "x.split(',', 3).first");
    refuse("one-part", "x.split(',').last");
    check("scanner", "if s.scan(/a/) then b end", "if s.skip(/a/) then b end");
    check("scanner", "b unless !s.check(/a/) && c", "b unless !s.match?(/a/) && c");
    check("scanner", "s.scan(/a/); s.matched", "s.skip(/a/); s.matched");
    refuse("scanner", "if x = s.scan(/a/) then b end");
    check("first-character", "a if x.y[0] == \"b\"", "a if x.y.start_with?(\"b\")");
    check("first-character", "a if x[0] != ?b", "a if !x.start_with?(?b)");
    refuse("first-character", "a if x[0] == y");
}

#[test]
fn hashes_are_asked_themselves() {
    check("keys", "x.keys.each { |k| p k }\n1", "x.each_key { |k| p k }\n1");
    refuse("keys", "x.keys.each { |k| p k }");
    check("keys", "a if x.keys.include?(b)", "a if x.key?(b)");
    check("keys", "m.keys.all? {|k| f(k) }", "m.all? {|k, _| f(k) }");
    check("keys", "m.values.map { |v| f(v) }", "m.map { |_, v| f(v) }");
    refuse("keys", "m.keys.all?(String)");
    refuse("keys", "m.keys.each { |k| m[k + 1] = 2 }\n1");
    refuse("keys", "m.keys.each { |k| m.delete(k) }\n1");
    refuse("keys", "m.keys.sort");
}

#[test]
fn ancestors_are_kept_where_an_object_can_keep_them() {
    let source = "def f(o) = o.class.ancestors.each { |a| p a }";
    check("ancestors", source, "def f(o) = ((@ancestors ||= {})[o.class] ||= o.class.ancestors).each { |a| p a }");
    refuse("ancestors", "o.class.ancestors.each { |a| p a }");
    refuse("ancestors", "def self.f(o) = o.class.ancestors.each { |a| p a }");
    refuse("ancestors", "def f(o) = o.pop.ancestors.each { |a| p a }");
    refuse("ancestors", "def f(o) = o.class.ancestors");
}

#[test]
fn nothing_is_edited_where_positions_matter_or_the_file_does_not_parse() {
    refuse("symbol-name", "a.to_s(DATA.read).b\n__END__\ndata\n".replace("(DATA.read).b", "; DATA").as_str());
    refuse("symbol-name", "a.to_s (\n");
    refuse("float", "a * b");
}

#[test]
fn texts_are_replaced_in_one_step() {
    check("pattern", "x =~ /#{A}b#{A::B}/m", "x =~ /#{A}b#{A::B}/mo");
    let kept = "def f(a) = x =~ ((@patterns ||= {})[\"\\\\A#{a}b#{C[1]}\\\"/i\"] ||= /\\A#{a}b#{C[1]}\"/i)";
    check("pattern", "def f(a) = x =~ /\\A#{a}b#{C[1]}\"/i", kept);
    refuse("pattern", "x =~ /#{a}b/");
    refuse("pattern", "def f(a) = x =~ /#{a.pop}b/");
    refuse("pattern", "x =~ /#{A}b/o");
    check("gsub-table", "a.gsub(/[<>]/) { |s| T[s] }.b", "a.gsub(/[<>]/, T).b");
    refuse("gsub-table", "a.gsub(/[<>]/) { |s| T[s] || s }");
    let joined = "t.gsub(/[&<]/, { \"&\" => '&amp;'.freeze, \"<\" => '&lt;'.freeze })";
    check("gsub-chain", "t.gsub(/&/, '&amp;').gsub('<', '&lt;')", joined);
    // What the first one put there is replaced by the second.
    let in_place = "t.gsub('<', '&lt;').tap { |copy| copy.gsub!('&', '&amp;') }";
    check("gsub-chain", "t.gsub('<', '&lt;').gsub('&', '&amp;')", in_place);
    let steps = "t.gsub(A, B).\n  gsub(C) { |c| $1 }.\n  gsub(E, F).g";
    check("gsub-chain", steps, "t.gsub(A, B).tap { |copy| copy.gsub!(C) { |c| $1 }; copy.gsub!(E, F) }.g");
    refuse("gsub-chain", "t.gsub(A, B)");
    refuse("gsub-chain", "copy.gsub(A, B).gsub(C, D)");
    check("characters", "a.gsub(' ', '_').gsub(/[^A-Z]/, '')", "a.tr(\" \", \"_\").delete(\"^A-Z\")");
    check("characters", "a.gsub('^', '-')", "a.tr(\"^\", \"-\")");
    refuse("characters", "a.gsub('\\\\', '/')");
    refuse("characters", "a.gsub(/^/, '')");
    refuse("characters", "a.gsub(/./, '')");
    refuse("characters", "a.gsub(/[a\\d]/, '')");
    refuse("characters", "a.gsub(/a/i, 'b')");
}

#[test]
fn nothing_is_made_between() {
    check("merge", "{ a: 1 }.merge(:b => c)", "{ a: 1, :b => c }");
    check("merge", "{:a=>b}.merge({ b: 2 })", "{:a=>b, b: 2 }");
    check("merge", "{a: 1}.merge(b)", "{a: 1, **b }");
    refuse("merge", "{a: 1}.merge(b, c)");
    refuse("merge", "a.merge(b: 2)");
    refuse("merge", "{ a: 1 }.merge(b) { |k| k }");
    refuse("merge", "{ a: 1 }.merge(*b)");
    check("array-between", "a.reverse.each { |b| p b }\n1", "a.reverse_each { |b| p b }\n1");
    refuse("array-between", "a.reverse.each { |b| p b }");
    check("array-between", "a.select { |b| b }.first", "a.find { |b| b }");
    check("array-between", "a.select(&:b).size > 1", "a.count(&:b) > 1");
    check("array-between", "a.sort.last", "a.max");
    check("array-between", "a.sort_by(&:b).last", "a.max_by(&:b)");
    check("array-between", "(a + 1).times.map { |b| b }", "::Array.new((a + 1)) { |b| b }");
    check("array-between", "a.chars.first == b", "a[0] == b");
    check("array-between", "a.codepoints.first", "(a.empty? ? nil : a.ord)");
    check("array-between", "a.bytes.first + a.b", "a.getbyte(0) + a.b");
    check("array-between", "a.chars.count > 3", "a.size > 3");
    check("one-part", "a.scan(/b+/).first.c", "a[/b+/].c");
    refuse("one-part", "a.scan(/(b)+/).first");
    check("merge", "a.inject({}) { |h, b| h.merge(b => 1) }", "a.inject({}) { |h, b| h.merge!(b => 1) }");
    refuse("merge", "a.inject({}) { |h, b| c << h; h.merge(b => 1) }");
    refuse("merge", "a.inject(d) { |h, b| h.merge(b => 1) }");
    refuse("array-between", "a.select { |b| b }.first(2)");
    refuse("array-between", "a.sort { |b, c| c <=> b }.first");
    check("empty-default", "def f(a, b = {}, c: [])\nend", "def f(a, b = {}.freeze, c: [].freeze)\nend");
    refuse("empty-default", "def f(a, b = { c: 1 })\nend");
    check("first-character", "a if b[-1, 1] == '/'", "a if b.end_with?('/')");
}

fn check_of(method: &str, kind: &str, source: &str, expected: &str) {
    let advice = Advice { method: Some(method.into()), ..advice(kind, 1) };
    assert_eq!(edited_by(&advice, source), expected, "{kind}");
}

#[test]
fn constants_are_frozen() {
    check("constant", "f([:a, nil], { b: 1 }, [c])", "f([:a, nil].freeze, { b: 1 }.freeze, [c])");
    check("constant", "def f = return true, nil", "def f = return [true, nil].freeze");
    check("constant", "@a = []", "@a = [].freeze");
    check("constant", "%i[a b].each { p _1 }", "%i[a b].freeze.each { p _1 }");
    refuse("constant", "[\"a\"]");
    refuse("constant", "[:a].freeze");
    refuse("constant", "[:a, :b].include?(c)");
}

#[test]
fn nothing_is_copied_that_would_not_change() {
    let check = |source: &str, expected: &str| check_of("gsub", "unchanged", source, expected);
    check("p a.gsub(/b/, c)", "p (a.match?(/b/) ? a.gsub(/b/, c) : a)");
    check("a = a.gsub(B) { |m| m }\np a", "a = a.gsub(B) { |m| m } if a.index(B)\np a");
    check("while b\na = 1\nend", "no: its line has no `gsub`");
    check("p a.b.gsub(\"c\", \"d\")", "p a.b.then { |text| text.include?(\"c\") ? text.gsub(\"c\", \"d\") : text }");
    check("p a.gsub(b.c, d)", "no: its pattern may be another one the second time");
    check("p a&.gsub(/b/, c)", "no: it may be called on nil");
    check("b = a.gsub(/b/, c)\nb << d", "no: its result is written to, and so would be the text itself");
    check("a.gsub(/b/, c).force_encoding(d)", "no: its result is written to, and so would be the text itself");
    check_of("tr", "unchanged", "p a.tr('_', '-')", "p (a.count('_') > 0 ? a.tr('_', '-') : a)");
    let last = "if c\n  a = a.gsub B do |m| m end\nend\np a";
    let advice = Advice { line: 2, method: Some("gsub".into()), ..advice("unchanged", 2) };
    assert_eq!(edited_by(&advice, last), "if c\n  a = a.gsub B do |m| m end if a.index(B)\nend\np a");
}

#[test]
fn texts_are_kept_by_what_they_are_made_of() {
    let check = |source: &str, expected: &str| {
        let advice = Advice { method: Some("downcase".into()), ..advice("same-text", 2) };
        assert_eq!(edited_by(&advice, source), expected);
    };
    check(
        "class A\n  def b(c) = c.downcase\nend",
        "class A\n  TEXTS_2 = {}\n  def b(c) = (TEXTS_2[c] ||= c.downcase.freeze)\nend",
    );
    check(
        "class A\n  def b(c) = c.d.downcase(:fold)\nend",
        "class A\n  TEXTS_2 = {}\n  def b(c) = c.d.then { |text| TEXTS_2[text] ||= text.downcase(:fold).freeze }\nend",
    );
    check(
        "class A\n  def b(c, d) = c.downcase(d)\nend",
        "class A\n  TEXTS_2 = {}\n  def b(c, d) = ((TEXTS_2[c] ||= {})[d] ||= c.downcase(d).freeze)\nend",
    );
    check("class A\n  def b(c) = c.downcase(*d)\nend", "no: what it is made of may be another thing the second time");
    check("class A\n  b.downcase\nend", "no: it is in no method");
    let of_match = Advice { method: None, ..advice("same-text", 2) };
    let result = edited_by(&of_match, "class A\n  def b(c) = c[1]\nend");
    assert_eq!(result, "no: what it is made of may be another thing the second time");
}

#[test]
fn what_nobody_else_holds_is_written_to() {
    check("in-place", "a.split(\",\").map { |b| b }", "a.split(\",\").map! { |b| b }");
    check("in-place", "a.map(&:b).sort.reverse", "a.map(&:b).sort!.reverse!");
    check("in-place", "a.keys.reject { |b| b }", "a.keys.delete_if { |b| b }");
    refuse("in-place", "a.map { |b| b }");
    refuse("in-place", "a.map.sort_by { |b| b }");
    refuse("in-place", "a.split(\",\") { |b| b }.map { |b| b }");
    check("string-chain", "a.strip.downcase", "a.strip.tap { |copy| copy.downcase! }");
    check(
        "string-chain",
        "a.b.tr(\"c\", \"d\").sub(/e/) { |f| f }.chomp",
        "a.b.tr(\"c\", \"d\").tap { |copy| copy.sub!(/e/) { |f| f }; copy.chomp! }",
    );
    refuse("string-chain", "a.strip&.downcase");
    refuse("string-chain", "a.to_s.downcase");
}

#[test]
fn comparisons_make_nothing() {
    check("comparison", "p if a.strip.empty?", "p if !a.match?(/[^\\s\\0]/)");
    check("comparison", "p if a.b.downcase == 'c'", "p if a.b.casecmp?('c')");
    refuse("comparison", "p if a.downcase == 'C'");
    refuse("comparison", "p if a.downcase == b");
    check("scanner", "p while a.scan_until(/b/)", "p while a.skip_until(/b/)");
    check("append-parts", "a << \"b#{c}d#{e + 1}\"", "a << \"b\".freeze << c.to_s << \"d\".freeze << (e + 1).to_s");
    refuse("append-parts", "a << \"b\"");
    check("plus-chain", "[a] + b", "[a, *b]");
    check("array-between", "a.map { |b| [b, 1] }.to_h", "a.to_h { |b| [b, 1] }");
    check(
        "append",
        "a = +\"\"\nb.each { a += \"c\" if a.empty? }\na",
        "no: its line has no `+=` of a local variable that can be edited",
    );
    let looks = Advice { line: 2, ..advice("append", 2) };
    assert_eq!(
        edited_by(&looks, "a = +\"\"\nb.each { a += \"c\" if a.size < 9 }\na"),
        "a = +\"\"\nb.each { a << \"c\" if a.size < 9 }\na"
    );
}

/// One edit is made of the lines of one kind, and what stands in two lines' way is left out.
#[test]
fn lines_of_one_kind_are_one_finding() {
    let file = std::env::temp_dir().join(format!("loupe-lines-{}.rb", std::process::id()));
    let source = "p [:a]\np [:b], c\np a.map(&:b).sort\n";
    std::fs::write(&file, source).expect("it can be written");
    let gain = Amount { objects: 10, bytes: 100 };
    let at = |kind: &str, line| Advice { file: file.display().to_string(), gain, ..advice(kind, line) };
    let mut list = vec![at("constant", 1), at("in-place", 3), at("float", 3), at("constant", 2)];
    refine(&mut list);
    std::fs::remove_file(&file).expect("it was there");
    let left: Vec<(&str, Vec<i32>, u64)> = list
        .iter()
        .map(|one| (one.kind.as_str(), one.lines.iter().map(|part| part.line).collect(), one.gain.objects))
        .collect();
    // What has no edit comes last.
    assert_eq!(left, [("constant", vec![1, 2], 20), ("in-place", vec![], 10), ("float", vec![], 10)]);
    assert_eq!(edited_by(&list[0], source), "p [:a].freeze\np [:b].freeze, c\np a.map(&:b).sort\n");
}

#[test]
fn what_the_file_does_not_bear_out_is_left_out() {
    let file = std::env::temp_dir().join(format!("loupe-refine-{}.rb", std::process::id()));
    std::fs::write(&file, "a.merge(b)\nx.gsub(A, B).\n  gsub(C, D)\n{}.merge(a, b)\n").expect("it can be written");
    let gain = Amount { objects: 10, bytes: 100 };
    let at = |kind: &str, line| Advice { file: file.display().to_string(), gain, ..advice(kind, line) };
    let mut list = vec![at("gsub-chain", 2), at("float", 1), at("gsub-chain", 3), at("merge", 1)];
    refine(&mut list);
    let left: Vec<(&str, i32, u64)> = list.iter().map(|one| (one.kind.as_str(), one.line, one.gain.objects)).collect();
    assert_eq!(left, [("gsub-chain", 2, 20), ("float", 1, 10)]);
    std::fs::remove_file(&file).expect("it was there");
}

/// Ruby files below a folder.
fn ruby_files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            ruby_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rb") {
            found.push(path);
        }
    }
}

/// Whatever the file and the line, an edit is made or refused: `loupe run` makes them, too, when a program has ended.
#[test]
fn every_line_of_many_files_is_edited_or_refused() {
    /// Larger ones take long, and have nothing that smaller ones lack.
    const LARGEST: usize = 2500;
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let folder = std::env::var_os("LOUPE_EDIT_FILES").map_or(tests, std::path::PathBuf::from);
    let mut files = Vec::new();
    ruby_files(&folder, &mut files);
    let (mut edits, mut refused, mut broken) = (0, 0, Vec::new());
    for file in files {
        let source = std::fs::read(&file).expect("the file can be read");
        let result = pm::parse(&source);
        if source.len() > LARGEST || result.errors().next().is_some() {
            continue;
        }
        let tree = Tree::of(&source, &result);
        for line in 1..=source.split(|byte| *byte == b'\n').count() as i32 {
            // Literals are of the file as a whole.
            for (kind, make) in MAKERS.iter().filter(|(kind, _)| *kind != "literal" || line == 1) {
                let literals = if *kind == "literal" { literals::named_in(&tree) } else { Vec::new() };
                match make(&tree, &Advice { literals, ..advice(kind, line) }) {
                    Ok(mut changes) => {
                        edits += 1;
                        changes.sort_by_key(|change| (change.range.start, change.range.end));
                        changes.dedup();
                        let edited = apply(&source, &changes);
                        if pm::parse(&edited).errors().next().is_some() {
                            broken.push(format!("{}:{line}: {kind}", file.display()));
                        }
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(edits > 100 && refused > edits, "{edits} edits, {refused} refused");
    // `of` refuses these.
    assert!(broken.len() * 100 < edits, "{} of {edits} would not parse: {broken:?}", broken.len());
}
