# What ensure clauses see and do when break, next, return, throw, retry and exceptions pass through them.
LOG = []
def log(value) = LOG.push(value).last
def flush = (p(LOG.dup); LOG.clear)

def return_through
  [1, 2].each do |x|
    begin
      return log(:"return#{x}")
    ensure
      log :inner
    end
  end
ensure
  log :outer
end
p return_through
flush

result = [1, 2, 3].each do |x|
  begin
    next if x == 1
    break log(:broke) if x == 2
    log :never
  ensure
    log :"ensure#{x}"
  end
end
p result
flush

p(catch(:tag) { begin; begin; throw :tag, 1; ensure; log :first; end; ensure; log :second; end })
flush

def override
  yield
ensure
  return :overridden
end
p override { raise "lost" }, override { 1 }

def raise_in_ensure
  raise "first"
ensure
  raise "second" rescue log($!.message)
end
begin
  raise_in_ensure
rescue => error
  p error.message, error.cause
end
flush

i = 0
while i < 3
  begin
    i += 1
    next if i == 2
    log i
  ensure
    log :"loop#{i}"
    break if i == 3
  end
end
flush

def nested_procs
  block = proc { return :from_block }
  begin
    [1].each { begin; block.call; ensure; log :called; end }
  ensure
    log :method
  end
  :never
end
p nested_procs
flush

tries = 0
begin
  begin
    tries += 1
    raise ArgumentError, "try #{tries}" if tries < 3
    log :ok
  ensure
    log :"tried#{tries}"
  end
rescue ArgumentError
  retry
else
  log :else
ensure
  log :end
end
flush
lambda_value = -> { begin; return 1; ensure; log :lambda; end }
p lambda_value.call, $!
e = Enumerator.new { |y| begin; y << 1; y << 2; ensure; log :enumerator; end }
p e.first, e.take(1)
flush
def with_rescue_else(kind)
  begin
    raise IndexError if kind == :raise
    return :returned if kind == :return
    :body
  rescue IndexError
    :rescued
  else
    :else
  ensure
    log kind
  end
end
p with_rescue_else(:raise), with_rescue_else(:return), with_rescue_else(:none)
flush
def ensure_keeps_value = (begin; [1]; ensure; [2]; end)
p ensure_keeps_value
begin
  begin
    raise "a"
  rescue => a
    raise TypeError, "b"
  end
rescue => b
  p b.cause.equal?(a), $!.equal?(b)
end
p $!
