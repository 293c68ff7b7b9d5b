# Which mistake a frozen receiver names first: that it is frozen, or that the argument cannot be converted.
[
  -> { [].freeze.replace(1) }, -> { [].freeze.concat(1) }, -> { {}.freeze.replace(1) }, -> { {}.freeze.update(1) },
  -> { "".freeze.replace(1) }, -> { "".freeze << nil }, -> { "".freeze << "x" }, -> { "".freeze << 97 }, -> { "".freeze.concat(nil) },
  -> { "".freeze.prepend(nil) }, -> { "".freeze.insert(nil, nil) }, -> { "".freeze.sub!(1, 2) }, -> { "".freeze.setbyte(nil, nil) },
  -> { Rational("1\0") }, -> { Rational("a\0") }, -> { Complex("1\0") }, -> { (nil..-4).last(2) }, -> { (...2).last(3) }, -> { (..2).last(0) },
  -> { (..2).last(-1) }, -> { (nil..2.5).last(1) },
].each do |call|
  p call.call
rescue => e
  puts "#{e.class}: #{e.message}"
end

# Where there is nothing to change, nobody asks.
p "".freeze.tr!("a", "b"), "".freeze.tr_s!("a", "b"), "".freeze.delete!("a")
