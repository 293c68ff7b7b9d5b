# Widths beyond 65,535 in formats of times, numbers and strings.
t = Time.utc(2020, 1, 2, 3, 4, 5)
["%70000z", "%-70000z", "%:70000z", "%_70000z", "%070000z", "%::70000z", "%:::70000z", "%70000Y", "%70000N", "%70000A", "%70000s", "%-70000d", "%70000c", "%70000C", "%70000L", "%70000j", "%70000%", "%70000Z"].each { |f| r = t.strftime(f); p [f, r.size, r[0, 3], r[-8..]] }
l = t.localtime("-03:30")
["%70000z", "%-10z", "%:10z", "%_10z", "%010z", "%_:10z", "%::12z", "%:::12z", "%_:::12z", "%-:z", "%-z", "%1z", "%5z", "%6z"].each { |f| r = l.strftime(f); p [f, r.size, r[0, 14], r[-8..]] }
p ("0" * 70000).upto("0" * 69999 + "1").map(&:size), ("9" * 70000).upto("9" * 70001).first(1).map(&:size)
p format("%.70000f", 0.1).size, format("%070000d", 3).size, format("%-70000d", 3).size, format("%.70000e", 0.1).size, format("%70000s", "a").size, format("%.70000d", 1).size, format("%.70000x", 1).size, format("%.70000g", 0.1).size, format("%#.70000g", 0.1).size, format("%.70000a", 0.1).size, format("%70000c", "x").size, format("%.70000b", -1).size, format("%.70000f", 3r/7).size, format("%+070000.3f", 1.5).size
p 1.5.round(70000), 1.5.floor(70000), 15.round(-70000), 1.5.ceil(400), (1.0/3).round(70000)
p "a".ljust(70000).size, "a".center(70000, "xy").size, 1.to_s.rjust(70000, "0").size, "%s" % ("a" * 70000) == "a" * 70000
p "\\x{" + "0" * 3, ("a".."z").step(70000).to_a, [1].pack("a70000").size rescue p $!
p Rational("1." + "0" * 70000 + "1").numerator.to_s.size, ("1" * 70000).to_i.to_s.size, (10**70000).to_s(7).size, (10**70000).inspect.size, Float("1" + "0" * 70000) rescue p $!.class
p Comparable.instance_method(:clamp).inspect.size > 0
