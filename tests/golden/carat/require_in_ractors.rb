# A `require` that a library wrote over the first one runs in the main Ractor, where what it reads is.
# oracle: native
require "tmpdir"

module Kernel
  LOG = []
  alias require_before require

  def require(feature)
    LOG << [feature, Ractor.main?]
    require_before(feature)
  end
end

Dir.mktmpdir do |folder|
  File.write("#{folder}/required.rb", "REQUIRED = 1")
  p Ractor.new("#{folder}/required") { |path| [require(path), require(path)] }.value
end
p REQUIRED
p Kernel::LOG.map { |feature, main| [File.basename(feature), main] }
message = Ractor.new do
  require "no/such/feature"
rescue LoadError => e
  [e.class, e.message, e.path]
end
p message.value
p Object.ancestors.map(&:to_s).first(3)

# One that is written over it once Ractors have run.
module Kernel
  alias require_between require

  def require(feature)
    LOG << feature
    require_between(feature)
  end
end
Kernel::LOG.clear
p require("set"), Ractor.new { require("set") }.value, Kernel::LOG
