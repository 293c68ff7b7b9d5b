# `iterator?` is `block_given?` with a warning, where those of deprecated features are on.

def in_method = iterator?
def in_block = [1].map { iterator? }
def by_name = send(:iterator?)

p in_method, in_method {}, in_block, in_block {}, by_name, by_name {}
p iterator?
p 200.times.count { in_method {} }
p Kernel.private_method_defined?(:iterator?), Kernel.respond_to?(:iterator?), method(:iterator?).arity
begin
  Object.new.iterator?
rescue NoMethodError => e
  puts e.message
end

$stderr = $stdout
Warning[:deprecated] = true
p in_method
module Warning
  def self.warn(text, category: nil) = puts("#{category.inspect} #{text.split(": ").drop(1).join(": ")}")
end
p in_method {}
