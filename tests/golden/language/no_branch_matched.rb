# The message of a `case` with several patterns is the value itself, with one it says what failed.
def show
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

show { case :b; in 1; in 2; end }
show { case nil; in 1; in 2; end }
show { case "x"; in 1; in 2; end }
show { case [1, :a]; in 1; in {a: 1}; end }
show { case {a: 1}; in 1; in {a: 2}; end }
show { case :b; in 1; end }
class K; def to_s = "kay"; def inspect = "KAY"; end
show { case K.new; in 1; in 2; end }
show { case K.new; in 1; end }
begin; case K.new; in 1; in 2; end; rescue NoMatchingPatternError => e; p e, e.detailed_message, e.full_message(highlight: false).lines.first; end
begin; case 5; in 1; in 2; end; rescue NoMatchingPatternError => e; p e.message, e; end

# All keys are looked for before any value is matched.
show { case { b: "abc", a: [] }; in { a: [String, *], c: w, **rest }; end }
show { { b: 1, a: 2 } => { a: 3, c: Integer } }
show { { b: 1, a: 2 } => { a: 3, b: Integer } }
class Watched < Hash
  def key?(key) = (print "key? #{key} "; super)
  def [](key) = (print "[] #{key} "; super)
  def delete(key) = (print "delete #{key} "; super)
  def deconstruct_keys(keys) = (print "keys #{keys.inspect} "; self)
end
watched = Watched.new.merge!(a: 1, b: 2, c: 3)
show { watched in { a: 2, b: 2 } }
show { watched in { a: 1, b: 3 } }
show { watched in { a: 1, b: 3, **nil } }
show { watched in { a: 1, b: 2, **more } }
show { watched in { a: 1, d: 2 } }
