# Etc: the users and groups of the system's files, and what the system says about itself.
module Etc
end

require "etc.so"
require "etc/constants"

module Etc
  VERSION = "1.4.6".freeze

  MACHINE = RbConfig::CONFIG["host_cpu"].dup.freeze
  private_constant :MACHINE

  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Group = Struct.new(:name, :passwd, :gid, :mem)

  class Passwd
    extend Enumerable

    def self.each(&block)
      return to_enum unless block
      Etc.send(:users).each(&block)
      self
    end
  end

  class Group
    extend Enumerable

    def self.each(&block)
      return to_enum unless block
      Etc.send(:groups).each(&block)
      self
    end
  end

  @position = {}
  @iterating = {}

  class << self
    def getpwnam(name) = find(users, string(name), "user") { |user| user.name == name }
    def getpwuid(uid = Process.uid) = find(users, integer(uid), "user") { |user| user.uid == uid }
    def getgrnam(name) = find(groups, string(name), "group") { |group| group.name == name }
    def getgrgid(gid = Process.gid) = find(groups, integer(gid), "group") { |group| group.gid == gid }
    def getlogin = login_name || ENV["USER"]

    def getpwent = advance(:users)
    def getgrent = advance(:groups)
    def setpwent = (@position[:users] = 0; nil)
    def setgrent = (@position[:groups] = 0; nil)
    alias endpwent setpwent
    alias endgrent setgrent

    # The users in turn, or the next one without a block.
    def passwd(&block) = block ? in_turn(:passwd, users, &block) : getpwent

    def group(&block) = block ? in_turn(:group, groups, &block) : getgrent

    def systmpdir = "/tmp"
    def sysconfdir = "/etc"

    # Processors that this process may run on.
    def nprocessors
      allowed = File.read("/proc/self/status")[/^Cpus_allowed_list:\s*(.*)$/, 1]
      allowed.split(",").sum { |part| first, last = part.split("-").map(&:to_i); (last || first) - first + 1 }
    rescue SystemCallError
      1
    end

    def uname
      names = { sysname: "ostype", nodename: "hostname", release: "osrelease", version: "version" }
      names.transform_values { |file| File.read("/proc/sys/kernel/#{file}").chomp }.merge(machine: MACHINE)
    end

    private

    private :login_name

    def find(list, key, what, &block) = list.find(&block) || raise(ArgumentError, "can't find #{what} for #{key}")

    def string(value)
      String.try_convert(value) or raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String"
    end

    def integer(value)
      Integer.try_convert(value) or raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into Integer"
    end

    # The system's own functions have one place for all who go through a file.
    def in_turn(name, list, &block)
      raise "parallel #{name} iteration" if @iterating[name]

      @iterating[name] = true
      begin
        list.each(&block)
        nil
      ensure
        @iterating[name] = false
      end
    end

    def users = lines("/etc/passwd").map { |name, word, uid, gid, *rest| Passwd.new(name, word, uid.to_i, gid.to_i, *rest) }
    def groups = lines("/etc/group").map { |name, word, gid, members| Group.new(name, word, gid.to_i, members.to_s.split(",")) }

    def lines(path)
      File.readlines(path, chomp: true).reject { |line| line.empty? || line.start_with?("#") }.map { |line| line.split(":", -1) }
    rescue Errno::ENOENT
      []
    end

    def advance(list)
      position = @position[list] || 0
      @position[list] = position + 1
      send(list)[position]
    end
  end
end
