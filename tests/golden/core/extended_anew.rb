# What an object's first `extend` gives it, where methods were called and classes asked before.

module Loud; def say = "LOUD"; def only_loud = 1; LEVEL = 11; end
module Quiet; def say = "quiet #{super}"; LEVEL = 1; end
module Before; def say = "before #{super}"; end
class Speaker
  attr_reader :name
  def initialize(name = nil) = @name = name
  def say = "plain"
end

def said(object) = object.say
def loud?(object) = object.is_a?(Loud)
def level(object) = object.singleton_class.const_get(:LEVEL)

plain = Speaker.new
p 50.times.map { [said(plain), loud?(plain)] }.uniq
p 50.times.map { |i| o = Speaker.new(i); o.extend(Loud) if i.odd?; [said(o), loud?(o), o.respond_to?(:only_loud), o.name == i] }.tally
one = Speaker.new(:one)
p [said(one), loud?(one), Loud === one, (one.only_loud rescue $!.class)]
p one.extend(Loud).equal?(one), said(one), loud?(one), Loud === one, one.only_loud, level(one)
p one.extend(Quiet), said(one), level(one), one.singleton_class.ancestors[1, 3], said(plain), loud?(plain) if one.singleton_class.define_method(:inspect) { "one" }
one.extend(Loud, Quiet)
p said(one), one.singleton_class.include?(Loud), one.singleton_class.included_modules.first(3)

# Several at once, ones that bring others, ones that the class has.
p Speaker.new.extend(Quiet, Loud).say, Speaker.new.extend(Loud, Quiet).say, Speaker.new.extend(Quiet).say
module Brings; include Loud; prepend Before; def say = "brings #{super}"; end
brought = Speaker.new
p said(brought), said(brought.extend(Brings)), brought.singleton_class.ancestors[1, 4], loud?(brought), brought.is_a?(Before)
p Speaker.new.extend(Kernel).singleton_class.ancestors.count(Kernel), Speaker.new.extend(Comparable).clamp(nil, nil).class
numbers = [3, 1, 2].extend(Loud)
p numbers.say, numbers.sort, numbers.first, numbers.dup.respond_to?(:say), numbers.clone.say, [3].respond_to?(:say)
p "text".dup.extend(Loud).say, {}.extend(Loud).say, (:s.extend(Loud) rescue $!.message), (1.extend(Loud) rescue $!.message)
p nil.extend(Module.new { def extended_nil = :yes }).extended_nil, (Speaker.new.freeze.extend(Loud) rescue $!.class)

# What is done to the module later, and hooks that look.
late = Module.new
holders = 3.times.map { Speaker.new.extend(late) }
p holders.map { |o| o.respond_to?(:later) }
late.define_method(:later) { :later }
p holders.map(&:later)
late.include(Module.new { def deeper = :deeper })
p holders.map(&:deeper)
late.prepend(Module.new { def later = [:first, super] })
p holders.map(&:later)
module Hooked
  def self.extend_object(object) = (object.say; super)
  def self.extended(object) = ($told = [object.say, object.is_a?(Hooked)])
  def say = "hooked #{super}"
end
p said(Speaker.new.extend(Hooked)), $told
class Speaker; def say = "again"; end
p said(one), said(brought), holders.map(&:say).uniq, 3.times.map { said(Speaker.new.extend(Loud)) }.uniq
module Loud; def say = "louder"; end
p said(brought), 3.times.map { said(Speaker.new.extend(Loud)) }.uniq

# Classes and modules are extended as well, and those below them see it.
class Below < Speaker; end
def called(on) = (on.only_loud rescue :none)
p 10.times.map { [called(Speaker), called(Below)] }.uniq
Speaker.extend(Loud)
p called(Speaker), called(Below), Below.singleton_class.include?(Loud), Below.say

# Operators of core classes stay as they are, but for the object.
module Plus; def +(other) = [:plus, other]; def ==(other) = :eq; def nil? = :nil?; def ! = :not; end
odd = [1].extend(Plus)
p odd + 2, odd == 3, odd.nil?, !odd, [1] + [2], [1] == [1], nil.nil?, !1
p 20.times.map { |i| x = i.odd? ? "a".dup.extend(Plus) : "a".dup; x + "b" }.tally
