# Instance variables of strings, arrays, hashes and sets: instances made after the first one have room for them behind their
# contents, whatever the contents do.
module Tagged
  attr_accessor :tag, :note

  def tag_and_note(tag, note)
    @tag = tag
    @note = note
    self
  end

  def both = [@tag, @note]
end

class TaggedString < String
  include Tagged
end

class TaggedArray < Array
  include Tagged
end

class TaggedHash < Hash
  include Tagged
end

class TaggedSet < Set
  include Tagged
end

class Marked < TaggedString
  def initialize(text)
    super
    @mark = text.size
    @tag = :new
  end
  attr_reader :mark
end

def grow(object, count)
  case object
  when String then count.times { |i| object << "chunk #{i}" }
  when Array then count.times { |i| object << "e#{i}" }
  when Hash then count.times { |i| object["k#{i}"] = i }
  else count.times { |i| object << "s#{i}" }
  end
end

[TaggedString, TaggedArray, TaggedHash, TaggedSet].each do |kind|
  bare = kind.new
  objects = Array.new(20) { |i| kind.new.tag_and_note("t#{i}", [i]) }
  # The first instance has no room: its fields move when there are more of them.
  bare.tag = :late
  bare.instance_variable_set(:@more, 1)
  objects.each_with_index { |object, i| grow(object, i * i) }
  GC.start
  objects.each_with_index { |object, i| object.instance_variable_set(:@more, i) if i.odd? }
  p kind, bare.both, objects.map(&:size), objects.map(&:both), objects[3].instance_variables, objects[4].instance_variables
  copies = objects.map(&:dup)
  objects.each { |object| object.remove_instance_variable(:@tag) }
  p objects[5].both, copies[5].both, copies[5].clone.freeze.both, objects[5].instance_variables, copies[5] == objects[5]
  objects.each(&:clear)
  9.times { |n| copies[2].instance_variable_set(:"@extra#{n}", n) }
  p objects[6].note, copies[2].instance_variables.size, copies[2].both, copies[2].instance_variable_get(:@extra8)
end

marked = %w[a bb ccc].map { |text| Marked.new(text) }
p marked.map { |m| [m, m.mark, m.tag, m.note] }
marked.each { |m| m.note = m * 30 }
p marked.map { |m| m.note.size }
begin
  Marked.new("x").freeze.tag = 1
rescue FrozenError => e
  puts e.message
end
