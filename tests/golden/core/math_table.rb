# Math: values at the edges, and domains.

def show(source)
  puts "#{source}: #{yield.inspect}"
rescue StandardError => e
  puts "#{source}: #{e.class}: #{e.message}"
end

show("Math.log(2**2000)") { Math.log(2**2000) }
show("Math.log2(2**2000)") { Math.log2(2**2000) }
show("Math.log10(10**400)") { Math.log10(10**400) }
show("Math.log(-1)") { Math.log(-1) }
show("Math.log(0)") { Math.log(0) }
show("Math.log(1,0)") { Math.log(1,0) }
show("Math.log(0,0)") { Math.log(0,0) }
show("Math.log(8,-1)") { Math.log(8,-1) }
show("Math.log2(-1)") { Math.log2(-1) }
show("Math.log10(-1)") { Math.log10(-1) }
show("Math.log2(-0.0)") { Math.log2(-0.0) }
show("Math.sqrt(-0.0)") { Math.sqrt(-0.0) }
show("Math.sqrt(-1e-300)") { Math.sqrt(-1e-300) }
show("Math.atanh(1)") { Math.atanh(1) }
show("Math.atanh(-1)") { Math.atanh(-1) }
show("Math.atanh(2)") { Math.atanh(2) }
show("Math.log1p(-2)") { Math.log1p(-2) }
show("Math.log1p(-1)") { Math.log1p(-1) }
show("Math.ldexp(0.5, 2**70)") { Math.ldexp(0.5, 2**70) }
show("Math.frexp(-1234)") { Math.frexp(-1234) }
show("Math.sqrt(2**2000)") { Math.sqrt(2**2000) }
show("Math.log(Float::NAN)") { Math.log(Float::NAN) }
show("Math.hypot(3,4)") { Math.hypot(3,4) }
show("Math.log(Float::INFINITY,0)") { Math.log(Float::INFINITY,0) }
show("Math.log(Float::NAN, 0)") { Math.log(Float::NAN, 0) }
show("Math.log(2,Float::NAN)") { Math.log(2,Float::NAN) }
show("Math.sqrt(Complex(1,2))") { Math.sqrt(Complex(1,2)) }
show("Math.sqrt(4r)") { Math.sqrt(4r) }
show("Math.sqrt(\"4\")") { Math.sqrt("4") }
show("Math.sqrt(Object.new)") { Math.sqrt(Object.new) }
show("Math.sqrt(nil)") { Math.sqrt(nil) }
show("Math.log(-0.0)") { Math.log(-0.0) }
show("Math.log(-(2**2000))") { Math.log(-(2**2000)) }
show("Math.atan2(-0.0,-0.0)") { Math.atan2(-0.0,-0.0) }
show("Math::DomainError.superclass") { Math::DomainError.superclass }
