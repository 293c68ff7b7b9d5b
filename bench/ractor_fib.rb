# The same work in two Ractors at once: how much of the second processor is gained.
Warning[:experimental] = false

def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)

ractors = [33, 34, 33, 34].map { |n| Ractor.new(n) { |size| fib(size) } }
# Ractor#take became Ractor#value in Ruby 4.0.
puts ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }.sum
