# Strings and arrays that share buffers, beside models that cannot: arrays of bytes, and copies made element by element.
# Every step takes a part of one of them or changes one; in the end, and now and then, all must be what the models say.
class Steps
  def initialize(seed) = @state = seed
  def below(limit) = (@state = (@state * 1_103_515_245 + 12_345) % 2**31) / 8 % limit
end

class Pair
  attr_accessor :real, :model
  def initialize(real, model) = (@real, @model = real, model)
end

def copy(list) = list.map { |element| element }

TEXTS = ["", "a", "short", "x" * 60, "y" * 119, "0123456789" * 30, "é日本" * 90, "line\n" * 400, "\xFF\x00z" * 700].freeze

module StringSteps
  module_function

  def start = TEXTS.map { |text| Pair.new(text.dup.force_encoding("BINARY"), text.bytes) }

  def bytes(model) = model.pack("C*")

  def step(pool, steps)
    pair = pool[steps.below(pool.size)]
    other = pool[steps.below(pool.size)]
    size = pair.model.size
    from = steps.below(size + 1)
    count = steps.below(size - from + 1)
    case steps.below(20)
    when 0 then Pair.new(pair.real.byteslice(from, count), copy(pair.model[from, count]))
    when 1 then Pair.new(pair.real[from, count], copy(pair.model[from, count]))
    when 2 then Pair.new(pair.real.dup, copy(pair.model))
    when 3 then Pair.new(pair.real + other.real, pair.model + other.model)
    when 4 then Pair.new("#{pair.real}#{other.real}".b, pair.model + other.model)
    when 5 then Pair.new(+"" << pair.real, copy(pair.model)).tap { |p| p.real.force_encoding("BINARY") }
    when 6
      cut = pair.real.slice!(from, count)
      Pair.new(cut, pair.model.slice!(from, count))
    when 7
      pair.real << other.real
      pair.model.concat(copy(other.model))
    when 8
      pair.real[from, count] = other.real
      pair.model[from, count] = copy(other.model)
    when 9
      pair.real.setbyte(from, 65) if from < size
      pair.model[from] = 65 if from < size
    when 10
      pair.real.replace(other.real)
      pair.model = copy(other.model)
    when 11
      pair.real.reverse!
      pair.model.reverse!
    when 12
      pair.real.clear if steps.below(8) == 0
      pair.model.clear if pair.real.empty?
    when 13
      pair.real.prepend(other.real)
      pair.model = other.model + pair.model
    when 14
      pair.real.upcase!
      pair.model.map! { |b| b.between?(97, 122) ? b - 32 : b }
    when 15
      parts = pair.real.partition("z".b)
      at = pair.model.index(122)
      pair.real = parts[2] if at
      pair.model = pair.model[at + 1..] if at
    when 16
      lines = pair.real.lines
      pair.real = lines[0] unless lines.empty?
      at = pair.model.index(10)
      pair.model = pair.model[0..at] if at
    when 17
      pair.real = pair.real.sub(/5(.*)5/n) { $1 }
      first, last = pair.model.index(53), nil
      if first
        stop = pair.model[first..].index(10)
        line = stop ? pair.model[first, stop] : pair.model[first..]
        last = first + line.rindex(53)
        pair.model = pair.model[0, first] + pair.model[first + 1...last] + pair.model[last + 1..] if last > first
      end
    when 18
      pair.real.freeze if steps.below(10) == 0
      pair.real = pair.real.dup if pair.real.frozen?
    else
      pair.real.chop!
      # A carriage return and a newline go together; there are no carriage returns.
      pair.model.pop
    end
  end

  def same?(pair) = pair.real.b == bytes(pair.model) && pair.real.bytesize == pair.model.size
end

module ArraySteps
  module_function

  def start = [0, 1, 3, 15, 16, 17, 100, 130, 1000].map { |n| Pair.new(Array.new(n) { |i| i }, Array.new(n) { |i| i }) }

  def step(pool, steps)
    pair = pool[steps.below(pool.size)]
    other = pool[steps.below(pool.size)]
    size = pair.model.size
    from = steps.below(size + 1)
    count = steps.below(size - from + 1)
    case steps.below(18)
    when 0 then Pair.new(pair.real[from, count], copy(pair.model[from, count]))
    when 1 then Pair.new(pair.real.first(count), copy(pair.model[0, count]))
    when 2 then Pair.new(pair.real.last(count), copy(pair.model[size - count, count]))
    when 3 then Pair.new(pair.real.drop(from), copy(pair.model[from..]))
    when 4 then Pair.new([*pair.real], copy(pair.model))
    when 5 then Pair.new(pair.real.dup, copy(pair.model))
    when 6 then Pair.new(pair.real.take(from), copy(pair.model[0, from]))
    when 7 then Pair.new(pair.real + other.real, copy(pair.model) + other.model)
    when 8
      pair.real.shift
      pair.model = copy(pair.model[1..] || [])
    when 9
      pair.real.push(from, count)
      pair.model << from << count
    when 10
      pair.real.unshift(count)
      pair.model = [count] + pair.model
    when 11
      pair.real.pop
      pair.model.pop
    when 12
      pair.real[from, count] = other.real
      pair.model = pair.model[0, from] + other.model + pair.model[from + count..]
    when 13
      pair.real.replace(other.real)
      pair.model = copy(other.model)
    when 14
      pair.real.reverse!
      pair.model = copy(pair.model.reverse)
    when 15
      pair.real[from] = :set
      pair.model[from] = :set
    when 16
      Pair.new(pair.real.slice!(from, count), pair.model.slice!(from, count))
    else
      pair.real.concat(other.real)
      pair.model += other.model
    end
  end

  def same?(pair) = pair.real.size == pair.model.size && pair.real.each_with_index.all? { |e, i| e.equal?(pair.model[i]) }
end

def run(kind, seed)
  steps = Steps.new(seed)
  pool = kind.start
  400.times do |number|
    made = kind.step(pool, steps)
    pool[steps.below(pool.size)] = made if made.is_a?(Pair)
    pool.each { |pair| pair.real, pair.model = pair.real[0, 2000], pair.model[0, 2000] if pair.model.size > 6000 }
    next unless number % 40 == 39
    bad = pool.reject { |pair| kind.same?(pair) }
    pool.map!.with_index { |pair, i| pair.model.size < 16 ? kind.start[i] : pair }
    return puts("#{kind} #{seed}: wrong after step #{number}: #{bad.map { |p| p.model.size }}") unless bad.empty?
  end
  puts "#{kind} #{seed}: #{pool.sum { |pair| pair.model.size }}"
end

[1, 22, 333, 4444].each { |seed| run(StringSteps, seed) }
[1, 22, 555, 4444].each { |seed| run(ArraySteps, seed) }
