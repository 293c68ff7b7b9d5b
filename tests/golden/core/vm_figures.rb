# RubyVM.stat: figures of caches.
p RubyVM.stat.keys, RubyVM.stat.values.all?(Integer), RubyVM.stat(:next_shape_id).positive?
before = RubyVM.stat(:constant_cache_invalidations)
2.times { Pebble = 1 unless defined?(Pebble) }
p RubyVM.stat(:constant_cache_invalidations) >= before
before = RubyVM.stat(:constant_cache_misses)
p Pebble, RubyVM.stat(:constant_cache_misses) > before
hash = { other: 1 }
p RubyVM.stat(hash).equal?(hash), hash.size
[:foo, 1, nil].each do |wanted|
  RubyVM.stat(wanted)
rescue StandardError => error
  p error
end
