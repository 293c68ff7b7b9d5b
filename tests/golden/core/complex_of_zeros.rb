# Powers of complex zeros, complex numbers as parts of others, and quotients in Floats.
def show
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

[0.0,-0.0].product([0.0,-0.0]).each { |a,b| show { Complex(a,b)**2 }; show { Complex(a,b)**3 } }
show { Complex(3, Complex(0.0,-0.0)) }
show { Complex(3, Complex(1,2)) }
show { Complex(3.0, Complex(1,0)) }
show { Complex(Complex(0.0,-0.0),5) }
show { Complex(Complex(1,2),5) }
show { Complex(Complex(1,0),5) }
show { Complex(Complex(1,0.0),5) }
show { Complex(Complex(1,0.0),Complex(2,0.0)) }
show { Complex(Complex(1,0),Complex(2,0)) }
show { Complex(Complex(1.5,0),Complex(2,0)) }
show { Complex(5, Complex(0.0,-0.0), exception: false) }
show { Complex(Complex(0.0,-0.0), 5, exception: false) }
show { Complex(Complex(1,2), 5, exception: false) }
show { Complex(Complex(1,0), 5, exception: false) }
show { Complex(Complex(1,2), Complex(1,3), exception: false) }
show { Complex(1, Complex(1,3), exception: false) }
show { Complex(1, Complex(1,0), exception: false) }
show { Rational(Complex(1,0.0), 2) }
show { Rational(Complex(1,0), 2) }
show { Rational(1, Complex(2,0.0)) }
show { Rational(1, Complex(2,0)) }
show { Rational(Complex(1,2), 2) }
show { Rational(Complex(1.5,0.0)) }
show { Rational(Complex(1,0.0)) }
show { Rational(Complex(1,0.0), Complex(3,0.0)) }
show { Rational(Complex(1,0.0), exception: false) }
show { Complex(1,0.0).to_r }
show { Complex(1,0.5).to_r }
show { Complex(1,2).fdiv(3) }
show { Complex(7,2.5).fdiv(3) }
show { Complex(7,2.5).fdiv(0.7) }
show { Complex(1,2).fdiv(Complex(3,4)) }
show { Complex(5,7).fdiv(Complex(3,-4.5)) }
show { Complex(1r/3,2).fdiv(7) }
show { Complex(10**30,2).fdiv(7) }
show { Complex(1,2).fdiv(0) }
show { 3.fdiv(Complex(1,2)) }
show { 3.5.fdiv(Complex(1,2)) }
show { (1r/3).fdiv(Complex(1,2)) }
show { (10**30).fdiv(Complex(1,2)) }
show { Complex(1,2).fdiv("x") }
show { Complex(1,2).fdiv(nil) }
[[0,0],[0.0,0.0],[-0.0,0.0],[0,0.0],[0r,0]].each { |a,b| [-1,-2,0.5,1r/2,-0.5,Complex(1,1),Complex(-1,1),Complex(0,1),2,3,2**70,-(2**70),2.0,-1r/2, Complex(2,0.0),Complex(2r,0)].each { |e| show { Complex(a,b)**e } } }
[[1,0],[0,2],[-3,0],[0,-1.5],[2,2],[-2,2],[2,-2],[-2,-2],[1.5,-1.5],[1r/2,1r/2],[Float::INFINITY,0],[Float::NAN,0],[1,2]].each { |a,b| [2,-3,4,7,1r/2].each { |e| show { Complex(a,b)**e } } }

# `exception: false` keeps a division by zero, unless a text itself divides by it.
show { Rational("1/3", 0, exception: false) }
show { Rational("1", "0", exception: false) }
show { Rational("1/0", exception: false) }
show { Rational("1/0", 2, exception: false) }
show { Rational(1, "1/0", exception: false) }
show { Rational(1, 0, exception: false) }
