# frozen_string_literal: true

# What a shell does with files: cp, mv, rm, mkdir -p and the like.
#
# Options: +noop+ does nothing, +verbose+ prints the command that it would be in a shell. Lists may be given wherever a path is.
module FileUtils
  VERSION = "1.8.0"

  require "fileutils/streams"
  require "fileutils/entry"
  require "fileutils/making"
  require "fileutils/copying"
  require "fileutils/removing"
  require "fileutils/modes"
  require "fileutils/variants"
end
