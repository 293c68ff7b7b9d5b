# Bit operations and recursion with blocks: every way to place queens that leave each other alone.
class Queens
  attr_reader :solutions

  def initialize(size)
    @full = (1 << size) - 1
    @solutions = 0
  end

  def place(columns, left, right)
    if columns == @full
      @solutions += 1
      return
    end
    each_bit(@full & ~(columns | left | right)) do |bit|
      place(columns | bit, (left | bit) << 1, (right | bit) >> 1)
    end
  end

  def each_bit(bits)
    while bits != 0
      bit = bits & -bits
      yield bit
      bits ^= bit
    end
  end
end

[8, 10, 13].each do |size|
  queens = Queens.new(size)
  queens.place(0, 0, 0)
  puts "#{size}: #{queens.solutions}"
end
