# needs: ruby-money ruby-i18n
require "money"
Money.locale_backend = nil
Money.rounding_mode = BigDecimal::ROUND_HALF_UP
Money.default_currency = "EUR"
bank = Money.default_bank
rates = { "USD" => 1.1, "GBP" => 0.85, "JPY" => 130.25, "CHF" => 0.97 }
rates.each { |to, rate| bank.add_rate("EUR", to, rate); bank.add_rate(to, "EUR", 1 / rate) }
sum = Money.new(0)
texts = []
6000.times do |i|
  price = Money.from_amount(i * 0.37 + 1, rates.keys[i % 4])
  sum += price.exchange_to("EUR") * 2
  parts = price.allocate([1, 2, 3])
  raise "lost cents" unless parts.sum(Money.new(0, price.currency)) == price
  texts << price.format(thousands_separator: "'") if i % 50 == 0
end
puts sum.format, texts.size, texts.last(4), Money::Currency.all.size
puts Money.from_amount(1234567.891, "BHD").format, (Money.new(5) <=> Money.new(7, "USD"))
