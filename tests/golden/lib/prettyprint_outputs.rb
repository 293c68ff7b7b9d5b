# An output's << may return what it likes.
require "pp"

class Lines
  def initialize = @text = +""
  attr_reader :text

  def <<(part)
    @text << part
    nil
  end
end

out = Lines.new
PP.pp([[1] * 30, { key: "v" * 40, other: [:a] * 30 }], out, 40)
puts out.text

out = Lines.new
PP.singleline_pp([1, [2, { a: 3 }]], out)
puts out.text

out = Lines.new
PrettyPrint.format(out, 10) do |q|
  q.group(1, "(", ")") { 5.times { |i| q.text("word#{i}"); q.comma_breakable rescue q.breakable } }
end
puts out.text

# One that leaves by a throw after the first line.
class Short < Lines
  def <<(part)
    super
    throw :enough, text if text.include?("\n")
    nil
  end
end
p catch(:enough) { PP.pp([1] * 100, Short.new, 40) }
