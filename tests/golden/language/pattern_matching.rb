# case/in, => and in: every kind of pattern.
Point = Struct.new(:x, :y)
Person = Data.define(:name, :age)

def describe(value)
  case value
  in 0 then "zero"
  in Integer | Float => number if number < 0 then "negative #{number}"
  in 1..9 then "digit"
  in Integer then "integer"
  in "" then "empty string"
  in /\A(?<word>\w+)!\z/ then "shout #{$~[:word]}"
  in String => text unless text.size > 5 then "short #{text}"
  in [] then "empty array"
  in [x] then "one #{x.inspect}"
  in [Integer => a, Integer => b] then "two integers #{a + b}"
  in [first, *, last] if first == last then "framed by #{first}"
  in [*, Float => f, *rest] then "found #{f} before #{rest}"
  in [_, [_, [deep]]] then "deep #{deep}"
  in [first, *rest] then "first #{first}, then #{rest}"
  in { type: :circle, radius: } then "circle #{radius}"
  in { type: :rect, size: { w:, h: } } then "rect #{w}x#{h}"
  in { name: String => name, **nil } then "only name #{name}"
  in { name:, **rest } then "#{name} and #{rest}"
  in {} then "empty hash"
  in Point[x, y] then "point #{x},#{y}"
  in Person(name:, age: 18..) then "adult #{name}"
  in Person(name:) then "child #{name}"
  in nil then "nil"
  in ->(v) { v == :lambda } then "by lambda"
  in true | false => flag then "flag #{flag}"
  else "something else"
  end
end

[
  0, -5, -2.5, 7, 12, "", "hey!", "abc", "long text", [], [nil], [1, 2], [3, :x, 3],
  [:find, 1, 2.5, :a, :b], [1, [2, [3]]], [9, 8, 7], { type: :circle, radius: 2 },
  { type: :rect, size: { w: 3, h: 4 } }, { name: "Ann" }, { name: "Bob", age: 3 }, {},
  Point.new(1, 2), Person.new("Cid", 40), Person.new("Dot", 4), nil, :lambda, true, :other,
].each { |value| puts describe(value) }

config = { db: { user: "admin", ports: [1, 2, 3] }, mode: "dev" }
config => { db: { user:, ports: [first_port, *] } }
p user, first_port
p((config in { mode: "prod" }))
p((config in { mode: String }))
p((5 in Integer => five), five)

expected = 5
p(case 5; in ^expected then :pinned end)
p(case 6; in ^(expected + 1) then :expression end)
@ivar = 7
p(case 7; in ^@ivar then :ivar end)
p(case [1, 1]; in [a, ^a] then :same end)

case [1, [2, 3, 4, 5]]
in [Integer => a, [b, *c]]
  p a, b, c
end

case { k: nil }
in { k: nil } then p :nil_value
end
in_array = case [1, "x", :y, 2.0]; in [*, String => s, Symbol => y, *post] then [s, y, post] end
p in_array

class Temperature
  attr_reader :degrees
  def initialize(degrees) = @degrees = degrees
  def deconstruct_keys(keys) = (p keys; { degrees: @degrees, unit: "C" })
  def deconstruct = [@degrees, "C"]
end
case Temperature.new(30)
in { degrees: 25.., unit: } then puts "warm in #{unit}"
end
case Temperature.new(30)
in [degrees, unit] then puts "#{degrees} #{unit}"
end
case Temperature.new(3)
in { degrees: Integer => d, **rest } then p d, rest
end

begin
  case [1, 2]
  in [a] then a
  end
rescue NoMatchingPatternError => error
  puts "#{error.class}: #{error.message}"
end
begin
  { a: 1 } => { b: }
rescue NoMatchingPatternKeyError => error
  puts "#{error.class}: #{error.message}", error.key.inspect, error.matchee.inspect
end
begin
  5 => String
rescue => error
  puts error.message
end
[[:a, 1], [:b, 2], [:c, 3]].each do |item|
  case item
  in [:a | :b => tag, n] then p [tag, n]
  in [_, Integer | Float => n] unless n > 5 then p n
  end
end
case { status: "ok", items: [{ id: 1 }, { id: 2 }] }
in { status: "ok", items: [{ id: first_id }, *] }
  p first_id
end
