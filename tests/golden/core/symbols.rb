# Symbols and their relation to strings.
p :a, :"a b", :"9a", :a=, :[]=, :+, :!, :"", :A, :a?, :a!, :"a-b", :"é", :"foo=bar", :nil, :if, :@a, :@@b, :$c, :"@", :"$", :"a?b", :<=>, :==, :===, :=~, :!~, :**, :+@, :-@, :~, :`, :"&&", :"=", :"!=", :[], :"a==", :"A=", :"?"
p :a <=> :b, :a == :a, :a.equal?("a".to_sym), :a.to_s, :a.to_sym, :a.id2name, :abc[1], :abc[0..1], :abc.size, :abc.upcase, :Abc.swapcase, :abc.capitalize, :abc.succ, :a.empty?, :"".empty?, :abc =~ /b/, :abc.match(/b/)[0], :abc.match?(/z/), :abc.start_with?("a"), :abc.end_with?("c"), :abc.encoding
p %i[b a c].sort, %i[b a].max, :a.hash == :a.hash, :a.frozen?, :upcase.to_proc.call("x")
p %w[a b].map(&:to_sym), { a: 1, "b": 2, :"c d" => 3, "e" => 4 }, { a: 1 }[:a], :a.inspect, :a.to_s.frozen?, :a.name.frozen?, :a.name.equal?(:a.name), :"foo#{1}bar", %s(x y), :a.dup.equal?(:a), :a.object_id == :a.object_id
p Symbol === :a, :a.is_a?(Comparable), :a.respond_to?(:upcase), :a.instance_of?(Symbol), :a.casecmp("A") , :a.casecmp(:A), :a.casecmp?(:A), Symbol.all_symbols.size > 100, (Symbol.new rescue $!.class), (:a + :b rescue $!.class), :a.then { |s| "#{s}!" }, "#{:a}", "a".intern.equal?(:a)
p %w[apple pie].each_with_object({}) { |w, h| h[w.to_sym] = w.size }, [:b, :a].sort_by(&:to_s), [:x, "x", :x].uniq, [1, :a, "a", nil].group_by(&:class)
