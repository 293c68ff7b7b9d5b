# Of several arguments that are wrong the one is named that Ruby looks at first.
def show
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

show { format("%d", "12".encode("UTF-16LE")) }
show { format("%e", "12".encode("UTF-16LE")) }
show { format("%x", "12".encode("UTF-16BE")) }
show { Integer("12".encode("UTF-16LE")) }
show { Float("12".encode("UTF-16LE")) }
show { "日".encode("EUC-JP").unicode_normalize(:x) }
show { "a".encode("US-ASCII").unicode_normalize(:x) }
show { "a".unicode_normalize(:x) }
show { "a".encode("UTF-16LE").unicode_normalize(:x) }
show { "日".encode("EUC-JP").unicode_normalized?(:x) }
show { "a".encode("US-ASCII").unicode_normalized?(:x) }
show { "日".encode("EUC-JP").unicode_normalize!(:x) }
show { "\xff".rstrip!(nil) }
show { "\xff".rstrip(nil) }
show { "\xff".strip!(nil) }
show { "\xff".lstrip!(nil) }
show { "\xff".rstrip! }
show { (-5).digits(0) }
show { (-5).digits(1) }
show { (-5).digits("x") }
show { (-5).digits(-3) }
show { (-5).digits(2**70) }
show { (-5**70).digits(0) }
show { 5.digits(0) }
show { Time.at("1", 5, :foo) }
show { Time.at("1", "5", :foo) }
show { Time.at("1", "5") }
show { Time.at(1, "5", :foo) }
show { [1].slice(0.., []) }
show { [1].slice([], 0..) }
show { [1][0.., 0] }
show { [1][0, 0..] }
show { "".unpack("@1") }
show { "".unpack("@0") }
show { "abc".unpack("@2a@a") }
show { "abc".unpack1("@", offset: 1) }
show { "abc".unpack("a@") }
show { (nil...:f).max(2) }
show { (nil...:f).max }
show { (nil...Time).max }
show { (nil..1).max(2) }
show { (nil..1).max }
show { (nil...1).max }
show { (nil..1).min }
show { (nil..1).max { } }
show { (1..nil).min(2) }
show { (1..nil).min { } }
show { (1..nil).max(1) }
show { (5...5).last(-3) }
show { (5..6).last(-3) }
show { (5...5).first(-3) }
show { (5...4).last(-3) }
show { [].last(-1) }
show { [1].slice_before(1) {} }
show { [1].slice_after(1) {} }
show { [1].slice_after }
show { [1].slice_before }
show { [1].each_entry(1) }
show { [1].each.chunk_while }
show { [1].each.first(1,2) }
show { [1].each.include? }
show { [1].each.sum(1,2) }
show { [1].each.min(1,2) }
show { [1].each.tally(1,2) }
w = "12".encode("UTF-16LE")
show { Float(w) }
show { Float(w, exception: false) }
show { Integer(w, exception: false) }
show { Rational(w) }
show { Complex(w) }
show { w.to_i }
show { w.to_f }
show { w.to_r }
show { w.to_c }
show { w.hex }
show { w.oct }
show { format("%f", w) }
show { format("%d", w) }
show { format("%c", w) }
show { format("%s", w) }
show { w % 1 }
show { format("%s".encode("UTF-16LE"), 1) }
show { Integer("12".encode("UTF-16LE"), 10) }
show { "%.3d" % w }
show { Array(1).pack(w) }
show { Time.at(w) }
show { Time.new(w) }
show { rand(w) }
show { [1].sum(w) }
show { "a" * w }
show { sleep(w) }
show { "abc"[0.., []] }
show { "abc"[[], 0..] }
show { "abc".slice!(0.., []) }
show { [1].slice!(0.., []) }
show { [1].fill(1, 0.., []) }
show { [1].fill(1, [], 0..) }
show { [1][0.., []] = 1 }
show { "abc"[0.., []] = "x" }
show { "abc".byteslice(0.., []) }
show { "abc".bytesplice(0.., [], "x") }
show { :abc[0.., []] }
show { "abc".insert([], 1) }
show { [1].insert([], 1) }
show { "abc".center([], 1) }
show { "abc".index(1, []) }
show { "abc".rindex(1, []) }
show { "abc".byteindex(1, []) }
show { "abc".tr(1, []) }
show { [1].first([]) }
show { [1].rotate([]) }
show { [1].combination([]) {} }
show { [1].sample([]) }
show { [1].pack([]) }
show { 5.pow([], []) }
show { 5.pow(1.5, 3) }
show { 5[0.., []] }
show { 5.round([], half: 1) }
show { 5.5.round([], half: 1) }
show { "a".ljust(5, []) }
show { [3].values_at([], "x") }
show { {a: 1}.dig }
show { "x".sub(1, []) }
show { "x".gsub(1, []) }
show { "x".start_with?([], 1) }
show { "x".split([], "y") }
show { "x".each_line([], chomp: 1) {} }
show { Comparable.instance_method(:clamp).bind_call(5, [], 1) }
show { 5.clamp(3, 1) }
show { 5.clamp(1..., 3) }
show { Time.at(0).strftime([]) }
show { rand([]) }
show { Random.new.rand(3..., 1) }
show { File.join([], 1) }
show { File.basename(1, 2) }
