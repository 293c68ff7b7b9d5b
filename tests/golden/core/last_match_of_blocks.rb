# $~ in blocks that a method of Enumerable calls from an `each` written in Ruby, and `//o`.
class Words
  include Enumerable

  def each
    %w[bar baz].each { |word| yield word }
  end
end

seen = []
Words.new.grep(/(b.)/) { seen << $1 }
p seen, $~ && $~[0]
p Words.new.grep(/z/), $~ && $~[0]
p Words.new.any?(/(a)z/), $1
p Words.new.all?(/b(a)/), $1
Words.new.each { |word| word =~ /(.)$/ }
p $1
p Words.new.slice_before(/z/).to_a, $~ && $~[0]
p Words.new.grep_v(/(r)/) { |word| [word, $1] }

class Kept
  include Enumerable

  def each(&block)
    @block = block
  end

  def outer = inner.merge(outer: $1)

  def inner
    @block.call("foo")
    { inner: $1 }
  end
end

kept = Kept.new
result = nil
kept.grep(/(f..)/) { result = $1 }
p result, $1
p kept.outer, result

once = ->(i) { /#{i}/o }
p once[1], once[2]
