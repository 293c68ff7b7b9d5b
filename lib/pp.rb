# PP: objects as text that people read, a line for each part of what does not fit on one.
require "prettyprint"
require "pp/inspect_key"

class PP < PrettyPrint
  VERSION = "0.6.3".freeze

  # Columns of a stream, less one.
  def self.width_for(out)
    columns = out.winsize[1] if out.respond_to?(:winsize) && out.respond_to?(:tty?) && out.tty?
    (columns || ENV["COLUMNS"]&.to_i&.nonzero? || 80) - 1
  end

  # Prints an object to +out+.
  def self.pp(object, out = $stdout, width = width_for(out))
    printer = new(out, width)
    printer.guard_inspect_key { printer.pp(object) }
    printer.flush
    out << "\n"
  end

  class << self
    # Whether an object that was printed before is shown as one that contains itself.
    attr_accessor :sharing_detection
  end

  # Prints an object to +out+ on a single line.
  def self.singleline_pp(object, out = $stdout)
    printer = SingleLine.new(out)
    printer.guard_inspect_key { printer.pp(object) }
    printer.flush
    out
  end

  # Calls a method as +klass+ defines it, whatever the object's class makes of it.
  def self.mcall(object, klass, name, ...) = klass.instance_method(name).bind_call(object, ...)

  # What a pretty_print method may call on its argument.
  module PPMethods
    # Objects around the one being printed are noted while the block runs.
    def guard_inspect_key
      outer, @printing = @printing, {}.compare_by_identity
      yield
    ensure
      @printing.keys.each { |object| pop_inspect_key(object) }
      @printing = outer
    end

    # What is being printed, and whether it is inspected for that alone.
    private def printing = @printing ||= {}.compare_by_identity

    def check_inspect_key(object) = printing.key?(object)
    def push_inspect_key(object) = printing[object] = InspectKey.enter(object)

    def pop_inspect_key(object)
      InspectKey.leave(object) if printing.delete(object)
    end

    # Prints a part. A delegator contains itself where its object does.
    def pp(object)
      object = object.__getobj__ if defined?(::Delegator) && ::Delegator === object
      return group { object.pretty_print_cycle(self) } if check_inspect_key(object) && !(::NilClass === object)
      begin
        push_inspect_key(object)
        group { object.pretty_print(self) }
      rescue NoMethodError
        text PP.mcall(object, Kernel, :inspect)
      ensure
        pop_inspect_key(object) unless PP.sharing_detection
      end
    end

    def object_group(object, &) = group(1, "#<#{object.class.name}", ">", &)

    def object_address_group(object, &)
      group(1, PP.mcall(object, Kernel, :to_s).chomp(">"), ">", &)
    end

    def comma_breakable
      text ","
      breakable
    end

    # Yields the elements that +list+ gives to +iterator+, with a separator between each two.
    def seplist(list, separator = nil, iterator = :each)
      is_first = true
      list.__send__(iterator) do |*values|
        if is_first
          is_first = false
        else
          separator ? separator.call : comma_breakable
        end
        # A last Hash that stands for keywords stays one value.
        yield(*values, **{})
      end
    end

    def pp_object(object)
      object_address_group(object) do
        seplist(object.pretty_print_instance_variables, -> { text "," }) do |name|
          breakable
          text name.to_s
          text "="
          group(1) do
            breakable ""
            pp(object.instance_variable_get(name))
          end
        end
      end
    end

    def pp_hash(hash)
      group(1, "{", "}") do
        seplist(hash, nil, :each_pair) { |key, value| group { pp_hash_pair(key, value) } }
      end
    end

    def pp_hash_pair(key, value)
      if key.is_a?(Symbol)
        text({key => nil}.inspect.delete_prefix("{").delete_suffix(" nil}"))
      else
        pp key
        text " "
        text "=>"
      end
      group(1) do
        breakable
        pp value
      end
    end
  end

  include PPMethods

  # Prints without breaking lines.
  class SingleLine < PrettyPrint::SingleLine
    include PPMethods
  end

  # What every object answers a printer.
  module ObjectMixin
    def pretty_print(printer)
      inspect_method = method(:inspect)
      if inspect_method.owner != Kernel || instance_variables.empty?
        printer.text inspect
      else
        printer.pp_object(self)
      end
    end

    def pretty_print_cycle(printer)
      printer.object_address_group(self) do
        printer.breakable
        printer.text "..."
      end
    end

    # The names that +inspect+ is told to show, or all.
    def pretty_print_instance_variables
      names = instance_variables_to_inspect if respond_to?(:instance_variables_to_inspect)
      return instance_variables.sort if names.nil?
      return instance_variables & names if Array === names
      raise TypeError, "Expected #instance_variables_to_inspect to return an Array or nil, but it returned #{names.class}"
    end

    def pretty_print_inspect
      raise "pretty_print is not overridden for #{self.class}" if method(:pretty_print).owner == ObjectMixin
      PP.singleline_pp(self, "".dup)
    end
  end
