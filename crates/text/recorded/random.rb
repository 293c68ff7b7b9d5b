# Records what CRuby draws from seeded generators, one draw a line: seed, operation, argument, answer, separated by tabs.
# The draws of one seed follow one another.
SEEDS = [0, 1, 42, -42, 2**31, 2**32 - 1, 2**32, 2**32 + 5, 2**33, 2**64 - 1, 2**64, 2**100 + 12345, 123456789012345678901234567890, 2**700 + 3]
def float(f) = [f].pack("G").unpack1("H16")

SEEDS.each do |seed|
  random = Random.new(seed)
  line = ->(operation, argument, answer) { puts([seed, operation, argument, answer].join("\t")) }
  line["left", 0, random.send(:marshal_dump)[1]]
  [1, 2, 10, 100, 1000, 2**31, 2**32, 2**32 + 1, 2**33, 3 * 2**40, 2**62, 2**63, 2**64, 2**64 + 1, 2**65, 10**30, 2**100 + 1, 2**128].each do |limit|
    3.times { line["int", limit, random.rand(limit)] }
  end
  3.times { line["float", 0, float(random.rand)] }
  3.times { line["inclusive", 0, float(random.rand(0.0..1.0))] }
  [0, 1, 3, 4, 5, 10].each { line["bytes", _1, random.bytes(_1).unpack1("H*")] }
  [0, 1, 2, 10].each { line["shuffle", _1, (0..._1).to_a.shuffle(random: random).inspect.delete(" ")] }
  [[10, 1], [10, 2], [10, 3], [10, 4], [20, 9], [20, 10], [20, 11], [20, 16], [20, 17], [30, 30], [3, 5], [100, 10], [200, 100]].each do |len, count|
    line["sample", "#{len}/#{count}", (0...len).to_a.sample(count, random: random).inspect.delete(" ")]
  end
  line["left", 0, random.send(:marshal_dump)[1]]
  line["bytes", 2600, random.bytes(2600).unpack1("H*")] if seed == 42
end
# A key of more words than the state has.
long = 7**9000
puts([long, "bytes", 16, Random.new(long).bytes(16).unpack1("H*")].join("\t"))
