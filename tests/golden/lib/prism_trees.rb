require "prism"

SOURCES = [
  "foo = 1 + bar(2, *a, **b, &c) # x\nfoo&.baz { |x, (y, z), *r, k: 1, l:, **o, &blk| x }\n",
  "class A::B < C; def self.m(a, b = 1, *c, d, e:, f: 2, **g, &h) = a; end\nmodule M; end\nclass << self; end\n",
  "if a then b elsif c then d else e end; unless x; y; else z; end; a if b; c unless d\n",
  "while a do b end; until c; d; end; begin; x; end while y; for i, j in k do l end\n",
  "case a when 1, *b then c else d end\ncase [1, {a: 2}]\nin [Integer => x, {a:, **nil}] if x then y\nin {b: 1 | 2, **r} then z\nin [*, 3, *] then w\nin ^x then v\nend\n",
  "begin; a; rescue B, C => e; d; rescue; retry; else f; ensure g; end; x rescue y\n",
  "\"a\#{b}c\" 'd' \"e\"; :f; :\"g h\"; :\"i\#{j}\"; %w[a b]; %i[c d]; /re\#{x}/ix; /plain/m; `ls \#{a}`; `pwd`; ?a\n",
  "<<~A + <<-'B'\n  one \#{two}\n    three\nA\n  four\n  B\n",
  "[1, *a, b: 2]; {a: 1, 'b' => 2, **c, d:}; {}; 1..2; 3...; nil..4; a..b if (c..d); 1r; 2i; 3.5; 0x1f; 0b11; 0o17; 12345678901234567890123\n",
  "a, (b, *c), d.e, f[1], @g, $h, @@i, J, K::L, *m = *n, 1; a += 1; @b ||= 2; $c &&= 3; @@d -= 4; E ||= 5; F::G &&= 6; h.i += 7; j[1] ||= 8; k&.l &&= 9\n",
  "yield; yield 1; super; super(); super 1, &b; return; return 1, 2; break 3; next; redo; defined?(a); defined? b; alias x y; alias $m $n; undef p, :q; BEGIN { a }; END { b }\n",
  "->(a, b = 1; c) { a }; -> { _1 + _2 }; -> { it }; lambda do |x| x end; def m(...) = n(...); def o(*, **, &) = p(*, **, &)\n",
  "$1; $&; $~; __FILE__; __LINE__; __ENCODING__; self; nil; true; false; not a; !b; a and b or c; a && b || c; -a; +b; ~c; a <=> b; a =~ b; a !~ c\n",
  "/(?<n>.)/ =~ s; n; a => {b:}; a in [c]; a => ^(1 + 2); p((1; 2)); a::b; a::B; ::C; a.(); a.b = 1; a[0] = 2; a&.c = 3; if /x/; end; if /y\#{z}/; end\n",
  "# frozen_string_literal: true\n# encoding: utf-8\n=begin\ndoc\n=end\nx = 'é' # comment\n\"ü\#{x}\"\n__END__\ndata\n"
]
SOURCES.each do |source|
  result = Prism.parse(source)
  puts result.value.inspect
  p result.errors, result.warnings.map { |warning| [warning.type, warning.message, warning.level] }, result.comments, result.magic_comments, result.data_loc
end
