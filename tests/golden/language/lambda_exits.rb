# return and break of lambdas and blocks run what ensure says on the way, once, and leave $! as it was.
def show = p(yield)
show { lambda { begin; return 1; ensure; puts "lambda return" end }.call }
show { lambda { begin; break 2; ensure; puts "lambda break" end }.call }
show { ->() { begin; return 3; ensure; puts "arrow return" end }.call }
class Made
  define_method(:run) { begin; return 5; ensure; puts "define_method" end }
end
show { Made.new.run }
def from_block
  [1].each { begin; return 7; ensure; puts "inner" end }
ensure
  puts "outer"
end
show { from_block }
def out_of_each
  result = [1].each { begin; break 8; ensure; puts "break" end }
  [result]
end
show { out_of_each }
show { lambda { [1, 2].each { |x| begin; return x; ensure; puts "block in lambda" end }; 9 }.call }
def from_rescue
  raise "lost"
rescue
  [1].each { return $!.message }
end
show { [from_rescue, $!] }
def jumps_out
  1.times { begin; raise "a"; rescue; break; end }
  $!
end
show { jumps_out }
def raised_again
  begin
    begin; raise "a"; rescue; raise "b"; end
  rescue => error
    [error.message, error.cause.message]
  end.push($!)
end
show { raised_again }
captured = proc { break 1 }
begin
  captured.call
rescue LocalJumpError => error
  p error.reason, error.exit_value
end
def take = yield
def pass(&block) = take(&block)
begin
  stored = proc { break }
  take(&stored)
rescue LocalJumpError => error
  puts error.message
end
show { pass { break 4 } }
class Opened
  def self.leave
    class << self
      return :from_the_singleton_class
    end
  end
end
show { Opened.leave }
