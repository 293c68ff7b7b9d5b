# Every operator between small, big and floating numbers.
NUMBERS = [0, 1, -3, 10, 2**62 - 1, -2**62, 2**62, 2**64 + 1, -10**25, 0.0, -0.0, 1.5, -2.5, 1e20, 2.0**62, Float::INFINITY, Float::NAN]
OPERATORS = %i[+ - * / % <=> == < <= > >= & | ^ div modulo divmod remainder fdiv eql? gcd]

def outcome(a, operator, b)
  a.public_send(operator, b).inspect
rescue StandardError => e
  "#{e.class}: #{e.message}"
end

NUMBERS.each do |a|
  NUMBERS.each do |b|
    puts "#{a}, #{b}: #{OPERATORS.map { |operator| outcome(a, operator, b) }.join(" | ")}"
  end
end

NUMBERS.each do |a|
  shifts = [-65, -1, 0, 1, 63, 64].map { |n| [outcome(a, :<<, n), outcome(a, :[], n)] }
  digits = [-26, -2, 0, 1, 16].map { |n| %i[floor ceil round truncate].map { |m| outcome(a, m, n) } }
  puts "#{a}: #{shifts.inspect} #{digits.inspect}"
end
