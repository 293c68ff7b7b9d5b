# frozen_string_literal: true

require "monitor"

class Logger
  # Where messages go: a stream, or a file that is renamed now and then.
  class LogDevice
    include Period

    MODE = File::WRONLY | File::APPEND | File::SHARE_DELETE | File::BINARY
    MODE_TO_OPEN = MODE
    MODE_TO_CREATE = MODE | File::CREAT | File::EXCL

    attr_reader :dev, :filename

    include MonitorMixin

    def initialize(log = nil, shift_age: nil, shift_size: nil, shift_period_suffix: nil, binmode: false,
                   reraise_write_errors: [], skip_header: false)
      @dev = @filename = @shift_age = @shift_size = @shift_period_suffix = nil
      @binmode = binmode
      @reraise_write_errors = reraise_write_errors
      @skip_header = skip_header
      mon_initialize
      set_dev(log)
      set_file(shift_age, shift_size, shift_period_suffix) if @filename
    end

    def write(message)
      # A signal handler may not take the lock.
      handle_errors("writing") do
        synchronize do
          handle_errors("shifting") { shift_when_due } if @shift_age && @dev.respond_to?(:stat)
          handle_errors("writing") { @dev.write(message) }
        end
      end
    end

    def close
      synchronize { @dev.close rescue nil }
    rescue Exception
      @dev.close rescue nil
    end

    def reopen(log = nil, shift_age: nil, shift_size: nil, shift_period_suffix: nil, binmode: nil)
      log ||= @filename if @filename
      @binmode = binmode unless binmode.nil?
      return self unless log
      synchronize do
        @dev.close rescue nil if @filename
        set_dev(log)
        set_file(shift_age || @shift_age, shift_size || @shift_size, shift_period_suffix || @shift_period_suffix) if @filename
      end
      self
    end

    private

    def set_dev(log)
      if log.respond_to?(:write) && log.respond_to?(:close)
        @dev = log
        path = log.respond_to?(:path) ? log.path : nil
        @filename = File.exist?(path) ? path : nil if String === path
      else
        @dev = open_logfile(log)
        @filename = log.respond_to?(:to_path) ? log.to_path : log
      end
    end

    def set_file(shift_age, shift_size, shift_period_suffix)
      @shift_age = shift_age || 0
      @shift_size = shift_size || 1_048_576
      @shift_period_suffix = shift_period_suffix || "%Y%m%d"
      return if Integer === @shift_age
      base = @dev.respond_to?(:stat) ? @dev.stat.mtime : Time.now
      @next_rotate_time = next_rotate_time(base, @shift_age)
    end

    def open_logfile(filename)
      prepared(File.open(filename, MODE_TO_OPEN), filename)
    rescue Errno::ENOENT
      create_logfile(filename)
    end

    # Two programs that begin at once share the file; one writes its first line.
    def create_logfile(filename)
      file = prepared(File.open(filename, MODE_TO_CREATE), filename)
      file.flock(File::LOCK_EX)
      add_log_header(file)
      file.flock(File::LOCK_UN)
      file
    rescue Errno::EEXIST
      open_logfile(filename)
    end

    def prepared(file, _filename)
      file.binmode if @binmode
      file.sync = true
      file
    end

    def add_log_header(file)
      return if @skip_header || file.size != 0
      file.write("# Logfile created on %s by %s\n" % [Time.now.to_s, Logger::ProgName])
    end

    def shift_when_due
      if Integer === @shift_age
        return unless @filename && @shift_age > 0 && @dev.stat.size > @shift_size
        lock_shift_log { shift_log_age }
      else
        now = Time.now
        return if now < @next_rotate_time
        @next_rotate_time = next_rotate_time(now, @shift_age)
        lock_shift_log { shift_log_period(previous_period_end(now, @shift_age)) }
      end
    end

    def handle_errors(doing)
      yield
    rescue *@reraise_write_errors
      raise
    rescue => error
      warn("log #{doing} failed. #{error}")
      nil
    end

    # Another program may have renamed the file already.
    def lock_shift_log
      File.open(@filename, MODE_TO_OPEN) do |lock|
        lock.flock(File::LOCK_EX)
        same = File.identical?(@filename, lock) && File.identical?(lock, @dev)
        same ? yield : reopen_renamed
      end
    rescue Errno::ENOENT
      reopen_renamed
    end

    def reopen_renamed
      @dev.close rescue nil
      @dev = open_logfile(@filename)
    end

    def shift_log_age
      (@shift_age - 3).downto(0) do |number|
        File.rename("#{@filename}.#{number}", "#{@filename}.#{number + 1}") if File.exist?("#{@filename}.#{number}")
      end
      rename_to("#{@filename}.0")
    end

    def shift_log_period(period_end)
      suffix = period_end.strftime(@shift_period_suffix)
      name = "#{@filename}.#{suffix}"
      number = 0
      name = "#{@filename}.#{suffix}.#{number += 1}" while File.exist?(name) && number < 100
      rename_to(name)
    end

    def rename_to(name)
      @dev.close rescue nil
      File.rename(@filename, name)
      @dev = create_logfile(@filename)
      true
    end
  end
end
