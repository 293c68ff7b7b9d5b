# A proc of the script does not return from it while a lambda of the script runs.
$proc = proc { return }
$ended = []
at_exit { p $ended }
def self.t(n)
  yield
  puts "#{n}: no error"
rescue Exception
  puts "#{n}: #{$!.class} #{$!.message}"
ensure
  $ended << n
end
t(1) { -> { class A1; class B1; $proc.call; end; end }.call }
t(2) { -> { $proc.call }.call }
t(3) { -> { [1].each { $proc.call } }.call }
def m = $proc.call
t(4) { -> { m }.call }
def n = yield
t(5) { n(&-> { $proc.call }) }
t(6) { define_singleton_method(:q) { $proc.call }; q }
t(7) { -> { eval("proc { return 3 }.call"); puts "after" }.call }
t(8) { -> { eval("$proc.call"); puts "after" }.call }
b = binding
t(9) { -> { b.eval("proc { return 3 }.call"); puts "after" }.call }
t(10) { -> { b.eval("return 3"); puts "after" }.call }
def r = -> { $proc.call }.call
r
puts "not reached"
