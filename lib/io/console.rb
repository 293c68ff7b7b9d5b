# carat: core

# What a terminal can do: IO#winsize, raw, noecho, getch and their like.
require "io/console.so"
require "io/console/size"

class IO
  # The settings of a terminal, to be changed and given to IO#console_mode=.
  class ConsoleMode
    def initialize(io, settings)
      @io = io
      @settings = settings
    end

    attr_reader :settings
    protected :settings

    def echo=(on)
      change { @io.__send__(:set_echo, on) }
    end

    def raw!(min: 1, time: 0, intr: false)
      change { @io.__send__(:set_raw, min, (time * 10).to_i, intr) }
      self
    end

    def raw(**options) = dup.raw!(**options)

    def apply_to(io) = io.__send__(:apply_console_settings, @settings)

    private

    # The system changes settings; ours are those that it has between the change and its undoing.
    def change
      before = @io.__send__(:console_settings)
      @io.__send__(:apply_console_settings, @settings)
      yield
      @settings = @io.__send__(:console_settings)
    ensure
      @io.__send__(:apply_console_settings, before) if before
    end
  end

  # The terminal that the process was started at; with arguments, what it answers to that method. nil without one.
  def self.console(method = nil, ...)
    console = Ractor[:__io_console]
    if method == :close
      console&.close
      return Ractor[:__io_console] = nil
    end
    console = Ractor[:__io_console] = File.open("/dev/tty", "r+").tap { |io| io.sync = true } if console.nil? || console.closed?
    method ? console.__send__(method, ...) : console
  rescue SystemCallError
    nil
  end

  def winsize=(size)
    size = Array(size)
    Core.arity_error(size.size, "2 or 4") unless size.size == 2 || size.size == 4
    set_console_size(size[0], size[1])
  end

  # Calls the block while every byte comes as it is typed.
  def raw(min: 1, time: 0, intr: false)
    with_console_mode(-> { set_raw(min, (time * 10).to_i, intr) }) { yield self }
  end

  def raw!(min: 1, time: 0, intr: false) = set_raw(min, (time * 10).to_i, intr)

  def cooked
    with_console_mode(-> { set_cooked }) { yield self }
  end

  def cooked! = set_cooked

  # Calls the block while what is typed is not shown.
  def noecho
    with_console_mode(-> { set_echo(false) }) { yield self }
  end

  def echo=(on)
    set_echo(on ? true : false)
  end

  # One character as it is typed.
  def getch(min: 1, time: 0, intr: false)
    return getc unless tty?

    raw(min:, time:, intr:) { getc }
  end

  # A line that is typed and not shown.
  def getpass(prompt = nil)
    output = self == $stdin ? $stderr : self
    output.print(prompt) if prompt
    line = tty? ? noecho { gets("\n") } : gets("\n")
    output.puts
    line&.chomp("\n")
  end

  def console_mode = ConsoleMode.new(self, console_settings)

  def console_mode=(mode)
    mode.apply_to(self)
  end

  def goto(row, column) = print("\e[#{row + 1};#{column + 1}H")

  def goto_column(column) = print("\e[#{column + 1}G")

  def cursor=(position)
    goto(*position)
  end

  def cursor
    raw do
      print("\e[6n")
      flush
      answer = +""
      answer << getc until answer.end_with?("R")
      answer[/\d+;\d+/].split(";").map { |number| number.to_i - 1 }
    end
  end

  def cursor_up(count) = print("\e[#{count}A")

  def cursor_down(count) = print("\e[#{count}B")

  def cursor_right(count) = print("\e[#{count}C")

  def cursor_left(count) = print("\e[#{count}D")

  def erase_line(mode) = print("\e[#{mode}K")

  def erase_screen(mode) = print("\e[#{mode}J")

  def clear_screen
    erase_screen(2)
    goto(0, 0)
  end

  def scroll_forward(count) = print("\e[#{count}S")

  def scroll_backward(count) = print("\e[#{count}T")

  def beep = print("\a")

  private

  def with_console_mode(change)
    before = console_settings
    change.call
    yield
  ensure
    apply_console_settings(before) if before
  end
end

# The StringIO of a gem's extension asks itself whether IO has it.
StringIO.__send__(:add_getch) if defined?(StringIO) && StringIO.respond_to?(:add_getch, true)
