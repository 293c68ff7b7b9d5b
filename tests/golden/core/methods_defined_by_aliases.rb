# `define_method` with the Method object of an alias: `super` looks for the name that the method was written with.
module Watched
  def push(*items) = ($log << [:push, items]; super)
  alias_method :append, :push
  def unshift(*items) = ($log << [:unshift, items]; super)
  alias prepend unshift
end

class Copied < Array
  Watched.instance_methods.each { |name| define_method(name, Watched.instance_method(name)) }
end

$log = []
list = Copied.new
list.push(1)
list.append(2)
list.unshift(3)
list.prepend(4)
p $log, list

$log.clear
plain = []
Watched.instance_methods.each { |name| plain.singleton_class.define_method(name, Watched.instance_method(name)) }
plain.append(1)
plain.prepend(2)
p $log, plain
p Copied.instance_method(:append).name, Copied.instance_method(:append).original_name
p plain.method(:prepend).super_method.owner, plain.method(:prepend).super_method.name
