# Each call behind the end raises an error of its own, whose cause is the first one.
e = [1, 2].map
p e.next, e.next
first = begin
  e.peek
rescue StopIteration => error
  error
end
%i[next peek next_values peek_values].each do |name|
  e.public_send(name)
rescue StopIteration => error
  p [name, error.equal?(first), error.cause.equal?(first), error.message, error.result.equal?(first.result)]
  p error.backtrace.first[/\d+:in/]
end
def far(e) = e.next
begin
  far(e)
rescue StopIteration => error
  p error.backtrace.first(2).map { _1[/\d+:in.*/] }
  p error.cause.backtrace.first[/\d+:in.*/]
end
p loop { e.next }
e.rewind
p e.next

# What the error of another class has to say.
begin
  raise "outer"
rescue
  begin
    [].each.next
  rescue StopIteration => error
    p error.cause
  end
end
