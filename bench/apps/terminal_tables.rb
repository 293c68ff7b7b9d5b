# needs: ruby-terminal-table ruby-pastel ruby-rainbow ruby-text-table ruby-paint ruby-unicode-display-width
require "rbconfig"
require "terminal-table"
require "pastel"
require "rainbow"
require "text-table"
require "paint"
Rainbow.enabled = true
pastel = Pastel.new(enabled: true)
out = []
12.times do |round|
  rows = Array.new(40) { |i| [i, "Näme #{i}", pastel.red.bold("x" * (i % 9)), { value: format("%.2f", i * 1.7), alignment: :right }] }
  rows << :separator << ["sum", { value: "日本語 wide", colspan: 2, alignment: :center }, 5]
  table = Terminal::Table.new(title: "Table #{round}", headings: %w[id name bar price], rows: rows)
  table.style = { border: :unicode } if round.odd?
  table.align_column(0, :right)
  out << table.to_s
end
puts out.first(2)
plain = Text::Table.new(head: %w[A B], rows: Array.new(60) { |i| ["Hi #{i}", { value: "there" * (i % 5), align: :center }] })
puts plain.to_s.lines.first(6)
300.times { |i| out << Rainbow("text #{i}").red.bright.underline.bg(:blue) << Paint["p", "#ff0011", :bright] << pastel.decorate("d", :green, :on_blue) }
p out.last(6), Rainbow(out.last(3).join).red.size, pastel.strip(out.last), out.sum(&:size)
