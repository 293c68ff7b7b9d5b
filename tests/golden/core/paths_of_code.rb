# The path of code is one frozen string for all who ask; `__FILE__` makes one each time.
def here; end
path = method(:here).source_location[0]
p path.frozen?, path.encoding, path.equal?(method(:here).source_location[0]), method(:here).source_location.frozen?
p proc {}.source_location[0].equal?(path), instance_method = self.class.instance_method(:here).source_location[0].equal?(path)
p caller_locations(0)[0].path.equal?(path), caller_locations(0)[0].path.frozen?
p binding.source_location[0].equal?(path), binding.source_location[0].frozen?
class Known; attr_reader :it; end
p Object.const_source_location(:Known)[0].frozen?, Known.instance_method(:it).source_location[0].frozen?
p __FILE__.frozen?, __FILE__.equal?(__FILE__), __FILE__ == path
eval("def there; end", nil, "some/where.rb", 7)
p method(:there).source_location, method(:there).source_location[0].frozen?
p method(:puts).to_proc.binding.source_location
p $!.nil?, (raise "x" rescue $!.backtrace_locations[0].path.frozen?), (raise "x" rescue $!.backtrace[0].frozen?)
