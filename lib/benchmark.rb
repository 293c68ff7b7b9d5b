# frozen_string_literal: true

# How long blocks take.
module Benchmark
  VERSION = "0.5.0".freeze
  BENCHMARK_VERSION = "2002-04-25".freeze
  CAPTION = "      user     system      total        real\n".freeze
  FORMAT = "%10.6u %10.6y %10.6t %10.6r\n".freeze

  # Times of processor and clock, in seconds.
  class Tms
    CAPTION = Benchmark::CAPTION
    FORMAT = Benchmark::FORMAT

    attr_reader :utime, :stime, :cutime, :cstime, :real, :total, :label

    def initialize(utime = 0.0, stime = 0.0, cutime = 0.0, cstime = 0.0, real = 0.0, label = nil)
      @utime, @stime, @cutime, @cstime, @real, @label = utime, stime, cutime, cstime, real, label.to_s
      @total = utime + stime + cutime + cstime
    end

    # The times plus those of the block.
    def add(&block) = self + Benchmark.measure(&block)

    def add!(&block)
      sum = add(&block)
      @utime, @stime, @cutime, @cstime, @real = sum.utime, sum.stime, sum.cutime, sum.cstime, sum.real
      @total = sum.total
      self
    end

    def +(other) = memberwise(:+, other)
    def -(other) = memberwise(:-, other)
    def *(other) = memberwise(:*, other)
    def /(other) = memberwise(:/, other)

    # Directives: u, y, U, Y, t, r and n, for the fields in their order, the total, the clock and the label.
    def format(format = nil, *args)
      text = (format || FORMAT).dup
      {"u" => utime, "y" => stime, "U" => cutime, "Y" => cstime, "t" => total}.each do |letter, value|
        text.gsub!(/(%[-+.\d]*)#{letter}/) { "#{$1}f" % value }
      end
      text.gsub!(/(%[-+.\d]*)n/) { "#{$1}s" % label }
      text.gsub!(/(%[-+.\d]*)r/) { "(#{$1}f)" % real }
      format ? text % args : text
    end

    def to_s = format

    def to_a = [label, utime, stime, cutime, cstime, real]

    def to_h = {label: label, utime: utime, stime: stime, cutime: cutime, cstime: cstime, real: real}

    protected

    def memberwise(operator, other)
      names = [:utime, :stime, :cutime, :cstime, :real]
      values = names.map { |name| __send__(name).__send__(operator, Tms === other ? other.__send__(name) : other) }
      Tms.new(*values)
    end
  end

  # Blocks with labels, for bmbm.
  class Job
    attr_reader :list, :width

    def initialize(width)
      @width = width
      @list = []
    end

    def item(label = "", &block)
      raise ArgumentError, "no block" unless block
      label = label.to_s
      @width = [@width, label.length].max
      @list << [label, block]
      self
    end
    alias report item
  end

  # Runs what it is told of at once, and prints it.
  class Report
    attr_reader :list, :width, :format

    def initialize(width = 0, format = nil)
      @width = width
      @format = format
      @list = []
    end

    def item(label = "", *format, &block)
      raise ArgumentError, "no block" unless block
      print label.to_s.ljust(@width)
      times = Benchmark.measure(label, &block)
      @list << times
      print times.format(@format, *format)
      times
    end
    alias report item
  end

  module_function

  def benchmark(caption = "", label_width = nil, format = nil, *labels)
    raise ArgumentError, "no block" unless block_given?
    sync = $stdout.sync
    $stdout.sync = true
    label_width ||= 0
    label_width += 1
    print " " * label_width + caption unless caption.empty?
    report = Report.new(label_width, format || FORMAT)
    results = yield(report)
    if Array === results && results.grep(Tms).size == results.size
      results.each { |times| print((labels.shift || times.label || "").ljust(label_width), times.format(format || FORMAT)) }
    end
    report.list
  ensure
    $stdout.sync = sync unless sync.nil?
  end

  def bm(label_width = 0, *labels, &block) = benchmark(CAPTION, label_width, FORMAT, *labels, &block)

  # Runs everything twice; the first round warms up.
  def bmbm(width = 0)
    job = Job.new(width)
    yield(job)
    width = job.width + 1
    sync = $stdout.sync
    $stdout.sync = true
    puts "Rehearsal ".ljust(width + CAPTION.length, "-")
    total = job.list.inject(Tms.new) do |sum, (label, item)|
      print label.ljust(width)
      times = Benchmark.measure(&item)
      print times.format
      sum + times
    end.format("total: %tsec")
    print " #{total}\n\n".rjust(width + CAPTION.length + 2, "-")
    print " " * width + CAPTION
    job.list.map do |label, item|
      GC.start
      print label.ljust(width)
      Benchmark.measure(label, &item).tap { |times| print times }
    end
  ensure
    $stdout.sync = sync unless sync.nil?
  end

  def measure(label = "")
    times = Process.times
    clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield
    now = Process.times
    real = Process.clock_gettime(Process::CLOCK_MONOTONIC) - clock
    Tms.new(now.utime - times.utime, now.stime - times.stime, now.cutime - times.cutime, now.cstime - times.cstime, real, label)
  end

  def realtime
    clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - clock
  end

  def ms = realtime { yield } * 1000
end
