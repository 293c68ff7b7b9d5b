# needs: ruby-ruby-parser ruby-sexp-processor ruby-ruby2ruby
require "ruby_parser"
require "ruby2ruby"
source = <<~'R'
  module Shop
    class Item < Struct.new(:name, :price)
      LIMIT = 10
      def initialize(name, *rest, price: 1, **options, &block)
        super(name, price)
        @rest = rest.map { |x| x.to_s }.reject(&:empty?)
        yield self if block
      end
      def total(count = 1)
        case count
        when 0 then raise ArgumentError, "none"
        when 1..LIMIT, :many then price * count
        else
          begin
            price * count - discount(count) { |c| c > LIMIT ? 2 : 0 }
          rescue ZeroDivisionError, TypeError => e
            warn "#{e.message} at #{count}"
            retry unless @tried
          ensure
            @tried = true
          end
        end
      end
      def to_s
        "#{name}: #{price.round(2)} %s" % [@rest.join(", ")]
      end
      attr_reader :rest
      alias_method :cost, :total
      private def discount(n)
        n.then { |k| block_given? ? yield(k) : 0 }
      end
    end
  end
R
processor = Ruby2Ruby.new
out = ""
nodes = 0
25.times do |i|
  tree = RubyParser.new.parse(source.sub("Shop", "Shop#{i}"))
  nodes += tree.deep_each.count
  out = processor.process(tree.deep_clone)
end
puts nodes, out.size, out.lines.first(5)
