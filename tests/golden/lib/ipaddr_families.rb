# Addresses of the other family are in no range.
# oracle: native
require "ipaddr"

p IPAddr.new("::1").include?("1.2.3.4"), IPAddr.new("1.2.3.4") === IPAddr.new("::1"), IPAddr.new("0.0.0.0/0") === "::1"
p IPAddr.new("1.2.3.4") <=> IPAddr.new("::1"), IPAddr.new("1.2.3.0/24") === "1.2.3.4"
