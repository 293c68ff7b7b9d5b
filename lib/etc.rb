# Etc: the users and groups of the system's files, and what the kernel says about itself.
module Etc
  VERSION = "1.4.6"

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

  class << self
    def getpwnam(name) = find(users, name, "user") { |user| user.name == name }
    def getpwuid(uid = Process.uid) = find(users, uid, "user") { |user| user.uid == uid }
    def getgrnam(name) = find(groups, name, "group") { |group| group.name == name }
    def getgrgid(gid = Process.gid) = find(groups, gid, "group") { |group| group.gid == gid }
    def getlogin = ENV["USER"] || ENV["LOGNAME"] || users.find { |user| user.uid == Process.uid }&.name

    def getpwent = advance(:users)
    def getgrent = advance(:groups)
    def setpwent = (@position[:users] = 0; nil)
    def setgrent = (@position[:groups] = 0; nil)
    alias endpwent setpwent
    alias endgrent setgrent

    # The users in turn, or the next one without a block.
    def passwd
      return getpwent unless block_given?
      users.each { |user| yield user }
      nil
    end

    def group
      return getgrent unless block_given?
      groups.each { |group| yield group }
      nil
    end

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
      names.transform_values { |file| File.read("/proc/sys/kernel/#{file}").chomp }.merge(machine: RbConfig::CONFIG["host_cpu"])
    end

    private

    def find(list, key, what, &block)
      raise TypeError, "no implicit conversion of #{key.nil? ? "nil" : key.class} into String" unless String === key || Integer === key
      list.find(&block) or raise ArgumentError, "can't find #{what} for #{key}"
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
