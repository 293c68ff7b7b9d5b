# Refused finalizers name the class by its own to_s.
class Named
  def self.to_s = "a name of its own"
end
begin
  ObjectSpace.define_finalizer(Object.new, Named.new)
rescue ArgumentError => error
  puts error.message
end
class Failing
  def self.to_s = raise("no name")
end
begin
  ObjectSpace.define_finalizer(Object.new, Failing.new)
rescue => error
  puts error.class, error.message
end
def NilClass.to_s = "Nothing"
begin
  ObjectSpace.define_finalizer(nil, proc {})
rescue ArgumentError => error
  puts error.message
end
