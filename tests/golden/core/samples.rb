# Which elements a seed picks.
r = ->(s) { Random.new(s) }
a = (1..20).to_a
(0..12).each { |n| p [n, a.sample(n, random: r[42]), a.sample(n, random: r[7])] }
p (1..100).to_a.sample(20, random: r[1]), (1..3000).to_a.sample(30, random: r[1]), a.shuffle(random: r[3]), a.sample(random: r[5])
p [1,2,3].sample(3, random: r[1]), [1,2].sample(2, random: r[1]), [1].sample(3, random: r[1]), (1..15).to_a.sample(11, random: r[9]), (1..5000).to_a.sample(200, random: r[9]).sum
