# oracle: native
# Clauses that deal with an exception are frames that `caller` passes by.
def helper(from, length = nil) = caller_locations(from, *length).map { |l| [l.lineno, l.label] }
def nested
  begin
    raise "a"
  rescue
    begin
      raise "b"
    rescue
      (0..5).each { |n| p [n, caller_locations(n)&.map { |l| [l.lineno, l.label] }] }
      5.times { |n| p [n, helper(n)] }
      p caller(0)
      p caller(1)
      p caller(2)
      p caller(3)
      p caller(4)
    end
  ensure
    p caller(1, 1)
  end
end
nested
def in_ensure
  begin
    raise "c"
  ensure
    p caller_locations(1, 1).map(&:lineno)
    return
  end
end
in_ensure
def modifier = (raise("x") rescue p caller(1, 2))
modifier
def recursive(n)
  raise "deep" if n == 0
  recursive(n - 1)
rescue
  p caller(1, 2) if n == 1
  p caller(2, 2) if n == 2
  raise
end
recursive(3) rescue p $!.message
def blocks
  yield
rescue => e
  [1].each { p caller(1, 3); p caller(2, 3); p caller(3,2) }
  p e.message
  begin
    1
  rescue
    2
  ensure
    p caller(1, 1)
  end
else
  p 1
end
blocks { raise "z" }
def stored
  e = (raise "first" rescue $!)
  raise e
rescue
  p caller(1)
  p caller(1..2), caller(0..-2), caller(1..-1)
end
stored
