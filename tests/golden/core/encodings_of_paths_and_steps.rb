# Messages and `inspect` are in the encoding of the path; a converter shows its steps in the order they were given in.
paths = ["/none/\u3042".encode("Shift_JIS"), "/none/\u00FF".encode("ISO-8859-1"), "/none/\u3042"]
paths.each do |path|
  [-> { open(path) }, -> { Dir.open(path) }].each do |block|
    block.call
  rescue SystemCallError => e
    p e.message.encoding, e.message.b[/- .*/n]
  end
end

p Encoding::Converter.new(["universal_newline", ["iso-8859-1", "euc-jp"], "universal_newline"]).convpath
p Encoding::Converter.new(["crlf_newline", ["iso-8859-1", "euc-jp"]]).convpath
p Encoding::Converter.new([["iso-8859-1", "euc-jp"], "xml_text_escape", "crlf_newline"]).convpath
p Encoding::Converter.new(["xml_text_escape", "crlf_newline"]).convpath

codes = ["\xFD\xA1", "\xFD\xDF", "\xFD\xE0", "\xFE\xA1", "\xFE\xFE", "\xAD\xA1", "\xA1\xA1", "\x8E\xB1", "\x8F\xA1\xA1"]
p codes.map { |code| code.dup.force_encoding("EUC-JP").encode("Shift_JIS").b rescue $!.class }
codes = ["\xEF\x40", "\xEF\x7E", "\xEF\x80", "\xEF\x9E", "\xEF\x9F", "\xEF\xFC", "\xF0\x40", "\x87\x40", "\xB1", "\xFC\xFC"]
p codes.map { |code| code.dup.force_encoding("Shift_JIS").encode("EUC-JP").b rescue $!.class }
p Signal.list.keys.zip(Signal.list.keys).all? { |name, again| name.equal?(again) }
