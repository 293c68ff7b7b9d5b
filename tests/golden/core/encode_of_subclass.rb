# `encode` makes an instance of the receiver's class, without its variables; what else makes strings makes plain ones.
class Text < String
  def initialize(text)
    super
    @note = 1
  end
end

plain, wide, broken = Text.new("abc"), Text.new("äb"), Text.new("\xff")
[
  plain.encode("UTF-16LE"), plain.encode("UTF-8"), plain.encode, plain.encode("US-ASCII"), wide.encode("UTF-8"), wide.encode("ISO-8859-1"),
  plain.encode("UTF-8", crlf_newline: true), plain.encode("UTF-8", xml: :text), wide.encode(xml: :attr),
  wide.encode("US-ASCII", undef: :replace), wide.encode("US-ASCII", fallback: { "ä" => "a" }), broken.encode("UTF-8", invalid: :replace),
  (Text.new("ä" * 300_000)).encode("UTF-16BE"), wide.unicode_normalize(:nfd), plain.scrub, broken.scrub, plain.b, plain.encode!("UTF-16LE")
].each { |text| puts "#{text.class} #{text.instance_variables} #{text.encoding} #{text.bytesize}" }

single = "ab"
def single.hello = 1
puts single.encode("UTF-16LE").singleton_methods.inspect, single.encode("UTF-16LE").class
