# frozen_string_literal: true

module Psych
  # A mapping whose order counts.
  class Omap < ::Hash
  end

  # A mapping whose names count.
  class Set < ::Hash
  end
end
