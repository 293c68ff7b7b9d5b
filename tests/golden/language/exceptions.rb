# raise, rescue, else, ensure, retry, redo of control flow, and the exception hierarchy.
class AppError < StandardError
  def initialize(message = "app failed") = super
end
class DetailError < AppError
  attr_reader :detail
  def initialize(detail)
    @detail = detail
    super("detail: #{detail}")
  end
end

def flow(kind)
  log = [:start]
  begin
    case kind
    when :app then raise AppError
    when :detail then raise DetailError.new(3)
    when :type then raise TypeError, "typed"
    when :string then raise "just a string"
    when :class_message then raise AppError, "given"
    end
    log << :body
  rescue DetailError => error
    log << error.detail
  rescue AppError, TypeError => error
    log << error.class << error.message
  rescue => error
    log << :other << error.message
  else
    log << :else
  ensure
    log << :ensure
  end
  log
end
[:none, :app, :detail, :type, :string, :class_message].each { |kind| p flow(kind) }

def ensure_order
  yield
ensure
  print "e1 "
end
ensure_order { print "body " }
[1].each { ensure_order { break } }
puts
def ensure_value = begin; 1; ensure; 2; end
def ensure_return
  return 1
ensure
  return 2
end
def nested
  begin
    begin
      raise "inner"
    ensure
      print "ensure "
    end
  rescue => error
    print error.message, " "
    raise ArgumentError, "outer"
  end
rescue => error
  puts error.message, error.cause.message, error.cause.cause.inspect
end
p ensure_value, ensure_return
nested

attempts = 0
begin
  attempts += 1
  raise "again" if attempts < 3
  p attempts
rescue
  retry
end

p (Integer("x") rescue "modifier")
value = raise("x") rescue 5
p value
def rescue_in_method
  raise "m"
rescue => e
  "rescued #{e.message}"
else
  "else"
ensure
  print "(ensured) "
end
p rescue_in_method
rescued = [1, 2].map do |x|
  raise "odd" if x.odd?
  x
rescue => e
  e.message
end
p rescued

def matcher = Class.new { def self.===(error) = error.message.start_with?("match") }
begin
  raise "match me"
rescue matcher => error
  p error.message
end
begin
  raise "splat"
rescue *[TypeError, RuntimeError] => error
  p error.class
end
begin
  raise 5
rescue TypeError => error
  p error.message
end
begin
  begin
    raise "first"
  rescue
    raise
  end
rescue => error
  p error.message, $!.equal?(error)
end
p $!
begin
  raise AppError.new("with cause"), cause: IOError.new("io")
rescue => error
  p error.cause
end
error = AppError.new("compare")
p error == AppError.new("compare"), error == AppError.new("x"), error.exception.equal?(error), error.exception("new").message
p error.backtrace, error.full_message(highlight: false), error.inspect, AppError.new("").inspect, StandardError.new(nil).message
p StandardError.new("a\nb").inspect
p [ZeroDivisionError, KeyError, StopIteration, FrozenError, NoMethodError, FloatDomainError, SystemStackError].map { |c| c.superclass }
p KeyError.new("k", receiver: {}, key: 1).key
begin
  raise Class.new(StandardError) { def message = "overridden" }
rescue => error
  p error.message, error.detailed_message.sub(/#<Class:.*?>/, "C")
end
begin
  def deep(n) = deep(n + 1) + 1
  raise SystemStackError, "stack level too deep"
rescue SystemStackError => error
  p error.class
end
x = begin
  10
rescue
  20
else
  30
ensure
  40
end
p x
catch_all = begin
  exit(3)
rescue SystemExit => e
  [e.status, e.success?, e.message]
end
p catch_all
begin
  abort
rescue SystemExit => e
  p e.status
end
begin; [].fetch(9); rescue IndexError => e; p e.message; end
begin; {a: 1}.fetch(:b); rescue KeyError => e; p e.message, e.receiver, e.key; end
begin; nil.foo; rescue NoMethodError => e; p e.message, e.name, e.args, e.receiver; end
begin; foo_bar; rescue NameError => e; p e.message, e.name; end
begin; Integer("zz"); rescue ArgumentError => e; p e.message; end
begin; "a" + 1; rescue TypeError => e; p e.message; end
begin; 1 + "a"; rescue TypeError => e; p e.message; end
begin; [1] + nil; rescue TypeError => e; p e.message; end
begin; Object.new.instance_variable_get("x"); rescue NameError => e; p e.message; end
begin; raise "a", "b"; rescue TypeError => e; p e.message; end
