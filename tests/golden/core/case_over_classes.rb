# `case` over classes remembers that `===` is Module's; nothing that defines it later is missed.
class A; end
class B < A; end
module M; end
def kind(value) = case value when A then :a when M then :m else :other end
p 3.times.map { kind(B.new) }, kind(1)
def A.===(other) = other == 1
p kind(B.new), kind(1)
class << A; remove_method :===; end
p kind(B.new), kind(1)
module Answers; def ===(other) = other == 2; end
M.extend(Answers)
p kind(2), kind(Object.new.extend(M))
class << A; prepend Answers; end
p kind(2), kind(B.new)
class C < A; end
def kind_of_c(value) = case value when C then :c else :other end
p kind_of_c(2), kind_of_c(C.new)
copy = M.dup
def kind_of_copy(copy, value) = case value when copy then :copy else :other end
p kind_of_copy(copy, 2), kind_of_copy(Module.new, 2)
begin
  raise "x"
rescue A, RuntimeError => error
  p error
end
class Error < StandardError; end
2.times do
  raise Error, "y"
rescue Error
  p :rescued
  def Error.===(other) = false
rescue => error
  p error.class
end

# `@@x ||= value` reads nil where there is none.
class D
  def self.memo = @@memo ||= begin; puts "made"; [1]; end
  def self.reset = remove_class_variable(:@@memo)
  def self.falsy = @@falsy ||= false
end
p D.memo, D.memo, D.reset, D.memo, D.falsy, D.falsy, D.class_variables
class E < D; end
class Object; @@memo = 2; end
[-> { D.memo }, -> { E.class_variable_get(:@@memo) }, -> { D.class_variable_set(:@@memo, 3) }].each do |code|
  p code.call
rescue RuntimeError => error
  puts error.message
end
p defined?(@@none)
begin
  eval("@@none ||= 1")
rescue RuntimeError => error
  puts error.message
end
