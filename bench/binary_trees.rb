# Allocation: many short-lived trees beside one that lives.
class Node
  attr_reader :left, :right

  def initialize(left, right)
    @left = left
    @right = right
  end

  def count = @left ? 1 + @left.count + @right.count : 1
end

def tree(depth)
  depth == 0 ? Node.new(nil, nil) : Node.new(tree(depth - 1), tree(depth - 1))
end

depth_max = 15
long_lived = tree(depth_max)
5.step(depth_max, 5) do |depth|
  trees = 1 << (depth_max - depth + 4)
  nodes = 0
  trees.times { nodes += tree(depth).count }
  puts "#{trees} trees of depth #{depth}: #{nodes}"
end
puts "long lived tree of depth #{depth_max}: #{long_lived.count}"
