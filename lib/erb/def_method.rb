# frozen_string_literal: true

class ERB
  # Methods of templates: `def_erb_method("render(arg)", "template.erb")`.
  module DefMethod
    def def_erb_method(methodname, erb_or_fname)
      return erb_or_fname.def_method(self, methodname, erb_or_fname.filename || "(ERB)") unless String === erb_or_fname
      File.open(erb_or_fname) { |file| ERB.new(file.read).def_method(self, methodname, erb_or_fname) }
    end
    module_function :def_erb_method
  end
end
