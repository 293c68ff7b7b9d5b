# frozen_string_literal: true

# A request of one of the known methods.
class Net::HTTPRequest < Net::HTTPGenericRequest
  def initialize(path, headers = nil)
    super(self.class::METHOD, self.class::REQUEST_HAS_BODY, self.class::RESPONSE_HAS_BODY, path, headers)
  end
end
