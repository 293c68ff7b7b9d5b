# Integer: operators, coercion, loops, bits and text.

def show(source)
  puts "#{source}: #{yield.inspect}"
rescue StandardError => e
  puts "#{source}: #{e.class}: #{e.message}"
end

show("Float::NAN.divmod(1)") { Float::NAN.divmod(1) }
show("-1.0 % Float::INFINITY") { -1.0 % Float::INFINITY }
show("6.0.divmod(-3)") { 6.0.divmod(-3) }
show("6.0 % -3") { 6.0 % -3 }
show("-0.0 % 3") { -0.0 % 3 }
show("1.0.div(0)") { 1.0.div(0) }
show("Float::INFINITY % 2") { Float::INFINITY % 2 }
show("1 % 0.0") { 1 % 0.0 }
show("2.0.divmod(0.1)") { 2.0.divmod(0.1) }
show("7.5.div(2)") { 7.5.div(2) }
show("-7.5.remainder(2)") { -7.5.remainder(2) }
show("7.remainder(-3.5)") { 7.remainder(-3.5) }
show("7.remainder(Rational(5,2))") { 7.remainder(Rational(5,2)) }
show("7.remainder(nil)") { 7.remainder(nil) }
show("7.5.remainder(nil)") { 7.5.remainder(nil) }
show("(-8)**(1.0/3)") { (-8)**(1.0/3) }
show("(-8)**0.5") { (-8)**0.5 }
show("(-8.0)**2.0") { (-8.0)**2.0 }
show("(-2)**Float::INFINITY") { (-2)**Float::INFINITY }
show("0**-1") { 0**-1 }
show("0 ** -1.0") { 0 ** -1.0 }
show("2**-2") { 2**-2 }
show("(-2)**-3") { (-2)**-3 }
show("(2**70)**-1") { (2**70)**-1 }
show("-1**(2**70)") { -1**(2**70) }
show("2**Rational(1,2)") { 2**Rational(1,2) }
show("4**Rational(2)") { 4**Rational(2) }
show("(-8)**Rational(1,3)") { (-8)**Rational(1,3) }
show("2**nil") { 2**nil }
show("Complex(1,2)**2") { Complex(1,2)**2 }
show("Complex(1,2)**-2") { Complex(1,2)**-2 }
show("Complex(1,2)**0.5") { Complex(1,2)**0.5 }
show("Complex(0,0)**2") { Complex(0,0)**2 }
show("Complex(3,4)**Rational(1,2)") { Complex(3,4)**Rational(1,2) }
show("1.0 <=> Object.new") { 1.0 <=> Object.new }
show("Float::INFINITY <=> Class.new{def infinite?;1;end}.new") { Float::INFINITY <=> Class.new{def infinite?;1;end}.new }
show("Float::INFINITY <=> Class.new{def infinite?;nil;end}.new") { Float::INFINITY <=> Class.new{def infinite?;nil;end}.new }
show("1 == 1r") { 1 == 1r }
show("1 <=> 1.5r") { 1 <=> 1.5r }
show("1.5 == 3/2r") { 1.5 == 3/2r }
show("1 == Complex(1,0)") { 1 == Complex(1,0) }
show("1 < 2r") { 1 < 2r }
show("1.0 > 2r") { 1.0 > 2r }
show("1 < Object.new") { 1 < Object.new }
show("1 <=> \"a\"") { 1 <=> "a" }
show("1.eql?(1.0)") { 1.eql?(1.0) }
show("1.equal?(1)") { 1.equal?(1) }
show("2**70 == 2.0**70") { 2**70 == 2.0**70 }
show("(2**70).eql?(2**70)") { (2**70).eql?(2**70) }
show("(2**70).hash == (2**70).hash") { (2**70).hash == (2**70).hash }
show("1.hash == 1.0.hash") { 1.hash == 1.0.hash }
show("0.0.hash == -0.0.hash") { 0.0.hash == -0.0.hash }
show("{2**70=>1}[2**70]") { {2**70=>1}[2**70] }
show("{1.5=>1}[1.5]") { {1.5=>1}[1.5] }
show("5.times.to_a") { 5.times.to_a }
show("1.upto(3).to_a") { 1.upto(3).to_a }
show("3.downto(1).to_a") { 3.downto(1).to_a }
show("1.upto(3).size") { 1.upto(3).size }
show("1.upto(2.5).to_a") { 1.upto(2.5).to_a }
show("1.upto(nil){}") { 1.upto(nil){} }
show("1.upto(\"a\").size") { 1.upto("a").size }
show("1.step(10,4).to_a") { 1.step(10,4).to_a }
show("1.0.step(2.0,0.5).to_a") { 1.0.step(2.0,0.5).to_a }
show("1.step(by: 2, to: 5).to_a") { 1.step(by: 2, to: 5).to_a }
show("1.step(5,0){}") { 1.step(5,0){} }
show("10.step(1,-3).to_a") { 10.step(1,-3).to_a }
show("1.step(3).size") { 1.step(3).size }
show("1.step(by: -1).first(2)") { 1.step(by: -1).first(2) }
show("1.step(10,3)") { 1.step(10,3) }
show("1.0.step(by: 0.1, to: 1.3).to_a") { 1.0.step(by: 0.1, to: 1.3).to_a }
show("1.step(nil, \"a\"){}") { 1.step(nil, "a"){} }
show("3.allbits?(2)") { 3.allbits?(2) }
show("3.anybits?(4)") { 3.anybits?(4) }
show("3.nobits?(4)") { 3.nobits?(4) }
show("3.allbits?(1.5)") { 3.allbits?(1.5) }
show("3.allbits?(\"a\")") { 3.allbits?("a") }
show("4.gcdlcm(6)") { 4.gcdlcm(6) }
show("1.positive?") { 1.positive? }
show("-1.negative?") { -1.negative? }
show("0.nonzero?") { 0.nonzero? }
show("1.nonzero?") { 1.nonzero? }
show("1.integer?") { 1.integer? }
show("1.0.integer?") { 1.0.integer? }
show("1.finite?") { 1.finite? }
show("1.infinite?") { 1.infinite? }
show("1.real?") { 1.real? }
show("1.real") { 1.real }
show("1.imag") { 1.imag }
show("1.abs2") { 1.abs2 }
show("-1.arg") { -1.arg }
show("-1.polar") { -1.polar }
show("1.rect") { 1.rect }
show("1.conj") { 1.conj }
show("5.clamp(1,3)") { 5.clamp(1,3) }
show("5.clamp(..3)") { 5.clamp(..3) }
show("5.clamp(1...3)") { 5.clamp(1...3) }
show("5.between?(1,10)") { 5.between?(1,10) }
show("1.dup") { 1.dup }
show("1.clone(freeze: false)") { 1.clone(freeze: false) }
show("1.i") { 1.i }
show("1.numerator") { 1.numerator }
show("1.denominator") { 1.denominator }
show("+1") { +1 }
show("1.ceildiv(0)") { 1.ceildiv(0) }
show("7.ceildiv(-2)") { 7.ceildiv(-2) }
show("1.coerce(2.5)") { 1.coerce(2.5) }
show("1.5.coerce(2)") { 1.5.coerce(2) }
show("1.coerce(\"x\")") { 1.coerce("x") }
show("1.coerce(\"1.5\")") { 1.coerce("1.5") }
show("1.coerce(nil)") { 1.coerce(nil) }
show("1.coerce(:a)") { 1.coerce(:a) }
show("1.0.coerce(\"2\")") { 1.0.coerce("2") }
show("Integer === 3") { Integer === 3 }
show("1.frozen?") { 1.frozen? }
show("Integer.instance_method(:+).arity") { Integer.instance_method(:+).arity }
show("Integer.allocate") { Integer.allocate }
show("Float.allocate") { Float.allocate }
show("Numeric.new + 1") { Numeric.new + 1 }
show("Numeric.new.coerce(1)") { Numeric.new.coerce(1) }
show("Numeric.new <=> 1") { Numeric.new <=> 1 }
show("class NN < Numeric; def coerce(o) = [o.to_i, 5]; end; 1 + NN.new") { class NN < Numeric; def coerce(o) = [o.to_i, 5]; end; 1 + NN.new }
show("1 * NN.new") { 1 * NN.new }
show("1 <=> NN.new") { 1 <=> NN.new }
show("1 < NN.new") { 1 < NN.new }
show("1 & NN.new") { 1 & NN.new }
show("1.0 ** NN.new") { 1.0 ** NN.new }
show("class NB < Numeric; def coerce(o) = nil; end; 1 + NB.new") { class NB < Numeric; def coerce(o) = nil; end; 1 + NB.new }
show("1 < NB.new") { 1 < NB.new }
show("1 <=> NB.new") { 1 <=> NB.new }
show("class NX; def coerce(o) = [1]; end; 1 - NX.new") { class NX; def coerce(o) = [1]; end; 1 - NX.new }
show("1 == NX.new") { 1 == NX.new }
show("class NE; def coerce(o) = raise(\"boo\"); end; 1 <=> NE.new") { class NE; def coerce(o) = raise("boo"); end; 1 <=> NE.new }
show("1 < NE.new") { 1 < NE.new }
show("class NI; def to_int = 3; end; [1<<NI.new, 5[NI.new], Integer(NI.new), 1.round(NI.new)]") { class NI; def to_int = 3; end; [1<<NI.new, 5[NI.new], Integer(NI.new), 1.round(NI.new)] }
show("1 + NI.new") { 1 + NI.new }
show("1 | NI.new") { 1 | NI.new }
show("[1,2,3].sum(0.0)") { [1,2,3].sum(0.0) }
show("[0.1]*3") { [0.1]*3 }
show("[0.1,0.2,0.3].sum") { [0.1,0.2,0.3].sum }
show("[3,1.5,2r].max") { [3,1.5,2r].max }
show("[1,2.0,3r].sum") { [1,2.0,3r].sum }
show("255.chr") { 255.chr }
show("233.chr(\"UTF-8\")") { 233.chr("UTF-8") }
show("65.chr(Encoding::UTF_16LE)") { 65.chr(Encoding::UTF_16LE) }
show("8364.chr(\"ISO-8859-1\")") { 8364.chr("ISO-8859-1") }
show("256.chr") { 256.chr }
show("(2**70).chr") { (2**70).chr }
show("3.chr(nil)") { 3.chr(nil) }
show("3.chr(1)") { 3.chr(1) }
show("10.to_s(36)") { 10.to_s(36) }
show("10.to_s(\"x\")") { 10.to_s("x") }
show("10.to_s(nil)") { 10.to_s(nil) }
show("255.inspect") { 255.inspect }
show("10.to_s.encoding") { 10.to_s.encoding }
show("1.5.to_s.encoding") { 1.5.to_s.encoding }
show("12.ord") { 12.ord }
show("(256**10-1).size") { (256**10-1).size }
show("(256**20-1).size") { (256**20-1).size }
show("5.bit_length") { 5.bit_length }
show("(-2**70).bit_length") { (-2**70).bit_length }
show("(2**70)[70]") { (2**70)[70] }
show("(2**70)[0,80] == 2**70") { (2**70)[0,80] == 2**70 }
show("5[..1]") { 5[..1] }
show("4[..1]") { 4[..1] }
show("5[...-1]") { 5[...-1] }
show("5[1..nil]") { 5[1..nil] }
show("5[nil]") { 5[nil] }
show("5[\"a\"]") { 5["a"] }
show("5[0.9]") { 5[0.9] }
show("5[0, \"a\"]") { 5[0, "a"] }
show("1<<\"a\"") { 1<<"a" }
show("1<<nil") { 1<<nil }
show("1<<1.9") { 1<<1.9 }
show("1>>-3") { 1>>-3 }
show("1>>(2**70)") { 1>>(2**70) }
show("-1>>(2**70)") { -1>>(2**70) }
show("0<<(2**70)") { 0<<(2**70) }
show("1<<-(2**70)") { 1<<-(2**70) }
