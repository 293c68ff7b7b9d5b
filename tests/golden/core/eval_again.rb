# Texts that are evaluated again and again: each time is as the first.
def again(count = 4, &block) = p(Array.new(count, &block))

# Literals are new, but for frozen ones; patterns with /o and blocks too.
again { eval("'a' << 'b'") }
p Array.new(4) { eval("'text'") }.uniq(&:object_id).size
again { |i| eval('/#{i}/o') }
again { |i| eval("[i].each { |x| break x + 1 }") }
procs = Array.new(4) { |i| eval("proc { i += 1 }") }
again { |i| procs[i].call }
again { eval("defined?(yet)") }
again { eval("yet = 1; binding.local_variables.first(2)") }

# The same text in other scopes, at other places, for other objects.
a = 1
again { |i| eval(i.odd? ? "a" : "a") + i }
one = binding
def elsewhere(b) = binding
two = elsewhere(2)
again { |i| (i.odd? ? one : two).eval("local_variables.include?(:a)") }
again { |i| eval("[__FILE__, __LINE__]", nil, "file#{i % 2}", i) }
again { |i| [1, "s", :x, nil][i].instance_eval("self") }
again { |i| [Integer, String, Symbol, NilClass][i].class_eval("name") }
again { |i| "é#{i}".encode(i.odd? ? "UTF-8" : "ISO-8859-1").then { |text| eval("'#{text}'").encoding } }
again { |i| eval("'é'".encode(i.odd? ? "UTF-8" : "ISO-8859-1")).then { |text| [text.encoding, text.bytes] } }

# A binding grows by what the text defines.
b = binding
again { b.eval("grown = (defined?(grown) && grown || 0) + 1") }
again { binding.eval("fresh = (fresh || 0) + 1") }
again { |i| binding.tap { |own| own.local_variable_set(:i, i * 10) }.eval("i") }

# Definitions and what they answer.
again { eval("def defined_again = 5") }
again { |i| Class.new.tap { |c| c.class_eval("def m = #{i % 2}; attr_reader :x; X = self") }.new.m }
again { Module.new.tap { |m| m.module_eval("def self.m = self") }.then { |m| m.m == m } }
again { eval("class << self; self; end").inspect[0, 9] }
def yields = eval("yield 3")
again { |i| yields { |x| x + i } }
def returns = [eval("return 7"), 8]
again { returns }

# Mistakes and warnings come each time.
again do
  eval("1 +")
rescue SyntaxError => e
  e.message.lines.first
end
again do
  eval("raise 'at'", nil, "raising", 9)
rescue => e
  e.backtrace.first
end
$stderr = $stdout
$VERBOSE = true
3.times { eval("if a = 1 then 2 end", nil, "warns", 1) }
3.times { eval("unused = 1; nil", nil, "warns", 2) }
$VERBOSE = false
events = []
TracePoint.new(:script_compiled) { |t| events << t.eval_script }.enable { 3.times { eval("4 + 4") } }
p events
again { eval("# frozen_string_literal: true\n'f'").frozen? }

# More texts than are kept.
sums = Array.new(3) { (0...200).sum { |i| eval("#{i} + a") } }
p sums
require "erb"
template = ERB.new("<% items.each do |item| %><%= item %>,<% end %><%= a %>")
p [[1, 2], [3], []].map { |items| template.result(binding) }
