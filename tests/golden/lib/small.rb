# Libraries of a page or less: English, shellwords, find, tsort, benchmark.
require "English"
require "shellwords"
require "find"
require "tsort"
require "tmpdir"

"hello world" =~ /o w/
p $MATCH, $PREMATCH, $POSTMATCH, $LAST_MATCH_INFO[0], $PID == $$, $ARGV, $FS, $RS

["a b  c", "a 'b c' d", %q(a"b c"d), 'a\ b "c\"d" \'e\\f\'', "", "  ", "a\nb", %q('' ""), "x \\", "\\a"].each { |line| p line.shellsplit }
["a 'b", 'a "b', "a\0b"].each { |line| p((line.shellsplit rescue $!)) }
["", "abc", "a b", "it's", "a\nb", "é*?", "$x", "a=b"].each { |word| p word.shellescape }
p ["a b", "c"].shelljoin, Shellwords.split("a b"), Shellwords.join(%w[x y]), ("a\0".shellescape rescue $!)

Dir.mktmpdir do |dir|
  Dir.chdir(dir) do
    Dir.mkdir("b")
    %w[a b/c b/a].each { |name| File.write(name, "") }
    p Find.find(".").to_a
    found = []
    Find.find("b", "a") { |path| found << path; Find.prune if path == "b" }
    p found
    p((Find.find("none") {} rescue $!.class))
  end
end

class Hash
  include TSort
  alias tsort_each_node each_key
  def tsort_each_child(node, &block) = fetch(node).each(&block)
end
graph = {1 => [2, 3], 2 => [3], 3 => [], 4 => [1]}
p graph.tsort, graph.strongly_connected_components, graph.each_strongly_connected_component_from(2).to_a
begin
  {1 => [2], 2 => [1], 3 => [1]}.tsort
rescue TSort::Cyclic => error
  puts error.message
end
p({1 => [2], 2 => [3, 4], 3 => [2], 4 => []}.strongly_connected_components)
p TSort.tsort(->(&b) { [1, 2].each(&b) }, ->(n, &b) { (n == 1 ? [2] : []).each(&b) })
