# frozen_string_literal: true

# The functions behind String#unicode_normalize.
module UnicodeNormalize
  class << self
    # A text in one of the normal forms.
    #   UnicodeNormalize.normalize("e\u0301") #=> "é"
    def normalize(string, form = :nfc) = string.unicode_normalize(form)

    def normalized?(string, form = :nfc) = string.unicode_normalized?(form)
  end
end
