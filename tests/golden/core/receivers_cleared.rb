# A conversion of an argument empties the receiver: methods look at what it is by then.
class Clearing
  def initialize(target, number) = (@target, @number = target, number)

  def to_int
    @target.clear
    @number
  end
end

TEXT = "a text of some length, which is not in its slot: " * 3
METHODS = {
  byteslice: [[5], [5, 3], [0, 5]], "[]": [[5], [5, 3]], slice!: [[5], [5, 3], [0, 5]], getbyte: [[5]],
  byterindex: [["t", 5]], byteindex: [["t", 5]], index: [["t", 5]], rindex: [["t", 5]], insert: [[5, "x"]], bytesplice: [[5, 3, "x"], [0, 3, "xyz", 1, 1]],
  center: [[5]], ljust: [[500]], "*": [[3]], sum: [[5]], unpack: [["a*"]], "[]=": [[5, "x"], [5, 3, "x"]],
}

METHODS.each do |name, lists|
  lists.each do |list|
    list.size.times do |at|
      next unless Integer === list[at]
      text = TEXT.dup
      arguments = list.each_with_index.map { |value, index| index == at ? Clearing.new(text, value) : value }
      result = text.public_send(name, *arguments)
      puts "#{name}(#{list.join(", ")}) #{at}: #{result.inspect} #{text.inspect}"
    rescue StandardError => e
      puts "#{name}(#{list.join(", ")}) #{at}: #{e.class}"
    end
  end
end

class Ends
  include Comparable

  def initialize(target, number) = (@target, @number = target, number)

  def <=>(_other) = 0

  def to_int
    @target.clear
    @number
  end
end

[:byteslice, :[], :slice!].each do |name|
  text = TEXT.dup
  p text.public_send(name, Ends.new(text, 3)..Ends.new(text, 9))
  p text
end
text = TEXT.dup
p((text.bytesplice(Ends.new(text, 3)..Ends.new(text, 9), "x") rescue :error), text)
text = TEXT.dup
p((text.bytesplice(0..3, "xyz", Ends.new(text, 0)..Ends.new(text, 1)) rescue $!.class), text)
