# Here `erb` brings all that programs require this file for.
require "erb"
