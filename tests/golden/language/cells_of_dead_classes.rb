# Classes of single objects die, and their methods with them, while places that called those remember them; later such a place is compiled. What it
# knew of the dead is seen with a collection at each 64th poll.
class Plain
  def m = 1
end

def one(kind)
  object = Object.new
  case kind
  when 0
    def object.m = 2
  when 1 then object.singleton_class.define_method(:m) { 2 }
  else object.singleton_class.include(Module.new { def m = 2 })
  end
  object
end

def call_often(name, count, kinds)
  objects = kinds.map { |kind| one(kind) }
  count.times { |i| send(name, objects[i % objects.size]) }
end

# Writes over what the stack still holds.
def deep(n, a = nil, b = nil, c = nil, d = nil) = n == 0 ? 0 : deep(n - 1, a, b, c, d) + 1

# The nth call finds a method hot that was called so often.
def hot0(object) = object.m
def hot1(object) = object.m
def hot2(object) = object.m
def hot3(object) = object.m
def hot4(object) = object.m
def hot5(object) = object.m
def hot6(object) = object.m
def hot7(object) = object.m
def hot8(object) = object.m
def hot9(object) = object.m
def hot10(object) = object.m
def hot11(object) = object.m

sum = 0
12.times do |n|
  hot = :"hot#{n}"
  call_often(hot, 110 + n, [n % 3])
  deep(100)
  GC.start
  200.times { sum += send(hot, Plain.new) }
  3.times { Array.new(500) { |i| -> { i } }; GC.start }
  GC.start
end
p sum

# Places that see several.
def several0(object) = object.m
def several1(object) = object.m
def several2(object) = object.m
def several3(object) = object.m
def several4(object) = object.m
def several5(object) = object.m

6.times do |n|
  several = :"several#{n}"
  call_often(several, 115 + n, [n % 3] * 3)
  deep(100)
  GC.start
  100.times { send(several, Plain.new) }
  GC.start
end
puts "done"
