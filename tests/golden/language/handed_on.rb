# `send`, `public_send`, `Method#call` and their other names hand their arguments on, from one site to many methods.
class Cpu
  attr_reader :a

  def initialize = (@a = 0; @ram = [1, 2, 3, 4])
  def load(n) = @a = n
  def add(n, m) = @a += n + m
  def nop = @a
  def optional(n, m = 10) = n + m
  def rest(*list) = list
  def keywords(n, k: 1) = [n, k]
  def block = block_given? ? yield : :none
  def caller_name = __method__
  alias other add
  alias_method :named, :caller_name
  def run(name, list) = send(name, *list)
  def run_all(*all) = send(*all)
  def run_one(name, n) = __send__(name, n)
  def peek(address) = @ram[address]
  def ram = @ram

  private

  def hidden(n) = -n

  protected

  def guarded(n) = n * 100

  public

  def inside(name, n) = send(name, n)
  def inside_public(name, n) = public_send(name, n)
end

cpu = Cpu.new
said = ->(&block) do
  block.call
rescue StandardError => e
  "#{e.class}: #{e.message.lines.first.chomp}"
end

def sent(receiver, name, n) = receiver.send(name, n)
def sent_publicly(receiver, name, n) = receiver.public_send(name, n)
def sent_alone(receiver, name) = receiver.send(name)
def sent_all(receiver, list) = receiver.send(*list)

200.times do |i|
  sent(cpu, :load, i)
  sent_all(cpu, [:add, i, 1])
  sent_alone(cpu, :nop)
end
p cpu.a

40.times do |i|
  list = []
  list << sent(cpu, i.odd? ? :load : :optional, i)
  list << sent(cpu, "load", i)
  list << sent(cpu, :rest, [i])
  list << sent(cpu, :keywords, i)
  list << sent(cpu, :hidden, i)
  list << sent_alone(cpu, :a)
  list << sent_alone(cpu, :block)
  list << sent_alone(cpu, :caller_name)
  list << sent_alone(cpu, :named)
  list << sent_all(cpu, [:other, i, i])
  list << sent_all(cpu, ["add", i, i])
  list << sent_all(cpu, [:rest, i, nil, :x])
  list << sent_all(cpu, [:keywords, i])
  list << sent_all(cpu, [:nop])
  list << cpu.run(:add, [i, 2]) << cpu.run_all(:load, i) << cpu.run_one(:load, i)
  list << cpu.inside(:guarded, i)
  p list if i == 39
end

p said.call { sent(cpu, :nop, 1) }
p said.call { sent(cpu, :missing, 1) }
p said.call { sent_publicly(cpu, :hidden, 1) }
p said.call { sent_publicly(cpu, :guarded, 1) }
p said.call { cpu.inside_public(:guarded, 1) }
p said.call { sent_publicly(cpu, :load, 1) }
p said.call { sent_all(cpu, []) }
p said.call { sent_all(cpu, [:add, 1]) }
p said.call { sent_all(cpu, [nil]) }
p said.call { sent(cpu, 5, 1) }
p said.call { cpu.send }

# What sends is sent, and what is sent is a call's own name.
p sent_all(cpu, [:send, :add, 1, 2]), sent(cpu, :public_send, :nop)

# Method objects, called as functions and as tables are read.
tables = [cpu.method(:peek), cpu.ram, cpu.method(:hidden), 5.method(:+), cpu.ram.method(:[]), cpu.method(:optional)]
def at(table, i) = table[i]
def called(method, *list) = method.call(*list)
def equal(method, i) = method === i
found = nil
120.times do |i|
  found = tables.map { |table| at(table, i & 3) }
  found << called(tables[0], 1) << called(tables[5], 1, 2) << equal(tables[3], 7) << tables[2].(3) << tables[4].call(2)
end
p found
store = cpu.ram.method(:[]=)
def put(store, i, v) = store[i, v]
60.times { |i| put(store, i & 3, i) }
p cpu.ram
p said.call { put(cpu.ram.freeze.method(:[]=), 0, 1) }
p said.call { called(tables[0]) }
p said.call { called(tables[0], 1, 2) }
p said.call { called(cpu.method(:block)) }

# A method that is defined anew, refused or refined while its name is being sent.
60.times do |i|
  Cpu.class_eval { def nop = :new } if i == 20
  Cpu.class_eval { private :nop } if i == 40
  p sent_alone(cpu, :nop) if i % 20 == 19
end
p said.call { cpu.public_send(:nop) }
class Cpu
  def method_missing(name, *list) = name == :ghost ? [name, list] : super
  def respond_to_missing?(name, all = false) = name == :ghost || super
end
p sent(cpu, :ghost, 1), cpu.method(:ghost)[2], sent_all(cpu, [:ghost, 1, 2])
p said.call { sent(cpu, :phantom, 1) }

module Louder
  refine(Cpu) { def load(n) = "refined #{n}" }
end
module Using
  using Louder
  def self.sent(receiver, name, n) = receiver.send(name, n)
  def self.all(receiver, list) = receiver.send(*list)
end
3.times { p [Using.sent(cpu, :load, 1), sent(cpu, :load, 1), Using.all(cpu, [:load, 2]), sent_all(cpu, [:load, 2])] }

def flagged(*list) = list
ruby2_keywords(def kept(*list) = list) rescue nil
class Cpu; ruby2_keywords def passed(*list) = send(*list); end
p cpu.passed(:keywords, 1, k: 2), cpu.passed(:rest, k: 3)

def deep(n) = n == 0 ? caller(0).size : send(:deep, n - 1)
p deep(50) - deep(0)
