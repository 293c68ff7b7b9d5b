# oracle: native
# The gem csv, as far as a Ruby of 3.1 and one of 4.0 print the same.
require "csv"
$VERBOSE = nil
[" a","a ","#x","a\tb","\ta","","a,b","a\"b","a\nb","a\rb",nil,1,1.5,:s,"é","'x"].each { |f| p [f, CSV.generate_line([f,"z"])] }
p CSV.generate_line([]), CSV.generate_line([nil]), CSV.generate_line([""]), CSV.generate_line(["a",nil,"b"], force_quotes: true), CSV.generate_line(["a","b"], col_sep: ";", row_sep: "\r\n", quote_char: "'")
p CSV.generate_line(["a'b;","b"], col_sep: ";", quote_char: "'"), CSV.generate_line(["a", ""], quote_empty: false)
def t(*a, **k) = begin; p CSV.parse(*a, **k); rescue => e; puts "#{e.class}: #{e.message}"; end
t "a,b\n1,2\n"
t "a,\"b\"\"c\",\"\"\n\n1,,2"
t "a,\"b\nc\"\n"
t "a,b\r\n1,2\r\n"
t "a,b\r1,2\r"
t "a,\"b"
t "a,b\"c\n"
t "a,\"b\"c\n"
t "x\n1,\"a\"b"
t "a\nb\r\nc"
t "a,b\r\nc\nd\r\n"
t "a;b", col_sep: ";"
t "a,b\n\n\nc", skip_blanks: true
t "# x\na,b\n# y\n", skip_lines: /^#/
t "# x\na,b\n# y\n", skip_lines: "#"
t " a , \"b\" \n", strip: true
t " a , b \n", strip: true
t " a , \"b\" \n"
t "1,2.5,2024-01-02,x,1e3, 5\n", converters: :all
t "1,2.5,0x1F,1_000\n", converters: :numeric
t "1,2.5,,\"\"\n", converters: [:integer, :float], nil_value: 0, empty_value: "E"
t "1,2", converters: ->(f) { f + "!" }
t "1,2", converters: ->(f, i) { [f, i.index, i.line, i.header] }
t "a,b\"c\"d,\"e\"f\n", liberal_parsing: true
t "a,b\n", quote_char: nil
t "a'b','c,d'\n", quote_char: "'"
t "'a''b','c,d'\n", quote_char: "'"
t ""
t "\n"
t ","
t "a\t\"b\tc\"", col_sep: "\t"
t "a||b||\"c||d\"", col_sep: "||"
x = CSV.parse("Name,Age Count,\nbob,5,x\n\namy,\"7\"\nzed,1,2,3\n", headers: true)
p x.class, x.headers, x[0], x["Name"], x[1].to_h.to_a, x.to_a, x.to_s, x.size, x[3].fields, x.map { |r| r.to_h.to_a }
p x.by_col[0], x.by_col!.delete("Name"), x.headers, x.by_row[0]
p CSV.parse("Name,Age Count\nbob,5\n", headers: true, header_converters: :symbol, converters: :numeric).map { |r| r.to_h.to_a }, CSV.parse("a,b\n1,2", headers: %w[x y]).map { |r| r.to_h.to_a }, CSV.parse("1,2", headers: "x,y").map { |r| r.to_h.to_a }, CSV.parse("A b,C\n1,2", headers: true, header_converters: [:downcase, ->(h) { h + "!" }]).first.headers
p CSV.parse("a,b\n1,2", headers: true, return_headers: true).map { |r| [r.header_row?, r.to_h.to_a] }
p CSV.parse_line("a,b,\"c\""), CSV.parse_line(""), "a,b".parse_csv, [1, "x,y"].to_csv, CSV.parse_line("a b", col_sep: " ")
puts CSV.generate { |c| c << [1, 2] }
puts CSV.generate(headers: %w[a b], write_headers: true) { |c| c << [1, nil]; c << { "b" => 2, "a" => "x,y" }; c << CSV::Row.new(%w[a b], [5, 6]) }
puts CSV.generate("x\n") { |c| c << ["y"] }
r = CSV::Row.new(%w[a b a], [1, 2, 3])
p r["a"], r.field("a", 1), r.fields("a", "b"), r.index("b"), r.index("a", 1), r.has_key?("c"), r.include?("a"), r.header?("b"), r.to_h.to_a, r.to_csv, r.dig("a"), r.fetch("a"), r.size, r.headers, r.each_pair.to_a, r == CSV::Row.new(%w[a b a], [1, 2, 3]), r.values_at(0, 2), r.fields(0..1), r.field?(2)
p((r.fetch("z") rescue [$!.class, $!.message]), r.fetch("z", 1), r.fetch("z") { |k| k * 2 })
r = CSV::Row.new(%w[a b a], [1, 2, 3]); r["b"] = 9; r["n"] = 10; r << ["q", 1] << 5; p r, r.delete("q"), r.delete_if { |h, f| f == 1 }, r.to_hash.to_a
t = CSV::Table.new([CSV::Row.new(%w[a b], [1, 2]), CSV::Row.new(%w[a b], [3, 4])])
p t["a"], t[0], t[0..1], t["a"] = [7, 8], t["c"] = 5, t.to_a, t.values_at("a", "c"), t.dig(0, "a"), t.mode, t == t.to_a, t.delete(0), t.each { |row| p row }.size, t.by_col.each { |h, f| p h, f }.mode, t.delete_if { |row| row["a"] == 8 }.size
t << [1, 2, 3]; p t.to_csv, t.length, t.to_s(write_headers: false)
require "stringio"
io = StringIO.new("a,b\n1,\"x\ny\"\n2,3\n")
c = CSV.new(io, headers: true)
p c.shift, c.lineno, c.line, c.headers, c.gets, c.lineno, c.readline, c.eof?
c.rewind; p c.read.size, c.header_row?, c.converters, c.col_sep, c.row_sep, c.quote_char, c.skip_blanks?, c.force_quotes?, c.return_headers?, c.write_headers?, c.unconverted_fields?, c.liberal_parsing?
p CSV.new("a,b\nc,d").each.to_a, CSV.new("a,b\nc,d").map(&:first), CSV.new("a,b\nc,d").each_with_index.to_a, CSV.new("1,2\n", converters: :integer, unconverted_fields: true).first.unconverted_fields
begin; CSV.parse("a,\"b"); rescue CSV::MalformedCSVError => e; p e.line_number, e.message; end
begin; CSV.parse("a,b", foo: 1); rescue ArgumentError => e; p e.message; end
begin; CSV.parse("a", col_sep: ""); rescue ArgumentError => e; p e.message; end
begin; CSV.parse("a", quote_char: "ab"); rescue ArgumentError => e; p e.message; end
begin; CSV.parse(nil); rescue ArgumentError => e; p e.message; end
require "tempfile"
Tempfile.create("x") { |f| f.write("a,b\n1,2\n3,4\n"); f.flush; CSV.foreach(f.path) { |row| p row }; p CSV.read(f.path, headers: true).map { |r| r.to_h.to_a }, CSV.readlines(f.path), CSV.table(f.path).map { |r| r.to_h.to_a }, CSV.foreach(f.path, headers: true).map { |r| r.to_h.to_a }, CSV.open(f.path) { |x| x.readlines }, CSV.open(f.path, "w") { |x| x << [1, "z"] }.class, File.read(f.path), CSV.open(f.path, "r", headers: true, &:first) , CSV.foreach(f.path, "r", col_sep: "z").to_a }
out = StringIO.new; CSV.filter("a,b\n1,2\n", out) { |row| row << "z" }; puts out.string
p CSV.parse("a,b\n1,2".encode("UTF-16LE")).first.map(&:encoding) rescue p $!.class
p CSV.parse("ä;ö".encode("ISO-8859-1"), col_sep: ";").first.map(&:encoding)
p CSV.parse("a,b\n1,2", headers: true).by_col.map { |h, c| [h, c] }, CSV.instance($stdout, col_sep: ",").class
p CSV.parse("a,b,c\n", headers: true).to_a, CSV.parse("a,b,c\n", headers: true).headers
p CSV.parse("\"a\" ,b") rescue p $!.message
p CSV.parse("a, \"b\"") rescue p $!.message
p CSV.parse("a,b\"\"c") rescue p $!.message
p CSV.parse("\xEF\xBB\xBFa,b\n1,2", headers: true).headers
