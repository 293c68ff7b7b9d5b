# Rational and Complex.
p 3r, 1/3r, 0.75r, Rational(3, 6), Rational("2/4"), Rational("0.125"), Rational(1.5), Rational("1e2"), "1/3".to_r, "0.5x".to_r, Rational("x", exception: false)
p 1/3r + 1/6r, 1/2r - 1, 2/3r * 3/4r, (2/3r) / (4/3r), (2/3r)**2, (2/3r)**-2, (4/9r)**0.5, 1/3r <=> 0.3, 1/2r == 0.5, 1/3r + 0.5, 3 + 1/2r, 2 * (1/4r), 1 / (1/4r)
p (7/2r).floor, (7/2r).ceil, (7/2r).round, (5/2r).round, (5/2r).round(half: :even), (-7/2r).truncate, (22/7r).round(2), (22/7r).floor(1), (7/2r).to_i, (7/2r).to_f, (1/3r).to_s, (1/3r).inspect
p (7/2r).numerator, (7/2r).denominator, (7/3r).divmod(1/2r), (7/3r) % 1, (-7/3r).abs, (1/3r).zero?, (0/3r).zero?, (1/3r).positive?, (3/1r) == 3, (1/3r).hash == (2/6r).hash, 3.to_r, (355/113r).rationalize(1/100r)
p Rational(7, -3), Rational(-7, -3), (Rational(1, 0) rescue $!.message), Rational(2**70, 2**69), (1/3r).to_r, (1/3r).integer?, [1/2r, 1/3r, 0.4].sort, [1/2r, 1/3r].sum, [1/2r, 1/3r].max, "%.5f" % (1/3r), "%s" % (1/3r)
p 2i, 3 + 2i, Complex(1, 2), Complex("1+2i"), Complex("i"), Complex("1@2").abs.round(5), "3-4i".to_c, Complex(3), Complex("x", exception: false), Complex(1.5, -2), Complex(1, -0.0)
p (1 + 2i) + (3 - 1i), (1 + 2i) * (3 - 1i), (1 + 2i) / (3 - 1i), (1 + 2i) - 1, (1 + 2i)**2, (1 + 2i)**-1, (1 + 2i).conjugate, (3 + 4i).abs, (3 + 4i).abs2, (1 + 1i).arg.round(6), (3 + 4i).polar.map { _1.round(4) }, (3 + 4i).rectangular
p (1 + 2i).real, (1 + 2i).imaginary, (1 + 2i).real?, 1.real?, (1 + 2i) == Complex(1, 2), (1 + 0i) == 1, (1 + 2i).to_s, (1 - 2i).inspect, (1 + 0i).to_i, ((1 + 2i).to_i rescue $!.message), Complex::I, (1 + 2i).hash == (1 + 2i).hash
p ((1 + 2i) <=> 1), ((1 + 0i) <=> 2), ((1 + 2i) < 1 rescue $!.class), Complex.polar(2, 0), Complex.rect(1, 2), Complex.polar(1, Math::PI / 2).real.round(10), (1 + 2i).finite?, 1.to_c, "1/2+3/4i".to_c, (1/2r + 3i), (1 + 2i) * 1.5, -(1 + 2i), (1 + 2i).quo(2), 2i * 2i, 3.i, 1.5.to_c, Complex(1, 2).fdiv(2)
