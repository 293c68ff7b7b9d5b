# frozen_string_literal: true

class Net::HTTP
  # Whether requests and answers of a method have bodies.
  {
    Get: [false, true], Head: [false, false], Post: [true, true], Put: [true, true], Patch: [true, true], Delete: [false, true],
    Options: [false, true], Trace: [false, true], Propfind: [true, true], Proppatch: [true, true], Mkcol: [true, true],
    Copy: [false, true], Move: [false, true], Lock: [true, true], Unlock: [true, true]
  }.each do |name, (request_has_body, response_has_body)|
    kind = Class.new(Net::HTTPRequest)
    kind.const_set(:METHOD, name.name.upcase.freeze)
    kind.const_set(:REQUEST_HAS_BODY, request_has_body)
    kind.const_set(:RESPONSE_HAS_BODY, response_has_body)
    const_set(name, kind)
  end
end
