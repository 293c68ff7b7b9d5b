# What stands where: columns, blanks, comments, markers, ends of lines, and the scalars between them.
require "yaml"

def shape(node)
  own = %i[value anchor tag].filter_map { |name| node.public_send(name) if node.respond_to?(name) }
  [node.class.name[/\w+\z/], *own, *node.children&.map { |child| shape(child) }]
end

[
  "a: b\n\n# comment\n\n  \nc:\n  - d # comment\n  - e#f\n  - g:h\n",
  "a: b\r\nc: d\r\n", "- a\n- - b\n  - c\n-   - d\n", "? a\n: b\n? - c\n: - d\n", "a:\n- b\n- c\nd: e\n",
  "--- a\n--- b\n...\n---\nc\n", "a: |\n  text\n   more\n\n  end\nb: >-\n  folded\n  text\n\n", "text\n  of lines\n\n  apart\n",
  "&a !t b: &c\n  d: *a\n", "!!str 1: !x {a: b, c}\n", "\"k\\n\": 'v''w'\n'x' : y\n", "a: [1, {b: c}, d e, f#g]  # h\n", "- \n-\n- ~\n",
  "key with spaces  : value with  spaces  \n", "a : b:c\n", "a:  \n", "---\n# only a comment\n", "", "\u{FEFF}a: é\n",
  "a: b: c\n", "a: b\n  c: d\n", "a\nb: c\n", "a:\n\t- b\n", "@a", "%a", "a: *", "[a", "--- --- a\n",
].each do |text|
  puts shape(Psych.parse_stream(text)).inspect
rescue Psych::SyntaxError => e
  puts [e.line, e.column, e.problem, e.context].inspect
end
