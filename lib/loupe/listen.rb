# Lets loupe attach, loupe top and loupe leaks ask this process: carat -r loupe/listen app.rb
require "loupe/live"
require "socket"

module Loupe
  autoload :Session, "loupe/session"

  # Answers at a UNIX socket that only this user can reach, each client in a thread of its own.
  class Listener
    # Where loupe looks for the socket of a process.
    def self.path_of(pid) = File.join(folder, "#{pid}.sock")

    def self.folder = ENV["XDG_RUNTIME_DIR"] ? File.join(ENV["XDG_RUNTIME_DIR"], "loupe") : "/tmp/loupe-#{Process.uid}"

    attr_reader :path

    def initialize(path = Listener.path_of(Process.pid))
      @path, @pid = path, Process.pid
      prepare_folder
      File.unlink(path) if File.socket?(path)
      @server = UNIXServer.new(path)
      File.chmod(0o600, path)
      @thread = named(Thread.new { loop { serve(@server.accept) } })
      at_exit { close }
    end

    # Takes no more clients.
    def close
      return if @server.closed? || @pid != Process.pid
      @thread.kill
      @server.close
      File.unlink(path) if File.socket?(path)
    end

    private

    def prepare_folder
      folder = File.dirname(path)
      Dir.mkdir(folder, 0o700) unless File.directory?(folder)
      stat = File.lstat(folder)
      return if stat.directory? && stat.owned? && stat.mode & 0o022 == 0
      raise ArgumentError, "#{folder}: others can write there, or it is not yours"
    end

    def serve(client) = named(Thread.new { Session.new(client, File.dirname(path)).serve })

    def named(thread) = thread.tap { thread.name = "loupe" }
  end

  # Lets loupe ask this process from here on; a forked child asks for itself.
  def self.listen(...) = Listener.new(...)
end

Loupe.listen
