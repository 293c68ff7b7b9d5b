# What `pack` appends to gives its encoding to the buffer where it is text, and leaves the buffer's where it is bytes.
buffers = ["".b, +"", "\xff".b, +"é", "a".dup.force_encoding("EUC-JP"), "ab".dup.force_encoding("US-ASCII")]
formats = [["U*", [233]], ["m", ["a"]], ["u", ["abc"]], ["M", ["abc"]], ["C", [1]], ["CU", [1, 2]], ["x", []], ["", []], ["a", ["b"]],
           ["UC", [1, 200]], ["w", [1]]]
formats.each do |format, values|
  encodings = buffers.map do |buffer|
    buffer = buffer.dup
    packed = values.pack(format, buffer: buffer)
    abort "not the buffer" unless packed.equal?(buffer)
    [packed.encoding, packed.bytes]
  end
  puts "#{format}: #{encodings.inspect}"
end
text = +"é"
p text.ascii_only?
p [0x65e5].pack("U", buffer: text), text.valid_encoding?, text.size
text = "日".b
p text.size
p [0x65e5].pack("U", buffer: text), text.valid_encoding?, text.size
