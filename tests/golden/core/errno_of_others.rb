# An `Errno` class matches what has its number: a system's error by another name, or what only answers `errno`.
require "delegate"
other = Object.new
def other.errno = Errno::ENOENT::Errno
p Errno::ENOENT === SimpleDelegator.new(Errno::ENOENT.new), Errno::ENOENT === other, SystemCallError === other, Errno::EPERM === other
def other.errno = "two"
p Errno::ENOENT === other, Errno::ENOENT === nil
p Errno::EAGAIN === Errno::EWOULDBLOCK.new, SystemCallError === SystemCallError.new("x", 2)
