# What -w says of methods that take the place of others.
$stderr = $stdout
def first; end
def first; end
$VERBOSE = true
def first; end
class Sample
  def a; end
  def a; end
  attr_reader :a
  def b; end
  alias c b
  def b; end
  def c; end
  def d; end
  define_method(:d) {}
  define_method(:d) {}
  def e; end
  private :e
  def e; end
  undef e
  def e; end
  def self.f; end
  def self.f; end
end
class Sub < Sample
  def a; end
end
class String
  def unknown_to_string; end
end
Struct.new(:g) do
  def g; end
end
$VERBOSE = false
def first; end
