# Bindings of services (RFC 9460 and 9461): parameters, and the vectors of the RFC read and written again. CRuby 3.1 has none,
# and the build of 4.0 that goldens are recorded from has no sockets.
require "resolv"

VECTORS = {
  alias: [65, "\x00\x00\x03foo\x07example\x03com\x00"],
  root: [64, "\x00\x01\x00"],
  port: [64, "\x00\x10\x03foo\x07example\x03com\x00\x00\x03\x00\x02\x00\x35"],
  generic: [64, "\x00\x01\x03foo\x07example\x03com\x00\x02\x9b\x00\x05hello"],
  mandatory: [64, "\x00\x10\x03foo\x07example\x03org\x00\x00\x00\x00\x04\x00\x01\x00\x04\x00\x01\x00\x09\x02h2\x05h3-19\x00\x04\x00\x04\xc0\x00\x02\x01"],
  comma: [64, "\x00\x10\x03foo\x07example\x03org\x00\x00\x01\x00\x0c\x08f\\oo,bar\x02h2"],
  hints: [64, "\x00\x01\x03foo\x07example\x03com\x00\x00\x06\x00\x10\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"],
  path: [64, "\x00\x01\x03one\x00\x00\x07\x00\x10/dns-query{?dns}"]
}.freeze

VECTORS.each do |name, (type, data)|
  data = data.b
  wire = [0, 0, 0, 1, 0, 0].pack("n6") + "\x07example\x03com\x00".b + [type, 1, 0, data.bytesize].pack("nnNn") + data
  message = Resolv::DNS::Message.decode(wire)
  _, _, record = message.answer.first
  params = record.params.map { |param| [param.class.key_name, *param.instance_variables.map { |field| param.instance_variable_get(field).then { |v| v.is_a?(Array) ? v.map(&:to_s) : v } }] }
  p [name, record.class, record.priority, record.target.to_s, record.alias_mode?, record.service_mode?, params]
  p message.encode == wire
end

params = Resolv::DNS::SvcParams.new([Resolv::DNS::SvcParam::Mandatory.new([:alpn, 4])])
params.add(Resolv::DNS::SvcParam::ALPN.new(%w[h2]))
p params.count, params[:mandatory].keys, params[0].keys, params[:alpn].protocol_ids, params.empty?, params[:key7]
params.delete(:mandatory)
p params.to_a.size, params == Resolv::DNS::SvcParams.new([Resolv::DNS::SvcParam::ALPN.new(%w[h2])])
begin
  params[:nothing]
rescue ArgumentError => error
  puts error.message
end
