# Texts of several megabytes that methods make: what is given back on the way is no part of them.
require "digest"
require "json"

line = "0123456789 abcdef, \"quoted\" \\ and more\n"
TEXT = line * 80_000
WIDE = "Grüße, 日本 😀\n" * 150_000

def shown(name, text)
  puts "#{name}: #{text.encoding} #{text.bytesize} #{text.ascii_only?} #{text.valid_encoding?} #{Digest::MD5.hexdigest(text)}"
end

[TEXT, WIDE].each do |text|
  shown "sub", text.sub(/\d/, "x")
  shown "gsub", text.gsub(/[a-e]/) { $&.upcase }
  shown "gsub!", text.dup.tap { _1.gsub!("a", "bb") }
  shown "tr", text.tr("a-f", "A-F")
  shown "squeeze", text.squeeze("0-9")
  shown "delete", text.delete("b")
  shown "upcase", text.upcase
  shown "swapcase", text.swapcase
  shown "inspect", text.inspect
  shown "array", [text, text.size].inspect
  shown "dump", text.dump
  shown "undump", text.dump.undump
  shown "format", format("%s|%d", text, 1)
  shown "pack", [text].pack("m")
  shown "unpack", [text].pack("m0").unpack1("m0")
  shown "hex", text.unpack1("H*")
  shown "encode", text.encode("UTF-16LE")
  shown "back", text.encode("UTF-16LE").encode("UTF-8")
  shown "scrub", (text + "\xFF").scrub
  shown "normalize", text.unicode_normalize(:nfd)
  shown "center", text.center(text.size + 3_000_000, "ab")
  shown "succ", text.succ
  shown "Marshal", Marshal.dump(text)
  shown "JSON", JSON.generate([text])
  p JSON.parse(JSON.generate([text])) == [text], Marshal.load(Marshal.dump(text)) == text
end
made = TEXT.sub("0", "1")
copy = made.dup
made << "x"
made[0] = "é"
shown "changed", made
shown "copy", copy
