# What a set refuses while somebody goes through it.
def refused(name)
  set = Set[1, 2, 3]
  set.each { yield set }
  puts "#{name}: #{set.inspect}"
rescue => error
  puts "#{name}: #{error.class}: #{error.message}, #{set.inspect}"
end

refused("replace by a set") { |set| set.replace(Set[4]) }
refused("replace by an array") { |set| set.replace([4]) }
refused("replace by the same") { |set| set.replace(set) }
refused("add") { |set| set.add(9) }
refused("add what is there") { |set| set.add(1) }
refused("<<") { |set| set << 9 }
refused("merge") { |set| set.merge([8]) }
refused("reset") { |set| set.reset }
refused("compare_by_identity") { |set| set.compare_by_identity }
refused("delete") { |set| set.delete(2) }
refused("clear") { |set| set.clear }
refused("select!") { |set| set.select!(&:odd?) }

set = Set[1]
begin
  set.each { set.send(:initialize, [8]) }
rescue => error
  p error
end
