# needs: ruby-spreadsheet ruby-ole
require "stringio"
require "date"
require "spreadsheet"
n = 0
3.times do |r|
  book = Spreadsheet::Workbook.new
  sheet = book.create_worksheet(name: "Täst")
  bold = Spreadsheet::Format.new(weight: :bold, color: :blue, size: 14)
  sheet.row(0).concat %w[id name price date]
  sheet.row(0).default_format = bold
  80.times { |i| sheet.row(i + 1).replace([i, "Näme #{i}", i * 1.25, Date.new(2024, 1, 1) + i, i.even?]) }
  sheet[5, 6] = Spreadsheet::Link.new("http://x.org", "x") 
  io = StringIO.new("".b)
  book.write(io)
  io.rewind
  back = Spreadsheet.open(io).worksheet(0)
  n += io.string.size
  back.each { |row| n += row.to_a.compact.size }
  p back.name, back.row(3).to_a, back.row(4).date(3).to_s, back.row_count if r == 0
end
p n
