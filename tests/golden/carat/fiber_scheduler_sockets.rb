# CRuby 3.1 lacks some of these hooks, and the WebAssembly build of 4.0 has no threads: read against the sources of 4.0.
# 1,000 connections to an echo server, all of them fibers of one thread.
require "socket"

# Runs whoever can go on; waits with IO.select for the others.
class Selector
  def initialize
    @readable, @writable, @ready = {}, {}, []
    @thread = Thread.current
    @waits = Hash.new(0)
  end

  attr_reader :waits

  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)

  def io_wait(io, events, _timeout)
    @waits[events] += 1
    list = events & IO::READABLE != 0 ? @readable : @writable
    list[io] = Fiber.current
    Fiber.yield
    events
  end

  def block(_blocker, _timeout = nil)
    Fiber.yield
    true
  end

  def unblock(_blocker, fiber) = @ready << fiber

  def kernel_sleep(_duration = nil)
    @ready << Fiber.current
    Fiber.yield
  end

  def fiber_interrupt(fiber, exception) = fiber.raise(exception)

  def run
    until @readable.empty? && @writable.empty? && @ready.empty?
      ready, @ready = @ready, []
      ready.each(&:resume)
      next if @readable.empty? && @writable.empty?

      readable, writable = IO.select(@readable.keys, @writable.keys, [], @ready.empty? ? nil : 0)
      readable&.each { |io| @readable.delete(io)&.resume }
      writable&.each { |io| @writable.delete(io)&.resume }
    end
  end
  alias close run
end

COUNT = 1000
answers = []
selector = nil
served = 0

Thread.new do
  Fiber.set_scheduler(selector = Selector.new)
  server = TCPServer.new("127.0.0.1", 0)
  port = server.addr[1]

  Fiber.schedule do
    COUNT.times do
      client = server.accept
      Fiber.schedule do
        while (line = client.gets)
          client.write(line.upcase)
          served += 1
        end
        client.close
      end
    end
    server.close
  end

  # Everybody is connected before anybody is done.
  connected = 0
  all = Thread::Queue.new
  COUNT.times do |number|
    Fiber.schedule do
      socket = TCPSocket.new("127.0.0.1", port)
      connected += 1
      COUNT.times { all << true } if connected == COUNT
      all.pop
      2.times do |turn|
        socket.puts("hello #{number}.#{turn}")
        answers << socket.gets
      end
      socket.close
    end
  end
end.join

p served, answers.size, answers.uniq.size, answers.sort.first, answers.sort.last
p selector.waits[IO::READABLE] > COUNT
