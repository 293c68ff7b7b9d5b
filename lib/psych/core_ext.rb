# frozen_string_literal: true

class Object
  def self.yaml_tag(url) = Psych.add_tag(url, self)

  def to_yaml(options = {}) = Psych.dump(self, options)
end

# A prompt has `y`.
require "psych/y" if defined?(IRB)
