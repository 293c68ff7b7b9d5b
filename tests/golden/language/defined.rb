# defined? of every kind of expression.
local = 1
@ivar = 1
$gvar = 1
CONST = 1
class Klass
  @@cvar = 1
  def self.probe = [defined?(@@cvar), defined?(@@none), defined?(super), defined?(yield), defined?(self)]
  def method_call = 1
  def block = defined?(yield)
  private def hidden = 1
  protected def guarded = 1
end
object = Klass.new
p defined?(local), defined?(@ivar), defined?(@none), defined?($gvar), defined?($none), defined?(CONST), defined?(None)
p Klass.probe, object.block, object.block {}
p defined?(puts), defined?(nope), defined?(object.method_call), defined?(object.nope), defined?(object.hidden), defined?(object.guarded)
p defined?(String.new), defined?(Nope.new), defined?(nope.method_call), defined?(object.method_call.nope)
p defined?(1), defined?("s"), defined?(:s), defined?([]), defined?({}), defined?(1..2), defined?(nil), defined?(true), defined?(false), defined?(self)
p defined?(local = 2), local, defined?(fresh = 1), fresh, defined?(@a ||= 1), defined?(CONST2 = 1), defined?(local += 1)
p defined?(1 + 1), defined?(1.nope), defined?(nope + 1), defined?(!local), defined?(not nope)
p defined?(local && nope), defined?(local || nope), defined?(if true then 1 end), defined?(while false do end)
p defined?(-> {}), defined?(proc {}), defined?("#{local}"), defined?(/x/), defined?(__FILE__), defined?(__method__)
p defined?(yield), defined?(super), defined?(Klass::CVAR), defined?(::CONST), defined?(::None), defined?(Klass.probe)
p defined?($1), defined?($&), ("x" =~ /(x)/; [defined?($1), defined?($2), defined?($&), defined?($~)])
p defined?([local]), defined?([nope]), defined?({ a: nope }), defined?(puts(nope)), defined?(puts nope)
p defined?(@ivar.size), defined?(object.method_call = 1), defined?(object[0]), defined?([1][0])
p defined?((local)), defined?(()), defined?((nope)), defined?(begin; 1; end)
p defined?(raise), defined?(String), defined?(Object::String), defined?(File::Nope::X)
p defined?(case 1 when 1 then 2 end)
def check(x = defined?(x)) = x
p check
p defined?(@@top) rescue p $!.class
p defined?(local).frozen?, defined?(puts).encoding, (defined? local), (defined? nope.nil?)
