# Objects that get more variables than their class was known to have, which lie elsewhere then, read and written in loops.
class Late
  def initialize(n)
    n.times { |i| instance_variable_set("@v#{i}", i) }
  end

  def more(n) = n.times { |i| instance_variable_set("@w#{i}", i.to_f) }

  def count(n)
    n.times { @v30 += 1; @v31 = @v30 * 2; @w5 += 0.5 }
    [@v30, @v31, @w5]
  end

  def walk(n)
    i = 0
    while i < n
      @v29 = @w3 = [i] if i % 100 == 0
      @v28 = i.to_s if i % 50 == 0
      @v27 ^= i
      i += 1
    end
    [@v27, @v28, @v29.equal?(@w3), @w3]
  end

  def grow(n)
    i = 0
    while i < n
      @v27 += 1
      @x1 = i if i == 150
      @x2 = [@x1] if i == 200
      @x3 = @x2 if i == 250
      i += 1
    end
    [@v27, @x1, @x2, @x3]
  end

  def lose(n)
    i = 0
    while i < n
      remove_instance_variable(:@v30) if i == n - 2
      i += 1
    end
    @v30
  end

  def freeze_in(n)
    i = 0
    while i < n
      freeze if i == n - 10
      @v27 = i
      i += 1
    end
  rescue FrozenError => e
    [i, @v27, e.class]
  end
end

2.times { Late.new(2) }
objects = 3.times.map { Late.new(2) }
objects.each { |one| one.instance_variable_set(:@v0, 1) }
one = objects[0]
32.times { |i| one.instance_variable_set("@v#{i}", i) }
one.more(8)
p one.count(400), one.walk(400), one.grow(400), one.count(400)
p one.lose(200), one.instance_variables.size
p one.freeze_in(300)
two = objects[1]
32.times { |i| two.instance_variable_set("@v#{31 - i}", i) }
two.more(8)
p two.count(300), two.walk(300), two.grow(300), two.instance_variables.first(4)

# Of a Struct, an Array and a String.
Pair = Struct.new(:left, :right) do
  def memo = @memo ||= left + right
  def bump = @bumps = (@bumps || 0) + 1
end
class Tagged < Array
  def tag = @tag ||= "tag of #{size}"
  def seen = @seen = (@seen || 0) + 1
end
class Safe < String
  def safe? = @safe ||= size > 2
end
pair, tagged, safe = Pair.new(1, 2), Tagged[1, 2], Safe.new("abc")
300.times { pair.memo; pair.bump; tagged.tag; tagged.seen; safe.safe? }
p pair.memo, pair.bump, tagged.tag, tagged.seen, safe.safe?, pair, tagged
made = 200.times.map { |i| Pair.new(i, i).tap(&:memo) }
p made.sum(&:memo), made.map(&:bump).uniq
pair.freeze
p((pair.bump rescue $!.class), pair.memo)
