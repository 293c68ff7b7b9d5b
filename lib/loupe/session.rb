# What one client of Loupe::Listener asks for, until it goes.
require "json"

module Loupe
  # A client sends lines: a command and its words. Each is answered with the line +ok BYTES+ and so many bytes, or with a line that
  # begins with +error+. What a client began ends when it goes.
  #
  #   sample SECONDS BYTES     samples as a report in JSON, after so many seconds
  #   status                   the process's memory, its collections and threads
  #   classes N                the N classes with most bytes: name, objects, bytes
  #   watch BYTES              begins to sample
  #   take                     what was sampled since, as a report
  #   leaks-begin METHOD       records allocations, and counts calls of the method (+Class#method+; - for none)
  #   leaks-moment             collects; what was recorded and lives
  #   leaks-dump               writes a dump; its path. The client removes it
  #   leaks-watch ADDRESS...   counts who stores references in the objects
  #   leaks-writers            who did
  class Session
    LONGEST_SECONDS = 3600
    # What a request is: the first that the program knows.
    REQUESTS = ["Sinatra::Base#call!", "Rails::Engine#call", "Rack::Builder#call"].freeze
    private_constant :LONGEST_SECONDS, :REQUESTS

    # A command that cannot be carried out.
    class Refused < StandardError; end

    # How often methods were called.
    module Calls
      @counts = {}

      class << self
        attr_reader :counts

        # Counts calls of the method from here on. What counts stays in front of it.
        def of(name)
          return if @counts.key?(name)
          owner, method = name.split("#", 2)
          owner = Object.const_get(owner)
          is_private = owner.private_instance_methods.include?(owner.instance_method(method).name)
          counts = @counts
          counts[name] = 0
          owner.prepend(Module.new do
            define_method(method) do |*arguments, **options, &block|
              counts[name] += 1
              super(*arguments, **options, &block)
            end
            private method if is_private
          end)
        end
      end
    end

    def initialize(client, folder)
      @client, @folder = client, folder
    end

    def serve
      while (line = @client.gets(chomp: true))
        command, *words = line.split
        @client.write(answer(command.to_s.tr("-", "_"), words))
      end
    rescue SystemCallError, IOError
      # The client is gone.
    ensure
      finish
      @client.close
    end

    private

    COMMANDS = %w[sample status classes watch take leaks_begin leaks_moment leaks_dump leaks_watch leaks_writers].freeze
    private_constant :COMMANDS

    def answer(command, words)
      raise Refused, "there is no command #{command.inspect}" unless COMMANDS.include?(command)
      text = JSON.generate(send(command, *words))
      "ok #{text.bytesize}\n#{text}"
    rescue Busy, Refused, ArgumentError, NameError, SystemCallError => error
      "error #{error.message.lines.first.to_s.chomp}\n"
    end

    def finish
      Loupe.stop_sampling if @samples
      Loupe.__send__(:_end_leaks) if @searches
    end

    def sample(seconds, every = SAMPLE_BYTES)
      seconds, every = Float(seconds, exception: false), Integer(every, exception: false)
      unless seconds&.between?(0, LONGEST_SECONDS) && every&.positive?
        raise Refused, "wants the line: sample SECONDS BYTES"
      end
      Loupe.sample(every:) { sleep seconds }.to_h
    end

    def status
      gc = GC.stat
      { program: $PROGRAM_NAME, process: Process.pid, resident: resident, threads: Thread.list.size, time: now,
        processor: Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID),
        collections: gc[:count], full_collections: gc[:major_gc_count], collecting: gc[:time],
        allocated: gc[:total_allocated_objects], living: gc[:total_allocated_objects] - gc[:total_freed_objects] }
    end

    def classes(count) = Loupe.__send__(:_classes, Integer(count))

    def watch(every)
      Loupe.start_sampling(every: Integer(every))
      @samples = true
    end

    # Sampling goes on.
    def take
      samples = @samples ? Loupe.stop_sampling : raise(Refused, "nobody samples: watch BYTES begins")
      Loupe.start_sampling(every: samples.every)
      samples.to_h
    end

    def leaks_begin(method)
      raise Busy, "allocations are recorded already" if @searches || !Loupe.__send__(:_begin_leaks)
      @searches = true
      @request = method == "-" ? REQUESTS.find { |name| Object.const_defined?(name[/[^#]+/]) } : method
      begin
        Calls.of(@request) if @request
      rescue NameError, TypeError
        raise Refused, "there is no method #{@request}: --per wants one such as Cart#total"
      end
      GC.start
      { program: $PROGRAM_NAME, request: @request }
    end

    def leaks_moment
      GC.start
      { time: now, requests: @request && Calls.counts[@request], collections: GC.count, resident: resident,
        rows: Loupe.__send__(:_living) }
    end

    def leaks_dump
      require "objspace"
      path = File.join(@folder, "#{Process.pid}-#{rand(2**64).to_s(36)}.dump")
      File.open(path, File::WRONLY | File::CREAT | File::EXCL, 0o600) { |file| ObjectSpace.dump_all(output: file) }
      path
    end

    def leaks_watch(*addresses)
      @watched = addresses.size
      Loupe.__send__(:_watch, addresses.map { |address| Integer(address) })
    end

    def leaks_writers = Loupe.__send__(:_writers, @watched || 0)

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    # Bytes; nil where the system does not tell.
    def resident
      File.read("/proc/self/statm")[/\A\d+ (\d+)/, 1].to_i * 4096
    rescue SystemCallError
      nil
    end
  end
end
