# Subclasses of the visitor that RubyGems and others have.
require "yaml"
class NA < Psych::Visitors::YAMLTree
  def visit_String(s)
    return super unless s == "="
    @emitter.scalar s, nil, nil, false, true, Psych::Nodes::Scalar::SINGLE_QUOTED
  end
  def visit_Hash(o) = super(o.compact)
  def register(t,o) ; end
  def visit_P(o)
    @emitter.start_mapping(nil, "!p", false, Psych::Nodes::Mapping::BLOCK)
    accept("x"); accept([o.x, "="])
    @emitter.end_mapping
  end
end
P = Struct.new(:x)
a = [1,"="]
b = NA.create; b << {"a"=>a,"b"=>a, :c=>nil, "="=>"=", "t"=>Time.utc(2020), "p" => P.new(3), "q"=>[P.new(4)]}
puts b.tree.yaml
puts [a,a].to_yaml
class Psych::Visitors::YAMLTree
  def visit_P(o) = visit_String("P:#{o.x}")
end
puts [P.new(1)].to_yaml
# Symbols that may be loaded are named as symbols or as texts, and their class has to be allowed as well.
[[[], [:a]], [[Symbol], [:a]], [["Symbol"], ["a"]], [[Symbol], [:b]], [[Symbol], []], [[], []]].each do |classes, symbols|
  p YAML.safe_load(":a", permitted_classes: classes, permitted_symbols: symbols)
rescue Psych::DisallowedClass
  p $!.message
end
# Versions are plain where they are no numbers.
puts %w[0.0.1 0.1 0.1.2 0.8 00.1 08 0.0.0 1.2.3 0.0.1.beta 09a 0.10.0 0a 0.0a 01 07.5 08.1.2].to_yaml
