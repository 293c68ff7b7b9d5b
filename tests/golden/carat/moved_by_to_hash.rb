# A hash that an argument's conversion moves, or that the comparison of its keys moves, is not written to any more.
SINK = Ractor.new { loop { Ractor.receive } }

class Key
  attr_accessor :victim

  def hash = 1

  def eql?(_other)
    SINK.send(@victim, move: true) if @victim
    GC.start
    true
  end
end

def attempt(name)
  yield
  puts "#{name}: done"
rescue Ractor::MovedError => error
  puts "#{name}: #{error.message}"
ensure
  GC.start
end

def key_that_moves(hash) = Key.new.tap { |key| key.victim = hash }

def other_that_moves(hash, other)
  Object.new.tap { |object| object.define_singleton_method(:to_hash) { SINK.send(hash, move: true) && other } }
end

attempt("merge!") { hash = {1 => 2}; hash.merge!(other_that_moves(hash, {1 => 3})) }
attempt("merge! with a block") { hash = {1 => 2}; hash.merge!({1 => 3}) { SINK.send(hash, move: true) } }
attempt("replace") { hash = {1 => 2}; hash.replace(other_that_moves(hash, {1 => 3})) }
attempt("[]=") { hash = {Key.new => 2}; hash[key_that_moves(hash)] = 3 }
attempt("delete") { hash = {Key.new => 2}; hash.delete(key_that_moves(hash)) }
attempt("default_proc=") do
  hash = {1 => 2}
  hash.default_proc = Object.new.tap { |o| o.define_singleton_method(:to_proc) { SINK.send(hash, move: true) && proc { 1 } } }
end
