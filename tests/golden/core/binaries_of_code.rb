# Code as a string of bytes, and back.
code = RubyVM::InstructionSequence.compile("# frozen_string_literal: true\n[__FILE__, __LINE__, 'a'.frozen?, [1, 2].sum { |n| n * 2 }]", "given.rb", "/real/given.rb", 7)
binary = code.to_binary
p binary.encoding, code.eval
again = RubyVM::InstructionSequence.load_from_binary(binary)
p again.eval, again.class, again.path, again.absolute_path, again.label, again.first_lineno
p RubyVM::InstructionSequence.load_from_binary(again.to_binary).eval
p RubyVM::InstructionSequence.load_from_binary_extra_data(code.to_binary("more")), RubyVM::InstructionSequence.load_from_binary_extra_data(code.to_binary("more")).encoding
euro = RubyVM::InstructionSequence.compile("'\u20ac'.encoding")
p RubyVM::InstructionSequence.load_from_binary(euro.to_binary).eval

["", "short"].each do |text|
  RubyVM::InstructionSequence.load_from_binary(text)
rescue RuntimeError => error
  p error.message
end
begin
  RubyVM::InstructionSequence.load_from_binary(1)
rescue TypeError => error
  p error.message
end
begin
  RubyVM::InstructionSequence.of(proc { }).to_binary
rescue RuntimeError => error
  p error.class
end
