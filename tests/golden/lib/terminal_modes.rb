# oracle: native
# What IO#raw!, cooked!, noecho and their like change of a terminal: what is written to it and what it echoes.
require "io/console"
require "pty"

def written(terminal, screen)
  terminal.write("line\n")
  text = screen.readpartial(100)
  # The terminal hands on by and by.
  text << screen.readpartial(100) until text.end_with?("\n")
  text
end

# Names of the settings that are on, as stty shows them.
def settings(terminal)
  shown = IO.popen(["stty", "-a"], in: terminal, &:read).split(/[;\s]+/)
  shown & %w[brkint icrnl ixon istrip opost onlcr isig icanon iexten echo echoe echok echonl]
end

screen, terminal = PTY.open
p written(terminal, screen), settings(terminal)
terminal.raw!
p written(terminal, screen), settings(terminal)
terminal.cooked!
p written(terminal, screen), settings(terminal)
terminal.raw!(intr: true)
p written(terminal, screen), settings(terminal)

screen, terminal = PTY.open
terminal.noecho { p settings(terminal) }
terminal.raw { p written(terminal, screen) }
p written(terminal, screen)
terminal.echo = false
p terminal.echo?, settings(terminal)
terminal.echo = true
p terminal.echo?, settings(terminal)

mode = terminal.console_mode
mode.raw!
mode.echo = true
terminal.console_mode = mode
p settings(terminal)
terminal.console_mode = mode.raw(intr: true)
p settings(terminal)

# A program that writes to a raw terminal.
screen, terminal = PTY.open
terminal.raw!
Process.wait(spawn("printf", "one\\ntwo\\n", out: terminal))
# The terminal hands lines on by and by.
p screen.read(8)
