# oracle: native
# A port is one when its initialize has run.
Warning[:experimental] = false

class Bare < Ractor::Port
  def initialize; end
end

class Named < Ractor::Port
  def initialize(name)
    super()
  end
end

def mistake
  yield
rescue => error
  [error.class, error.message]
end

bare = Bare.new
p mistake { bare << 1 }, mistake { bare.receive }, mistake { bare.close }, mistake { bare.closed? }, mistake { bare.inspect }
p mistake { Ractor.select(bare) }, mistake { Ractor.current.monitor(bare) }
p mistake { Ractor::Port.allocate.receive }, mistake { Ractor::Port.new(1) }

named = Named.new("a")
named << 1
p named.receive, named.closed?, Ractor.shareable?(named)
Ractor.new(named) { |port| port << 2 }
p named.receive
