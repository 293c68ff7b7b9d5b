# Search with undo over small arrays: the cell with the fewest candidates first.
class Sudoku
  attr_reader :tries

  def initialize(text)
    @cells = text.chars.map(&:to_i)
    @rows = Array.new(9, 0)
    @columns = Array.new(9, 0)
    @boxes = Array.new(9, 0)
    @tries = 0
    @cells.each_with_index { |digit, at| toggle(at, 1 << digit) if digit != 0 }
  end

  def solve
    at, candidates = tightest
    return true unless at
    (1..9).each do |digit|
      bit = 1 << digit
      next if candidates & bit == 0
      @tries += 1
      @cells[at] = digit
      toggle(at, bit)
      return true if solve
      toggle(at, bit)
    end
    @cells[at] = 0
    false
  end

  def to_s = @cells.join

  private

  def box(at) = at / 27 * 3 + at % 9 / 3

  def toggle(at, bit)
    @rows[at / 9] ^= bit
    @columns[at % 9] ^= bit
    @boxes[box(at)] ^= bit
  end

  def tightest
    best = nil
    best_candidates = 0
    fewest = 10
    @cells.each_with_index do |digit, at|
      next if digit != 0
      candidates = ~(@rows[at / 9] | @columns[at % 9] | @boxes[box(at)]) & 0x3fe
      count = candidates.digits(2).sum
      next if count >= fewest
      fewest = count
      best = at
      best_candidates = candidates
      break if count < 2
    end
    [best, best_candidates]
  end
end

PUZZLES = %w[
  000000010400000000020000000000050407008000300001090000300400200050100000000806000
  530070000600195000098000060800060003400803001700020006060000280000419005000080079
  100007090030020008009600500005300900010080002600004000300000010040000007007000300
  800000000003600000070090200050007000000045700000100030001000068008500010090000400
]

(PUZZLES * 3).each do |puzzle|
  sudoku = Sudoku.new(puzzle)
  puts sudoku.solve, sudoku.tries, sudoku
end
