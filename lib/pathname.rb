# carat: core
# frozen_string_literal: true

# Names of files and folders, as objects: parts, comparisons, and what File, Dir and IO do with them.
class Pathname
  VERSION = "0.4.0".freeze
  SEPARATOR_LIST = "/".freeze
  SEPARATOR_PAT = %r{/}
  # Methods that are asked for the name of something that is no String.
  TO_PATH = :to_path
  private_constant :TO_PATH, :SEPARATOR_LIST

  def self.getwd = new(Dir.getwd)

  class << self
    alias pwd getwd

    def glob(*args, **options)
      found = Dir.glob(*args, **options).map { |path| new(path) }
      return found unless block_given?
      found.each { |path| yield path }
      nil
    end
  end

  def initialize(path)
    path = path.to_path if path.respond_to?(:to_path)
    path = String.try_convert(path) || raise(TypeError, "Pathname.new requires a String, #to_path or #to_str")
    raise ArgumentError, "path name contains null byte" if path.include?("\0")
    @path = path.dup
  end

  def to_s = @path.dup
  alias to_path to_s

  def ==(other) = Pathname === other && @path == other.path
  alias === ==
  alias eql? ==

  # Names within a folder come before those that begin like it.
  def <=>(other) = Pathname === other ? @path.tr("/", "\0") <=> other.path.tr("/", "\0") : nil

  def hash = @path.hash

  def inspect = "#<#{self.class}:#{@path}>"

  def freeze
    super
    @path.freeze
    self
  end

  def sub(*args, &block) = self.class.new(block ? @path.sub(*args, &block) : @path.sub(*args))

  # With another extension.
  def sub_ext(extension) = self.class.new(@path.delete_suffix(File.extname(@path)) + extension)

  def path = @path
  protected :path
end

require "pathname/parts"
require "pathname/files"
