# What lambdas get that stand as blocks: an array that is yielded stays one, but for a few methods.
def t(n); r = begin; yield; rescue Exception => e; "#{e.class}: #{e.message}"; end; puts "#{n}: #{r.inspect}"; end
l2 = ->(a, b) { [a, b] }
l1 = ->(a) { a }
lo = ->(a, b = 5) { [a, b] }
lr = ->(a, *b) { [a, b] }
def y1; yield [1, 2]; end
def y2; yield 1, 2; end
def y3; yield [1, 2], 3; end
t("each") { [[1, 2]].each(&l2) }
t("map") { [[1, 2]].map(&l2) }
t("each_with_index") { [[1, 2]].each_with_index(&l2) }
t("yield") { y1(&l2) }
t("yield l1") { y1(&l1) }
t("yield lo") { y1(&lo) }
t("yield lr") { y1(&lr) }
t("yield2") { y2(&l2) }
t("yield3") { y3(&l2) }
t("hash each") { {a: 1}.each(&l2) }
t("hash map") { {a: 1}.map(&l2) }
t("hash any?") { {a: 1}.any?(&l2) }
t("hash select") { {a: 1}.select(&l2) }
t("hash find") { {a: 1}.find(&l2) }
t("hash to_h") { {a: 1}.to_h(&l2) }
t("hash each_with_object") { {a: 1}.each_with_object([], &l2) }
t("hash inject") { {a: 1, b: 2}.inject(&l2) }
t("ary any?") { [[1, 2]].any?(&l2) }
t("ary to_h") { [[1, 2]].to_h(&l2) }
t("ary sort_by") { [[1, 2], [3, 4]].sort_by(&l2) }
t("ary each_slice") { [1, 2].each_slice(2, &l2) }
t("ary each_cons") { [1, 2].each_cons(2, &l2) }
t("ary combination") { [1, 2].combination(2, &l2) }
t("ary zip") { [1].zip([2], &l2) }
t("enum with_index") { [[1, 2]].each.with_index(&l2) }
t("enum map") { [[1, 2]].each.map(&l2) }
t("define_method") { Class.new { define_method(:x, &l2) }.new.x([1, 2]) }
t("define_method 2") { Class.new { define_method(:x, &l2) }.new.x(1, 2) }
t("instance_exec") { Object.new.instance_exec([1, 2], &l2) }
t("tap") { [1, 2].tap(&l2) }
t("yield to proc") { y1(&proc { |a, b| [a, b] }) }
t("sym") { [[1, 2]].map(&:first) }
