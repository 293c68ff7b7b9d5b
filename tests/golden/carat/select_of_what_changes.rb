# Hash#select and its kin walk the receiver: what their blocks remove does not come any more, and they can add nothing.
2.times do
  big = (1..100).to_h { |i| [i, "v#{i}"] }
  p big.select { |k, _| big.delete(k + 1) }.size, big.size
  begin
    big.reject { |k, _| big[k + 1000] = 1 }
  rescue => error
    puts "#{error.class}: #{error.message}"
  end
  p big.select { big.clear || true }, big.size
  words = (1..40).to_h { |i| ["k#{i}" * 4, i] }
  p words.select { |k, v| words.delete(k); GC.start if v % 10 == 0; v > 35 }, words
  small = { a: 1, "b" => 2, [3] => 3 }
  p small.select { |k, _| small.delete(k) }, small
end
