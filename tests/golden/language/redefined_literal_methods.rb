# Methods of literals that are redefined are called; who asked for it is warned once, where the core method is lost.
$stderr = $stdout
Warning[:performance] = true
class String
  undef -@
  def -@ = :minus
  alias original_freeze freeze
  def freeze = block_given? ? yield : :frozen
end
p(-"lit")
p "lit".freeze
p("lit".freeze { :block })

class Integer
  undef +
  def +(other) = 42
end
p 1 + 1

BEGIN {
  puts "first"
  BEGIN { puts "before the first" }
}
