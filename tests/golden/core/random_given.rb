# Shuffles and samples with a generator of their own.
p (1..12).to_a.shuffle(random: Random.new(3)), (1..40).to_a.sample(random: Random.new(4)), (1..40).to_a.sample(3, random: Random.new(4))
p (1..40).to_a.sample(15, random: Random.new(4)), (1..6).to_a.shuffle!(random: Random.new(9)), [1].shuffle(random: Random.new(1)), [].sample(random: Random.new(1))
random = Random.new(11)
p Array.new(5) { [1, 2, 3, 4].shuffle(random: random) }, random.rand(100)
Random.srand(5)
p (1..6).to_a.shuffle, (1..6).to_a.shuffle(random: Random), (1..99).to_a.sample(random: Random)

# A kind of Random is asked for numbers below its methods; anything else for `rand`.
class Loaded < Random
  def rand(*) = raise("not called")
end
p (1..6).to_a.shuffle(random: Loaded.new(3)), (1..6).to_a.shuffle(random: Random.new(3))
zero = Object.new
def zero.rand(limit) = (print(limit, " "); 0)
p [1, 2, 3, 4].shuffle(random: zero), [1, 2, 3].sample(random: zero)
wrong = Object.new
def wrong.rand(limit) = limit
def wrong.inspect = "wrong"
[-> { [1, 2].shuffle(random: wrong) }, -> { [1, 2].sample(random: Object) }, -> { [1, 2].freeze.shuffle!(random: Random.new(1)) }].each do |attempt|
  p attempt.call
rescue => error
  puts "#{error.class}: #{error.message}"
end
