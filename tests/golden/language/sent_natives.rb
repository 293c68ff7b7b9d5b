# Native methods that are called by `send`, `__send__`, `public_send` and `send(*list)`.
class Own
  def initialize(x) = @x = x

  def scope
    local = 1
    [send(:binding).local_variables, __send__(:local_variables), send(:__method__), local]
  end

  def given = [send(:block_given?), public_send(:instance_variables)]
  def raises = send(:raise, ArgumentError, "on purpose")
  def caller_name = send(:caller, 0, 2).map { |line| line[/in '?(.*?)'?\z/, 1] }
  def catches = send(:catch, :done) { send(:throw, :done, 5) }
  def lambda_of = send(:lambda) { |x| x }.lambda?
  def proc_of = send(:proc) { |x| x }.lambda?
  def set(name, value) = send(:instance_variable_set, name, value)
  def get(name) = send(:instance_variable_get, name)
  def list(*list) = send(*list)
end

def tell
  p yield
rescue NoMethodError, ArgumentError, TypeError, NameError => e
  puts "#{e.class}: #{e.message.lines.first.chomp}", e.backtrace.first[/in .*/]
end

class Quiet
  def write(*texts) = texts.sum(&:bytesize)
end

20.times do |turn|
  quiet = turn > 0 && turn < 19
  $stdout = Quiet.new if quiet
  own = Own.new(turn % 2)
  tell { own.scope }
  tell { own.given }
  tell { own.given { nil } }
  tell { own.raises }
  tell { own.caller_name }
  tell { own.catches }
  tell { [own.lambda_of, own.proc_of] }
  tell { [own.set(:@y, 4), own.get(:@y), own.list(:instance_variable_get, :@y), own.list(:class)] }
  tell { [1.send(:+, 2), 1.public_send(:<=>, 2), "a".send(:*, 3), [3, 1].send(:max), nil.send(:to_a)] }
  tell { 1.send(:+) }
  tell { 1.send(:+, 2, 3) }
  tell { 1.send(:/, 0) rescue $!.backtrace.map { |line| line[/in '?(.*?)'?\z/, 1] }.first(2) }
  tell { own.list(:+, 1) }
  tell { own.list(1) }
  tell { own.list }
  tell { [[2, 1], %w[b a]].map { |list| list.send(:sort) } }
  tell { %w[a b].send(:map, &:upcase) }
  tell { [1, 2].send(:inject, :+) }
  tell { [3, 4].inject { |a, b| a.public_send(:*, b) } }
  tell { [2, 3].reduce(2, :**) }
  tell { [[1], [2]].reduce(:+) }
  tell { [5, 3].inject(:private_thing) }
  tell { Object.new.send(:initialize_copy, 1) }
  tell { "x".send(:respond_to?, :upcase) }
  tell { own.send(:respond_to?, :puts, true) }
  tell { own.send(:frozen?) }
  tell { own.send(:instance_eval) { @x.class } }
  tell { own.send(:instance_exec, 3) { |n| n } }
  tell { own.send(:send, :send, :class) }
  tell { own.send(:method, :given).call }
  tell { own.send(:define_singleton_method, :one) { 1 } }
  tell { own.one }
  tell { Own.send(:alias_method, :another, :given) }
  tell { Own.send(:private, :another) }
  tell { Own.send(:public, :another) }
  tell { format("%d", own.send(:Integer, "12")) }
  tell { own.send(:tap) { nil }.class }
  tell { own.send(:then) { 7 } }
  tell { own.send(:loop) { break 8 } }
  tell { "abc".send(:[], 1, 2) }
  tell { "abc =~ x".send(:=~, /c/) }
  tell { $~ }
  tell { "abc".send(:gsub, "b") { |m| m.upcase } }
  $stdout = STDOUT if quiet
end
