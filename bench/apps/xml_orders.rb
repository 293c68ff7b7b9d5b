# needs: ruby-builder ruby-gyoku ruby-nori ruby-rexml
require "stringio"
require "builder"
require "gyoku"
require "nori"
xml = Builder::XmlMarkup.new(indent: 1)
xml.instruct!
xml.orders do
  700.times { |i| xml.order(id: i, state: i.odd? ? "open & new" : "<done>") { xml.item("Näme #{i}"); xml.price(i * 1.5, currency: "EUR"); xml.note { xml.cdata!("a < b #{i}") } } }
end
text = xml.target!
data = Nori.new(parser: :rexml, convert_tags_to: ->(t) { t.to_sym }).parse(text)
p text.size, data[:orders][:order].size, data[:orders][:order].last.to_a
again = Gyoku.xml(orders: { order: data[:orders][:order].map { |o| { id: o[:@id], item: o[:item], :@state => o[:@state], lines: [{ sku: 1 }, { sku: 2 }] } } })
p again.size, again[0, 120]
