# oracle: native
# Times that methods wait for: what they take, and what they say of others.

def try(name)
  result = begin
    yield.inspect
  rescue Exception => error
    "#{error.class}: #{error.message}"
  end
  puts "#{name}: #{result}".tr("`", "'")
end

odd = {
  nan: Float::NAN, inf: Float::INFINITY, large: 1e300, bignum: 2**70, negative_bignum: -2**70, negative: -1, negative_float: -0.5,
  string: "x", symbol: :x, object: Object.new, array: [1], complex: 1i
}
odd.each do |name, value|
  try("sleep #{name}") { sleep(value) }
  try("Mutex#sleep #{name}") { Mutex.new.lock.sleep(value) }
  # Ruby 4.0 takes an infinite limit of select.
  try("select #{name}") { IO.select(nil, nil, nil, value) } unless name == :inf
end
parts = Object.new
def parts.divmod(one) = [0, 0.001]
try("sleep, divmod") { sleep(parts) }
def parts.divmod(one) = 5
try("sleep, no pair") { sleep(parts) }
def parts.divmod(one) = [-1, 0.5]
try("sleep, negative parts") { sleep(parts) }
try("sleep, rational") { sleep(1r / 1000) }
