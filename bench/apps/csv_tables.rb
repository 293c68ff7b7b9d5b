require "csv"
text = CSV.generate { |csv| 1500.times { |i| csv << [i, "name #{i}", i * 1.5, i.odd? ? "a,b" : nil, "say \"#{i}\"\nagain", ""] } }
table = CSV.parse("id,name,price,kind,Long note,e\n" + text, headers: true, converters: :numeric, header_converters: :symbol)
p table.size, table.headers, table[17].fields, table.by_col[0].sum, table.map { |row| row[:long_note].size }.sum
table.delete(:e)
table.each { |row| row[:price] = (row[:price] * 2).round(1) if row[:kind] }
p table.to_csv.size, table[3].to_s, CSV.parse(text.delete('"').gsub("\nagain", ""), col_sep: ",", skip_blanks: true).sum(&:size)
begin
  CSV.parse("a,b\n1,\"2\n")
rescue CSV::MalformedCSVError => e
  puts e.message
end
