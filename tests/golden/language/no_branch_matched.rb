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
