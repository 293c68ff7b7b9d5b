# needs: ruby-unparser ruby-whitequark-parser
require "unparser"
source = <<~'R'
  class Foo < Bar
    include Comparable
    def initialize(a, b = 2, *c, d:, e: 5, **f, &g)
      @a, (@b, *@c) = a, [b, c]
      super(a) { |x| x.foo if x }
    end
    def <=>(other)
      case other
      when Foo, nil
        a <=> other.a
      else
        begin
          other.to_i
        rescue NoMethodError, TypeError => error
          raise error unless a && b || c
        ensure
          cleanup
        end
      end
    end
    def self.build(*args) = new(*args)
    [1, 2, 3].each_with_index { |i, (j, k)| puts("#{i} and #{j + k}", :sym, /re#{i}gex/mi, i..j) }
    while i < 10
      i += 1
      next if i.odd?
    end
    X = { "a" => 1, b: [1.5, -2r], **rest }.freeze
  end
R
out = nil
25.times { out = Unparser.unparse(Unparser.parse(source)) }
puts out
puts Unparser.parse(out) == Unparser.parse(source)
