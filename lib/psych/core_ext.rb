# frozen_string_literal: true

class Object
  def self.yaml_tag(url) = Psych.add_tag(url, self)

  def to_yaml(options = {}) = Psych.dump(self, options)
end

module Kernel
  # Prints objects as YAML.
  def y(*objects) = puts(Psych.dump_stream(*objects))
  private :y
end
