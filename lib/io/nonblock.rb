# IO#nonblock: whether reading and writing wait.
require "fcntl"

class IO
  def nonblock? = fcntl(Fcntl::F_GETFL) & File::NONBLOCK != 0

  def nonblock=(on)
    flags = fcntl(Fcntl::F_GETFL)
    fcntl(Fcntl::F_SETFL, on ? flags | File::NONBLOCK : flags & ~File::NONBLOCK)
  end

  # Calls the block with the stream in that mode, and puts it back into the other one.
  def nonblock(on = true)
    before = nonblock?
    self.nonblock = on
    yield self
  ensure
    self.nonblock = before unless before.nil? || closed?
  end
end
