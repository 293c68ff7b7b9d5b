# break, next and redo in the body of a class, for the loop or block around it.
p((3.times { class D; break; end }))
p((3.times { class D; break :value; end }))
p((while true do class D; break; end; end))
p((while true do class D; break 3; end; end))
i = 0
while i < 3
  i += 1
  class D; next; end
  p :not_reached
end
p i
p([1, 2].map { class D; next 5; end; 6 })

# Nested classes, ensure bodies, rescues.
log = []
while true
  begin
    class D
      begin
        module Inner
          begin
            break 4
          ensure
            LOG = [:inner]
          end
        end
      ensure
        LOG = [:outer]
      end
    end
  ensure
    log << D::Inner::LOG << D::LOG
  end
end
p log

begin
  r = [1].each { class D; begin; raise "x"; rescue; p $!.message; break $!.message; end; end }
  p r, $!
rescue => e
  p [:wrong, e]
end

# redo
tries = 0
$tries = 0
[1].each do |x|
  tries += 1
  class D; $tries += 1; redo if $tries < 3; end
end
p tries
tries = $tries = 0
while tries < 2
  tries += 1
  class D; $tries += 1; redo if $tries < 3; end
end
p [tries, $tries]

# A body that reaches its end has its value; loops of its own are left as ever.
p((1.times { p(class D; break if false; [1, 2, 3]; end); break :done }))
p((while true do break(class D; if $none then next else :end_of_body end; end); end))
p((class D; while true do break 7 end; end))
p((class D; [1].each { break 8 }; end))
p((for x in 1..3 do class D; break :for; end; end))
l = lambda { class D; break :lambda; end; :after }
p l.call
p((proc { class D; next :proc; end; :after }).call)
