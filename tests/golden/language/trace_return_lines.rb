# Methods and blocks return in their last line; `return` does where it stands.
def a(x)
  if x
    return 5
  end
  6

end
def b
  [1].each do |y|
    y + 1

  end
end
def c = 7
def d
  yield
ensure
  1
end
def e
end
def f
  raise "x"
rescue
  8
end
def g
  raise "x"
end
L = ->(n) {
  n +
   1
}
self.class.send(:define_method, :h) { |n|
  next 4 if n
  5
}
ev = []
t = TracePoint.new(:return, :b_return, :call, :b_call) { |tp| ev << [tp.event, tp.method_id, tp.lineno] }
t.enable do
  a(true)
  a(false)
  b
  c
  d { 1
    2 }
  e
  f
  g rescue 0
  L.(1)
  h(true)
  h(false)
  [1, 2].each { |q| break q }
end
ev.each { |x| p x }
