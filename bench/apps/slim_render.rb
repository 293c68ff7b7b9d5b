# needs: ruby-slim ruby-temple ruby-tilt
require "slim"
source = <<~T
  doctype html
  html
    head
      title = title
    body
      - if rows.empty?
        p.none Nothing here
      - else
        ul#list
          - rows.each_with_index do |row, i|
            li class=(i.odd? ? "odd" : "even") data-id=row[:id]
              a href="/items/\#{row[:id]}" = row[:name]
              |  costs
              == row[:price]
              - if row[:tags].any?
                span.tags = row[:tags].join(", ")
T
Page = Struct.new(:title, :rows)
rows = Array.new(60) { |i| { id: i, name: "Item <#{i}> & co", price: format("%.2f", i * 1.7), tags: %w[a b c].first(i % 4) } }
out = ""
40.times { out = Slim::Template.new("page.slim", pretty: false) { source }.render(Page.new("List", rows)) }
template = Slim::Template.new { source }
600.times { |i| out = template.render(Page.new("List #{i}", rows)) }
puts out.size, out.sum
