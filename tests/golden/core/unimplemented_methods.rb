# Methods that no platform of ours has: they are listed, and nobody responds to them.
NAMES = [:compact, :auto_compact, :auto_compact=, :verify_compaction_references, :latest_compact_info]
NAMES.each do |name|
  p name, GC.respond_to?(name), GC.respond_to?(name, true), GC.methods.include?(name), GC.singleton_methods.include?(name)
  p GC.singleton_class.method_defined?(name), GC.singleton_class.public_method_defined?(name)
  p GC.singleton_class.method_defined?(name, false), GC.singleton_class.instance_methods(false).include?(name)
  p GC.method(name).name
  begin
    GC.public_send(name, *(name == :auto_compact= ? [true] : []))
  rescue NotImplementedError => error
    p error.message
  end
end
p defined?(GC.compact)

# `respond_to_missing?` is not asked, since there is a method.
module GC
  def self.respond_to_missing?(name, all) = (p [:asked, name]; true)
end
p GC.respond_to?(:compact), GC.respond_to?(:nothing_like_that)

# Another name for one is one, and a method that calls it is not.
class << GC
  alias pack_together compact
  def try_to_compact = compact
end
p GC.respond_to?(:pack_together), GC.respond_to?(:try_to_compact)
