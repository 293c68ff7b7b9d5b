# With `--debug-frozen-string-literal`, or this option, string literals remember where they were made, and
# errors and warnings tell.
RubyVM::InstructionSequence.compile_option = { debug_frozen_string_literal: true }
Warning[:deprecated] = true
$stderr = $stdout
eval(<<'TEXT', binding, "chilled.rb", 1)
text = "chilled"
text << "!"
p text, text.instance_variables, text.frozen?
def kept = "of a method"
kept << "a"
%w[a b][1] << "z"
"a#{1}b" << "c"
(+"unary plus") << "d"
twice = "a"
twice << "b"
twice << "c"
copy = "source".dup
copy << "d"
p copy

code = "# frozen_string_literal: true\n\ntext = 'frozen'\ntext << 'x'"
begin
  eval(code, binding, "evaluated.rb", 10)
rescue FrozenError
  puts $!.message
  p $!.receiver
end
begin
  eval("# frozen_string_literal: true\n'same'.equal?('same')").then { p _1 }
  :symbol.name << "x"
rescue FrozenError
  puts $!.message
end
begin
  [1].freeze << 2
rescue FrozenError
  puts $!.message
end
p [1, 2].map { "block" }.uniq
p RubyVM::InstructionSequence.compile_option[:debug_frozen_string_literal]
TEXT
RubyVM::InstructionSequence.compile_option = { debug_frozen_string_literal: false }
eval('"unmarked" << "x"')
