# frozen_string_literal: true

module Net
  # Classes of answers by the first digit, whether they have bodies, and the error that one is.
  {
    UnknownResponse: [true, HTTPError], Information: [false, HTTPError], Success: [true, HTTPError],
    Redirection: [true, HTTPRetriableError], ClientError: [true, HTTPClientException], ServerError: [true, HTTPFatalError]
  }.each do |name, (has_body, error)|
    kind = Class.new(HTTPResponse)
    kind.const_set(:HAS_BODY, has_body)
    kind.const_set(:EXCEPTION_TYPE, error)
    const_set(:"HTTP#{name}", kind)
  end

  HTTPResponse::CODE_CLASS_TO_OBJ = {
    "1" => HTTPInformation, "2" => HTTPSuccess, "3" => HTTPRedirection, "4" => HTTPClientError, "5" => HTTPServerError
  }.freeze

  # Those that have names of their own.
  HTTPResponse::CODE_TO_OBJ = {
    "100" => :Continue, "101" => :SwitchProtocol, "102" => :Processing, "103" => :EarlyHints, "200" => :OK, "201" => :Created,
    "202" => :Accepted, "203" => :NonAuthoritativeInformation, "204" => :NoContent, "205" => :ResetContent,
    "206" => :PartialContent, "207" => :MultiStatus, "208" => :AlreadyReported, "226" => :IMUsed, "300" => :MultipleChoices,
    "301" => :MovedPermanently, "302" => :Found, "303" => :SeeOther, "304" => :NotModified, "305" => :UseProxy,
    "307" => :TemporaryRedirect, "308" => :PermanentRedirect, "400" => :BadRequest, "401" => :Unauthorized,
    "402" => :PaymentRequired, "403" => :Forbidden, "404" => :NotFound, "405" => :MethodNotAllowed, "406" => :NotAcceptable,
    "407" => :ProxyAuthenticationRequired, "408" => :RequestTimeout, "409" => :Conflict, "410" => :Gone,
    "411" => :LengthRequired, "412" => :PreconditionFailed, "413" => :PayloadTooLarge, "414" => :URITooLong,
    "415" => :UnsupportedMediaType, "416" => :RangeNotSatisfiable, "417" => :ExpectationFailed, "421" => :MisdirectedRequest,
    "422" => :UnprocessableEntity, "423" => :Locked, "424" => :FailedDependency, "426" => :UpgradeRequired,
    "428" => :PreconditionRequired, "429" => :TooManyRequests, "431" => :RequestHeaderFieldsTooLarge,
    "451" => :UnavailableForLegalReasons, "500" => :InternalServerError, "501" => :NotImplemented, "502" => :BadGateway,
    "503" => :ServiceUnavailable, "504" => :GatewayTimeout, "505" => :VersionNotSupported, "506" => :VariantAlsoNegotiates,
    "507" => :InsufficientStorage, "508" => :LoopDetected, "510" => :NotExtended, "511" => :NetworkAuthenticationRequired
  }.to_h do |code, name|
    kind = Class.new(HTTPResponse::CODE_CLASS_TO_OBJ[code[0]])
    kind.const_set(:HAS_BODY, kind::HAS_BODY && !%w[204 205 304 305].include?(code))
    const_set(:"HTTP#{name}", kind)
    [code, kind]
  end.freeze

  # Older names.
  HTTPMultipleChoice = HTTPMultipleChoices
  HTTPMovedTemporarily = HTTPFound
  HTTPRequestTimeOut = HTTPRequestTimeout
  HTTPRequestEntityTooLarge = HTTPPayloadTooLarge
  HTTPRequestURITooLong = HTTPURITooLong
  HTTPRequestURITooLarge = HTTPRequestURITooLong
  HTTPRequestedRangeNotSatisfiable = HTTPRangeNotSatisfiable
  HTTPGatewayTimeOut = HTTPGatewayTimeout
end
