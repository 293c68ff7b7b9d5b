# needs: ruby-parslet
require "parslet"
class Calculator < Parslet::Parser
  rule(:space?) { match('\s').repeat }
  rule(:number) { (match("[0-9]").repeat(1) >> (str(".") >> match("[0-9]").repeat(1)).maybe).as(:number) >> space? }
  rule(:name) { (match("[a-z]") >> match("[a-z0-9_]").repeat).as(:name) >> space? }
  rule(:group) { str("(") >> space? >> sum >> str(")") >> space? }
  rule(:call) { name >> str("(") >> space? >> (sum >> (str(",") >> space? >> sum).repeat).as(:args) >> str(")") >> space? }
  rule(:atom) { number | call | name | group }
  rule(:product) { (atom.as(:left) >> (match("[*/]").as(:op) >> space? >> atom.as(:right)).repeat(1).as(:rest)) | atom }
  rule(:sum) { (product.as(:left) >> (match("[-+]").as(:op) >> space? >> product.as(:right)).repeat(1).as(:rest)) | product }
  root :sum
end
class Evaluator < Parslet::Transform
  rule(number: simple(:n)) { n.to_f }
  rule(name: simple(:n)) { n.to_s.size.to_f }
  rule(name: simple(:n), args: simple(:a)) { a.to_f + n.to_s.size }
  rule(name: simple(:n), args: sequence(:a)) { a.sum }
  rule(op: simple(:op), right: simple(:right)) { [op.to_s, right] }
  rule(left: simple(:left), rest: subtree(:rest)) { rest.inject(left) { |a, (op, b)| a.public_send(op, b) } }
end
parser, evaluator = Calculator.new, Evaluator.new
total = 0.0
60.times do |i|
  text = (1..6).map { |j| "(#{j} + width#{i} * #{j}.5) / max(3, #{i})" }.join(" + ")
  total += evaluator.apply(parser.parse(text))
end
puts total.round(6)
begin
  parser.parse("1 + * 2")
rescue Parslet::ParseFailed => e
  puts e.parse_failure_cause.ascii_tree
end
