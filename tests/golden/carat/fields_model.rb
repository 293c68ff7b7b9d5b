# Instance variables of every kind of object against a model: set, read, removed, copied, frozen, marshalled, in random order
# from fixed seeds. Few names give shapes that many objects share, many give objects that need a table of their own.
Pair = Struct.new(:left, :right)
Point = Data.define(:x, :y)
class Plain; end
class Text < String; end
class List < Array; end
class Map < Hash; end
class Bag < Set; end
class Trouble < StandardError; end
class Scattered; end

KINDS = {
  object: -> { Plain.new }, struct: -> { Pair.new(1, 2) }, string: -> { "text".dup }, text: -> { Text.new("x" * 40) },
  array: -> { [1, 2, 3] }, list: -> { List.new(3, 0) }, hash: -> { { a: 1 } }, map: -> { Map.new(0) }, set: -> { Bag[1, 2] },
  exception: -> { Trouble.new("no") }, proc: -> { proc { 1 } }, range: -> { Class.new(Range).new(1, 2) }, regexp: -> { Regexp.new("a+") },
  class: -> { Class.new }, module: -> { Module.new }, io: -> { File.open(File::NULL) }, scattered: -> { Scattered.new },
  random: -> { Random.new(1) }, method: -> { 1.method(:+) }, comparison: -> { Plain.new.tap { |o| def o.single = 1 } }
}.freeze
MARSHALLED = %i[object struct text list map exception scattered].freeze

def check(kind, object, model, step)
  names = object.instance_variables
  raise "#{kind} #{step}: #{names} for #{model.keys}" unless names == model.keys
  model.each do |name, value|
    found = object.instance_variable_get(name)
    raise "#{kind} #{step}: #{name} is #{found.inspect}, not #{value.inspect}" unless found == value
  end
  raise "#{kind} #{step}: one too many" if object.instance_variable_defined?(:@never)
end

def refuses_change(kind, object, name)
  object.instance_variable_set(name, 0)
  raise "#{kind}: frozen, but changed"
rescue FrozenError
  nil
end

def step(kind, object, model, random, names)
  name = names[random.rand(names.size)]
  case random.rand(12)
  when 0..6
    value = [random.rand(1000), name.to_s * 2, nil, 1.5, [name]][random.rand(5)]
    model[name] = value
    object.instance_variable_set(name, value)
  when 7, 8
    if model.key?(name)
      raise "#{kind}: removed another" unless object.remove_instance_variable(name) == model.delete(name)
    end
  when 9
    copy = random.rand(2) == 0 ? object.dup : object.clone
    check(kind, copy, model, "copy")
    copy.instance_variable_set(:@only_copy, 1)
    raise "#{kind}: the copy is no copy" if object.instance_variable_defined?(:@only_copy)
  when 10
    frozen = object.clone(freeze: true)
    check(kind, frozen, model, "frozen")
    refuses_change(kind, frozen, name)
  when 11
    check(kind, Marshal.load(Marshal.dump(object)), model, "marshal") if MARSHALLED.include?(kind)
  end
  object
end

FEW = %i[@a @b @c].freeze
MANY = (0..40).map { |i| :"@v#{i}" }.freeze

KINDS.each do |kind, make|
  [[1, FEW, 30], [2, MANY, 60], [3, MANY, 12], [4, FEW, 12]].each do |seed, names, steps|
    random = Random.new(seed)
    object = make.call
    id = object.object_id
    model = {}
    steps.times do |number|
      step(kind, object, model, random, names)
      check(kind, object, model, number)
    end
    raise "#{kind}: another id" unless object.object_id == id
  end
  puts "#{kind}: as the model"
end

# What stands beside the fields is not touched by them.
pair = Pair.new(1, 2)
FEW.each { |name| pair.instance_variable_set(name, name) }
pair.remove_instance_variable(:@b)
p pair.to_a, pair.instance_variables, pair == Pair.new(1, 2)
text = Text.new("short")
FEW.each { |name| text.instance_variable_set(name, name) }
text << "x" * 200
p text.size, text.instance_variables

# Sites that have seen an object with a field and meet it without.
class Plain
  attr_accessor :a
  def read = @a
  def write(value) = @a = value
end
object = Plain.new
3.times { |i| object.write(i); p object.read, object.a; object.remove_instance_variable(:@a); p object.read, object.a }

# Too many shapes of one class: said once, where asked for, and the objects go on as before.
Warning[:performance] = true
def Warning.warn(text, category: nil) = puts(category.inspect, text.sub(/\A.*?: /, ""))
class Loose; def set(name) = instance_variable_set(name, name); end
objects = (0..30).map { |i| Loose.new.tap { |o| o.set(:"@w#{i}"); o.set(:@shared) } }
p objects.map { |o| o.instance_variables.size }.uniq, objects.last.instance_variables, objects.last.inspect.sub(/0x\h+/, "0x")

# In other Ractors, copied and moved.
Warning[:experimental] = false
loose = objects.last
p Ractor.new(loose) { |o| [o.instance_variables, o.instance_variable_get(:@shared)] }.value
p Ractor.new(Ractor.make_shareable(loose.dup)) { |o| [o.frozen?, o.instance_variables] }.value
