# A converter made of the steps that convpath shows; what a lazy enumerator of one's own looks like.
def try(name)
  result = begin
    yield.inspect
  rescue Exception => error
    "#{error.class}: #{error.message}"
  end
  puts "#{name}: #{result}"
end

def made(*steps) = Encoding::Converter.new(steps)

try("pair") { made(["UTF-8", "EUC-JP"]).convert("\u3042").bytes }
try("two pairs") { made(["UTF-8", "EUC-JP"], ["EUC-JP", "Shift_JIS"]).convert("\u3042").bytes }
try("encodings") { c = made([Encoding::UTF_8, Encoding::EUC_JP]); [c.source_encoding, c.destination_encoding, c.convpath] }
try("with a newline") { made(["ISO-8859-1", "UTF-8"], "crlf_newline").convert("\xE9\n".b).bytes }
try("path with a newline") { made(["ISO-8859-1", "UTF-8"], "universal_newline").convpath }
try("shown") { [made(["UTF-8", "UTF-16LE"], "crlf_newline").inspect, made.inspect] }
try("decoration alone") { c = made("universal_newline"); [c.convert("a\r\nb"), c.source_encoding, c.destination_encoding] }
try("escapes") { made("xml_text_escape").convert("<&>") }
try("path given back") { path = Encoding::Converter.search_convpath("ISO-8859-1", "EUC-JP"); Encoding::Converter.new(path).convpath == path }
try("one name in a pair") { made(["UTF-8"]) }
try("three names") { made(["UTF-8", "EUC-JP", "Shift_JIS"]) }
try("a number") { made(5) }
try("a pair of numbers") { made([5, 6]) }
try("no decoration") { made("zork") }
try("no encoding") { made(["UTF-8", "zork"]) }
try("no arguments") { Encoding::Converter.new }

try("lazy") { Enumerator::Lazy.new([1, 2]) { |y, value| y << value } }
try("lazy, mapped") { Enumerator::Lazy.new([1, 2], 2) { |y, value| y << value }.map { 1 } }
try("lazy of an array") { [1, 2].lazy.map { 1 } }
try("lazy of a lazy") { Enumerator::Lazy.new([1].lazy) { |y, value| y << value } }
