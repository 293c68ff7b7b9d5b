# Temporary folders: Dir.tmpdir and Dir.mktmpdir.

# Programs count on them.
require "etc"
require "fileutils"

class Dir
  # What names of temporary files and folders are made of.
  module Tmpname
    module_function

    # Returns a folder for temporary files.
    def tmpdir = Dir.tmpdir

    # Yields paths with random names until the block does not raise Errno::EEXIST, and returns the path. +basename+ is a
    # prefix, or a prefix and a suffix.
    def create(basename, tmpdir = nil, max_try: nil, **options)
      prefix, suffix = basename
      prefix = safe_part(prefix)
      suffix = suffix ? safe_part(suffix, "suffix") : ""
      tmpdir = tmpdir ? File.path(tmpdir) : Dir.tmpdir
      raise ArgumentError, "empty parent path" if tmpdir.empty?
      tries = 0
      begin
        name = "#{prefix}#{Time.now.strftime("%Y%m%d")}-#{$$}-#{rand(0x100000000).to_s(36)}"
        name << "-#{tries}" if tries > 0
        path = File.join(tmpdir, name << suffix)
        yield path, tries, options, tmpdir
      rescue Errno::EEXIST
        tries += 1
        retry if !max_try || tries < max_try
        raise "cannot generate temporary name using `#{prefix}' under `#{tmpdir}'"
      end
      path
    end

    # A part of a name: a string without separators.
    def safe_part(part, kind = "prefix")
      text = String.try_convert(part)
      raise ArgumentError, "unexpected #{kind}: #{part.inspect}" unless text
      text.delete("\0#{File::SEPARATOR}#{File::ALT_SEPARATOR}")
    end
  end

  # Returns the folder for temporary files: of TMPDIR and its kin, or /tmp; else the current one.
  def self.tmpdir
    ["TMPDIR", "TMP", "TEMP"].each do |name|
      folder = ENV[name]
      return File.expand_path(folder) if folder && !folder.empty? && usable_tmpdir?(folder, name)
    end
    return "/tmp" if usable_tmpdir?("/tmp")
    return pwd if usable_tmpdir?(".")
    raise ArgumentError, "could not find a temporary directory"
  end

  # Whether temporary files may be made there: others must not be able to replace them.
  def self.usable_tmpdir?(folder, name = nil)
    stat = File.stat(folder)
    wrong = if !stat.directory? then "not a directory"
            elsif !stat.writable? then "not writable"
            elsif stat.world_writable? && !stat.sticky? then "world-writable"
            end
    warn "#{name} is #{wrong}: #{folder}" if wrong && name
    !wrong
  rescue SystemCallError
    false
  end
  private_class_method :usable_tmpdir?

  # Makes a folder that only its owner may enter and returns its path; with a block, yields it and removes it afterwards with
  # all that is in it.
  def self.mktmpdir(prefix_suffix = nil, *rest, **options)
    base = nil
    path = Tmpname.create(prefix_suffix || "d", *rest, **options) do |folder, _, _, parent|
      base = parent
      mkdir(folder, 0700)
    end
    return path unless block_given?
    begin
      yield path.dup
    ensure
      unless base
        stat = File.stat(File.dirname(path))
        raise ArgumentError, "parent directory is world writable but not sticky" if stat.world_writable? && !stat.sticky?
      end
      remove_tree(path)
    end
  end

  # Removes a folder and what is in it; links are removed, not followed.
  def self.remove_tree(path)
    return unless File.directory?(path)
    each_child(path) do |name|
      entry = File.join(path, name)
      File.lstat(entry).directory? ? remove_tree(entry) : File.unlink(entry)
    end
    rmdir(path)
  end
  private_class_method :remove_tree
end
