# Names that are no local variables' where a program writes them.
b = binding
[:if, :self, :end, :nil, :class, :__FILE__, :BEGIN].each do |name|
  begin
    p b.local_variable_set(name, 1)
    p b.local_variable_get(name)
    p b.local_variable_defined?(name)
    p b.local_variables.include?(name)
    p b.eval("1 + 1")
  rescue NameError => error
    puts "#{error.class}: #{error.message[/.*for/]}"
  rescue SyntaxError => error
    puts error.class
  end
end
def value_of(name) = binding.tap { |b| b.local_variable_set(name, 5) }.local_variable_get(name)
p value_of(:while)
p proc { |if:| binding.local_variable_get(:if) }.call(if: 3)
p proc { |if:| binding.tap { |b| b.local_variable_set(:if, 7) }.local_variable_get(:if) }.call(if: 3)

# A new local changes no label.
def labels
  scope = binding
  scope.local_variable_set(:fresh, 1)
  scope.eval("caller_locations(0)[0]").label
end
p labels
1.times { |i| binding.then { |b| b.local_variable_set(:other, i); p b.eval("caller_locations(0)[0]").label } }
