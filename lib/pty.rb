# Terminals that a program makes for others: it plays the user, they have a keyboard and a screen.
require "etc"

module PTY
  # What PTY.check raises: the program ended or was stopped.
  class ChildExited < StandardError
    # The program's Process::Status.
    attr_reader :status

    def initialize(message = nil, status = nil)
      super(message)
      @status = status
    end
  end

  require "pty.so"
  private_class_method :open_pair, :spawn_at

  # Opens a terminal: the end of who plays the user, and the end that a program has. Yields both, closes them afterwards and
  # returns what the block does, if there is one.
  def self.open
    master, slave, path = open_pair
    ends = [IO.for_fd(master, "r+", path: "masterpty:#{path}".freeze), File.for_fd(slave, "r+", path: path.freeze)]
    ends.each { |io| io.sync = true }
    return ends unless block_given?

    begin
      yield ends
    ensure
      ends.each(&:close)
    end
  end

  # Starts a program, or else the user's shell, at a terminal of its own: a stream with what it prints, one to type on, and the
  # number of its process. Yields them if there is a block.
  def self.spawn(*command)
    command = [ENV["SHELL"] || Etc.getpwuid&.shell || "/bin/sh"] if command.empty?
    master, slave, path = open_pair
    master, slave = IO.for_fd(master, "r+"), IO.for_fd(slave, "r+")
    begin
      pid = spawn_at(path, *command)
      ends = [["r", false], ["w", true]].map do |mode, sync|
        copy = master.dup.tap { |io| io.autoclose = false }
        File.for_fd(copy.fileno, mode, path: path.freeze).tap { |io| io.sync = sync }
      end
    ensure
      slave.close
      master.close
    end
    return [*ends, pid] unless block_given?

    begin
      yield [*ends, pid]
      nil
    ensure
      status_of(pid, Process::WNOHANG)
    end
  end

  # The status of a program that ended or was stopped, or else nil; with `raises`, a ChildExited has it.
  def self.check(pid, raises = false)
    return unless status_of(pid, Process::WNOHANG | Process::WUNTRACED)

    status = $?
    return status unless raises

    raise ChildExited.new("pty - #{status.stopped? ? "stopped" : "exited"}: #{pid}", status)
  end

  # Whether there is news of a process; `$?` has them.
  def self.status_of(pid, flags)
    Process.wait(pid, flags)
  rescue Errno::ECHILD
    nil
  end
  private_class_method :status_of

  class << self
    alias getpty spawn
  end

  private

  def getpty(...) = PTY.spawn(...)

  def spawn(...) = PTY.spawn(...)
end
