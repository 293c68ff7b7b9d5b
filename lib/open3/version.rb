# Here `open3` brings all that programs require this file for.
require "open3"
