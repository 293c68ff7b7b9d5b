# Floats that are integers, and others beside them, as text and in Marshal.
list = [0.0, -0.0, 1.0, 10.0, 100.0, 120.0, 1e15, 1e16, 123456789.0, 2.0**49, 2.0**52, 2.0**53 - 1, 2.0**53, 2.0**53 + 2, 2.0**54,
        9007199254740993.0, 999999999999999.0, 9999999999999998.0, 1e22, 1e23, 5e-324, 0.1, 1.5, 123456.789, 1e100, 1.7976931348623157e308,
        4503599627370497.5, 4503599627370496.0, 1e14 + 0.5, 3e10, 100000000000000000.0]
list.each do |f|
  [f, -f].each do |g|
    text = Marshal.dump(g)
    p [g, text, Marshal.load(text).equal?(g) || Marshal.load(text) == g, g.to_s.to_f == g, "%g" % g, g.rationalize.class]
  end
end
p Marshal.dump([1.0, 2.0, 1e300, 2e300, Float::NAN, Float::INFINITY, -Float::INFINITY])
f = 1e-320
p Marshal.dump([f, f, 1.5, "a", [2.5]])
p Marshal.load(Marshal.dump((0...300).map { it / 4.0 } * 2)).sum
