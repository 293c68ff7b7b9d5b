# Rational and Complex: arithmetic, conversion and reading from text.

def show(source)
  puts "#{source}: #{yield.inspect}"
rescue StandardError => e
  puts "#{source}: #{e.class}: #{e.message}"
end

show("Complex(\"1@0\")") { Complex("1@0") }
show("Complex(\"0@2\")") { Complex("0@2") }
show("Complex(\"1@2\")") { Complex("1@2") }
show("\"1@0\".to_c") { "1@0".to_c }
show("Complex(\"x\")") { Complex("x") }
show("Complex(\"1+2i\")") { Complex("1+2i") }
show("Complex(\"i\")") { Complex("i") }
show("Complex(\"1/2+3/4i\")") { Complex("1/2+3/4i") }
show("Complex(\"1.5e3-2i\")") { Complex("1.5e3-2i") }
show("Complex(nil)") { Complex(nil) }
show("Complex(1,nil)") { Complex(1,nil) }
show("Complex(\"1\\0\")") { Complex("1\0") }
show("Complex(\"x\", exception: false)") { Complex("x", exception: false) }
show("Rational(\"1/3\")") { Rational("1/3") }
show("Rational(\"0.75\")") { Rational("0.75") }
show("Rational(\"1/0\")") { Rational("1/0") }
show("Rational(\"x\")") { Rational("x") }
show("Rational(nil)") { Rational(nil) }
show("Rational(0.5)") { Rational(0.5) }
show("Rational(1,2)") { Rational(1,2) }
show("Rational(\"1.5\",\"2\")") { Rational("1.5","2") }
show("Rational(1,0)") { Rational(1,0) }
show("Rational(Object.new)") { Rational(Object.new) }
show("Rational(1.5,2)") { Rational(1.5,2) }
show("Rational(\"1_000/3\")") { Rational("1_000/3") }
show("Rational(Complex(1,0),2)") { Rational(Complex(1,0),2) }
show("Rational(:a, exception: false)") { Rational(:a, exception: false) }
show("1+1r") { 1+1r }
show("1-1r") { 1-1r }
show("2*1.5r") { 2*1.5r }
show("1/2r") { 1/2r }
show("1.0+1r") { 1.0+1r }
show("1+1i") { 1+1i }
show("1.0*2i") { 1.0*2i }
show("1/Complex(1,2)") { 1/Complex(1,2) }
show("7.divmod(2r)") { 7.divmod(2r) }
show("7.fdiv(2r)") { 7.fdiv(2r) }
show("7 % 2r") { 7 % 2r }
show("7.div(2r)") { 7.div(2r) }
show("1.quo(2)") { 1.quo(2) }
show("1.quo(2.0)") { 1.quo(2.0) }
show("6.quo(3)") { 6.quo(3) }
show("1.0.quo(2)") { 1.0.quo(2) }
show("1.quo(0)") { 1.quo(0) }
show("2**0.5r") { 2**0.5r }
show("1r**2") { 1r**2 }
show("(1/2r)**-2") { (1/2r)**-2 }
show("0r**-1") { 0r**-1 }
show("1r/0") { 1r/0 }
show("1r/0.0") { 1r/0.0 }
show("(1/3r).round(2)") { (1/3r).round(2) }
show("(5/2r).round(half: :even)") { (5/2r).round(half: :even) }
show("(5/2r).round(half: \"x\")") { (5/2r).round(half: "x") }
show("(-7/2r).floor") { (-7/2r).floor }
show("(-7/2r).ceil") { (-7/2r).ceil }
show("(-7/2r).truncate") { (-7/2r).truncate }
show("(-7/2r).round") { (-7/2r).round }
show("(22/7r).floor(2)") { (22/7r).floor(2) }
show("(22/7r).to_f") { (22/7r).to_f }
show("1r <=> 2") { 1r <=> 2 }
show("1r <=> nil") { 1r <=> nil }
show("1r == 1.0") { 1r == 1.0 }
show("1r.hash == 1r.hash") { 1r.hash == 1r.hash }
show("1.to_r") { 1.to_r }
show("(1/3r).rationalize(1/10r)") { (1/3r).rationalize(1/10r) }
show("1r.coerce(2)") { 1r.coerce(2) }
show("1r.coerce(nil)") { 1r.coerce(nil) }
show("1r + nil") { 1r + nil }
show("1r.abs") { 1r.abs }
show("-1r.abs") { -1r.abs }
show("(3/4r).numerator") { (3/4r).numerator }
show("(3/4r).inspect") { (3/4r).inspect }
show("(3/4r).to_s") { (3/4r).to_s }
show("3r.zero?") { 3r.zero? }
show("0r.zero?") { 0r.zero? }
show("1r.integer?") { 1r.integer? }
show("(7/2r).divmod(2)") { (7/2r).divmod(2) }
show("(7/2r) % 2") { (7/2r) % 2 }
show("(7/2r).div(2)") { (7/2r).div(2) }
show("(-7/2r).remainder(2)") { (-7/2r).remainder(2) }
show("(1/2r).fdiv(2)") { (1/2r).fdiv(2) }
show("Complex(1,2)+1") { Complex(1,2)+1 }
show("Complex(1,2)*Complex(3,4)") { Complex(1,2)*Complex(3,4) }
show("Complex(1,2)/Complex(3,4)") { Complex(1,2)/Complex(3,4) }
show("Complex(1.0,2)/2") { Complex(1.0,2)/2 }
show("Complex(1,2).abs") { Complex(1,2).abs }
show("Complex(1,2).arg") { Complex(1,2).arg }
show("Complex(1,2).polar") { Complex(1,2).polar }
show("Complex.polar(1,Math::PI/4)") { Complex.polar(1,Math::PI/4) }
show("Complex.polar(2)") { Complex.polar(2) }
show("Complex.rect(1,2)") { Complex.rect(1,2) }
show("Complex(1,2).conj") { Complex(1,2).conj }
show("Complex(1,2) == Complex(1,2)") { Complex(1,2) == Complex(1,2) }
show("Complex(1,0)==1") { Complex(1,0)==1 }
show("Complex(1,2) <=> 1") { Complex(1,2) <=> 1 }
show("Complex(1,0) <=> 2") { Complex(1,0) <=> 2 }
show("Complex(1,2).to_i") { Complex(1,2).to_i }
show("Complex(1,0).to_i") { Complex(1,0).to_i }
show("Complex(1,0.0).to_f") { Complex(1,0.0).to_f }
show("Complex(1,2).to_s") { Complex(1,2).to_s }
show("Complex(1,-2.5).inspect") { Complex(1,-2.5).inspect }
show("Complex(1,-0.0)") { Complex(1,-0.0) }
show("Complex(1,2) > 1") { Complex(1,2) > 1 }
show("Complex(1,2).rationalize") { Complex(1,2).rationalize }
show("3.to_c") { 3.to_c }
show("nil.to_c") { nil.to_c }
show("\"3+4i\".to_c") { "3+4i".to_c }
show("\"foo\".to_c") { "foo".to_c }
show("Complex::I") { Complex::I }
show("Complex(1,2).finite?") { Complex(1,2).finite? }
show("Complex(1,2).hash == Complex(1,2).hash") { Complex(1,2).hash == Complex(1,2).hash }
show("Complex(1,2) - 1.5") { Complex(1,2) - 1.5 }
show("Complex(\"1\",\"2\")") { Complex("1","2") }
show("Complex(1,2).fdiv(2)") { Complex(1,2).fdiv(2) }
show("Complex(1/2r,3).denominator") { Complex(1/2r,3).denominator }
show("Complex(1,2).coerce(3)") { Complex(1,2).coerce(3) }
show("Complex(1,2).coerce(nil)") { Complex(1,2).coerce(nil) }
show("Complex(1,2)+nil") { Complex(1,2)+nil }
show("Complex(:a)") { Complex(:a) }
show("Complex(1,:a)") { Complex(1,:a) }
show("Complex(1,2).real?") { Complex(1,2).real? }
show("Complex(1,2).quo(2)") { Complex(1,2).quo(2) }
show("Complex(1,2).step(1)") { Complex(1,2).step(1) }
show("Complex(1,2)**2.0") { Complex(1,2)**2.0 }
show("Complex(1,2)**1r") { Complex(1,2)**1r }
