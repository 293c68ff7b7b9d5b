# Warning: where warnings go. Which categories are on (Warning[], Warning[]=, Warning.categories) is native.
#
# Primitives:
#   warning_category?(name)     whether there is such a category; warning_enabled?(name) whether it is on
#   stderr_write(text)          $stderr.write(text)
#   caller_location(n)          "path:line: " of the n-th Ruby frame outside the core library, or nil
module Warning
  # Writes a message to $stderr. Every warning of the interpreter and of Kernel#warn arrives here.
  #   Warning.warn("look out\n")
  def warn(message, category: nil)
    unless Primitive.kind_of(message, String)
      raise TypeError, "wrong argument type #{Primitive.class_of(message)} (expected String)"
    end
    unless category.nil?
      category = Core.warning_category(category)
      return nil unless Primitive.warning_enabled?(category)
    end
    unless message.encoding.ascii_compatible?
      raise Encoding::CompatibilityError, "ASCII incompatible encoding: #{message.encoding}"
    end
    Primitive.stderr_write(message)
    nil
  end
  extend self
end

module Kernel
  # Writes messages to $stderr unless warnings are off. +uplevel+ puts the position of a caller in front.
  #   warn("look out", uplevel: 0)
  def warn(*messages, uplevel: nil, category: nil)
    unless uplevel.nil?
      uplevel = Primitive.to_long(uplevel)
      raise ArgumentError, "negative level (#{uplevel})" if uplevel < 0
    end
    category = Core.warning_category(category) unless category.nil?
    return nil if $VERBOSE.nil? || Primitive.array_size(messages) == 0
    return nil if category && !Primitive.warning_enabled?(category)
    text = uplevel.nil? ? +"" : "#{Primitive.caller_location(uplevel)}warning: "
    Core.warning_lines(text, messages)
    return nil if text.empty?
    # Warning.warn may be a program's own that calls this one. It may also be one that takes no keywords.
    if Primitive.same(self, Warning)
      Primitive.stderr_write(text)
    elsif Warning.respond_to?(:warn, true) && Warning.method(:warn).arity == 1
      Warning.warn(text)
    else
      Warning.warn(text, category: category)
    end
    nil
  end
  module_function :warn
end

module Core
  # A category's name as a Symbol that is known.
  def self.warning_category(category)
    unless Primitive.kind_of(category, Symbol)
      symbol = Primitive.check_funcall(category, :to_sym)
      unless Primitive.kind_of(symbol, Symbol)
        raise TypeError, "no implicit conversion of #{Primitive.class_of(category)} into Symbol"
      end
      category = symbol
    end
    raise ArgumentError, "unknown category: #{category}" unless Primitive.warning_category?(category)
    category
  end

  # Appends each message, those in arrays too, as a line of its own.
  def self.warning_lines(text, messages)
    i = 0
    while i < Primitive.array_size(messages)
      message = Primitive.array_at(messages, i)
      array = Primitive.check_array(message)
      if array
        Core.warning_lines(text, array)
      else
        text << message.to_s
        text << "\n" unless text.end_with?("\n")
      end
      i += 1
    end
  end
end
