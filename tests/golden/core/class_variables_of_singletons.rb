# Class variables seen from singleton classes: of a class, its own and those of what it inherits from, not of its extensions.
def t
  p yield
rescue NameError => e
  puts e.message.gsub(/0x\h+/, "XX")
end

module Olympians
  @@rule = "Zeus"
end

class Top
  extend Olympians
  t { singleton_class.class_variables }
  t { singleton_class.class_variable_get(:@@rule) }
  class_variable_set(:@@foo, 1)
  t { singleton_class.class_variables }
  t { singleton_class.class_variable_get(:@@foo) }
  t { singleton_class.class_variable_defined?(:@@rule) }
  t { class << self; @@foo; end }
end

class Below < Top
  t { singleton_class.class_variables }
  t { singleton_class.class_variables(false) }
  t { singleton_class.class_variable_get(:@@foo) }
  singleton_class.class_variable_set(:@@bar, 2)
  t { singleton_class.class_variables.sort }
  t { class_variables }
end

object = Object.new.extend(Olympians)
t { object.singleton_class.class_variables }
t { object.singleton_class.class_variable_get(:@@rule) }
class << Olympians
  t { class_variables }
  t { class_variable_get(:@@rule) }
end
