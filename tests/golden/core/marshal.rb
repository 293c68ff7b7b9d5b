# Marshal: round trips and the exact bytes of simple values.
Pt = Struct.new(:x, :y)
class Plain; attr_accessor :a, :b; def ==(o) = o.class == self.class && a == o.a && b == o.b; end
class Custom
  attr_reader :v
  def initialize(v) = @v = v
  def marshal_dump = [:custom, @v]
  def marshal_load(a) = @v = a.last
end
class OldStyle
  attr_reader :v
  def initialize(v) = @v = v
  def _dump(level) = @v.to_s
  def self._load(s) = new(s.to_i)
end
plain = Plain.new.tap { |o| o.a = 1; o.b = [o.a, "s"] }
values = [nil, true, false, 0, 1, -1, 122, 123, 255, 256, -123, -124, -256, -257, 65536, 2**30 - 1, 2**30, -(2**30), -(2**30) - 1, 2**31, 2**62, 2**64, -(2**70), 1.5, -0.0, 0.1, 1e100, Float::INFINITY, "abc", "é", "bin\xff".b, :sym, :é, [], [1, [2, nil]], {}, { a: 1, "b" => [2] }, Hash.new(5).merge(1 => 2), 1..5, ("a"...), 3r, 1 + 2i, Pt.new(1, "y"), String, Comparable, Math, plain, /a.b/im, Class, "x".encode("Shift_JIS"), "us".dup.force_encoding("US-ASCII"), [:a, :a, "s", "s"], Set[1, 2]]
values.each do |value|
  bytes = Marshal.dump(value)
  back = Marshal.load(bytes)
  puts "#{value.inspect.gsub(/0x\h+/, "XX")[0, 40]}: #{bytes.bytesize} #{bytes.bytesize < 60 ? bytes.inspect : "long"} #{back == value || back.inspect == value.inspect}"
end
p Marshal.load(Marshal.dump(Float::NAN)).nan?, Marshal.load(Marshal.dump(Custom.new(5))).v, Marshal.load(Marshal.dump(OldStyle.new(7))).v, Marshal.dump(Custom.new(5)), Marshal.dump(OldStyle.new(7))
shared = "shared"
a = [shared, shared]
b = Marshal.load(Marshal.dump(a))
p b[0].equal?(b[1]), a[0].equal?(a[1])
c = []
c << c
d = Marshal.load(Marshal.dump(c))
p d[0].equal?(d), Marshal.load(Marshal.dump("a".encode("UTF-16LE"))).encoding, Marshal.load(Marshal.dump("x".b)).encoding
s = +"ivar"
s.instance_variable_set(:@extra, 1)
p Marshal.load(Marshal.dump(s)).instance_variable_get(:@extra), Marshal.dump(s)
error = (raise ArgumentError, "message" rescue $!)
e2 = Marshal.load(Marshal.dump(error))
p e2.class, e2.message
[-> { Marshal.dump(proc {}) }, -> { Marshal.dump($stdout) }, -> { Marshal.dump(Class.new) }, -> { Marshal.dump(Object.new.tap { |o| def o.x; end }) }, -> { Marshal.dump(Hash.new { }) }, -> { Marshal.load("\x04\x09x") }, -> { Marshal.load("") }, -> { Marshal.load("\x04\x08[") }, -> { Marshal.load("\x04\bo:\tNopeNope\0") }, -> { Marshal.dump([[[1]]], 2) }, -> { Marshal.dump(Mutex.new) }, -> { Marshal.dump(binding) }].each do |call|
  p call.call
rescue => error
  puts "#{error.class}: #{error.message.gsub(/0x\h+/, "XX")}"
end
p Marshal.load(Marshal.dump([1, "a", :b]), ->(v) { v.is_a?(String) ? v.upcase : v }), Marshal.load(Marshal.dump(["x"]), freeze: true).then { [_1.frozen?, _1[0].frozen?] }, Marshal::MAJOR_VERSION, Marshal::MINOR_VERSION
