# Methods that everything relies on: who defines them anew, or takes them away, is warned.
$stderr = $stdout
class A
  def object_id = 1
  def __id__ = 2
  def __send__(*) = 1
  def instance_eval = 1
  def initialize = 1
  def method_missing(*) = super
  def respond_to? = 1
end
class Object
  def respond_to_missing?(*) = false
end
class Object
  def method_missing(*) = super
  remove_method :method_missing
end
class BasicObject
  def method_missing(*) = super
end
module Kernel
  alias own_object_id object_id
  def object_id = own_object_id
end
class B
  define_method(:object_id) { 1 }
  alias __id__ hash
  attr_reader :__send__
  undef_method :object_id
  remove_method :__id__
  def initialize = 1
  remove_method :initialize
end
o = Object.new
def o.object_id = 3
def o.method_missing(*) = 3
module M
  def object_id = 1
end
class A
  begin
    remove_method :object_id
    remove_method :object_id
  rescue NameError => e
    puts e.message
  end
end
$VERBOSE = nil
class A
  def __send__ = 2
end
