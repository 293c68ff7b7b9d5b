# `public_send` has a line of its own in backtraces.
class A
  def call_it = public_send(:priv)
  def call_missing = public_send(:nope)
  def s = send(:nope)
  def us = __send__(:nope)
  def prot = A.new.public_send(:pro)
  private def priv = raise("x")
  protected def pro = 1
  def ok = public_send(:bang)
  def bang = raise("y")
  def arity = public_send(:bang, 1)
  def native = public_send(:instance_variable_get)
  def noname = public_send
  def badname = public_send(1)
  def meth = method(:nope)
  def pmeth = public_method(:priv)
  def try_p = Object.new.instance_exec { public_send(:puts, 1) }
  def try_s = 3.public_send(:system)
  def inj = [1, 2].inject(:priv)
  def inj2 = [1, 2].inject(:nope)
  def symp = [1].map(&:puts)
  def symn = [1].map(&:nope)
  def mm = Class.new { def method_missing(n, *a) = raise("mm #{n}") }.new.public_send(:zork)
  def mmp = Class.new { def method_missing(n, *a) = raise("mm #{n}"); private def zork = 1 }.new.public_send(:zork)
end
%i[call_it call_missing s us prot ok arity native noname badname meth pmeth try_p try_s inj inj2 symp symn mm mmp].each do |m|
  A.new.__send__(m)
rescue Exception
  puts "#{m}: #{$!.class}: #{$!.message.lines[0].chomp} #{$!.backtrace.take_while { !_1.include?("<main>") || _1.include?(" A ") }.map { _1.sub(/.*rb:/, "") }}"
end
class B
  def public_send(*) = raise("own")
  def t = public_send(:x)
end
class C < BasicObject
  def method_missing(name, *) = ::Kernel.raise("missing #{name}")
end
def c = C.new.public_send(:x)
def b = B.new.t
def from = 3.public_send(:then) { caller(0) }
def locations = 3.public_send(:then) { caller_locations(1, 2).map(&:label) }
def splat(*list) = 3.public_send(*list)
def block(&block) = 3.public_send(:then, &block)
def own_caller = public_send(:caller, 0)
def caller_of_public = public_send(:callers)
public def callers = caller
def shown(lines) = lines.take_while { !_1.include?("<main>") }.map { _1.sub(/.*rb:/, "") }
%i[b c].each do |m|
  send(m)
rescue Exception
  puts "#{m}: #{$!.message.lines[0].chomp} #{shown($!.backtrace)}"
end
begin
  block { raise "z" }
rescue
  p shown($!.backtrace)
end
begin
  splat(:nope)
rescue NoMethodError
  p shown($!.backtrace)
end
p shown(from), locations, shown(caller_of_public), (shown(own_caller) rescue $!.message)
sizes = Array.new(50) do
  splat(:+, 1)
  begin
    splat(:nope)
  rescue NoMethodError
    $!.backtrace.size
  end
end
p sizes.uniq.size
