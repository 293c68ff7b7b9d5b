require_relative "habits"
require "date"
require "stringio"
require "zlib"

def failure
  yield
rescue Exception => error
  "#{error.class}: #{error.message}"
end

puts "elements"
p Habits.first_is_false([false, 1]), Habits.first_is_false([nil]), Habits.first_is_false(Array.new(50, false))

puts "a symbol for an ID"
object = Object.new
p Habits.set_by_symbol(object, :@held, "kept"), object.to_s.size > 5

puts "flags"
hash = Habits.set_default({ a: 1 }, proc { |own, key| own[key] = [key] })
p hash[:absent], hash, hash.default_proc.class, hash.default, Habits.own_flags
hash = Habits.set_default((1..40).to_h { |number| [number, number] }, proc { 5 })
p hash[99], hash.size, hash.delete(3), hash.sum { |key, value| value }

puts "hidden objects"
kept = Habits::Holder.make("seen")
count = proc { ObjectSpace.each_object(Habits::Holder) {} }
p Habits.with_hidden(Habits::Holder, &count)

puts "attributes of exceptions"
error = ArgumentError.new("the message")
p Habits.get_attribute(error, :mesg), Habits.get_attribute(error, :bt), Habits.get_attribute(Object.new, :mesg)
p Habits.set_attribute(error, :mesg, "another"), error.message, error.instance_variables
error.instance_variable_set(:@own, 1)
p Habits.attributes(error).first(2), Habits.attributes(error).include?(:@own)

puts "types"
p [Date.new(2026), DateTime.new(2026), StringIO.new, Zlib::Deflate.new, Time.now, proc {}, Thread.current].map { |it| Habits.is_data(it) }
p [Object.new, Class.new.new, error, 1, nil].map { |it| Habits.is_data(it) }
p Class.new(Date).then { |it| Habits.is_data(it.new(2026)) }
puts failure { Habits.looked_at(Object.new) }, failure { Habits.looked_at("text") }
p [Date.new(2026), StringIO.new, [].each, 1, nil].map { |it| failure { Habits.looked_at(it) }[0, 29] }, Habits.looked_at(kept)

puts "wide characters"
p Habits.to_utf16("plain"), Habits.to_utf16("plain".b), Habits.to_utf16("grüße")
p Habits.to_utf16("\u3042"), Habits.to_utf16("")

puts "objects that are made"
p Habits.count_made { [binding.local_variables.size > 3, Thread.new { 5 }.value, Class.new { def x = 1 }.new.x, (raise "x" rescue "rescued")] }

puts "calls"
class Target
  def open(*args) = args
  private def shut(*args) = args
  protected def half = :half
  def method_missing(name, *args) = name == :ghost ? [name, args] : super
  def respond_to_missing?(name, all = false) = name == :ghost
  attr_accessor :held
  alias_method :length, :hash
end
target = Target.new
p Habits.call_plainly(target, :open, 1, 2), Habits.call_plainly(target, :shut, false, nil), Habits.call_plainly(target, :half)
p Habits.call_publicly(target, :open, *1..20).size, Habits.call_plainly([3, 1], :push, *1..30).size
p Habits.call_plainly(target, :ghost, 5), Habits.call_publicly(target, :ghost)
p Habits.call_plainly(target, :held=, false), Habits.call_plainly(target, :held)
puts failure { Habits.call_publicly(target, :shut) }[0, 60], failure { Habits.call_publicly(target, :half) }[0, 60]
puts failure { Habits.call_plainly(target, :absent) }[0, 60], failure { Habits.call_publicly(1, :puts, 2) }[0, 60]
puts failure { Habits.call_plainly([1], :first, 1, 2) }, failure { Habits.call_plainly(1, :+, nil) }
p Habits.call_plainly(1, :+, 2), Habits.call_plainly("a", :+, "b"), Habits.call_publicly([1, 2], :sum), Habits.call_plainly(self, :format, "%d", 5)
p Habits.call_plainly([1, 2], :each).class, Habits.call_plainly(target, :send, :open, false)

puts "literals"
literal = "literal"
p Habits.warns_when_written_to(literal), Habits.warns_when_written_to(literal.dup), Habits.warns_when_written_to(+""), Habits.warns_when_written_to("\u3042")
p Habits.warns_when_written_to(String.new("a")), Habits.warns_when_written_to("#{literal}s"), Habits.warns_when_written_to("frozen".freeze)
