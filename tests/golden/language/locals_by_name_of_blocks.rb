# A block calls by a bare name what becomes a local of the method later; its binding has that local's last value, also when the
# method has returned. Parser combinators refer to rules before they are assigned so.
def lazy(&block) = block

def value_of(block)
  block.call
rescue NameError => error
  block.binding.eval(error.name.to_s)
end

def rules
  list = lazy { expression }
  deeper = lazy { [1].map { expression + inner } }
  inner = 5
  expression = inner + 1
  expression += 1
  [list, deeper]
end

list, deeper = rules
p value_of(list)
p list.binding.local_variable_get(:expression), list.binding.eval("inner")
p deeper.binding.local_variable_get(:inner)

def with_parameter(given)
  block = proc { later }
  later = given * 2 if given
  block
end

p value_of(with_parameter(4)), value_of(with_parameter(nil))

def in_lambda
  outer = nil
  -> { outer = -> { after }; after = 3; outer }.call
end

p value_of(in_lambda)

def each_turn
  (1..3).map { |i| block = proc { mine }; mine = i * 10; block }
end

p(each_turn.map { |block| value_of(block) })

# A method of that name is still what the call means.
def expression = :method

list, = rules
p list.call
