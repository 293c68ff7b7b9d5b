# oracle: native
# The main Ractor gives a class other shareable objects all the time, while others read them without a lock: whoever finds an object
# finds its contents as well.
Warning[:experimental] = false

class Board
  @@notice = "0".freeze
  @news = "0".freeze
  class << self
    attr_accessor :news
  end

  def self.notice = @@notice
  def self.notice=(text)
    @@notice = text
  end
end

readers = 2.times.map do
  Ractor.new do
    last = [0, 0]
    until last == [2000, 2000]
      seen = [Board.notice, Board.news, Board.instance_variable_get(:@news)].map { |text| Integer(text) }
      raise "#{seen} after #{last}" if seen[0] < last[0] || seen[1] < last[1] || seen[2] < seen[1]
      last = seen.first(2)
    end
    last
  end
end

1.upto(2000) do |number|
  Board.notice = number.to_s.freeze
  Board.news = number.to_s.freeze
end
p readers.map(&:value)
