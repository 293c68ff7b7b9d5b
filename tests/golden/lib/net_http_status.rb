# oracle: native
require "net/http/status"
p Net::HTTP::STATUS_CODES.size, Net::HTTP::STATUS_CODES[404], Net::HTTP::STATUS_CODES.sum { |code, text| code + text.bytesize }
p Net::HTTP::STATUS_CODES
