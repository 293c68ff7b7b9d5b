# frozen_string_literal: true

# Programs with pipes to all of their streams.
module Open3
  VERSION = "0.2.1".freeze

  module_function

  # Yields streams for input, output and errors, and the thread that waits; without a block returns them.
  def popen3(*command, &block)
    options, command = Open3.__send__(:split_options, command)
    in_r, in_w = IO.pipe
    out_r, out_w = IO.pipe
    err_r, err_w = IO.pipe
    in_w.sync = true
    options.update(in: in_r, out: out_w, err: err_w)
    Open3.__send__(:popen_run, command, options, [in_r, out_w, err_w], [in_w, out_r, err_r], &block)
  end

  def popen2(*command, &block)
    options, command = Open3.__send__(:split_options, command)
    in_r, in_w = IO.pipe
    out_r, out_w = IO.pipe
    in_w.sync = true
    options.update(in: in_r, out: out_w)
    Open3.__send__(:popen_run, command, options, [in_r, out_w], [in_w, out_r], &block)
  end

  # Output and errors in one stream.
  def popen2e(*command, &block)
    options, command = Open3.__send__(:split_options, command)
    in_r, in_w = IO.pipe
    out_r, out_w = IO.pipe
    in_w.sync = true
    options.update(in: in_r, [:out, :err] => out_w)
    Open3.__send__(:popen_run, command, options, [in_r, out_w], [in_w, out_r], &block)
  end

  # Output, errors and status of a program that is given +stdin_data+.
  def capture3(*command)
    data, binmode, command = Open3.__send__(:split_data, command)
    popen3(*command) do |stdin, stdout, stderr, waiter|
      [stdin, stdout, stderr].each(&:binmode) if binmode
      out = Thread.new { stdout.read }
      err = Thread.new { stderr.read }
      Open3.__send__(:feed, stdin, data)
      [out.value, err.value, waiter.value]
    end
  end

  def capture2(*command)
    data, binmode, command = Open3.__send__(:split_data, command)
    popen2(*command) { |stdin, stdout, waiter| Open3.__send__(:capture, stdin, stdout, waiter, data, binmode) }
  end

  def capture2e(*command)
    data, binmode, command = Open3.__send__(:split_data, command)
    popen2e(*command) { |stdin, stdout, waiter| Open3.__send__(:capture, stdin, stdout, waiter, data, binmode) }
  end

  # Programs in a row, each reading what the one before it writes.

  def pipeline_rw(*commands, &block)
    options = Hash === commands.last ? commands.pop.dup : {}
    in_r, in_w = IO.pipe
    out_r, out_w = IO.pipe
    in_w.sync = true
    options.update(in: in_r, out: out_w)
    Open3.__send__(:pipeline_run, commands, options, [in_r, out_w], [in_w, out_r], &block)
  end

  def pipeline_r(*commands, &block)
    options = Hash === commands.last ? commands.pop.dup : {}
    out_r, out_w = IO.pipe
    Open3.__send__(:pipeline_run, commands, options.update(out: out_w), [out_w], [out_r], &block)
  end

  def pipeline_w(*commands, &block)
    options = Hash === commands.last ? commands.pop.dup : {}
    in_r, in_w = IO.pipe
    in_w.sync = true
    Open3.__send__(:pipeline_run, commands, options.update(in: in_r), [in_r], [in_w], &block)
  end

  def pipeline_start(*commands, &block)
    options = Hash === commands.last ? commands.pop.dup : {}
    Open3.__send__(:pipeline_run, commands, options, [], [], &block)&.then { |result| block ? result : result.last }
  end

  # The statuses of the programs.
  def pipeline(*commands)
    options = Hash === commands.last ? commands.pop.dup : {}
    Open3.__send__(:pipeline_run, commands, options, [], []) { |waiters| waiters.map(&:value) }
  end

  class << self
    private

    def split_options(command)
      return [command.last.dup, command[0...-1]] if Hash === command.last && command.size > 1
      [{}, command]
    end

    def split_data(command)
      options, command = split_options(command)
      data = options.delete(:stdin_data) || ""
      binmode = options.delete(:binmode)
      [data, binmode, [*command, options]]
    end

    # A program may end before it has read everything.
    def feed(stdin, data)
      data.respond_to?(:readpartial) ? IO.copy_stream(data, stdin) : stdin.write(data)
    rescue Errno::EPIPE
      nil
    ensure
      stdin.close
    end

    def capture(stdin, stdout, waiter, data, binmode)
      [stdin, stdout].each(&:binmode) if binmode
      reader = Thread.new { stdout.read }
      feed(stdin, data)
      [reader.value, waiter.value]
    end

    def popen_run(command, options, theirs, ours)
      waiter = Process.detach(spawn(*command, options))
      theirs.each(&:close)
      result = [*ours, waiter]
      return result unless block_given?
      begin
        yield(*result)
      ensure
        ours.each(&:close)
        waiter.join
      end
    end

    def pipeline_run(commands, options, theirs, ours)
      waiters = start_all(commands, options)
      theirs.each(&:close)
      result = [*ours, waiters]
      return result unless block_given?
      begin
        yield(*result)
      ensure
        ours.each(&:close)
        waiters.each(&:join)
      end
    end

    def start_all(commands, options)
      before = nil
      commands.each_with_index.map do |command, index|
        command = [command] if String === command
        command = command.dup
        own = Hash === command.last && command.size > 1 ? command.pop : {}
        last = index == commands.size - 1
        reader, writer = IO.pipe unless last
        redirections = options.merge(own)
        redirections[:in] = before if before
        redirections.delete(:out) unless last
        redirections[:out] = writer if writer
        redirections.delete(:in) if redirections[:in].nil?
        waiter = Process.detach(spawn(*command, redirections))
        before&.close
        writer&.close
        before = reader
        waiter
      end
    end
  end
end
