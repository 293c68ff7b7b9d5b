# carat: core
# Coverage: how often the lines, branches and methods of files run that are loaded while it is measured.
#
#   Coverage.start(lines: true, branches: true)
#   require "./fact"
#   Coverage.result #=> {"/home/fact.rb" => {lines: [1, 10, nil], branches: {…}}}
module Coverage
  class << self
    # Prepares to measure +targets+: +:all+, or a hash of +:lines+, +:oneshot_lines+, +:branches+, +:methods+ and +:eval+.
    # Without them the lines are measured, and the result names no targets.
    def setup(targets = (is_plain = true; nil))
      raise "coverage measurement is already setup" unless state == :idle
      mode = is_plain ? 0 : Internal.mode(targets)
      Primitive.coverage_setup(mode == 0 ? Internal::PLAIN | Internal::LINES : mode)
      nil
    end

    def start(...)
      setup(...)
      resume
    end

    def resume
      case state
      when :idle then raise "coverage measurement is not set up yet"
      when :running then raise "coverage measurement is already running"
      end
      Primitive.coverage_run(true)
      nil
    end

    def suspend
      raise "coverage measurement is not running" unless running?
      Primitive.coverage_run(false)
      nil
    end

    # +:idle+, +:suspended+ or +:running+
    def state = Primitive.coverage_state

    def running? = state == :running

    # What was counted so far, by file.
    def peek_result
      raise "coverage measurement is not enabled" if state == :idle
      Internal.result(Primitive.coverage_mode)
    end

    # As +peek_result+; +clear+ sets the counters to 0, +stop+ ends measuring.
    def result(options = (is_last = true; nil))
      raise "coverage measurement is not enabled" if state == :idle
      stop = clear = true
      unless is_last
        options = Internal.hash(options)
        stop, clear = options[:stop], options[:clear]
      end
      warn("stop implies clear", uplevel: 0) if stop && !clear
      result = peek_result
      Primitive.coverage_clear if clear || stop
      Primitive.coverage_stop if stop
      result
    end

    # Whether +target+ can be measured.
    def supported?(target)
      raise TypeError, "wrong argument type #{target.class} (expected Symbol)" unless Symbol === target
      Internal::TARGETS.key?(target)
    end

    # What +result+ says of the lines of +file+ before any of them ran.
    def line_stub(file)
      lines = File.foreach(file).map { nil }
      Primitive.coverage_statement_lines(File.read(file), file).each { |line| lines[line - 1] = 0 }
      lines
    end
  end

  # Modes, and the form of results.
  module Internal # :nodoc:
    LINES = 1
    ONESHOT_LINES = 2
    BRANCHES = 4
    METHODS = 8
    EVAL = 16
    PLAIN = 32
    TARGETS = {
      lines: LINES, oneshot_lines: ONESHOT_LINES, branches: BRANCHES, methods: METHODS, eval: EVAL,
    }.freeze

    class << self
      def hash(options)
        return options if Hash === options
        unless options.respond_to?(:to_hash)
          name = options.nil? || options == true || options == false ? options.inspect : options.class
          raise TypeError, "no implicit conversion of #{name} into Hash"
        end
        options.to_hash
      end

      def mode(targets)
        return LINES | BRANCHES | METHODS | EVAL if targets == :all
        targets = hash(targets)
        if targets[:lines] && targets[:oneshot_lines]
          raise "cannot enable lines and oneshot_lines simultaneously"
        end
        TARGETS.sum { |name, bit| targets[name] ? bit : 0 }
      end

      def result(mode)
        files = Primitive.coverage_files
        return files.to_h { |path, lines,| [path, lines] } if mode & PLAIN != 0
        result = files.to_h { |path, lines, forks| [path, file(mode, lines, forks)] }
        add_methods(result) if mode & METHODS != 0
        result
      end

      private

      def file(mode, lines, forks)
        result = {}
        result[:lines] = lines if mode & LINES != 0
        result[:oneshot_lines] = lines if mode & ONESHOT_LINES != 0
        result[:branches] = branches(forks) if mode & BRANCHES != 0
        result[:methods] = {} if mode & METHODS != 0
        result
      end

      # Forks and branches are numbered together.
      def branches(forks)
        number = -1
        forks.to_h do |kind, *extent, branches|
          fork = [kind, number += 1, *extent]
          [fork, branches.to_h { |name, *place, count| [[name, number += 1, *place], count] }]
        end
      end

      def add_methods(result)
        Primitive.coverage_methods.each do |path, *method, calls|
          methods = result.dig(path, :methods) or next
          methods[method] = methods.fetch(method, 0) + calls
        end
      end
    end
  end
  private_constant :Internal
end
