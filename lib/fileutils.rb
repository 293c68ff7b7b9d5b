# frozen_string_literal: true

# What a shell does with files: cp, mv, rm, mkdir -p and the like.
#
# Options: +noop+ does nothing, +verbose+ prints the command that it would be in a shell. Lists may be given wherever a path is.
module FileUtils
  VERSION = "1.8.0".freeze

  # Functions for this library alone: private wherever the module is included, and on itself.
  def self.private_module_function(*names)
    module_function(*names)
    private_class_method(*names)
  end
  private_class_method :private_module_function

  require "fileutils/streams"
  require "fileutils/entry"
  require "fileutils/making"
  require "fileutils/copying"
  require "fileutils/removing"
  require "fileutils/modes"
  require "fileutils/variants"
end
