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

  # Options in a file, one a line. Without a name it is the first that is there of the files that belong to the program.
  def load(filename = nil, **keywords)
    return default_files.any? { |path| load(path, **keywords) } unless filename
    parse(*File.readlines(filename, chomp: true), **keywords)
    true
  rescue Errno::ENOENT, Errno::ENOTDIR
    false
  end

  # Options in an environment variable.
  def environment(name = File.basename($0, ".*"), **keywords)
    text = ENV[name] || ENV[name.upcase] or return
    require "shellwords"
    parse(*Shellwords.shellwords(text), **keywords)
  end

  # What +word+ may become: names of options, or values of the option that it names.
  def candidate(word)
    name, value = word.start_with?("--") ? word.split("=", 2) : [word]
    long = word == "-" || word.start_with?("--")
    short = word == "-" || !long
    return [] if word.empty?
    pattern = Completion.regexp(name, long) unless word == "-"
    switches.flat_map do |switch|
      names = [*(switch.short if short), *(switch.long if long)]
      names = names.grep(pattern) if pattern
      next names unless switch.arg&.start_with?("=")
      next names.map { |found| "#{found}=" } unless value && CompletingHash === switch.pattern
      switch.pattern.candidate(value, false).map(&:last)
    end
  end

  # What is added to the message about an unknown option.
  def additional_message(kind, option)
    return unless kind && option && defined?(DidYouMean::SpellChecker)
    names = []
    @stack.reverse_each { |list| list.get_candidates(kind) { |found| names.concat(found.grep(String)) } }
    DidYouMean.formatter.message_for(names & DidYouMean::SpellChecker.new(dictionary: names).correct(option))
  end

  private

  # The switches that the program declared, the latest list first.
  def switches = @stack.reverse.flat_map { |list| list.list.grep(Switch) }

  def default_files
    name = File.basename($0, ".*")
    folders = [ENV["XDG_CONFIG_HOME"].then { |home| home.nil? || home.empty? ? File.expand_path("~/.config") : home }]
    folders.concat(ENV["XDG_CONFIG_DIRS"].to_s.split(File::PATH_SEPARATOR)) << File.expand_path("~/config/settings")
    folders.reject!(&:empty?)
    [File.expand_path("~/.options/#{name}"), *folders.map { |folder| File.join(folder, "#{name}.options") }]
  rescue ArgumentError
    []
  end

  def parse_in_order(argv, setter = nil, exact: require_exact, **, &nonopt)
    nonopt ||= proc { |argument| throw :terminate, argument }
    stopped = catch(:terminate) do
      while (argument = argv.shift)
        case argument
        when /\A--([^=]*)(?:(=)(.*))?/m then read_long(argument, $1, $3, argv, setter, exact)
        when /\A-(.)((=).*|.+)?/m then read_short(argument, $1, $2, $3, argv, setter, exact)
        else read_argument(argument, setter, &nonopt)
        end
      end
      nil
    end
    argv.unshift(stopped) if stopped
    # A block that was declared with neither a switch nor a pattern takes what is left.
    @stack.reverse_each { |list| list.search(:short, nil) { |switch| switch.block.call(*argv) unless switch.pattern } }
    argv
  end

  def read_long(argument, name, value, argv, setter, exact)
    name = name.tr("_", "-") unless name.empty?
    begin
      switch, = exact ? search(:long, name) : complete(:long, name, true)
    rescue ParseError
      throw :terminate, argument unless raise_unknown
      raise $!.set_option(argument, true)
    end
    unless switch
      throw :terminate, argument unless raise_unknown
      raise InvalidOption, argument
    end
    begin
      _, callback, *found = switch.parse(value, argv) { |*problem| raise(*problem) }
      call(switch, callback, found, setter)
    rescue ParseError
      raise $!.set_option(argument, value)
    end
  end

  def read_short(argument, name, rest, equals, argv, setter, exact)
    switch, value, whole, equals = find_short(argument, name, rest, equals, exact)
    begin
      left, callback, *found = switch.parse(value, argv) { |*problem| raise(*problem) if equals }
    rescue ParseError
      raise $!.set_option(argument, argument.length > 2)
    end
    # Nothing of it was read: the next attempt would find the same switch.
    raise InvalidOption, argument if whole && !equals && argument == "-#{left}"
    begin
      # Letters behind one without an argument are letters of their own.
      left = left.sub(/\A-*/, "-") if left && rest
      argv.unshift(left) if left && left != "-"
      call(switch, callback, found, setter)
    rescue ParseError
      raise $!.set_option(argument, argument.length > 2)
    end
  end

  # The switch of a letter, its value, whether the value is the whole argument, and whether it must be used up.
  def find_short(argument, name, rest, equals, exact)
    switch = search(:short, name)
    return switch, rest, equals, equals if switch
    begin
      switch, = complete(:short, name)
      # A pattern stands for itself.
      [switch, argument.delete_prefix("-"), true, equals]
    rescue InvalidOption
      raise if exact
      switch, = complete(:long, name)
      [switch, rest, equals, equals || !rest]
    end
  rescue ParseError
    throw :terminate, argument unless raise_unknown
    raise $!.set_option(argument, true)
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

  # +values+ is empty if the argument was left out: the block's own default holds then.
  def call(switch, callback, values, setter)
    values = [call_with(callback, 1, *values)] if callback
    call_with(setter, 2, switch.switch_name, *values) if setter
  end

  # A lambda gets nil for what it requires and is not there.
  def call_with(callback, most, *values)
    if values.size < most && callback.to_proc.lambda?
      arity = callback.arity
      required = [arity < 0 ? ~arity : arity, most].min
      values << nil while values.size < required
    end
    callback.call(*values)
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
