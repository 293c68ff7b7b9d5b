# Requests out of all proportion end at once; and copies into what is frozen, and a status that Marshal has.
def try
  p yield
rescue Exception => error
  puts "#{error.class}: #{error.message.sub(/0x\h+/, "0x")}"
end

# ---- sizes ----
try { [] * (2**30) }
try { ([] * (2**30)).frozen? }
try { [].cycle(2**64).size }
try { [1].cycle(2**64).size }
try { {}.cycle(2**64).size }

# ---- digits ----
try { 5.floor(-2**15) }
try { -5.ceil(-2**15) }
try { 5.round(-2**15) }
try { -5.round(-2**15) }
try { 0.ceil(-2**15) }
try { 0.floor(-2**15) }
try { (10**40).floor(-41) }
try { (10**40).round(-41) }
try { (6 * 10**40).round(-41) }
try { (10**40).ceil(-41) }
try { (-10**40).floor(-41) }
try { 15.ceil(-1) }
try { -15.floor(-1) }
try { Time.at(0).utc.ceil(2**20) }
try { Time.at(1.5r).utc.floor(2**20).subsec }
try { Time.at(1 / 3r).utc.round(12).subsec }
try { Time.at(1 / 3r).utc.ceil(3).subsec }
try { Time.at(1, 123_456_789, :nsec).utc.floor(9).nsec }
try { Time.at(1, 123_456_789, :nsec).utc.floor(8).nsec }
try { Time.at(0).utc.round(-1) }
try { Time.at(0).utc.iso8601(2**20).size }
try { Time.at(1.25r).utc.iso8601(30) }

# ---- floats that no Integer of the machine holds ----
try { "a" * 1e20 }
try { "a"[-1.5e30] }
try { [1][123456789012345678901234.0] }
try { [1].first(1.23456789012e300) }
try { [1].first(Float::INFINITY) }
try { [1].first(-Float::INFINITY) }
try { [1].first(Float::NAN) }

# ---- the simplest fraction of a span that holds several Integers is the least of them ----
try { 1.5.rationalize(2**20) }
try { 1.5r.rationalize(10) }
try { -1.5.rationalize(10) }
try { 0.5r.rationalize(1) }
try { 3.14.rationalize(0.01) }
try { 0.0.rationalize(0.1) }

# ---- what is frozen is no copy's target ----
object = Object.new
chain = [object.singleton_class, object.singleton_class.singleton_class, object.singleton_class.singleton_class.singleton_class]
object.freeze
p chain.map(&:frozen?)
object = Object.new.freeze
p object.singleton_class.frozen?, object.singleton_class.singleton_class.frozen?
try { Module.new.freeze.send(:initialize_copy, Module.new) }
try { Class.new.freeze.send(:initialize_copy, Class.new) }
try { File.open(__FILE__).freeze.send(:initialize_copy, File.open(__FILE__)) }

# ---- statuses of processes ----
data = "\x04\bo:\x14Process::Status\a:\vstatusi\x02\x00\x03:\bpidi\x02\xE3;".b
status = Marshal.load(data)
p status, status.pid, status.exitstatus, status.success?
p Marshal.dump(status) == data
p Marshal.load(Marshal.dump([status, status])).map(&:exitstatus)
