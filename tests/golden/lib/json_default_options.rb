# JSON.dump, JSON.load and the options that programs may set for all their calls.
require "json"
p JSON.dump({"a" => [1, nil, 1.5, "é\n"]}), JSON.dump(nil), JSON.dump(Float::NAN), JSON.dump([[]], 2)
p JSON.load("[1, NaN]").inspect, JSON.load(nil), JSON.load("")
p JSON.dump("x" * 300).size, JSON.generate((1..100).to_a).size, JSON.generate(["\u2028</script>", "\e", "\\\""])
begin
  JSON.dump([[[]]], 2)
rescue ArgumentError => error
  p error.message
end
p JSON.dump_default_options, JSON.load_default_options, JSON.unsafe_load_default_options
JSON.dump_default_options = {max_nesting: 1, allow_nan: false}
p JSON.dump_default_options
p((JSON.dump([[]]) rescue $!.class), (JSON.dump([Float::NAN]) rescue $!.class))
JSON.load_default_options = JSON.load_default_options.merge(freeze: true)
p JSON.load('{"a": 1}').frozen?
p JSON.respond_to?(:_dump_default_options), JSON.singleton_class.method_defined?(:dump_default_options=)
