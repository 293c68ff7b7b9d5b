# &. in calls, assignments, operator assignments and chains, with arguments left unevaluated.
User = Struct.new(:name, :friend, :tags)
ann = User.new("Ann", nil, [1])
bob = User.new("Bob", ann, nil)
p ann&.name, nil&.name, bob&.friend&.name, ann.friend&.name, ann.friend&.friend&.name&.upcase
calls = 0
argument = -> { calls += 1 }
nil&.foo(argument.call)
p calls
p nil&.foo { calls += 1 }, calls
none = nil
p (none&.name = argument.call), calls
ann&.name = "Anna"
p ann.name
none&.name += "x"
ann&.name += "x"
p ann.name
none&.name ||= "y"
bob&.tags ||= [2]
bob&.tags &&= [3]
p bob.tags
p nil&.to_s, nil.to_s, false&.to_s, nil&.nil?, nil.nil?
p ann.tags&.map { _1 + 1 }, bob&.tags&.first&.succ
p (begin; ann.friend.name; rescue NoMethodError => e; e.message; end)
p ann&.[](0), ann&.send(:name), nil&.[](0)
a = nil
p a&.length.nil?, (a&.length || 0), !a&.empty?
p [nil, "x"].map { _1&.upcase }, [[1], nil].map { |v| v&.first }
p ann&.then { |u| u.name }, nil&.then { 1 }
p defined?(a&.foo), defined?(ann&.name)
l = ->(v) { v * 2 }
p l&.(4), l&.call(5)
m = nil
p m&.(4)
