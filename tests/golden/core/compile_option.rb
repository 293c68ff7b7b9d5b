# What a program chooses of compiling: the options are kept, and literals of what is compiled from then on are frozen or not.
SEQUENCE = RubyVM::InstructionSequence
usual = SEQUENCE.compile_option
p usual
SEQUENCE.compile_option = { tailcall_optimization: true, unknown: 1 }
p SEQUENCE.compile_option[:tailcall_optimization], SEQUENCE.compile_option.keys == usual.keys
p eval("'a'.frozen?")

SEQUENCE.compile_option = { frozen_string_literal: true }
p SEQUENCE.compile_option[:frozen_string_literal]
p eval("'a'.frozen?"), binding.eval("'a'.frozen?"), SEQUENCE.compile("'a'").eval.frozen?
p eval("# frozen_string_literal: false\n'a'.frozen?")
p eval("\"a\#{1}\".frozen?")
begin
  eval("'a' << 'b'")
rescue FrozenError => e
  puts e.message
end
p 'here'.frozen?

SEQUENCE.compile_option = { frozen_string_literal: false }
p SEQUENCE.compile_option[:frozen_string_literal]
p eval("'a'.frozen?"), SEQUENCE.compile("'a'").eval.frozen?
p eval("# frozen_string_literal: true\n'a'.frozen?")

SEQUENCE.compile_option = false
p SEQUENCE.compile_option[:tailcall_optimization], SEQUENCE.compile_option[:inline_const_cache]
begin
  SEQUENCE.compile_option = 3
rescue TypeError => e
  puts e.message
end
