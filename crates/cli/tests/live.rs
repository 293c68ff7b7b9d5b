//! `require "loupe/live"`: what a running program is told of its allocations. Where a gem is not installed as Debian does it,
//! nothing is asked of it, unless `CARAT_REQUIRE_TOOLS` is set: then that is a failure.

use std::path::PathBuf;
use std::process::{Command, Output};

const GEMS: &str = "/usr/share/rubygems-integration/all/gems";

/// `-I` and the `lib` of gems by the beginnings of their names; none if one is missing.
fn gems(names: &[&str]) -> Option<Vec<String>> {
    let folders: Vec<PathBuf> = std::fs::read_dir(GEMS).into_iter().flatten().flatten().map(|e| e.path()).collect();
    let of = |name: &&str| {
        let start = format!("{GEMS}/{name}");
        let is_it = |path: &&PathBuf| {
            path.to_string_lossy()
                .strip_prefix(&start)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        folders.iter().find(is_it).map(|path| path.join("lib").to_string_lossy().into_owned())
    };
    let found: Option<Vec<String>> = names.iter().map(of).collect();
    assert!(found.is_some() || std::env::var_os("CARAT_REQUIRE_TOOLS").is_none(), "not all of {names:?} are installed");
    Some(found?.into_iter().flat_map(|path| ["-I".into(), path]).collect())
}

fn run(options: &[String], program: &str) -> Output {
    let mut carat = Command::new(env!("CARGO_BIN_EXE_carat"));
    // Minitest looks for plugins with RubyGems, which is not there.
    carat.env("MT_NO_PLUGINS", "1");
    carat.args(["--disable=gems", "-W0"]).args(options).args(["-e", program]);
    carat.output().expect("carat runs")
}

/// What a program prints that ends well.
fn printed(program: &str) -> String {
    let output = run(&[], &format!("require 'loupe/live'\n{program}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

#[test]
fn a_report_counts_what_the_block_made() {
    let text = printed(
        "KEEP = []\nreport = Loupe.report(top: 2) { 20.times { |i| KEEP << \"k#{i}\" }\n  30.times { [1] } }\n\
         p report.allocated_objects, report.retained_objects, report.total_allocated\n\
         puts report.rows.map { |row| row.to_a[1, 3].join(' ') }\n\
         p Loupe.count { }.allocated_objects, Loupe.count { Object.new }.retained_objects\n\
         p Loupe.report(ignore_files: '-e') { Object.new }.rows, report\n\
         print report.to_s[/allocated objects by location.*?\\n\\n/m]",
    );
    let expected = "50\n20\n50\n3 String 20\n4 Array 30\n0\n0\n[]\n#<Loupe::Report: 800 bytes in 50 objects>\n\
                    allocated objects by location\n-----------------------------------\n        30  -e:4\n        20  -e:3\n\n";
    assert_eq!(text, expected);
}

#[test]
fn there_is_one_count_at_a_time_and_an_error_ends_it() {
    let text = printed(
        "begin; Loupe.report { Loupe.count { } }; rescue Loupe::Busy => e; puts e.message; end\n\
         begin; Loupe.report { raise 'on purpose' }; rescue => e; puts e.message; end\n\
         catch(:out) { Loupe.report { throw :out } }\n\
         p Loupe.count { Object.new }.allocated_objects\n\
         require 'objspace'\nObjectSpace.trace_object_allocations_start\n\
         p Loupe.count { Object.new }.allocated_objects\nx = Object.new\np ObjectSpace.allocation_sourceline(x)\n\
         begin; Loupe.report; rescue ArgumentError => e; puts e.message; end",
    );
    assert_eq!(
        text,
        "allocations are being counted already, by another report or by loupe run\non purpose\n1\n1\n9\n\
         no block given: Loupe.report { ... }\n"
    );
}

#[test]
fn threads_and_ractors_are_counted_with_their_block() {
    let text = printed(
        "report = Loupe.report { 4.times.map { Thread.new { 100.times { Object.new } } }.each(&:join) }\n\
         p report.rows.select { |row| row.class_name == 'Object' }.sum(&:allocated_objects)\n\
         report = Loupe.report { r = Ractor.new { 50.times { Object.new }; 1 }; r.value }\n\
         p report.rows.select { |row| row.class_name == 'Object' }.sum(&:allocated_objects)",
    );
    assert_eq!(text, "400\n50\n");
}

#[test]
fn minitest_fails_with_the_places() {
    let Some(path) = gems(&["minitest-"]) else { return };
    let output = run(
        &path,
        "require 'minitest/autorun'; require 'loupe/minitest'\nclass CartTest < Minitest::Test\n\
         def test_kept = assert_allocations(objects: 2, bytes: 200) { Object.new }\n\
         def test_broken\n  assert_allocations(objects: 3) do\n    4.times { Object.new }\n    1000.times { [1] }\n  end\nend\n\
         def test_warm = assert_allocations(objects: 0, warm_up: 1) { @memo ||= Object.new }\n\
         def test_wrong = assert_raises(ArgumentError) { assert_allocations { } }\nend",
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(1) && text.contains("4 runs, 4 assertions, 1 failures, 0 errors"), "{text}");
    let complaint = "expected to allocate at most 3 objects, but allocated 1,004 objects:\n       1,000 objects  -e:7  Array\n           4 objects  -e:6  Object\n";
    assert!(text.contains(complaint), "{text}");
}

#[test]
fn rspec_fails_with_the_places() {
    let names = ["rspec-core-", "rspec-expectations-", "rspec-mocks-", "rspec-support-", "diff-lcs-"];
    let Some(path) = gems(&names) else { return };
    let output = run(
        &path,
        "require 'rspec/core'; require 'rspec/expectations'; require 'loupe/rspec'\nRSpec.describe 'Cart' do\n\
         it('keeps') { expect { Object.new }.to allocate_at_most(objects: 1) }\n\
         it('breaks') { expect { 3.times { 'a' * 100 } }.to allocate_at_most(bytes: 100, objects: 5) }\n\
         it('negates') { expect { 3.times { Object.new } }.not_to allocate_at_most(objects: 2) }\nend\n\
         exit RSpec::Core::Runner.run([])",
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("3 examples, 1 failure"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let complaint = "expected to allocate at most 5 objects and 100 bytes, but allocated ";
    assert!(text.contains(complaint) && text.contains("-e:4  String"), "{text}");
}

const REQUESTS: &str = "\
closed = 0
body = Class.new { define_method(:each) { |&b| b.call('page' * 10) }; define_method(:close) { closed += 1 } }
app = ->(env) { [200, {}, body.new] }
ask = ->(stack, **env) { stack.call({ 'REQUEST_METHOD' => 'GET', 'PATH_INFO' => '/cart', 'QUERY_STRING' => '' }.merge(env.transform_keys(&:to_s))) }
show = ->((status, headers, answer)) { puts [status, headers['content-type'], String === answer.each { break _1 } ? answer.each { break _1 }.lines.first(3).join('|').delete(\"\\n\")[0, 60] : ''].join(' ') }
";

#[test]
fn rack_answers_for_one_request_who_knows_the_secret() {
    let text = printed(&format!(
        "{REQUESTS}stack = Loupe::Rack.new(app, secret: 'opal')\nwanted = {{ QUERY_STRING: 'a=1&pp=profile-memory' }}\n\
         show[ask[stack]]\nshow[ask[stack, **wanted]]\nshow[ask[stack, **wanted, HTTP_X_LOUPE_SECRET: 'opel']]\n\
         show[ask[stack, **wanted, HTTP_X_LOUPE_SECRET: 'opal']]\n\
         show[ask[stack, HTTP_X_LOUPE: 'profile-memory', HTTP_X_LOUPE_SECRET: 'opal']]\np closed\n\
         Loupe.count {{ show[ask[stack, **wanted, HTTP_X_LOUPE_SECRET: 'opal']] }}\n\
         begin; Loupe::Rack.new(app, secret: ''); rescue ArgumentError => e; puts e.message; end"
    ));
    let page = "200  pagepagepagepagepagepagepagepagepagepage\n";
    let lines: Vec<&str> = text.lines().collect();
    assert!(text.starts_with(&page.repeat(3)), "{text}");
    let report = "200 text/plain; charset=utf-8 GET /cart answered with 200||Total allocated: ";
    assert!(lines[3].starts_with(report) && lines[4].starts_with(report), "{text}");
    let rest = [
        "2",
        "503 text/plain; charset=utf-8 another report is being made: ask again",
        "the secret is empty: set it, or leave it out",
    ];
    assert_eq!(lines[5..], rest, "{text}");
}

#[test]
fn without_a_secret_rack_answers_this_machine_in_development() {
    let text = printed(&format!(
        "{REQUESTS}stack = Loupe::Rack.new(app)\nwanted = {{ QUERY_STRING: 'pp=profile-memory', REMOTE_ADDR: '127.0.0.1' }}\n\
         show[ask[stack, **wanted]]\nENV['RACK_ENV'] = 'development'\nshow[ask[stack, **wanted]]\n\
         show[ask[stack, **wanted, REMOTE_ADDR: '10.0.0.7']]\nshow[ask[stack, **wanted, HTTP_X_FORWARDED_FOR: '10.0.0.7']]"
    ));
    let kinds: Vec<bool> = text.lines().map(|line| line.contains("answered with 200")).collect();
    assert_eq!(kinds, [false, true, false, false], "{text}");
}

/// What memory_profiler counts of a block when it runs under Carat, to the last byte and place. Of what is retained the line that
/// keeps it is compared: an object that was handed on last may still be found on a stack.
#[test]
fn memory_profiler_reports_the_same() {
    let Some(path) = gems(&["memory_profiler-"]) else { return };
    let work = "KEEP = []\ndef work\n  100.times { |i| KEEP << \"kept #{i}\" if i % 10 == 0 }\n  table = {}\n\
                200.times { |i| table[i] = [i, i.to_s] }\n  'x' * 100_000\n  50.times { 'literal' + 's' }\n  nil\nend\n";
    let ours = format!("require 'loupe/live'\n{work}Loupe.report {{ work }}.pretty_print");
    let theirs =
        format!("require 'memory_profiler'\n{work}MemoryProfiler.report {{ work }}.pretty_print(color_output: false)");
    let text = |program: &str| {
        let output = run(&path, program);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it is text")
    };
    let (ours, theirs) = (text(&ours), text(&theirs));
    let of_allocated = |text: &str| {
        let parts = text.split("\n\n").filter(|part| part.trim_start().to_lowercase().starts_with("allocated "));
        parts.map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(of_allocated(&ours), of_allocated(&theirs));
    assert!(of_allocated(&ours).len() >= 9, "{ours}");
    let of_kept = |text: &str| {
        let part = text.split("\n\n").find(|part| part.contains("retained memory by location"));
        part.and_then(|part| part.lines().find(|line| line.ends_with("-e:4")).map(String::from))
    };
    assert!(of_kept(&ours).is_some() && of_kept(&ours) == of_kept(&theirs), "{ours}");
}

/// Line 3 makes arrays in their slots, line 4 strings in theirs, line 5 buffers, line 6 both of the first in a loop.
const SAMPLED: &str = "\
def work
  200_000.times { |i| $kept = [i, i] }
  60_000.times { 'x' * 90 }
  120.times { 'y' * 30_000 }
  i = 0; while i < 100_000 do [i, i, i]; \"#{i} text\"; i += 1 end
end
";

#[test]
fn samples_estimate_what_was_allocated() {
    let text = printed(&format!(
        "{SAMPLED}exact = Loupe.count {{ work }}\nsums = Hash.new(0)\nobjects = 0\n\
         10.times {{ samples = Loupe.sample(every: 2048) {{ work }}; objects += samples.objects / 10.0; \
         samples.largest.each {{ |place, bytes| sums[place] += bytes / 10.0 }} }}\n\
         off = ->(real, guess) {{ (guess / real - 1).abs }}\n\
         exact.largest(:location, :allocated_bytes).each {{ |place, bytes| p [place, bytes, sums[place]] if off[bytes, sums[place]] > 0.05 }}\n\
         p off[exact.allocated_bytes, sums.values.sum] < 0.05, off[exact.allocated_objects, objects] < 0.05\np Loupe.sampling?"
    ));
    assert_eq!(text, "true\ntrue\nfalse\n");
}

#[test]
fn samples_name_the_calls() {
    let text = printed(
        "class Cart; def line(i) = [i, i, i]; def total = 50_000.times { |i| line(i) }; end\n\
         samples = Loupe.sample(every: 1000) { Cart.new.total }\n\
         puts samples.to_folded.lines.max_by { |line| line[/\\d+$/].to_i }.sub(/ \\d+$/, '').sub(/\\/carat\\S+live.rb:\\d+/, 'LIVE')\n\
         p samples.count.between?(1200, 2800), samples.bytes == samples.count * 1000\n\
         hash = samples.to_h\np hash[:loupe], hash[:stacks][:nodes].sum { _1[3] } == samples.bytes\n\
         Loupe.start_sampling\nbegin; Loupe.start_sampling; rescue Loupe::Busy => e; puts e.message; end\n\
         p Loupe.stop_sampling.class, Loupe.stop_sampling\n\
         begin; Loupe.start_sampling(every: 0); rescue ArgumentError => e; puts e.message; end",
    );
    assert_eq!(
        text,
        "<main> (-e:3);Loupe.sample (LIVE);block in <main> (-e:3);Cart#total (-e:2);Integer#times;block in Cart#total (-e:2);Cart#line (-e:2)\n\
         true\ntrue\n2\ntrue\nsomebody samples already: Loupe.stop_sampling ends that\nLoupe::Samples\nnil\n\
         every: wants a number of bytes from 1 on, not 0\n"
    );
}

/// Compiled code does not report its frames: a sample finds out itself which line of a caller runs.
#[test]
fn samples_in_compiled_code_name_the_lines_of_the_callers() {
    let text = printed(
        "def inner(n)\n  'x' * (900 + n)\nend\n\
         def outer(n)\n  a = inner(n & 7)\n  inner(n & 3).size + a.size\nend\n\
         def work\n  20_000.times { |n| outer(n) }\nend\nwork\n\
         samples = Loupe.sample(every: 4000) { work }\n\
         lines = samples.to_folded.lines.grep(/inner/).to_h { |l| [l[/outer \\(.*?:(\\d+)\\)/, 1], l[/\\d+$/].to_i] }\n\
         p lines.keys.sort, lines.values.all? { |bytes| (bytes * 2.0 / lines.values.sum - 1).abs < 0.2 }",
    );
    assert_eq!(text, "[\"6\", \"7\"]\ntrue\n");
}

/// Where a mark is near from the start, the first object of a Ractor's thread is looked at already.
#[test]
fn ractors_that_begin_while_somebody_samples_are_sampled() {
    let text = printed(
        "Loupe.start_sampling(every: 40)\n\
         p 40.times.sum { Ractor.new { 100.times.map { |i| [i, i.to_s] }.size }.value }\n\
         p 40.times.sum { Thread.new { 100.times.map { |i| [i, i.to_s] }.size }.value }\n\
         p Loupe.stop_sampling.count > 1000",
    );
    assert_eq!(text, "4000\n4000\ntrue\n");
}

#[test]
fn samples_and_counts_go_together_with_threads_ractors_and_collections() {
    let text = printed(
        "Loupe.start_sampling(every: 500)\n\
         threads = 3.times.map { |t| Thread.new { 3000.times { |i| [t, i, \"#{i}\"]; Thread.pass if i % 50 == 0 } } }\n\
         ractors = 2.times.map { Ractor.new { 3000.times.map { |i| [i, i.to_s] }.size } }\n\
         counted = Loupe.count { 1000.times { Object.new }; GC.start }\n\
         fiber = Fiber.new { 100.times { Fiber.yield [1, 2] } }\n100.times { fiber.resume; begin; raise 'x'; rescue; end }\n\
         threads.each(&:join)\np ractors.sum(&:value)\nGC.start\nsamples = Loupe.stop_sampling\n\
         p counted.rows.select { _1.class_name == 'Object' }.sum(&:allocated_objects), samples.count > 100\n\
         p samples.nodes.all? { |node| node.parent.nil? || node.parent < samples.nodes.index(node) }",
    );
    assert_eq!(text, "6000\n1000\ntrue\ntrue\n");
}
