# Random: sequences, limits and refusals.

def show(source)
  puts "#{source}: #{yield.inspect}"
rescue StandardError => e
  puts "#{source}: #{e.class}: #{e.message}"
end

show("Random.new(1).random_number(0)") { Random.new(1).random_number(0) }
show("Random.new(1).random_number(-5)") { Random.new(1).random_number(-5) }
show("Random.new(1).random_number(nil)") { Random.new(1).random_number(nil) }
show("Random.new(1).random_number(\"x\")") { Random.new(1).random_number("x") }
show("Random.new(1).random_number(1.5)") { Random.new(1).random_number(1.5) }
show("Random.new(42).bytes(5)") { Random.new(42).bytes(5) }
show("Random.new(42).rand(1.0..2.0)") { Random.new(42).rand(1.0..2.0) }
show("Random.new(42).rand(1...10)") { Random.new(42).rand(1...10) }
show("Random.new(42).rand(3..1)") { Random.new(42).rand(3..1) }
show("r=Random.new(42); r2=r.dup; [r==r2, r.rand==r2.rand, r==r2, r==Random.new(42)]") { r=Random.new(42); r2=r.dup; [r==r2, r.rand==r2.rand, r==r2, r==Random.new(42)] }
show("srand(5); a=[rand, rand(10), rand(1.5), rand(-7), rand(nil), rand(1..3), rand(0)]") { srand(5); a=[rand, rand(10), rand(1.5), rand(-7), rand(nil), rand(1..3), rand(0)] }
show("srand(7); srand") { srand(7); srand }
show("srand(9); [Random.rand, Random.rand(3), Random.bytes(3), Random.seed]") { srand(9); [Random.rand, Random.rand(3), Random.bytes(3), Random.seed] }
show("Random.new(3).rand(-1.5)") { Random.new(3).rand(-1.5) }
show("Random.new(3).rand(2**80)") { Random.new(3).rand(2**80) }
show("Random.new(3).rand(2**70..2**71)") { Random.new(3).rand(2**70..2**71) }
show("Random.new(3).rand(\"a\"..\"b\")") { Random.new(3).rand("a".."b") }
show("rand(\"a\")") { rand("a") }
show("rand(2..1)") { rand(2..1) }
show("Random.new(2.9).seed") { Random.new(2.9).seed }
show("Random.new(nil)") { Random.new(nil) }
show("Random.new_seed.class") { Random.new_seed.class }
show("Random.urandom(4).size") { Random.urandom(4).size }
show("Random.new(1).rand(-1e308..1e308)") { Random.new(1).rand(-1e308..1e308) }
show("srand(3); [1,2,3,4,5].shuffle") { srand(3); [1,2,3,4,5].shuffle }
show("srand(3); [1,2,3,4,5].sample") { srand(3); [1,2,3,4,5].sample }
show("[1,2,3,4,5].shuffle(random: Random.new(1))") { [1,2,3,4,5].shuffle(random: Random.new(1)) }
show("[1,2,3].sample(2, random: Random.new(1))") { [1,2,3].sample(2, random: Random.new(1)) }
show("Random.new(3).seed") { Random.new(3).seed }
show("Random.random_number.class") { Random.random_number.class }
show("Random.random_number(10).class") { Random.random_number(10).class }
show("Random.rand(1.5).class") { Random.rand(1.5).class }
show("Random.new(1).random_number(3..5)") { Random.new(1).random_number(3..5) }
