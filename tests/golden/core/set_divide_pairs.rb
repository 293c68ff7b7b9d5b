# Set#divide with a block of two parameters.
log = []
p Set[1,2,3,4].divide { |a, b| log << [a, b]; (a - b).abs == 1 }
p log
log = []
p Set[1,2,3].divide { |a, b| log << [a, b]; (b - a) % 3 == 1 }
p log
log = []
p Set[1,2,3].divide { |a, b| log << [a, b]; false }
p log
p Set[].divide { |a, b| true }, Set[1].divide { |a, b| raise }
p Set[5,1,9,2,7].divide { |a, b| (a % 2) == (b % 2) }
class S2 < Set; end
r = S2[1,2].divide { |a, b| true }
p r.class, r.first.class, r
s = Set[1,2,3]
p((s.divide { |a, b| s << 4; true } rescue $!))
p((s.divide { |a, b| s.delete(3); false } rescue $!), s)
x = Set["a","b"].compare_by_identity
r = x.divide { |a, b| false }
p r.compare_by_identity?, r.first.compare_by_identity?
p Set[1,2,3].divide(&->(a, b) { a == b }) rescue p $!
p Set[1,2,3,4,5,6,7,8,9,10].divide { |a, b| (a - b).abs == 3 }
p Set[[1,2],[3,4]].divide { |a, b| log << [a,b]; true }
