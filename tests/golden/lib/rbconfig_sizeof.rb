# oracle: native
# How large the platform's types are.
require "rbconfig/sizeof"

p RbConfig::SIZEOF.values_at("int", "short", "long", "long long", "void*", "float", "double", "size_t", "time_t", "int16_t")
RbConfig::LIMITS.keys.grep(/\A(?:U?(?:CHAR|SHRT|INT|LONG|LLONG|INT\d+|INT_\w+|INTMAX|INTPTR)|SIZE|PTRDIFF|FIXNUM|WCHAR|SCHAR)_/).sort.each do |name|
  puts "#{name} #{RbConfig::LIMITS[name]}"
end
p RbConfig::LIMITS.values_at("DBL_MAX", "DBL_MIN", "DBL_EPSILON", "DBL_TRUE_MIN", "FLT_MAX", "FLT_MIN", "FLT_EPSILON", "FLT_TRUE_MIN")
p RbConfig::LIMITS.frozen?, RbConfig::SIZEOF.frozen?, [0].pack("l!").bytesize == RbConfig::SIZEOF["long"]
