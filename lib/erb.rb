# frozen_string_literal: true

require "erb/compiler"
require "erb/util"
require "erb/def_method"

# The library brings it, so programs count on it.
Object.autoload(:StringScanner, "strscan") unless defined?(StringScanner)

# Templates with Ruby in them.
class ERB
  VERSION = "6.0.1".freeze

  def self.version = VERSION

  # The program that the template was compiled to, and its encoding.
  attr_reader :src, :encoding

  # Where errors say that the template stands.
  attr_accessor :filename, :lineno

  def initialize(text, trim_mode: nil, eoutvar: "_erbout")
    compiler = make_compiler(trim_mode)
    set_eoutvar(compiler, eoutvar)
    @src, @encoding, @frozen_string = compiler.compile(text)
    @filename = nil
    @lineno = 0
    @_init = self.class.singleton_class
  end

  def make_compiler(trim_mode) = Compiler.new(trim_mode)

  # Has the compiler collect the output in that variable.
  def set_eoutvar(compiler, name = "_erbout")
    compiler.put_cmd = "#{name}.<<"
    compiler.insert_cmd = "#{name}.<<"
    compiler.pre_cmd = ["#{name} = +''"]
    compiler.post_cmd = [name]
  end

  def location=((filename, lineno))
    @filename = filename
    @lineno = lineno if lineno
  end

  def run(binding = new_toplevel) = print(result(binding))

  def result(binding = new_toplevel)
    check_initialized
    eval(@src, binding, @filename || "(erb)", @lineno)
  end

  # The result with local variables of these names.
  def result_with_hash(hash)
    binding = new_toplevel(hash.keys)
    hash.each_pair { |name, value| binding.local_variable_set(name, value) }
    result(binding)
  end

  # Makes a method of the template; its parameters stand in the name: "render(arg)".
  def def_method(mod, methodname, fname = "(ERB)")
    check_initialized
    source = src.sub(/^(?!#|$)/) { "def #{methodname}\n" } << "\nend\n"
    mod.module_eval { eval(source, binding, fname, -1) }
  end

  def def_module(methodname = "erb")
    Module.new.tap { |mod| def_method(mod, methodname, @filename || "(ERB)") }
  end

  def def_class(superklass = Object, methodname = "result")
    Class.new(superklass).tap { |klass| def_method(klass, methodname, @filename || "(ERB)") }
  end

  private

  # A template that Marshal made did not come from a text, whatever it says.
  def check_initialized
    raise ArgumentError, "not initialized" unless self.class.singleton_class.equal?(@_init)
  end

  # The main program's binding, whose variables of these names are hidden by new ones.
  def new_toplevel(names = nil)
    binding = TOPLEVEL_BINDING
    hidden = names & binding.local_variables if names
    return binding.dup if hidden.nil? || hidden.empty?
    eval("tap { |;#{hidden.join(",")}| break binding }", binding)
  end
end
