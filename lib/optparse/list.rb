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
          raise TypeError, "has no 'match'"
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
      found = __send__(kind)[key]
      found && block_given? ? yield(found) : found
    end

    def complete(kind, option, icase = false, *pattern, &block)
      __send__(kind).complete(option, icase, *pattern, &block)
    end

    def get_candidates(kind)
      yield __send__(kind).keys
    end

    def each_option(&block) = list.each(&block)

    def summarize(*args, &block)
      list.each do |option|
        if option.respond_to?(:summarize) then option.summarize(*args, &block)
        elsif option.nil? || option.empty? then yield("")
        else option.each_line(&block)
        end
      end
    end

    def add_banner(to)
      list.each { |option| option.add_banner(to) if option.respond_to?(:add_banner) }
      to
    end

    private

    def update(switch, shorts, longs, no_switch = nil, no_longs = nil)
      shorts&.each { |name| @short[name] = switch }
      longs&.each { |name| @long[name] = switch }
      no_longs&.each { |name| @long[name] = no_switch } if no_switch
      used = @short.invert.update(@long.invert)
      @list.delete_if { |option| Switch === option && !used[option] && !option.match_nonswitch?("") && (option.short || option.long) }
    end
  end
end
