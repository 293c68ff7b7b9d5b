# Core methods called with what they are seldom called with: found by calling all of them with everything.
def t; p yield; rescue Exception => e; puts "#{e.class} #{e.message}"; end
numbers = [Complex(0, 2), Complex(3, 0), Complex(0.0, 2), Complex(0, 2.0), Complex(3, 0.0), Complex(0, 0), Complex(0.0, 0), Complex(-0.0, -3), Complex(0, -3r / 2), Complex(3, 4)]
numbers.each { |c| p [c, c.abs, c.polar, c.magnitude] }
turns = [Complex(3, 3), Complex(-3, 3), Complex(3, -3), Complex(-3, -3), 2i, -2i, Complex(-2, 0), Complex(0.0, 2), Complex(1.0, 1), Complex(1r / 2, 1r / 2)]
turns.each { |c| p (-3..9).map { |n| c**n } }
t { 2i**(2**80) }
t { 1i**(2**80) }
t { Complex(1, 1)**(2**70) }
t { Complex(1, 2).fdiv(nil) }
t { Complex(1, 2).fdiv(2) }
t { Complex(1, 2).fdiv(Complex(1, 2)) }
t { Complex(1, 2) + :a }
t { 1r % :a }
t { 1r.singleton_class.instance_methods(false) }
one = 1r
t { def one.x = 1 }
t { (2**70).singleton_class }
t { 1.step(nil, nil).first(2) }
t { 1.clamp(nil) }
t { [1, 2, 3].fill(nil) }
t { [1, 2, 3].fill(nil, 1) }
t { Array.new(3, nil) }
t { [1].combination(nil) }
t { [1].freeze.insert(nil) }
t { [1, 2].lazy.chain([3]).first(3) }
t { [1, 2].lazy.each_with_index.to_a }
t { [1, 2].lazy.each_with_index { }.to_a }
t { [1, 2].lazy.with_index(1).map { |a, b| a * b }.to_a }
t { [1, 2].lazy.each_with_index(1) }
t { [1, 2].lazy.to_enum(nil) }
t { [1, 2].to_enum(nil) }
t { {}.send(:default_proc=, :to_s).call(1) }
t { "frozen".freeze.gsub!(/x/) }
t { "frozen".freeze.delete_prefix!(nil) }
t { "x".encode(nil) }
t { "x".rpartition(nil) }
t { Comparable.const_get(nil) }
t { Comparable.remove_class_variable("a") }
t { Comparable.method(:x) }
t { class << Comparable; undef zz; end }
t { class << Comparable; alias a zz; end }
t { (1..5).%(2) { |x| p x } }
t { "\xff".scrub("?") { "x" } }
t { "\xff".scrub(nil) { "x" } }
t { "x".scrub!("?") { "x" } }
t { [1,2].lazy.each_with_index { |*x| p x } }
t { [1,2].lazy.each_with_index.map { |a, i| a * i }.to_a }
t { [1,2].lazy.with_index { |*x| p x }.to_a }
t { [3,1].max_by("a") { |x| x } }
t { [3,1].min_by(-1) { |x| x } }
t { [3,1].max_by(1) { |x| x } }
