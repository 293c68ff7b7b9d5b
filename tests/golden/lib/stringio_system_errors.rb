# The system's errors that StringIO raises say no more than CRuby's.
require "stringio"

def outcome
  yield
rescue SystemCallError, ArgumentError, IOError => error
  p [error.class, error.message]
end

outcome { StringIO.new("a".freeze, "w") }
outcome { StringIO.new("a").pos = -1 }
outcome { StringIO.new("a").seek(-1) }
outcome { StringIO.new("a").seek(0, 9) }
outcome { StringIO.new("a").seek(-5, IO::SEEK_END) }
outcome { StringIO.new("a").truncate(-1) }
outcome { StringIO.new("a").pread(1, -1) }
outcome { StringIO.new("a").pread(-1, 0) }
outcome { StringIO.new("abc", "zz") }
outcome { StringIO.new("a").reopen("b".freeze, "w") }
outcome { StringIO.new("a".freeze, "a") }
outcome { StringIO.new("a".freeze, "r+") }
outcome { StringIO.new("a".freeze, File::WRONLY) }
