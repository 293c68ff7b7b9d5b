# oracle: native
# MessagePack: values as bytes and back, a packer, an unpacker, types of the program.
require "msgpack"
require "stringio"

# Hashes as lists: how they are shown changed.
def plain(value)
  case value
  when Hash then [:hash, *value.map { |key, inner| [key, plain(inner)] }]
  when Array then value.map { |inner| plain(inner) }
  else value
  end
end

def show
  p plain(yield)
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

show { MessagePack.unpack("\xc1") }
show { MessagePack.unpack("\x92\x01") }
show { MessagePack.unpack("") }
show { MessagePack.unpack("\x01\x02") }
io=StringIO.new; pk=MessagePack::Packer.new(io); pk.write_array_header(2).write(1).write("a"); pk.write_map_header(1); pk.write_string("k"); pk.write_nil
show { io.string }
pk.flush
show { io.string }
u=MessagePack::Unpacker.new(StringIO.new(io.string))
show { u.read }
show { u.read }
show { u.read }
u=MessagePack::Unpacker.new; u.feed("\x93\x01")
show { u.read }
u.feed("\x02\x03\xc0")
show { u.read }
show { u.skip_nil }
u.feed_each("\x01\x02"){|x| p x}; u.feed("\x92\x01\x02")
show { u.read_array_header }
show { u.read }
show { u.read_map_header }
show { MessagePack.unpack(MessagePack.pack({"a"=>{"b"=>1}}),symbolize_keys: true) }
show { MessagePack.unpack(MessagePack.pack(["a"]),freeze: true).frozen? }
f=MessagePack::Factory.new; Pt=Struct.new(:x,:y); f.register_type(1,Pt,packer: ->(q){[q.x,q.y].pack("NN")},unpacker: ->(s){Pt.new(*s.unpack("NN"))})
show { f.load(f.dump([Pt.new(1,2)])) }
show { MessagePack.unpack(f.dump(Pt.new(1,2))) }
show { MessagePack.unpack(f.dump(Pt.new(1,2)),allow_unknown_ext: true) }
f.register_type(0,Symbol); class Symbol; def to_msgpack_ext = to_s; def self.from_msgpack_ext(s) = s.to_sym; end
show { f.load(f.dump([:a,{b: :c}])) }
f.register_type(-1,Time,packer: MessagePack::Time::Packer,unpacker: MessagePack::Time::Unpacker) rescue p $!
show { f.load(f.dump(Time.at(1,5,:nsec)))==Time.at(1,5,:nsec) }
show { f.dump(Time.at(1)) }
show { [1,"a"].to_msgpack }
show { 1.to_msgpack(StringIO.new).class }
show { MessagePack::ExtensionValue.new(3,"abc").to_msgpack }
[:a, 1, nil].each do |bytes|
  MessagePack::Unpacker.new.feed(bytes)
rescue TypeError => e
  puts e.message
end
