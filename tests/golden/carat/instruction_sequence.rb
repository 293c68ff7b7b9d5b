# RubyVM::InstructionSequence: code to look at and to run.
ISeq = RubyVM::InstructionSequence

def attempt
  p yield
rescue StandardError, SyntaxError => error
  puts "#{error.class}: #{error.message}"
end

whole = ISeq.compile("def foo(a) = a\nputs [1].map { |x| x }\n@b ||= 1", "f.rb", "/x/f.rb", 5)
p whole, whole.path, whole.absolute_path, whole.label, whole.base_label, whole.first_lineno, whole.frozen?
puts whole.disasm
p whole.eval, whole.trace_points
whole.each_child { |child| p child, child.label, child.base_label, child.trace_points }
p ISeq.new("1 + 1").eval, ISeq.compile("'a'.frozen?", frozen_string_literal: true).eval
def defined(x) = x
puts ISeq.disasm(method(:defined)), ISeq.of(proc { |a| a + 1 }).disassemble
p ISeq.of(method(:puts)), ISeq.of(1), ISeq.disasm(method(:puts))
p ISeq.of(method(:defined)).absolute_path == File.expand_path(__FILE__)
attempt { ISeq.of(method(:defined)).eval }
attempt { ISeq.compile(1) }
attempt { ISeq.compile("1", 1) }
attempt { ISeq.compile("1", "a", 1) }
attempt { ISeq.compile_file("/nonexistent") }
attempt { ISeq.compile_file("#{__dir__}/../lib/fixtures/coverage/methods.rb").label }
p ISeq.compile_option.key?(:frozen_string_literal)
ISeq.compile_option = { inline_const_cache: false, tailcall_optimization: true }
attempt { ISeq.compile_option = 1 }
attempt { ISeq.allocate }
attempt { RubyVM.new }
attempt { whole.dup }
attempt { whole.each_child }
attempt { ISeq.compile("raise 'x'", "q.rb", nil, 7).eval }
attempt { ISeq.compile("1 +", "q.rb") }
