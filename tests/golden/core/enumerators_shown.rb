# Enumerators show their receiver and keywords by `to_s`, and only the arguments that were given.
def show
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

show { ((1/2r)..3).step(2) }
show { 1.step(by: 1/2r, to: 3r) }
show { 1.step(3r, 1/2r) }
show { 1.step(by: -1) }
show { (1..3).step(1/2r) }
show { (1..nil).step(1/2r) }
show { (1.0..3.0) % 2 }
show { 1.0.step(2.0, 0.5) }
show { ((1r)...(7/2r)).step(1) }
show { [1].each.with_index }
show { [1].each.with_index(0) }
show { [1].each.with_index(nil) }
show { [1].each.with_index(3) }
show { [1].each_with_index }
show { [1].map.with_index }
show { [1].each.with_object([]) }
show { [1].each.each_with_object([]) }
show { [1].lazy.with_index }
show { [1].lazy.map{}.with_index(2) }
class Foo; def x(*) = 1; end
p Foo.new.to_enum(:x, a: "s", "b": :c).inspect[/:x.*/]
p Foo.new.to_enum(:x, "s", nil, a: nil, b: 1r).inspect[/:x.*/]
p 1.step(by: 2, to: nil), 1.step(by: 2.5, to: 3), 1.step(to: 1r)
p((-1r/2)**1, 1**(1r/2), (-1)**(1r/2), 1r**0.5, 1r**(1r/3), 0**(1r/2), 0r**2, 0r ** -1) rescue p $!
p((0 ** (-1r/2))) rescue p $!
p 1r**(2**70), (-1r)**(2**70), (-1r)**(2**70+1), 0r**(2**70)
p 1r**"x" rescue p $!
p [1].each.with_index.size,  [1,2].each.with_index { |x, i| p [x,i] }, [1,2].each.with_index(2).to_a
