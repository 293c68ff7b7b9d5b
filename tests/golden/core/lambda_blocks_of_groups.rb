# Lambdas as blocks of methods that give groups of values as one array: they take it apart as procs do.
def t(name) = begin; p [name, yield]; rescue Exception; p [name, $!.class, $!.message]; end
e = %w[a bb].each_with_index
l2 = ->(w, i) { [w.to_s.size, i] }
l3 = ->(w, i, j) { [w, i, j] }
l0 = -> { 1 }
l1 = ->(w) { w.inspect }
ls = ->(*w) { w }
lo = ->(w, i = 9) { [w, i] }
lr = ->(w, i) { return i }
M = [:find, :detect, :find_index, :find_all, :select, :filter, :reject, :partition, :group_by, :sort_by, :min_by, :max_by, :minmax_by, :map, :collect, :flat_map, :filter_map, :count, :sum, :none?, :any?, :all?, :one?, :take_while, :drop_while, :uniq, :each_entry, :to_h, :first, :chunk_while, :slice_when, :chunk, :each_slice, :zip, :reverse_each, :to_set, :inject, :each_cons, :with_index, :each_with_object]
M.each do |m|
  {l2:, l3:, l0:, l1:, ls:, lo:}.each do |n, l|
    next if m == :cycle && n != :l3
    t([m, n]) { r = case m when :each_slice, :each_cons then e.send(m, 2, &l) when :each_with_object then e.send(m, 4, &l) else e.send(m, &l) end; r = r.to_a if Enumerator === r; r }
  end
end
[:find, :select, :sort_by, :partition, :group_by, :min_by, :reject, :drop_while].each do |m|
  t([m, :arr]) { [[1, 2], [3, 4]].each.send(m, &->(a, b) { b }) }
  t([m, :hash]) { {a: 1, b: 2}.send(m, &->(a, b) { b }) }
end
p %w[a bb].each_with_index.find(&->(w, i) { w.size == 2 }), %w[a bb ccc].each_with_index.max_by(2, &->(w, i) { i })
p Enumerator.produce { 1 }.take(2), Enumerator.produce(nil) { |x| x.to_i + 1 }.take(2), Enumerator.produce([1, 2]) { |x| x }.first
