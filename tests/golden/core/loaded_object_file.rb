# A feature that is listed with the name of an object file counts as loaded.
def required(name)
  require name
rescue LoadError => error
  error.message
end

$LOADED_FEATURES << "listed_a.o" << "listed_b.so" << "folder/listed_c.o"
p required("listed_a"), required("listed_a.o"), required("listed_a.so"), required("listed_a.rb"), required("listed_b")
p required("folder/listed_c"), required("listed_c")
