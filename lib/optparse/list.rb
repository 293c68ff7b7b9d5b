# frozen_string_literal: true

class OptionParser
  # Options in the order of the summary, found by their names; and types that arguments may have.
  class List
    attr_reader :atype, :short, :long, :list

    def initialize
      @atype = {}
      @short = OptionMap.new
      @long = OptionMap.new
      @list = []
    end

    # Declares a type: what arguments look like, and what becomes of them.
    def accept(type, pattern = /.*/m, &block)
      if pattern
        unless pattern.respond_to?(:match)
          raise TypeError, "has no 'match'", ParseError.filter_backtrace(caller(2))
        end
      elsif type.respond_to?(:match) then pattern = type
      end
      block ||= pattern.respond_to?(:convert) ? pattern.method(:convert).to_proc : SPLAT_PROC
      @atype[type] = [pattern, block]
    end

    def reject(type) = @atype.delete(type)

    def prepend(*args)
      update(*args)
      @list.unshift(args[0])
    end

    def append(*args)
      update(*args)
      @list.push(args[0])
    end

    def search(kind, key)
      found = __send__(kind).fetch(key) { return nil }
      block_given? ? yield(found) : found
    end

    def complete(kind, option, icase = false, *pattern, &block)
      __send__(kind).complete(option, icase, *pattern, &block)
    end

    def get_candidates(kind)
      yield __send__(kind).keys
    end

    def each_option(&block) = list.each(&block)

    def summarize(*args, &block)
      # The latest of several switches of one name shows it.
      list.reverse.map { |option| summary(option, args) }.reverse.each { |lines| lines.each(&block) }
    end

    def add_banner(to)
      list.each { |option| option.add_banner(to) if option.respond_to?(:add_banner) }
      to
    end

    def compsys(...)
      list.each { |option| option.compsys(...) if option.respond_to?(:compsys) }
    end

    def pretty_print(printer)
      printer.group(1, "(", ")") do
        list.grep(Switch) do |switch|
          printer.group(1, "(#{switch.pretty_head}", ")") { switch.pretty_print_contents(printer) }
        end
      end
    end

    private

    def summary(option, args)
      if option.respond_to?(:summarize)
        lines = []
        option.summarize(*args) { |line| lines << line }
        lines
      elsif !option || option.empty? then [""]
      else (option.respond_to?(:each_line) ? option.each_line : option.each).to_a
      end
    end

    def update(switch, shorts, longs, no_switch = nil, no_longs = nil)
      shorts&.each { |name| @short[name] = switch }
      longs&.each { |name| @long[name] = switch }
      no_longs&.each { |name| @long[name] = no_switch } if no_switch
      used = @short.invert.update(@long.invert)
      @list.delete_if { |option| Switch === option && !used[option] }
    end
  end
end
