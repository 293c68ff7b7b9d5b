# frozen_string_literal: true

module Kernel
  # Prints objects as YAML, each as a document.
  def y(*objects) = puts(Psych.dump_stream(*objects))
  private :y
end
