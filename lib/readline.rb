# The older name of Reline, the gem that reads lines with editing, history and completion.
require "reline"

Readline = Reline unless defined?(Readline)
