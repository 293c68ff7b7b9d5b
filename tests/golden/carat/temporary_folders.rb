# A temporary folder may be gone when its block ends. (CRuby 4.0 is recorded without folders of its own, and 3.1 raises.)
require "tmpdir"

gone = Dir.mktmpdir { |folder| Dir.rmdir(folder); folder }
p File.exist?(gone)
