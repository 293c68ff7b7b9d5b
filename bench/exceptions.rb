# Raising and rescuing at several depths, ensure clauses, throw and catch.
class Refused < StandardError
  attr_reader :amount

  def initialize(amount)
    @amount = amount
    super("refused #{amount}")
  end
end

def deep(levels, amount)
  return deep(levels - 1, amount) if levels > 0
  raise Refused.new(amount) if amount % 3 == 0
  amount
end

cleanups = 0
sum = 0
400_000.times do |i|
  sum += deep(i & 7, i)
rescue Refused => error
  sum -= error.amount
ensure
  cleanups += 1
end
200_000.times do |i|
  sum += catch(:found) { [1, 2, 3].each { |step| throw :found, step if step == i % 3 + 1 } }
end
200_000.times { |i| sum += (Integer("x#{i}") rescue 1) }
puts sum, cleanups
