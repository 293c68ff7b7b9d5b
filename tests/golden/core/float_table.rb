# Float: division, rounding, conversion.

def show(source)
  puts "#{source}: #{yield.inspect}"
rescue StandardError => e
  puts "#{source}: #{e.class}: #{e.message}"
end

show("Float::INFINITY.arg") { Float::INFINITY.arg }
show("-0.0.arg") { -0.0.arg }
show("Float::NAN.arg") { Float::NAN.arg }
show("Float::INFINITY.numerator") { Float::INFINITY.numerator }
show("Float::NAN.denominator") { Float::NAN.denominator }
show("0.5.denominator") { 0.5.denominator }
show("3.14.rationalize") { 3.14.rationalize }
show("3.14.rationalize(0.01)") { 3.14.rationalize(0.01) }
show("3.14.rationalize(Rational(1,100))") { 3.14.rationalize(Rational(1,100)) }
show("0.3.to_r") { 0.3.to_r }
show("-0.3.rationalize") { -0.3.rationalize }
show("1.0.rationalize") { 1.0.rationalize }
show("1e300.rationalize") { 1e300.rationalize }
show("1e-300.rationalize") { 1e-300.rationalize }
show("Float::NAN.rationalize") { Float::NAN.rationalize }
show("0.0.rationalize") { 0.0.rationalize }
show("3.rationalize(1)") { 3.rationalize(1) }
show("1.5.rationalize(nil)") { 1.5.rationalize(nil) }
show("Integer(\"10\", nil)") { Integer("10", nil) }
show("Integer(\"11\", exception: false)") { Integer("11", exception: false) }
show("Integer(\"zz\", exception: false)") { Integer("zz", exception: false) }
show("Integer(nil, exception: false)") { Integer(nil, exception: false) }
show("Float(\"x\", exception: false)") { Float("x", exception: false) }
show("Integer(Float::NAN, exception: false)") { Integer(Float::NAN, exception: false) }
show("Integer(\"1\", 40, exception: false)") { Integer("1", 40, exception: false) }
show("Integer(\"1\", exception: 1)") { Integer("1", exception: 1) }
show("Integer(Object.new, exception: false)") { Integer(Object.new, exception: false) }
show("Float(Object.new, exception: false)") { Float(Object.new, exception: false) }
show("Integer([1], 2)") { Integer([1], 2) }
show("Integer(1, 2, exception: false)") { Integer(1, 2, exception: false) }
show("Integer(\"1\", \"2\")") { Integer("1", "2") }
show("Integer(2**70)") { Integer(2**70) }
show("Integer(\"1\".encode(\"UTF-16LE\"))") { Integer("1".encode("UTF-16LE")) }
show("Float(true)") { Float(true) }
show("Integer(true)") { Integer(true) }
show("Float(Complex(1,2))") { Float(Complex(1,2)) }
show("Float(Complex(1,0))") { Float(Complex(1,0)) }
show("Float(2**2000)") { Float(2**2000) }
show("Integer(\"z\",36)") { Integer("z",36) }
show("Integer(\"0b11\",2)") { Integer("0b11",2) }
show("Integer(\"0x1f\",16)") { Integer("0x1f",16) }
show("Integer(\"11\",-2)") { Integer("11",-2) }
show("10.pow(-2)") { 10.pow(-2) }
show("10.ceildiv(3)") { 10.ceildiv(3) }
show("10.digits(1)") { 10.digits(1) }
show("-10.digits") { -10.digits }
show("10.digits(\"x\")") { 10.digits("x") }
show("12345.digits(100)") { 12345.digits(100) }
show("1.ceil(-400).to_s.size") { 1.ceil(-400).to_s.size }
show("15.round(-1, half: :even)") { 15.round(-1, half: :even) }
show("25.round(-1, half: :down)") { 25.round(-1, half: :down) }
show("15.round(-1, half: nil)") { 15.round(-1, half: nil) }
show("2.5.round(half: :even)") { 2.5.round(half: :even) }
show("0.5.floor(400)") { 0.5.floor(400) }
show("1e300.round(-400)") { 1e300.round(-400) }
show("1e20.round(2)") { 1e20.round(2) }
show("3.7.truncate(nil)") { 3.7.truncate(nil) }
show("1.5.round(1.9)") { 1.5.round(1.9) }
show("1.5.round(\"1\")") { 1.5.round("1") }
show("1.round(half: \"x\")") { 1.round(half: "x") }
show("1.5.round(half: :foo)") { 1.5.round(half: :foo) }
show("1.5.round(0, half: Object)") { 1.5.round(0, half: Object) }
