# Lets loupe attach ask this process for samples: carat -r loupe/listen app.rb
require "loupe/live"
require "socket"

module Loupe
  # Answers at a UNIX socket that only this user can reach.
  #
  # A client sends one line, +sample SECONDS BYTES+. It gets the line +ok+ and the samples as a report in JSON, or a line that
  # begins with +error+.
  class Listener
    LONGEST_SECONDS = 3600
    private_constant :LONGEST_SECONDS

    # Where loupe attach looks for the socket of a process.
    def self.path_of(pid) = File.join(folder, "#{pid}.sock")

    def self.folder = ENV["XDG_RUNTIME_DIR"] ? File.join(ENV["XDG_RUNTIME_DIR"], "loupe") : "/tmp/loupe-#{Process.uid}"

    attr_reader :path

    def initialize(path = Listener.path_of(Process.pid))
      @path, @pid = path, Process.pid
      prepare_folder
      File.unlink(path) if File.socket?(path)
      @server = UNIXServer.new(path)
      File.chmod(0o600, path)
      @thread = Thread.new { loop { serve(@server.accept) } }
      @thread.name = "loupe"
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

    def serve(client)
      client.write(answer(client.wait_readable(5) && client.gets(chomp: true)))
    rescue SystemCallError, IOError
      # The client is gone.
    ensure
      client.close
    end

    def answer(line)
      command, seconds, every = line.to_s.split
      seconds, every = Float(seconds, exception: false), Integer(every || SAMPLE_BYTES, exception: false)
      unless command == "sample" && seconds&.between?(0, LONGEST_SECONDS) && every&.positive?
        return "error wants the line: sample SECONDS BYTES\n"
      end
      require "json"
      "ok\n#{JSON.generate(Loupe.sample(every:) { sleep seconds }.to_h)}\n"
    rescue Busy => error
      "error #{error.message}\n"
    end
  end

  # Lets loupe attach ask this process from here on; a forked child asks for itself.
  def self.listen(...) = Listener.new(...)
end

Loupe.listen
