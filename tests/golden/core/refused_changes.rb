# Methods that a block or a frozen receiver stops: what they say, and which looks first whether there is anything to do.
def c(n) = begin; p [n, yield]; rescue Exception => e; p [n, e.class, e.message]; end
c(1) { h = {a: 1, b: 2}; begin; h.update({a: 10, b: 20}) { h.freeze; _3 }; rescue => e; p e.class; end; h }
c(2) { h = {a: 1, b: 2}; h.update({a: 10, c: 20}) { h[:z] = 1; _3 }; h }
c(4) { h = {a: 1, b: 2}; h.update({a: 10, b: 20}) { h.rehash; _3 }; h }
c(5) { h = {a: 1, b: 2}; h.update({a: 10, b: 20}) { h.compare_by_identity; _3 }; h }
c(6) { h = {a: 1}; o = {a: 10, b: 20}; h.update(o) { o[:zz] = 1; _3 }; [h, o] }
c(7) { "".freeze.chomp! }
c(8) { "a".freeze.chomp! }
%i[chomp! chop! strip! lstrip! rstrip! squeeze! downcase! upcase! capitalize! swapcase! succ! reverse! scrub! dump undump next! clear].each { |m| c([m, :empty]) { "".freeze.send(m) }; c([m, :a]) { "Q1".freeze.send(m) } }
{delete_prefix!: ["z"], delete_suffix!: ["z"], squeeze!: ["z"], sub!: ["z", "y"], gsub!: ["z", "y"], slice!: [9], insert: [0, ""], replace: [""], concat: [], prepend: [], "<<": [""], force_encoding: ["UTF-8"], encode!: ["UTF-8"], "[]=": [0, "Q"], append_as_bytes: [], bytesplice: [0, 0, ""], chomp!: ["z"]}.each { |m, a| c([m, :f]) { "Q1".freeze.send(m, *a) }; c([m, :e]) { "".freeze.send(m, *a) } }
[:compact!, :flatten!, :uniq!, :reverse!, :rotate!, :shuffle!, :sort!, :clear, :pop, :shift].each { |m| c([m]) { [].freeze.send(m) } }
[[:select!], [:reject!], [:keep_if], [:delete_if], [:map!], [:sort_by!], [:collect!], [:filter!]].each { |m,| c([m]) { [].freeze.send(m) { } } }
[[:concat], [:push], [:unshift], [:insert, 0], [:delete, 1], [:fill, 1, 0, 0], [:slice!, 5], [:replace, []]].each { |m, *a| c([m]) { [].freeze.send(m, *a) } }
[[:compact!], [:clear], [:rehash], [:shift], [:delete, 1], [:update], [:merge!, {}], [:replace, {}], [:transform_values!], [:transform_keys!], [:compare_by_identity], [:default=, 1]].each { |m, *a| c([m, :hash]) { {}.freeze.send(m, *a) { } } }
