# Versions and requirements.
require "rubygems"

V = Gem::Version
p %w[1.0 1.a 1.0.rc1 2.0-beta 0.9 1.10 1.9 1.0.1].map { |v| V.new(v) }.sort.map(&:to_s)
p V.new("1.0") == V.new("1"), V.new("1.0").eql?(V.new("1")), V.new("1.0").hash == V.new("1").hash, V.new("1.2") > "1.1"
p V.new("1.2.3").bump, V.new("1.2.b1").release, V.new("1.a").prerelease?, V.new("1.2.a3").segments, V.create(nil).to_s, (V.new("x") rescue $!.message)
[["~> 1.2", "1.3"], ["~> 1.2", "2.0"], ["~> 1.2.3", "1.3"], [">= 1", "1.0"], ["!= 1", "1.0"], ["< 2.a", "2.0"], ["1.0", "1"]].each do |r, v|
  p [r, v, Gem::Requirement.new(r).satisfied_by?(V.new(v))]
end
p Gem::Requirement.new(">= 1", "< 2").to_s, (Gem::Requirement.new("=> 1") rescue $!.message), Gem::Requirement.default.none?
p Gem.ruby_version >= V.new("4.0.a"), Gem.win_platform?, Gem::Dependency.new("a", "~> 1").to_s
