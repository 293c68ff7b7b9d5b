# The parser lets a list of targets stand where its value is needed. CRuby raises NotImplementedError for these.
["a, (b, *c)[2] = 7, 8", "a, (b, c).x = 7, 8", "a, (b, c)::X = 1, 2", "a, ((b, c)[1], d) = 1, 2", "a, (*c)[1] = 1, 2"].each do |source|
  eval(source)
rescue SyntaxError => e
  puts e.message
end
