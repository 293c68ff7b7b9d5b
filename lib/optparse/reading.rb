# frozen_string_literal: true

class OptionParser
  # Stops at the first argument that is no option; such are yielded to a block.
  def order(*argv, into: nil, **keywords, &nonopt)
    argv = argv[0].dup if argv.size == 1 && Array === argv[0]
    order!(argv, into: into, **keywords, &nonopt)
  end

  def order!(argv = default_argv, into: nil, **keywords, &nonopt)
    setter = into && ->(name, value) { into[name.to_sym] = value }
    parse_in_order(argv, setter, **keywords, &nonopt)
  end

  # Reads options wherever they stand and returns the rest.
  def permute(*argv, **keywords)
    argv = argv[0].dup if argv.size == 1 && Array === argv[0]
    permute!(argv, **keywords)
  end

  def permute!(argv = default_argv, **keywords)
    rest = []
    order!(argv, **keywords) { |argument| rest << argument }
    argv[0, 0] = rest
    argv
  end

  # One or the other, as POSIXLY_CORRECT says.
  def parse(*argv, **keywords)
    argv = argv[0].dup if argv.size == 1 && Array === argv[0]
    parse!(argv, **keywords)
  end

  def parse!(argv = default_argv, **keywords)
    ENV.include?("POSIXLY_CORRECT") ? order!(argv, **keywords) : permute!(argv, **keywords)
  end

  # Options in a file, one a line.
  def load(filename = nil, **keywords)
    return parse(*File.readlines(filename, chomp: true), **keywords) && true if filename
    name = File.basename($0, ".*")
    ["~/.options/#{name}", "#{ENV["XDG_CONFIG_HOME"] || "~/.config"}/#{name}.options"].any? do |path|
      parse(*File.readlines(File.expand_path(path), chomp: true), **keywords) && true
    rescue SystemCallError, ArgumentError
      false
    end
  end

  # Options in an environment variable.
  def environment(name = File.basename($0, ".*"), **keywords)
    text = ENV[name] || ENV[name.upcase] or return
    require "shellwords"
    parse(*Shellwords.shellwords(text), **keywords)
  end

  # Names like an unknown one.
  def candidate(word)
    list = []
    case word
    when "-" then long = short = true
    when /\A--/
      word = word[/\A[^=]*/]
      long = true
    when /\A-/ then short = true
    end
    @stack.reverse_each do |switches|
      switches.long.each_key { |name| list << "--#{name}" if long && name.start_with?(word.delete_prefix("--")) }
      switches.short.each_key { |name| list << "-#{name}" if short && String === name }
    end
    list.uniq
  end

  # What is added to the message about an unknown option.
  def additional_message(kind, option)
    return unless kind && defined?(DidYouMean::SpellChecker)
    names = []
    @stack.reverse_each { |list| list.get_candidates(kind) { |found| names.concat(found.grep(String)) } }
    names = names.select { |name| name.size > 1 } if kind == :long
    DidYouMean.formatter.message_for(DidYouMean::SpellChecker.new(dictionary: names).correct(option))
  end

  private

  def parse_in_order(argv, setter = nil, exact: require_exact, **, &nonopt)
    nonopt ||= proc { |argument| throw :terminate, argument }
    stopped = catch(:terminate) do
      while (argument = argv.shift)
        case argument
        when /\A--([^=]*)(?:(=)(.*))?/m then read_long(argument, $1, $3, argv, setter, exact)
        when /\A-(.)((=).*|.+)?/m then read_short(argument, $1, $2, $3, argv, setter, exact, &nonopt)
        else read_argument(argument, setter, &nonopt)
        end
      end
      nil
    end
    argv.unshift(stopped) if stopped
    argv
  end

  def read_long(argument, name, value, argv, setter, exact)
    name = name.tr("_", "-") unless name.empty?
    begin
      switch, = complete(:long, name, true)
      raise InvalidOption.new(argument, additional: nil) if exact && !switch.long.include?("--#{name}") && !no_name?(switch, name)
    rescue ParseError
      throw :terminate, argument if !raise_unknown && InvalidOption === $!
      raise $!.set_option(argument, true)
    end
    begin
      _, callback, found = switch.parse(value, argv) { |*problem| raise(*problem) }
      call(switch, callback, found, setter)
    rescue ParseError
      raise $!.set_option(argument, value)
    end
  end

  # Whether it is the other half of "--[no-]name", or the end of the options.
  def no_name?(switch, name)
    name.empty? || switch.long.any? { |long| long.sub(/\A--(?:\[no-\])?/, "") == name.delete_prefix("no-") }
  end

  def read_short(argument, name, rest, equals, argv, setter, exact)
    has_value = equals
    value = rest
    begin
      unless (switch = search(:short, name))
        begin
          switch, = complete(:short, name)
          # A pattern stands for itself: the whole is the value.
          value = argument.delete_prefix("-")
          has_value = true
        rescue ParseError
          raise if exact
          switch, = complete(:long, name)
          has_value ||= !rest
        end
      end
    rescue ParseError
      throw :terminate, argument if !raise_unknown && InvalidOption === $!
      raise $!.set_option(argument, true)
    end
    begin
      value = value.delete_prefix("=") if equals && value
      left, callback, found = switch.parse(value, argv) do |*problem|
        raise(*problem) if has_value
        problem
      end
      # Letters behind one without an argument are letters of their own.
      argv.unshift("-#{left}") if left && !left.empty?
      call(switch, callback, found, setter)
    rescue ParseError
      raise $!.set_option(argument, argument.length > 2)
    end
  end

  def read_argument(argument, setter)
    catch(:prune) do
      @stack.reverse_each do |list|
        list.list.each do |switch|
          next unless Switch === switch && switch.match_nonswitch?(argument)
          switch.block.call(argument)
          throw :prune
        end
      end
      yield argument
    end
  end

  def call(switch, callback, value, setter)
    result = callback ? callback.call(value) : value
    setter&.call(switch.switch_name, result)
  end

  # The switch whose name begins so.
  def complete(kind, name, icase = false, *pattern)
    if pattern.empty? && (found = search(kind, name))
      return [found, name]
    end
    ambiguous = catch(:ambiguous) do
      @stack.reverse_each { |list| list.complete(kind, name, icase, *pattern) { |_, *found| return found } }
      nil
    end
    raise (ambiguous ? AmbiguousOption : InvalidOption).new(name, additional: method(:additional_message).to_proc.curry[kind])
  end
end