end

class Array
  def pretty_print(printer)
    printer.group(1, "[", "]") { printer.seplist(self) { |element| printer.pp(element) } }
  end

  def pretty_print_cycle(printer) = printer.text(empty? ? "[]" : "[...]")
end

class Hash
  def pretty_print(printer) = printer.pp_hash(self)
  def pretty_print_cycle(printer) = printer.text(empty? ? "{}" : "{...}")
end

class Struct
  def pretty_print(printer)
    printer.group(1, "#<struct #{PP.mcall(self, Kernel, :class).name}", ">") do
      printer.seplist(PP.mcall(self, Struct, :members), -> { printer.text "," }) do |member|
        printer.breakable
        printer.text member.to_s
        printer.text "="
        printer.group(1) do
          printer.breakable ""
          printer.pp(self[member])
        end
      end
    end
  end

  def pretty_print_cycle(printer)
    printer.text("#<struct #{PP.mcall(self, Kernel, :class).name}:...>")
  end
end

class Data
  def pretty_print(printer)
    name = PP.mcall(self, Kernel, :class).name
    printer.group(1, "#<data#{" #{name}" if name}", ">") do
      members = PP.mcall(self, Kernel, :class).members.select { |member| respond_to?(member, true) }
      printer.seplist(members, -> { printer.text "," }) do |member|
        printer.breakable
        printer.text member.to_s
        printer.text "="
        printer.group(1) do
          printer.breakable ""
          printer.pp(__send__(member))
        end
      end
    end
  end

  def pretty_print_cycle(printer)
    printer.text("#<data #{PP.mcall(self, Kernel, :class).name}:...>")
  end
end

class Set
  def pretty_print(printer)
    name = PP.mcall(self, Kernel, :class).name
    return pretty_print_elements(printer, "#{name}[", "]") if pretty_print_plain?
    printer.group(1, "#<#{name}:", ">") do
      printer.breakable
      pretty_print_elements(printer, "{", "}")
    end
  end

  def pretty_print_cycle(printer)
    name = PP.mcall(self, Kernel, :class).name
    printer.text(pretty_print_plain? ? "#{name}[...]" : "#<#{name}: {...}>")
  end

  private

  def pretty_print_plain? = instance_of?(Set) || is_a?(Set::CoreSet)

  def pretty_print_elements(printer, open, close)
    printer.group(1, open, close) { printer.seplist(self) { |element| printer.pp(element) } }
  end
end

class Range
  def pretty_print(printer)
    printer.pp(self.begin) unless self.begin.nil? && !self.end.nil?
    printer.breakable ""
    printer.text(exclude_end? ? "..." : "..")
    printer.breakable ""
    printer.pp(self.end) unless self.end.nil?
    printer.pp(nil) if self.begin.nil? && self.end.nil?
  end
end

class String
  def pretty_print(printer)
    lines = self.lines
    return printer.text(inspect) if lines.size < 2
    printer.group(0, "", "") do
      printer.seplist(lines, -> { printer.text(" +"); printer.breakable }) { |line| printer.pp(line) }
    end
  end
end

class MatchData
  def pretty_print(printer)
    printer.object_group(self) do
      printer.breakable
      printer.seplist(0...size, -> { printer.breakable }) do |at|
        if at > 0
          printer.text(regexp.names[at - 1] || at.to_s)
          printer.text ":"
        end
        printer.pp(self[at])
      end
    end
  end
end

class Object < BasicObject
  include PP::ObjectMixin
end

module Kernel
  # The object as pp prints it.
  def pretty_inspect = PP.pp(self, "".dup)

  # The one that loads this file goes.
  alias pp pp

  # Prints objects as PP does and returns them.
  def pp(*objects)
    objects.each { |object| PP.pp(object) }
    objects.size <= 1 ? objects.first : objects
  end
  module_function :pp
end
