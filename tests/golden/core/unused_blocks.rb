# With -w, a block that is passed to a method which ignores it is told of, unless a method of that name that is known to the program
# uses its block: one that was compiled counts, whether it has been defined yet or not.
$stderr = $stdout
$VERBOSE = true

class Plain
  def alone = 1
  def shared = 2
  def nested = 4
  def evaluated = 5
  def bound = binding
  def asked = block_given?
  def self.alone = 6
end

plain = Plain.new
plain.alone {}
Plain.alone {}
plain.shared {}
plain.nested {}
plain.bound {}
plain.asked {}
plain.evaluated {}
eval "class Later; def evaluated = yield; end; def plain.other = 1", binding, "evaluated.rb"
def plain.evaluated = 7
plain.evaluated {}
plain.other {}

def define_later
  Class.new do
    def shared = yield

    def other
      [1].each { yield }
    end

    def self.nested(&block) = block
  end
end

# A method that never uses one and passes on what it was given.
def forwarding(...) = plain_target(...)
def plain_target(...) = 1
forwarding(1) {}
