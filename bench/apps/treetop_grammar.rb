# needs: ruby-treetop ruby-polyglot
require "treetop"
Treetop.load_from_string(<<~'T')
  grammar Settings
    rule file
      (blank / section / entry)* {
        def pairs(prefix = "") = elements.flat_map { |e| e.respond_to?(:pairs_within) ? e.pairs_within : [] }
      }
    end
    rule section
      "[" name:word "]" "\n" lines:(entry / blank)* {
        def pairs_within = lines.elements.flat_map { |e| e.respond_to?(:pairs_within) ? e.pairs_within.map { |k, v| ["#{name.text_value}.#{k}", v] } : [] }
      }
    end
    rule entry
      word ws "=" ws value "\n" {
        def pairs_within = [[word.text_value, value.to_value]]
      }
    end
    rule value
      number / list / quoted
    end
    rule list
      "(" ws first:value rest:(ws "," ws value)* ws ")" {
        def to_value = [first.to_value, *rest.elements.map { |e| e.value.to_value }]
      }
    end
    rule number
      "-"? [0-9]+ ("." [0-9]+)? { def to_value = text_value.to_f }
    end
    rule quoted
      '"' (!'"' .)* '"' { def to_value = text_value[1..-2] }
    end
    rule word
      [a-z] [a-z0-9_]*
    end
    rule blank
      ("#" (!"\n" .)*)? "\n"
    end
    rule ws
      [ \t]*
    end
  end
T
text = +"# settings\n"
40.times { |i| text << "[part#{i}]\nwidth = #{i}.5\nname = \"part number #{i}\"\nsizes = (1, 2, #{i}, (\"a\", -3))\n\n" }
parser = SettingsParser.new
pairs = nil
12.times { pairs = parser.parse(text).pairs }
puts pairs.size, pairs.last.inspect, pairs.sum { |k, v| k.size + v.to_s.size }
p parser.parse("a = \n"), parser.failure_line
