# CRuby's trees of syntax are not here, and say so when they are asked.
trees = RubyVM::AbstractSyntaxTree
p trees.class, trees::Node.class
%i[of parse parse_file node_id_for_backtrace_location].each do |name|
  p trees.respond_to?(name)
  trees.public_send(name, nil)
rescue NotImplementedError => error
  puts error.message
end
trees::Node.new rescue p $!.class
