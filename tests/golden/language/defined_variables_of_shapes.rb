# One `defined?(@variable)` asked of objects of many shapes, of classes, of what has no variables, before and after changes.
class Box
  def there? = defined?(@lid)
  def in_block = [1, 2].map { defined?(@lid) }
  def put(name, value) = instance_variable_set(name, value)
end

boxes = Array.new(12) do |number|
  box = Box.new
  number.times { |index| box.put(:"@other#{index}", index) }
  box
end
3.times { p boxes.map(&:there?).uniq }
boxes.each_with_index { |box, index| box.put(:@lid, nil) if index.even? }
3.times { p boxes.map(&:there?) }
p boxes.first.in_block, boxes[1].in_block
boxes.each { |box| box.remove_instance_variable(:@lid) if box.there? }
p boxes.map(&:there?).uniq
boxes.each { |box| box.put(:@lid, 1) }
p boxes.map(&:there?).uniq, boxes.first.freeze.there?

module Asked
  def self.there? = defined?(@lid)
  def there? = defined?(@lid)
end
p Asked.there?, (Asked.instance_variable_set(:@lid, 1) && Asked.there?), Asked.remove_instance_variable(:@lid), Asked.there?
class Integer
  include Asked
end
class String
  include Asked
end
text = +"text"
p 1.there?, text.there?, text.instance_variable_set(:@lid, false), text.there?, "other".there?, 2**70.then { 1 }
def memoized = defined?(@memo) ? @memo : (@memo = nil)
p memoized, memoized, defined?(@memo), defined?(@never)
large = Box.new
200.times { |index| large.put(:"@large#{index}", index) }
p large.there?, large.put(:@lid, 1), large.there?, large.remove_instance_variable(:@lid), large.there?
